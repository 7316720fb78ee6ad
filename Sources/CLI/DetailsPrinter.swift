import Bridge
import DatePhrases
import ICalendar
import Reminders

/// Prints one field per line; a field with several values has one line for each value.
struct DetailsPrinter: Sendable {
    let text: LocalText

    /// The maximum number of printed columns of a text property; `export` writes the whole text.
    private static let valueColumns = 60
    /// The maximum number of printed values of one field; `--json` prints more.
    private static let maximumValues = 20

    func details(_ details: ReminderDetails) -> StyledText {
        let reminder = details.reminder
        var result = StyledText(Sanitizer.title(reminder.title), .heading)
        for (name, values) in self.fields(details) {
            let values = values.filter { !$0.isEmpty }
            for (index, value) in values.prefix(Self.maximumValues).enumerated() {
                result += StyledText("\n  \(DisplayWidth.pad(index == 0 ? name : "", to: Self.nameColumns))", .quiet)
                result += StyledText(Sanitizer.line(value))
            }
            if values.count > Self.maximumValues {
                result += StyledText("\n  " + String(repeating: " ", count: Self.nameColumns))
                result += StyledText("and \(values.count - Self.maximumValues) more", .quiet)
            }
        }
        if let notes = reminder.notes {
            let lines = notes.split(separator: "\n", omittingEmptySubsequences: false)
            result += "\n"
            for line in lines { result += StyledText("\n  " + line.filter { $0 != "\r" }) }
        }
        return result
    }

    private static let nameColumns = 12

    private func fields(_ details: ReminderDetails) -> [(name: String, values: [String])] {
        let reminder = details.reminder
        let lines = ReminderField.lines.map { (name: $0.heading, values: [reminder.lines[$0.name] ?? ""]) }
        return self.dates(reminder) + lines + [
            ("Places", details.places.filter { !reminder.lines.values.contains($0) }),
            ("Position", [details.coordinates.map { "\($0.latitude), \($0.longitude)" } ?? ""]),
            ("Part of", details.parents.map(self.words)),
            ("Subtasks", details.subtasks.map(self.words)),
            ("Depends on", details.dependsOn.map(self.words)),
            ("Needed by", details.neededBy.map(self.words)),
            ("Related", details.related.map { "\($0.relation.lowercased()): \(self.words($0))" }),
            ("Alarms", details.alarms.map(self.words)),
            ("Attached", details.attachments.map(self.words)),
            ("Organizer", [details.organizer.map(self.words) ?? ""]),
            ("Attendees", details.attendees.map(self.words)),
            ("Other data", self.foreign(details)),
            ("Refused", [details.refusal.map { "\(self.text.long($0.at)): \($0.reason)" } ?? ""]),
            ("Created", [reminder.createdAt ?? ""]),
            ("Changed", [reminder.updatedAt ?? ""]),
            ("UID", [reminder.uid]),
        ]
    }

    private func dates(_ reminder: ReminderView) -> [(name: String, values: [String])] {
        // The due time in the reminder's time zone, which may differ from the local time zone.
        let ownZone = reminder.dueZone.flatMap { zone in
            reminder.due.map { "\($0.prefix(10)) \($0.dropFirst(11).prefix(5)) \(zone)" }
        }
        let snooze = reminder.isSnoozed ? reminder.snoozedInstant : nil
        return [
            ("Number", ["\(reminder.id)"]),
            ("List", [reminder.list]),
            ("Due", [self.text.due(reminder) ?? ""]),
            ("In zone", [ownZone ?? ""]),
            ("Start", [reminder.start ?? ""]),
            ("Snoozed", [snooze.map { "until " + self.text.long($0) } ?? ""]),
            ("Repeats", [reminder.repeatRule.map { RuleSentence(zone: self.text.zone).note($0) } ?? ""]),
            ("Priority", [reminder.priority == .undefined ? "" : reminder.priority.rawValue]),
            ("Labels", [reminder.labels.joined(separator: ", ")]),
            ("Status", [reminder.status.words + (reminder.overdue ? ", overdue" : "")]),
            ("Completed", [reminder.completedInstant.map { self.text.long($0) } ?? ""]),
        ]
    }

    /// The related reminder in words; its UID if it is not in the store.
    private func words(_ other: RelatedReminder) -> String {
        guard let id = other.id, let title = other.title, let status = other.status else {
            return "\(self.cut(other.uid)) (not in this store)"
        }
        let state = status == .pending ? "" : ", \(status.words)"
        return "\(id): \(DisplayWidth.fit(Sanitizer.title(title), into: Self.valueColumns))\(state)"
    }

    /// An alarm in words, such as `15 minutes before it is due, 3 times more every 5 minutes`.
    private func words(_ alarm: Alarm) -> String {
        var words: String
        switch alarm.trigger {
        case .absolute(let instant)?: words = self.text.long(instant)
        case .relative(let duration, let anchor)?:
            let event = anchor == .start ? "it starts" : "it is due"
            words = duration == .zero ? "when \(event)" : "\(DurationFormatter.signed(duration)) \(event)"
        case nil: words = alarm.isLocation ? "at a place" : "at no time"
        }
        if alarm.repeats > 0, let interval = alarm.interval {
            let times = alarm.repeats == 1 ? "once" : "\(alarm.repeats) times"
            words += ", \(times) more every \(DurationFormatter.text(interval))"
        }
        if alarm.action != "DISPLAY" { words += ", \(self.cut(alarm.action.lowercased()))" }
        if alarm.acknowledged != nil { words += ", acknowledged" }
        return words
    }

    private func words(_ attachment: Attachment) -> String {
        let place = attachment.address.map(self.cut) ?? "in the reminder itself"
        let type = attachment.type.map { "(\(self.cut($0)))" }
        return [attachment.fileName.map(self.cut), type, place].compactMap { $0 }.joined(separator: " ")
    }

    private func words(_ participant: Participant) -> String {
        let address = self.cut(participant.address)
        let name = participant.name.map { "\(self.cut($0)) <\(address)>" } ?? address
        return name + (participant.status.map { ", \(self.cut($0.lowercased()))" } ?? "")
    }

    private func foreign(_ details: ReminderDetails) -> [String] {
        let rest = details.foreignCount - details.foreign.count
        return details.foreign.map { "\(self.cut($0.name)): \(self.cut($0.value))" }
            + (rest > 0 ? ["and \(rest) more"] : [])
    }

    private func cut(_ text: String) -> String { DisplayWidth.fit(Sanitizer.line(text), into: Self.valueColumns) }
}
