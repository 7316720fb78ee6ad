import Bridge
import DatePhrases
import ICalendar
import Reminders

struct ConflictFormatter {
    let text: LocalText
    var isRaw = false

    func paragraph(_ conflict: ConflictView) -> StyledText {
        let reminder = conflict.reminder.map { "reminder \($0), \(conflict.title)" } ?? "a deleted reminder"
        var text = StyledText(
            "\(conflict.number): \(conflict.field) of \(Sanitizer.line(reminder)) (\(Sanitizer.line(conflict.list)))",
            .heading
        )
        let isHereLost = conflict.lostSide == "here"
        let values = self.values(conflict)
        let (here, server) = isHereLost ? (values.lost, values.kept) : (values.kept, values.lost)
        text += StyledText("\n  local    \(here)\(isHereLost ? "" : " (kept)")")
        text += StyledText("\n  server   \(server)\(isHereLost ? " (kept)" : "")")
        if let part = self.part(conflict) { text += StyledText("\n  part     \(part)") }
        let settled = conflict.settledAt.map { ", settled \(self.moment($0))" } ?? ""
        text += StyledText("\n  decided  \(self.moment(conflict.decidedAt))\(settled)")
        if self.isRaw { text += StyledText("\n  property \(Sanitizer.line(conflict.property))") }
        return text
    }

    /// The alarm or occurrence with the conflict; `nil` if the conflict is in the reminder itself.
    private func part(_ conflict: ConflictView) -> String? {
        let occurrence = conflict.occurrence.map { "the occurrence \(self.isRaw ? Sanitizer.line($0) : self.day($0))" }
        guard conflict.isOfAlarm else { return occurrence }
        return "an alarm" + (occurrence.map { " of \($0)" } ?? "")
    }

    /// The two values in words, or as iCalendar text if their words are equal.
    private func values(_ conflict: ConflictView) -> (kept: String, lost: String) {
        let kept = self.words(conflict.property, conflict.kept, conflict.keptReading)
        let lost = self.words(conflict.property, conflict.lost, conflict.lostReading)
        guard self.isRaw || kept == lost else { return (kept, lost) }
        return (self.quoted(conflict.kept), self.quoted(conflict.lost))
    }

    /// - Parameter reading: a reminder that contains the value, for fields that consist of several properties.
    private func words(_ property: String, _ value: String, _ reading: ReminderView?) -> String {
        if value.isEmpty { return "nothing" }
        let words: String? =
            switch property {
            case "STATUS": reading.map(self.state)
            case "DUE": reading.flatMap(self.dates)
            case "DESCRIPTION": reading?.notes.map(self.quoted)
            case "X-MOZ-SNOOZE-TIME": reading?.snoozedInstant.map { "until \(self.text.long($0))" }
            case "PRIORITY": Int(value).flatMap(self.priority)
            case "RRULE": Sanitizer.line(self.rule(reading) ?? RuleSentence(zone: self.text.zone).text(value))
            case "TRIGGER": self.trigger(value)
            default: CalendarDateOrDateTime(wire: value, tzid: nil).map { _ in self.day(value) }
            }
        return words ?? self.quoted(value)
    }

    private func rule(_ reading: ReminderView?) -> String? {
        reading.flatMap { RuleSentence(zone: self.text.zone).text($0) }
    }

    private func state(_ reading: ReminderView) -> String {
        let moment = reading.status == .completed ? reading.completedInstant : nil
        return reading.status.words + (moment.map { " \(self.text.long($0))" } ?? "")
    }

    private func dates(_ reading: ReminderView) -> String? {
        let start = reading.start.flatMap { $0 == reading.due ? nil : "starts \(self.moment($0))" }
        let dates = [self.text.due(reading), start].compactMap { $0 }
        return dates.isEmpty ? nil : dates.joined(separator: ", ")
    }

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
        case .absolute(let instant)?: return self.text.long(instant)
        case .relative(let duration, to: _)?:
            return duration == .zero ? "at its time" : DurationFormatter.signed(duration)
        case nil: return nil
        }
    }

    /// A DATE or DATE-TIME value in words, in the local zone.
    private func day(_ wire: String) -> String {
        switch CalendarDateOrDateTime(wire: wire, tzid: nil) {
        case .date(let date)?: self.text.long(date)
        case .dateTime(let time)? where time.zone == .utc:
            self.text.long(Instant(secondsSince1970: time.localSeconds))
        case .dateTime(let time)?: "\(self.text.long(time.date)), \(time.time.hoursAndMinutes)"
        case nil: self.quoted(wire)
        }
    }

    private func moment(_ text: String) -> String {
        RFC3339.parse(text).map { self.text.long($0.instant) } ?? Sanitizer.line(text)
    }

    private func quoted(_ text: String) -> String { text.isEmpty ? "nothing" : "'\(Sanitizer.line(text))'" }
}
