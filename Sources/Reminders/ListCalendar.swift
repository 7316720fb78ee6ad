public import ICalendar
public import Recurrence

/// Today, tomorrow and this week at one place and one instant, by the wall clock; a week ends on Sunday (ISO 8601).
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
        let today = Self.day(of: now, zones)
        self.now = now
        self.today = today
        self.zones = zones
        self.tomorrow = Self.beginning(of: today.adding(days: 1), zones)
        self.dayAfterTomorrow = Self.beginning(of: today.adding(days: 2), zones)
        self.nextWeek = Self.beginning(of: today.adding(days: 7 - today.weekday.days(after: .monday)), zones)
    }

    /// The first moment of a day.
    public func beginning(of day: CalendarDate) -> Instant { Self.beginning(of: day, self.zones) }
    func day(of moment: Instant) -> CalendarDate { Self.day(of: moment, self.zones) }

    private static func day(of moment: Instant, _ zones: TimeZoneResolver) -> CalendarDate {
        (zones.dateTime(of: moment, in: .floating) ?? CalendarDateTime(utc: moment)).date
    }

    private static func beginning(of day: CalendarDate, _ zones: TimeZoneResolver) -> Instant {
        let seconds = Int64(day.dayNumber) * Int64(ClockTime.secondsPerDay)
        return zones.instant(of: CalendarDateTime(localSeconds: seconds, zone: .floating))
            ?? Instant(secondsSince1970: seconds)
    }

    /// The group of a reminder.
    ///
    /// - Parameter effective: the end of its snooze, else its due time, of a whole day its first moment; `nil` for no
    /// date.
    public func group(of status: Status, effective: Instant?) -> ListGroup {
        if status.isClosed { return .completed }
        guard let effective else { return .undated }
        if effective < self.tomorrow { return .today }
        if effective < self.dayAfterTomorrow { return .tomorrow }
        return effective < self.nextWeek ? .thisWeek : .later
    }

    /// Whether a reminder is open and was due until now; a whole day is overdue when it is over.
    ///
    /// - Parameters:
    ///   - day: the day, of one that is due on a whole day.
    ///   - snoozedUntil: the end of its snooze, which counts instead.
    public func isOverdue(_ status: Status, due: Instant?, day: CalendarDate?, snoozedUntil: Instant?) -> Bool {
        if status.isClosed { return false }
        if let snoozedUntil { return snoozedUntil <= self.now }
        if let day { return day < self.today }
        return due.map { $0 <= self.now } ?? false
    }
}
