package import ICalendar
import Recurrence
package import Reminders

extension RecurrenceRule {
    /// The first due time of a repeating reminder without a due time: the first date of the rule from `start` on.
    ///
    /// The interval counts from that date, so that `every 2 weeks on mon` begins with the first Monday. A rule without
    /// computable dates begins at `start`.
    package func firstDue(from start: DueChoice) -> DueChoice {
        let date: CalendarDate
        var time = ClockTime(secondsOfDay: 0)
        switch start {
        case .exact: return start
        // An hourly rule has no whole days.
        case .date where self.frequency < .daily || !self.byHour.isEmpty: return start
        case .date(let day): date = day
        case .local(let day, let clock): (date, time) = (day, clock)
        }
        var rule = self
        rule.interval = 1
        rule.count = nil
        rule.until = nil
        let moment = CalendarDateOrDateTime.dateTime(CalendarDateTime(date: date, time: time, zone: .floating))
        let zones = TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: nil, local: "UTC")
        let dates = try? RecurrenceSet(start: moment, rules: [rule], resolver: zones).first(1)
        guard case .dateTime(let first)? = dates?.first else { return start }
        if case .date = start { return .date(first.date) }
        return .local(first.date, first.time)
    }
}
