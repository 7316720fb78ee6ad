public import ICalendar

/// The user's settings for alarm times.
public struct AlarmSettings: Hashable, Sendable {
    /// The local time of day at which alarms of all-day reminders fire.
    public var dayTime: ClockTime
    /// Whether a reminder without a VALARM fires when it is due.
    public var notifiesWhenDue: Bool

    /// Alarms at nine on the day, and at the due time, by default.
    public init(dayTime: ClockTime = Self.standardDayTime, notifiesWhenDue: Bool = true) {
        self.dayTime = dayTime
        self.notifiesWhenDue = notifiesWhenDue
    }

    /// Nine in the morning: midnight, which RFC 5545 §3.8.6.3 uses for a whole day, would disturb users at night.
    public static let standardDayTime = ClockTime(secondsOfDay: 9 * 3600)
}
