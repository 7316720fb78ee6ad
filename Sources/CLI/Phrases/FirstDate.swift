import Bridge
import ICalendar
import Recurrence

extension RecurrenceRule {
    /// When something is first due that repeats by this rule, where nobody said when: the first date from `start` on that
    /// the rule names.
    ///
    /// The interval counts from that date, so that `every 2 weeks on mon` begins with the first Monday. A rule whose dates
    /// cannot be worked out begins at `start`.
    func firstDue(from start: DueChoice) -> DueChoice {
        let date: CalendarDate
        var time = ClockTime(secondsOfDay: 0)
        switch start {
        case .exact: return start
        // What repeats by the hour has no whole days.
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
