import ICalendar
import Testing

@Suite("RFC 9253: concepts, links and relations")
struct RFC9253Tests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("8.1", "CONCEPT:https://example.com/event-types/arts/music", .uri, .uri("https://example.com/event-types/arts/music")),
        Example("8.1", "CONCEPT:https://example.com/task-types/delivery", .uri, .uri("https://example.com/task-types/delivery")),
        Example("8.2", "LINK;LINKREL=SOURCE;LABEL=Venue;VALUE=URI:https://example.com/events", .uri, .uri("https://example.com/events")),
        Example("8.2", #"LINK;LINKREL="https://example.com/linkrel/costStructure";VALUE=XML-REFERENCE:https://example.com/xmlDocs/bidFramework.xml#xpointer(descendant::CostStruc/range-to(following::CostStrucEND[1]))"#, .xmlReference, .xmlReference("https://example.com/xmlDocs/bidFramework.xml#xpointer(descendant::CostStruc/range-to(following::CostStrucEND[1]))")),
        Example("8.3", "REFID:itinerary-2014-11-17", "itinerary-2014-11-17"),
        Example("9.1", "RELATED-TO;VALUE=URI;RELTYPE=STARTTOFINISH:https://example.com/caldav/user/jb/cal/19960401-080045-4000F192713.ics", .uri, .uri("https://example.com/caldav/user/jb/cal/19960401-080045-4000F192713.ics")),
        Example("9.1", "RELATED-TO;VALUE=UID;RELTYPE=FINISHTOSTART;GAP=-P1D:19960401-080045-4000F192713-0052@example.com", .uid, .uid("19960401-080045-4000F192713-0052@example.com")),
    ]

    @Test("an example says what the text says", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
