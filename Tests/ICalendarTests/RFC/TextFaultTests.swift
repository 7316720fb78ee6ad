import RemindavICalendar
import Testing

/// Faulty lines of the standards, as printed.
///
/// The intended lines are in the tests of each standard.
@Suite("RFC 5545, RFC 7986: errors in the examples are reported, and nothing else is lost")
struct TextFaultTests {
    /// A printed line, the findings, and the parsed value; `nil` without a value.
    // swift-format-ignore
    static let lines: [(section: String, line: String, findings: [ParseIssue.Code], value: PropertyValue?)] = [
        // The address of SENT-BY must be quoted; the first colon ends the parameters.
        ("5545 3.8.4.1", "ATTENDEE;SENT-BY=mailto:jan_doe@example.com;CN=John Smith:\r\n mailto:jsmith@example.com", [.badAddress], .calAddress("jan_doe@example.com;CN=John Smith:mailto:jsmith@example.com")),
        // The comma is missing where the text folds.
        ("5545 3.8.5.2", "RDATE;VALUE=DATE:19970101,19970120,19970217,19970421\r\n 19970526,19970704,19970901,19971014,19971128,19971129,19971225", [.badValue], nil),
        // A semicolon before the colon is an empty parameter.
        ("7986 6.4", "CONFERENCE;VALUE=URI;FEATURE=VIDEO;\r\n LABEL=\"Web video chat, access code=76543\";\r\n :https://video-chat.example.com/;group-id=1234", [.badParameter], .uri("https://video-chat.example.com/;group-id=1234")),
    ]

    @Test("an error in an example is reported", arguments: lines)
    func faults(_ test: (section: String, line: String, findings: [ParseIssue.Code], value: PropertyValue?)) throws {
        let text =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b//EN\r\nBEGIN:VEVENT\r\nUID:t\r\nDTSTAMP:19970101T000000Z\r\n"
            + "DTSTART;VALUE=DATE:19970101\r\n\(test.line)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        #expect(ICalendarDocument(text).checked().map(\.code) == test.findings, "\(test.section)")
        let property = try #require(Example.read(test.line))
        #expect((try? property.values()) == test.value.map { [$0] })
    }

    @Test("RFC 7986 6.4: the parameters before and after the empty one are read")
    func emptyParameter() throws {
        let property = try #require(Example.read(Self.lines[2].line))
        #expect(property.parameters.map(\.values) == [["URI"], ["VIDEO"], ["Web video chat, access code=76543"]])
    }
}
