import RemindavICalendar
import RemindavTestSupport
import Testing

/// The example components of the standards, and the findings of `ics check` for them.
@Suite("RFC 5545 3.4, 3.6 and 4, RFC 7953, RFC 9073, RFC 9074: the examples of components")
struct ComponentExampleTests {
    /// A standard and the number of its texts in its file.
    static let standards = [("rfc5545", 30), ("rfc7953", 5), ("rfc9073", 9), ("rfc9074", 5)]

    static let examples = standards.flatMap { name, _ in
        ((try? RFCText.all(name)) ?? []).map { (name: name, text: $0) }
    }

    @Test("every example of the text is read", arguments: standards)
    func textIsWhole(_ standard: (name: String, count: Int)) throws {
        #expect(try RFCText.all(standard.name).count == standard.count)
    }

    @Test("a component of the text has the expected findings", arguments: examples)
    func findings(_ example: (name: String, text: RFCText)) {
        let findings = ICalendarDocument(example.text.calendar).checked()
        #expect(findings.map(\.code.rawValue) == example.text.findings, "\(example.name) \(example.text)")
    }

    @Test("each of its properties is parsed with a value of its type", arguments: examples)
    func values(_ example: (name: String, text: RFCText)) throws {
        func count(_ component: Component) throws -> Int {
            for property in component.properties { _ = try property.values() }
            return try component.properties.count + component.components.reduce(0) { try $0 + count($1) }
        }
        let lines = example.text.calendar.split(separator: "\r\n").filter { line in
            !["BEGIN:", "END:", " "].contains { line.hasPrefix($0) }
        }
        let read = try ICalendarDocument(example.text.calendar).components.reduce(0) { try $0 + count($1) }
        #expect(read == lines.count, "\(example.name) \(example.text)")
    }

    /// The unfolded contents of folded texts.
    // swift-format-ignore
    static let folded: [(section: String, name: Name, text: String)] = [
        ("3.1", .description, "This is a long description that exists on a long line."),
        ("3.6.3", .description, "1. Staff meeting: Participants include Joe, Lisa, and Bob. Aurora project plans were reviewed. There is currently no budget reserves for this project. Lisa will escalate to management. Next meeting on Tuesday.\n2. Telephone Conference: ABC Corp. sales representative called to discuss new printer. Promised to get us a demo by Friday.\n3. Henry Miller (Handsoff Insurance): Car was totaled by tree. Is looking into a loaner car. 555-2323 (tel)."),
        ("3.6.4", .comment, "This iCalendar file contains busy time information for the next three months."),
        ("3.6.6", .description, "Breakfast meeting with executive\nteam at 8:30 AM EST."),
        ("3.6.6", .description, "A draft agenda needs to be sent out to the attendees to the weekly managers meeting (MGR-LIST). Attached is a pointer the document template for the agenda file."),
        ("4", .description, "Networld+Interop Conference and Exhibit\nAtlanta World Congress Center\nAtlanta, Georgia"),
        ("4", .description, "Discuss how we can test c&s interoperability\nusing iCalendar and other IETF standards."),
        ("4", .description, "Project xyz Review Meeting Minutes\nAgenda\n1. Review of project version 1.0 requirements.\n2. Definitionof project processes.\n3. Review of project schedule.\nParticipants: John Smith, Jane Doe, Jim Dandy\n-It was decided that the requirements need to be signed off by product marketing.\n-Project processes were accepted.\n-Project schedule needs to account for scheduled holidays and employee vacation time. Check with HR for specific dates.\n-New schedule will be distributed by Friday.\n-Next weeks meeting is cancelled. No meeting until 3/23."),
    ]

    @Test("a folded text is one text", arguments: folded)
    func unfold(_ test: (section: String, name: Name, text: String)) throws {
        func texts(_ component: Component) -> [String] {
            component.properties.filter { $0.name == test.name }.map(\.text) + component.components.flatMap(texts)
        }
        let found = try RFCText.all("rfc5545").filter { $0.section == test.section }
            .flatMap { ICalendarDocument($0.calendar).components.flatMap(texts) }
        #expect(found.contains(test.text))
    }

    @Test("RFC 9073 7: participants, places and resources may be nested")
    func nested() {
        let text =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b//EN\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20200901T130000Z\r\n"
            + "DTSTART:20200903T163000Z\r\nBEGIN:PARTICIPANT\r\nPARTICIPANT-TYPE:SPEAKER\r\nUID:b\r\n"
            + "CALENDAR-ADDRESS:mailto:b@example.com\r\nBEGIN:VLOCATION\r\nUID:c\r\nNAME:The hall\r\n"
            + "LOCATION-TYPE:hall,room\r\nEND:VLOCATION\r\nBEGIN:VRESOURCE\r\nUID:d\r\nRESOURCE-TYPE:PROJECTOR\r\n"
            + "END:VRESOURCE\r\nEND:PARTICIPANT\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        #expect(ICalendarDocument(text).checked().isEmpty)
    }

    @Test("RFC 9073 4 and RFC 9253 8, 9: properties allowed in free/busy times and in every component")
    func everywhere() {
        let lines = "CONCEPT:https://example.com/c\r\nREFID:r\r\nRELATED-TO:x\r\n"
        let text =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b//EN\r\nBEGIN:VTIMEZONE\r\nTZID:A\r\n\(lines)BEGIN:STANDARD\r\n"
            + "DTSTART:19700101T000000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\n\(lines)END:STANDARD\r\n"
            + "END:VTIMEZONE\r\nBEGIN:VFREEBUSY\r\nUID:t\r\nDTSTAMP:19970101T000000Z\r\n"
            + "STYLED-DESCRIPTION;VALUE=TEXT:a\r\n\(lines)END:VFREEBUSY\r\nEND:VCALENDAR\r\n"
        #expect(ICalendarDocument(text).checked().isEmpty)
    }

    @Test("each code has its sentence and its advice")
    func codes() {
        for code in ParseIssue.Code.allCases {
            #expect(!code.sentence.isEmpty && !code.sentence.hasSuffix("."), "\(code)")
            #expect(code.advice.hasSuffix("."), "\(code)")
        }
    }
}
