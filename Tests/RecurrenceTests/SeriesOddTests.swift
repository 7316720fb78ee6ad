import RemindavICalendar
import RemindavRecurrence
import Testing

// Unusual series of other programs, and hostile ones.
extension SeriesTests {
    @Test("a start counts if DUE is not before it: by moment in two zones, by day if one is a day")
    func startBesideDue() throws {
        func todo(_ lines: String) throws -> [String] {
            try self.shown("BEGIN:VTODO\nUID:1\n\(lines)\nEND:VTODO")
        }
        // Ten o'clock in Tokyo is an hour before two o'clock in UTC.
        #expect(
            try todo("DTSTART;TZID=Asia/Tokyo:20260101T100000\nDUE:20260101T020000Z")
                == ["- 20260101T100000/20260101T020000Z "]
        )
        #expect(try todo("DTSTART:20260105T090000\nDUE;VALUE=DATE:20260105") == ["- 20260105T090000/20260105 "])
        #expect(
            try todo("DTSTART;TZID=Asia/Tokyo:20260101T113000\nDUE:20260101T020000Z") == ["- -/20260101T020000Z "]
        )
        #expect(try todo("DTSTART:20260106T090000\nDUE;VALUE=DATE:20260105") == ["- -/20260105 "])
    }

    @Test("blanks around a value and between list values are skipped")
    func blanks() throws {
        let lines = """
            BEGIN:VEVENT
            UID:1
            DTSTART:20260101T090000Z
            DURATION: PT1H
            RRULE:FREQ=DAILY;COUNT=4
            EXDATE:20260102T090000Z, 20260103T090000Z
            RDATE;VALUE=PERIOD: 20260110T090000Z/PT3H , 20260111T090000Z/PT2H
            END:VEVENT
            """
        #expect(
            try self.shown(lines) == [
                "20260101T090000Z 20260101T090000Z/20260101T100000Z ",
                "20260104T090000Z 20260104T090000Z/20260104T100000Z ",
                "20260110T090000Z 20260110T090000Z/20260110T120000Z ",
                "20260111T090000Z 20260111T090000Z/20260111T110000Z ",
            ]
        )
        #expect(try self.series(lines)[0].issues.isEmpty)
    }

    @Test("an override with THISANDFUTURE and an excluded date still describes later occurrences")
    func futureFromLeftOut() throws {
        let lines = """
            \(Self.daily)
            BEGIN:VEVENT
            UID:1
            SUMMARY:b
            RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260106T090000
            DTSTART;TZID=Europe/Berlin:20260106T110000
            END:VEVENT
            """
        #expect(
            try self.shown(lines) == [
                "20260105T090000 20260105T090000/20260105T100000 a", "20260107T090000 20260107T110000/- b*",
                "20260108T090000 20260108T110000/- b*", "20260109T090000 20260109T110000/- b*",
            ]
        )
        let single = lines.replacing(";RANGE=THISANDFUTURE", with: "")
        #expect(try self.shown(single) == self.shown(Self.daily))
    }

    @Test("overrides with THISANDFUTURE beyond the limit change one occurrence each, and are reported")
    func manyFutures() throws {
        let first = CalendarDate(dayNumber: 20_000)
        var lines = "BEGIN:VEVENT\nUID:1\nDTSTART:\(first.wire)T090000Z\nRRULE:FREQ=DAILY;COUNT=100000\n"
        // Each length adds work to the search of a window.
        let lengths = (0..<2000).map { "\(first.adding(days: $0).wire)T200000Z/PT1H" }.joined(separator: ",")
        lines += "RDATE;VALUE=PERIOD:\(lengths)\nEND:VEVENT"
        for number in 0..<2000 {
            let day = first.adding(days: 2 * number + 1).wire
            lines += "\nBEGIN:VEVENT\nUID:1\nSUMMARY:\(number)\nRECURRENCE-ID;RANGE=THISANDFUTURE:\(day)T090000Z"
            lines += "\nDTSTART:\(day)T100000Z\nEND:VEVENT"
        }
        let series = try #require(try self.series(lines).first)
        #expect(series.issues.map(\.line) == [8 + 100 * 6])
        #expect(series.issues.first?.description.hasPrefix("VEVENT: there are more than 100 overrides") == true)
        let clock = ContinuousClock()
        let spent = try clock.measure {
            let from = try #require(Instant(wire: "\(first.adding(days: 300).wire)T000000Z"))
            var occurrences = try series.occurrences(from: from)
            var found: [String] = []
            for _ in 0..<4 {
                guard let next = try occurrences.next() else { break }
                found.append("\(next.start?.wire.suffix(8) ?? "") \(next.component.first(.summary)?.text ?? "")")
            }
            // Number 99 is the last override that counts for later occurrences; 150 counts for its own day only.
            #expect(found == ["T100000Z 99", "T210000Z 99", "T100000Z 150", "T210000Z 99"])
        }
        // This limit is for a debug build.
        #expect(spent < .seconds(3))
    }
}
