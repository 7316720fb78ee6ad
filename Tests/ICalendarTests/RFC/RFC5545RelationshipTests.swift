import RemindavICalendar
import Testing

@Suite("RFC 5545 3.8.4: relationships")
struct RFC5545RelationshipTests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("3.8.4.1", #"ATTENDEE;MEMBER="mailto:DEV-GROUP@example.com":mailto:joecool@example.com"#, .calAddress, .calAddress("mailto:joecool@example.com")).with("MEMBER", "mailto:DEV-GROUP@example.com"),
        Example("3.8.4.1", #"ATTENDEE;DELEGATED-FROM="mailto:immud@example.com":mailto:ildoit@example.com"#, .calAddress, .calAddress("mailto:ildoit@example.com")).with("DELEGATED-FROM", "mailto:immud@example.com"),
        // Here and in the second CONTACT the RFC folds the line at an intended blank, so the blank is lost.
        Example("3.8.4.1", "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=TENTATIVE;CN=Henry\r\n Cabot:mailto:hcabot@example.com", .calAddress, .calAddress("mailto:hcabot@example.com")).with("ROLE", "REQ-PARTICIPANT").with("PARTSTAT", "TENTATIVE").with("CN", "HenryCabot"),
        Example("3.8.4.1", #"ATTENDEE;ROLE=REQ-PARTICIPANT;DELEGATED-FROM="mailto:bob@example.com";PARTSTAT=ACCEPTED;CN=Jane Doe:mailto:jdoe@example.com"#, .calAddress, .calAddress("mailto:jdoe@example.com")).with("ROLE", "REQ-PARTICIPANT").with("DELEGATED-FROM", "mailto:bob@example.com").with("PARTSTAT", "ACCEPTED").with("CN", "Jane Doe"),
        Example("3.8.4.1", #"ATTENDEE;CN=John Smith;DIR="ldap://example.com:6666/o=ABC%20Industries,c=US???(cn=Jim%20Dolittle)":mailto:jimdo@example.com"#, .calAddress, .calAddress("mailto:jimdo@example.com")).with("CN", "John Smith").with("DIR", "ldap://example.com:6666/o=ABC%20Industries,c=US???(cn=Jim%20Dolittle)"),
        Example("3.8.4.1", #"ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=TENTATIVE;DELEGATED-FROM="mailto:iamboss@example.com";CN=Henry Cabot:mailto:hcabot@example.com"#, .calAddress, .calAddress("mailto:hcabot@example.com")).with("ROLE", "REQ-PARTICIPANT").with("PARTSTAT", "TENTATIVE").with("DELEGATED-FROM", "mailto:iamboss@example.com").with("CN", "Henry Cabot"),
        Example("3.8.4.1", #"ATTENDEE;ROLE=NON-PARTICIPANT;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:hcabot@example.com";CN=The Big Cheese:mailto:iamboss@example.com"#, .calAddress, .calAddress("mailto:iamboss@example.com")).with("ROLE", "NON-PARTICIPANT").with("PARTSTAT", "DELEGATED").with("DELEGATED-TO", "mailto:hcabot@example.com").with("CN", "The Big Cheese"),
        Example("3.8.4.1", "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=Jane Doe:mailto:jdoe@example.com", .calAddress, .calAddress("mailto:jdoe@example.com")).with("ROLE", "REQ-PARTICIPANT").with("PARTSTAT", "ACCEPTED").with("CN", "Jane Doe"),
        // The text leaves out the quotes: TextFaultTests.
        Example("3.8.4.1", #"ATTENDEE;SENT-BY="mailto:jan_doe@example.com";CN=John Smith:mailto:jsmith@example.com"#, .calAddress, .calAddress("mailto:jsmith@example.com")).with("SENT-BY", "mailto:jan_doe@example.com").with("CN", "John Smith"),
        Example("3.8.4.2", #"CONTACT:Jim Dolittle\, ABC Industries\, +1-919-555-1234"#, "Jim Dolittle, ABC Industries, +1-919-555-1234"),
        Example("3.8.4.2", #"CONTACT;ALTREP="ldap://example.com:6666/o=ABC%20Industries\,c=US???(cn=Jim%20Dolittle)":Jim Dolittle\, ABC Industries\,\#r\#n +1-919-555-1234"#, "Jim Dolittle, ABC Industries,+1-919-555-1234").with("ALTREP", #"ldap://example.com:6666/o=ABC%20Industries\,c=US???(cn=Jim%20Dolittle)"#),
        Example("3.8.4.2", #"CONTACT;ALTREP="CID:part3.msg970930T083000SILVER@example.com":Jim Dolittle\, ABC Industries\, +1-919-555-1234"#, "Jim Dolittle, ABC Industries, +1-919-555-1234").with("ALTREP", "CID:part3.msg970930T083000SILVER@example.com"),
        Example("3.8.4.2", #"CONTACT;ALTREP="http://example.com/pdi/jdoe.vcf":Jim Dolittle\, ABC Industries\, +1-919-555-1234"#, "Jim Dolittle, ABC Industries, +1-919-555-1234").with("ALTREP", "http://example.com/pdi/jdoe.vcf"),
        Example("3.8.4.3", "ORGANIZER;CN=John Smith:mailto:jsmith@example.com", .calAddress, .calAddress("mailto:jsmith@example.com")).with("CN", "John Smith"),
        Example("3.8.4.3", #"ORGANIZER;CN=JohnSmith;DIR="ldap://example.com:6666/o=DC%20Associates,c=US???(cn=John%20Smith)":mailto:jsmith@example.com"#, .calAddress, .calAddress("mailto:jsmith@example.com")).with("CN", "JohnSmith").with("DIR", "ldap://example.com:6666/o=DC%20Associates,c=US???(cn=John%20Smith)"),
        Example("3.8.4.3", #"ORGANIZER;SENT-BY="mailto:jane_doe@example.com":mailto:jsmith@example.com"#, .calAddress, .calAddress("mailto:jsmith@example.com")).with("SENT-BY", "mailto:jane_doe@example.com"),
        Example("3.8.4.4", "RECURRENCE-ID;VALUE=DATE:19960401", .date, .date(Example.day(1996, 4, 1))),
        Example("3.8.4.4", "RECURRENCE-ID;RANGE=THISANDFUTURE:19960120T120000Z", .dateTime, .dateTime(Example.at(Example.day(1996, 1, 20), Example.time(12, 0, 0)))).with("RANGE", "THISANDFUTURE"),
        Example("3.8.4.5", "RELATED-TO:jsmith.part7.19960817T083000.xyzMail@example.com", "jsmith.part7.19960817T083000.xyzMail@example.com"),
        Example("3.8.4.5", "RELATED-TO:19960401-080045-4000F192713-0052@example.com", "19960401-080045-4000F192713-0052@example.com"),
        Example("3.8.4.6", "URL:http://example.com/pub/calendars/jsmith/mytime.ics", .uri, .uri("http://example.com/pub/calendars/jsmith/mytime.ics")),
        Example("3.8.4.7", "UID:19960401T080045Z-4000F192713-0052@example.com", "19960401T080045Z-4000F192713-0052@example.com"),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
