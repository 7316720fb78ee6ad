public import ICalendar

/// The user's settings for alarm times.
public struct AlarmSettings: Hashable, Sendable {
    /// The local time of day at which alarms of all-day reminders fire.
    public var dayTime: ClockTime
    /// Whether a reminder without a VALARM fires when it is due.
    public var ringsWhenDue: Bool

    /// At nine on the day, and when it is due, unless something else is said.
    public init(dayTime: ClockTime = Self.standardDayTime, ringsWhenDue: Bool = true) {
        self.dayTime = dayTime
        self.ringsWhenDue = ringsWhenDue
    }

    /// Nine in the morning: midnight, which RFC 5545 §3.8.6.3 counts a whole day from, would wake people up.
    public static let standardDayTime = ClockTime(secondsOfDay: 9 * 3600)
}
