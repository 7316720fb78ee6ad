package import ICalendar
package import Recurrence

/// The time of day in which nothing rings, on the clock on the wall, over midnight when it ends before it begins.
package struct QuietHours: Hashable, Sendable {
    /// When it begins.
    package let from: ClockTime
    /// When it is over, so that an alarm of that moment rings; the same as ``from`` where it is never quiet.
    package let to: ClockTime

    package init(from: ClockTime, to: ClockTime) {
        self.from = from
        self.to = to
    }

    /// When it is over, if it is quiet at `now`; `nil` when it is not.
    ///
    /// A beginning or an end that the clock leaves out or shows twice is the moment that a reminder would have then.
    package func end(at now: Instant, zones: TimeZoneResolver) -> Instant? {
        guard self.from != self.to, let wall = zones.dateTime(of: now, in: .floating) else { return nil }
        // One that began yesterday may last until today; a clock can leave out a whole day, as Samoa's did.
        for day in (-2...1).map({ wall.date.adding(days: $0) }) {
            let last = self.from < self.to ? day : day.adding(days: 1)
            if let begins = zones.instant(of: day, at: self.from), let ends = zones.instant(of: last, at: self.to),
                begins <= now, now < ends
            {
                return ends
            }
        }
        return nil
    }
}
