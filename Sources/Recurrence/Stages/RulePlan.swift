import ICalendar

/// A rule made ready for one start: the parts as masks, and what the rule leaves open taken from the start
/// (RFC 5545 §3.3.10, "derived from the DTSTART").
///
/// All times are local seconds: seconds since 1970 on the start's own clock, as if it were UTC. Periods are numbered by
/// `unit`: the year, the month counted from year 0, the week, day, hour, minute or second counted from 1970.
struct RulePlan: Sendable {
    let frequency: RecurrenceRule.Frequency
    let interval: Int
    /// COUNT.
    let count: Int?
    /// SKIP, where it can move a day: in a month or year whose days BYMONTHDAY or BYYEARDAY name.
    let skip: RecurrenceRule.Skip
    /// Local seconds.
    let start: Int
    /// The period of ``start``.
    private(set) var firstUnit = 0
    /// What lets days pass; in months and years without BYDAY, whose numbers count there.
    let filter: DayFilter
    /// BYDAY in months and years: the plain weekdays, bit 0 is Sunday.
    let weekdays: UInt8
    /// BYDAY's numbers 1 to 5 of a month: bit 7 (n - 1) + weekday; and those from its end.
    let ordinals: UInt64
    let ordinalsFromEnd: UInt64
    let hasWeekdays: Bool
    /// Times of a day or, in rules of hours and less, of one period.
    let grid: TimeGrid
    /// Hours, minutes and seconds that rules of hours and less let pass: bit n is n.
    let hours: UInt32
    let minutes: UInt64
    let seconds: UInt64
    /// A day number on which a week begins.
    let weekOrigin: Int

    /// BYSETPOS where it has to be looked at in each period: of a week or longer.
    var positions: [Int] { self.frequency >= .weekly ? self.filter.rare?.positions ?? [] : [] }

    /// Whether BYSETPOS chooses among several times a day, so that what it chose has to be written out.
    var isListed: Bool { self.grid.count > 1 && !self.positions.isEmpty }

    /// Whether a period of a year is one of whole weeks.
    let isWeekYear: Bool

    init(rule: RecurrenceRule, start: Int) {
        let startDay = start.flooredQuotient(by: ClockTime.secondsPerDay)
        let frequency = rule.frequency
        self.frequency = frequency
        self.interval = min(max(rule.interval, 1), 1 << 40)
        self.count = rule.count
        self.start = start
        self.weekOrigin = WeekYear.weekStartDay(of: 0, rule.weekStart.rawValue)
        self.isWeekYear = frequency == .yearly && !rule.byWeekNumber.isEmpty && rule.byYearDay.isEmpty
        let parts = DayParts(rule, startDay: startDay)
        self.filter = parts.filter
        self.weekdays = parts.weekdays
        self.ordinals = parts.ordinals
        self.ordinalsFromEnd = parts.ordinalsFromEnd
        self.hasWeekdays = parts.hasWeekdays
        self.skip = parts.skip
        let times = TimeParts(rule, time: start - startDay * ClockTime.secondsPerDay)
        self.grid = times.grid
        self.hours = times.hours
        self.minutes = times.minutes
        self.seconds = times.seconds
        self.firstUnit = self.unit(at: start)
    }
}

// Periods and their numbers.
extension RulePlan {
    /// The number of the period that holds `local`.
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

    /// WKST, 0 for Sunday.
    var weekStart: Int { Month.weekday(of: self.weekOrigin) }

    /// The length of a period of a rule of days or less.
    var unitSeconds: Int {
        switch self.frequency {
        case .hourly: 3600
        case .minutely: 60
        case .secondly: 1
        default: ClockTime.secondsPerDay
        }
    }

    /// A day number that no day of the period `unit`, of a week or longer, comes before by more than a week.
    func firstDay(of unit: Int) -> Int {
        switch self.frequency {
        // Far numbers are cut off: the day of the year 2^31 is still a number, that of 2^62 is none.
        case .yearly: Month.firstDay(of: min(unit, Self.lastYear))
        case .monthly: Month.firstDay(of: min(unit / 12, Self.lastYear)) + unit % 12 * 28
        case .weekly: self.weekOrigin + min(unit, Self.lastYear * 53) * 7
        default: unit
        }
    }

    private static let lastYear = 20_000

    /// The last period that INTERVAL reaches and that begins with or before the one of `local`; none before the
    /// start's.
    func alignedUnit(atOrBefore local: Int) -> Int {
        let distance = max(self.unit(at: local) - self.firstUnit, 0)
        return self.firstUnit + (self.interval == 1 ? distance : distance / self.interval * self.interval)
    }

    /// The first period that INTERVAL reaches from `unit` on.
    func alignedUnit(atOrAfter unit: Int) -> Int {
        guard self.interval > 1 else { return max(unit, self.firstUnit) }
        return self.firstUnit + max(unit - self.firstUnit, 0).ceiledQuotient(by: self.interval) * self.interval
    }

    /// Periods of a week or longer after which the calendar repeats: those of 400 years.
    ///
    /// What has not been found in so many is never there, whatever INTERVAL is.
    var cycle: Int {
        switch self.frequency {
        case .yearly: 400
        case .monthly: 4800
        default: 20_871
        }
    }
}
