import RemindavICalendar

/// A slow implementation of rules of days.
///
/// It tests each day of the calendar with the table of RFC 5545 §3.3.10, and shares only the calendar with the engine.
struct SlowRule {
    let rule: RecurrenceRule
    let start: CalendarDate

    /// The occurrences from the start to `end`.
    func days(to end: CalendarDate) -> [CalendarDate] {
        var periods: [Int: [CalendarDate]] = [:]
        let first = self.period(self.start)
        // The first and last periods are searched completely, because BYSETPOS counts in them.
        for number in (self.start.dayNumber - 400)...(end.dayNumber + 400) {
            let date = CalendarDate(dayNumber: number)
            let distance = self.period(date) - first
            guard distance >= 0, distance % self.rule.interval == 0, self.takes(date) else { continue }
            periods[distance, default: []].append(date)
        }
        let positioned = periods.keys.sorted().flatMap { Self.positioned(periods[$0] ?? [], self.rule.bySetPosition) }
        let wanted = positioned.filter { $0 >= self.start && ($0 <= min(self.rule.until?.day ?? end, end)) }
        return Array(wanted.prefix(self.rule.count ?? wanted.count))
    }

    static func positioned<Moment>(_ moments: [Moment], _ positions: [Int]) -> [Moment] {
        guard !positions.isEmpty else { return moments }
        return moments.enumerated()
            .filter { index, _ in positions.contains(index + 1) || positions.contains(index - moments.count) }
            .map(\.element)
    }

    /// Whether BYWEEKNO applies, so that a year consists of weeks.
    private var countsWeeks: Bool {
        self.rule.frequency == .yearly && !self.rule.byWeekNumber.isEmpty && self.rule.byYearDay.isEmpty
    }

    private func period(_ date: CalendarDate) -> Int {
        switch self.rule.frequency {
        case .yearly: self.countsWeeks ? Self.week(of: date, self.rule.weekStart).year : date.year
        case .monthly: date.year * 12 + date.month
        case .weekly:
            (date.adding(days: -date.weekday.days(after: self.rule.weekStart)).dayNumber + 7_000_000) / 7
        default: date.dayNumber
        }
    }

    /// Returns the year of the week of `date`, the number of the week, and the number of weeks in that year.
    static func week(of date: CalendarDate, _ weekStart: Weekday) -> (year: Int, number: Int, count: Int) {
        func middle(_ date: CalendarDate) -> CalendarDate {
            date.adding(days: 3 - date.weekday.days(after: weekStart))
        }
        let middleDay = middle(date)
        // The 28th of December is in the last week of its year.
        let last = CalendarDate(year: middleDay.year, month: 12, day: 28) ?? date
        return (middleDay.year, (middleDay.dayOfYear - 1) / 7 + 1, (middle(last).dayOfYear - 1) / 7 + 1)
    }

    /// Tests a day with the parts that depend only on the day.
    static func passes(_ date: CalendarDate, _ rule: RecurrenceRule) -> Bool {
        func holds(_ list: [Int], _ number: Int, of length: Int) -> Bool {
            list.isEmpty || list.contains(number) || list.contains(number - length - 1)
        }
        let week = rule.byWeekNumber.isEmpty ? (year: 0, number: 0, count: 0) : Self.week(of: date, rule.weekStart)
        return (rule.byMonth.isEmpty || rule.byMonth.contains(date.month))
            && holds(rule.byMonthDay, date.day, of: CalendarDate.daysInMonth(date.month, year: date.year))
            && holds(rule.byYearDay, date.dayOfYear, of: CalendarDate.isLeap(date.year) ? 366 : 365)
            && holds(rule.byWeekNumber, week.number, of: week.count)
    }

    static func takesPlainWeekday(_ date: CalendarDate, _ rule: RecurrenceRule) -> Bool {
        rule.byDay.isEmpty || rule.byDay.contains { $0.weekday == date.weekday }
    }

    private func takes(_ date: CalendarDate) -> Bool {
        let rule = self.rule
        guard Self.passes(date, rule) else { return false }
        let isByDay = !rule.byDay.isEmpty
        let isByYear = !rule.byYearDay.isEmpty || !rule.byWeekNumber.isEmpty
        let isByDate = !rule.byMonthDay.isEmpty || isByYear
        let monthLength = CalendarDate.daysInMonth(date.month, year: date.year)
        switch rule.frequency {
        case .weekly where !isByDay && !isByDate: return date.weekday == self.start.weekday
        case .monthly where !isByDay && !isByDate: return date.day == self.start.day
        case .monthly: return self.takesWeekday(date, number: date.day, of: monthLength)
        case .yearly where !rule.byWeekNumber.isEmpty:
            // BYDAY with numbers is not permitted together with BYWEEKNO.
            if isByDay || !rule.byMonthDay.isEmpty || !rule.byYearDay.isEmpty {
                return Self.takesPlainWeekday(date, rule)
            }
            return date.weekday == self.start.weekday
        case .yearly:
            // RFC 8984 §4.3.3.1: with BYMONTHDAY a missing month is that of the start.
            if !isByYear, rule.byMonth.isEmpty, !rule.byMonthDay.isEmpty || !isByDay, date.month != self.start.month {
                return false
            }
            if isByDay, rule.byMonth.isEmpty {
                return self.takesWeekday(date, number: date.dayOfYear, of: CalendarDate.isLeap(date.year) ? 366 : 365)
            }
            if isByDay || isByDate { return self.takesWeekday(date, number: date.day, of: monthLength) }
            return date.day == self.start.day
        default: return Self.takesPlainWeekday(date, rule)
        }
    }

    /// Tests BYDAY for day `number` of a month or year with `length` days.
    private func takesWeekday(_ date: CalendarDate, number: Int, of length: Int) -> Bool {
        self.rule.byDay.isEmpty
            || self.rule.byDay.contains { item in
                guard item.weekday == date.weekday else { return false }
                guard let ordinal = item.ordinal else { return true }
                return ordinal == (number - 1) / 7 + 1 || ordinal == -((length - number) / 7 + 1)
            }
    }
}

/// A slow implementation of rules of hours, minutes or seconds: it tests each second.
struct SlowTimes {
    let rule: RecurrenceRule
    let start: CalendarDateTime

    private var unit: Int {
        switch self.rule.frequency {
        case .hourly: 3600
        case .minutely: 60
        default: 1
        }
    }

    /// Local seconds of the occurrences from the start to `end`.
    func seconds(to end: Int) -> [Int] {
        let start = Int(self.start.localSeconds)
        var periods: [Int: [Int]] = [:]
        var day = 0
        var passes = false
        for second in (start / self.unit * self.unit)..<((end / self.unit + 1) * self.unit) {
            guard (second / self.unit - start / self.unit) % self.rule.interval == 0 else { continue }
            if second / 86400 != day {
                day = second / 86400
                let date = CalendarDate(dayNumber: day)
                passes = SlowRule.passes(date, self.rule) && SlowRule.takesPlainWeekday(date, self.rule)
            }
            guard passes, self.takes(second % 86400) else { continue }
            periods[second / self.unit, default: []].append(second)
        }
        let positioned = periods.keys.sorted().flatMap {
            SlowRule.positioned(periods[$0] ?? [], self.rule.bySetPosition)
        }
        let wanted = positioned.filter { $0 >= start && $0 <= end }
        return Array(wanted.prefix(self.rule.count ?? wanted.count))
    }

    private func takes(_ time: Int) -> Bool {
        let own = self.start.time
        func holds(_ list: [Int], _ number: Int, missing: Int?) -> Bool {
            list.isEmpty ? missing.map { $0 == number } ?? true : list.contains(number)
        }
        return holds(self.rule.byHour, time / 3600, missing: nil)
            && holds(self.rule.byMinute, time / 60 % 60, missing: self.rule.frequency > .minutely ? own.minute : nil)
            && holds(self.rule.bySecond, time % 60, missing: self.rule.frequency > .secondly ? own.second : nil)
    }
}

/// A slow implementation of SKIP in months and years with BYMONTHDAY (RFC 7529 §4.1).
struct SlowSkip {
    let rule: RecurrenceRule
    let start: CalendarDate

    /// The occurrences from the start to `end`.
    func days(to end: CalendarDate) -> [CalendarDate] {
        var found: Set<CalendarDate> = []
        let isYearly = self.rule.frequency == .yearly
        let first = isYearly ? self.start.year : self.start.year * 12 + self.start.month - 1
        let last = isYearly ? end.year + 1 : end.year * 12 + end.month + 1
        for period in stride(from: first, through: last, by: self.rule.interval) {
            let named = self.rule.byMonth.isEmpty ? [self.start.month] : self.rule.byMonth
            let months: [Int] = isYearly ? named.map { (month: Int) -> Int in period * 12 + month - 1 } : [period]
            let days = Set(months.flatMap(self.days(ofMonth:))).sorted()
            found.formUnion(SlowRule.positioned(days, self.rule.bySetPosition))
        }
        return Array(found.filter { $0 >= self.start && $0 <= end }.sorted().prefix(self.rule.count ?? .max))
    }

    private func days(ofMonth number: Int) -> [CalendarDate] {
        let (year, month) = (number / 12, number % 12 + 1)
        guard self.rule.byMonth.isEmpty || self.rule.byMonth.contains(month) else { return [] }
        let length = CalendarDate.daysInMonth(month, year: year)
        let named = self.rule.byMonthDay.isEmpty ? [self.start.day] : self.rule.byMonthDay
        guard let begin = CalendarDate(year: year, month: month, day: 1) else { return [] }
        return named.compactMap { day -> CalendarDate? in
            var day = day > 0 ? day : length + 1 + day
            if day < 1 {
                if self.rule.skip == .omit { return nil }
                day = self.rule.skip == .forward ? 1 : 0
            } else if day > length {
                if self.rule.skip == .omit { return nil }
                day = self.rule.skip == .forward ? length + 1 : length
            }
            return begin.adding(days: day - 1)
        }
        .filter { SlowRule.takesPlainWeekday($0, self.rule) }
    }
}

extension CalendarDate {
    /// The day of the year, from 1 to 366.
    var dayOfYear: Int { (1..<self.month).reduce(self.day) { $0 + CalendarDate.daysInMonth($1, year: self.year) } }
}
