import RemindavICalendar
import RemindavReminders
import Testing

@Suite("fields of a reminder (RFC 5545 §3.8)")
struct FieldTests {
    static let priorities: [(String, Priority)] = [
        ("PRIORITY:0", .undefined), ("PRIORITY:1", .high), ("PRIORITY:4", .high), ("PRIORITY:5", .medium),
        ("PRIORITY:6", .low), ("PRIORITY:9", .low), ("PRIORITY:99", .undefined), ("X-NOTHING:1", .undefined),
    ]

    @Test("nine numbers are three urgencies", arguments: priorities)
    func priority(line: String, expected: Priority) { #expect(reminder(line)?.priority == expected) }

    static let statuses: [(String, Status)] = [
        ("SUMMARY:a", .pending), ("STATUS:NEEDS-ACTION", .pending), ("STATUS:IN-PROCESS", .inProgress),
        ("PERCENT-COMPLETE:40", .inProgress), ("STATUS:COMPLETED", .completed), ("PERCENT-COMPLETE:100", .completed),
        ("COMPLETED:20260101T000000Z", .completed), ("STATUS:CANCELLED", .cancelled), ("status:completed", .completed),
    ]

    @Test("a reminder is completed if any of the three properties states it", arguments: statuses)
    func status(line: String, expected: Status) { #expect(reminder(line)?.status == expected) }

    @Test("labels of several properties are one list, and one with a comma is one label")
    func labels() {
        let reminder = reminder(#"CATEGORIES:Home,Travel\, abroad"#, "CATEGORIES:home, Kids ,")
        #expect(reminder?.labels == ["Home", "Travel, abroad", "Kids"])
    }

    @Test("a start that equals DUE or is impossible is ignored")
    func start() {
        #expect(reminder("DTSTART:20260101T090000Z", "DUE:20260101T090000Z")?.start == nil)
        #expect(reminder("DTSTART:20260102T090000Z", "DUE:20260101T090000Z")?.start == nil)
        #expect(reminder("DTSTART:20040101T000000", "DUE;VALUE=DATE:20260101")?.start == nil)
        #expect(reminder("DTSTART:20251231T090000Z", "DUE:20260101T090000Z")?.start == moment("20251231T090000Z"))
    }

    @Test("a start in another zone than DUE, or on the day of DUE, is a start")
    func startInAnotherZone() {
        // Ten o'clock in Tokyo is an hour before two o'clock in UTC.
        let tokyo = reminder("DTSTART;TZID=Asia/Tokyo:20260101T100000", "DUE:20260101T020000Z")
        #expect(tokyo?.start == moment("20260101T100000", "Asia/Tokyo"))
        #expect(reminder("DTSTART:20260105T090000", "DUE;VALUE=DATE:20260105")?.start == moment("20260105T090000"))
        #expect(reminder("DTSTART:20260106T090000", "DUE;VALUE=DATE:20260105")?.start == nil)
        // Two zones never differ by days.
        #expect(reminder("DTSTART;TZID=Asia/Tokyo:20260105T100000", "DUE:20260101T020000Z")?.start == nil)
    }

    @Test("DTSTART and DURATION make a due time")
    func duration() {
        let timed = reminder("DTSTART:20260101T090000Z", "DURATION:P1DT1H")
        #expect(timed?.due == moment("20260102T100000Z"))
        #expect(reminder("DTSTART:20260101T090000Z", "DURATION: PT1H ")?.due == moment("20260101T100000Z"))
        #expect(reminder("DTSTART;VALUE=DATE:20260101", "DURATION:P2D")?.due == moment("20260103"))
        #expect(reminder("DTSTART;VALUE=DATE:20260101", "DURATION:PT36H")?.due == moment("20260102T120000"))
        #expect(reminder("DTSTART;VALUE=DATE:20260101", "DURATION:PT24H")?.due == moment("20260102"))
    }

    @Test("an alarm of vCalendar 1.0 is an alarm; a time without Z is in the zone of DUE")
    func oldAlarms() {
        let old = reminder(
            "DUE:20261126T235900",
            "DALARM:20261126T225900;PT5M;2;One hour left",
            "AALARM:20261126T120000Z;;;taps.wav",
            "MALARM:tomorrow"
        )
        let alarms = old?.alarms ?? []
        #expect(alarms.map(\.action) == ["DISPLAY", "AUDIO", "EMAIL"])
        #expect(alarms.map(\.description) == ["One hour left", nil, nil])
        #expect(
            alarms.map(\.trigger) == [
                .relative(CalendarDuration(seconds: -3600), to: .end),
                Instant(wire: "20261126T120000Z").map(Trigger.absolute), nil,
            ]
        )
    }

    @Test("an alarm of vCalendar 1.0 keeps its time of day when the clocks change before DUE")
    func oldAlarmAcrossClockChange() {
        // The clocks of Berlin skip an hour on 29 March 2026: two days have 47 hours.
        let old = reminder("DUE;TZID=Europe/Berlin:20260330T090000", "DALARM:20260328T090000", "AALARM:20260328T083000")
        #expect(
            old?.alarms.map(\.trigger) == [
                .relative(CalendarDuration(days: -2), to: .end),
                .relative(CalendarDuration(days: -2, seconds: -1800), to: .end),
            ]
        )
    }

    @Test("a snooze is read in both dialects, and the later counts")
    func snooze() {
        let both = reminder(
            "X-MOZ-SNOOZE-TIME:20261120T210000Z",
            "BEGIN:VALARM",
            "UID:s",
            "ACTION:DISPLAY",
            "TRIGGER;VALUE=DATE-TIME:20261120T220000Z",
            "RELATED-TO;RELTYPE=SNOOZE:a",
            "END:VALARM"
        )
        #expect(both?.snoozedUntil == Instant(wire: "20261120T220000Z"))
        #expect(both?.alarms.isEmpty == true)
    }

    @Test("a stamp without its Z is in UTC")
    func stamps() { #expect(reminder("CREATED:20260101T000000")?.createdAt == Instant(wire: "20260101T000000Z")) }
}
