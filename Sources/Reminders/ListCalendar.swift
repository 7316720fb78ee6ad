package import RemindavICalendar
package import RemindavRecurrence

/// The dates today, tomorrow and this week in the local zone; a week ends on Sunday (ISO 8601).
package struct ListCalendar: Sendable {
    /// The present moment.
    package let now: Instant
    /// The local date at ``now``.
    package let today: CalendarDate
    private let zones: TimeZoneResolver
    private let tomorrow: Instant
    private let dayAfterTomorrow: Instant
    private let nextWeek: Instant

    /// - Parameter zones: provides the local zone; UTC is used if the local zone is unknown.
    package init(now: Instant, zones: TimeZoneResolver) {
        let today = Self.day(of: now, zones)
        self.now = now
        self.today = today
        self.zones = zones
        self.tomorrow = Self.beginning(of: today.adding(days: 1), zones)
        self.dayAfterTomorrow = Self.beginning(of: today.adding(days: 2), zones)
        self.nextWeek = Self.beginning(of: today.adding(days: 7 - today.weekday.days(after: .monday)), zones)
    }

    /// The first moment of a date in the local zone.
    package func beginning(of day: CalendarDate) -> Instant { Self.beginning(of: day, self.zones) }
    func day(of moment: Instant) -> CalendarDate { Self.day(of: moment, self.zones) }

    private static func day(of moment: Instant, _ zones: TimeZoneResolver) -> CalendarDate {
        (zones.dateTime(of: moment, in: .floating) ?? CalendarDateTime(utc: moment)).date
    }

    private static func beginning(of day: CalendarDate, _ zones: TimeZoneResolver) -> Instant {
        let seconds = Int64(day.dayNumber) * Int64(ClockTime.secondsPerDay)
        return zones.instant(of: CalendarDateTime(localSeconds: seconds, zone: .floating))
            ?? Instant(secondsSince1970: seconds)
    }

    /// The group in which a list shows a reminder.
    ///
    /// - Parameter effective: the result of ``effective(due:snoozedUntil:)``.
    package func group(of status: Status, effective: Instant?) -> ListGroup {
        if status.isClosed { return .completed }
        guard let effective else { return .undated }
        if effective < self.tomorrow { return .today }
        if effective < self.dayAfterTomorrow { return .tomorrow }
        return effective < self.nextWeek ? .thisWeek : .later
    }

    /// Whether a reminder is open and its due time has passed; a date has passed when the day is over.
    ///
    /// A reminder is not overdue while a snooze lasts. Without a due time, the end of the snooze counts instead.
    ///
    /// - Parameters:
    ///   - day: the due date of an all-day reminder; `nil` for any other reminder.
    ///   - snoozedUntil: the end of the snooze, which may have passed; `nil` without a snooze.
    package func isOverdue(_ status: Status, due: Instant?, day: CalendarDate?, snoozedUntil: Instant?) -> Bool {
        if status.isClosed || self.isSnoozed(until: snoozedUntil) { return false }
        if let day { return day < self.today }
        return (due ?? snoozedUntil).map { $0 <= self.now } ?? false
    }

    /// Whether a reminder need not be shown yet, because its work begins later.
    ///
    /// This is `false` for a reminder that needs attention before its start: one that is due today or earlier, in
    /// progress, or snoozed at any time. A start at or after the due time has no meaning.
    ///
    /// - Parameters:
    ///   - group: the result of ``group(of:effective:)``.
    ///   - start: the start, or the first moment of its date.
    ///   - due: the due time, or the first moment of the due date.
    ///   - snoozedUntil: the end of the last snooze.
    package func startsLater(
        _ status: Status,
        _ group: ListGroup,
        start: Instant?,
        due: Instant?,
        snoozedUntil: Instant?
    ) -> Bool {
        guard let start, start > self.now, status == .pending, group != .today, snoozedUntil == nil else {
            return false
        }
        return due.map { start < $0 } ?? true
    }

    /// Whether a snooze with this end still lasts; `false` for `nil`.
    package func isSnoozed(until end: Instant?) -> Bool { end.map { $0 > self.now } ?? false }

    /// The moment by which lists order a reminder: the end of a snooze that still lasts, or else the due time.
    ///
    /// `nil` without both. Without a due time, it is the end of the last snooze.
    ///
    /// - Parameter due: the due time, or the first moment of the due date.
    package func effective(due: Instant?, snoozedUntil: Instant?) -> Instant? {
        self.isSnoozed(until: snoozedUntil) ? snoozedUntil : due ?? snoozedUntil
    }
}
