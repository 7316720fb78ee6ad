import Reminders

extension Sanitizer {
    /// A title on one line, with words where there is none.
    static func title(_ title: String) -> String {
        let line = self.line(title)
        return line.isEmpty ? Reminder.untitled : line
    }
}
