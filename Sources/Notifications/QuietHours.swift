package import RemindavICalendar
package import RemindavRecurrence
import RemindavReminders

/// The time of day without new notifications, in local time; it includes midnight if ``to`` is earlier than ``from``.
package struct QuietHours: Hashable, Sendable {
    package let from: ClockTime
    /// The end, which is not part of the quiet hours; if it equals ``from``, there are no quiet hours.
    package let to: ClockTime

    package init(from: ClockTime, to: ClockTime) {
        self.from = from
        self.to = to
    }

    // hours = time "-" time
    /// Parses hours such as `22:00-07:00`; `nil` for any other text.
    package init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map {
            ClockTime(hoursAndMinutes: String($0).trimmingWhiteSpace)
        }
        guard times.count == 2, let from = times[0], let to = times[1] else { return nil }
        self.init(from: from, to: to)
    }

    /// The form that ``init(_:)`` parses.
    package var text: String { "\(self.from.hoursAndMinutes)-\(self.to.hoursAndMinutes)" }

    /// Returns the end of the quiet hours that contain `now`; `nil` outside quiet hours.
    package func end(at now: Instant, zones: TimeZoneResolver) -> Instant? {
        guard self.from != self.to, let wall = zones.dateTime(of: now, in: .floating) else { return nil }
        // Quiet hours may have begun yesterday, or two days ago if the time zone skipped a day, as in Samoa.
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
