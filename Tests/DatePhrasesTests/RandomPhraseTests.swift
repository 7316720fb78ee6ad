import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavDatePhrases

@Suite("random words")
struct RandomPhraseTests {
    private static let words = [
        "in", "on", "at", "the", "of", "and", ",", "next", "last", "first", "every", "other", "until", "for", "times",
        "once",
        "today", "tomorrow", "none", "noon", "midnight", "am", "pm", "end", "month", "eom", "fri", "monday", "weekday",
        "day",
        "days", "week", "weeks", "from", "years", "min", "h", "dec", "march", "daily", "monthly", "yearly", "a", "two",
        "0",
        "1", "3", "9", "12", "15", "24", "31", "99", "2027", "9999", "1st", "2nd", "th", "9am", "9:30", "17:30",
        "24:00",
        "2027-06-01", "03/04/2027", "1.5", "-1", "x", "",
    ]

    private static func salad(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...6, using: &generator))
            .compactMap { _ in Self.words.randomElement(using: &generator) }.joined(separator: " ")
    }

    @Test(
        "WHEN parses them or names the unknown word, and a phrase without a year is not past",
        arguments: 0..<Cases.count(20)
    )
    func when(seed: Int) throws {
        var generator = SeededGenerator(UInt64(seed))
        var understood = 0
        for _ in 0..<250 {
            let text = Self.salad(&generator)
            do throws(PhraseError) {
                let when = try When(text)
                understood += 1
                guard let due = when.resolved(now: .test, zone: .berlin) else { continue }
                switch when {
                case .day(.days(0), _), .day(.period(.month, _, _), _), .absent: break
                case _ where when.mayBePast: break
                default: #expect((try? due.checkedToBeInFuture(now: .test, zone: .berlin)) != nil, "\(text)")
                }
            } catch {
                #expect(error.code == .badWhen)
                #expect(error.sentence.hasSuffix("or RFC 3339."), "\(text)")
            }
        }
        #expect(understood > 5)
    }

    @Test("--repeat parses them or names the unknown word, and prints the parsed rule", arguments: 0..<Cases.count(20))
    func repeats(seed: Int) throws {
        var generator = SeededGenerator(UInt64(seed + 1000))
        var understood = 0
        for _ in 0..<1000 {
            let text = ("every " + Self.salad(&generator)).trimmingWhiteSpace
            let found: RecurrenceRule?
            do throws(PhraseError) { found = try RepeatPhrase.read(text)?.rule } catch {
                #expect(error.code == .badValue)
                let saysWhy = ["is not understood.", "is missing after '\(text)'.", "'\(text)' "]
                #expect(saysWhy.contains { error.sentence.contains($0) }, "\(text): \(error)")
                let isGuess = error.sentence.contains("Did you mean '")
                #expect(error.sentence.hasSuffix(RepeatPhrase.forms) != isGuess, "\(text)")
                continue
            }
            understood += 1
            let rule = try #require(found, "\(text)")
            let words = try #require(RuleSentence(zone: .berlin).words(rule), "\(text)")
            #expect(try RepeatPhrase.read(words)?.rule == rule, "\(text)")
            #expect(try RecurrenceRule(wire: rule.wire) == rule, "\(text)")
        }
        #expect(understood > 0)
    }
}
