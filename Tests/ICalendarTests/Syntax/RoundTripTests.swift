import RemindavICalendar
import RemindavTestSupport
import Testing

@Suite("iCalendar stream (RFC 5545 §3.1, §3.4)")
struct RoundTripTests {
    static let fixtures = (try? Fixture.names(in: "ics", endingWith: ".ics")) ?? []

    @Test("there are at least sixty fixtures of real programs")
    func enoughFixtures() { #expect(Self.fixtures.count >= 60) }

    @Test("an unedited stream is written back byte for byte", arguments: fixtures)
    func unchanged(fixture: String) throws {
        let bytes = try Fixture.bytes("ics/\(fixture)")
        let document = ICalendarDocument(bytes)
        #expect(document.bytes == bytes)
        #expect(document.applying([]).bytes == bytes)
    }

    @Test("an edited title changes the lines of SUMMARY and no other byte", arguments: fixtures)
    func editedTitle(fixture: String) throws {
        let document = ICalendarDocument(try Fixture.bytes("ics/\(fixture)"))
        guard let todo = document.all(.vtodo).first, let old = todo.first(.summary) else { return }
        var editor = ComponentEditor(todo)
        editor.set(ContentLine(.summary, text: "Something else, entirely"))
        let edited = document.applying(editor.edits)
        #expect(edited.bytes.starts(with: document.bytes[..<old.range.lowerBound]))
        #expect(edited.bytes.reversed().starts(with: document.bytes[old.range.upperBound...].reversed()))
        #expect(edited.all(.vtodo).first?.first(.summary)?.text == "Something else, entirely")
    }

    @Test("the parsed content does not depend on the chunk boundaries", arguments: fixtures, [1, 7, 64, 4096])
    func splitting(fixture: String, chunk: Int) throws {
        let bytes = try Fixture.bytes("ics/\(fixture)")
        var splitter = ComponentSplitter()
        var found: [[UInt8]] = []
        func take(_ parts: [ComponentSplitter.Part]) {
            for case .component(_, let bytes, _) in parts { found.append(bytes) }
        }
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            take(splitter.push(Array(bytes[start..<min(start + chunk, bytes.count)])))
        }
        take(splitter.finish())
        var whole = ComponentSplitter()
        var expected: [[UInt8]] = []
        for case .component(_, let bytes, _) in whole.push(bytes) + whole.finish() { expected.append(bytes) }
        #expect(found == expected)
    }

    @Test("a to-do and an alarm without an END do not include the next to-do")
    func missingEnds() {
        let text = """
            BEGIN:VCALENDAR|BEGIN:VTODO|UID:1|BEGIN:VALARM|TRIGGER:-PT5M|BEGIN:VTODO|UID:2|END:VTODO|\
            BEGIN:VTODO|UID:3|END:VTODO|END:VCALENDAR|
            """
        var splitter = ComponentSplitter()
        var found: [String] = []
        let bytes = Array(text.replacing("|", with: "\r\n").utf8)
        for case .component(_, let bytes, _) in splitter.push(bytes) + splitter.finish() {
            found += ICalendarDocument(bytes).all(.vtodo).compactMap { $0.first(.uid)?.text }
        }
        #expect(found == ["1", "2", "3"])
    }
}
