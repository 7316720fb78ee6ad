import RemindavICalendar

/// BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO and BYDAY without numbers, as masks; a missing part allows every day.
struct DayFilter: Sendable {
    static let everyMonth: UInt16 = 0x1FFE
    static let everyWeekday: UInt8 = 0x7F
    /// Bit n stands for the month n.
    var months = Self.everyMonth
    /// Bit n - 1 stands for the day n of a month.
    var monthDays: UInt64 = 0
    /// Bit 31 - n stands for the nth day from the end of a month.
    var monthDaysFromEnd: UInt64 = 0
    /// Bit 0 stands for Sunday.
    var weekdays = Self.everyWeekday
    var rare: RareParts?
    var hasMonthDays: Bool { self.monthDays | self.monthDaysFromEnd != 0 }
    var allowsEveryMonth: Bool { self.months == Self.everyMonth }
    var limitsDays: Bool {
        !self.allowsEveryMonth || self.hasMonthDays || self.weekdays != Self.everyWeekday
            || self.rare?.limitsDays ?? false
    }

    func allows(month: Int) -> Bool { self.months & 1 << UInt16(month) != 0 }

    func allows(day: Int) -> Bool {
        let month = Month(containing: day)
        return self.days(of: month) >> UInt64(day - month.firstDay) & 1 != 0
    }

    /// The allowed days of a month; bit 0 stands for its first day.
    func days(of month: Month) -> UInt64 {
        guard self.allows(month: month.number) else { return 0 }
        var days = month.mask
        if self.hasMonthDays { days &= self.monthDays | self.monthDaysFromEnd >> UInt64(31 - month.length) }
        if self.weekdays != Self.everyWeekday { days &= Self.pattern(self.weekdays, from: month.firstWeekday) }
        if let rare = self.rare, rare.limitsDays { days = rare.limit(days, of: month) }
        return days
    }

    /// The days with these weekdays in nine weeks (63 days); bit 0 stands for a day with the weekday `first`.
    static func pattern(_ weekdays: UInt8, from first: Int) -> UInt64 {
        let twice = UInt64(weekdays) * 0x81
        return (twice >> UInt64(first) & 0x7F) * 0x0102_0408_1020_4081
    }

    /// The first allowed day from `day` through `last`, or `nil`; the search ends after 400 years.
    func firstDay(from day: Int, through last: Int) -> Int? {
        var month = Month(containing: day)
        var days = self.days(of: month) & ~.lowBits(day - month.firstDay)
        for _ in 0...4800 {
            if days != 0 {
                let found = month.firstDay + days.trailingZeroBitCount
                return found <= last ? found : nil
            }
            month = month.next
            guard month.firstDay <= last else { return nil }
            days = self.days(of: month)
        }
        return nil
    }
}

/// BYYEARDAY, BYWEEKNO, BYSETPOS, and BYDAY with numbers that count in a year.
final class RareParts: Sendable {
    /// BYYEARDAY: bit n - 1 stands for the day n of a year.
    let yearDays: DaySet
    /// Negative BYYEARDAY: bit 366 - n stands for the nth day from the end of a year.
    let yearDaysFromEnd: DaySet
    let hasYearDays: Bool
    /// BYWEEKNO: bit n stands for the week n, and in ``weekNumbersFromEnd`` for the nth week from the end.
    let weekNumbers: UInt64
    let weekNumbersFromEnd: UInt64
    let weekStart: Int
    /// The elements of BYDAY with a number that counts in a year.
    let yearOrdinals: [RecurrenceRule.WeekdayItem]
    /// The positions of BYSETPOS, sorted, without duplicates.
    let positions: [Int]
    /// The parts that count in another calendar; `nil` in the Gregorian calendar.
    let calendar: CalendarParts?
    var limitsDays: Bool { self.hasYearDays || self.hasWeekNumbers || self.calendar != nil }
    var hasWeekNumbers: Bool { self.weekNumbers | self.weekNumbersFromEnd != 0 }

    init?(_ rule: RecurrenceRule, ordinalsInYear: Bool, calendar: CalendarParts? = nil) {
        if rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty, rule.bySetPosition.isEmpty, !ordinalsInYear,
            calendar == nil
        {
            return nil
        }
        self.calendar = calendar
        var yearDays = DaySet(base: 0)
        var yearDaysFromEnd = DaySet(base: 0)
        for number in rule.byYearDay where number != 0 && abs(number) <= 366 {
            if number > 0 { yearDays.insert(number - 1) } else { yearDaysFromEnd.insert(366 + number) }
        }
        self.yearDays = yearDays
        self.yearDaysFromEnd = yearDaysFromEnd
        self.hasYearDays = !rule.byYearDay.isEmpty
        self.weekNumbers = rule.byWeekNumber.reduce(0) { $1 > 0 ? $0 | 1 << UInt64($1 & 63) : $0 }
        self.weekNumbersFromEnd = rule.byWeekNumber.reduce(0) { $1 < 0 ? $0 | 1 << UInt64(-$1 & 63) : $0 }
        self.weekStart = rule.weekStart.rawValue
        self.yearOrdinals = ordinalsInYear ? rule.byDay.filter { $0.ordinal != nil } : []
        self.positions = rule.bySetPosition.count < 2 ? rule.bySetPosition : Set(rule.bySetPosition).sorted()
    }

    /// Removes the days that BYYEARDAY, BYWEEKNO or the parts in another calendar exclude.
    func limit(_ days: UInt64, of month: Month) -> UInt64 {
        var days = days
        if self.hasYearDays {
            let offset = month.firstDay - Month.firstDay(of: month.year)
            let shift = Month.isLeap(month.year) ? 0 : 1
            days &= self.yearDays.bits(from: offset) | self.yearDaysFromEnd.bits(from: offset + shift)
        }
        if let calendar = self.calendar { days = calendar.limit(days, of: month) }
        if self.hasWeekNumbers, days != 0 { days &= self.daysOfWeeks(in: month) }
        return days
    }

    private func daysOfWeeks(in month: Month) -> UInt64 {
        var days: UInt64 = 0
        var day = WeekYear.weekStartDay(of: month.firstDay, self.weekStart)
        while day < month.firstDay + month.length {
            let year = WeekYear(containing: day, weekStart: self.weekStart)
            if self.allows(week: (day - year.firstDay) / 7 + 1, of: year.weeks) {
                let offset = day - month.firstDay
                days |= offset < 0 ? 0x7F >> UInt64(-offset) : 0x7F << UInt64(offset)
            }
            day += 7
        }
        return days
    }

    func allows(week number: Int, of weeks: Int) -> Bool {
        self.weekNumbers & 1 << UInt64(number) != 0 || self.weekNumbersFromEnd & 1 << UInt64(weeks + 1 - number) != 0
    }
}

/// A year of whole weeks; week 1 is the first with at least four days in the calendar year (RFC 5545 §3.3.10).
struct WeekYear {
    let year: Int
    let firstDay: Int
    /// The number of weeks, 52 or 53.
    let weeks: Int

    init(_ year: Int, weekStart: Int) {
        self.year = year
        self.firstDay = Self.firstDay(of: year, weekStart)
        self.weeks = (Self.firstDay(of: year + 1, weekStart) - self.firstDay) / 7
    }

    init(containing day: Int, weekStart: Int) {
        let year = DateParts(dayNumber: day).year
        let isBefore = day < Self.firstDay(of: year, weekStart)
        let isAfter = day >= Self.firstDay(of: year + 1, weekStart)
        self.init(isBefore ? year - 1 : isAfter ? year + 1 : year, weekStart: weekStart)
    }

    private static func firstDay(of year: Int, _ weekStart: Int) -> Int {
        // 4 January is always in week 1.
        Self.weekStartDay(of: Month.firstDay(of: year) + 3, weekStart)
    }

    static func weekStartDay(of day: Int, _ weekStart: Int) -> Int {
        day - (Month.weekday(of: day) - weekStart + 7) % 7
    }
}
