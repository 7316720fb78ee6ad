import RemindavICalendar
import Testing

@Suite("RFC 9074: the examples of the alarm extensions")
struct RFC9074Tests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("7.2", "UID:8297C37D-BA2D-4476-91AE-C1EAA364F8E1", "8297C37D-BA2D-4476-91AE-C1EAA364F8E1"),
        Example("7.2", "RELATED-TO;RELTYPE=SNOOZE:8297C37D-BA2D-4476-91AE-C1EAA364F8E1", "8297C37D-BA2D-4476-91AE-C1EAA364F8E1").with("RELTYPE", "SNOOZE"),
        Example("6.1", "ACKNOWLEDGED:20090604T084500Z", .dateTime, .dateTime(Example.at(Example.day(2009, 6, 4), Example.time(8, 45, 0)))),
        Example("8.1", "PROXIMITY:ARRIVE", "ARRIVE"),
        Example("8.1", "PROXIMITY:DEPART", "DEPART"),
        Example("8.1", "PROXIMITY:CONNECT", "CONNECT"),
        Example("8.1", "PROXIMITY:DISCONNECT", "DISCONNECT"),
        Example("8", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", .dateTime, .dateTime(Example.at(Example.day(1976, 4, 1), Example.time(0, 55, 45)))),
        Example("8.2", "URL:geo:40.443,-79.945;u=10", .uri, .uri("geo:40.443,-79.945;u=10")),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
