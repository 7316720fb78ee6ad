public import ICalendar
public import Recurrence

/// Today, tomorrow and this week at one place and one instant.
///
/// A day ends with its last moment by the clock on the wall there, also where it has 23 or 25 hours. A week ends on Sunday
/// (ISO 8601).
public struct ListCalendar: Sendable {
    /// The moment.
    public let now: Instant
    /// The day that it is.
    public let today: CalendarDate
    private let zones: TimeZoneResolver
    private let tomorrow: Instant
    private let dayAfterTomorrow: Instant
    private let nextWeek: Instant

    /// - Parameter zones: its local zone is that of the place; an unknown one counts as UTC.
    public init(now: Instant, zones: TimeZoneResolver) {
        let utc = CalendarDateTime(localSeconds: now.secondsSince1970, zone: .utc)
        let today = (zones.dateTime(of: now, in: .floating) ?? utc).date
        self.now = now
        self.today = today
        self.zones = zones
        self.tomorrow = Self.beginning(of: today.adding(days: 1), zones)
        self.dayAfterTomorrow = Self.beginning(of: today.adding(days: 2), zones)
        self.nextWeek = Self.beginning(of: today.adding(days: 7 - today.weekday.days(after: .monday)), zones)
    }

    /// The first moment of a day.
    public func beginning(of day: CalendarDate) -> Instant { Self.beginning(of: day, self.zones) }

    private static func beginning(of day: CalendarDate, _ zones: TimeZoneResolver) -> Instant {
        let seconds = Int64(day.dayNumber) * Int64(ClockTime.secondsPerDay)
        return zones.instant(of: CalendarDateTime(localSeconds: seconds, zone: .floating))
            ?? Instant(secondsSince1970: seconds)
    }

    /// The group of a reminder.
    ///
    /// - Parameter effective: the end of its snooze, else when it is due, which of a whole day is its first moment; `nil`
    ///   when it has no date.
    public func group(of status: Status, effective: Instant?) -> ListGroup {
        if status.isClosed { return .completed }
        guard let effective else { return .undated }
        if effective < self.tomorrow { return .today }
        if effective < self.dayAfterTomorrow { return .tomorrow }
        return effective < self.nextWeek ? .thisWeek : .later
    }

    /// Whether a reminder is open and should have been seen to: now counts, and a whole day is overdue when it is over.
    ///
    /// - Parameters:
    ///   - due: when it is due.
    ///   - day: the day, of one that is due on a whole day.
    ///   - snoozedUntil: the end of its snooze, which counts instead.
    public func isOverdue(_ status: Status, due: Instant?, day: CalendarDate?, snoozedUntil: Instant?) -> Bool {
        if status.isClosed { return false }
        if let snoozedUntil { return snoozedUntil <= self.now }
        if let day { return day < self.today }
        return due.map { $0 <= self.now } ?? false
    }
}
