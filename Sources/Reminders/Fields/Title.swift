import ICalendar

extension Reminder {
    /// The title, empty when there is none (SUMMARY, RFC 5545 §3.8.1.12).
    public var title: String { self.todo.first(.summary)?.text ?? "" }
}
