import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavRecurrence

/// The zones of this machine, for the tests that need them.
let systemZones = ZoneDatabase { name in
    guard let bytes = try? SystemZoneFiles.bytes(name), bytes.starts(with: "TZif".utf8) else { return nil }
    return bytes
}

@Suite("TZID: the zone of a name")
struct ZoneNameTests {
    // swift-format-ignore
    static let names: [(String, ZoneSource, String?)] = [
        ("Europe/Berlin", .zoneinfo, "Europe/Berlin"),
        ("US/Eastern", .zoneinfo, "US/Eastern"),
        ("Etc/GMT-3", .zoneinfo, "Etc/GMT-3"),
        ("EST5EDT", .zoneinfo, "EST5EDT"),
        ("europe/berlin", .spelling, "Europe/Berlin"),
        ("AMERICA/PORT-AU-PRINCE", .spelling, "America/Port-au-Prince"),
        ("us/eastern", .spelling, "US/Eastern"),
        ("etc/gmt+5", .spelling, "Etc/GMT+5"),
        ("gmt", .spelling, "GMT"),
        (" Europe/Berlin ", .spelling, "Europe/Berlin"),
        ("\"Europe/Berlin\"", .spelling, "Europe/Berlin"),
        ("/freeassociation.sourceforge.net/Tzfile/Europe/Berlin", .prefix, "Europe/Berlin"),
        ("/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires", .prefix, "America/Argentina/Buenos_Aires"),
        ("/softwarestudio.org/Olson_20011030_5/America/New_York", .prefix, "America/New_York"),
        ("/softwarestudio.org/Tzfile/Asia/Kolkata", .prefix, "Asia/Kolkata"),
        ("/citadel.org/20211020_1/Asia/Kathmandu", .prefix, "Asia/Kathmandu"),
        ("/mozilla.org/20070129_1/Europe/Paris", .prefix, "Europe/Paris"),
        ("freeassociation.sourceforge.net/Tzfile/UTC", .prefix, "UTC"),
        ("tzone://Microsoft/Olson/Europe/Paris", .prefix, "Europe/Paris"),
        ("W. Europe Standard Time", .windows, "Europe/Berlin"),
        ("w. europe standard time", .windows, "Europe/Berlin"),
        ("Eastern Daylight Time", .windows, "America/New_York"),
        ("Mexico Standard Time 2", .windows, "America/Mazatlan"),
        ("UTC-02", .windows, "Etc/GMT+2"),
        ("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", .displayName, "Europe/Berlin"),
        ("(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rome\\, Stockholm\\, Vienna", .displayName, "Europe/Berlin"),
        ("(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", .displayName, "Europe/Berlin"),
        ("(GMT+01.00) Sarajevo/Warsaw/Zagreb", .displayName, "Europe/Warsaw"),
        ("(GMT+01.00) Paris/Madrid/Brussels/Copenhagen", .displayName, "Europe/Paris"),
        ("(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien", .displayName, "Europe/Berlin"),
        ("(GMT-05:00) Eastern Time (US and Canada)", .displayName, "America/New_York"),
        ("(GMT-05:00) Eastern Time (US & Canada)", .displayName, "America/New_York"),
        ("(GMT+02:00) Athens, Beirut, Istanbul, Minsk", .displayName, "Europe/Athens"),
        ("(GMT) Greenwich Mean Time: Dublin, Edinburgh, Lisbon, London", .displayName, "Europe/London"),
        ("(UTC) Coordinated Universal Time", .displayName, "Etc/UTC"),
        ("UTC+2", .offset, "Etc/GMT-2"),
        ("GMT+0200", .offset, "Etc/GMT-2"),
        ("GMT-03:00", .offset, "Etc/GMT+3"),
        ("(UTC-05:00)", .offset, "Etc/GMT+5"),
        ("+0100", .offset, "Etc/GMT-1"),
        ("UTC+05:45", .offset, nil),
        ("Z", .offset, "Etc/UTC"),
    ]

    @Test("each form of a name", .enabled(if: SystemZoneFiles.exist), arguments: names)
    func resolution(name: String, source: ZoneSource, zone: String?) {
        let zones = TimeZoneResolver(database: systemZones, calendar: nil, local: "UTC")
        #expect(zones.resolution(of: name) == ZoneResolution(source: source, name: zone))
        #expect(zones.knows(.named(name)))
    }

    @Test(
        "an unknown name stays unknown",
        .enabled(if: SystemZoneFiles.exist),
        arguments: [
            "", " ", "Customized Time Zone", "tzone://Microsoft/Custom", "Middle-earth/Shire", "Europe", "Europe/",
            "localtime", "posixrules", "../localtime", "/../etc/localtime", "/etc/passwd", "Berlin", "UTC+25", "UTC+",
            "GMT+1:2:3", "Zulu+1", "(UTC+02:00) Atlantis", "(UTC+01:00) Berlin, Paris",
            "(UTC-04:00) La Paz, Nowhere", "X/Europe/Berlin", "a\u{0}b", String(repeating: "/a", count: 10_000),
            String(repeating: "(utc)", count: 1000),
        ]
    )
    func unknown(name: String) {
        let zones = TimeZoneResolver(database: systemZones, calendar: nil, local: "UTC")
        #expect(zones.resolution(of: name) == nil, "\(name.prefix(40))")
    }

    @Test("a plain offset is read as that offset")
    func offsets() throws {
        for (name, utc) in [
            ("UTC+5:45", "20260101T061500Z"), ("GMT-0930", "20260101T213000Z"), ("UTC", "20260101T120000Z"),
        ] {
            #expect(resolver().instant(of: try time("20260101T120000", name))?.wire == utc)
        }
    }

    @Test("every name of tzdata is found in lower case", .enabled(if: SystemZoneFiles.exist))
    func smallLetters() throws {
        let names = try SystemZoneFiles.names()
        #expect(names.count > 400)
        for name in names {
            let found = systemZones.match(name.lowercased())?.name
            #expect(found == name || (found == name.lowercased()), "\(name)")
        }
    }

    @Test("every zone of the Windows table exists in tzdata", .enabled(if: SystemZoneFiles.exist))
    func windowsTable() {
        #expect(WindowsZones.rows.count == 139)
        #expect(Set(WindowsZones.rows.map { $0.name.lowercased() }).count == WindowsZones.rows.count)
        #expect(Set(WindowsZones.rows.map(\.places)).count == WindowsZones.rows.count)
        for row in WindowsZones.rows {
            #expect(systemZones.rules(named: row.zone) != nil, "\(row.zone)")
            #expect(WindowsZones.zoneinfoName(of: row.name) == row.zone)
            #expect(WindowsZones.zoneinfoName(ofDisplayed: "(UTC+00:00) \(row.places)") == row.zone)
        }
        for (name, zone) in WindowsZones.olderNames {
            #expect(systemZones.rules(named: zone) != nil && WindowsZones.zoneinfoName(of: name) == zone, "\(name)")
        }
        for (places, zone) in WindowsZones.olderPlaces {
            #expect(systemZones.rules(named: zone) != nil, "\(zone)")
            #expect(WindowsZones.zoneinfoName(ofDisplayed: "(GMT) \(places)") == zone, "\(places)")
        }
    }

    static func calendar(_ head: String, _ zone: String, _ body: String = "") -> String {
        "BEGIN:VCALENDAR\n\(head)BEGIN:VTIMEZONE\n\(zone)END:VTIMEZONE\n\(body)END:VCALENDAR\n"
    }

    static let plusOne = """
        BEGIN:STANDARD
        DTSTART:16010101T000000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0100
        END:STANDARD

        """

    @Test("other properties of the calendar resolve an unknown name, and this is reported")
    func inferred() throws {
        let cases: [(String, ZoneSource?, String?)] = [
            (Self.calendar("", "TZID:Home\n\(Self.plusOne)"), .definition, nil),
            (Self.calendar("", "TZID:Home\nX-LIC-LOCATION:Asia/Tokyo\n\(Self.plusOne)"), .definition, "Asia/Tokyo"),
            (Self.calendar("", "TZID:Home\nX-LIC-LOCATION:Asia/Tokyo\n"), .location, "Asia/Tokyo"),
            (Self.calendar("", "TZID:Other\n\(Self.plusOne)"), .onlyDefinition, nil),
            (
                Self.calendar(
                    "",
                    "TZID:Other\n\(Self.plusOne)",
                    "BEGIN:VTODO\nDUE;TZID=Other:20260101T000000\nEND:VTODO\n"
                ),
                nil, nil
            ),
            (Self.calendar("X-WR-TIMEZONE:Asia/Tokyo\n", "TZID:Home\n"), .calendarZone, "Asia/Tokyo"),
            (Self.calendar("X-WR-TIMEZONE:Nowhere\n", "TZID:Home\n"), nil, nil),
        ]
        for (calendar, source, name) in cases {
            let found = resolver(calendar).resolution(of: "Home")
            #expect(found == source.map { ZoneResolution(source: $0, name: name) }, "\(calendar)")
        }
    }

    @Test("a guess and an unknown zone are reported, each at its first use")
    func reported() throws {
        let times = ["Home", "Europe/Berlin", "Home", "Other"].map {
            "BEGIN:VTODO\nDUE;TZID=\($0):20260101T000000\nEND:VTODO\n"
        }
        func found(_ head: String, _ zone: String) throws -> [String] {
            let text = Self.calendar(head, zone, times.joined())
            let calendar = try #require(ICalendarDocument(Array(text.utf8)).components.first)
            return TimeZoneIssue.names(in: calendar.components, resolver: resolver(text)).map {
                "\($0.line) \($0.code)"
            }
        }
        #expect(
            try found("X-WR-TIMEZONE:Asia/Tokyo\n", "TZID:Other\n\(Self.plusOne)")
                == ["12 zoneOfCalendar", "15 missingTimeZone"]
        )
        #expect(
            try found("", "TZID:Third\n\(Self.plusOne)")
                == ["11 zoneOfOnlyDefinition", "14 missingTimeZone", "20 zoneOfOnlyDefinition"]
        )
        #expect(
            try found("", "TZID:Home\nX-LIC-LOCATION:Asia/Tokyo\n")
                == ["7 zoneOfLocation", "10 missingTimeZone", "16 unknownTimeZone"]
        )
        #expect(TimeZoneIssue.Code.allCases.allSatisfy { $0.advice.hasSuffix(".") && !$0.sentence.hasSuffix(".") })
    }

    @Test("thousands of unknown names need one pass over the calendar")
    func manyNames() throws {
        let times = (0..<3000).map { "BEGIN:VTODO\nDUE;TZID=Nowhere \($0):20260101T000000\nEND:VTODO\n" }
        let text = Self.calendar(
            "",
            "TZID:Home\n\(Self.plusOne)",
            times.joined() + times[0].replacing("Nowhere 0", with: "Home")
        )
        let calendar = try #require(ICalendarDocument(Array(text.utf8)).components.first)
        let spent = ContinuousClock().measure {
            let zones = resolver(text)
            for index in 0..<3000 { #expect(zones.resolution(of: "Nowhere \(index)") == nil) }
            let issues = TimeZoneIssue.names(in: calendar.components, resolver: zones)
            #expect(issues.count == 1000)
        }
        #expect(spent < .seconds(5))
    }

    @Test("a floating time stays in the user's local time, independent of X-WR-TIMEZONE")
    func floating() throws {
        let zones = resolver(Self.calendar("X-WR-TIMEZONE:Asia/Tokyo\n", ""))
        #expect(zones.instant(of: try time("20260115T120000"))?.wire == "20260115T110000Z")
    }

    @Test("the name of a VTIMEZONE may have surrounding spaces and quotes")
    func looseDefinition() throws {
        let zones = resolver(Self.calendar("", "TZID:Home\n\(Self.plusOne)"))
        #expect(zones.resolution(of: " \"Home\" ")?.source == .definition)
    }
}
