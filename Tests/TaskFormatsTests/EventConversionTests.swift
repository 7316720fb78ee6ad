import Testing

@testable import RemindavTaskFormats

@Suite("events as reminders")
struct EventConversionTests {
    private static func todo(_ lines: String...) -> [String] {
        let text = "BEGIN:VEVENT\r\n" + lines.map { $0 + "\r\n" }.joined() + "END:VEVENT\r\n"
        let bytes = EventConversion.todo(Array(text.utf8)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    @Test("an event is due when it starts, and properties that a to-do may not have are kept")
    func properties() {
        let uid = EventConversion.uid(of: "e1")
        #expect(
            Self.todo(
                "UID:e1",
                "DTSTART;TZID=Europe/Berlin:20261201T090000",
                "DTEND;TZID=Europe/Berlin:20261201T100000",
                "SUMMARY;LANGUAGE=en:Dentist",
                "STATUS:CONFIRMED",
                "TRANSP:OPAQUE",
                "RRULE:FREQ=YEARLY",
                "X-A;B=c:d"
            ) == [
                "BEGIN:VTODO", "UID:\(uid)", "DTSTART;TZID=Europe/Berlin:20261201T090000",
                "X-REMINDAV-EVENT-DTEND;TZID=Europe/Berlin:20261201T100000", "SUMMARY;LANGUAGE=en:Dentist",
                "X-REMINDAV-EVENT-STATUS:CONFIRMED", "X-REMINDAV-EVENT-TRANSP:OPAQUE", "RRULE:FREQ=YEARLY", "X-A;B=c:d",
                "DUE;TZID=Europe/Berlin:20261201T090000", "END:VTODO",
            ]
        )
    }

    @Test(
        "an alarm that counts from the end counts from the start",
        arguments: [
            (["DTEND:20261201T100000Z"], "TRIGGER;RELATED=END:-PT5M", "TRIGGER:PT55M"),
            (["DURATION:PT30M"], "TRIGGER;RELATED=END:PT0S", "TRIGGER:PT30M"),
            ([], "TRIGGER;RELATED=END:-PT5M", "TRIGGER:-PT5M"),
            (["DTEND:20261201T100000Z"], "TRIGGER:-PT5M", "TRIGGER:-PT5M"),
        ] as [([String], String, String)]
    )
    func alarms(lines: [String], trigger: String, expected: String) {
        let text =
            ["UID:1", "DTSTART:20261201T090000Z"] + lines + [
                "BEGIN:VALARM", "ACTION:DISPLAY", trigger,
                "END:VALARM",
            ]
        #expect(Self.todo(text.joined(separator: "\r\n")).contains(expected))
    }

    @Test("participants are kept in a form that sends no invitation")
    func participants() throws {
        let lines = Self.todo(
            "UID:1",
            "DTSTART:20261201T090000Z",
            "ORGANIZER;CN=Ada:mailto:a@example.org",
            "ATTENDEE;RSVP=TRUE:mailto:b@example.org",
            "BEGIN:VALARM",
            "ACTION:Email",
            "ATTENDEE:mailto:c@example.org",
            "TRIGGER:-PT5M",
            "END:VALARM",
            "BEGIN:VALARM",
            "ACTION:PROCEDURE",
            "ATTACH:file:///bin/sh",
            "TRIGGER:-PT6M",
            "END:VALARM",
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            "TRIGGER:-PT7M",
            "END:VALARM"
        )
        #expect(lines.contains("X-REMINDAV-EVENT-ORGANIZER;CN=Ada:mailto:a@example.org"))
        #expect(lines.contains("X-REMINDAV-EVENT-ATTENDEE;RSVP=TRUE:mailto:b@example.org"))
        #expect(!lines.contains { $0.hasPrefix("ORGANIZER") || $0.hasPrefix("ATTENDEE") })
        #expect(lines.filter { $0 == "BEGIN:VALARM" }.count == 1 && lines.contains("TRIGGER:-PT7M"))
        #expect(lines.filter { $0.hasPrefix("X-REMINDAV-EVENT-ALARM:BEGIN:VALARM\\nACTION:") }.count == 2)
    }

    @Test("a cancelled event is a cancelled reminder, and other components are ignored")
    func others() {
        #expect(Self.todo("UID:1", "STATUS:CANCELLED").contains("STATUS:CANCELLED"))
        #expect(EventConversion.todo(Array("BEGIN:VTODO\r\nEND:VTODO\r\n".utf8)) == nil)
        #expect(EventConversion.todo([]) == nil)
    }
}
