import RemindavICalendar
import Testing

@Suite("components (RFC 5545 §3.6)")
struct ComponentTests {
    @Test("a component without an END ends with the surrounding component")
    func crossed() {
        let document = ICalendarDocument(
            "BEGIN:VTODO\nBEGIN:VALARM\nACTION:DISPLAY\nEND:VTODO\nBEGIN:VTODO\nEND:VTODO\n"
        )
        #expect(document.components.count == 2)
        #expect(document.components.first?.components.first?.isEnded == false)
        #expect(document.issues.map(\.code) == [.missingEnd])
    }

    @Test("an END without a BEGIN is ignored")
    func strayEnd() {
        let document = ICalendarDocument("BEGIN:VTODO\nEND:VEVENT\nSUMMARY:a\nEND:VTODO\n")
        #expect(document.components.first?.first(.summary)?.text == "a")
        #expect(document.issues.map(\.code) == [.unexpectedEnd])
    }

    @Test("nesting beyond the limit is an issue and no stack overflow", arguments: [20, 100_000])
    func deep(depth: Int) {
        let text = String(repeating: "BEGIN:VTODO\n", count: depth) + String(repeating: "END:VTODO\n", count: depth)
        let document = ICalendarDocument(text)
        #expect(document.all(.vtodo).count == ParseLimits.standard.depth)
        #expect(document.issues.map(\.code) == [.tooDeep])
    }

    @Test("a line over the limit is an issue and not a value")
    func longLine() {
        let text = "BEGIN:VTODO\nSUMMARY:\(String(repeating: "x", count: 1 << 20))\nDUE:20260101\nEND:VTODO\n"
        let document = ICalendarDocument(text)
        #expect(document.issues.map(\.code) == [.lineTooLong])
        #expect(document.components.first?.properties.map(\.name) == [.due])
    }

    @Test("a property is added before nested components, a component before the END")
    func insertion() {
        let document = ICalendarDocument("BEGIN:VTODO\nUID:1\nBEGIN:VALARM\nEND:VALARM\nEND:VTODO\n")
        guard let todo = document.components.first else { return }
        var editor = ComponentEditor(todo)
        editor.add(ContentLine(.summary, text: "a"))
        editor.add(ContentLine(.due, value: "20260101"))
        editor.add(component: [ContentLine(.begin, value: "X-A"), ContentLine(.end, value: "X-A")])
        let expected =
            "BEGIN:VTODO\nUID:1\nSUMMARY:a\nDUE:20260101\nBEGIN:VALARM\nEND:VALARM\nBEGIN:X-A\nEND:X-A\nEND:VTODO\n"
        #expect(String(decoding: document.applying(editor.edits).bytes, as: UTF8.self) == expected)
    }

    @Test("setting the current value of a property writes nothing")
    func sameValue() {
        let document = ICalendarDocument("BEGIN:VTODO\nSUMMARY:a long title that is fo\n lded here\nEND:VTODO\n")
        guard let todo = document.components.first else { return }
        var editor = ComponentEditor(todo)
        editor.set(ContentLine(.summary, text: "a long title that is folded here"))
        #expect(editor.edits.isEmpty)
    }

    @Test("a to-do nested in a to-do with content is a separate to-do, as in a split stream")
    func forgottenEnd() {
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nBEGIN:VTODO\nUID:2\nEND:VTODO\nEND:VCALENDAR\n"
        let calendar = ICalendarDocument(text).calendar
        #expect(calendar?.components.compactMap { $0.first(.uid)?.text } == ["1", "2"])
        var splitter = ComponentSplitter()
        let parts = splitter.push(Array(text.utf8)) + splitter.finish()
        #expect(parts.filter { if case .component = $0 { true } else { false } }.count == 2)
    }

    @Test("of several properties the first with a value counts, and surrounding blanks are ignored")
    func firstWithValue() {
        let todo = ICalendarDocument("BEGIN:VTODO\nDUE:\nDUE: 20260101T090000Z \nDUE:20270101\nEND:VTODO\n").components
            .first
        #expect(todo?.first(.due)?.moment?.wire == "20260101T090000Z")
        #expect(todo?.first(.summary) == nil)
    }

    @Test("an addition to a truncated stream begins a new line", arguments: ["", "\r", "\n", "\r\n"])
    func brokenOff(_ end: String) throws {
        let document = ICalendarDocument("BEGIN:VTODO\r\nUID:1\r\nSUMMARY:a\(end)")
        let todo = try #require(document.components.first)
        var editor = ComponentEditor(todo)
        editor.add(ContentLine(.priority, value: "1"))
        let text = String(decoding: document.applying(editor.edits).bytes, as: UTF8.self)
        let last = end == "\n" ? "\n" : "\r\n"
        #expect(text == "BEGIN:VTODO\r\nUID:1\r\nSUMMARY:a\(last)PRIORITY:1\r\n")
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let one: String
        let other: String
        let isSame: Bool
        var testDescription: String { "\(self.one) ~ \(self.other)" }
    }

    static let pairs = [
        Pair(one: "DURATION:PT90M", other: "DURATION:PT1H30M", isSame: true),
        Pair(one: "RRULE:FREQ=WEEKLY;COUNT=5;BYDAY=MO", other: "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5", isSame: true),
        Pair(one: "CATEGORIES:a,b", other: "CATEGORIES:a\nCATEGORIES:b", isSame: true),
        Pair(one: "CATEGORIES:a\\,b", other: "CATEGORIES:a,b", isSame: false),
        Pair(one: "SUMMARY:a\\Nb", other: "SUMMARY:a\\nb", isSame: true),
        Pair(one: "UID:1\nSUMMARY:a", other: "SUMMARY:a\nUID:1", isSame: true),
        Pair(one: "DUE;VALUE=DATE-TIME:20260101T000000Z", other: "DUE:20260101T000000Z", isSame: true),
        Pair(one: "X-A;B=1;C=2:v", other: "X-A;C=2;B=1:v", isSame: true),
        Pair(one: "X-A;B=1:v", other: "X-A:v", isSame: false),
        Pair(one: "CLASS:PUBLIC", other: "X-NOTHING-HERE:", isSame: false),
        Pair(one: "DTSTAMP:20260101T000000Z", other: "DTSTAMP:20270101T000000Z", isSame: true),
        Pair(one: "SUMMARY:a", other: "SUMMARY:A", isSame: false),
        Pair(one: "DURATION:P1D", other: "DURATION:PT24H", isSame: false),
        Pair(one: "DURATION:P1W", other: "DURATION:P7D", isSame: true),
        Pair(one: "STATUS:needs-action", other: "STATUS:NEEDS-ACTION", isSame: true),
        Pair(one: "ATTENDEE;PARTSTAT=accepted:mailto:a", other: "ATTENDEE;PARTSTAT=ACCEPTED:mailto:a", isSame: true),
        Pair(one: "ATTENDEE;CN=ann:mailto:a", other: "ATTENDEE;CN=Ann:mailto:a", isSame: false),
        Pair(one: "SUMMARY:a\nSUMMARY:a", other: "SUMMARY:a", isSame: false),
    ]

    @Test("two forms of one value have the same meaning, two values do not", arguments: pairs)
    func meaning(_ pair: Pair) {
        func meaning(_ lines: String) -> ComponentMeaning? {
            ICalendarDocument("BEGIN:VTODO\n\(lines)\nEND:VTODO\n").components.first?.meaning()
        }
        #expect((meaning(pair.one) == meaning(pair.other)) == pair.isSame)
    }
}
