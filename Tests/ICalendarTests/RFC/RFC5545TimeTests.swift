import RemindavICalendar
import Testing

@Suite("RFC 5545 3.8.2, 3.8.3: times and zones")
struct RFC5545TimeTests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("3.8.2.1", "COMPLETED:19960401T150000Z", .dateTime, .dateTime(Example.at(Example.day(1996, 4, 1), Example.time(15, 0, 0)))),
        Example("3.8.2.2", "DTEND:19960401T150000Z", .dateTime, .dateTime(Example.at(Example.day(1996, 4, 1), Example.time(15, 0, 0)))),
        Example("3.8.2.2", "DTEND;VALUE=DATE:19980704", .date, .date(Example.day(1998, 7, 4))),
        Example("3.8.2.3", "DUE:19980430T000000Z", .dateTime, .dateTime(Example.at(Example.day(1998, 4, 30), Example.time(0, 0, 0)))),
        Example("3.8.2.4", "DTSTART:19980118T073000Z", .dateTime, .dateTime(Example.at(Example.day(1998, 1, 18), Example.time(7, 30, 0)))),
        Example("3.8.2.5", "DURATION:PT1H0M0S", .duration, .duration(CalendarDuration(seconds: 3600))),
        Example("3.8.2.5", "DURATION:PT15M", .duration, .duration(CalendarDuration(seconds: 900))),
        Example("3.8.2.6", "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:19970308T160000Z/PT8H30M", .period, .period(Period(start: .dateTime(Example.at(Example.day(1997, 3, 8), Example.time(16, 0, 0))), extent: .lasting(CalendarDuration(seconds: 30_600))))).with("FBTYPE", "BUSY-UNAVAILABLE"),
        Example("3.8.2.6", "FREEBUSY;FBTYPE=FREE:19970308T160000Z/PT3H,19970308T200000Z/PT1H", .period, .period(Period(start: .dateTime(Example.at(Example.day(1997, 3, 8), Example.time(16, 0, 0))), extent: .lasting(CalendarDuration(seconds: 10_800)))), .period(Period(start: .dateTime(Example.at(Example.day(1997, 3, 8), Example.time(20, 0, 0))), extent: .lasting(CalendarDuration(seconds: 3600))))).with("FBTYPE", "FREE"),
        Example("3.8.2.6", "FREEBUSY;FBTYPE=FREE:19970308T160000Z/PT3H,19970308T200000Z/PT1H,19970308T230000Z/19970309T000000Z", .period, .period(Period(start: .dateTime(Example.at(Example.day(1997, 3, 8), Example.time(16, 0, 0))), extent: .lasting(CalendarDuration(seconds: 10_800)))), .period(Period(start: .dateTime(Example.at(Example.day(1997, 3, 8), Example.time(20, 0, 0))), extent: .lasting(CalendarDuration(seconds: 3600)))), .period(Period(start: .dateTime(Example.at(Example.day(1997, 3, 8), Example.time(23, 0, 0))), extent: .until(.dateTime(Example.at(Example.day(1997, 3, 9), Example.time(0, 0, 0))))))).with("FBTYPE", "FREE"),
        Example("3.8.2.7", "TRANSP:TRANSPARENT", "TRANSPARENT"),
        Example("3.8.2.7", "TRANSP:OPAQUE", "OPAQUE"),
        Example("3.8.3.1", "TZID:America/New_York", "America/New_York"),
        Example("3.8.3.1", "TZID:America/Los_Angeles", "America/Los_Angeles"),
        Example("3.8.3.1", "TZID:/example.org/America/New_York", "/example.org/America/New_York"),
        Example("3.8.3.2", "TZNAME:EST", "EST"),
        Example("3.8.3.2", "TZNAME;LANGUAGE=fr-CA:HNE", "HNE").with("LANGUAGE", "fr-CA"),
        Example("3.8.3.3", "TZOFFSETFROM:-0500", .utcOffset, .utcOffset(UTCOffset(seconds: -18_000))),
        Example("3.8.3.3", "TZOFFSETFROM:+1345", .utcOffset, .utcOffset(UTCOffset(seconds: 49_500))),
        Example("3.8.3.4", "TZOFFSETTO:-0400", .utcOffset, .utcOffset(UTCOffset(seconds: -14_400))),
        Example("3.8.3.4", "TZOFFSETTO:+1245", .utcOffset, .utcOffset(UTCOffset(seconds: 45_900))),
        Example("3.8.3.5", "TZURL:http://timezones.example.org/tz/America-Los_Angeles.ics", .uri, .uri("http://timezones.example.org/tz/America-Los_Angeles.ics")),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
