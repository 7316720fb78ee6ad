import RemindavICalendar

/// A rule prepared for one start: its parts as bit masks; missing parts are taken from the start (RFC 5545 §3.3.10).
///
/// All times are local seconds: the seconds since 1970 of a local time in the start's time zone, as if it were UTC.
/// Periods have a number, `unit`: the year, the month since year 0, the week, day, hour, minute or second since 1970.
struct RulePlan: Sendable {
    let frequency: RecurrenceRule.Frequency
    let interval: Int
    let count: Int?
    /// SKIP, if it can move a day: in monthly and yearly rules with BYMONTHDAY or BYYEARDAY.
    var skip = RecurrenceRule.Skip.omit
    /// The start in local seconds.
    let start: Int
    private(set) var firstUnit = 0
    /// The tests of single days; in monthly and yearly rules, BYDAY is evaluated separately.
    var filter = DayFilter()
    /// BYDAY without numbers in monthly and yearly rules; bit 0 stands for Sunday.
    var weekdays: UInt8 = 0
    /// BYDAY with numbers in a month: bit 7 * (n - 1) + weekday for the number n; ``ordinalsFromEnd`` for -n.
    var ordinals: UInt64 = 0
    var ordinalsFromEnd: UInt64 = 0
    var hasWeekdays = false
    /// The times in each day, or in each period of an hourly, minutely or secondly rule.
    var grid = TimeGrid(hours: 1, minutes: 1, seconds: 1)
    /// The hours, minutes and seconds that match in an hourly, minutely or secondly rule; bit n stands for n.
    var hours: UInt32 = 0xFF_FFFF
    var minutes: UInt64 = 0xFFF_FFFF_FFFF_FFFF
    var seconds: UInt64 = 0xFFF_FFFF_FFFF_FFFF
    /// Whether the days of a period are a ``DaySet``.
    let hasDaySets: Bool
    /// A day number on which a week begins.
    let weekOrigin: Int
    /// Whether each period of a yearly rule consists of whole weeks.
    let isWeekYear: Bool
    /// The positions of BYSETPOS; empty for a rule with periods of a day or less.
    var positions: [Int] { self.frequency >= .weekly ? self.filter.rare?.positions ?? [] : [] }
    /// The days of a monthly or yearly rule in another calendar than the Gregorian one, where they replace ``filter``.
    var calendar: CalendarParts? { self.hasDaySets || self.frequency < .monthly ? nil : self.filter.rare?.calendar }
    /// Whether BYSETPOS selects among several times a day, so that the selected times must be listed.
    var isListed: Bool { self.grid.count > 1 && !self.positions.isEmpty }

    /// - Parameter calendar: the calendar of the rule; `nil` for the Gregorian one.
    init(rule: RecurrenceRule, start: Int, calendar: CalendarSystem) throws(RecurrenceError) {
        let day = start.flooredQuotient(by: ClockTime.secondsPerDay)
        let parts = try CalendarParts(rule, startDay: day, system: calendar)
        self.init(rule: rule.withoutCalendarParts, start: start, calendar: parts)
    }

    init(rule: RecurrenceRule, start: Int, calendar: CalendarParts? = nil) {
        let startDay = start.flooredQuotient(by: ClockTime.secondsPerDay)
        let frequency = rule.frequency
        self.frequency = frequency
        self.interval = min(max(rule.interval, 1), 1 << 40)
        self.count = rule.count
        self.start = start
        self.weekOrigin = WeekYear.weekStartDay(of: 0, rule.weekStart.rawValue)
        self.isWeekYear = frequency == .yearly && !rule.byWeekNumber.isEmpty && rule.byYearDay.isEmpty
        self.hasDaySets = frequency != .daily && (calendar == nil || frequency < .monthly)
        self.addDays(of: rule, startDay: startDay, calendar: calendar)
        if let calendar = self.calendar { self.skip = calendar.skip }
        self.addTimes(of: rule, startTime: start - startDay * ClockTime.secondsPerDay)
        self.firstUnit = self.unit(at: start)
    }
}

// Periods and their numbers.
extension RulePlan {
    func unit(at local: Int) -> Int {
        let day = local.flooredQuotient(by: ClockTime.secondsPerDay)
        switch self.frequency {
        case .yearly:
            return self.isWeekYear
                ? WeekYear(containing: day, weekStart: self.weekStart).year : DateParts(dayNumber: day).year
        case .monthly:
            let date = DateParts(dayNumber: day)
            return date.year * 12 + date.month - 1
        case .weekly: return (day - self.weekOrigin).flooredQuotient(by: 7)
        case .daily: return day
        case .hourly, .minutely, .secondly: return local.flooredQuotient(by: self.unitSeconds)
        }
    }

    /// The first day of the week; 0 is Sunday.
    var weekStart: Int { Month.weekday(of: self.weekOrigin) }

    var unitSeconds: Int {
        switch self.frequency {
        case .hourly: 3600
        case .minutely: 60
        case .secondly: 1
        default: ClockTime.secondsPerDay
        }
    }

    /// A day number that is at most a week after the first day of the period `unit`; it may be before that day.
    func firstDay(of unit: Int) -> Int {
        switch self.frequency {
        // The number is limited: the first day of the year 2^31 fits into an Int, but not that of the year 2^62.
        case .yearly: Month.firstDay(of: min(unit, Self.lastYear))
        case .monthly: Month.firstDay(of: min(unit / 12, Self.lastYear)) + unit % 12 * 28
        case .weekly: self.weekOrigin + min(unit, Self.lastYear * 53) * 7
        default: unit
        }
    }

    private static let lastYear = 20_000

    /// The last period at or before `local` that INTERVAL reaches; not before the first period.
    func alignedUnit(atOrBefore local: Int) -> Int {
        let distance = max(self.unit(at: local) - self.firstUnit, 0)
        return self.firstUnit + (self.interval == 1 ? distance : distance / self.interval * self.interval)
    }

    /// The first period from `unit` on that INTERVAL reaches.
    func alignedUnit(atOrAfter unit: Int) -> Int {
        guard self.interval > 1 else { return max(unit, self.firstUnit) }
        return self.firstUnit + max(unit - self.firstUnit, 0).ceiledQuotient(by: self.interval) * self.interval
    }

    /// The number of weeks, months or years after which the calendar repeats (400 years), for any INTERVAL.
    var cycle: Int {
        switch self.frequency {
        case .yearly: 400
        case .monthly: 4800
        default: 20_871
        }
    }
}

// The days of a rule in a week, month or year, by the table of RFC 5545 §3.3.10. Missing parts are taken from the
// start. Each part selects days of the period, and only days that all parts select are occurrences. The table has no
// entry for BYMONTHDAY in a week, and for BYYEARDAY and BYWEEKNO in a week or month. This code uses them as limits.
extension RulePlan {
    /// The days of the period `unit` before BYSETPOS is applied.
    func days(of unit: Int) -> DaySet {
        switch self.frequency {
        case .yearly: self.isWeekYear ? self.daysOfWeeks(unit) : self.daysOfYear(unit)
        case .monthly: self.daysOfMonth(Month(year: unit / 12, number: unit % 12 + 1))
        case .weekly: self.daysOfWeek(self.weekOrigin + unit * 7)
        default: DaySet(base: unit, bits: self.filter.allows(day: unit) ? 1 : 0)
        }
    }

    private func daysOfWeek(_ first: Int) -> DaySet {
        let weekdays = DayFilter.pattern(self.filter.weekdays, from: self.weekStart) & 0x7F
        guard self.filter.rare?.limitsDays ?? false || self.filter.hasMonthDays || !self.filter.allowsEveryMonth else {
            return DaySet(base: first, bits: weekdays)
        }
        let month = Month(containing: first)
        let offset = UInt64(first - month.firstDay)
        var days = self.filter.days(of: month) >> offset
        if Int(offset) + 7 > month.length {
            days |= self.filter.days(of: month.next) << UInt64(month.length - Int(offset))
        }
        return DaySet(base: first, bits: days & 0x7F)
    }

    private func daysOfMonth(_ month: Month) -> DaySet {
        self.skip == .omit
            ? DaySet(base: month.firstDay, bits: self.days(of: month))
            : DaySet(base: month.firstDay - 1, bits: self.daysWithMoved(of: month))
    }

    private func days(of month: Month) -> UInt64 {
        let days = self.filter.days(of: month)
        guard self.hasWeekdays, self.filter.rare?.yearOrdinals.isEmpty ?? true, days != 0 else { return days }
        return days & self.weekdays(of: month)
    }

    /// BYDAY in a month: numbers count in the month, and a weekday without a number selects all such days.
    private func weekdays(of month: Month) -> UInt64 {
        let first = month.firstWeekday
        var days = self.weekdays == 0 ? 0 : DayFilter.pattern(self.weekdays, from: first)
        var bits = self.ordinals
        while bits != 0 {
            let bit = bits.trailingZeroBitCount
            bits &= bits &- 1
            days |= 1 << UInt64((bit % 7 - first + 7) % 7 + bit / 7 * 7)
        }
        bits = self.ordinalsFromEnd
        let last = (first + month.length - 1) % 7
        while bits != 0 {
            let bit = bits.trailingZeroBitCount
            bits &= bits &- 1
            let day = month.length - 1 - (last - bit % 7 + 7) % 7 - bit / 7 * 7
            if day >= 0 { days |= 1 << UInt64(day) }
        }
        return days & month.mask
    }

    private func daysOfYear(_ year: Int) -> DaySet {
        let first = Month.firstDay(of: year)
        let margin = self.skip == .omit ? 0 : 1
        var days = DaySet(base: first - margin)
        let ordinals = self.filter.rare?.yearOrdinals ?? []
        // If no other part limits the days, BYDAY alone selects them.
        guard self.filter.limitsDays else { return self.weekdays(ofYear: year, ordinals) }
        var months = self.filter.months
        while months != 0 {
            let month = Month(year: year, number: months.trailingZeroBitCount)
            months &= months &- 1
            let bits = self.skip == .omit ? self.days(of: month) : self.daysWithMoved(of: month)
            days.insert(bits, at: month.firstDay - first)
        }
        if self.skip != .omit { self.insertMovedYearDays(into: &days, year) }
        if self.hasWeekdays, !ordinals.isEmpty {
            days.formIntersection(self.weekdays(ofYear: year, ordinals, margin: margin))
        }
        return days
    }

    /// BYDAY in a year: numbers count in the year; the set begins `margin` days before 1 January.
    private func weekdays(ofYear year: Int, _ ordinals: [RecurrenceRule.WeekdayItem], margin: Int = 0) -> DaySet {
        let first = Month.firstDay(of: year)
        let length = Month.isLeap(year) ? 366 : 365
        let firstWeekday = Month.weekday(of: first)
        var days = DaySet(base: first - margin)
        let pattern = DayFilter.pattern(self.weekdays, from: firstWeekday)
        if self.weekdays != 0 {
            for offset in stride(from: 0, to: 315, by: 63) { days.insert(pattern, at: offset + margin) }
            days.insert(pattern & .lowBits(length - 315), at: 315 + margin)
        }
        for item in ordinals {
            guard let ordinal = item.ordinal else { continue }
            let earliest = (item.weekday.rawValue - firstWeekday + 7) % 7
            let latest = earliest + (length - 1 - earliest) / 7 * 7
            let day = ordinal > 0 ? earliest + (ordinal - 1) * 7 : latest + (ordinal + 1) * 7
            if day >= 0, day < length { days.insert(day + margin) }
        }
        return days
    }

    private func daysOfWeeks(_ year: Int) -> DaySet {
        let weeks = WeekYear(year, weekStart: self.weekStart)
        var days = DaySet(base: weeks.firstDay)
        guard let rare = self.filter.rare else { return days }
        let weekdays = DayFilter.pattern(self.filter.weekdays, from: self.weekStart) & 0x7F
        for number in 1...weeks.weeks where rare.allows(week: number, of: weeks.weeks) {
            days.insert(weekdays, at: (number - 1) * 7)
        }
        guard self.filter.hasMonthDays || !self.filter.allowsEveryMonth else { return days }
        var month = Month(containing: weeks.firstDay)
        var passing = DaySet(base: weeks.firstDay)
        while month.firstDay < weeks.firstDay + weeks.weeks * 7 {
            let bits = self.filter.days(of: month)
            let offset = month.firstDay - weeks.firstDay
            if offset < 0 { passing.insert(bits >> UInt64(-offset), at: 0) } else { passing.insert(bits, at: offset) }
            month = month.next
        }
        days.formIntersection(passing)
        return days
    }
}

// SKIP (RFC 7529 §4.1) moves a day of BYMONTHDAY or BYYEARDAY that does not exist in its month or year. SKIP acts after
// these parts and before BYDAY. A moved day still belongs to its original period.
extension RulePlan {
    /// The days of `month`, with moved days; bit 0 stands for the day before the month.
    private func daysWithMoved(of month: Month) -> UInt64 {
        var days = self.days(of: month) << 1
        guard self.filter.allows(month: month.number), self.filter.rare?.hasYearDays != true else { return days }
        let isBackward = self.skip == .backward
        let missing: UInt64 = 0x7FFF_FFFF & ~month.mask
        if self.filter.monthDays & missing != 0 {
            days |= self.moved(to: isBackward ? month.length : month.length + 1, before: month)
        }
        if self.filter.monthDaysFromEnd & .lowBits(31 - month.length) != 0 {
            days |= self.moved(to: isBackward ? 0 : 1, before: month)
        }
        return days
    }

    private func moved(to bit: Int, before month: Month) -> UInt64 {
        self.allowsWeekday(of: month.firstDay - 1 + bit) ? 1 << UInt64(bit) : 0
    }

    private func insertMovedYearDays(into days: inout DaySet, _ year: Int) {
        guard let rare = self.filter.rare, rare.hasYearDays, !Month.isLeap(year) else { return }
        let first = Month.firstDay(of: year)
        let isBackward = self.skip == .backward
        var moved: [Int] = []
        if rare.yearDays.bits(from: 365) & 1 != 0 { moved.append(isBackward ? first + 364 : first + 365) }
        if rare.yearDaysFromEnd.bits(from: 0) & 1 != 0 { moved.append(isBackward ? first - 1 : first) }
        for day in moved where self.allowsWeekday(of: day) { days.insert(day - days.base) }
    }

    /// Whether BYDAY allows a moved day.
    private func allowsWeekday(of day: Int) -> Bool {
        guard self.hasWeekdays else { return true }
        let month = Month(containing: day)
        if let ordinals = self.filter.rare?.yearOrdinals, !ordinals.isEmpty {
            let days = self.weekdays(ofYear: month.year, ordinals)
            return days.bits(from: day - days.base) & 1 != 0
        }
        return self.weekdays(of: month) >> UInt64(day - month.firstDay) & 1 != 0
    }
}
