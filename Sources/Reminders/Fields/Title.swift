import ICalendar

extension Reminder {
    /// The title, empty when there is none (SUMMARY, RFC 5545 §3.8.1.12).
    ///
    /// An occurrence that differs in something else may leave it to the series.
    public var title: String { (self.todo.first(.summary) ?? self.main.first(.summary))?.text ?? "" }
}
