import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavRecurrence

@Suite("RFC 5545 3.3.10: random rules of days against a slow reference")
struct ReferenceTests {
    static let casesPerSeed = Cases.count(150)

    @Test("the engine agrees with the slow reference", arguments: [1, 2, 3, 4] as [UInt64])
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed)
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
            // An iteration that starts in the middle gives the same occurrences.
            let middle = start.adding(days: Int.random(in: 0...1500, using: &random))
            let next = try set.next(after: .date(middle))?.day
            let wanted = expected.first { $0 > middle }
            #expect(next == wanted || (wanted == nil && next.map { $0 > end } ?? true), "\(start.wire) \(rule.wire)")
        }
    }

    @Test("rules of hours, minutes and seconds agree for each second", arguments: [1, 2, 3] as [UInt64])
    func shortPeriods(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<Cases.count(40) {
            let day = CalendarDate(dayNumber: Int.random(in: 10_000...25_000, using: &random))
            let time = ClockTime(secondsOfDay: Int.random(in: 0..<86400, using: &random))
            let start = CalendarDateTime(date: day, time: time, zone: .floating)
            let rule = Self.shortRule(&random)
            let hours: Int = rule.frequency == .hourly ? 100 : rule.frequency == .minutely ? 30 : 3
            let end = Int(start.localSeconds) + hours * 3600
            let expected = SlowTimes(rule: rule, start: start).seconds(to: end)
            let set = RecurrenceSet(start: .dateTime(start), rules: [rule], resolver: resolver())
            var found: [Int] = []
            // The engine abandons a rule without a match; then the slow reference has no occurrence either.
            var occurrences = try? set.occurrences()
            while let next = try? occurrences?.next(), next.localSeconds <= end { found.append(Int(next.localSeconds)) }
            #expect(found == expected, "\(start.wire) \(rule.wire)")
            // An iteration that starts in the middle gives the same occurrences, also with COUNT.
            let middle = Int(start.localSeconds) + Int.random(in: 0..<(hours * 3600), using: &random)
            let after = CalendarDateOrDateTime.dateTime(CalendarDateTime(localSeconds: Int64(middle), zone: .floating))
            guard let wanted = expected.first(where: { $0 > middle }) else { continue }
            #expect(try set.next(after: after)?.localSeconds == Int64(wanted), "\(start.wire) \(rule.wire)")
        }
    }

    private static func items(_ weekdays: [Weekday]) -> [RecurrenceRule.WeekdayItem] {
        weekdays.map { RecurrenceRule.WeekdayItem(weekday: $0) }
    }

    private static func lateDay(_ random: inout SeededGenerator) -> Int {
        let day = Int.random(in: 27...31, using: &random)
        return Bool.random(using: &random) ? day : -day
    }

    private static func shortRule(_ random: inout SeededGenerator) -> RecurrenceRule {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        func some(_ range: ClosedRange<Int>, _ count: Int, fromEnd: Bool = false) -> [Int] {
            (0..<Int.random(in: 1...count, using: &random)).map { _ in
                Int.random(in: range, using: &random) * (fromEnd && chance(40) ? -1 : 1)
            }
        }
        let frequency = [RecurrenceRule.Frequency.hourly, .minutely, .secondly].randomElement(using: &random)
        var rule = RecurrenceRule(frequency: frequency ?? .hourly)
        if chance(60) { rule.interval = Int.random(in: 2...100, using: &random) }
        if chance(40) { rule.byHour = some(0...23, 12) }
        if chance(40) { rule.byMinute = some(0...59, 20) }
        if chance(40) { rule.bySecond = some(0...59, 20) }
        if chance(20) { rule.byDay = Self.items(Weekday.allCases.filter { _ in chance(50) }) }
        if chance(10) { rule.byMonthDay = some(1...31, 15, fromEnd: true) }
        if chance(10) { rule.byWeekNumber = some(1...53, 30, fromEnd: true) }
        if chance(20) { rule.bySetPosition = some(1...4, 3, fromEnd: true) }
        if chance(30) { rule.count = Int.random(in: 1...400, using: &random) }
        return rule
    }

    @Test("SKIP: the engine agrees with the slow reference", arguments: [1, 2] as [UInt64])
    func skip(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<Self.casesPerSeed {
            func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
            let start = CalendarDate(dayNumber: Int.random(in: 10_000...25_000, using: &random))
            var rule = RecurrenceRule(frequency: chance(50) ? .monthly : .yearly)
            rule.rscale = "GREGORIAN"
            rule.skip = RecurrenceRule.Skip.allCases.randomElement(using: &random) ?? .omit
            if chance(40) { rule.interval = Int.random(in: 2...5, using: &random) }
            if chance(70) {
                rule.byMonthDay = (0...2).map { _ in Self.lateDay(&random) }
            }
            if chance(40) { rule.byMonth = [2, Int.random(in: 1...12, using: &random)] }
            if chance(30), !rule.byMonthDay.isEmpty { rule.byDay = Self.items([.monday, .friday, .sunday]) }
            if chance(20) { rule.bySetPosition = [chance(50) ? 1 : -1] }
            if chance(20) { rule.count = Int.random(in: 1...40, using: &random) }
            let end = start.adding(days: 365 * 10)
            let expected = SlowSkip(rule: rule, start: start).days(to: end)
            let set = RecurrenceSet(start: .date(start), rules: [rule], resolver: resolver())
            var found: [CalendarDate] = []
            var occurrences = try set.occurrences()
            while let next = try occurrences.next(), next.day <= end { found.append(next.day) }
            #expect(found == expected, "\(start.wire) \(rule.wire)")
            let middle = start.adding(days: Int.random(in: 0...3000, using: &random))
            if let wanted = expected.first(where: { $0 > middle }) {
                #expect(try set.next(after: .date(middle))?.day == wanted, "\(start.wire) \(rule.wire)")
            }
        }
    }

    @Test("RFC 7529: the code for other calendars gives the Gregorian dates", arguments: [1, 2, 3] as [UInt64])
    func otherCalendar(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let database = ZoneDatabase(load: { _ in nil }) { _ in .gregorian }
        let resolver = TimeZoneResolver(database: database, calendar: nil, local: "UTC")
        for _ in 0..<Self.casesPerSeed {
            let day = CalendarDate(dayNumber: Int.random(in: 10_000...25_000, using: &random))
            let isShort = Int.random(in: 0..<5, using: &random) == 0
            var rule = isShort ? Self.shortRule(&random) : Self.rule(from: day, &random)
            rule.byWeekNumber = []
            rule.until = .date(day.adding(days: isShort ? 60 : 365 * 5))
            if Bool.random(using: &random), rule.byMonth.isEmpty || rule.byYearDay.isEmpty {
                rule.skip = RecurrenceRule.Skip.allCases.randomElement(using: &random) ?? .omit
            }
            if Bool.random(using: &random) { rule.byHour = [9, 17] }
            var other = rule
            other.rscale = "TABLES"
            let start = CalendarDateOrDateTime.dateTime(
                CalendarDateTime(date: day, time: ClockTime(secondsOfDay: 32_400), zone: .floating)
            )
            let middle = CalendarDateOrDateTime.date(day.adding(days: Int.random(in: 0...1500, using: &random)))
            let sets = [rule, other].map { RecurrenceSet(start: start, rules: [$0], resolver: resolver) }
            guard let expected = try? sets[0].first(200) else { continue }
            #expect(try sets[1].first(200) == expected, "\(start.wire) \(rule.wire)")
            #expect(
                try sets[1].next(after: middle) == sets[0].next(after: middle),
                "\(start.wire) \(rule.wire) \(middle)"
            )
        }
    }

    /// Returns a rule with occurrences in about five years.
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
        if chance(30) { rule.byMonthDay = some(1...31, fromEnd: true) }
        if chance(15) { rule.byYearDay = some(1...366, fromEnd: true) }
        if chance(15) { rule.byWeekNumber = some(1...53, fromEnd: true) }
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
        // An end stops the search of rules without a match after five years.
        rule.until = .date(start.adding(days: chance(20) ? Int.random(in: 0...900, using: &random) : 365 * 5 + 30))
        return rule
    }
}
