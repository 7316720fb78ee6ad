import ICalendar

/// The onsets of a rule in the shape that the rules of VTIMEZONEs have: some days of some months, at one time of day.
///
/// `FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU`, `…;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU`, or no more than `FREQ=YEARLY`. Such a
/// rule is worked out for any year by itself, in a few nanoseconds.
struct YearlyOnsets: Sendable {
    private let months: [Int]
    private let monthDays: [Int]
    private let weekdays: [RecurrenceRule.WeekdayItem]
    private let interval: Int
    private let secondsOfDay: Int
    private let start: Int
    /// The year of the start.
    let firstYear: Int
    /// Local seconds that no onset passes: UNTIL.
    let last: Int?

    /// Years of the rule that are looked at, backwards, for the last onset before a moment: a 29 February that must be a
    /// Sunday is 40 years away at most.
    private static let maximumYearsBack = 41

    /// - Parameters:
    ///   - start: DTSTART, in local seconds.
    ///   - last: UNTIL, in local seconds.
    /// - Returns: `nil` for a rule of another shape.
    init?(_ rule: RecurrenceRule, start: Int, last: Int?) {
        let day = start.flooredQuotient(by: ClockTime.secondsPerDay)
        let date = CalendarDate(dayNumber: day)
        let isMonthly = rule.frequency == .monthly && rule.interval == 1 && !rule.byMonth.isEmpty
        let isPlain = rule.byMonth.isEmpty && rule.byDay.isEmpty && rule.byMonthDay.isEmpty
        guard rule.frequency == .yearly || isMonthly, !rule.byMonth.isEmpty || isPlain,
            rule.byWeekNumber.isEmpty, rule.byYearDay.isEmpty, rule.bySetPosition.isEmpty,
            rule.byHour.isEmpty, rule.byMinute.isEmpty, rule.bySecond.isEmpty, rule.unknownParts.isEmpty,
            rule.byMonthDay.isEmpty || rule.byDay.allSatisfy({ $0.ordinal == nil })
        else { return nil }
        self.months = isPlain ? [date.month] : Set(rule.byMonth).sorted()
        self.monthDays = rule.byMonthDay.isEmpty && rule.byDay.isEmpty ? [date.day] : rule.byMonthDay
        self.weekdays = rule.byDay
        self.interval = rule.interval
        self.secondsOfDay = start - day * ClockTime.secondsPerDay
        self.start = start
        self.firstYear = date.year
        self.last = last
    }

    /// About how many onsets a year has, at the most.
    var mostInAYear: Int {
        let weekdays = self.weekdays.reduce(0) { $0 + ($1.ordinal == nil ? 5 : 1) }
        let days = self.monthDays.count
        if self.weekdays.isEmpty { return self.months.count * days }
        return self.months.count * (self.monthDays.isEmpty ? weekdays : (days + 6) / 7 * self.weekdays.count)
    }

    /// The onsets of `year` from the start on and up to the limit, in local seconds, in no order.
    func onsets(in year: Int) -> [Int] {
        var found: [Int] = []
        self.forEachOnset(in: year) { found.append($0) }
        return found
    }

    /// Calls `body` with each of ``onsets(in:)``.
    func forEachOnset(in year: Int, _ body: (Int) -> Void) {
        guard year >= self.firstYear, self.interval == 1 || (year - self.firstYear).isMultiple(of: self.interval) else {
            return
        }
        for month in self.months {
            self.forEachDay(of: month, year) { day in
                let onset = day * ClockTime.secondsPerDay + self.secondsOfDay
                if onset >= self.start, onset <= self.last ?? .max { body(onset) }
            }
        }
    }

    private func forEachDay(of month: Int, _ year: Int, _ body: (Int) -> Void) {
        let first = CalendarDate.dayNumber(year: year, month: month, day: 1)
        let length = CalendarDate.daysInMonth(month, year: year)
        let weekday = CalendarDate.weekday(dayNumber: first)
        for item in self.weekdays where self.monthDays.isEmpty {
            let offset = item.weekday.days(after: weekday)
            let count = (length - offset + 6) / 7
            if let ordinal = item.ordinal {
                let week = ordinal < 0 ? count + ordinal : ordinal - 1
                if (0..<count).contains(week) { body(first + offset + week * 7) }
            } else {
                for week in 0..<count { body(first + offset + week * 7) }
            }
        }
        for number in self.monthDays {
            let day = number < 0 ? length + number : number - 1
            guard (0..<length).contains(day) else { continue }
            let name = CalendarDate.weekday(dayNumber: first + day)
            if self.weekdays.isEmpty || self.weekdays.contains(where: { $0.weekday == name }) { body(first + day) }
        }
    }

    /// The last onset that is not after the local second `local`.
    func onset(at local: Int) -> Int? {
        guard local >= self.start else { return nil }
        let year = ZoneClock.year(of: min(local, self.last ?? .max))
        var aligned = year - (year - self.firstYear) % self.interval
        for _ in 0..<Self.maximumYearsBack where aligned >= self.firstYear {
            var latest = Int.min
            self.forEachOnset(in: aligned) { if $0 <= local { latest = max(latest, $0) } }
            if latest > .min { return latest }
            aligned -= self.interval
        }
        return nil
    }
}
