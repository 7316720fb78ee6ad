import Testing

@testable import RemindavBridge

@Suite("display names of changed properties")
struct PropertyDisplayNameTests {
    private static func text(_ lines: String, _ more: String = "") -> [UInt8] {
        Array("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\n\(lines)END:VTODO\r\n\(more)END:VCALENDAR\r\n".utf8)
    }

    private static let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n"
    private static let override = "BEGIN:VTODO\r\nUID:u\r\nRECURRENCE-ID:20260102T000000Z\r\nEND:VTODO\r\n"

    @Test(
        "changed fields are named once, and changed stamps are not named",
        arguments: [
            (text("SUMMARY:a\r\n"), text("SUMMARY:b\r\n"), ["title"]),
            (
                text("DUE:20260101T000000Z\r\nDTSTAMP:20260101T000000Z\r\n"),
                text("DTSTAMP:20260102T000000Z\r\nSEQUENCE:1\r\nLAST-MODIFIED:20260102T000000Z\r\n"), ["due"]
            ),
            (text("DESCRIPTION:a\r\n"), text("DESCRIPTION:b\r\nX-ALT-DESC:b\r\n"), ["notes"]),
            (text("CATEGORIES:a,b\r\n"), text("CATEGORIES:b,a\r\n"), []),
            (text("RELATED-TO:a\r\n"), text("RELATED-TO:b\r\n"), ["parent"]),
            (
                text("RELATED-TO:a\r\nRELATED-TO;RELTYPE=DEPENDS-ON:b\r\n"), text("RELATED-TO:a\r\n"),
                ["depends on"]
            ),
            (text("X-REMINDAV-RECORD:{}\r\n"), text(""), []),
            (text(""), text(alarm), ["alarms"]),
            (text("X-ODD:1\r\n"), text(""), ["X-ODD"]),
            (text("X-MOZ-SNOOZE-TIME-1795158000000000:20260101T000000Z\r\n"), text(""), ["snooze"]),
            (text(""), text("", override), ["single occurrences"]),
            (
                text("", override), text("", override.replacing("UID:u", with: "UID:u\r\nSUMMARY:x")),
                ["single occurrences"]
            ),
        ] as [([UInt8], [UInt8], [String])]
    )
    func differences(_ old: [UInt8], _ new: [UInt8], _ words: [String]) {
        #expect(PropertyDisplayName.differences(old, new) == words)
    }
}
