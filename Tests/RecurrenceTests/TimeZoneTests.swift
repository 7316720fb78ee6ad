import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavRecurrence

@Suite("RFC 5545 3.3.5 and 3.6.5, RFC 9636: time zones")
struct TimeZoneTests {
    /// A local time and its moment.
    struct Case: CustomTestStringConvertible, Sendable {
        let zone: String
        let local: String
        let utc: String
        var testDescription: String { "\(self.zone) \(self.local)" }

        init(_ zone: String, _ local: String, _ utc: String) {
            self.zone = zone
            self.local = local
            self.utc = utc
        }
    }

    // Expected values are from Python's zoneinfo. In gaps RFC 5545 requires the offset before.
    // swift-format-ignore
    static let cases = [
        // The examples of RFC 5545 3.3.5
        Case("America/New_York", "19980119T020000", "19980119T070000Z"),
        Case("America/New_York", "19970714T133000", "19970714T173000Z"),
        Case("America/New_York", "20071104T013000", "20071104T053000Z"),
        Case("America/New_York", "20070311T023000", "20070311T073000Z"),
        Case("Europe/Berlin", "20260115T120000", "20260115T110000Z"),
        Case("Europe/Berlin", "20260715T120000", "20260715T100000Z"),
        Case("Europe/Berlin", "20260329T023000", "20260329T013000Z"),   // gap
        Case("Europe/Berlin", "20260329T030000", "20260329T010000Z"),
        Case("Europe/Berlin", "20261025T023000", "20261025T003000Z"),   // twice, the first
        Case("Europe/Berlin", "20261025T030000", "20261025T020000Z"),
        Case("Europe/Berlin", "20990715T120000", "20990715T100000Z"),   // footer
        Case("Europe/Berlin", "20990329T023000", "20990329T013000Z"),   // footer, gap
        Case("Europe/Berlin", "19450401T120000", "19450401T110000Z"),
        Case("America/New_York", "20260308T023000", "20260308T073000Z"),
        Case("America/New_York", "20261101T013000", "20261101T053000Z"),
        Case("America/New_York", "21001101T120000", "21001101T160000Z"),
        Case("Europe/Dublin", "20260115T120000", "20260115T120000Z"),
        Case("Europe/Dublin", "20260715T120000", "20260715T110000Z"),
        Case("Europe/Dublin", "20500115T120000", "20500115T120000Z"),
        Case("Europe/Dublin", "20500715T120000", "20500715T110000Z"),
        Case("Asia/Kathmandu", "20260115T120000", "20260115T061500Z"),
        Case("Asia/Tokyo", "21260715T120000", "21260715T030000Z"),
        Case("Pacific/Apia", "20111229T120000", "20111229T220000Z"),
        Case("Pacific/Apia", "20111231T120000", "20111230T220000Z"),
        Case("Pacific/Apia", "20111230T120000", "20111230T220000Z"),    // a day left out
        // The names of other programs
        Case("/freeassociation.sourceforge.net/Tzfile/Europe/Berlin", "20260715T120000", "20260715T100000Z"),
        Case("/freeassociation.sourceforge.net/Europe/Berlin", "20260715T120000", "20260715T100000Z"),
        Case("/softwarestudio.org/Olson_20011030_5/America/New_York", "20260715T120000", "20260715T160000Z"),
        Case("W. Europe Standard Time", "20260715T120000", "20260715T100000Z"),
        Case("eastern standard time", "20260715T120000", "20260715T160000Z"),
    ]

    @Test("a local time is that moment", arguments: cases)
    func localToUTC(_ test: Case) throws {
        #expect(resolver().instant(of: try time(test.local, test.zone))?.wire == test.utc)
    }

    @Test("every moment survives a round trip through local time, except in repeated hours")
    func roundTrip() throws {
        for zone in ["Europe/Berlin", "America/New_York", "Europe/Dublin", "Asia/Kathmandu", "Pacific/Apia"] {
            let zones = resolver()
            var seconds: Int64 = -2_000_000_000
            while seconds < 7_000_000_000 {
                let instant = Instant(secondsSince1970: seconds)
                let local = try #require(zones.dateTime(of: instant, in: .named(zone)))
                let back = try #require(zones.instant(of: local))
                let distance = seconds - back.secondsSince1970
                #expect(distance == 0 || (distance > 0 && distance <= 7200), "\(zone) \(instant)")
                seconds += 1_234_567
            }
        }
    }

    @Test("an unknown zone stays unknown and is not UTC")
    func unknown() throws {
        let zones = resolver()
        for name in [
            "Nowhere/Special", "Customized Time Zone", "", "../tz/Europe/Berlin", "/etc/passwd", "Europe//Berlin",
        ] {
            let dateTime = CalendarDateTime(
                date: try time("20260115T120000").date,
                time: try time("20260115T120000").time,
                zone: .named(name)
            )
            #expect(zones.instant(of: dateTime) == nil)
            #expect(zones.zoneinfoName(of: name) == nil)
        }
    }

    @Test("the system is queried only with safe names")
    func safeNames() {
        for name in [
            "../etc/passwd", "/etc/passwd", "Europe/../x", "a b", "a\u{0}b", ".", "", "a/",
            String(repeating: "a", count: 65),
        ] {
            #expect(!ZoneDatabase.isSafe(name))
        }
        for name in ["Europe/Berlin", "Etc/GMT+12", "America/Argentina/Buenos_Aires", "UTC"] {
            #expect(ZoneDatabase.isSafe(name))
        }
    }

    @Test("a floating time is in the user's local time")
    func floating() throws {
        let dateTime = try time("20260115T120000")
        #expect(resolver(local: "Asia/Tokyo").instant(of: dateTime)?.wire == "20260115T030000Z")
        #expect(resolver(local: "Nowhere").instant(of: dateTime) == nil)
    }

    @Test("days are counted in local time, seconds are exact")
    func durations() throws {
        let start = try moment("20260328T120000", "Europe/Berlin")
        let zones = resolver()
        #expect(zones.instant(of: start, adding: CalendarDuration(days: 1))?.wire == "20260329T100000Z")
        #expect(zones.instant(of: start, adding: CalendarDuration(seconds: 86400))?.wire == "20260329T110000Z")
    }

    static let berlin = """
        BEGIN:VCALENDAR\r
        BEGIN:VTIMEZONE\r
        TZID:My zone\r
        BEGIN:STANDARD\r
        DTSTART:16010101T030000\r
        TZOFFSETFROM:+0200\r
        TZOFFSETTO:+0100\r
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r
        END:STANDARD\r
        BEGIN:DAYLIGHT\r
        DTSTART:16010101T020000\r
        TZOFFSETFROM:+0100\r
        TZOFFSETTO:+0200\r
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r
        END:DAYLIGHT\r
        END:VTIMEZONE\r
        END:VCALENDAR\r

        """

    @Test("the VTIMEZONE of Outlook agrees with zoneinfo to the second")
    func definition() throws {
        let zones = resolver(Self.berlin)
        for year in [2000, 2026, 2027, 2099] {
            for day in ["0101", "0327", "0328", "0329", "0330", "0601", "1025", "1026", "1101", "1231"] {
                for clock in ["T000000", "T015959", "T020000", "T023000", "T030000", "T120000"] {
                    let own = zones.instant(of: try time("\(year)\(day)\(clock)", "My zone"))
                    let system = zones.instant(of: try time("\(year)\(day)\(clock)", "Europe/Berlin"))
                    #expect(own == system, "\(year)\(day)\(clock)")
                }
            }
        }
    }

    @Test("the VTIMEZONE of the file takes precedence over the name; a broken one does not")
    func definitionWins() throws {
        let own = Self.berlin.replacingName("My zone", "America/New_York")
        let dateTime = try time("20260715T120000", "America/New_York")
        #expect(resolver(own).instant(of: dateTime)?.wire == "20260715T100000Z")
        let broken = "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:America/New_York\nEND:VTIMEZONE\nEND:VCALENDAR\n"
        #expect(resolver(broken).instant(of: dateTime)?.wire == "20260715T160000Z")
    }

    @Test("observances end by UNTIL and begin by RDATE")
    func history() throws {
        let zones = resolver(
            """
            BEGIN:VCALENDAR
            BEGIN:VTIMEZONE
            TZID:A
            BEGIN:STANDARD
            DTSTART:18930401T000000
            RDATE:18930401T000000,19460101T000000
            TZOFFSETFROM:+5328
            TZOFFSETTO:+0100
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:19800406T020000
            RRULE:FREQ=YEARLY;UNTIL=19800406T010000Z;BYDAY=1SU;BYMONTH=4
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            END:DAYLIGHT
            BEGIN:STANDARD
            DTSTART:19800928T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            END:STANDARD
            END:VTIMEZONE
            END:VCALENDAR
            """
        )
        let expected = [
            ("18900101T000000", "18891231T230632Z"), ("19000101T000000", "18991231T230000Z"),
            ("19800601T120000", "19800601T100000Z"), ("19810601T120000", "19810601T110000Z"),
        ]
        for (local, utc) in expected {
            #expect(zones.instant(of: try time(local, "A"))?.wire == utc)
        }
    }

    @Test(
        "a written VTIMEZONE has the rules of its zone",
        arguments: [
            "Europe/Berlin", "America/New_York", "Europe/Dublin", "Asia/Kathmandu", "Asia/Tokyo", "Pacific/Apia",
        ]
    )
    func writer(_ name: String) throws {
        let rules = try #require(fixtureZones.rules(named: name))
        for year in [2009, 2011, 2026, 2060] {
            let lines = VTimeZoneWriter.lines(name: name, rules: rules, year: year)
            #expect(lines.allSatisfy { $0.utf8.count <= 75 })
            let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
            let zones = resolver(text.replacingName(name, "Own"))
            #expect(zones.knows(.named("Own")))
            let start = CalendarDate.dayNumber(year: year, month: 1, day: 1) * 86400
            for step in 0..<(366 * 3 * 8) {
                let instant = Instant(secondsSince1970: Int64(start + step * 10800))
                #expect(zones.offset(of: .named("Own"), at: instant) == rules.offset(at: instant))
            }
        }
    }

    @Test("Berlin is written in two short observances")
    func writtenLines() throws {
        let rules = try #require(fixtureZones.rules(named: "Europe/Berlin"))
        let expected = """
            BEGIN:VTIMEZONE
            TZID:Europe/Berlin
            BEGIN:DAYLIGHT
            TZNAME:CEST
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            DTSTART:20250330T020000
            RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
            END:DAYLIGHT
            BEGIN:STANDARD
            TZNAME:CET
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            DTSTART:20251026T030000
            RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
            END:STANDARD
            END:VTIMEZONE
            """
        #expect(
            VTimeZoneWriter.lines(name: "Europe/Berlin", rules: rules, year: 2026).joined(separator: "\n") == expected
        )
    }

    @Test("footers of every form are read")
    func footers() throws {
        // POSIX text, moment, seconds east.
        let cases: [(String, String, Int)] = [
            ("<+0330>-3:30", "20260701T000000Z", 12600),
            ("EST5EDT", "20260701T000000Z", -14400),
            ("EST5EDT,M3.2.0,M11.1.0", "20260101T000000Z", -18000),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "20260329T005959Z", -7200),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "20260329T010000Z", -3600),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "20260327T000000Z", 10800),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "20260326T235959Z", 7200),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "20260101T000000Z", 39600),
            ("XXX3YYY,J60,J300", "20280301T050000Z", -7200),
            ("XXX3YYY,59,300", "20280229T050000Z", -7200),
        ]
        for (text, utc, offset) in cases {
            let rule = try #require(PosixZoneRule(Array(text.utf8)))
            let instant = try #require(Instant(wire: utc))
            #expect(rule.type(at: Int(instant.secondsSince1970)).offset == offset, "\(text)")
        }
        for text in ["", "A1", "CET", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.5.0", "CET-1x", "CET-999", "EST55EDT"] {
            #expect(PosixZoneRule(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test("a truncated or changed file never traps")
    func brokenFiles() throws {
        let bytes = try Fixture.bytes("tz/Pacific/Apia")
        for length in 0..<bytes.count { _ = TZifReader.rules(Array(bytes.prefix(length))) }
        for place in bytes.indices {
            for value in [0, 0x7F, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = value
                let rules = TZifReader.rules(changed)
                _ = rules?.type(at: 1_800_000_000)
                _ = rules?.transitions(from: 0, to: 2_000_000_000)
            }
        }
    }
}

extension String {
    fileprivate func replacingName(_ name: String, _ other: String) -> String {
        self.split(separator: "\r\n", omittingEmptySubsequences: false)
            .map { $0 == "TZID:\(name)" ? "TZID:\(other)" : String($0) }
            .joined(separator: "\r\n")
    }
}
