import RemindavICalendar
import RemindavRecurrence
import Testing

@Suite("The occurrences of all components of one UID")
struct SeriesTests {
    /// Returns the series of a calendar with these components.
    func series(_ lines: String) throws -> [Series] {
        let document = ICalendarDocument(Array("BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR\n".utf8))
        let calendar = try #require(document.components.first)
        let components = calendar.components.filter { $0.name == .vtodo || $0.name == .vevent }
        return try Series.grouped(components).map { try Series($0, resolver: resolver()) }
    }

    /// Returns each occurrence as `RECURRENCE-ID start/end summary`, with an asterisk for an override.
    func shown(
        _ lines: String,
        from: String? = nil,
        to: String? = nil,
        limit: Int = 20
    ) throws -> [String] {
        let series = try #require(try self.series(lines).first)
        var occurrences = try series.occurrences(
            from: from.flatMap { Instant(wire: $0) },
            to: to.flatMap { Instant(wire: $0) }
        )
        var shown: [String] = []
        while shown.count < limit, let next = try occurrences.next() {
            let id = next.recurrenceID?.wire ?? "-"
            let span = "\(next.start?.wire ?? "-")/\(next.end?.wire ?? "-")"
            shown.append("\(id) \(span) \(next.component.first(.summary)?.text ?? "")\(next.isOverride ? "*" : "")")
        }
        return shown
    }

    static let daily = """
        BEGIN:VEVENT
        UID:1
        SUMMARY:a
        DTSTART;TZID=Europe/Berlin:20260105T090000
        DTEND;TZID=Europe/Berlin:20260105T100000
        RRULE:FREQ=DAILY;COUNT=5
        EXDATE;TZID=Europe/Berlin:20260106T090000
        END:VEVENT
        """

    @Test("rule, exception and length")
    func plain() throws {
        #expect(
            try self.shown(Self.daily) == [
                "20260105T090000 20260105T090000/20260105T100000 a",
                "20260107T090000 20260107T090000/20260107T100000 a",
                "20260108T090000 20260108T090000/20260108T100000 a",
                "20260109T090000 20260109T090000/20260109T100000 a",
            ]
        )
    }

    @Test("a window includes occurrences that last into it, but none that end at its start or begin at its end")
    func window() throws {
        let inside = try self.shown(Self.daily, from: "20260107T083000Z", to: "20260109T080000Z")
        #expect(
            inside == [
                "20260107T090000 20260107T090000/20260107T100000 a",
                "20260108T090000 20260108T090000/20260108T100000 a",
            ]
        )
        #expect(try self.shown(Self.daily, from: "20260109T090000Z").isEmpty)
    }

    static let moved = """
        \(daily)
        BEGIN:VEVENT
        UID:1
        SUMMARY:b
        RECURRENCE-ID:20260107T080000Z
        DTSTART;TZID=Europe/Berlin:20260201T120000
        DURATION:PT30M
        END:VEVENT
        BEGIN:VEVENT
        UID:1
        SUMMARY:c
        RECURRENCE-ID;TZID=Europe/Berlin:20260301T090000
        DTSTART;TZID=Europe/Berlin:20260102T090000
        END:VEVENT
        """

    @Test("an override occurs at its new time, also for a date that the rule does not produce")
    func overrides() throws {
        #expect(
            try self.shown(Self.moved) == [
                "20260301T090000 20260102T090000/- c*", "20260105T090000 20260105T090000/20260105T100000 a",
                "20260108T090000 20260108T090000/20260108T100000 a",
                "20260109T090000 20260109T090000/20260109T100000 a",
                "20260107T090000 20260201T120000/20260201T123000 b*",
            ]
        )
        #expect(
            try self.shown(Self.moved, from: "20260201T000000Z", to: "20260202T000000Z")
                == ["20260107T090000 20260201T120000/20260201T123000 b*"]
        )
        #expect(try self.shown(Self.moved, from: "20260107T000000Z", to: "20260108T000000Z").isEmpty)
    }

    @Test(
        "THISANDFUTURE moves and describes later occurrences up to the next one, and single overrides take precedence"
    )
    func future() throws {
        let lines = """
            \(Self.daily.replacing("COUNT=5", with: "COUNT=6"))
            BEGIN:VEVENT
            UID:1
            SUMMARY:b
            RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260107T090000
            DTSTART;TZID=Europe/Berlin:20260107T110000
            DTEND;TZID=Europe/Berlin:20260107T130000
            END:VEVENT
            BEGIN:VEVENT
            UID:1
            SUMMARY:c
            RECURRENCE-ID;TZID=Europe/Berlin:20260108T090000
            DTSTART;TZID=Europe/Berlin:20260108T080000
            END:VEVENT
            BEGIN:VEVENT
            UID:1
            SUMMARY:d
            RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260110T090000
            DTSTART;TZID=Europe/Berlin:20260109T070000
            END:VEVENT
            """
        #expect(
            try self.shown(lines) == [
                "20260105T090000 20260105T090000/20260105T100000 a",
                "20260107T090000 20260107T110000/20260107T130000 b*", "20260108T090000 20260108T080000/- c*",
                "20260110T090000 20260109T070000/- d*", "20260109T090000 20260109T110000/20260109T130000 b*",
            ]
        )
    }

    @Test("a to-do with only DUE repeats from it; days last to their end")
    func due() throws {
        let lines = """
            BEGIN:VTODO
            UID:1
            DUE;VALUE=DATE:20260105
            RRULE:FREQ=WEEKLY
            END:VTODO
            """
        // The day of Berlin ends at 23:00 UTC.
        #expect(
            try self.shown(lines, from: "20260112T220000Z", to: "20260120T000000Z")
                == ["20260112 -/20260112 ", "20260119 -/20260119 "]
        )
        #expect(try self.shown(lines, from: "20260112T230000Z", to: "20260118T230000Z").isEmpty)
    }

    @Test("RDATE as a period has its own length; EXRULE excludes dates; without a rule the start occurs")
    func dates() throws {
        let lines = """
            BEGIN:VEVENT
            UID:1
            DTSTART:20260105T090000Z
            DURATION:PT1H
            RRULE:FREQ=DAILY;COUNT=4
            EXRULE:FREQ=DAILY;INTERVAL=2
            RDATE;VALUE=PERIOD:20260110T090000Z/PT3H,20260111T090000Z/20260112T090000Z
            END:VEVENT
            """
        #expect(
            try self.shown(lines) == [
                "20260106T090000Z 20260106T090000Z/20260106T100000Z ",
                "20260108T090000Z 20260108T090000Z/20260108T100000Z ",
                "20260110T090000Z 20260110T090000Z/20260110T120000Z ",
            ]
        )
        #expect(try self.shown("BEGIN:VTODO\nUID:1\nDTSTART:20260105T090000Z\nEND:VTODO") == ["- 20260105T090000Z/- "])
        #expect(try self.shown("BEGIN:VTODO\nUID:1\nEND:VTODO").isEmpty)
    }

    @Test("RFC 5545 3.8.5.1 and 3.8.5.2: the examples of EXDATE and RDATE")
    func examples() throws {
        func dates(_ lines: String) throws -> [String] {
            let series = try self.series("BEGIN:VEVENT\nUID:1\n\(lines)\nEND:VEVENT")[0]
            var occurrences = try series.occurrences()
            var found: [String] = []
            while found.count < 20, let next = try occurrences.next() {
                found.append((next.start?.wire ?? "") + (next.end.map { "/\($0.wire)" } ?? ""))
            }
            return found
        }
        let exdate =
            "DTSTART:19960401T010000Z\nRRULE:FREQ=DAILY;COUNT=5\n"
            + "EXDATE:19960402T010000Z,19960403T010000Z,19960404T010000Z"
        #expect(try dates(exdate) == ["19960401T010000Z", "19960405T010000Z"])
        #expect(
            try dates("DTSTART:19970701T123000Z\nRDATE:19970714T123000Z") == ["19970701T123000Z", "19970714T123000Z"]
        )
        let zoned = "DTSTART;TZID=America/New_York:19970701T083000\nRDATE;TZID=America/New_York:19970714T083000"
        #expect(try dates(zoned) == ["19970701T083000", "19970714T083000"])
        let periods =
            "DTSTART:19960401T020000Z\nDURATION:PT1H\n"
            + "RDATE;VALUE=PERIOD:19960403T020000Z/19960403T040000Z,19960404T010000Z/PT3H"
        #expect(
            try dates(periods) == [
                "19960401T020000Z/19960401T030000Z", "19960403T020000Z/19960403T040000Z",
                "19960404T010000Z/19960404T040000Z",
            ]
        )
        let days = "19970101,19970120,19970217,19970421,19970526,19970704,19970901,19971014,19971128,19971129,19971225"
        #expect(
            try dates("DTSTART;VALUE=DATE:19970101\nRDATE;VALUE=DATE:\(days)")
                == days.split(separator: ",").map(String.init)
        )
    }

    @Test("DTEND is exact and DURATION's days are nominal where the clocks change (RFC 5545 3.8.5.3)")
    func lengths() throws {
        func event(_ end: String) -> String {
            """
            BEGIN:VEVENT
            UID:1
            DTSTART;TZID=Europe/Berlin:20260327T120000
            \(end)
            RRULE:FREQ=DAILY;COUNT=2
            END:VEVENT
            """
        }
        #expect(
            try self.shown(event("DTEND;TZID=Europe/Berlin:20260328T120000")).last
                == "20260328T120000 20260328T120000/20260329T130000 "
        )
        #expect(
            try self.shown(event("DURATION:P1D")).last == "20260328T120000 20260328T120000/20260329T120000 "
        )
    }

    @Test("skipped local times are ordered by their moments, and a moment occurs once")
    func gap() throws {
        let lines = """
            BEGIN:VTODO
            UID:1
            DTSTART;TZID=Europe/Berlin:20260329T013000
            RRULE:FREQ=MINUTELY;INTERVAL=30;COUNT=6
            END:VTODO
            """
        #expect(
            try self.shown(lines).map { String($0.prefix(15)) } == [
                "20260329T013000", "20260329T020000", "20260329T023000", "20260329T040000",
            ]
        )
        // Excluding one of the two names excludes the moment.
        for exception in ["TZID=Europe/Berlin:20260329T023000", "TZID=Europe/Berlin:20260329T033000"] {
            let left = try self.shown(lines.replacing("\nEND", with: "\nEXDATE;\(exception)\nEND"))
            #expect(left.map { String($0.prefix(15)) } == ["20260329T013000", "20260329T020000", "20260329T040000"])
        }
    }

    @Test("a whole day and hours of DURATION are hours from its midnight; whole days of hours are days")
    func hoursOfADay() throws {
        func event(_ duration: String) throws -> [String] {
            try self.shown("BEGIN:VEVENT\nUID:1\nDTSTART:20260105\nDURATION:\(duration)\nEND:VEVENT")
        }
        #expect(try event("PT36H") == ["- 20260105/20260106T120000 "])
        #expect(try event("PT24H") == ["- 20260105/20260106 "])
        #expect(try event("P1DT90M") == ["- 20260105/20260106T013000 "])
    }

    @Test("overridden occurrences are identified by moment: both repeated hours, and one hour in two zones")
    func overriddenMoments() throws {
        func override(_ id: String, _ title: String) -> String {
            "\nBEGIN:VEVENT\nUID:1\nRECURRENCE-ID\(id)\nSUMMARY:\(title)\nEND:VEVENT"
        }
        let nightly =
            "BEGIN:VEVENT\nUID:1\nDTSTART;TZID=Europe/Berlin:20261024T023000\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT"
        #expect(
            try self.shown(nightly + override(":20261025T003000Z", "first") + override(":20261025T013000Z", "second"))
                == [
                    "20261024T023000 20261024T023000/- ", "20261025T023000 20261025T003000Z/- first*",
                    "20261025T013000Z 20261025T013000Z/- second*",
                ]
        )
        let alone =
            override(";TZID=Europe/Berlin:20260105T090000", "Berlin")
            + override(";TZID=America/New_York:20260105T090000", "New York")
        #expect(
            try self.shown(String(alone.dropFirst())) == [
                "20260105T090000 20260105T090000/- Berlin*", "20260105T090000 20260105T090000/- New York*",
            ]
        )
        // A time without a zone is in the zone of the series. eM Client writes this form.
        let far = TimeZoneResolver(database: fixtureZones, calendar: nil, local: "America/New_York")
        let lines = nightly + override(":20261025T023000", "mine")
        let document = ICalendarDocument(Array(lines.utf8))
        var found = try Series(document.components, resolver: far).occurrences()
        #expect(try found.next()?.isOverride == false)
        #expect(try found.next()?.isOverride == true)
        #expect(try found.next() == nil)
    }

    @Test("an unreadable rule is skipped and reported; a missing date is an error of its own series")
    func unreadable() throws {
        func issue(_ lines: String) -> SeriesIssue? {
            do {
                _ = try self.series("BEGIN:VTODO\nUID:1\n\(lines)\nEND:VTODO")
                return nil
            } catch {
                return error as? SeriesIssue
            }
        }
        let passedOver = try self.series("BEGIN:VTODO\nUID:1\nDUE:20260105T090000Z\nRRULE:FREQ=SOMETIMES\nEND:VTODO")
        #expect(passedOver.map { $0.issues.map(\.line) } == [[5]])
        #expect(passedOver.first?.issues.first?.description.hasPrefix("RRULE: the rule cannot be read") == true)
        let zone = issue("DUE;TZID=Nowhere/Special:20260105T090000")
        #expect(zone?.line == 4 && zone?.description == "DUE: the time zone is unknown")
        #expect(issue("RRULE:FREQ=DAILY")?.code == .recurrence(.unreadableRule))
        #expect(issue("DTSTART:soon")?.code == .unreadableMoment)
    }

    @Test("occurrences from a RECURRENCE-ID on, without those of unwanted components")
    func wanted() throws {
        let series = try #require(try self.series(Self.daily).first)
        var all = try series.occurrences()
        var named: [CalendarDateOrDateTime] = []
        while named.count < 4, let next = try all.next() { named += [next.recurrenceID].compactMap { $0 } }
        var later = try series.occurrences(fromID: named[2]) { _ in true }
        #expect(try later.next()?.recurrenceID == named[2])
        var own = try series.occurrences { $0.recurrenceID != nil }
        while let next = try own.next() { #expect(next.isOverride) }
        #expect(series.name(of: named[0]).hasSuffix("Z"))
        let main = try #require(series.main)
        #expect(series.occurrence(named: named[1], describedBy: main)?.recurrenceID == named[1])
    }
}
