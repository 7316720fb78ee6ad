package import RemindavICalendar

/// A day as an English phrase names it; the current date turns the phrase into a date.
package enum DayPhrase: Hashable, Sendable {
    /// `2026-12-01`, `24 dec 2026`.
    case date(CalendarDate)
    /// This number of days after today: `tomorrow`, `in 2 weeks`.
    case days(Int)
    /// This number of months after today: `next month`, `in a year`. A month without that day gives its last day.
    case months(Int)
    /// The first day after today with this weekday: `friday` and `next friday`.
    case weekday(Weekday)
    /// The first day with this month and day number that is not past: `24 dec`.
    case yearly(month: Int, day: Int)
    /// The first day with this day number that is not past: `the 1st`. A month without that day is skipped.
    case monthly(day: Int)
    /// The first date that is not past and is this weekday of its month: `last friday of the month`.
    /// The ordinal -1 is the last weekday.
    case monthlyWeekday(ordinal: Int, Weekday)
    /// The first or the last day of a period. `offset` is 0 for the period of today, and 1 for the next one.
    case period(CalendarPeriod, offset: Int, isEnd: Bool)
    /// The last day of the first month with this number that is not over: `end of january`.
    case endOfMonthNamed(Int)
    /// The Saturday this number of weeks after this weekend; for 0, today if today is a Saturday or Sunday.
    case weekend(Int)
    /// The last day before today with this weekday: `last friday`.
    case weekdayBefore(Weekday)
    /// The phrase names only a time of day. The day is today, or tomorrow if that time is past.
    case soonest

    /// - Parameter isPast: returns whether the due time is past if the phrase means the given day.
    package func date(from today: CalendarDate, isPast: (CalendarDate) -> Bool) -> CalendarDate {
        switch self {
        case .date(let date): return date
        case .days(let days): return today.adding(days: days)
        case .months(let months): return today.adding(months: months)
        case .weekday(let weekday):
            let days = weekday.days(after: today.weekday)
            return today.adding(days: days == 0 ? 7 : days)
        case .yearly(let month, let day):
            // The next 29 February is at most eight years away, for example from 2096 to 2104.
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
        case .period(let period, let offset, let isEnd):
            let first = period.first(of: today, offset: isEnd ? offset + 1 : offset)
            return isEnd ? first.adding(days: -1) : first
        case .endOfMonthNamed(let month):
            let year = month < today.month ? today.year + 1 : today.year
            let end = { (year: Int) in Self.lastDay(of: month, year: year) }
            return isPast(end(year)) ? end(year + 1) : end(year)
        case .weekend(let weeks):
            let isSunday = today.weekday == .sunday
            let days = isSunday ? (weeks == 0 ? 0 : -1) : Weekday.saturday.days(after: today.weekday)
            return today.adding(days: days + weeks * 7)
        case .weekdayBefore(let weekday):
            let days = today.weekday.days(after: weekday)
            return today.adding(days: days == 0 ? -7 : -days)
        case .soonest: return isPast(today) ? today.adding(days: 1) : today
        }
    }

    static let endOfMonth = Self.period(.month, offset: 0, isEnd: true)

    /// Whether the day is a date with its year or a day before today, so that it may be past on purpose.
    var mayBePast: Bool {
        switch self {
        case .date, .weekdayBefore: true
        case .days(let count), .months(let count): count < 0
        case .period(_, let offset, let isEnd): offset == 0 && !isEnd
        case .weekday, .yearly, .monthly, .monthlyWeekday, .endOfMonthNamed, .weekend, .soonest: false
        }
    }

    private static func lastDay(of month: Int, year: Int) -> CalendarDate {
        let day = CalendarDate.daysInMonth(month, year: year)
        return CalendarDate(year: year, month: month, day: day) ?? CalendarDate(dayNumber: CalendarDate.lastDayNumber)
    }

    /// The first date from `today` on that is not past; `candidate` gives one date for each month, or `nil`.
    private static func firstOfMonths(
        from today: CalendarDate,
        _ isPast: (CalendarDate) -> Bool,
        _ candidate: (_ year: Int, _ month: Int) -> CalendarDate?
    ) -> CalendarDate {
        // Each day number from 1 to 31 and each fifth weekday of a month occurs at least once in a year.
        for offset in 0...13 {
            let count = today.year * 12 + today.month - 1 + offset
            if let date = candidate(count / 12, count % 12 + 1), date >= today, !isPast(date) { return date }
        }
        return CalendarDate(dayNumber: CalendarDate.lastDayNumber)
    }

    /// The date of a weekday in a month; -1 means the last one; `nil` if the month has fewer of these weekdays.
    private static func day(_ ordinal: Int, _ weekday: Weekday, year: Int, month: Int) -> CalendarDate? {
        let last = CalendarDate.daysInMonth(month, year: year)
        guard let first = CalendarDate(year: year, month: month, day: 1) else { return nil }
        let offset = weekday.days(after: first.weekday)
        let day = ordinal == -1 ? offset + 1 + (last - offset - 1) / 7 * 7 : offset + 1 + (ordinal - 1) * 7
        return CalendarDate(year: year, month: month, day: day)
    }
}

/// A period of the calendar; a week begins on Monday.
package enum CalendarPeriod: Hashable, Sendable {
    case week, month, quarter, year

    /// The first day of the period of `date`, or of a later period.
    func first(of date: CalendarDate, offset: Int) -> CalendarDate {
        if self == .week { return date.adding(days: offset * 7 - date.weekday.days(after: .monday)) }
        let length = self == .month ? 1 : self == .quarter ? 3 : 12
        let month = (date.month - 1) / length * length + 1
        let first = CalendarDate(year: date.year, month: month, day: 1) ?? date
        return first.adding(months: offset * length)
    }
}
