public import RemindavICalendar

/// The user's settings for alarm times.
public struct AlarmSettings: Hashable, Sendable {
    /// The local time of day at which alarms of all-day reminders fire.
    public var dayTime: ClockTime
    /// Whether a reminder without a VALARM fires when it is due.
    public var notifiesWhenDue: Bool

    /// Creates settings; by default, all-day reminders fire at nine, and reminders without a VALARM when due.
    public init(dayTime: ClockTime = Self.standardDayTime, notifiesWhenDue: Bool = true) {
        self.dayTime = dayTime
        self.notifiesWhenDue = notifiesWhenDue
    }

    /// Nine in the morning; RFC 5545 §3.8.6.3 reads a date as midnight, when an alarm would disturb users.
    public static let standardDayTime = ClockTime(secondsOfDay: 9 * 3600)
}
