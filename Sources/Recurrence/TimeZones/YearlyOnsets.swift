import RemindavICalendar

/// The onsets of a rule in the usual form of VTIMEZONEs: some days of some months, at one time of day.
///
/// Examples are `FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU`, `…;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU`, or only `FREQ=YEARLY`.
/// Each year of such a rule can be computed independently.
struct YearlyOnsets: Sendable {
    private let plan: RulePlan
    private let secondsOfDay: Int
    /// DTSTART in local seconds; ``last`` is in local seconds too.
    private let start: Int
    let firstYear: Int
    /// UNTIL; `nil` without UNTIL.
    let last: Int?
    /// The number of years in which the last onset is searched: 29 February is a Sunday at least once in 40 years.
    private static let maximumYearsBack = 41

    /// - Returns: `nil` for a rule in another form.
    init?(_ rule: RecurrenceRule, start: Int, last: Int?) {
        let day = start.flooredQuotient(by: ClockTime.secondsPerDay)
        let isMonthly = rule.frequency == .monthly && rule.interval == 1 && !rule.byMonth.isEmpty
        let isPlain = rule.byMonth.isEmpty && rule.byDay.isEmpty && rule.byMonthDay.isEmpty
        guard rule.frequency == .yearly || isMonthly, !rule.byMonth.isEmpty || isPlain,
            rule.uses(only: ["RSCALE", "BYMONTH", "BYMONTHDAY", "BYDAY"]),
            rule.byMonthDay.isEmpty || rule.byDay.allSatisfy({ $0.ordinal == nil })
        else { return nil }
        // A monthly rule with BYMONTH is the same as a yearly rule with these months.
        var yearly = rule
        yearly.frequency = .yearly
        self.plan = RulePlan(rule: yearly, start: start)
        self.secondsOfDay = start - day * ClockTime.secondsPerDay
        self.start = start
        self.firstYear = CalendarDate(dayNumber: day).year
        self.last = last
    }

    var mostInAYear: Int {
        // The weekdays repeat on the same dates after 28 years.
        (2000..<2028).reduce(0) { max($0, self.plan.days(of: $1).count) }
    }

    /// Calls `body` with the onsets of `year`, in local seconds, earliest first.
    func forEachOnset(in year: Int, _ body: (Int) -> Void) {
        guard year >= self.firstYear, (year - self.firstYear).isMultiple(of: self.plan.interval) else { return }
        var days = self.plan.days(of: year)
        while let day = days.popFirst() {
            let onset = day * ClockTime.secondsPerDay + self.secondsOfDay
            if onset >= self.start, onset <= self.last ?? .max { body(onset) }
        }
    }

    func onset(at local: Int) -> Int? {
        guard local >= self.start else { return nil }
        let year = ZoneClock.year(of: min(local, self.last ?? .max))
        var aligned = year - (year - self.firstYear) % self.plan.interval
        for _ in 0..<Self.maximumYearsBack where aligned >= self.firstYear {
            var latest = Int.min
            self.forEachOnset(in: aligned) { if $0 <= local { latest = max(latest, $0) } }
            if latest > .min { return latest }
            aligned -= self.plan.interval
        }
        return nil
    }
}
