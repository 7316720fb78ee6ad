import ICalendar
import Recurrence
import Reminders

/// A reminder as an event (RFC 5545 §3.6.1), for calendar programs that do not show to-dos.
struct ReminderEvent {
    /// The event needs a duration to be visible in a day view.
    private static let duration = CalendarDuration(seconds: 15 * 60)
    /// The alarm of an event with a time fires when the reminder is due.
    private static let alarmAtStart = CalendarDuration.zero
    /// The alarm of an all-day event fires at 09:00, as in this program, and not at midnight.
    private static let alarmOfDay = CalendarDuration(seconds: 9 * 3600)
    private static let openBox = "☐"
    let source: PublishedReminder
    let start: CalendarDateOrDateTime
    /// The occurrence that this event replaces; `nil` for the series itself or for a reminder that does not repeat.
    var occurrence: CalendarDateOrDateTime?
    var recurrence: [ContentLine] = []
    /// Whether to omit title, notes and labels, because the reminder has the class PRIVATE.
    var isHidden = false

    /// Writes a VEVENT for the reminder and one for each changed occurrence; without a due time or snooze, writes none.
    static func append(
        _ source: PublishedReminder,
        isHidden: Bool,
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
            Self(source: source, start: start, isHidden: isHidden).append(to: &bytes)
            return
        }
        guard let due else { return }
        let form = zones.form(for: due, of: reminder.object, resolver: resolver)
        guard let series = EventSeries(reminder, due: due, form: form, resolver: resolver) else { return }
        let lines = series.lines
        Self(source: source, start: series.start, recurrence: lines, isHidden: isHidden).append(to: &bytes)
        guard !lines.isEmpty else { return }
        for var occurrence in series.changedOccurrences {
            occurrence.isHidden = isHidden
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
        if !self.isHidden {
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
        let trigger = self.start.isDate ? Self.alarmOfDay : Self.alarmAtStart
        bytes.append(ContentLine(.begin, value: "VALARM"))
        bytes.append(ContentLine(.action, value: "DISPLAY"))
        bytes.append(ContentLine(.description, value: summary.value))
        bytes.append(ContentLine(.trigger, value: trigger.wire))
        bytes.append(ContentLine(.end, value: "VALARM"))
        bytes.append(ContentLine(.end, value: "VEVENT"))
    }

    private var summary: String {
        if self.isHidden { return "\(Self.openBox) \(FeedContent.hiddenTitle)" }
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
