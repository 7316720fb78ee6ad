public import ICalendar

/// What a person has chosen about alarms.
public struct AlarmSettings: Hashable, Sendable {
    /// The time at which a whole day rings, by the clock on the wall.
    public var dayTime: ClockTime
    /// Whether a reminder without an alarm of its own rings when it is due.
    public var ringsWhenDue: Bool

    /// At nine on the day, and when it is due, unless something else is said.
    public init(dayTime: ClockTime = Self.standardDayTime, ringsWhenDue: Bool = true) {
        self.dayTime = dayTime
        self.ringsWhenDue = ringsWhenDue
    }

    /// Nine in the morning: midnight, which RFC 5545 §3.8.6.3 counts a whole day from, would wake people up.
    public static let standardDayTime = ClockTime(secondsOfDay: 9 * 3600)
}
