import RemindavICalendar
import Testing

@Suite("RFC 5545 3.8.5, 3.8.6: dates of recurrence and alarms")
struct RFC5545RecurrenceAndAlarmTests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("3.8.5.1", "EXDATE:19960402T010000Z,19960403T010000Z,19960404T010000Z", .dateTime, .dateTime(Example.at(Example.day(1996, 4, 2), Example.time(1, 0, 0))), .dateTime(Example.at(Example.day(1996, 4, 3), Example.time(1, 0, 0))), .dateTime(Example.at(Example.day(1996, 4, 4), Example.time(1, 0, 0)))),
        Example("3.8.5.2", "RDATE:19970714T123000Z", .dateTime, .dateTime(Example.at(Example.day(1997, 7, 14), Example.time(12, 30, 0)))),
        Example("3.8.5.2", "RDATE;TZID=America/New_York:19970714T083000", .dateTime, .dateTime(Example.at(Example.day(1997, 7, 14), Example.time(8, 30, 0), .named("America/New_York")))).with("TZID", "America/New_York"),
        Example("3.8.5.2", "RDATE;VALUE=PERIOD:19960403T020000Z/19960403T040000Z,19960404T010000Z/PT3H", .period, .period(Period(start: .dateTime(Example.at(Example.day(1996, 4, 3), Example.time(2, 0, 0))), extent: .until(.dateTime(Example.at(Example.day(1996, 4, 3), Example.time(4, 0, 0)))))), .period(Period(start: .dateTime(Example.at(Example.day(1996, 4, 4), Example.time(1, 0, 0))), extent: .lasting(CalendarDuration(seconds: 10_800))))),
        // The text leaves out the comma before 19970526, where it folds: TextFaultTests.
        Example("3.8.5.2", "RDATE;VALUE=DATE:19970101,19970120,19970217,19970421,19970526,19970704,19970901,19971014,19971128,19971129,19971225", .date, .date(Example.day(1997, 1, 1)), .date(Example.day(1997, 1, 20)), .date(Example.day(1997, 2, 17)), .date(Example.day(1997, 4, 21)), .date(Example.day(1997, 5, 26)), .date(Example.day(1997, 7, 4)), .date(Example.day(1997, 9, 1)), .date(Example.day(1997, 10, 14)), .date(Example.day(1997, 11, 28)), .date(Example.day(1997, 11, 29)), .date(Example.day(1997, 12, 25))),
        Example("3.8.6.1", "ACTION:AUDIO", "AUDIO"),
        Example("3.8.6.1", "ACTION:DISPLAY", "DISPLAY"),
        Example("3.8.6.2", "REPEAT:4", .integer, .integer(4)),
        Example("3.8.6.2", "DURATION:PT5M", .duration, .duration(CalendarDuration(seconds: 300))),
        Example("3.8.6.3", "TRIGGER:-PT15M", .duration, .duration(CalendarDuration(seconds: -900))),
        Example("3.8.6.3", "TRIGGER;RELATED=END:PT5M", .duration, .duration(CalendarDuration(seconds: 300))).with("RELATED", "END"),
        Example("3.8.6.3", "TRIGGER;VALUE=DATE-TIME:19980101T050000Z", .dateTime, .dateTime(Example.at(Example.day(1998, 1, 1), Example.time(5, 0, 0)))),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
