import RemindavICalendar

/// The parts of a rule; missing parts are taken from the start.
///
/// RFC 5545 §3.3.10 says only that they are "derived from the Start Time". RFC 8984 §4.3.3.1 states which part is taken
/// from the start, and this code implements it.
extension RulePlan {
    /// - Parameter calendar: the parts that count in another calendar.
    mutating func addDays(of rule: RecurrenceRule, startDay: Int, calendar: CalendarParts?) {
        self.filter.months = rule.byMonth.isEmpty ? DayFilter.everyMonth : 0
        for month in rule.byMonth { self.filter.months |= 1 << UInt16(month & 15) & DayFilter.everyMonth }
        for day in rule.byMonthDay { self.add(monthDay: day) }
        // Numbers in BYDAY are valid only in monthly and yearly rules, and not together with BYWEEKNO.
        let countsDays = self.frequency >= .monthly && !(self.frequency == .yearly && !rule.byWeekNumber.isEmpty)
        let countsInYear = countsDays && self.frequency == .yearly && rule.byMonth.isEmpty
        var ordinalsInYear = false
        for item in rule.byDay {
            guard let ordinal = item.ordinal, countsDays else {
                self.weekdays |= 1 << UInt8(item.weekday.rawValue)
                continue
            }
            if countsInYear { ordinalsInYear = true } else { self.add(ordinal, item.weekday) }
        }
        self.hasWeekdays = !rule.byDay.isEmpty
        self.filter.rare = RareParts(rule, ordinalsInYear: ordinalsInYear, calendar: calendar)
        self.addMissing(rule, startDay: startDay)
        if self.frequency <= .weekly || !countsDays, self.hasWeekdays {
            self.filter.weekdays = self.weekdays
            self.hasWeekdays = false
        }
        if self.frequency >= .monthly, rule.byWeekNumber.isEmpty,
            self.filter.hasMonthDays || (self.frequency == .yearly && !rule.byYearDay.isEmpty)
        {
            self.skip = rule.skip
        }
    }

    private mutating func add(monthDay day: Int) {
        switch day {
        case 1...31: self.filter.monthDays |= 1 << UInt64(day - 1)
        case -31 ... -1: self.filter.monthDaysFromEnd |= 1 << UInt64(31 + day)
        default: break
        }
    }

    private mutating func add(_ ordinal: Int, _ weekday: Weekday) {
        guard abs(ordinal) <= 5, ordinal != 0 else { return }
        let bit: UInt64 = 1 << UInt64((abs(ordinal) - 1) * 7 + weekday.rawValue)
        if ordinal > 0 { self.ordinals |= bit } else { self.ordinalsFromEnd |= bit }
    }

    private mutating func addMissing(_ rule: RecurrenceRule, startDay: Int) {
        let isByDate = !rule.byMonthDay.isEmpty
        let isByYear = !rule.byYearDay.isEmpty || !rule.byWeekNumber.isEmpty
        let startWeekday: UInt8 = 1 << UInt8(Month.weekday(of: startDay))
        switch rule.frequency {
        case .weekly where !self.hasWeekdays && !isByDate && !isByYear:
            self.weekdays = startWeekday
            self.hasWeekdays = true
        case .monthly where !self.hasWeekdays && !isByDate && !isByYear:
            self.add(monthDay: DateParts(dayNumber: startDay).day)
        case .yearly where !isByYear:
            let start = DateParts(dayNumber: startDay)
            if rule.byMonth.isEmpty, isByDate || !self.hasWeekdays { self.filter.months = 1 << UInt16(start.month) }
            if !isByDate, !self.hasWeekdays { self.add(monthDay: start.day) }
        case .yearly where rule.byYearDay.isEmpty && !self.hasWeekdays && !isByDate:
            self.weekdays = startWeekday
            self.hasWeekdays = true
        default: break
        }
    }

    /// - Parameter startTime: seconds after midnight.
    mutating func addTimes(of rule: RecurrenceRule, startTime time: Int) {
        func mask(_ list: [Int], _ last: Int) -> UInt64 { list.reduce(0) { $0 | 1 << UInt64(min($1, last) & 63) } }
        let hours = UInt32(truncatingIfNeeded: mask(rule.byHour, 23))
        let minutes = mask(rule.byMinute, 59)
        // Local seconds do not include leap seconds, so 60 is read as 59 (RFC 5545 §3.3.12).
        let seconds = mask(rule.bySecond, 59)
        // A part for the unit of FREQ or a longer unit limits the periods. A part for a shorter unit expands them.
        if hours != 0 { self.hours = hours }
        if minutes != 0 { self.minutes = minutes }
        if seconds != 0 { self.seconds = seconds }
        self.grid = TimeGrid(
            hours: self.frequency <= .hourly ? 1 : hours == 0 ? 1 << UInt32(time / 3600) : hours,
            minutes: self.frequency <= .minutely ? 1 : minutes == 0 ? 1 << UInt64(time / 60 % 60) : minutes,
            seconds: self.frequency == .secondly ? 1 : seconds == 0 ? 1 << UInt64(time % 60) : seconds
        )
        if self.frequency <= .daily, !rule.bySetPosition.isEmpty { self.grid.choose(rule.bySetPosition) }
    }
}

/// The end of a rule by UNTIL, as a test of local seconds (RFC 5545 §3.3.10).
struct RuleLimit: Sendable {
    /// A time in seconds that is longer than any clock change.
    static let vagueSeconds = 2 * ClockTime.secondsPerDay
    /// The last allowed local second; it is approximate if ``isExact`` exists.
    let local: Int
    /// An exact test for seconds near ``local``, where a clock change may reverse the order of local times.
    let isExact: (@Sendable (Int) -> Bool)?

    func allows(_ candidate: Int) -> Bool {
        guard let isExact = self.isExact, abs(candidate - self.local) <= Self.vagueSeconds else {
            return candidate <= self.local
        }
        return isExact(candidate)
    }
}

extension RecurrenceRule {
    /// The rule without the parts that count months and days, which ``CalendarParts`` has.
    var withoutCalendarParts: RecurrenceRule {
        var rule = self
        (rule.byMonth, rule.byLeapMonth, rule.byMonthDay, rule.byYearDay) = ([], [], [], [])
        if self.frequency >= .monthly {
            rule.byDay = []
        } else if self.frequency == .weekly, rule.byDay.isEmpty, !(self.byMonthDay.isEmpty && self.byYearDay.isEmpty) {
            // The weekday of the start is not a missing part.
            rule.byDay = Weekday.allCases.map { WeekdayItem(weekday: $0) }
        }
        return rule
    }

    /// The rule for a series of all-day occurrences.
    ///
    /// BYHOUR, BYMINUTE and BYSECOND "MUST be ignored" in such a series (RFC 5545 §3.3.10). A FREQ below DAILY selects
    /// each day with a matching time once. If INTERVAL is at most one day, this is every day.
    var onDays: RecurrenceRule {
        let isShort = self.frequency < .daily
        guard isShort || !(self.byHour.isEmpty && self.byMinute.isEmpty && self.bySecond.isEmpty) else { return self }
        var rule = self
        (rule.byHour, rule.byMinute, rule.bySecond) = ([], [], [])
        let unit = [.hourly: 3600, .minutely: 60][self.frequency] ?? 1
        guard isShort, self.interval <= ClockTime.secondsPerDay / unit else { return rule }
        rule.frequency = .daily
        rule.interval = 1
        return rule
    }
}
