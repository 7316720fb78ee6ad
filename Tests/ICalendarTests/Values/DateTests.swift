import RemindavICalendar
import Testing

@Suite("RFC 5545 3.3.4, 3.3.5, 3.3.12: dates and times")
struct DateTests {
    @Test("every day number survives a round trip, and the weekdays are consecutive")
    func dayNumbers() {
        var last: CalendarDate?
        var number = CalendarDate.firstDayNumber
        while number <= CalendarDate.lastDayNumber {
            let date = CalendarDate(dayNumber: number)
            if date.dayNumber != number || last.map({ $0 >= date }) ?? false { Issue.record("\(number)") }
            last = date
            number += 17
        }
        #expect(CalendarDate(dayNumber: 0).wire == "19700101")
        #expect(CalendarDate(dayNumber: 0).weekday == .thursday)
        #expect(CalendarDate(dayNumber: -1).weekday == .wednesday)
        #expect(CalendarDate(dayNumber: .min).wire == "00010101")
        #expect(CalendarDate(dayNumber: .max).wire == "99991231")
        #expect(CalendarDate(dayNumber: 20_777).adding(days: .max).wire == "99991231")
    }

    /// A value and its canonical form; `nil` for an invalid value.
    static let moments: [(wire: String, canonical: String?)] = [
        ("20261120", "20261120"),
        ("00010101", "00010101"),
        ("99991231", "99991231"),
        ("20240229", "20240229"),
        ("20260229", nil),
        ("20261301", nil),
        ("20260100", nil),
        ("00000101", nil),
        ("2026112", nil),
        ("202611200", nil),
        ("2026-11-20", nil),
        ("20261120T090000", "20261120T090000"),
        ("20261120T090000Z", "20261120T090000Z"),
        ("20261120t090000z", "20261120T090000Z"),
        ("20261120T235960Z", "20261120T235959Z"),
        ("20261120T235961Z", nil),
        ("20261120T240000", nil),
        ("20261120T0900", nil),
        ("20261120T090000ZZ", nil),
        ("20261120T", nil),
        ("", nil),
        ("２０２６１１２０", nil),
        ("+0261120", nil),
    ]

    @Test("the type of a moment depends only on its form", arguments: moments)
    func read(_ test: (wire: String, canonical: String?)) {
        #expect(CalendarDateOrDateTime(wire: test.wire, tzid: nil)?.wire == test.canonical)
    }

    @Test("Z takes precedence over TZID, and an empty TZID is ignored")
    func zones() {
        #expect(CalendarDateTime(wire: "20261120T090000Z", tzid: "Europe/Berlin")?.zone == .utc)
        #expect(CalendarDateTime(wire: "20261120T090000", tzid: "Europe/Berlin")?.zone == .named("Europe/Berlin"))
        #expect(CalendarDateTime(wire: "20261120T090000", tzid: "")?.zone == .floating)
        #expect(CalendarDateTime(wire: "20261120T090000", tzid: nil)?.zone == .floating)
    }

    @Test(
        "local seconds survive a round trip and stop at the ends of the calendar",
        arguments: [0, 1, -1, 86_399, -86_401, 1_795_165_200]
    )
    func localSeconds(_ seconds: Int64) {
        #expect(CalendarDateTime(localSeconds: seconds, zone: .utc).localSeconds == seconds)
        #expect(CalendarDateTime(localSeconds: .max, zone: .utc).wire == "99991231T235959Z")
        #expect(CalendarDateTime(localSeconds: .min, zone: .utc).wire == "00010101T000000Z")
    }

    @Test("RFC 3339: moments are written and parsed")
    func rfc3339() throws {
        let instant = try #require(Instant(wire: "20261201T080000Z"))
        #expect(RFC3339.string(from: instant, offset: UTCOffset(seconds: 3600)) == "2026-12-01T09:00:00+01:00")
        #expect(RFC3339.string(from: instant) == "2026-12-01T08:00:00Z")
        #expect(RFC3339.string(from: instant, offset: UTCOffset(seconds: -12600)) == "2026-12-01T04:30:00-03:30")
        for seconds in [3208, -3208] {
            let text = RFC3339.string(from: instant, offset: UTCOffset(seconds: seconds))
            #expect(RFC3339.parse(text)?.instant == instant)
        }
        for text in [
            "2026-12-01T09:00:00+01:00", "2026-12-01t08:00:00z", "2026-12-01 08:00:00.25Z", "2026-12-01T08:00:00-00:00",
        ] {
            #expect(RFC3339.parse(text)?.instant == instant, "\(text)")
        }
        for text in [
            "2026-12-01", "2026-12-01T09:00:00", "2026-12-01T09:00Z", "2026-02-30T00:00:00Z",
            "2026-12-01T09:00:00+24:00", "",
        ] {
            #expect(RFC3339.parse(text) == nil, "\(text)")
        }
    }
}
