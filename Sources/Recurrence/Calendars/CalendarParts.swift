import RemindavICalendar
private import Synchronization

/// The parts of a rule that count months and days, in the terms of another calendar system (RFC 7529 §4).
///
/// A period of a monthly or yearly rule is a month or year of that calendar. Its number, `unit`, contains the number of
/// the year and the index of the month, because the number of months differs from year to year.
final class CalendarParts: Sendable {
    struct MonthName: Hashable, Sendable {
        let number: Int
        let isLeap: Bool
    }

    /// The largest number of years that a search covers; 0.1 s for the Chinese calendar.
    static let maximumYears = 200
    static let maximumDays = 366 * CalendarParts.maximumYears
    let system: CalendarSystem
    let frequency: RecurrenceRule.Frequency
    let interval: Int
    let skip: RecurrenceRule.Skip
    /// BYMONTH; `nil` allows every month.
    let months: Set<MonthName>?
    let monthDays: Set<Int>
    let yearDays: Set<Int>
    /// BYDAY, if its numbers count in a month or year of the calendar.
    let weekdays: [RecurrenceRule.WeekdayItem]
    /// Whether a number in BYDAY counts in a year.
    let countsInYear: Bool
    private let cost = Atomic(0)
    private let lastYear = Mutex<CalendarYear?>(nil)

    /// - Throws: `budgetExceeded` if the calendar does not contain the start.
    init(_ rule: RecurrenceRule, startDay: Int, system: CalendarSystem) throws(RecurrenceError) {
        self.system = system
        self.frequency = rule.frequency
        self.interval = min(rule.interval, 1 << 40)
        self.skip = rule.frequency >= .monthly ? rule.skip : .omit
        self.yearDays = Set(rule.byYearDay)
        self.weekdays = rule.frequency >= .monthly ? rule.byDay : []
        let named =
            rule.byMonth.map { MonthName(number: $0, isLeap: false) }
            + rule.byLeapMonth.map { MonthName(number: $0, isLeap: true) }
        self.countsInYear = rule.frequency == .yearly && named.isEmpty
        guard let number = system.yearNumber(of: startDay),
            let year = system.year(number, whenLoaded: {}), let index = year.monthIndex(of: startDay)
        else { throw .budgetExceeded }
        let start = year.months[index]
        // Missing parts are taken from the start, as in RulePlan.addMissing.
        let isByDate = !rule.byMonthDay.isEmpty
        let isByYear = !rule.byYearDay.isEmpty
        var months = named.isEmpty ? nil : Set(named)
        var monthDays = Set(rule.byMonthDay)
        if rule.frequency >= .monthly, !isByYear {
            if rule.frequency == .yearly, months == nil, isByDate || rule.byDay.isEmpty {
                months = [MonthName(number: start.number, isLeap: start.isLeap)]
            }
            if !isByDate, rule.byDay.isEmpty { monthDays = [startDay - start.firstDay + 1] }
        }
        self.months = months
        self.monthDays = monthDays
    }

    /// The year with a number; `nil` if it cannot be computed.
    func year(_ number: Int) -> CalendarYear? {
        self.system.year(number) { self.cost.wrappingAdd(CalendarSystem.stepsPerYear, ordering: .relaxed) }
    }

    func year(containing day: Int) -> CalendarYear? {
        // The days of a search are in ascending order, and the calendar takes longer to find the number of a year.
        let last = self.lastYear.withLock { $0 }
        if let last, day >= last.firstDay, day < last.end { return last }
        let next = last.flatMap { day == $0.end ? self.year($0.number + 1) : nil }
        let year = next ?? self.system.yearNumber(of: day).flatMap { self.year($0) }
        self.lastYear.withLock { $0 = year }
        return year
    }

    /// The steps for the years that were computed since the last call.
    func takeCost() -> Int { self.cost.exchange(0, ordering: .relaxed) }
}

// FREQ=WEEKLY and shorter units: the parts limit the days.
extension CalendarParts {
    /// Removes the days that the parts exclude; bit 0 of `days` stands for the first day of the Gregorian `month`.
    func limit(_ days: UInt64, of month: Month) -> UInt64 {
        var (rest, allowed) = (days, UInt64(0))
        while rest != 0 {
            let day = month.firstDay + rest.trailingZeroBitCount
            // A search that reaches years without data ends at CalendarParts.maximumYears.
            guard let year = self.year(containing: day) else { return allowed }
            if self.allows(day, in: year) { allowed |= rest & (~rest &+ 1) }
            rest &= rest &- 1
        }
        return allowed
    }

    private func allows(_ day: Int, in year: CalendarYear) -> Bool {
        guard let index = year.monthIndex(of: day) else { return false }
        let month = year.months[index]
        return self.allows(month) && self.allowsYearDay(day, year)
            && (self.monthDays.isEmpty || self.monthDays.contains(day - month.firstDay + 1)
                || self.monthDays.contains(day - month.end))
    }

    private func allowsYearDay(_ day: Int, _ year: CalendarYear) -> Bool {
        self.yearDays.isEmpty || self.yearDays.contains(day - year.firstDay + 1)
            || self.yearDays.contains(day - year.end)
    }

    private func allows(_ month: CalendarYear.Month) -> Bool {
        self.months?.contains(MonthName(number: month.number, isLeap: month.isLeap)) ?? true
    }
}

// Periods and their numbers.
extension CalendarParts {
    /// The number of bits for the index of a month.
    private static let indexBits = 4

    /// A month or year of the calendar; for a year, `index` is 0.
    struct Period {
        let year: CalendarYear
        let index: Int
        var firstDay: Int { self.year.months[self.index].firstDay }
    }

    func period(_ unit: Int) -> Period? {
        guard let year = self.year(unit >> Self.indexBits) else { return nil }
        let index = unit & (1 << Self.indexBits - 1)
        return index < year.months.count ? Period(year: year, index: index) : nil
    }

    /// The last period at or before `day` that INTERVAL reaches; not before the period of `start`.
    ///
    /// - Throws: `budgetExceeded` if a year cannot be computed, or if ``maximumYears`` are not enough.
    func unit(from start: Int, atOrBefore day: Int) throws(RecurrenceError) -> Int {
        let first = try self.unit(of: start)
        guard day > start else { return first }
        guard self.frequency == .yearly || self.interval == 1 else {
            guard day - start <= Self.maximumDays else { throw .budgetExceeded }
            var (unit, isLast) = (first, false)
            while !isLast, let next = self.unit(after: unit), let period = self.period(next) {
                isLast = period.firstDay > day
                if !isLast { unit = next }
            }
            guard isLast else { throw .budgetExceeded }
            return unit
        }
        let last = try self.unit(of: day)
        guard self.frequency == .yearly else { return last }
        let years = (last >> Self.indexBits) - (first >> Self.indexBits)
        return first + (years / self.interval * self.interval) << Self.indexBits
    }

    private func unit(of day: Int) throws(RecurrenceError) -> Int {
        guard let year = self.year(containing: day), let index = year.monthIndex(of: day) else {
            throw .budgetExceeded
        }
        return year.number << Self.indexBits | (self.frequency == .yearly ? 0 : index)
    }

    /// The period after `unit` that INTERVAL reaches; `nil` if a month is more than ``maximumYears`` later.
    func unit(after unit: Int) -> Int? {
        guard self.frequency == .monthly else { return unit + self.interval << Self.indexBits }
        let number = unit >> Self.indexBits
        var index = unit & (1 << Self.indexBits - 1) + self.interval
        for number in number...(number + Self.maximumYears) {
            guard let count = self.year(number)?.months.count else { return nil }
            if index < count { return number << Self.indexBits | index }
            index -= count
        }
        return nil
    }
}

// The days of a period. The order is that of RFC 7529 §4.1: a missing month is replaced, then BYMONTHDAY and BYYEARDAY
// select days, then a missing day is replaced, then BYDAY limits the days.
extension CalendarParts {
    /// The days of a month or year in ascending order; SKIP may move a day out of it.
    func days(of period: Period) -> [Int] {
        let year = period.year
        var days: Set<Int>
        if self.frequency == .monthly {
            let month = year.months[period.index]
            days = self.allows(month) ? self.days(of: month).filter { self.allowsYearDay($0, year) } : []
        } else if self.yearDays.isEmpty {
            days = Set(self.months(of: year).flatMap(self.days(of:)))
        } else {
            days = self.selected(self.yearDays, from: year.firstDay, length: year.length)
            if self.months != nil || !self.monthDays.isEmpty {
                days.formIntersection(self.months(of: year).flatMap(self.days(of:)))
            }
        }
        return (self.weekdays.isEmpty ? days : days.filter { self.allowsWeekday($0, near: year) }).sorted()
    }

    /// The months of BYMONTH in a year; SKIP replaces a leap month that the year does not have.
    private func months(of year: CalendarYear) -> [CalendarYear.Month] {
        guard let names = self.months else { return year.months }
        var months = year.months.filter(self.allows)
        guard self.skip != .omit else { return months }
        for name in names where name.isLeap {
            guard !year.months.contains(where: { $0.number == name.number && $0.isLeap }),
                let before = year.months.firstIndex(where: { $0.number == name.number })
            else { continue }
            if self.skip == .backward {
                months.append(year.months[before])
            } else if before + 1 < year.months.count {
                months.append(year.months[before + 1])
            } else if let next = self.year(year.number + 1) {
                months.append(next.months[0])
            }
        }
        return months
    }

    private func days(of month: CalendarYear.Month) -> Set<Int> {
        self.monthDays.isEmpty
            ? Set(month.firstDay..<month.end)
            : self.selected(self.monthDays, from: month.firstDay, length: month.length)
    }

    /// The days of a month or year with these numbers; SKIP replaces a day that does not exist.
    private func selected(_ numbers: Set<Int>, from first: Int, length: Int) -> Set<Int> {
        var days: Set<Int> = []
        for number in numbers {
            let offset = number > 0 ? number - 1 : length + number
            if offset >= 0, offset < length {
                days.insert(first + offset)
            } else if self.skip == .forward {
                days.insert(offset < 0 ? first : first + length)
            } else if self.skip == .backward {
                days.insert(offset < 0 ? first - 1 : first + length - 1)
            }
        }
        return days
    }

    private func allowsWeekday(_ day: Int, near year: CalendarYear) -> Bool {
        let isOutside = day < year.firstDay || day >= year.end
        guard let year = isOutside ? self.year(containing: day) : year, let index = year.monthIndex(of: day) else {
            return false
        }
        let first = self.countsInYear ? year.firstDay : year.months[index].firstDay
        let end = self.countsInYear ? year.end : year.months[index].end
        let weekday = Month.weekday(of: day)
        return self.weekdays.contains { item in
            guard item.weekday.rawValue == weekday else { return false }
            guard let ordinal = item.ordinal else { return true }
            return ordinal == (day - first) / 7 + 1 || ordinal == -((end - 1 - day) / 7 + 1)
        }
    }
}
