import RemindavICalendar
import Testing

@testable import RemindavDatePhrases

@Suite("2,000 phrases with the meanings computed by Tests/Phrases/table.py")
struct PhraseTableTests {
    private static let rows = Result { try PhraseTable("cli/phrases.tsv", columns: 4).rows }

    /// Replaces escapes such as `\u{1b}` for invisible characters.
    private static func unescaped(_ text: String) -> String {
        text.replacing(/\\u\{([0-9a-f]+)\}/) { match in
            UInt32(match.1, radix: 16).flatMap { Unicode.Scalar($0) }.map { String($0) } ?? "?"
        }
    }

    @Test("there are 2,000 or more, half of them refusals, and none is there twice")
    func size() throws {
        let rows = try Self.rows.get()
        #expect(rows.count >= 2000)
        #expect(rows.count { $0[3].hasPrefix("REFUSED") } * 2 == rows.count)
        #expect(Set(rows.map { $0[0...2].joined(separator: "\t") }).count == rows.count)
    }

    @Test("every phrase for --due has the expected meaning, or an error with the unknown word and the correct form")
    func due() throws {
        var zones: [String: LocalZone] = [:]
        for row in try Self.rows.get() where row[0] == "due" {
            let place = row[1].split(separator: " ").map(String.init)
            let zone = try zones[place[1]] ?? LocalZone.fixture(place[1])
            zones[place[1]] = zone
            let now = try #require(RFC3339.parse(place[0])).instant
            let (phrase, expected) = (Self.unescaped(row[2]), Self.unescaped(row[3]))
            let found: String
            do throws(PhraseError) {
                let due = try When(phrase).resolved(now: now, zone: zone)?.checkedToBeInFuture(now: now, zone: zone)
                found = PhraseTable.meaning(due)
            } catch {
                found = Self.refusal(error, expected, of: phrase)
                let end = error.code == .mustBeInFuture ? "or 'none' for no date." : "or RFC 3339."
                #expect(error.sentence.hasSuffix(end), "\(row)")
            }
            #expect(found == expected, "\(row[2]) at \(row[1])")
        }
    }

    @Test("every phrase for --repeat has the expected meaning, or an error with the unknown word and the correct form")
    func repeats() throws {
        for row in try Self.rows.get() where row[0] == "repeat" {
            let (phrase, expected) = (Self.unescaped(row[2]), Self.unescaped(row[3]))
            let found: String
            do throws(PhraseError) {
                found = try RepeatPhrase.read(phrase).map { "rule \($0.rule.wire)" } ?? "none"
                // The parts of a rule may be in any order.
                let rule = expected.hasPrefix("rule ") ? try? RecurrenceRule(wire: String(expected.dropFirst(5))) : nil
                #expect(found == (rule.map { "rule \($0.wire)" } ?? expected), "\(row[2])")
            } catch {
                #expect(Self.refusal(error, expected, of: phrase) == expected, "\(row[2])")
                let isGuess = error.sentence.contains("Did you mean '")
                #expect(error.sentence.hasSuffix(RepeatPhrase.forms) != isGuess, "\(row[2])")
            }
        }
    }

    /// Returns the expected text if the error has it, and otherwise the sentence of the error.
    private static func refusal(_ error: PhraseError, _ expected: String, of phrase: String) -> String {
        // The text is split by scalars: a blank with a combining character is one character.
        let words = expected.unicodeScalars.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1, words[0] == "REFUSED" else { return "\(error)" }
        let rest = words.count > 2 ? words[2] : ""
        let isExpected =
            switch words[1] {
            case "past": error.code == .mustBeInFuture
            case "missing": error.sentence.hasPrefix("Something is missing after '\(phrase)'.")
            case "empty": error.sentence.hasPrefix("The text is empty.")
            case "long": error.sentence.contains("has more than 512 bytes") && error.sentence.utf8.count < 600
            case "says": error.sentence.contains(rest)
            case "word": Self.names(rest, error, of: phrase)
            default: false
            }
        return isExpected ? expected : "\(error)"
    }

    /// `W`, or `W guess G`.
    private static func names(_ text: String, _ error: PhraseError, of phrase: String) -> Bool {
        let parts = text.split(separator: " guess ", maxSplits: 1).map(String.init)
        let place = parts[0] == phrase ? "" : " in '\(phrase)'"
        guard error.sentence.hasPrefix("'\(parts[0])'\(place) is not understood.") else { return false }
        return parts.count < 2 || error.sentence.contains("Did you mean '\(parts[1])'?")
    }
}
