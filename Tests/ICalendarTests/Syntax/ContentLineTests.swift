import RemindavICalendar
import Testing

@Suite("content lines (RFC 5545 §3.1, RFC 6868)")
struct ContentLineTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let name: String?
        var parameters: [Parameter] = []
        var value = ""
        var issue: ParseIssue.Code?
        var testDescription: String { self.text.debugDescription }
    }

    static let cases = [
        Case(text: "summary:Milk: 2 l", name: "summary", value: "Milk: 2 l"),
        Case(text: "SUMMARY:", name: "SUMMARY", value: ""),
        Case(text: "SUMMARY::x", name: "SUMMARY", value: ":x"),
        Case(text: "X_ODD:1", name: "X_ODD", value: "1"),
        Case(text: "SUMMARY", name: nil, issue: .missingColon),
        Case(text: "no name: at all", name: nil, issue: .badName),
        Case(text: ":value", name: nil, issue: .badName),
        Case(text: #"DUE;TZID="Europe/Oslo:20260301"#, name: nil, issue: .unclosedQuote),
        Case(
            text: #"DUE;TZID="Europe/Oslo";X-A=b,"c;d:e":20260301T090000"#,
            name: "DUE",
            parameters: [Parameter(.tzid, "Europe/Oslo"), Parameter(Name("X-A") ?? .due, ["b", "c;d:e"])],
            value: "20260301T090000"
        ),
        Case(
            text: #"X-A;X-N="a^nb^'c^^d^x":v"#,
            name: "X-A",
            parameters: [Parameter(Name("X-N") ?? .due, "a\nb\"c^d^x")],
            value: "v"
        ),
    ]

    @Test("a line is parsed by its grammar", arguments: cases)
    func read(_ test: Case) {
        let document = ICalendarDocument("BEGIN:VTODO\r\n\(test.text)\r\nEND:VTODO\r\n")
        let property = document.components.first?.properties.first
        #expect(property?.name.wire == test.name)
        #expect(document.issues.first?.code == test.issue)
        guard let property else { return }
        #expect(property.parameters == test.parameters)
        #expect(property.value == test.value)
        #expect(property.line == 2)
    }

    @Test("a bad line does not affect other lines")
    func badLine() {
        let document = ICalendarDocument("BEGIN:VTODO\nPRIORITY:1\nrubbish\nDUE:20260101\nEND:VTODO\n")
        #expect(document.components.first?.properties.map(\.name) == [.priority, .due])
        #expect(document.issues == [ParseIssue(.missingColon, line: 3)])
    }

    @Test("a text with raw line ends is one text for any number of findings, in linear time")
    func manyTornLines() throws {
        let bad = String(repeating: "no colon\n", count: 2000)
        let torn = String(repeating: "a\n", count: 100_000)
        let document = ICalendarDocument(
            "BEGIN:VTODO\nPRIORITY:1\n\(bad)DESCRIPTION;LANGUAGE=de:x\n\(torn)UID:1\nEND:VTODO\n"
        )
        let todo = try #require(document.components.first)
        #expect(todo.first(.description)?.text.utf8.count == 200_001)
        #expect(todo.properties.map(\.name) == [.priority, .description, .uid])
    }

    @Test("a known name in capitals without a colon is not part of the preceding text")
    func missingColon() {
        let document = ICalendarDocument(
            "BEGIN:VTODO\nSUMMARY:a\nDUE 20260101\nEND VTODO\nSUMMARY:b\nDUE;TZID=Europe/Berlin\nEND:VTODO\n"
        )
        #expect(document.components.first?.all(.summary).map(\.text) == ["a", "b"])
        #expect(document.issues.map(\.code) == [.missingColon, .missingColon, .missingColon])
        let text = ICalendarDocument("BEGIN:VTODO\nSUMMARY:a\n\nEND of it\nEND:VTODO\n")
        #expect(text.components.first?.first(.summary)?.text == "a\n\nEND of it")
    }

    @Test(
        "a text with raw line ends is one text, and is edited as one",
        arguments: ["\r\n", "\n", "\r"]
    )
    func tornText(end: String) throws {
        let text = "BEGIN:VTODO|DESCRIPTION:one, two|and three: 3|||no colon|  (folded)|DUE:20260101|END:VTODO|"
        let document = ICalendarDocument(text.replacing("|", with: end))
        let todo = try #require(document.components.first)
        #expect(todo.properties.map(\.name) == [.description, .due])
        #expect(todo.first(.description)?.text == "one, two\nand three: 3\n\n\nno colon (folded)")
        #expect(document.issues == [ParseIssue(.tornText, line: 3, subject: "DESCRIPTION")])
        var editor = ComponentEditor(todo)
        editor.set(ContentLine(.description, text: "new"))
        let edited = String(decoding: document.applying(editor.edits).bytes, as: UTF8.self)
        #expect(edited == "BEGIN:VTODO|DESCRIPTION:new|DUE:20260101|END:VTODO|".replacing("|", with: end))
    }

    @Test(
        "a line of a text that begins with a property name in small letters stays a line of the text",
        arguments: [("Location; second floor", true), ("LOCATION;LANGUAGE=en", false), ("LOCATION", false)]
    )
    func tornTextWithName(line: String, isText: Bool) throws {
        let document = ICalendarDocument("BEGIN:VTODO\r\nDESCRIPTION:one\r\n\(line)\r\nUID:1\r\nEND:VTODO\r\n")
        let todo = try #require(document.components.first)
        #expect(todo.first(.description)?.text == (isText ? "one\n\(line)" : "one"))
    }

    @Test(
        "quoted-printable continues after a soft line break",
        arguments: [
            ("a=|b", "ab"), ("a=| 20 b", "a  b"), ("a=| and", "a and"), ("a=3D=|=C3=|=BC", "a=ü"), ("a|  b", "a b"),
            ("a=|DUE:20260102", "a"), ("a=|END:X", "a"),
            ("a=|Location: room 5=|Bring it", "aLocation: room 5Bring it"), ("a=||", "a"),
        ]
    )
    func softBreaks(value: String, text: String) throws {
        let source = "BEGIN:VTODO|SUMMARY;ENCODING=QUOTED-PRINTABLE:\(value)|UID:1|END:VTODO|"
        let document = ICalendarDocument(source.replacing("|", with: "\r\n"))
        let todo = try #require(document.components.first)
        #expect(todo.first(.summary)?.text == text)
        #expect(todo.first(.uid)?.text == "1")
    }

    @Test("a file with CR CR LF line ends is reported as such, and a CR inside a long line is kept")
    func doubledReturns() {
        let bytes = Array("BEGIN:VTODO\r\r\nSUMMARY:a\r\r\nEND:VTODO\r\r\n".utf8)
        #expect(!ICalendarDocument(bytes).isICalendar)
        #expect(ParseIssue(notICalendar: bytes).code == .doubledReturn)
        let text = "BEGIN:VTODO\r\nSUMMARY:\(String(repeating: "\r", count: 200))a\r\nEND:VTODO\r\n"
        let formatted = ICalendarDocument(ICalendarDocument(text).reformatted())
        #expect(formatted.components.first?.first(.summary)?.value.utf8.count == 201)
    }

    @Test("a fold inside a UTF-8 character is repaired", arguments: ["\r\n", "\n"])
    func foldInsideLetter(end: String) {
        let letter = Array("ü".utf8)
        let bytes =
            Array("BEGIN:VTODO\(end)SUMMARY:M".utf8) + [letter[0]] + Array("\(end) ".utf8) + [letter[1]]
            + Array("ll\(end)END:VTODO\(end)".utf8)
        #expect(ICalendarDocument(bytes).components.first?.first(.summary)?.text == "Müll")
    }

    @Test(
        "no written line is longer than 75 octets, and no character is split",
        arguments: [0, 1, 60, 66, 67, 68, 500]
    )
    func folding(length: Int) {
        for text in [
            String(repeating: "a", count: length), String(repeating: "日", count: length), "x\u{1F468}\u{200D}\u{1F469}",
        ] {
            let bytes = ContentLine(.summary, text: text).bytes()
            for line in bytes.split(separator: 0x0A) {
                #expect(line.count <= 76)
                #expect(String(validating: line.dropLast(), as: UTF8.self) != nil)
            }
            let read = ICalendarDocument(Array("BEGIN:VTODO\r\n".utf8) + bytes + Array("END:VTODO\r\n".utf8))
            #expect(read.components.first?.first(.summary)?.text == text)
        }
    }

    @Test(
        "a parameter value survives a round trip",
        arguments: ["", "a", "a,b", "a;b:c", "say \"hi\"", "^", "a\nb", "ü"]
    )
    func parameterRoundTrip(value: String) {
        let line = ContentLine(.summary, [Parameter(.language, value)], text: "x")
        let document = ICalendarDocument(Array("BEGIN:VTODO\r\n".utf8) + line.bytes() + Array("END:VTODO\r\n".utf8))
        #expect(document.components.first?.first(.summary)?.parameter(.language) == value)
    }

    @Test("lines that end with CR alone are recognised")
    func carriageReturnsAlone() {
        let document = ICalendarDocument("BEGIN:VTODO\rSUMMARY:a\r b\rEND:VTODO\r")
        #expect(document.components.first?.first(.summary)?.text == "ab")
    }

    @Test("bytes that are not UTF-8 are read as Windows-1252")
    func windows1252() {
        let bytes =
            Array("BEGIN:VTODO\nSUMMARY:M".utf8) + [0xFC] + Array("ll ".utf8) + [0x80] + Array("\nEND:VTODO\n".utf8)
        let document = ICalendarDocument(bytes)
        #expect(document.components.first?.first(.summary)?.text == "Müll €")
        #expect(document.checked().map(\.code).contains(.notUTF8))
    }
}

@Suite("components to write")
struct ComponentDraftTests {
    @Test("a component is written with folded lines and inner components, and reads back as it was")
    func written() throws {
        let note = String(repeating: "Grüße, ", count: 20)
        let alarm = ComponentDraft(.valarm, [ContentLine(.trigger, value: "-PT15M")])
        let todo = ComponentDraft(
            .vtodo,
            [ContentLine(.uid, text: "a"), ContentLine(.description, text: note)],
            [alarm]
        )
        let bytes = ComponentDraft.calendar(productID: "-//Example//EN", [todo]).bytes()
        let document = ICalendarDocument(bytes)
        #expect(document.issues.isEmpty)
        #expect(document.bytes == bytes)
        let read = try #require(document.all(.vtodo).first)
        #expect(read.first(.description)?.text == note)
        #expect(document.all(.valarm).map { $0.first(.trigger)?.value } == ["-PT15M"])
        #expect(bytes.split(separator: 0x0A).allSatisfy { $0.count <= 76 })
        let head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VTODO\r\n"
        #expect(bytes.starts(with: head.utf8))
    }

    @Test("a component without content has two lines")
    func empty() {
        #expect(ComponentDraft(.vtodo).bytes(lineEnd: [0x0A]) == Array("BEGIN:VTODO\nEND:VTODO\n".utf8))
    }
}
