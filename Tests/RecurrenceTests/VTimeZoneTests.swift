import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavRecurrence

@Suite("RFC 5545 3.6.5: VTIMEZONE, valid, broken and hostile")
struct VTimeZoneTests {
    /// Returns a calendar with one VTIMEZONE with the name `A`.
    static func calendar(_ lines: String) -> String {
        "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:A\n\(lines)\nEND:VTIMEZONE\nEND:VCALENDAR\n"
    }

    static func part(_ name: String, _ lines: String...) -> String {
        (["BEGIN:\(name)"] + lines + ["END:\(name)"]).joined(separator: "\n")
    }

    static let winter = part(
        "STANDARD",
        "DTSTART:19701025T030000",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
        "TZOFFSETFROM:+0200",
        "TZOFFSETTO:+0100"
    )
    static let summer = part(
        "DAYLIGHT",
        "DTSTART:19700329T020000",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
        "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200"
    )

    /// A VTIMEZONE, its findings, and the UTC of some local times; `nil` if the zone is unknown.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let lines: String
        let issues: [TimeZoneIssue.Code]
        let times: KeyValuePairs<String, String?>

        init(_ what: String, _ lines: String, _ issues: [TimeZoneIssue.Code], _ times: KeyValuePairs<String, String?>) {
            self.testDescription = what
            self.lines = lines
            self.issues = issues
            self.times = times
        }
    }

    static let july: KeyValuePairs<String, String?> = ["20260715T120000": "20260715T100000Z"]

    static let cases: [Case] = [
        Case(
            "sound",
            "\(winter)\n\(summer)",
            [],
            [
                "20260715T120000": "20260715T100000Z", "20260115T120000": "20260115T110000Z",
                "20260329T023000": "20260329T013000Z", "20261025T023000": "20261025T003000Z",
                "21260715T120000": "21260715T100000Z", "21250325T023000": "21250325T013000Z",
            ]
        ),
        Case(
            "from 1601, Outlook",
            "\(winter)\n\(summer)".replacing("DTSTART:1970", with: "DTSTART:1601"),
            [],
            [
                "20260715T120000": "20260715T100000Z", "19500715T120000": "19500715T100000Z",
                "17000115T120000": "17000115T110000Z", "99990715T120000": "99990715T100000Z",
            ]
        ),
        Case(
            "COUNT ends a rule",
            part(
                "DAYLIGHT",
                "DTSTART:20000326T020000",
                "RRULE:FREQ=YEARLY;COUNT=2;BYMONTH=3;BYDAY=-1SU",
                "TZOFFSETFROM:+0100",
                "TZOFFSETTO:+0200"
            ) + "\n"
                + part(
                    "STANDARD",
                    "DTSTART:20001029T030000",
                    "RRULE:FREQ=YEARLY;COUNT=2;BYMONTH=10;BYDAY=-1SU",
                    "TZOFFSETFROM:+0200",
                    "TZOFFSETTO:+0100"
                ),
            [],
            [
                "20000715T120000": "20000715T100000Z", "20010715T120000": "20010715T100000Z",
                "20020715T120000": "20020715T110000Z",
            ]
        ),
        Case(
            "RDATE with a period and a list",
            part(
                "DAYLIGHT",
                "DTSTART:20000326T020000",
                "RDATE;VALUE=PERIOD:20010325T020000/PT1H",
                "RDATE:20020331T020000,20030330T020000",
                "TZOFFSETFROM:+0100",
                "TZOFFSETTO:+0200"
            ) + "\n"
                + part(
                    "STANDARD",
                    "DTSTART:20001029T030000",
                    "RDATE:20011028T030000,20021027T030000,20031026T030000",
                    "TZOFFSETFROM:+0200",
                    "TZOFFSETTO:+0100"
                ),
            [],
            ["20030715T120000": "20030715T100000Z", "20040715T120000": "20040715T110000Z"]
        ),
        Case(
            "by days of the month, Israel",
            part(
                "DAYLIGHT",
                "DTSTART:20130329T020000",
                "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR",
                "TZOFFSETFROM:+0200",
                "TZOFFSETTO:+0300"
            ) + "\n"
                + part(
                    "STANDARD",
                    "DTSTART:20131027T020000",
                    "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
                    "TZOFFSETFROM:+0300",
                    "TZOFFSETTO:+0200"
                ),
            [],
            ["20260327T015959": "20260326T235959Z", "20260327T030000": "20260327T000000Z"]
        ),
        Case(
            "by a rule of another shape",
            "\(winter)\n"
                + part(
                    "DAYLIGHT",
                    "DTSTART:19700329T020000",
                    "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYSETPOS=-1",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0200"
                ),
            [],
            july
        ),
        Case(
            "only STANDARD",
            part("STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0200"),
            [],
            july
        ),
        Case(
            "offsets with seconds",
            part(
                "STANDARD",
                "DTSTART:19720107T000000",
                "TZOFFSETFROM:-004430",
                "TZOFFSETTO:+0000"
            ),
            [],
            [
                "19700101T000000": "19700101T004430Z", "19720107T000000": "19720107T004430Z",
                "20260101T000000": "20260101T000000Z",
            ]
        ),
        Case(
            "no TZOFFSETFROM",
            "\(winter)\n\(summer)".replacing("TZOFFSETFROM:+0100\n", with: ""),
            [.missingOffsetBefore],
            [
                "20260715T120000": "20260715T100000Z", "20260329T023000": "20260329T013000Z",
            ]
        ),
        Case(
            "no TZOFFSETTO in one part",
            "\(winter)\n\(summer)".replacing("TZOFFSETTO:+0100\n", with: ""),
            [.missingOffset],
            [
                "20260715T120000": "20260715T100000Z", "20260115T120000": "20260115T100000Z",
            ]
        ),
        Case(
            "no offsets at all",
            part("STANDARD", "DTSTART:19700101T000000"),
            [.noObservance, .missingOffset],
            [
                "20260715T120000": nil
            ]
        ),
        Case(
            "no DTSTART and no rule",
            part("STANDARD", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0200"),
            [.missingStart],
            july
        ),
        Case(
            "no DTSTART with a rule",
            "\(winter)\n\(summer)".replacing("DTSTART:19701025T030000\n", with: ""),
            [.missingStart],
            july
        ),
        Case("nothing in it", "X-A:b", [.noObservance], ["20260715T120000": nil]),
        Case(
            "DTSTART with Z",
            "\(winter)\n\(summer)".replacing("19700329T020000", with: "19700329T020000Z"),
            [.startInUTC],
            july
        ),
        Case(
            "DTSTART is a day",
            part("STANDARD", "DTSTART;VALUE=DATE:19700101", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0200"),
            [],
            july
        ),
        Case(
            "UNTIL in local time",
            "\(winter)\n\(summer)\n"
                + part(
                    "DAYLIGHT",
                    "DTSTART:19600401T020000",
                    "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=19650404T020000",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0300"
                ),
            [.untilNotUTC],
            july
        ),
        Case(
            "UNTIL as a day",
            "\(winter)\n\(summer)\n"
                + part(
                    "DAYLIGHT",
                    "DTSTART:19600401T020000",
                    "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=19650404",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0300"
                ),
            [.untilNotUTC],
            july
        ),
        Case(
            "a rule that is none",
            "\(winter)\n\(summer)\n"
                + part(
                    "DAYLIGHT",
                    "DTSTART:19600401T020000",
                    "RRULE:FREQ=SOMETIMES",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0300"
                ),
            [.badRule],
            july
        ),
        Case(
            "each second",
            "\(winter)\n\(summer)\n"
                + part(
                    "DAYLIGHT",
                    "DTSTART:19600401T020000",
                    "RRULE:FREQ=SECONDLY",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0300"
                ),
            [.ruleTooFrequent],
            july
        ),
        Case(
            "each day",
            "\(winter)\n\(summer)\n"
                + part(
                    "DAYLIGHT",
                    "DTSTART:19600401T020000",
                    "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0300"
                ),
            [.ruleTooFrequent],
            july
        ),
        Case(
            "a date that is none",
            "\(winter)\n\(summer)\n"
                + part(
                    "DAYLIGHT",
                    "DTSTART:19600401T020000",
                    "RDATE:1961",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0200"
                ),
            [.badDate],
            july
        ),
        Case(
            "never, for ever",
            "\(winter)\n\(summer)\n"
                + part(
                    "DAYLIGHT",
                    "DTSTART:16010401T020000",
                    "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYSETPOS=1",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0300"
                ),
            [],
            july
        ),
    ]

    @Test("each VTIMEZONE is read as expected, and repairs are reported", arguments: cases)
    func reading(_ test: Case) throws {
        let text = Self.calendar(test.lines)
        let zones = resolver(text)
        for (local, utc) in test.times {
            #expect(zones.instant(of: try time(local, "A"))?.wire == utc, "\(local)")
        }
        let calendar = try #require(ICalendarDocument(Array(text.utf8)).components.first)
        #expect(TimeZoneIssue.all(in: calendar).map(\.code) == test.issues)
    }

    @Test("of two with one name the first valid one counts; both are reported")
    func names() throws {
        let empty = "BEGIN:VTIMEZONE\nTZID:A\nEND:VTIMEZONE\n"
        let sound = "BEGIN:VTIMEZONE\nTZID:A\n\(Self.winter)\n\(Self.summer)\nEND:VTIMEZONE\n"
        let nameless = "BEGIN:VTIMEZONE\n\(Self.winter)\nEND:VTIMEZONE\n"
        let text = "BEGIN:VCALENDAR\n\(empty)\(sound)\(nameless)END:VCALENDAR\n"
        #expect(resolver(text).instant(of: try time("20260715T120000", "A"))?.wire == "20260715T100000Z")
        let calendar = try #require(ICalendarDocument(Array(text.utf8)).components.first)
        let issues = TimeZoneIssue.all(in: calendar)
        #expect(issues.map(\.code) == [.noObservance, .duplicateName, .missingName])
        #expect(issues.map(\.line) == [2, 5, 20])
        #expect(TimeZoneIssue.Code.allCases.allSatisfy { !$0.sentence.isEmpty })
    }

    /// Hostile contents.
    ///
    /// Each is refused or read in part, and quickly. RFC 5545 has no limits.
    static let hostile: [(String, String)] = [
        (
            "10,000 observances",
            String(
                repeating: part("STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100") + "\n",
                count: 10_000
            )
        ),
        (
            "a line of 20,000 dates",
            part(
                "STANDARD",
                "DTSTART:19700101T000000",
                "RDATE:" + String(repeating: "19710101T000000,", count: 20_000),
                "TZOFFSETFROM:+0100",
                "TZOFFSETTO:+0100"
            )
        ),
        (
            "20,000 lines of dates",
            part(
                "STANDARD",
                "DTSTART:19700101T000000",
                String(repeating: "RDATE:19710101T000000\n", count: 20_000) + "X-A:b",
                "TZOFFSETFROM:+0100",
                "TZOFFSETTO:+0100"
            )
        ),
        (
            "500 observances with rules that never match until the year 9999",
            String(
                repeating: part(
                    "STANDARD",
                    "DTSTART:00010101T000000",
                    "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231T000000Z",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0100"
                ) + "\n",
                count: 500
            )
        ),
        (
            "500 observances with rules for each day of the year",
            String(
                repeating: part(
                    "STANDARD",
                    "DTSTART:00010101T000000",
                    "RRULE:FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR,SA,SU",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0100"
                ) + "\n",
                count: 500
            )
        ),
        (
            "500 observances with a count of two thousand million",
            String(
                repeating: part(
                    "STANDARD",
                    "DTSTART:00010101T000000",
                    "RRULE:FREQ=MONTHLY;COUNT=2000000000",
                    "TZOFFSETFROM:+0100",
                    "TZOFFSETTO:+0100"
                ) + "\n",
                count: 500
            )
        ),
        (
            "2,000 rules that are never true",
            part(
                "STANDARD",
                "DTSTART:19700101T000000",
                String(repeating: "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\n", count: 2000)
                    + "TZOFFSETFROM:+0100\nTZOFFSETTO:+0100"
            )
        ),
    ]

    @Test("hostile VTIMEZONEs are refused immediately", arguments: hostile.indices)
    func bounded(_ index: Int) throws {
        let text = Self.calendar(Self.hostile[index].1)
        let calendar = try #require(ICalendarDocument(Array(text.utf8)).components.first)
        let clock = ContinuousClock()
        let spent = clock.measure {
            let zones = TimeZoneResolver(database: fixtureZones, calendar: calendar, local: "Europe/Berlin")
            #expect(zones.resolution(of: "A") == nil)
        }
        // This is a debug build; Tests/Zones measures the program.
        #expect(spent < .seconds(2), "\(Self.hostile[index].0)")
        let codes = Set(TimeZoneIssue.all(in: calendar).map(\.code))
        #expect(codes.contains(.tooManyObservances) || codes.contains(.tooManyOnsets))
    }

    @Test("equal text is parsed once for all calendars")
    func shared() throws {
        let text = Self.calendar("\(Self.winter)\n\(Self.summer)")
        let first = try #require(resolver(text).rules(of: .named("A")))
        let second = try #require(resolver(text).rules(of: .named("A")))
        #expect(first === second)
    }
}
