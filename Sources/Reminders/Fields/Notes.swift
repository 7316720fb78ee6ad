import ICalendar

extension Reminder {
    /// The notes, `nil` when there are none (DESCRIPTION, RFC 5545 §3.8.1.5).
    public var notes: String? {
        guard let text = self.todo.first(.description)?.text, !text.isEmpty else { return nil }
        return text
    }
}
