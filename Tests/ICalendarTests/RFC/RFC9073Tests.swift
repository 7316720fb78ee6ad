import ICalendar
import Testing

@Suite("RFC 9073: participants, places, resources and structured data")
struct RFC9073Tests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("6.1", "LOCATION-TYPE:hotel", "hotel"),
        Example("6.2", "PARTICIPANT-TYPE:SPEAKER", "SPEAKER"),
        Example("6.3", "RESOURCE-TYPE:PROJECTOR", "PROJECTOR"),
        Example("6.4", "CALENDAR-ADDRESS:mailto:a@example.com", .calAddress, .calAddress("mailto:a@example.com")),
        Example("6.5", "STYLED-DESCRIPTION;VALUE=URI:http://example.org/desc001.html", .uri, .uri("http://example.org/desc001.html")),
        Example("6.5", #"STYLED-DESCRIPTION;VALUE=TEXT;FMTTYPE=text/html:<b>Here</b>\, and there"#, "<b>Here</b>, and there"),
        Example("6.6", "STRUCTURED-DATA;VALUE=URI:https://example.com/events/1.json", .uri, .uri("https://example.com/events/1.json")),
        Example("6.6", #"STRUCTURED-DATA;FMTTYPE=application/ld+json;SCHEMA="https://schema.org/SportsEvent";VALUE=TEXT:{\n"@context": "https://schema.org"\,\n"@type": "SportsEvent"\n}"#, "{\n\"@context\": \"https://schema.org\",\n\"@type\": \"SportsEvent\"\n}"),
    ]

    @Test("an example says what the text says", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
