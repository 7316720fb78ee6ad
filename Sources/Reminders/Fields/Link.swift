import ICalendar

extension Reminder {
    /// An address with more about it; `nil` when there is none (URL, RFC 5545 §3.8.4.6).
    public var link: String? { (self.todo.first(.url) ?? self.main.first(.url))?.value.nonBlank }
}
