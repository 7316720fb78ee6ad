import RemindavICalendar
import Testing

@Suite("RFC 5545 3.1, 3.2, 3.5: the examples of lines and of each parameter")
struct RFC5545ParameterTests {
    // swift-format-ignore
    static let examples: [Example] = [
        // Section 3.2.7 is with the other bytes, in RFC5545ValueTypeTests.
        Example("3.1", "DESCRIPTION:This is a long description that exists on a long line.", "This is a long description that exists on a long line."),
        Example("3.1", "DESCRIPTION:This is a lo\r\n ng description\r\n  that exists on a long line.", "This is a long description that exists on a long line."),
        Example("3.1.1", "ATTENDEE;RSVP=TRUE;ROLE=REQ-PARTICIPANT:mailto:jsmith@example.com", .calAddress, .calAddress("mailto:jsmith@example.com")).with("RSVP", "TRUE").with("ROLE", "REQ-PARTICIPANT"),
        Example("3.1.1", "RDATE;VALUE=DATE:19970304,19970504,19970704,19970904", .date, .date(Example.day(1997, 3, 4)), .date(Example.day(1997, 5, 4)), .date(Example.day(1997, 7, 4)), .date(Example.day(1997, 9, 4))),
        Example("3.1.3", "ATTACH:http://example.com/public/quarterly-report.doc", .uri, .uri("http://example.com/public/quarterly-report.doc")),
        Example("3.2", #"DESCRIPTION;ALTREP="cid:part1.0001@example.org":The Fall'98 Wild Wizards Conference - - Las Vegas\, NV\, USA"#, "The Fall'98 Wild Wizards Conference - - Las Vegas, NV, USA").with("ALTREP", "cid:part1.0001@example.org"),
        Example("3.2.1", #"DESCRIPTION;ALTREP="CID:part3.msg.970415T083000@example.com":Project XYZ Review Meeting will include the following agenda items: (a) Market Overview\, (b) Finances\, (c) Project Management"#, "Project XYZ Review Meeting will include the following agenda items: (a) Market Overview, (b) Finances, (c) Project Management").with("ALTREP", "CID:part3.msg.970415T083000@example.com"),
        Example("3.2.2", #"ORGANIZER;CN="John Smith":mailto:jsmith@example.com"#, .calAddress, .calAddress("mailto:jsmith@example.com")).with("CN", "John Smith"),
        Example("3.2.3", "ATTENDEE;CUTYPE=GROUP:mailto:ietf-calsch@example.org", .calAddress, .calAddress("mailto:ietf-calsch@example.org")).with("CUTYPE", "GROUP"),
        Example("3.2.4", #"ATTENDEE;DELEGATED-FROM="mailto:jsmith@example.com":mailto:jdoe@example.com"#, .calAddress, .calAddress("mailto:jdoe@example.com")).with("DELEGATED-FROM", "mailto:jsmith@example.com"),
        Example("3.2.5", #"ATTENDEE;DELEGATED-TO="mailto:jdoe@example.com","mailto:jqpublic@example.com":mailto:jsmith@example.com"#, .calAddress, .calAddress("mailto:jsmith@example.com")).with("DELEGATED-TO", "mailto:jdoe@example.com", "mailto:jqpublic@example.com"),
        Example("3.2.6", #"ORGANIZER;DIR="ldap://example.com:6666/o=ABC%20Industries,c=US???(cn=Jim%20Dolittle)":mailto:jimdo@example.com"#, .calAddress, .calAddress("mailto:jimdo@example.com")).with("DIR", "ldap://example.com:6666/o=ABC%20Industries,c=US???(cn=Jim%20Dolittle)"),
        Example("3.2.11", #"ATTENDEE;MEMBER="mailto:ietf-calsch@example.org":mailto:jsmith@example.com"#, .calAddress, .calAddress("mailto:jsmith@example.com")).with("MEMBER", "mailto:ietf-calsch@example.org"),
        Example("3.2.11", #"ATTENDEE;MEMBER="mailto:projectA@example.com","mailto:projectB@example.com":mailto:janedoe@example.com"#, .calAddress, .calAddress("mailto:janedoe@example.com")).with("MEMBER", "mailto:projectA@example.com", "mailto:projectB@example.com"),
        Example("3.2.12", "ATTENDEE;PARTSTAT=DECLINED:mailto:jsmith@example.com", .calAddress, .calAddress("mailto:jsmith@example.com")).with("PARTSTAT", "DECLINED"),
        Example("3.2.16", "ATTENDEE;ROLE=CHAIR:mailto:mrbig@example.com", .calAddress, .calAddress("mailto:mrbig@example.com")).with("ROLE", "CHAIR"),
        Example("3.2.17", "ATTENDEE;RSVP=TRUE:mailto:jsmith@example.com", .calAddress, .calAddress("mailto:jsmith@example.com")).with("RSVP", "TRUE"),
        Example("3.2.18", #"ORGANIZER;SENT-BY="mailto:sray@example.com":mailto:jsmith@example.com"#, .calAddress, .calAddress("mailto:jsmith@example.com")).with("SENT-BY", "mailto:sray@example.com"),
        Example("3.2.8", "ATTACH;FMTTYPE=application/msword:ftp://example.com/pub/docs/agenda.doc", .uri, .uri("ftp://example.com/pub/docs/agenda.doc")).with("FMTTYPE", "application/msword"),
        Example("3.2.9", "FREEBUSY;FBTYPE=BUSY:19980415T133000Z/19980415T170000Z", .period, .period(Period(start: .dateTime(Example.at(Example.day(1998, 4, 15), Example.time(13, 30, 0))), extent: .until(.dateTime(Example.at(Example.day(1998, 4, 15), Example.time(17, 0, 0))))))).with("FBTYPE", "BUSY"),
        Example("3.2.10", "SUMMARY;LANGUAGE=en-US:Company Holiday Party", "Company Holiday Party").with("LANGUAGE", "en-US"),
        Example("3.2.10", "LOCATION;LANGUAGE=en:Germany", "Germany").with("LANGUAGE", "en"),
        Example("3.2.10", "LOCATION;LANGUAGE=no:Tyskland", "Tyskland").with("LANGUAGE", "no"),
        Example("3.2.13", "RECURRENCE-ID;RANGE=THISANDFUTURE:19980401T133000Z", .dateTime, .dateTime(Example.at(Example.day(1998, 4, 1), Example.time(13, 30, 0)))).with("RANGE", "THISANDFUTURE"),
        Example("3.2.14", "TRIGGER;RELATED=END:PT5M", .duration, .duration(CalendarDuration(seconds: 300))).with("RELATED", "END"),
        Example("3.2.15", "RELATED-TO;RELTYPE=SIBLING:19960401-080045-4000F192713@example.com", "19960401-080045-4000F192713@example.com").with("RELTYPE", "SIBLING"),
        Example("3.2.19", "DTSTART;TZID=America/New_York:19980119T020000", .dateTime, .dateTime(Example.at(Example.day(1998, 1, 19), Example.time(2, 0, 0), .named("America/New_York")))).with("TZID", "America/New_York"),
        Example("3.2.19", "DTEND;TZID=America/New_York:19980119T030000", .dateTime, .dateTime(Example.at(Example.day(1998, 1, 19), Example.time(3, 0, 0), .named("America/New_York")))).with("TZID", "America/New_York"),
        Example("3.5", "DTSTART:19960415T133000Z", .dateTime, .dateTime(Example.at(Example.day(1996, 4, 15), Example.time(13, 30, 0)))),
        Example("3.5", "DTSTART;TZID=America/New_York:19980714T120000", .dateTime, .dateTime(Example.at(Example.day(1998, 7, 14), Example.time(12, 0, 0), .named("America/New_York")))).with("TZID", "America/New_York"),
        Example("3.5", "DtStart;TzID=America/New_York:19980714T120000", .dateTime, .dateTime(Example.at(Example.day(1998, 7, 14), Example.time(12, 0, 0), .named("America/New_York")))).with("TZID", "America/New_York"),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
