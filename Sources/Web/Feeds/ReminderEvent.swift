import ICalendar
import Recurrence
import Reminders

/// A reminder as an event (RFC 5545 §3.6.1), for calendars that show no to-dos.
struct ReminderEvent {
    /// Long enough to be seen and tapped in a day view.
    private static let duration = CalendarDuration(seconds: 15 * 60)
    /// Rings when the reminder is due.
    private static let alarmAtStart = CalendarDuration.zero
    /// A whole day starts at midnight, when nobody wants to be woken: rings at nine in the morning, as the program
    /// does.
    private static let alarmOfDay = CalendarDuration(seconds: 9 * 3600)
    /// What stands before the title: an event that can be done.
    private static let openBox = "☐"

    let reminder: Reminder
    /// When the event starts.
    let start: CalendarDateOrDateTime
    /// Which occurrence of the series it stands for, `nil` for the series or a single one.
    var occurrence: CalendarDateOrDateTime?
    /// RRULE, RDATE and EXDATE.
    var recurrence: [ContentLine] = []
    /// Whether title, notes and labels are left out, because the reminder is marked PRIVATE.
    var isHidden = false

    /// The VEVENTs of a reminder: one, and one more for each occurrence that differs; none when it has no date.
    static func bytes(of reminder: Reminder, isHidden: Bool, zones: inout PublishedZones) -> [UInt8] {
        let resolver = zones.resolver(for: reminder.object)
        if let snooze = reminder.effectiveSnooze(resolver) {
            let start = CalendarDateOrDateTime.dateTime(CalendarDateTime(utc: snooze))
            return Self(reminder: reminder, start: start, isHidden: isHidden).lines.wire
        }
        guard let due = reminder.due else { return [] }
        let form = zones.form(for: due, of: reminder.object, resolver: resolver)
        guard let series = EventSeries(reminder, due: due, form: form, resolver: resolver) else { return [] }
        var event = Self(reminder: reminder, start: series.start, isHidden: isHidden)
        event.recurrence = series.lines
        guard !series.lines.isEmpty else { return event.lines.wire }
        return series.changedOccurrences.reduce(into: event.lines.wire) { bytes, occurrence in
            var occurrence = occurrence
            occurrence.isHidden = isHidden
            bytes += occurrence.lines.wire
        }
    }

    private var lines: [ContentLine] {
        let revision = CalendarDateTime(utc: self.reminder.revisedAt).wire
        var lines = [
            ContentLine(.begin, value: "VEVENT"),
            // Not the to-do's own: a client that holds both would take one for the other.
            ContentLine(.uid, text: "\(self.reminder.uid)-event"),
            ContentLine(.dtstamp, value: revision),
            ContentLine(.dtstart, moment: self.start),
        ]
        if let occurrence { lines.append(ContentLine(.recurrenceID, moment: occurrence)) }
        if !self.start.isDate { lines.append(ContentLine(.duration, value: Self.duration.wire)) }
        lines.append(ContentLine(.summary, text: self.summary))
        if !self.isHidden { lines += self.details }
        if let classification = self.reminder.object.todos.first?.first(.classification) {
            // Calendars show PRIVATE events to the owner only.
            lines.append(ContentLine(.classification, value: classification.value.withoutControls))
        }
        lines += self.recurrence
        lines.append(ContentLine(.transp, value: "TRANSPARENT"))
        lines.append(ContentLine(.sequence, value: String(self.reminder.eventSequence)))
        lines.append(ContentLine(.lastModified, value: revision))
        return lines + self.alarm + [ContentLine(.end, value: "VEVENT")]
    }

    private var details: [ContentLine] {
        let notes = self.reminder.notes.map { [ContentLine(.description, text: $0)] } ?? []
        let labels = self.reminder.labels
        return labels.isEmpty ? notes : notes + [ContentLine(.categories, value: TextValue.join(labels))]
    }

    private var summary: String {
        if self.isHidden { return "\(Self.openBox) \(FeedContent.hiddenTitle)" }
        let title = self.reminder.title.trimmingSpaces
        return title.isEmpty ? Self.openBox : "\(Self.openBox) \(title)"
    }

    private var alarm: [ContentLine] {
        let trigger = self.start.isDate ? Self.alarmOfDay : Self.alarmAtStart
        return [
            ContentLine(.begin, value: "VALARM"),
            ContentLine(.action, value: "DISPLAY"),
            ContentLine(.description, text: self.summary),
            ContentLine(.trigger, value: trigger.wire),
            ContentLine(.end, value: "VALARM"),
        ]
    }
}

extension Reminder {
    /// When it or one of its occurrences was last changed, as well as the text says; `nil` when it does not.
    var lastChange: Instant? {
        self.object.todos.compactMap { todo in
            [Name.lastModified, .dtstamp, .created].lazy.compactMap { todo.first($0)?.stamp }.first
        }.max()
    }

    /// The moment of ``lastChange``: never a clock's time, or every fetch would be another text.
    var revisedAt: Instant { self.lastChange ?? Instant(secondsSince1970: Self.countingFrom) }

    /// The revision number of the event (RFC 5545 §3.8.7.4): it grows with every change, or Google keeps the old times.
    ///
    /// The to-do's own SEQUENCE is not enough. Many programs never write it, others begin to in the middle, and then it
    /// falls back to 1. Hence seconds of the last change, which grow, and SEQUENCE on top, which does too.
    var eventSequence: Int {
        let seconds = Int(min(max(self.revisedAt.secondsSince1970 - Self.countingFrom, 0), Int64(Int32.max)))
        let own = self.object.todos.compactMap { $0.first(.sequence)?.integer }.max() ?? 0
        return min(seconds + min(max(own, 0), Int(Int32.max)), Int(Int32.max))
    }

    /// 2000-01-01T00:00:00Z; counted from here, seconds fit into INTEGER until 2068 (RFC 5545 §3.3.8).
    private static let countingFrom: Int64 = 946_684_800

    /// Until when it is put off, `nil` when it is not, or only up to its due time: calendars show when a thing is due.
    ///
    /// Programs leave past snoozes behind, and a series must not vanish because its last occurrence was once snoozed.
    fileprivate func effectiveSnooze(_ resolver: TimeZoneResolver) -> Instant? {
        guard let snooze = self.snoozedUntil else { return nil }
        guard let due = self.due else { return snooze }
        let time =
            switch due {
            case .date(let date): CalendarDateTime(date: date, time: ClockTime(secondsOfDay: 0), zone: .floating)
            case .dateTime(let time): time
            }
        let instant = resolver.instant(of: time) ?? Instant(secondsSince1970: time.localSeconds)
        return instant < snooze ? snooze : nil
    }
}
