import RemindavTestSupport
import Testing

@testable import RemindavICalendar

@Suite("canonical form")
struct FormattingTests {
    static let fixtures = (try? Fixture.names(in: "ics", endingWith: ".ics")) ?? []

    @Test("every name in the canonical order is known and occurs once")
    func order() {
        #expect(CanonicalOrder.properties.allSatisfy { Name(known: $0).number != NameTable.unknown })
        #expect(Set(CanonicalOrder.properties).count == CanonicalOrder.properties.count)
    }

    @Test("formatting is idempotent and loses nothing", arguments: fixtures)
    func idempotent(fixture: String) throws {
        try Self.check(try Fixture.bytes("ics/\(fixture)"))
    }

    @Test("the same holds for fixtures that are truncated or lack a line", arguments: Cases.sample(fixtures))
    func damaged(fixture: String) throws {
        let bytes = try Fixture.bytes("ics/\(fixture)")
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for step in 1..<12 {
            try Self.check(Array(bytes.prefix(bytes.count * step / 12)))
            var fewer = lines
            fewer.remove(at: lines.count * step / 12)
            try Self.check(Array(fewer.joined(separator: [0x0A])))
            var more = lines
            more.insert(lines[lines.count * (12 - step) / 12], at: lines.count * step / 12)
            try Self.check(Array(more.joined(separator: [0x0A])))
        }
    }

    @Test("a stream with line ends that change after its beginning stays unchanged")
    func twoKindsOfLines() {
        let todo = "BEGIN:VTODO\rUID:1\rSUMMARY:a\rEND:VTODO\r"
        let beginning = String(repeating: todo, count: (1 << 16) / todo.utf8.count + 1)
        let bytes = Array((beginning + "BEGIN:VTODO\nUID:2\nSUMMARY:b\nEND:VTODO\n").utf8)
        #expect(ICalendarDocument(bytes).reformatted() == bytes)
    }

    /// Checks that formatting keeps lines and meaning, and that the result has the canonical form.
    private static func check(_ bytes: [UInt8]) throws {
        let document = ICalendarDocument(bytes)
        let formatted = document.reformatted()
        let again = ICalendarDocument(formatted)
        #expect(again.reformatted() == formatted)
        #expect(Self.lines(again) == Self.lines(document))
        #expect(again.issues.map(\.code.rawValue).sorted() == document.issues.map(\.code.rawValue).sorted())
        #expect(again.components.map { $0.meaning() } == document.components.map { $0.meaning() })
        for line in formatted.split(separator: 0x0A) {
            #expect(line.count <= 76 && line.last == 0x0D)
        }
    }

    /// Returns the unfolded lines that are not blank, with their numbers of occurrences.
    private static func lines(_ document: ICalendarDocument) -> [[UInt8]: Int] {
        document.storage.lines.indices.reduce(into: [:]) { lines, index in
            guard document.storage.lines[index].kind != .blank else { return }
            lines[Array(document.storage.content(index)), default: 0] += 1
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let expected: String
    }

    static let cases = [
        Case(
            testDescription: "the calendar's own properties first, then its zones, then the others as they came",
            text: """
                BEGIN:VCALENDAR|BEGIN:VTODO|UID:2|END:VTODO|METHOD:PUBLISH|BEGIN:VEVENT|UID:1|END:VEVENT|X-B:1|\
                BEGIN:VTIMEZONE|TZID:a|END:VTIMEZONE|PRODID:p|VERSION:2.0|END:VCALENDAR|
                """,
            expected: """
                BEGIN:VCALENDAR|VERSION:2.0|PRODID:p|METHOD:PUBLISH|X-B:1|BEGIN:VTIMEZONE|TZID:a|END:VTIMEZONE|\
                BEGIN:VTODO|UID:2|END:VTODO|BEGIN:VEVENT|UID:1|END:VEVENT|END:VCALENDAR|
                """
        ),
        Case(
            testDescription: "properties in their order, unknown ones by name, several of one name as they came",
            text: """
                BEGIN:VTODO|X-B:2|x-a:1|X-B:1|BEGIN:VALARM|TRIGGER:PT0S|ACTION:AUDIO|END:VALARM|COMMENT:b|\
                SUMMARY:s|COMMENT:a|DTSTAMP:20260101T000000Z|UID:1|END:VTODO|
                """,
            expected: """
                BEGIN:VTODO|UID:1|DTSTAMP:20260101T000000Z|SUMMARY:s|COMMENT:b|COMMENT:a|x-a:1|X-B:2|X-B:1|\
                BEGIN:VALARM|ACTION:AUDIO|TRIGGER:PT0S|END:VALARM|END:VTODO|
                """
        ),
        Case(
            testDescription: "a component with an unreadable line keeps its order",
            text: "BEGIN:VTODO|lost|SUMMARY:a|second line|BEGIN:VALARM|END:VALARM|after it|UID:1|END:VTODO|",
            expected: "BEGIN:VTODO|lost|SUMMARY:a|second line|BEGIN:VALARM|END:VALARM|after it|UID:1|END:VTODO|"
        ),
        Case(
            testDescription: "a text that is torn over several lines stays together, also where one has a colon",
            text: "BEGIN:VTODO|DESCRIPTION:Agenda|Call: Bob|SUMMARY:s|END:VTODO|",
            expected: "BEGIN:VTODO|DESCRIPTION:Agenda|Call: Bob|SUMMARY:s|END:VTODO|"
        ),
        Case(
            testDescription: "an END without its colon keeps what follows it",
            text: "BEGIN:VTODO|SUMMARY:a|UID:1|END VTODO|BEGIN:VTODO|UID:2|END:VTODO|",
            expected: "BEGIN:VTODO|SUMMARY:a|UID:1|END VTODO|BEGIN:VTODO|UID:2|END:VTODO|"
        ),
        Case(
            testDescription: "a line that begins with a space is not joined to another",
            text: "BEGIN:VTODO|URL:a|| odd|UID:1|END:VTODO|",
            expected: "BEGIN:VTODO|URL:a|| odd|UID:1|END:VTODO|"
        ),
        Case(
            testDescription: "a text with raw line ends stays one text",
            text: "BEGIN:VTODO|SUMMARY:a|b c|| odd|UID:1|END:VTODO|",
            expected: "BEGIN:VTODO|UID:1|SUMMARY:a|b c|| odd|END:VTODO|"
        ),
        Case(
            testDescription: "a soft line break is undone",
            text: "BEGIN:VTODO|SUMMARY;QUOTED-PRINTABLE:a=|b=3D=|UID 1|UID:1|END:VTODO|",
            expected: "BEGIN:VTODO|UID:1|SUMMARY;QUOTED-PRINTABLE:ab=3DUID 1|END:VTODO|"
        ),
        Case(
            testDescription: "a soft line break is undone where the parameters are folded too",
            text: "BEGIN:VTODO|SUMMARY;QUOTED-| PRINTABLE:a=|b| c=|UID:1|END:VTODO|",
            expected: "BEGIN:VTODO|UID:1|SUMMARY;QUOTED-PRINTABLE:abc|END:VTODO|"
        ),
        Case(
            testDescription: "a text that breaks off at a soft line break is ended",
            text: "BEGIN:VTODO|SUMMARY;QUOTED-PRINTABLE:a==|UID:1|X-A:1|END:VTODO|",
            expected: "BEGIN:VTODO|UID:1|SUMMARY;QUOTED-PRINTABLE:a|X-A:1|END:VTODO|"
        ),
        Case(
            testDescription: "a zone without an END stays last",
            text: "BEGIN:VCALENDAR|BEGIN:VTODO|END:VTODO|BEGIN:VTIMEZONE|TZID:a|VERSION:2.0|END:VCALENDAR|",
            expected: "BEGIN:VCALENDAR|BEGIN:VTODO|END:VTODO|BEGIN:VTIMEZONE|VERSION:2.0|TZID:a|END:VCALENDAR|"
        ),
        Case(
            testDescription: "a component with a stray END keeps its order",
            text: "BEGIN:VTODO|SUMMARY:a|END:VEVENT|UID:1|END:VTODO|",
            expected: "BEGIN:VTODO|SUMMARY:a|END:VEVENT|UID:1|END:VTODO|"
        ),
    ]

    @Test("the order of", arguments: cases)
    func order(_ test: Case) {
        let text = test.text.replacing("|", with: "\n")
        let formatted = ICalendarDocument(text).reformatted()
        #expect(String(decoding: formatted, as: UTF8.self) == test.expected.replacing("|", with: "\r\n"))
    }

    @Test("a line has one folding, independent of its original folding", arguments: [66, 67, 68, 140, 141, 142, 300])
    func folding(length: Int) {
        for letter in ["a", "ü", "日", "\u{1F468}"] {
            let text = String(repeating: "a", count: length % 7) + String(repeating: letter, count: length)
            let line = ContentLine(Name(known: "SUMMARY"), text: text)
            let expected = Array("BEGIN:VTODO\r\nUID:1\r\n".utf8) + line.bytes() + Array("END:VTODO\r\n".utf8)
            #expect(ICalendarDocument(expected).reformatted() == expected)
            for width in [1, 2, 73, 74, 75, 76, 149, 1000] {
                for fold in ["\r\n ", "\r\n\t", "\n "] {
                    let folded = Self.fold(line.unfolded, width: width, fold)
                    let source = Array("BEGIN:VTODO\r\nUID:1\r\n".utf8) + folded + Array("\r\nEND:VTODO\r\n".utf8)
                    #expect(ICalendarDocument(source).reformatted() == expected)
                }
            }
        }
    }

    private static func fold(_ line: [UInt8], width: Int, _ fold: String) -> [UInt8] {
        var parts: [ArraySlice<UInt8>] = []
        var rest = line[...]
        while !rest.isEmpty {
            parts.append(rest.prefix(width))
            rest = rest.dropFirst(width)
        }
        return Array(parts.joined(separator: Array(fold.utf8)))
    }

    @Test("components beyond the depth limit keep their order and receive no other lines")
    func tooDeep() throws {
        let open = (0..<20).map { "BEGIN:X-\($0)\nSUMMARY:\($0)\nUID:\($0)\n" }.joined()
        let text = "\(open)END:X-15\nDUE:1\nUID:1\n"
        try Self.check(Array(text.utf8))
    }

    @Test("many properties are sorted")
    func manyProperties() {
        let lines = (0..<50_000).map { "X-\($0 % 977):\($0)\r\n" }.joined()
        let document = ICalendarDocument("BEGIN:VTODO\r\n\(lines)END:VTODO\r\n")
        #expect(document.reformatted().count == document.bytes.count)
    }
}
