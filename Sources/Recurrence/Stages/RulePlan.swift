import ICalendar

/// A rule made ready for one start: the parts sorted, and what the rule leaves open taken from the start
/// (RFC 5545 §3.3.10, "derived from the DTSTART").
///
/// All times are local seconds: seconds since 1970 on the start's own clock, as if it were UTC. Periods are numbered by
/// `unit`: the year, the month counted from year 0, the week, day, hour, minute or second counted from 1970.
struct RulePlan: Sendable {
    let rule: RecurrenceRule
    /// Local seconds.
    let start: Int
    let startDate: CalendarDate
    let filter: DayFilter
    /// The times of day of a period of a day or longer.
    let grid: TimeGrid
    private let hours: Set<Int>
    private let minutes: Set<Int>
    private let seconds: Set<Int>

    init(rule: RecurrenceRule, start: Int) {
        self.rule = rule
        self.start = start
        let startDay = start.flooredQuotient(by: ClockTime.secondsPerDay)
        self.startDate = CalendarDate(dayNumber: startDay)
        self.filter = DayFilter(rule)
        let time = ClockTime(secondsOfDay: start - startDay * ClockTime.secondsPerDay)
        // A leap second is shown by no clock here: 60 is 59.
        let seconds = Set(rule.bySecond.map { min($0, 59) })
        self.hours = Set(rule.byHour)
        self.minutes = Set(rule.byMinute)
        self.seconds = seconds
        self.grid = TimeGrid(
            hours: rule.byHour.isEmpty ? [time.hour] : Set(rule.byHour).sorted(),
            minutes: rule.byMinute.isEmpty ? [time.minute] : Set(rule.byMinute).sorted(),
            seconds: seconds.isEmpty ? [time.second] : seconds.sorted()
        )
    }
}

// Periods and their numbers.
extension RulePlan {
    /// The number of the period that holds `local`.
    func unit(at local: Int) -> Int {
        let day = local.flooredQuotient(by: ClockTime.secondsPerDay)
        switch self.rule.frequency {
        case .yearly:
            return self.rule.byWeekNumber.isEmpty
                ? CalendarDate(dayNumber: day).year
                : WeekYear(containing: day, weekStart: self.rule.weekStart).year
        case .monthly:
            let date = CalendarDate(dayNumber: day)
            return date.year * 12 + date.month - 1
        case .weekly:
            return (day - self.weekOrigin).flooredQuotient(by: 7)
        case .daily:
            return day
        case .hourly, .minutely, .secondly:
            return local.flooredQuotient(by: self.unitSeconds)
        }
    }

    /// A day number on which a week begins.
    private var weekOrigin: Int { WeekYear.weekStartDay(of: 0, self.rule.weekStart) }

    private var unitSeconds: Int {
        switch self.rule.frequency {
        case .hourly: 3600
        case .minutely: 60
        default: 1
        }
    }

    /// The local second with which the period `unit` begins; for a year of weeks a week before, at the most.
    func firstSecond(of unit: Int) -> Int {
        switch self.rule.frequency {
        case .yearly:
            CalendarDate.dayNumber(year: unit, month: 1, day: self.rule.byWeekNumber.isEmpty ? 1 : -6)
                * ClockTime.secondsPerDay
        case .monthly:
            CalendarDate.dayNumber(year: unit.flooredQuotient(by: 12), month: unit.flooredRemainder(by: 12) + 1, day: 1)
                * ClockTime.secondsPerDay
        case .weekly:
            (self.weekOrigin + unit * 7) * ClockTime.secondsPerDay
        case .daily:
            unit * ClockTime.secondsPerDay
        case .hourly, .minutely, .secondly:
            unit * self.unitSeconds
        }
    }

    /// The last period that INTERVAL reaches and that begins with or before the one of `local`; none before the
    /// start's.
    func alignedUnit(atOrBefore local: Int) -> Int {
        let first = self.unit(at: self.start)
        let distance = max(self.unit(at: local) - first, 0)
        return first + distance / self.rule.interval * self.rule.interval
    }

    /// The first period that INTERVAL reaches from `unit` on.
    func alignedUnit(atOrAfter unit: Int) -> Int {
        let first = self.unit(at: self.start)
        return first + max(unit - first, 0).ceiledQuotient(by: self.rule.interval) * self.rule.interval
    }

    /// Whether the calendar, which ends with the year 9999, has ended before the period `unit`.
    func isPastCalendar(_ unit: Int) -> Bool {
        // Far numbers are cut off first: the day of the year 2^31 is still a number, that of 2^62 is none.
        let end = (CalendarDate.lastDayNumber + 1) * ClockTime.secondsPerDay
        return unit > 400_000_000_000 || self.firstSecond(of: unit) >= end
    }
}

// What a period holds.
extension RulePlan {
    /// What looking at one period found.
    enum Finding {
        /// Its candidates; none when ``Period/count`` is 0.
        case period(Period)
        /// Nothing here, and nothing before this local second.
        case nothingBefore(Int)
    }

    /// Looks at the period `unit`.
    func look(at unit: Int) -> Finding {
        switch self.rule.frequency {
        case .yearly: return .period(self.period(of: self.daysOfYear(unit)))
        case .monthly:
            return .period(
                self.period(of: self.daysOfMonth(year: unit.flooredQuotient(by: 12), unit.flooredRemainder(by: 12) + 1))
            )
        case .weekly: return .period(self.period(of: self.daysOfWeek(self.weekOrigin + unit * 7)))
        case .daily:
            if let end = self.endOfRefusal(day: unit) { return .nothingBefore(end) }
            return .period(self.period(of: [unit]))
        case .hourly, .minutely, .secondly:
            return self.lookWithinDay(unit)
        }
    }

    private func period(of days: [Int]) -> Period {
        let range = CalendarDate.firstDayNumber...CalendarDate.lastDayNumber
        let isInside = days.first.map(range.contains) ?? true && days.last.map(range.contains) ?? true
        return Period(
            days: isInside ? days : days.filter(range.contains),
            grid: self.grid,
            positions: self.rule.bySetPosition
        )
    }

    /// `nil` when the parts allow `day`, else the local second before which no day is allowed.
    private func endOfRefusal(day: Int) -> Int? {
        let date = CalendarDate(dayNumber: day)
        if !self.filter.allows(month: date.month) {
            let length = CalendarDate.daysInMonth(date.month, year: date.year)
            return (day + length - date.day + 1) * ClockTime.secondsPerDay
        }
        guard self.filter.allowsDate(date), self.filter.allows(CalendarDate.weekday(dayNumber: day)) else {
            return (day + 1) * ClockTime.secondsPerDay
        }
        return nil
    }

    /// HOURLY, MINUTELY and SECONDLY: the parts of the unit's size and above limit, those below expand.
    private func lookWithinDay(_ unit: Int) -> Finding {
        let local = unit * self.unitSeconds
        let day = local.flooredQuotient(by: ClockTime.secondsPerDay)
        if let end = self.endOfRefusal(day: day) { return .nothingBefore(end) }
        let time = ClockTime(secondsOfDay: local - day * ClockTime.secondsPerDay)
        guard self.hours.isEmpty || self.hours.contains(time.hour) else {
            return .nothingBefore(local - time.secondsOfDay % 3600 + 3600)
        }
        var minutes = self.grid.minutes
        var seconds = self.grid.seconds
        if self.rule.frequency < .hourly {
            guard self.minutes.isEmpty || self.minutes.contains(time.minute) else {
                return .nothingBefore(local - time.second + 60)
            }
            minutes = [time.minute]
        }
        if self.rule.frequency < .minutely {
            guard self.seconds.isEmpty || self.seconds.contains(time.second) else {
                return .nothingBefore(self.nextSecond(after: time.second).map { local - time.second + $0 } ?? local + 1)
            }
            seconds = [time.second]
        }
        let grid = TimeGrid(hours: [time.hour], minutes: minutes, seconds: seconds)
        return .period(Period(days: [day], grid: grid, positions: self.rule.bySetPosition))
    }

    /// The next value of BYSECOND, 60 standing before the first of the next minute.
    private func nextSecond(after second: Int) -> Int? {
        self.grid.seconds.first { $0 > second } ?? self.grid.seconds.first.map { $0 + 60 }
    }
}
