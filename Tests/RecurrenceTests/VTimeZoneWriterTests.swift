import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavRecurrence

@Suite("RFC 5545 3.6.5: a written VTIMEZONE has the rules of its zone")
struct VTimeZoneWriterTests {
    /// Returns the rules that a reader finds in the written lines.
    static func reread(_ lines: [String]) throws -> ZoneRules {
        let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
        let document = ICalendarDocument(Array(text.utf8))
        let zone = try #require(document.components.first?.components(.vtimezone).first)
        var reader = TimeZoneReader()
        let definition = reader.definition(zone)
        #expect(reader.issues == [])
        return try #require(definition).rules()
    }

    static func second(_ year: Int) -> Int {
        CalendarDate.dayNumber(year: year, month: 1, day: 1) * ClockTime.secondsPerDay
    }

    /// Checks that the written zone has the offsets and names of the zone at each second of the period.
    static func expectSame(_ name: String, _ rules: ZoneRules, from: Int, to: Int?, upTo end: Int) throws {
        let lines = VTimeZoneWriter.lines(
            name: name,
            rules: rules,
            from: Instant(secondsSince1970: Int64(from)),
            to: to.map { Instant(secondsSince1970: Int64($0)) }
        )
        #expect(lines.allSatisfy { $0.utf8.count <= 75 }, "\(name)")
        let own = try self.reread(lines)
        // The offset is constant between two changes, so the ends of each period are enough.
        let changes = rules.transitions(from: from, to: end).map(\.at) + own.transitions(from: from, to: end).map(\.at)
        for moment in [from, end - 1] + changes.flatMap({ [$0 - 1, $0] }) where moment >= from && moment < end {
            let (expected, found) = (rules.type(at: moment), own.type(at: moment))
            guard expected.offset != found.offset || expected.abbreviation != found.abbreviation else { continue }
            Issue.record("\(name) \(Instant(secondsSince1970: Int64(moment))): \(found), not \(expected)")
            return
        }
    }

    @Test("all zones of the machine with their full history, and up to 2100", .enabled(if: SystemZoneFiles.exist))
    func history() throws {
        var seen: Set<[UInt8]> = []
        var names = 0
        for name in try SystemZoneFiles.names() {
            names += 1
            guard seen.insert(try SystemZoneFiles.bytes(name)).inserted else { continue }
            let rules = try #require(systemZones.rules(named: name))
            try Self.expectSame(name, rules, from: Self.second(1840), to: nil, upTo: Self.second(2100))
        }
        #expect(names > 400)
        #expect(seen.count > 300)
    }

    @Test(
        "a range and its years, without the time before and after",
        .enabled(if: SystemZoneFiles.exist),
        arguments: [
            "Africa/Cairo", "Africa/Casablanca", "America/Nuuk", "America/Sao_Paulo", "Antarctica/Troll", "Asia/Gaza",
            "Asia/Jerusalem", "Asia/Tehran", "Asia/Tokyo", "Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin",
            "Pacific/Apia", "Pacific/Chatham", "Europe/Lisbon", "Africa/Monrovia",
        ]
    )
    func spans(_ name: String) throws {
        let rules = try #require(systemZones.rules(named: name))
        for (from, to) in [(1970, 1971), (1972, 1980), (1999, 2012), (2011, 2012), (2020, 2040), (2030, 2099)] {
            let (start, end) = (Self.second(from) + 12_345_678, Self.second(to))
            try Self.expectSame(name, rules, from: start, to: end, upTo: end)
            try Self.expectSame(name, rules, from: start, to: nil, upTo: Self.second(2100))
        }
    }

    @Test("footers with an hour on another day or with a day of the year become rules")
    func footers() throws {
        // The POSIX text, and the number of observances of a zone that always followed it.
        let cases: [(String, Int)] = [
            ("CET-1CEST,M3.5.0,M10.5.0/3", 2),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2),
            ("EET-2EEST,M4.5.5/0,M10.5.4/24", 3),
            ("EET-2EEST,M3.4.4/50,M10.4.4/50", 2),
            ("IST-2IDT,M3.4.4/26,M10.5.0", 2),
            ("XXX3YYY,M3.1.0/-1,M10.1.0/-25", 4),
            ("XXX3YYY,J60,J300/26", 2),
            ("XXX3YYY,J59,J300/-3", 2),
            ("XXX3YYY,0/0,40", 2),
        ]
        for (text, parts) in cases {
            let rule = try #require(PosixZoneRule(Array(text.utf8)), "\(text)")
            let from = Self.second(2000)
            let rules = ZoneRules(
                times: [],
                types: [],
                first: rule.type(at: 0),
                tail: .footer(rule),
                listed: from..<(from + 1)
            )
            let start = Instant(secondsSince1970: Int64(rule.transitions(from: from, to: Self.second(2002))[0].at))
            let lines = VTimeZoneWriter.lines(name: "A", rules: rules, from: start, to: nil)
            #expect(lines.count { $0.hasPrefix("BEGIN:") } == parts + 1, "\(text)\n\(lines.joined(separator: "\n"))")
            #expect(!lines.contains { $0.hasPrefix("RDATE") }, "\(text)")
            try Self.expectSame("A", rules, from: Int(start.secondsSince1970), to: nil, upTo: Self.second(2100))
        }
    }

    @Test("years that follow a rule become one rule, and the others are dates")
    func mixture() throws {
        let rules = try #require(fixtureZones.rules(named: "America/New_York"))
        let from = Instant(secondsSince1970: Int64(Self.second(1988)))
        let lines = VTimeZoneWriter.lines(name: "America/New_York", rules: rules, from: from, to: nil)
        let rulesWritten = lines.filter { $0.hasPrefix("RRULE") }
        #expect(
            rulesWritten == [
                "RRULE:FREQ=YEARLY;UNTIL=20061029T060000Z;BYMONTH=10;BYDAY=-1SU",
                "RRULE:FREQ=YEARLY;UNTIL=20060402T070000Z;BYMONTH=4;BYDAY=1SU",
                "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
            ]
        )
        #expect(!lines.contains { $0.hasPrefix("RDATE") })
    }

    @Test("a name with commas is escaped, and long lines are folded")
    func names() throws {
        let name = "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna; and all the others of the list"
        let rules = try #require(fixtureZones.rules(named: "Europe/Berlin"))
        let lines = VTimeZoneWriter.lines(name: name, rules: rules, year: 2026)
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
        let zones = TimeZoneResolver(
            database: ZoneDatabase { _ in nil },
            calendar: ICalendarDocument(Array(text.utf8)).components.first,
            local: "UTC"
        )
        #expect(zones.instant(of: try time("20260715T120000", name))?.wire == "20260715T100000Z")
    }
}
