import RemindavICalendar
import Testing

@Suite("RFC 9253: concepts, links and relations")
struct RFC9253Tests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("8.1", "CONCEPT:https://example.com/event-types/arts/music", .uri, .uri("https://example.com/event-types/arts/music")),
        Example("8.2", "LINK;LINKREL=SOURCE;LABEL=Venue;VALUE=URI:https://example.com/events", .uri, .uri("https://example.com/events")).with("LINKREL", "SOURCE").with("LABEL", "Venue"),
        Example("8.2", #"LINK;LINKREL="https://example.com/linkrel/derivedFrom";VALUE=URI:https://example.com/tasks/01234567-abcd1234.ics"#, .uri, .uri("https://example.com/tasks/01234567-abcd1234.ics")).with("LINKREL", "https://example.com/linkrel/derivedFrom"),
        Example("8.2", #"LINK;LINKREL="https://example.com/linkrel/costStructure";VALUE=XML-REFERENCE:https://example.com/xmlDocs/bidFramework.xml#xpointer(descendant::CostStruc/range-to(following::CostStrucEND[1]))"#, .xmlReference, .xmlReference("https://example.com/xmlDocs/bidFramework.xml#xpointer(descendant::CostStruc/range-to(following::CostStrucEND[1]))")).with("LINKREL", "https://example.com/linkrel/costStructure"),
        Example("8.3", "REFID:itinerary-2014-11-17", "itinerary-2014-11-17"),
        Example("9.1", "RELATED-TO:jsmith.part7.19960817T083000.xyzMail@example.com", "jsmith.part7.19960817T083000.xyzMail@example.com"),
        Example("9.1", "RELATED-TO:19960401-080045-4000F192713-0052@example.com", "19960401-080045-4000F192713-0052@example.com"),
        Example("9.1", "RELATED-TO;VALUE=URI;RELTYPE=STARTTOFINISH:https://example.com/caldav/user/jb/cal/19960401-080045-4000F192713.ics", .uri, .uri("https://example.com/caldav/user/jb/cal/19960401-080045-4000F192713.ics")).with("RELTYPE", "STARTTOFINISH"),
        // The lag and the lead of section 6.2, for which the RFC has no complete line.
        Example("6.2", "RELATED-TO;VALUE=UID;RELTYPE=FINISHTOSTART;GAP=P1D:carpets@example.com", .uid, .uid("carpets@example.com")).with("RELTYPE", "FINISHTOSTART").with("GAP", "P1D"),
        Example("6.2", "RELATED-TO;VALUE=UID;RELTYPE=FINISHTOSTART;GAP=-P1D:painting@example.com", .uid, .uid("painting@example.com")).with("RELTYPE", "FINISHTOSTART").with("GAP", "-P1D"),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
