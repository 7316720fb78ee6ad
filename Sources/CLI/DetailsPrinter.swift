import Bridge
import DatePhrases
import ICalendar
import Reminders

/// Prints one field per line; a field with several values has one line for each value.
struct DetailsPrinter: Sendable {
    let text: LocalText
    /// The width of the terminal; without one, no line is broken.
    var columns = Int.max

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
                result += StyledText("\n  \(DisplayWidth.pad(index == 0 ? name : "", to: Self.nameColumns))")
                result += self.broken(Sanitizer.line(value))
            }
            if values.count > Self.maximumValues {
                result += StyledText("\n  " + String(repeating: " ", count: Self.nameColumns))
                result += StyledText("and \(values.count - Self.maximumValues) more")
            }
        }
        if let notes = reminder.notes {
            let lines = notes.split(separator: "\n", omittingEmptySubsequences: false)
            result += "\n"
            for line in lines {
                result += "\n"
                result += StyledText("  " + line.filter { $0 != "\r" }).wrapped(into: self.columns, indent: 0)
            }
        }
        return result
    }

    /// A value, broken between words, with the other lines below the first.
    private func broken(_ value: String) -> StyledText {
        let room = max(self.columns - Self.nameColumns - 2, Self.minimumValueColumns)
        let lines = StyledText(value).wrapped(into: room, indent: 0).rendered(inColor: false)
        return StyledText(lines.replacing("\n", with: "\n" + String(repeating: " ", count: Self.nameColumns + 2)))
    }

    /// The width of values on a very narrow terminal.
    private static let minimumValueColumns = 12

    private static let nameColumns = 12

    private func fields(_ details: ReminderDetails) -> [(name: String, values: [String])] {
        let reminder = details.reminder
        let lines = ReminderField.lines.map { (name: $0.heading, values: [reminder.lines[$0.name] ?? ""]) }
        var fields = self.dates(reminder) + lines
        fields += self.relations(details)
        for other in details.others {
            let heading = other.name.prefix(1).uppercased() + other.name.dropFirst()
            fields.append((heading, other.values.map(self.cut)))
        }
        return fields + [
            ("Other data", self.foreign(details)),
            ("Refused", [details.refusal.map { "\(self.text.long($0.at)): \($0.reason)" } ?? ""]),
            ("Created", [reminder.createdAt.map { self.text.long($0) } ?? ""]),
            ("Changed", [reminder.updatedAt.map { self.text.long($0) } ?? ""]),
            ("UID", [reminder.uid]),
        ]
    }

    private func relations(_ details: ReminderDetails) -> [(name: String, values: [String])] {
        [
            ("Places", details.places.filter { !details.reminder.lines.values.contains($0) }),
            ("Position", [details.coordinates.map { "\($0.latitude), \($0.longitude)" } ?? ""]),
            ("Part of", details.parents.map(self.words)),
            ("Subtasks", details.subtasks.map(self.words)),
            ("Depends on", details.dependsOn.map(self.words)),
            ("Needed by", details.neededBy.map(self.words)),
            ("Related", details.related.map { "\($0.relation.lowercased()): \(self.words($0))" }),
            ("Alarms", details.alarms.map(self.words)),
            ("Next alarm", [details.nextAlarm.map { self.text.long($0) } ?? ""]),
            ("Attached", details.attachments.map(self.words)),
            ("Organizer", [details.organizer.map(self.words) ?? ""]),
            ("Attendees", details.attendees.map(self.words)),
        ]
    }

    private func dates(_ reminder: ReminderView) -> [(name: String, values: [String])] {
        let snooze = reminder.isSnoozed ? reminder.snoozedInstant : nil
        return [
            ("Number", ["\(reminder.id)"]),
            ("List", [reminder.list]),
            ("Due", [self.text.due(reminder) ?? ""]),
            ("In zone", [self.text.dueInOwnZone(reminder) ?? ""]),
            ("Start", [reminder.start.map { self.text.long($0) } ?? ""]),
            ("Snoozed", [snooze.map { "until " + self.text.long($0) } ?? ""]),
            ("Repeats", [self.rule(reminder) ?? ""]),
            ("Replaces", [reminder.replacedDate.map { "\(self.text.long($0)); only this date was changed" } ?? ""]),
            ("Priority", [reminder.priority == .undefined ? "" : reminder.priority.rawValue]),
            ("Labels", [reminder.labels.joined(separator: ", ")]),
            ("Status", [reminder.status.words + (reminder.overdue ? ", overdue" : "")]),
            ("Completed", [reminder.completedInstant.map { self.text.long($0) } ?? ""]),
        ]
    }

    private func rule(_ reminder: ReminderView) -> String? {
        reminder.repeatRule.map {
            RuleSentence(zone: self.text.zone).note($0, fromCompletion: reminder.repeatsFromCompletion)
        }
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
    private func words(_ detailed: DetailedAlarm) -> String {
        let alarm = detailed.alarm
        var words = alarm.trigger.map(self.text.words) ?? (alarm.isLocation ? "at a place" : "at no time")
        if case .relative? = alarm.trigger, let fires = detailed.fires { words += ": \(self.text.short(fires))" }
        if alarm.repeats > 0, let interval = alarm.interval {
            let times = alarm.repeats == 1 ? "once" : "\(alarm.repeats) times"
            words += ", \(times) more every \(DurationFormatter.text(interval))"
        }
        if alarm.action != "DISPLAY" { words += ", \(self.cut(alarm.action.lowercased()))" }
        // A snooze acknowledges the alarms up to its time only, so a later alarm still fires.
        if let acknowledged = alarm.acknowledged, detailed.fires.map({ $0 <= acknowledged }) ?? true {
            words += ", acknowledged"
        }
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
