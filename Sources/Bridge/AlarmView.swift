public import Reminders

/// The pending alarm of a reminder, as a person or a script sees it.
public struct AlarmView: Hashable, Sendable {
    /// What rings, and when; its identifier begins with the reminder's number.
    public var alarm: ReminderAlarm
    /// The reminder's number.
    public var reminder: Int64
    /// The reminder's UID.
    public var uid: String
    /// The name of its list.
    public var list: String
    /// Whether it comes again.
    public var repeats: Bool
}
