import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport
import Testing

/// One line of a table of rules.
struct RuleCase: CustomTestStringConvertible, Sendable {
    let start: String
    let rule: String
    let expected: [String]
    let continues: Bool
    var testDescription: String { "\(self.start) \(self.rule)" }

    /// Reads the form that `Fixtures/rrule/rfc5545-3.8.5.3.txt` describes.
    init?(_ line: Substring) {
        let halves = line.split(separator: "|")
        guard !line.hasPrefix("#"), halves.count == 2 else { return nil }
        let head = halves[0].split(separator: " ")
        self.start = String(head[0])
        self.rule = String(head[1])
        let words = halves[1].split(separator: " ")
        self.continues = words.last == "…"
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

@Suite("RFC 5545 3.3.10 and 3.8.5.3, RFC 7529: the examples of RRULE")
struct ExampleTests {
    /// A table, the number of its rules, and the time zone of the RFC's examples.
    static let tables: [(path: String, count: Int, zone: String?)] = [
        ("rrule/rfc5545-3.3.10.txt", 15, "America/New_York"), ("rrule/rfc5545-3.8.5.3.txt", 43, "America/New_York"),
        ("rrule/rfc7529.txt", 21, nil),
    ]

    static let examples = tables.flatMap { table in
        ((try? RuleCase.table(table.path)) ?? []).map { (rule: $0, zone: table.zone) }
    }

    @Test("the occurrences are those in the text of the RFC", arguments: examples)
    func occurrences(_ example: (rule: RuleCase, zone: String?)) throws {
        let set = try series(example.rule.start, example.rule.rule, tzid: example.zone)
        let expected = example.rule.expected
        let found = try set.first(expected.count + 1).map(\.wire)
        #expect(Array(found.prefix(expected.count)) == expected)
        #expect((found.count > expected.count) == example.rule.continues)
    }

    @Test("each occurrence is the next after the one before", arguments: examples)
    func jumps(_ example: (rule: RuleCase, zone: String?)) throws {
        let set = try series(example.rule.start, example.rule.rule, tzid: example.zone)
        for (earlier, later) in zip(example.rule.expected, example.rule.expected.dropFirst()) {
            #expect(try set.next(after: try moment(earlier, example.zone))?.wire == later)
        }
    }

    @Test("every Friday the 13th, with the EXDATE of the text")
    func fridays() throws {
        let start = try moment("19970902T090000", "America/New_York")
        let set = RecurrenceSet(
            start: start,
            rules: [try RecurrenceRule(wire: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13")],
            exceptions: [start],
            resolver: resolver()
        )
        #expect(
            try set.first(5).map(\.wire) == [
                "19980213T090000", "19980313T090000", "19981113T090000", "19990813T090000", "20001013T090000",
            ]
        )
    }

    @Test("every example of the tables is read", arguments: tables)
    func tableIsWhole(_ table: (path: String, count: Int, zone: String?)) throws {
        #expect(try RuleCase.table(table.path).count == table.count)
    }
}
