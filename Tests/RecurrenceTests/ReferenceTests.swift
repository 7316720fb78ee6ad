import ICalendar
import Recurrence
import Testing

/// Random numbers that are the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// What a rule of days means, told the slow way.
///
/// Each day of the calendar is asked whether the table of RFC 5545 §3.3.10 lets it in. Shares nothing with the engine but
/// the calendar.
struct SlowRule {
    let rule: RecurrenceRule
    let start: CalendarDate

    /// The occurrences from the start to `end`.
    func days(to end: CalendarDate) -> [CalendarDate] {
        var periods: [Int: [CalendarDate]] = [:]
        // The first and last periods are looked at whole, since BYSETPOS counts in them.
        for number in (self.start.dayNumber - 400)...(end.dayNumber + 400) {
            let date = CalendarDate(dayNumber: number)
            let distance = self.period(date) - self.period(self.start)
            guard distance >= 0, distance % self.rule.interval == 0, self.takes(date) else { continue }
            periods[distance, default: []].append(date)
        }
        let positioned = periods.keys.sorted().flatMap { self.positioned(periods[$0] ?? []) }
        let wanted = positioned.filter { $0 >= self.start && ($0 <= min(self.rule.until?.day ?? end, end)) }
        return Array(wanted.prefix(self.rule.count ?? wanted.count))
    }

    private func positioned(_ days: [CalendarDate]) -> [CalendarDate] {
        guard !self.rule.bySetPosition.isEmpty else { return days }
        return days.enumerated()
            .filter { index, _ in
                self.rule.bySetPosition.contains(index + 1) || self.rule.bySetPosition.contains(index - days.count)
            }
            .map(\.element)
    }

    private func period(_ date: CalendarDate) -> Int {
        switch self.rule.frequency {
        case .yearly: date.year
        case .monthly: date.year * 12 + date.month
        case .weekly:
            (date.adding(days: -date.weekday.days(after: self.rule.weekStart)).dayNumber + 7_000_000) / 7
        default: date.dayNumber
        }
    }

    private func takes(_ date: CalendarDate) -> Bool {
        let rule = self.rule
        let monthLength = CalendarDate.daysInMonth(date.month, year: date.year)
        let yearDay = (1..<date.month).reduce(date.day) { $0 + CalendarDate.daysInMonth($1, year: date.year) }
        let yearLength = CalendarDate.isLeap(date.year) ? 366 : 365
        func holds(_ list: [Int], _ number: Int, of length: Int) -> Bool {
            list.isEmpty || list.contains(number) || list.contains(number - length - 1)
        }
        guard rule.byMonth.isEmpty || rule.byMonth.contains(date.month),
            holds(rule.byMonthDay, date.day, of: monthLength), holds(rule.byYearDay, yearDay, of: yearLength)
        else { return false }
        let isByDay = !rule.byDay.isEmpty
        let isByDate = !rule.byMonthDay.isEmpty || !rule.byYearDay.isEmpty
        switch rule.frequency {
        case .daily:
            return !isByDay || rule.byDay.contains { $0.weekday == date.weekday }
        case .weekly:
            return isByDay
                ? rule.byDay.contains { $0.weekday == date.weekday } : date.weekday == self.start.weekday
        case .monthly:
            guard isByDay || isByDate else { return date.day == self.start.day }
            return self.takesWeekday(date, number: date.day, of: monthLength)
        default:
            // RFC 8984 §4.3.3.1: beside BYMONTHDAY a month that is missing is the start's.
            if !rule.byMonthDay.isEmpty, rule.byMonth.isEmpty, rule.byYearDay.isEmpty, date.month != self.start.month {
                return false
            }
            if isByDay, rule.byMonth.isEmpty { return self.takesWeekday(date, number: yearDay, of: yearLength) }
            if isByDay || !rule.byYearDay.isEmpty {
                return self.takesWeekday(date, number: date.day, of: monthLength)
            }
            return (!rule.byMonth.isEmpty || date.month == self.start.month)
                && (!rule.byMonthDay.isEmpty || date.day == self.start.day)
        }
    }

    /// BYDAY where `date` is day `number` of a month or year of `length` days.
    private func takesWeekday(_ date: CalendarDate, number: Int, of length: Int) -> Bool {
        self.rule.byDay.isEmpty
            || self.rule.byDay.contains { item in
                guard item.weekday == date.weekday else { return false }
                guard let ordinal = item.ordinal else { return true }
                return ordinal == (number - 1) / 7 + 1 || ordinal == -((length - number) / 7 + 1)
            }
    }
}

@Suite("RFC 5545 3.3.10: random rules of days against the slow way")
struct ReferenceTests {
    static let casesPerSeed = 150

    @Test("engine and slow way agree", arguments: [1, 2, 3, 4] as [UInt64])
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Self.casesPerSeed {
            let start = CalendarDate(dayNumber: Int.random(in: 10_000...25_000, using: &random))
            let rule = Self.rule(from: start, &random)
            let end = start.adding(days: 365 * 5)
            let expected = SlowRule(rule: rule, start: start).days(to: end)
            let set = RecurrenceSet(start: .date(start), rules: [rule], resolver: resolver())
            var found: [CalendarDate] = []
            var occurrences = try set.occurrences()
            while let next = try occurrences.next(), next.day <= end { found.append(next.day) }
            #expect(found == expected, "\(start.wire) \(rule.wire)")
            // Entered in the middle, it goes on as if walked to.
            let middle = start.adding(days: Int.random(in: 0...1500, using: &random))
            let next = try set.next(after: .date(middle))?.day
            let wanted = expected.first { $0 > middle }
            #expect(next == wanted || (wanted == nil && next.map { $0 > end } ?? true), "\(start.wire) \(rule.wire)")
        }
    }

    /// A rule whose occurrences reach not much further than five years.
    private static func rule(from start: CalendarDate, _ random: inout SeededGenerator) -> RecurrenceRule {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        func some(_ range: ClosedRange<Int>, fromEnd: Bool = false) -> [Int] {
            (0..<Int.random(in: 1...5, using: &random)).map { _ in
                Int.random(in: range, using: &random) * (fromEnd && chance(40) ? -1 : 1)
            }
        }
        let frequency = [RecurrenceRule.Frequency.daily, .weekly, .monthly, .yearly].randomElement(using: &random)
        var rule = RecurrenceRule(frequency: frequency ?? .daily)
        if chance(50) { rule.interval = Int.random(in: 2...4, using: &random) }
        if chance(30) { rule.byMonth = some(1...12) }
        if chance(30), rule.frequency != .weekly { rule.byMonthDay = some(1...31, fromEnd: true) }
        if chance(15), [.daily, .yearly].contains(rule.frequency) { rule.byYearDay = some(1...366, fromEnd: true) }
        if chance(50) {
            let canCount = rule.frequency >= .monthly
            rule.byDay = some(0...6).compactMap { number in
                let ordinal = canCount && chance(40) ? some(1...5, fromEnd: true)[0] : nil
                return Weekday(rawValue: number).map { RecurrenceRule.WeekdayItem(ordinal: ordinal, weekday: $0) }
            }
        }
        if chance(25) { rule.bySetPosition = some(1...4, fromEnd: true) }
        if chance(30) { rule.weekStart = Weekday(rawValue: Int.random(in: 0...6, using: &random)) ?? .monday }
        if chance(20) { rule.count = Int.random(in: 1...40, using: &random) }
        // An end keeps rules that are never true from being searched beyond the five years.
        rule.until = .date(start.adding(days: chance(20) ? Int.random(in: 0...900, using: &random) : 365 * 5 + 30))
        return rule
    }
}
