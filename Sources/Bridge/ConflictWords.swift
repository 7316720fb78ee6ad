package import RemindavDatePhrases
package import RemindavICalendar
import RemindavReminders

/// The values of a conflict in words, for the command line and the pages.
package struct ConflictWords: Sendable {
    private let zone: LocalZone
    private let moment: @Sendable (Instant) -> String
    private let day: @Sendable (CalendarDate) -> String

    /// - Parameters:
    ///   - moment: writes a moment in the local zone.
    ///   - day: writes a date.
    package init(
        zone: LocalZone,
        moment: @escaping @Sendable (Instant) -> String,
        day: @escaping @Sendable (CalendarDate) -> String
    ) {
        self.zone = zone
        self.moment = moment
        self.day = day
    }

    /// The two values in words, or as iCalendar text if their words are equal.
    ///
    /// - Parameter isRaw: whether the values are always iCalendar text.
    package func values(_ conflict: ConflictView, isRaw: Bool = false) -> (kept: String, lost: String) {
        let kept = self.words(conflict.property, conflict.kept, conflict.keptReading)
        let lost = self.words(conflict.property, conflict.lost, conflict.lostReading)
        guard isRaw || kept == lost else { return (kept, lost) }
        return (Self.quoted(conflict.kept), Self.quoted(conflict.lost))
    }

    /// The alarm or occurrence with the conflict; `nil` if the conflict is in the reminder itself.
    package func part(_ conflict: ConflictView, isRaw: Bool = false) -> String? {
        let occurrence = conflict.occurrence.map { "the occurrence \(isRaw ? $0 : self.time($0))" }
        guard conflict.isOfAlarm else { return occurrence }
        return "an alarm" + (occurrence.map { " of \($0)" } ?? "")
    }

    /// - Parameter reading: a reminder that contains the value, for fields that consist of several properties.
    private func words(_ property: String, _ value: String, _ reading: ReminderView?) -> String {
        if value.isEmpty { return "nothing" }
        let words: String? =
            switch property {
            case "STATUS": reading.map(self.state)
            case "DUE": reading.flatMap(self.dates)
            case "DESCRIPTION": reading?.notes.map(Self.quoted)
            case "X-MOZ-SNOOZE-TIME": reading?.snoozedInstant.map { "until \(self.moment($0))" }
            case "PRIORITY": Int(value).flatMap(self.priority)
            case "RRULE": self.rule(reading) ?? RuleSentence(zone: self.zone).text(value)
            case "TRIGGER": self.trigger(value)
            default: CalendarDateOrDateTime(wire: value, tzid: nil).map { _ in self.time(value) }
            }
        return words ?? Self.quoted(value)
    }

    private func rule(_ reading: ReminderView?) -> String? {
        guard let reading, let rule = reading.repeatRule else { return nil }
        return RuleSentence(zone: self.zone).text(rule, fromCompletion: reading.repeatsFromCompletion)
    }

    private func state(_ reading: ReminderView) -> String {
        let moment = reading.status == .completed ? reading.completedInstant : nil
        return reading.status.words + (moment.map { " \(self.moment($0))" } ?? "")
    }

    private func dates(_ reading: ReminderView) -> String? {
        let due = reading.dueDay.map(self.day) ?? reading.dueInstant.map(self.moment) ?? reading.due
        let start = reading.start.flatMap { $0 == reading.due ? nil : "starts \(self.start($0))" }
        let dates = [due, start].compactMap { $0 }
        return dates.isEmpty ? nil : dates.joined(separator: ", ")
    }

    /// A time in RFC 3339 in words; a date as it is.
    private func start(_ text: String) -> String { RFC3339.parse(text).map { self.moment($0.instant) } ?? text }

    /// The class of a PRIORITY value (RFC 5545 §3.8.1.9); `nil` for an invalid number.
    private func priority(_ number: Int) -> String? {
        switch number {
        case 0: "none"
        case 1...4: "high"
        case 5: "medium"
        case 6...9: "low"
        default: nil
        }
    }

    private func trigger(_ value: String) -> String? {
        switch Trigger(wire: value, related: nil) {
        case .absolute(let instant)?: return self.moment(instant)
        case .relative(let duration, to: _)?:
            return duration == .zero ? "at its time" : DurationFormatter.signed(duration)
        case nil: return nil
        }
    }

    /// A DATE or DATE-TIME value in words, in the local zone.
    private func time(_ wire: String) -> String {
        switch CalendarDateOrDateTime(wire: wire, tzid: nil) {
        case .date(let date)?: self.day(date)
        case .dateTime(let time)? where time.zone == .utc: self.moment(Instant(secondsSince1970: time.localSeconds))
        case .dateTime(let time)?: "\(self.day(time.date)), \(time.time.hoursAndMinutes)"
        case nil: Self.quoted(wire)
        }
    }

    private static func quoted(_ text: String) -> String { text.isEmpty ? "nothing" : "'\(text)'" }
}
