import ICalendar

/// The parts of a rule that look at one day, as a test (RFC 5545 §3.3.10, "limit").
///
/// Ordinals of BYDAY are not looked at here: they need a month or year to count in.
struct DayFilter: Sendable {
    // Bit n stands for the number n; an empty mask lets everything pass.
    private let months: UInt32
    private let monthDays: UInt64
    private let monthDaysFromEnd: UInt64
    private let weekdays: UInt32
    private let yearDays: Set<Int>
    private let weekNumbers: Set<Int>
    private let weekStart: Weekday

    init(_ rule: RecurrenceRule) {
        self.months = rule.byMonth.reduce(0) { $0 | 1 << UInt32($1 & 31) }
        self.monthDays = rule.byMonthDay.reduce(0) { $1 > 0 ? $0 | 1 << UInt64($1 & 63) : $0 }
        self.monthDaysFromEnd = rule.byMonthDay.reduce(0) { $1 < 0 ? $0 | 1 << UInt64(-$1 & 63) : $0 }
        self.weekdays = rule.byDay.reduce(0) { $0 | 1 << UInt32($1.weekday.rawValue) }
        self.yearDays = Set(rule.byYearDay)
        self.weekNumbers = Set(rule.byWeekNumber)
        self.weekStart = rule.weekStart
    }

    func allows(month: Int) -> Bool {
        self.months == 0 || self.months & 1 << UInt32(month) != 0
    }

    func allows(_ weekday: Weekday) -> Bool {
        self.weekdays == 0 || self.weekdays & 1 << UInt32(weekday.rawValue) != 0
    }

    /// BYMONTH, BYMONTHDAY, BYYEARDAY and BYWEEKNO, not BYDAY.
    func allowsDate(_ date: CalendarDate) -> Bool {
        self.allows(month: date.month) && self.allowsMonthDay(date) && self.allowsYearDay(date)
            && self.allowsWeekNumber(date)
    }

    private func allowsMonthDay(_ date: CalendarDate) -> Bool {
        guard self.monthDays | self.monthDaysFromEnd != 0 else { return true }
        let fromEnd = CalendarDate.daysInMonth(date.month, year: date.year) - date.day + 1
        return self.monthDays & 1 << UInt64(date.day) != 0 || self.monthDaysFromEnd & 1 << UInt64(fromEnd) != 0
    }

    private func allowsYearDay(_ date: CalendarDate) -> Bool {
        guard !self.yearDays.isEmpty else { return true }
        let day = date.dayNumber - CalendarDate.dayNumber(year: date.year, month: 1, day: 1) + 1
        let length = CalendarDate.isLeap(date.year) ? 366 : 365
        return self.yearDays.contains(day) || self.yearDays.contains(day - length - 1)
    }

    private func allowsWeekNumber(_ date: CalendarDate) -> Bool {
        guard !self.weekNumbers.isEmpty else { return true }
        let day = date.dayNumber
        let year = WeekYear(containing: day, weekStart: self.weekStart)
        let number = (day - year.firstDay) / 7 + 1
        return self.weekNumbers.contains(number) || self.weekNumbers.contains(number - year.weeks - 1)
    }
}

/// A year of whole weeks: its week 1 is the first with at least four days in the calendar year (RFC 5545, BYWEEKNO).
struct WeekYear {
    let year: Int
    /// The day number on which week 1 begins.
    let firstDay: Int
    /// 52 or 53.
    let weeks: Int

    init(_ year: Int, weekStart: Weekday) {
        self.year = year
        self.firstDay = Self.firstDay(of: year, weekStart)
        self.weeks = (Self.firstDay(of: year + 1, weekStart) - self.firstDay) / 7
    }

    init(containing day: Int, weekStart: Weekday) {
        let year = CalendarDate(dayNumber: day).year
        if day < Self.firstDay(of: year, weekStart) {
            self.init(year - 1, weekStart: weekStart)
        } else if day >= Self.firstDay(of: year + 1, weekStart) {
            self.init(year + 1, weekStart: weekStart)
        } else {
            self.init(year, weekStart: weekStart)
        }
    }

    private static func firstDay(of year: Int, _ weekStart: Weekday) -> Int {
        // The 4th of January is always in week 1.
        Self.weekStartDay(of: CalendarDate.dayNumber(year: year, month: 1, day: 4), weekStart)
    }

    /// The day number on which the week of `day` begins.
    static func weekStartDay(of day: Int, _ weekStart: Weekday) -> Int {
        day - CalendarDate.weekday(dayNumber: day).days(after: weekStart)
    }
}
