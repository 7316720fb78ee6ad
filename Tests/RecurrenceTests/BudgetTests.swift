import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

@Suite("the budget of steps of one object")
struct BudgetTests {
    static let frequencies = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
    static let budget = 20_000
    /// The budget plus the steps of the one search that exceeds it.
    static let most = budget + RecurrenceSet.maximumSteps

    static let pairs = frequencies.flatMap { rule in frequencies.map { (rule, $0) } }

    /// Returns the series of one to-do, and its budget of steps.
    private func todo(_ lines: [String]) throws -> (Series, StepBudget) {
        let text = "BEGIN:VTODO\nUID:1\n\(lines.joined(separator: "\n"))\nEND:VTODO\n"
        let budget = StepBudget(Self.budget)
        let component = try #require(ICalendarDocument(Array(text.utf8)).components.first)
        return (try Series([component], countsStart: true, resolver: resolver(), budget: budget), budget)
    }

    private static let now = Instant(secondsSince1970: 1_800_000_000)

    @Test(
        "each rule with each exception rule ends within the budget, from the start and from now on",
        arguments: pairs
    )
    func exceptions(rule: String, exception: String) throws {
        for parts in ["", ";INTERVAL=7", ";COUNT=60;INTERVAL=1999", ";BYMONTH=2;BYMONTHDAY=29"] {
            for start in ["20270328T023000", "00010101T000000"] {
                let lines = ["DUE:\(start)", "RRULE:FREQ=\(rule)\(parts)", "EXRULE:FREQ=\(exception)"]
                for from in [nil, Self.now] {
                    let (series, budget) = try self.todo(lines)
                    if var occurrences = try? series.occurrences(from: from) {
                        for _ in 0..<10 { _ = try? occurrences.next() }
                    }
                    #expect(budget.used <= Self.most, "\(lines)")
                }
            }
        }
    }

    @Test("a rule for each second beside a period of 8,000 years is found immediately")
    func periods() throws {
        for start in ["20200101T000000", "00010101T000000"] {
            let (series, budget) = try self.todo([
                "DUE:\(start)", "RDATE;VALUE=PERIOD:20270328T023000Z/99991231T235959Z", "RRULE:FREQ=SECONDLY",
            ])
            var occurrences = try series.occurrences(from: Self.now)
            #expect(try occurrences.next()?.begins == Self.now)
            #expect(budget.used < 1000)
        }
    }

    @Test("a period that begins before the window and lasts into it is found for any rules")
    func lastingPeriod() throws {
        let (series, _) = try self.todo([
            "DTSTART:20200101T090000Z", "RDATE;VALUE=PERIOD:20250101T090000Z/P800D,20250102T090000Z/PT1H",
            "RRULE:FREQ=DAILY",
        ])
        var occurrences = try series.occurrences(from: Instant(secondsSince1970: 1_798_750_800))
        let first = try #require(try occurrences.next())
        #expect(first.recurrenceID?.description == "2025-01-01T09:00:00Z")
        #expect(try occurrences.next()?.begins == Instant(secondsSince1970: 1_798_794_000))
    }

    @Test("of many rules sixteen are read, and the first ignored one is reported", arguments: ["RRULE", "EXRULE"])
    func manyRules(name: String) throws {
        let start = ["DUE:20200101T000000"] + (name == "RRULE" ? [] : ["RRULE:FREQ=DAILY"])
        let lines = start + Array(repeating: "\(name):FREQ=DAILY", count: 2000)
        let (series, budget) = try self.todo(lines)
        #expect(series.issues.map(\.line) == [start.count + 17 + 2])
        #expect(series.issues.first?.description.contains("more than 16") == true)
        var occurrences = try series.occurrences()
        for _ in 0..<100 { _ = try? occurrences.next() }
        #expect(budget.used <= Self.most)
        let (few, _) = try self.todo(start + Array(repeating: "\(name):FREQ=DAILY", count: 16))
        #expect(few.issues.isEmpty)
    }

    @Test("a series with a hundred THISANDFUTURE overrides and counted rules ends within the budget")
    func manyStrands() throws {
        var text = "BEGIN:VTODO\nUID:1\nDUE:00010101T000000\n"
        for rule in ["MONTHLY;BYDAY=1MO", "MONTHLY;BYDAY=2TU"] {
            text += "RRULE:FREQ=\(rule);COUNT=2000000000\n"
        }
        text += "END:VTODO\n"
        for day in 1...100 {
            text += "BEGIN:VTODO\nUID:1\nRECURRENCE-ID;RANGE=THISANDFUTURE:\(2000 + day)0101T000000\n"
            text += "DUE:\(2000 + day)0101T010000\nEND:VTODO\n"
        }
        let budget = StepBudget(Self.budget)
        let components = ICalendarDocument(Array(text.utf8)).components
        let series = try Series(components, countsStart: true, resolver: resolver(), budget: budget)
        #expect(throws: RecurrenceError.budgetExceeded) { try series.occurrences() }
        #expect(budget.used <= Self.most)
        #expect(budget.wasExceeded)
        // The next operation has the whole budget again.
        budget.renew()
        #expect(budget.used == 0)
        #expect(throws: RecurrenceError.budgetExceeded) { try series.occurrences() }
        #expect(budget.used <= Self.most)
    }

    @Test("an exception rule excludes the same dates with single steps and with skipping")
    func jumps() throws {
        var random = SeededGenerator(16)
        let parts = ["", ";INTERVAL=2", ";INTERVAL=5", ";COUNT=400", ";INTERVAL=3;COUNT=90", ";BYDAY=MO,TH"]
        for _ in 0..<100 {
            let rules = try (0..<2).map { _ in
                let frequency = try #require(Self.frequencies[2...5].randomElement(using: &random))
                let part = try #require(parts.randomElement(using: &random))
                let skip = Bool.random(using: &random) ? "" : ";RSCALE=GREGORIAN;SKIP=FORWARD"
                return try RecurrenceRule(wire: "FREQ=\(frequency)\(part)\(skip)")
            }
            let start = try moment("20260131T090000", "Europe/Berlin")
            func set(_ rules: [RecurrenceRule], without: [RecurrenceRule] = []) -> RecurrenceSet {
                RecurrenceSet(start: start, rules: rules, exceptionRules: without, resolver: resolver())
            }
            let horizon = start.localSeconds + 100 * 86_400
            func all(_ set: RecurrenceSet) throws -> [CalendarDateOrDateTime] {
                var occurrences = try set.occurrences()
                var found: [CalendarDateOrDateTime] = []
                while let next = try? occurrences.next(), next.localSeconds < horizon { found.append(next) }
                return found
            }
            let taken = Set(try all(set([rules[1]])).map(\.localSeconds))
            let left = try all(set([rules[0]])).filter { !taken.contains($0.localSeconds) }
            #expect(try all(set([rules[0]], without: [rules[1]])) == left, "\(rules.map(\.wire))")
        }
    }

    @Test("counting the occurrences before a moment has the step limit of a search")
    func counting() throws {
        let start = try moment("00010101T000000", "UTC")
        let rule = try RecurrenceRule(wire: "FREQ=SECONDLY;COUNT=2147483647")
        let set = RecurrenceSet(start: start, rules: [rule], resolver: resolver())
        #expect(throws: RecurrenceError.budgetExceeded) {
            try set.count(before: try moment("20260101T000000", "UTC"), limit: 2_147_483_647)
        }
    }
}
