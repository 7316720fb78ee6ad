package import RemindavICalendar
package import RemindavRecurrence

/// A length by which a due time moves from its present value: later, or earlier if it is negative.
package enum DueShift: Hashable, Sendable {
    /// A month without the day of the month gives its last day.
    case months(Int)
    case days(Int)
    /// Elapsed time, also across a change of daylight saving time.
    case seconds(Int)

    /// The moved due time, in the zone of the former one; `nil` for elapsed time from a date, or if the zone is unknown.
    package func applied(to due: CalendarDateOrDateTime, zones: TimeZoneResolver) -> CalendarDateOrDateTime? {
        switch (self, due) {
        case (.months(let months), .date(let date)): return .date(date.adding(months: months))
        case (.days(let days), .date(let date)): return .date(date.adding(days: days))
        case (.seconds, .date): return nil
        case (.months(let months), .dateTime(let time)): return time.on(time.date.adding(months: months))
        case (.days(let days), .dateTime(let time)): return time.on(time.date.adding(days: days))
        case (.seconds(let seconds), .dateTime(let time)):
            let moved = zones.instant(of: time)?.adding(seconds: seconds)
            return moved.flatMap { zones.dateTime(of: $0, in: time.zone) }.map { .dateTime($0) }
        }
    }
}

extension CalendarDateTime {
    fileprivate func on(_ date: CalendarDate) -> CalendarDateOrDateTime {
        .dateTime(CalendarDateTime(date: date, time: self.time, zone: self.zone))
    }
}
