import Bridge
import ICalendar

/// What an edit has changed, a line for each field.
struct EditSummary {
    let text: LocalText

    /// Columns of a title or a list of labels that is shown; `show` has all of it.
    private static let valueColumns = 60

    /// `title: Buy milk -> Buy groceries`, in the order of the options of `edit`; none where nothing is another.
    func lines(from old: ReminderView, to new: ReminderView) -> [String] {
        var lines: [String] = []
        func add(_ field: String, _ before: String?, _ after: String?) {
            guard before != after else { return }
            lines.append("\(field): \(before ?? "none") -> \(after ?? "none")")
        }
        add("title", self.cut(old.title), self.cut(new.title))
        if old.notes != new.notes {
            lines.append("notes: \(old.notes == nil ? "added" : new.notes == nil ? "taken away" : "changed")")
        }
        add("due", self.text.due(old), self.text.due(new))
        let rule = RuleSentence(zone: self.text.zone)
        add("alarms", self.alarms(old), self.alarms(new))
        add("repeats", old.repeatRule.map(rule.text), new.repeatRule.map(rule.text))
        add("labels", self.labels(old), self.labels(new))
        add("priority", self.priority(old), self.priority(new))
        add("list", self.cut(old.list), self.cut(new.list))
        return lines
    }

    /// `15 minutes before, when due`; `nil` for no alarm.
    private func alarms(_ reminder: ReminderView) -> String? {
        reminder.alarms.isEmpty ? nil : self.cut(reminder.alarms.map(self.alarm).joined(separator: ", "))
    }

    /// The words for a trigger as ``ReminderView/alarms`` has it; the text itself where it has another form.
    private func alarm(_ trigger: String) -> String {
        if let moment = RFC3339.parse(trigger) { return self.text.short(moment.instant) }
        guard let duration = CalendarDuration(wire: trigger) else { return trigger }
        if duration == .zero { return "when due" }
        return "\(DurationFormatter.text(duration)) \(duration.isNegative ? "before" : "after")"
    }

    private func labels(_ reminder: ReminderView) -> String? {
        reminder.labels.isEmpty ? nil : self.cut(reminder.labels.map { "#" + $0 }.joined(separator: " "))
    }

    private func priority(_ reminder: ReminderView) -> String? {
        reminder.priority == .undefined ? nil : reminder.priority.rawValue
    }

    private func cut(_ text: String) -> String { DisplayWidth.fit(Sanitizer.line(text), into: Self.valueColumns) }
}
