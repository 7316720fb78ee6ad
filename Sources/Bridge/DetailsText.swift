import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

/// The fields of a reminder in words, also those that only other programs set.
package struct DetailsText {
    private let text: LocalText
    /// Prepares the text of a user or a server, for example by shortening it.
    private let cut: (String) -> String

    package init(_ text: LocalText, cut: @escaping (String) -> String = { $0 }) {
        self.text = text
        self.cut = cut
    }

    /// The fields in their order; a field without a value has an empty text or none.
    package func fields(_ details: ReminderDetails) -> [(name: String, values: [String])] {
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
        return "\(id): \(self.cut(title.isEmpty ? Reminder.untitled : title))\(state)"
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
}
