import Testing

@testable import RemindavICalendar

@Suite("reports of a document with many findings")
struct CheckingTests {
    private static func calendar(_ lines: String) -> ICalendarDocument {
        let text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//made//by hand//EN\n\(lines)END:VCALENDAR\n"
        return ICalendarDocument(text.split(separator: "\n").joined(separator: "\r\n") + "\r\n")
    }

    private static func todos(_ count: Int, _ lines: String) -> String {
        (1...count).map { "BEGIN:VTODO\nUID:\($0)\n\(lines)END:VTODO\n" }.joined()
    }

    @Test("an error after 1,200 warnings is reported, and the warnings are counted")
    func errorsAreNotCrowdedOut() {
        let lines = Self.todos(1200, "DTSTAMP:20261101T000000\n")
        let bad = "BEGIN:VTODO\nUID:bad\nDTSTAMP:20261101T000000Z\nDUE:garbage\nEND:VTODO\n"
        let issues = Self.calendar(lines + bad).checked()
        #expect(issues.count { $0.code == .notUTC } == 20)
        #expect(issues.last { $0.code == .notUTC }?.more == 1180)
        #expect(issues.reduce(0) { $0 + $1.more } == 1180)
        #expect(issues.filter { $0.code == .badValue }.map(\.more) == [0])
        #expect(issues.count == 21)
    }

    @Test("kinds are distinguished by property, and each error is reported")
    func kinds() {
        let stamps = "DTSTAMP:20261101T000000Z\nCREATED:20261101T000000\nCOMPLETED:20261101T000000\n"
        let issues = Self.calendar(Self.todos(50, stamps + "DUE:garbage\n")).checked()
        #expect(issues.filter { $0.code == .notUTC && $0.more > 0 }.map(\.more) == [30, 30])
        #expect(issues.count { $0.code == .badValue } == 50)
    }

    @Test("stray lines do not displace a missing END, and all are counted")
    func readingHasLimits() {
        let stray = String(repeating: "END:VTODO\n", count: 1500)
        let issues = Self.calendar("\(stray)BEGIN:VTODO\nUID:a\nDTSTAMP:20261101T000000Z\n").checked()
        #expect(issues.contains { $0.code == .missingEnd })
        #expect(issues.filter { $0.code == .unexpectedEnd }.reduce(0) { $0 + 1 + $1.more } == 1500)
        let bad = String(repeating: "no colon here\n", count: 2500)
        let unread = Self.calendar(bad).checked().filter { $0.code == .missingColon }
        #expect(unread.count == 1000 && unread.reduce(0) { $0 + 1 + $1.more } == 2500)
    }

    @Test("a file truncated in the middle of a value is reported once")
    func cut() {
        let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:a\r\nBEGIN:VTODO\r\nUID:a\r\nDTSTAMP:2026"
        #expect(ICalendarDocument(text).checked() == [ParseIssue(.fileCutShort, line: 6, subject: "VTODO")])
        // A single to-do may be a part of a larger text.
        let todo = ICalendarDocument("BEGIN:VTODO\r\nUID:a\r\nDTSTAMP:20261101T000000Z\r\n").checked()
        #expect(todo.map(\.code) == [.bareComponent, .missingEnd])
    }

    @Test("the format of a stream that is not iCalendar is named")
    func foreign() {
        func message(_ text: String) -> String { ParseIssue(notICalendar: Array(text.utf8)).message }
        #expect(message(" \n") == "the file is empty")
        #expect(message("\n <html>") == "this is a web page; perhaps its download requires a sign-in")
        #expect(message("[\"vcalendar\",[]]") == "this is jCal, the JSON form of iCalendar")
        #expect(message("a,b") == "this is not iCalendar")
        #expect(message("  BEGIN:VCALENDAR\n") == "the file contains a calendar, but its lines are indented")
        #expect(message(#"BEGIN:VCALENDAR\r\nEND:VCALENDAR"#).hasSuffix(#"but its line ends are written as \r\n"#))
        #expect(message("B\u{0}E\u{0}") == "the file is in UTF-16LE, but iCalendar must be in UTF-8")
        #expect(ParseIssue(notICalendar: [0, 0x42]).advice == "Convert it first: iconv -f UTF-16BE -t UTF-8.")
        #expect(ParseIssue(notICalendar: [0xFF, 0xFE]).advice == "Convert it first: iconv -f UTF-16 -t UTF-8.")
    }

    @Test("the detail replaces the brackets of the sentence, else it follows the sentence")
    func sentences() {
        let missing = ParseIssue(.missingProperty, line: 4, subject: "VTODO", detail: "DTSTAMP")
        #expect(missing.description == "line 4: VTODO: DTSTAMP is missing")
        #expect(missing.advice == "Add DTSTAMP.")
        #expect(ParseIssue(.missingProperty, line: 4).message == "a property that it must have is missing")
        #expect(ParseIssue(.badValue, line: 1, detail: "why").message == "the value cannot be read (why)")
        for code in ParseIssue.Code.allCases {
            let texts = [code.sentence, code.advice, ParseIssue(code, line: 1, detail: "x").message]
            #expect(texts.allSatisfy { !$0.contains("[") && !$0.contains("]") }, "\(code)")
        }
    }
}
