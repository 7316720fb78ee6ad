import RemindavICalendar
import RemindavRecurrence
import RemindavReminders

/// A reminder as an event (RFC 5545 §3.6.1), for calendar programs that do not show to-dos.
struct ReminderEvent {
    /// The event needs a duration to be visible in a day view.
    private static let duration = CalendarDuration(seconds: 15 * 60)
    private static let openBox = "☐"
    let source: PublishedReminder
    let start: CalendarDateOrDateTime
    /// The occurrence that this event replaces; `nil` for the series itself or for a reminder that does not repeat.
    var occurrence: CalendarDateOrDateTime?
    var recurrence: [ContentLine] = []
    var options = Options()
    /// Whether the event is at the end of a snooze, so that the reminder's own alarms are over.
    private var isSnoozed = false

    struct Options {
        /// Whether to omit title, notes and labels, because the reminder has the class PRIVATE.
        var isHidden = false
        /// Whether to write the reminder's own alarms instead of one at the due time.
        var showsAlarms = false
    }

    init(
        source: PublishedReminder,
        start: CalendarDateOrDateTime,
        occurrence: CalendarDateOrDateTime? = nil,
        recurrence: [ContentLine] = [],
        options: Options = Options()
    ) {
        self.source = source
        self.start = start
        self.occurrence = occurrence
        self.recurrence = recurrence
        self.options = options
    }

    /// Writes a VEVENT for the reminder and one for each changed occurrence; without a due time or snooze, writes none.
    static func append(
        _ source: PublishedReminder,
        _ options: Options,
        zones: inout PublishedZones,
        to bytes: inout [UInt8]
    ) {
        let reminder = source.reminder
        let (due, snooze) = (reminder.due, reminder.snoozedUntil)
        guard due != nil || snooze != nil else { return }
        let resolver = zones.resolver(for: reminder.object)
        // Programs leave old snoozes in the text, so a snooze that ends before the due time is ignored.
        if let snooze, due.map({ Self.instant(of: $0, resolver) < snooze }) ?? true {
            let start = CalendarDateOrDateTime.dateTime(CalendarDateTime(utc: snooze))
            var event = Self(source: source, start: start, options: options)
            event.isSnoozed = true
            event.append(to: &bytes)
            return
        }
        guard let due else { return }
        let form = zones.form(for: due, of: reminder.object, resolver: resolver)
        guard let series = EventSeries(reminder, due: due, form: form, resolver: resolver) else { return }
        let lines = series.lines
        Self(source: source, start: series.start, recurrence: lines, options: options).append(to: &bytes)
        guard !lines.isEmpty else { return }
        for var occurrence in series.changedOccurrences {
            occurrence.options = options
            occurrence.append(to: &bytes)
        }
    }

    private func append(to bytes: inout [UInt8]) {
        let reminder = self.source.reminder
        let revision = CalendarDateTime(utc: self.source.revisedAt).wire
        let summary = ContentLine(.summary, text: self.summary)
        bytes.append(ContentLine(.begin, value: "VEVENT"))
        // The UID is not the to-do's: a client that has the event and the to-do would take one for a copy of the other.
        bytes.append(ContentLine(.uid, text: "\(reminder.uid)-event"))
        bytes.append(ContentLine(.dtstamp, value: revision))
        bytes.append(ContentLine(.dtstart, moment: self.start))
        if let occurrence { bytes.append(ContentLine(.recurrenceID, moment: occurrence)) }
        if !self.start.isDate { bytes.append(ContentLine(.duration, value: Self.duration.wire)) }
        bytes.append(summary)
        if !self.options.isHidden {
            if let notes = reminder.notes { bytes.append(ContentLine(.description, text: notes)) }
            let labels = reminder.labels
            if !labels.isEmpty { bytes.append(ContentLine(.categories, value: TextValue.join(labels))) }
        }
        if let classification = reminder.object.todos.first?.first(.classification) {
            // Calendar programs show PRIVATE events only to their owner.
            bytes.append(ContentLine(.classification, value: classification.value.withoutControls))
        }
        for line in self.recurrence { bytes.append(line) }
        bytes.append(ContentLine(.transp, value: "TRANSPARENT"))
        bytes.append(ContentLine(.sequence, value: String(self.source.sequence)))
        bytes.append(ContentLine(.lastModified, value: revision))
        let own = self.options.showsAlarms && !self.isSnoozed ? EventAlarm.all(of: reminder) : []
        let alarms = own.isEmpty ? [EventAlarm.whenDue(isDate: self.start.isDate)] : own
        for alarm in alarms { bytes += alarm.lines(title: summary.value, isHidden: self.options.isHidden).wire }
        bytes.append(ContentLine(.end, value: "VEVENT"))
    }

    private var summary: String {
        if self.options.isHidden { return "\(Self.openBox) \(FeedContent.hiddenTitle)" }
        let title = self.source.reminder.title.trimmingSpaces
        return title.isEmpty ? Self.openBox : "\(Self.openBox) \(title)"
    }

    private static func instant(of due: CalendarDateOrDateTime, _ resolver: TimeZoneResolver) -> Instant {
        let time =
            switch due {
            case .date(let date): CalendarDateTime(date: date, time: ClockTime(secondsOfDay: 0), zone: .floating)
            case .dateTime(let time): time
            }
        return resolver.instant(of: time) ?? Instant(secondsSince1970: time.localSeconds)
    }
}
