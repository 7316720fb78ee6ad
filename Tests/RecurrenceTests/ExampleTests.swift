import ICalendar
import Recurrence
import TestSupport
import Testing

/// One line of a table of rules.
struct RuleCase: CustomTestStringConvertible, Sendable {
    let start: String
    let rule: String
    let expected: [String]
    let goesOn: Bool
    var testDescription: String { "\(self.start) \(self.rule)" }

    /// Reads the form that `Fixtures/rrule/rfc5545-3.8.5.3.txt` describes.
    init?(_ line: Substring) {
        let halves = line.split(separator: "|")
        guard !line.hasPrefix("#"), halves.count == 2 else { return nil }
        let head = halves[0].split(separator: " ")
        self.start = String(head[0])
        self.rule = String(head[1])
        let words = halves[1].split(separator: " ")
        self.goesOn = words.last == "…"
        let startTime = head[0].drop { $0 != "T" }
        var month = ""
        var expected: [String] = []
        for word in words where word != "…" {
            if word.count == 6 {
                month = String(word)
            } else {
                expected.append(month + word + (word.count == 2 ? startTime : ""))
            }
        }
        self.expected = expected
    }

    static func table(_ path: String) throws -> [RuleCase] {
        try Fixture.text(path).split(separator: "\n").compactMap(RuleCase.init)
    }
}

@Suite("RFC 5545 3.8.5.3: the examples of RRULE")
struct ExampleTests {
    @Test("the occurrences are those of the text", arguments: try RuleCase.table("rrule/rfc5545-3.8.5.3.txt"))
    func examples(_ example: RuleCase) throws {
        let set = try series(example.start, example.rule, tzid: "America/New_York")
        let found = try set.first(example.expected.count + 1).map(\.wire)
        #expect(Array(found.prefix(example.expected.count)) == example.expected)
        #expect((found.count > example.expected.count) == example.goesOn)
    }

    @Test(
        "each occurrence is the next after the one before",
        arguments: try RuleCase.table("rrule/rfc5545-3.8.5.3.txt")
    )
    func jumps(_ example: RuleCase) throws {
        let set = try series(example.start, example.rule, tzid: "America/New_York")
        for (earlier, later) in zip(example.expected, example.expected.dropFirst()) {
            let next = try set.next(after: try moment(earlier, "America/New_York"))
            #expect(next?.wire == later)
        }
    }

    @Test("RFC 7529: what the Gregorian calendar does not have", arguments: try RuleCase.table("rrule/rfc7529.txt"))
    func skip(_ example: RuleCase) throws {
        #expect(try series(example.start, example.rule).first(40).map(\.wire) == example.expected)
        for (earlier, later) in zip(example.expected, example.expected.dropFirst()) {
            #expect(try series(example.start, example.rule).next(after: try moment(earlier))?.wire == later)
        }
    }

    @Test("no example is lost in reading the table")
    func tableIsWhole() throws {
        #expect(try RuleCase.table("rrule/rfc7529.txt").count == 18)
        #expect(try RuleCase.table("rrule/rfc5545-3.8.5.3.txt").count == 42)
    }
}
