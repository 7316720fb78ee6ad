import ICalendar
import Recurrence
import Testing

// What other programs and strangers write into a series.
extension SeriesTests {
    @Test("a start counts where DUE is not before it: by the moment on two clocks, by the day where one is a day")
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

    @Test("blanks around a value and between the values of a list are passed over")
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

    @Test("an override with THISANDFUTURE whose own date is left out still describes what follows")
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
}
