import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavDatePhrases

@Suite("phrases for a repetition")
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

    @Test("every row of the table is parsed and formatted, or an error, as stated")
    func table() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 300)
        for row in rows {
            do throws(PhraseError) {
                let rule = try RepeatPhrase.read(row.phrase)?.rule.wire ?? "none"
                #expect(rule == row.rule, "\(row.phrase)")
                #expect(Self.sentence.text(rule) == row.sentence, "\(row.phrase)")
            } catch {
                let isExpected = error.code == .badValue && PhraseTable.matches(row.rule, error, of: row.phrase)
                #expect(isExpected, "\(row.phrase): \(row.rule) and not \(error)")
            }
        }
    }

    @Test("the phrase of a rule is parsed as the same rule and formatted the same way")
    func roundTrip() throws {
        var said = 0
        for row in try Self.rows() where !row.isRefusal && row.sentence != row.rule && !row.rule.contains("00Z") {
            guard !row.rule.contains("59Z") else { continue }
            said += 1
            let again = try #require(try RepeatPhrase.read(row.sentence)?.rule, "\(row.sentence)")
            #expect(again.wire == row.rule, "\(row.sentence)")
            #expect(Self.sentence.words(again) == row.sentence, "\(row.sentence)")
        }
        #expect(said > 200)
    }

    @Test("the phrase of each rule without named days, counted from the completion, is parsed as the same rule")
    func fromCompletion() throws {
        var said = 0
        for row in try Self.rows() where !row.isRefusal && row.sentence != row.rule && !row.rule.contains("Z") {
            guard let rule = try RecurrenceRule(wire: row.rule).countedFromCompletion() else {
                let named = row.sentence.hasSuffix("times") ? nil : "\(row.sentence) after done"
                guard let named else { continue }
                #expect(throws: PhraseError.self, "\(named)") { try RepeatPhrase.read(named) }
                continue
            }
            said += 1
            let words = try #require(Self.sentence.words(rule), "\(row.rule)")
            #expect(words.contains(" after completion"))
            #expect(try RepeatPhrase.read(words)?.rule == rule, "\(words)")
            #expect(Self.sentence.text(row.rule, fromCompletion: true) == words)
        }
        #expect(said > 20)
    }

    @Test("case, blanks and a comma before the end make no difference")
    func spelling() throws {
        for row in try Self.rows() where !row.isRefusal && !row.phrase.contains("=") {
            let spread = " " + row.phrase.uppercased().split(separator: " ").joined(separator: "  ") + "\t"
            #expect(try RepeatPhrase.read(spread)?.rule.wire == row.rule, "\(row.phrase)")
        }
    }

    @Test("the phrase of any rule means exactly that rule", arguments: 0..<40)
    func anyRule(seed: Int) throws {
        var generator = SeededGenerator(UInt64(seed))
        var said = 0
        for _ in 0..<250 {
            let rule = RecurrenceRule.random(&generator)
            guard let words = Self.sentence.words(rule) else { continue }
            said += 1
            var heard = try #require(try RepeatPhrase.read(words)?.rule, "\(words)")
            if case .dateTime(let until)? = rule.until, until.zone == .utc {
                // In the form in which it is stored: in UTC.
                heard.until = .dateTime(CalendarDateTime(utc: Self.last(heard.until)))
            }
            #expect(heard == rule, "\(words)")
        }
        #expect(said > 20)
    }

    @Test("the phrase of a rule at the end of a title is parsed as the same rule", arguments: 0..<10)
    func inTitle(seed: Int) throws {
        var generator = SeededGenerator(UInt64(seed + 500))
        let reader = TitleParser(kinds: Set(ParsedTitle.Kind.allCases), lists: [], now: .test, zone: .berlin)
        var said = 0
        for _ in 0..<Cases.count(120) {
            guard let words = Self.sentence.words(.random(&generator)) else { continue }
            said += 1
            let line = try reader.read("Water the plants \(words)")
            #expect(line.rule == (try RepeatPhrase.read(words)?.rule) && line.title == "Water the plants", "\(words)")
            #expect(line.when == nil && line.removed.map(\.text) == [words], "\(words)")
        }
        #expect(said > 0)
    }

    private static func last(_ until: CalendarDateOrDateTime?) -> Instant {
        switch until {
        case .date(let day)?: LocalZone.berlin.instant(day, ClockTime(secondsOfDay: 86_399))
        case .dateTime(let time)?: LocalZone.berlin.instant(time.date, time.time)
        case nil: Instant(secondsSince1970: 0)
        }
    }
}
