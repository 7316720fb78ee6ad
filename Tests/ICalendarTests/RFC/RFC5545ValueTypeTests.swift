import RemindavICalendar
import RemindavTestSupport
import Testing

/// Every example of RFC 5545 §3.3, one row each.
///
/// Examples without a property have one of ours.
@Suite("RFC 5545 3.3: the examples of each value type")
struct RFC5545ValueTypeTests {
    private static let newYork = ZoneReference.named("America/New_York")

    static let examples: [Example] = [
        Example("3.3.2", "X-A;VALUE=BOOLEAN:TRUE", .boolean, .boolean(true)),
        Example(
            "3.3.3",
            "ATTENDEE:mailto:jane_doe@example.com",
            .calAddress,
            .calAddress("mailto:jane_doe@example.com")
        ),
        Example("3.3.4", "X-A;VALUE=DATE:19970714", .date, .date(Example.day(1997, 7, 14))),
        Example(
            "3.3.5",
            "X-A;VALUE=DATE-TIME:19980118T230000",
            .dateTime,
            .dateTime(Example.at(Example.day(1998, 1, 18), Example.time(23, 0, 0), .floating))
        ),
        Example(
            "3.3.5",
            "X-A;VALUE=DATE-TIME:19980119T070000Z",
            .dateTime,
            .dateTime(Example.at(Example.day(1998, 1, 19), Example.time(7, 0, 0)))
        ),
        Example(
            "3.3.5",
            "X-A;VALUE=DATE-TIME;TZID=America/New_York:19980119T020000",
            .dateTime,
            .dateTime(Example.at(Example.day(1998, 1, 19), Example.time(2, 0, 0), newYork))
        ).with("TZID", "America/New_York"),
        Example(
            "3.3.5",
            "DTSTART:19970714T133000",
            .dateTime,
            .dateTime(Example.at(Example.day(1997, 7, 14), Example.time(13, 30, 0), .floating))
        ),
        Example(
            "3.3.5",
            "DTSTART:19970714T173000Z",
            .dateTime,
            .dateTime(Example.at(Example.day(1997, 7, 14), Example.time(17, 30, 0)))
        ),
        Example(
            "3.3.5",
            "DTSTART;TZID=America/New_York:19970714T133000",
            .dateTime,
            .dateTime(Example.at(Example.day(1997, 7, 14), Example.time(13, 30, 0), newYork))
        ).with("TZID", "America/New_York"),
        Example(
            "3.3.6",
            "DURATION:P15DT5H0M20S",
            .duration,
            .duration(CalendarDuration(days: 15, seconds: 18_020))
        ),
        Example("3.3.6", "DURATION:P7W", .duration, .duration(CalendarDuration(days: 49))),
        Example("3.3.7", "X-A;VALUE=FLOAT:1000000.0000001", .float, .float(1_000_000.0000001)),
        Example("3.3.7", "X-A;VALUE=FLOAT:1.333", .float, .float(1.333)),
        Example("3.3.7", "X-A;VALUE=FLOAT:-3.14", .float, .float(-3.14)),
        Example("3.3.8", "X-A;VALUE=INTEGER:1234567890", .integer, .integer(1_234_567_890)),
        Example("3.3.8", "X-A;VALUE=INTEGER:-1234567890", .integer, .integer(-1_234_567_890)),
        Example("3.3.8", "X-A;VALUE=INTEGER:+1234567890", .integer, .integer(1_234_567_890)),
        Example("3.3.8", "X-A;VALUE=INTEGER:432109876", .integer, .integer(432_109_876)),
        Example(
            "3.3.9",
            "X-A;VALUE=PERIOD:19970101T180000Z/19970102T070000Z",
            .period,
            .period(
                Period(
                    start: .dateTime(Example.at(Example.day(1997, 1, 1), Example.time(18, 0, 0))),
                    extent: .until(.dateTime(Example.at(Example.day(1997, 1, 2), Example.time(7, 0, 0))))
                )
            )
        ),
        Example(
            "3.3.9",
            "X-A;VALUE=PERIOD:19970101T180000Z/PT5H30M",
            .period,
            .period(
                Period(
                    start: .dateTime(Example.at(Example.day(1997, 1, 1), Example.time(18, 0, 0))),
                    extent: .lasting(CalendarDuration(seconds: 19_800))
                )
            )
        ),
        Example(
            "3.3.11",
            #"DESCRIPTION:Project XYZ Final Review\nConference Room - 3B\nCome Prepared."#,
            "Project XYZ Final Review\nConference Room - 3B\nCome Prepared."
        ),
        Example(
            "3.3.12",
            "X-A;VALUE=TIME:230000",
            .time,
            .time(CalendarTime(time: Example.time(23, 0, 0), zone: .floating))
        ),
        Example(
            "3.3.12",
            "X-A;VALUE=TIME:070000Z",
            .time,
            .time(CalendarTime(time: Example.time(7, 0, 0), zone: .utc))
        ),
        Example(
            "3.3.12",
            "X-A;VALUE=TIME:083000",
            .time,
            .time(CalendarTime(time: Example.time(8, 30, 0), zone: .floating))
        ),
        Example(
            "3.3.12",
            "X-A;VALUE=TIME:133000Z",
            .time,
            .time(CalendarTime(time: Example.time(13, 30, 0), zone: .utc))
        ),
        Example(
            "3.3.12",
            "X-A;VALUE=TIME;TZID=America/New_York:083000",
            .time,
            .time(CalendarTime(time: Example.time(8, 30, 0), zone: newYork))
        ).with("TZID", "America/New_York"),
        Example(
            "3.3.13",
            "URL:http://example.com/my-report.txt",
            .uri,
            .uri("http://example.com/my-report.txt")
        ),
        Example("3.3.14", "TZOFFSETTO:-0500", .utcOffset, .utcOffset(UTCOffset(seconds: -18_000))),
        Example("3.3.14", "TZOFFSETTO:+0100", .utcOffset, .utcOffset(UTCOffset(seconds: 3600))),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }

    @Test("3.3.1: the icon has 16 by 16 dots in 16 colours, with the picture of the text")
    func binary() throws {
        let bytes = try Self.attachment("3.3.1", type: "image/vnd.microsoft.icon")
        #expect(bytes.count == 318)
        #expect(bytes.prefix(14) == [0, 0, 1, 0, 1, 0, 16, 16, 16, 0, 1, 0, 4, 0])
        // The header of the icon, the header of the picture, 16 colours; then the dots, the lowest line first, and the
        // mask.
        let dots = Array(bytes[(22 + 40 + 16 * 4)...].prefix(16 * 8))
        let lines = stride(from: 120, through: 0, by: -8).map { start in
            dots[start..<start + 8].map { String($0 >> 4) + String($0 & 15) }.joined()
        }
        #expect(lines == Self.picture)
        #expect(bytes.suffix(64) == ArraySlice(repeating: 0, count: 64))
    }

    private static let picture = [
        "0000000000000000", "0000000320000000", "0000002442000000", "0000004444000000", "0000004444000000",
        "0002103443011000", "0034432442444300", "0044442442444400", "0043143333413400", "0021024344201200",
        "0000244444420000", "0000002442000000", "0000013443100000", "0000000330000000", "0000000000000000",
        "0000000000000000",
    ]

    /// The decoded base64 of a section.
    static let encoded: [(section: String, text: String)] = [
        ("3.1.3", "The quick brown fox jumps over the lazy dog."),
        (
            "3.2.7",
            "Lorem ipsum dolor sit amet, consectetur adipisicing elit, sed do eiusmod tempor incididunt ut labore et "
                + "dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut "
                + "aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse "
                + "cillum dolore eu fugiat nulla pariatur. Excepteur sint occaecat cupidatat non proident, sunt in culpa "
                + "qui officia deserunt mollit anim id est laborum."
        ),
    ]

    @Test("3.1.3, 3.2.7: base64 is decoded to its text", arguments: encoded)
    func encodedText(_ test: (section: String, text: String)) throws {
        let bytes = try Self.attachment(test.section, type: "text/plain")
        #expect(String(decoding: bytes, as: UTF8.self) == test.text)
    }

    /// Returns the bytes in the last line of a section, after checking that they are written unchanged.
    private static func attachment(_ section: String, type: String) throws -> [UInt8] {
        let text = try #require(try RFCText.all("rfc5545").first { $0.section == section })
        let event = ICalendarDocument(text.calendar).components.first?.components.first
        let property = try #require(event?.properties.last)
        #expect(property.valueType == .binary)
        #expect(property.parameters.map(\.values) == [[type], ["BASE64"], ["BINARY"]])
        let values = try property.values()
        guard values.count == 1, case .binary(let bytes) = values[0] else { return [] }
        let written = PropertyValue.binary(bytes).wire
        #expect(written.hasPrefix(property.value) && written.count % 4 == 0)
        return bytes
    }

    @Test("3.3.5: the 61st second becomes second 59")
    func leapSecond() throws {
        let property = try #require(Example.read("X-A;VALUE=DATE-TIME:19970630T235960Z"))
        #expect(
            try property.values()
                == [.dateTime(Example.at(Example.day(1997, 6, 30), Example.time(23, 59, 59)))]
        )
    }

    @Test("3.3.10: the rules of the text")
    func rules() throws {
        var daily = RecurrenceRule(frequency: .daily, interval: 2)
        daily.count = 10
        var yearly = RecurrenceRule(frequency: .yearly, interval: 2)
        yearly.byMonth = [1]
        yearly.byDay = [RecurrenceRule.WeekdayItem(weekday: .sunday)]
        yearly.byHour = [8, 9]
        yearly.byMinute = [30]
        var monthly = RecurrenceRule(frequency: .monthly)
        monthly.byDay = [Weekday.monday, .tuesday, .wednesday, .thursday, .friday].map {
            RecurrenceRule.WeekdayItem(weekday: $0)
        }
        monthly.bySetPosition = [-1]
        let rows: [(String, RecurrenceRule)] = [
            ("FREQ=DAILY;COUNT=10;INTERVAL=2", daily),
            ("FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30", yearly),
            ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", monthly),
        ]
        for (wire, rule) in rows {
            let property = try #require(Example.read("RRULE:\(wire)"))
            #expect(property.valueType == .recur)
            #expect(try property.values() == [.recur(rule)])
        }
    }

    static let refused: [(line: String, code: ValueError.Code)] = [
        ("X-A;VALUE=BINARY:?", .invalidBinary),
        ("X-A;VALUE=BOOLEAN:YES", .invalidBoolean),
        ("X-A;VALUE=DATE:19970230", .noSuchDay),
        // "The form of date and time with UTC offset MUST NOT be used" (3.3.5).
        ("DTSTART:19980119T230000-0800", .invalidDateTime),
        ("DURATION:P1Y", .invalidDuration),
        ("X-A;VALUE=FLOAT:1e6", .invalidFloat),
        ("X-A;VALUE=FLOAT:.5", .invalidFloat),
        ("X-A;VALUE=INTEGER:2147483648", .invalidNumber),
        ("X-A;VALUE=PERIOD:19970101T180000Z/", .invalidPeriod),
        ("RRULE:FREQ=DAILY;COUNT=0", .numberOutOfRange),
        // "The following form of time MUST NOT be used" (3.3.12).
        ("X-A;VALUE=TIME:230000-0800", .invalidTime),
        ("TZOFFSETTO:+01:00", .invalidOffset),
    ]

    @Test("an invalid value of a type is refused with the reason", arguments: refused)
    func refuse(_ test: (line: String, code: ValueError.Code)) throws {
        let property = try #require(Example.read(test.line))
        let error = #expect(throws: ValueError.self) { try property.values() }
        #expect(error?.code == test.code)
    }
}
