import RemindavICalendar

/// One day of a year in a form of RRULE: a numbered weekday of a month, a weekday among given days, or a date.
struct YearlyPattern: Hashable, Sendable {
    let month: Int
    /// The number of the weekday in the month, negative from the end; `nil` if ``monthDays`` has the days.
    let ordinal: Int?
    /// Days of the month, negative from the end; empty if there is an ``ordinal``.
    let monthDays: [Int]
    let weekday: Weekday?

    var rule: String {
        var text = "FREQ=YEARLY;BYMONTH=\(self.month)"
        if !self.monthDays.isEmpty { text += ";BYMONTHDAY=\(self.monthDays.map(String.init).joined(separator: ","))" }
        if let weekday = self.weekday { text += ";BYDAY=\(self.ordinal.map(String.init) ?? "")\(weekday.wire)" }
        return text
    }

    func contains(_ date: CalendarDate) -> Bool {
        guard date.month == self.month, self.weekday == nil || date.weekday == self.weekday else { return false }
        let fromEnd = date.day - CalendarDate.daysInMonth(date.month, year: date.year) - 1
        if let ordinal = self.ordinal {
            return ordinal < 0 ? (fromEnd + 1) / 7 - 1 == ordinal : (date.day - 1) / 7 + 1 == ordinal
        }
        return self.monthDays.contains(date.day) || self.monthDays.contains(fromEnd)
    }
}

extension YearlyPattern {
    /// The patterns that select `date` and exactly one day of every year; common patterns come first.
    static func patterns(of date: CalendarDate) -> [YearlyPattern] {
        let length = CalendarDate.daysInMonth(date.month, year: 2001)
        var found: [YearlyPattern] = []
        func add(_ ordinal: Int?, _ days: [Int], _ weekday: Weekday?) {
            found.append(YearlyPattern(month: date.month, ordinal: ordinal, monthDays: days, weekday: weekday))
        }
        if date.day > CalendarDate.daysInMonth(date.month, year: date.year) - 7 { add(-1, [], date.weekday) }
        if date.day <= 28 { add((date.day - 1) / 7 + 1, [], date.weekday) }
        if date.day <= length { add(nil, [date.day], nil) }
        for first in max(date.day - 6, 1)...date.day where first + 6 <= length && first % 7 != 1 {
            add(nil, Array(first...(first + 6)), date.weekday)
        }
        return found
    }

    /// The patterns for the days of a change in a TZif footer; `nil` if RRULE cannot express them.
    ///
    /// A time before 00:00, or from 24:00 on, is on another day. `M10.5.4/24` is the midnight after the last Thursday
    /// of October. This is a Friday from 26 October to 1 November, so two patterns are needed.
    static func patterns(of change: PosixZoneRule.Change) -> [YearlyPattern]? {
        let shift = change.seconds.flooredQuotient(by: ClockTime.secondsPerDay)
        switch change.day {
        case .yearDay(let number) where number + shift < 59 && number + shift >= 0 && number < 59:
            return [self.date(number + shift)]
        case .julian(let number):
            let shifted = number - 1 + shift
            // The move would cross 29 February, which `Jn` does not count.
            guard (0..<365).contains(shifted), (number <= 59) == (shifted < 59) else { return nil }
            return [self.date(shifted)]
        case .yearDay: return nil
        case .weekday(let month, let week, let weekday):
            guard shift != 0 else {
                return [YearlyPattern(month: month, ordinal: week == 5 ? -1 : week, monthDays: [], weekday: weekday)]
            }
            let shifted = Weekday(rawValue: (weekday.rawValue + shift).flooredRemainder(by: 7)) ?? weekday
            return self.patterns(month, week, shift, shifted)
        }
    }

    /// - Parameter number: days after 1 January of a year without 29 February.
    private static func date(_ number: Int) -> YearlyPattern {
        let date = CalendarDate(dayNumber: CalendarDate.dayNumber(year: 2001, month: 1, day: 1) + number)
        return YearlyPattern(month: date.month, ordinal: nil, monthDays: [date.day], weekday: nil)
    }

    /// The seven days of one week of a month, moved by `shift` days; one pattern for each month that has such days.
    private static func patterns(_ month: Int, _ week: Int, _ shift: Int, _ weekday: Weekday) -> [YearlyPattern]? {
        let isFromEnd = week == 5
        let first = (isFromEnd ? -7 : (week - 1) * 7 + 1) + shift
        let days = Array(first...(first + 6))
        // Counted from the end, -1 is the last day of the month, and 0 is the first day of the next month.
        let here = days.filter { isFromEnd ? $0 < 0 : $0 > 0 }
        let beside = days.filter { !here.contains($0) }.map { isFromEnd ? $0 + 1 : $0 - 1 }
        let length = CalendarDate.daysInMonth(month, year: 2001)
        let other = isFromEnd ? month + 1 : month - 1
        guard here.allSatisfy({ abs($0) <= length }), beside.allSatisfy({ abs($0) <= 28 }),
            beside.isEmpty || (1...12).contains(other)
        else { return nil }
        return [(month, here), (other, beside)].filter { !$0.1.isEmpty }.map {
            YearlyPattern(month: $0.0, ordinal: nil, monthDays: $0.1, weekday: weekday)
        }
    }
}
