import ICalendar
import TestSupport
import Testing

@testable import CLI

@Suite("HOW something repeats, in words")
struct RepeatPhraseTests {
    /// One row of `Fixtures/cli/repeat-phrases.tsv`.
    private struct Row {
        let phrase: String
        let rule: String
        let sentence: String
        var isRefusal: Bool { "?!.".contains(self.rule.prefix(1)) }
    }

    private static func rows() throws -> [Row] {
        try PhraseTable("cli/repeat-phrases.tsv", columns: 3).rows.map {
            Row(phrase: $0[0], rule: $0[1], sentence: $0[2])
        }
    }

    private static let sentence = RuleSentence(zone: .berlin)

    @Test("every row of the table is understood and said, or refused, as it says")
    func table() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 300)
        for row in rows {
            do throws(UsageError) {
                let rule = try ArgumentValues.repeatRule(row.phrase)?.wire ?? "none"
                #expect(rule == row.rule, "\(row.phrase)")
                #expect(Self.sentence.text(rule) == row.sentence, "\(row.phrase)")
            } catch {
                let isExpected = error.code == .badValue && PhraseTable.matches(row.rule, error, of: row.phrase)
                #expect(isExpected, "\(row.phrase): \(row.rule) and not \(error)")
            }
        }
    }

    @Test("what is said of a rule is read as the same rule, and said of that again")
    func roundTrip() throws {
        var said = 0
        for row in try Self.rows() where !row.isRefusal && row.sentence != row.rule && !row.rule.contains("00Z") {
            guard !row.rule.contains("59Z") else { continue }
            said += 1
            let again = try #require(try ArgumentValues.repeatRule(row.sentence), "\(row.sentence)")
            #expect(again.wire == row.rule, "\(row.sentence)")
            #expect(Self.sentence.words(again) == row.sentence, "\(row.sentence)")
        }
        #expect(said > 200)
    }

    @Test("case, blanks and a comma before the end make no difference")
    func spelling() throws {
        for row in try Self.rows() where !row.isRefusal && !row.phrase.contains("=") {
            let spread = " " + row.phrase.uppercased().split(separator: " ").joined(separator: "  ") + "\t"
            #expect(try ArgumentValues.repeatRule(spread)?.wire == row.rule, "\(row.phrase)")
        }
    }

    @Test("whatever a rule is, its words mean it and nothing simpler", arguments: 0..<40)
    func anyRule(seed: Int) throws {
        var generator = SeededGenerator(UInt64(seed))
        var said = 0
        for _ in 0..<250 {
            let rule = Self.rule(&generator)
            guard let words = Self.sentence.words(rule) else { continue }
            said += 1
            var heard = try #require(try ArgumentValues.repeatRule(words), "\(words)")
            if case .dateTime(let until)? = rule.until, until.zone == .utc {
                // As it is when it is added: in UTC.
                heard.until = .dateTime(CalendarDateTime(utc: Self.last(heard.until)))
            }
            #expect(heard == rule, "\(words)")
        }
        #expect(said > 20)
    }

    @Test("the words of a rule at the end of a title are read there as the same rule", arguments: 0..<10)
    func inTitle(seed: Int) throws {
        var generator = SeededGenerator(UInt64(seed + 500))
        let reader = TitleParser(kinds: Set(ParsedTitle.Kind.allCases), lists: [], now: .test, zone: .berlin)
        var said = 0
        for _ in 0..<120 {
            guard let words = Self.sentence.words(Self.rule(&generator)) else { continue }
            said += 1
            let line = try reader.read("Water the plants \(words)")
            #expect(line.rule == (try ArgumentValues.repeatRule(words)) && line.title == "Water the plants", "\(words)")
            #expect(line.when == nil && line.taken.map(\.text) == [words], "\(words)")
        }
        #expect(said > 10)
    }

    private static func last(_ until: CalendarDateOrDateTime?) -> Instant {
        switch until {
        case .date(let day)?: LocalZone.berlin.instant(day, ClockTime(secondsOfDay: 86_399))
        case .dateTime(let time)?: LocalZone.berlin.instant(time.date, time.time)
        case nil: Instant(secondsSince1970: 0)
        }
    }

    /// A rule of the parts that have words, and now and then of one that has none.
    static func rule(_ generator: inout SeededGenerator) -> RecurrenceRule {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
        func some<Value>(_ values: [Value]) -> [Value] {
            Array(values.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)))
        }
        let frequency = RecurrenceRule.Frequency.allCases.randomElement(using: &generator) ?? .daily
        var rule = RecurrenceRule(
            frequency: frequency,
            interval: chance(50) ? 1 : Int.random(in: 2...40, using: &generator)
        )
        let isLong = frequency >= .monthly
        if chance(frequency == .weekly ? 60 : isLong ? 30 : 5) {
            rule.byDay = some(Weekday.allCases).map { day in
                .init(
                    ordinal: isLong && chance(80) ? [1, 2, 3, 4, 5, -1, -2].randomElement(using: &generator) : nil,
                    weekday: day
                )
            }
        }
        if chance(isLong ? 40 : 3) { rule.byMonthDay = some(Array(1...31) + [-1, -1, -1, -2]) }
        if chance(frequency == .yearly ? 60 : 3) { rule.byMonth = some(Array(1...12)) }
        if chance(5) { rule.bySetPosition = some([1, 2, -1]) }
        if chance(2) { rule.byHour = [9] }
        if chance(10) { rule.weekStart = Weekday.allCases.randomElement(using: &generator) ?? .monday }
        if chance(20) { rule.count = Int.random(in: 1...60, using: &generator) }
        let seconds = Int64.random(in: 1_795_000_000..<2_500_000_000, using: &generator)
        let moment = CalendarDateTime(utc: Instant(secondsSince1970: seconds / 60 * 60 - (chance(30) ? 1 : 0)))
        if chance(15) { rule.until = .dateTime(moment) }
        if chance(15) { rule.until = .date(moment.date) }
        return rule
    }
}
