package import ICalendar
package import Recurrence

/// The time of day without notifications, in local time; it passes midnight if it ends before it begins.
package struct QuietHours: Hashable, Sendable {
    package let from: ClockTime
    /// An alarm at this moment fires; equal to ``from`` without quiet hours.
    package let to: ClockTime

    package init(from: ClockTime, to: ClockTime) {
        self.from = from
        self.to = to
    }

    /// The end of the quiet hours that contain `now`; `nil` outside quiet hours.
    package func end(at now: Instant, zones: TimeZoneResolver) -> Instant? {
        guard self.from != self.to, let wall = zones.dateTime(of: now, in: .floating) else { return nil }
        // Quiet hours that began yesterday may last until today. A zone can skip a whole day, like Samoa's.
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
