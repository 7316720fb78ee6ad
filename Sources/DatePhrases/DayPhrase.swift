package import ICalendar

/// A day in English, independent of the current time.
package enum DayPhrase: Hashable, Sendable {
    /// `2026-12-01`, `24 dec 2026`.
    case date(CalendarDate)
    /// A number of days from today: `tomorrow`, `in 2 weeks`.
    case days(Int)
    /// A number of months from today; the last day of the month if it has no such day: `next month`, `in a year`.
    case months(Int)
    /// The first such day after today: `friday` and `next friday`.
    case weekday(Weekday)
    /// The next such day that is not past: `24 dec`.
    case yearly(month: Int, day: Int)
    /// The next such day of a month that is not past: `the 1st`. A month without that day is skipped.
    case monthly(day: Int)
    /// The next such weekday of a month that is not past, -1 for the last one: `last friday of the month`.
    case monthlyWeekday(ordinal: Int, Weekday)
    case endOfMonth
    /// No day: today, or tomorrow if the time is past today.
    case soonest

    /// - Parameter isPast: whether the time of the whole phrase is past on that day.
    package func date(from today: CalendarDate, isPast: (CalendarDate) -> Bool) -> CalendarDate {
        switch self {
        case .date(let date): return date
        case .days(let days): return today.adding(days: days)
        case .months(let months): return today.adding(months: months)
        case .weekday(let weekday):
            let days = weekday.days(after: today.weekday)
            return today.adding(days: days == 0 ? 7 : days)
        case .yearly(let month, let day):
            // A leap day is at most eight years away: 2096, 2104.
            let years = today.year...(today.year + 8)
            let dates = years.lazy.compactMap { CalendarDate(year: $0, month: month, day: day) }
            return dates.first { !isPast($0) } ?? CalendarDate(dayNumber: CalendarDate.lastDayNumber)
        case .monthly(let day):
            return Self.firstOfMonths(from: today, isPast) { year, month in
                CalendarDate(year: year, month: month, day: day)
            }
        case .monthlyWeekday(let ordinal, let weekday):
            return Self.firstOfMonths(from: today, isPast) { year, month in
                Self.day(ordinal, weekday, year: year, month: month)
            }
        case .endOfMonth: return today.adding(days: CalendarDate.daysInMonth(today.month, year: today.year) - today.day)
        case .soonest: return isPast(today) ? today.adding(days: 1) : today
        }
    }

    /// The first candidate of a month that is not past; `nil` for a month without such a day.
    private static func firstOfMonths(
        from today: CalendarDate,
        _ isPast: (CalendarDate) -> Bool,
        _ candidate: (_ year: Int, _ month: Int) -> CalendarDate?
    ) -> CalendarDate {
        // Every day from 1 to 31, and every fifth weekday, occurs at least once in any year.
        for offset in 0...13 {
            let count = today.year * 12 + today.month - 1 + offset
            if let date = candidate(count / 12, count % 12 + 1), date >= today, !isPast(date) { return date }
        }
        return CalendarDate(dayNumber: CalendarDate.lastDayNumber)
    }

    /// The weekday with that ordinal in a month, counted from its end when `ordinal` is -1; `nil` if there is none.
    private static func day(_ ordinal: Int, _ weekday: Weekday, year: Int, month: Int) -> CalendarDate? {
        let last = CalendarDate.daysInMonth(month, year: year)
        guard let first = CalendarDate(year: year, month: month, day: 1) else { return nil }
        let offset = weekday.days(after: first.weekday)
        let day = ordinal == -1 ? offset + 1 + (last - offset - 1) / 7 * 7 : offset + 1 + (ordinal - 1) * 7
        return CalendarDate(year: year, month: month, day: day)
    }
}

extension CalendarDate {
    /// The same day a number of months later, or the last day of that month; at most the end of the year 9999.
    fileprivate func adding(months: Int) -> CalendarDate {
        let count = self.year * 12 + self.month - 1 + months
        let (year, month) = (count / 12, count % 12 + 1)
        let day = min(self.day, Self.daysInMonth(month, year: year))
        return CalendarDate(year: year, month: month, day: day) ?? CalendarDate(dayNumber: Self.lastDayNumber)
    }
}
