import RemindavICalendar
import Testing

@Suite("RFC 5545 3.8.7, 3.8.8: change management and the rest")
struct RFC5545ManagementTests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("3.8.7.1", "CREATED:19960329T133000Z", .dateTime, .dateTime(Example.at(Example.day(1996, 3, 29), Example.time(13, 30, 0)))),
        Example("3.8.7.2", "DTSTAMP:19971210T080000Z", .dateTime, .dateTime(Example.at(Example.day(1997, 12, 10), Example.time(8, 0, 0)))),
        Example("3.8.7.3", "LAST-MODIFIED:19960817T133000Z", .dateTime, .dateTime(Example.at(Example.day(1996, 8, 17), Example.time(13, 30, 0)))),
        Example("3.8.7.4", "SEQUENCE:0", .integer, .integer(0)),
        Example("3.8.7.4", "SEQUENCE:2", .integer, .integer(2)),
        Example("3.8.8.1", "DRESSCODE:CASUAL", "CASUAL"),
        Example("3.8.8.1", "NON-SMOKING;VALUE=BOOLEAN:TRUE", .boolean, .boolean(true)),
        Example("3.8.8.2", "X-ABC-MMSUBJ;VALUE=URI;FMTTYPE=audio/basic:http://www.example.org/mysubj.au", .uri, .uri("http://www.example.org/mysubj.au")).with("FMTTYPE", "audio/basic"),
        Example("3.8.8.3", "REQUEST-STATUS:2.0;Success", .text, .text("2.0"), .text("Success")),
        Example("3.8.8.3", "REQUEST-STATUS:3.1;Invalid property value;DTSTART:96-Apr-01", .text, .text("3.1"), .text("Invalid property value"), .text("DTSTART:96-Apr-01")),
        // The RFC folds the line at an intended blank, so the blank is lost.
        Example("3.8.8.3", #"REQUEST-STATUS:2.8; Success\, repeating event ignored. Scheduled\#r\#n as a single event.;RRULE:FREQ=WEEKLY\;INTERVAL=2"#, .text, .text("2.8"), .text(" Success, repeating event ignored. Scheduledas a single event."), .text("RRULE:FREQ=WEEKLY;INTERVAL=2")),
        Example("3.8.8.3", "REQUEST-STATUS:4.1;Event conflict.  Date-time is busy.", .text, .text("4.1"), .text("Event conflict.  Date-time is busy.")),
        Example("3.8.8.3", "REQUEST-STATUS:3.7;Invalid calendar user;ATTENDEE:mailto:jsmith@example.com", .text, .text("3.7"), .text("Invalid calendar user"), .text("ATTENDEE:mailto:jsmith@example.com")),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
