package import Reminders

/// The pending alarm of a reminder, as a person or a script sees it.
package struct AlarmView: Hashable, Sendable {
    /// What rings, and when; its identifier begins with the reminder's number.
    package var alarm: ReminderAlarm
    /// The reminder's number.
    package var reminder: Int64
    /// The reminder's UID.
    package var uid: String
    /// The name of its list.
    package var list: String
    /// Whether it comes again.
    package var repeats: Bool
}
