import ICalendar

// The days that a rule takes of a week, month or year: the table of RFC 5545 §3.3.10, row by row. Where the table says
// that a part does not belong to a frequency (BYMONTHDAY in a week, BYYEARDAY and BYWEEKNO in a week or month), it
// limits: no day is named that the rule as written excludes.
extension RulePlan {
    // BYMONTH limits, BYDAY expands; without BYDAY it is the start's weekday.
    func daysOfWeek(_ first: Int) -> [Int] {
        let isOpen =
            self.rule.byDay.isEmpty && self.rule.byMonthDay.isEmpty && self.rule.byYearDay.isEmpty
            && self.rule.byWeekNumber.isEmpty
        let startWeekday = self.startDate.weekday
        return (first..<(first + 7)).filter { day in
            let weekday = CalendarDate.weekday(dayNumber: day)
            guard isOpen ? weekday == startWeekday : self.filter.allows(weekday) else { return false }
            return self.filter.allowsDate(CalendarDate(dayNumber: day))
        }
    }

    // BYMONTH limits, BYMONTHDAY expands; BYDAY limits beside BYMONTHDAY, else it expands.
    func daysOfMonth(year: Int, _ month: Int) -> [Int] {
        guard self.filter.allows(month: month), (1...9999).contains(year) else { return [] }
        let first = CalendarDate.dayNumber(year: year, month: month, day: 1)
        let length = CalendarDate.daysInMonth(month, year: year)
        let span = first...(first + length - 1)
        let days: [Int]
        if !self.rule.byMonthDay.isEmpty {
            days = self.monthDays(in: span).filter(self.weekdayTest(in: span))
        } else if !self.rule.byDay.isEmpty {
            days = self.weekdays(in: span)
        } else if !self.rule.byYearDay.isEmpty || !self.rule.byWeekNumber.isEmpty {
            days = Array(span)
        } else {
            return self.startDate.day <= length ? [first + self.startDate.day - 1] : []
        }
        return self.limited(days)
    }

    // BYMONTH, BYWEEKNO, BYYEARDAY and BYMONTHDAY expand; BYDAY as its note 2 says.
    func daysOfYear(_ year: Int) -> [Int] {
        guard (1...9999).contains(year) || !self.rule.byWeekNumber.isEmpty else { return [] }
        let first = CalendarDate.dayNumber(year: year, month: 1, day: 1)
        let span = first...(first + (CalendarDate.isLeap(year) ? 365 : 364))
        if !self.rule.byYearDay.isEmpty {
            let days = self.rule.byYearDay.map { $0 > 0 ? first + $0 - 1 : span.upperBound + $0 + 1 }
            let inYear = Set(days).sorted().filter(span.contains)
            return self.limited(inYear.filter(self.weekdayTestOfYear(span)))
        }
        if !self.rule.byWeekNumber.isEmpty { return self.daysOfWeeks(year) }
        if self.rule.byMonth.isEmpty, !self.rule.byDay.isEmpty {
            // With BYMONTHDAY it is each Friday the 13th of the year.
            let days = self.rule.byMonthDay.isEmpty ? self.weekdays(in: span) : span.filter(self.weekdayTest(in: span))
            return self.limited(days)
        }
        // The month that is missing comes from the start, also for BYMONTHDAY alone: a rule that meant every month
        // would be MONTHLY. RFC 5545 leaves it open; five of seven engines read it so.
        let months = self.rule.byMonth.isEmpty ? [self.startDate.month] : Set(self.rule.byMonth).sorted()
        return months.flatMap { self.daysOfMonth(year: year, $0) }
    }

    // BYDAY is the weekday of each week, else the start's; BYMONTHDAY and BYMONTH limit.
    private func daysOfWeeks(_ year: Int) -> [Int] {
        let weekYear = WeekYear(year, weekStart: self.rule.weekStart)
        let numbers = Set(self.rule.byWeekNumber.map { $0 > 0 ? $0 : weekYear.weeks + $0 + 1 })
        let isOpen = self.rule.byDay.isEmpty && self.rule.byMonthDay.isEmpty
        let startWeekday = self.startDate.weekday
        var days: [Int] = []
        for number in numbers.sorted() where (1...weekYear.weeks).contains(number) {
            let first = weekYear.firstDay + (number - 1) * 7
            days += (first..<(first + 7)).filter { day in
                let weekday = CalendarDate.weekday(dayNumber: day)
                return isOpen ? weekday == startWeekday : self.filter.allows(weekday)
            }
        }
        return self.rule.byMonth.isEmpty && self.rule.byMonthDay.isEmpty ? days : self.limited(days)
    }

    private func limited(_ days: [Int]) -> [Int] {
        guard
            !self.rule.byMonth.isEmpty || !self.rule.byMonthDay.isEmpty || !self.rule.byYearDay.isEmpty
                || !self.rule.byWeekNumber.isEmpty
        else { return days }
        return days.filter { self.filter.allowsDate(CalendarDate(dayNumber: $0)) }
    }

    /// BYMONTHDAY within the month `span`.
    private func monthDays(in span: ClosedRange<Int>) -> [Int] {
        let days = self.rule.byMonthDay.map { $0 > 0 ? span.lowerBound + $0 - 1 : span.upperBound + $0 + 1 }
        return Set(days).sorted().filter(span.contains)
    }

    /// BYDAY within `span`, a month or a year: ordinals count in it, a plain weekday is each; together they are a
    /// union.
    private func weekdays(in span: ClosedRange<Int>) -> [Int] {
        var days: Set<Int> = []
        let firstWeekday = CalendarDate.weekday(dayNumber: span.lowerBound)
        let lastWeekday = CalendarDate.weekday(dayNumber: span.upperBound)
        for item in self.rule.byDay {
            let first = span.lowerBound + item.weekday.days(after: firstWeekday)
            guard let ordinal = item.ordinal else {
                days.formUnion(stride(from: first, through: span.upperBound, by: 7))
                continue
            }
            let last = span.upperBound - lastWeekday.days(after: item.weekday)
            let day = ordinal > 0 ? first + (ordinal - 1) * 7 : last + (ordinal + 1) * 7
            if span.contains(day) { days.insert(day) }
        }
        return days.sorted()
    }

    /// BYDAY as a limit on days of `span`.
    private func weekdayTest(in span: ClosedRange<Int>) -> (Int) -> Bool {
        guard !self.rule.byDay.isEmpty else { return { _ in true } }
        guard self.rule.byDay.contains(where: { $0.ordinal != nil }) else {
            return { self.filter.allows(CalendarDate.weekday(dayNumber: $0)) }
        }
        return Set(self.weekdays(in: span)).contains
    }

    /// BYDAY as a limit on days of a year; beside BYMONTH its ordinals count in the month.
    private func weekdayTestOfYear(_ year: ClosedRange<Int>) -> (Int) -> Bool {
        guard !self.rule.byMonth.isEmpty, self.rule.byDay.contains(where: { $0.ordinal != nil }) else {
            return self.weekdayTest(in: year)
        }
        let year = CalendarDate(dayNumber: year.lowerBound).year
        let days = Set(self.rule.byMonth).flatMap { month in
            let first = CalendarDate.dayNumber(year: year, month: month, day: 1)
            return self.weekdays(in: first...(first + CalendarDate.daysInMonth(month, year: year) - 1))
        }
        return Set(days).contains
    }
}
