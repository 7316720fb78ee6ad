import RemindavDatePhrases
import RemindavReminders

/// The changed fields of a reminder in words.
package struct EditSummary {
    private let text: LocalText
    /// Prepares the text of a user or a server, for example by shortening it.
    private let cut: (String) -> String

    package init(text: LocalText, cut: @escaping (String) -> String = { $0 }) {
        self.text = text
        self.cut = cut
    }

    /// A line `title: Buy milk -> Buy groceries` for each changed field, in the order of ``ReminderField/all``.
    package func lines(from old: ReminderView, to new: ReminderView) -> [String] {
        ReminderField.settable.compactMap { field in
            if field.kind == .notes {
                guard old.notes != new.notes else { return nil }
                return "notes: \(old.notes == nil ? "added" : new.notes == nil ? "removed" : "changed")"
            }
            if field.kind == .parent, old.parent == new.parent { return nil }
            let (before, after) = (self.value(of: field, old), self.value(of: field, new))
            return before == after ? nil : "\(field.name): \(before ?? "none") -> \(after ?? "none")"
        }
    }

    private func value(of field: ReminderField, _ reminder: ReminderView) -> String? {
        switch field.kind {
        case .title: self.cut(reminder.title)
        case .line: reminder.lines[field.name].map(self.cut)
        case .due: self.text.due(reminder)
        case .start: reminder.start.map(self.text.long)
        case .dependencies:
            reminder.dependencyIDs.isEmpty ? nil : reminder.dependencyIDs.map(String.init).joined(separator: ", ")
        case .status: reminder.status.words
        case .parent: reminder.parentID.map { "\($0)" } ?? reminder.parent.map { _ in "not in this list" }
        case .rule: RuleSentence(zone: self.text.zone).text(reminder)
        case .alarms: self.alarms(reminder)
        case .priority: reminder.priority == .undefined ? nil : reminder.priority.rawValue
        case .labels: self.labels(reminder)
        case .list: self.cut(reminder.list)
        case .notes, .readOnly: nil
        }
    }

    /// The alarms as `15 minutes before, when due`; `nil` for a reminder without an alarm that an edit can change.
    private func alarms(_ reminder: ReminderView) -> String? {
        let words = reminder.alarmChoices.map(self.text.words)
        return words.isEmpty ? nil : self.cut(words.joined(separator: ", "))
    }

    private func labels(_ reminder: ReminderView) -> String? {
        reminder.labels.isEmpty ? nil : self.cut(reminder.labels.map { "#" + $0 }.joined(separator: " "))
    }
}
