import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@Suite("whether an alarm of a reminder has fired")
struct FiredAlarmTests {
    private static func alarm(_ lines: String...) -> String {
        (["BEGIN:VALARM", "ACTION:DISPLAY"] + lines + ["END:VALARM"]).joined(separator: "\r\n")
    }

    private static let dates = ["DTSTART:20261121T080000Z", "DUE:20261125T080000Z"]
    private static let days = ["DTSTART;VALUE=DATE:20261121", "DUE;VALUE=DATE:20261125"]

    /// The clock shows 20 November 2026, 20:00 UTC, which is 21:00 in the local zone.
    static let rows: [(lines: [String], hasFired: Bool)] = [
        (Self.dates, false), (Self.dates + [Self.alarm("TRIGGER;RELATED=END:-P1D")], false),
        (Self.dates + [Self.alarm("TRIGGER;RELATED=END:-P4DT12H")], true),
        (Self.dates + [Self.alarm("TRIGGER;RELATED=END:-P4DT12H", "ACKNOWLEDGED:20261120T200000Z")], true),
        (Self.dates + [Self.alarm("TRIGGER;RELATED=END:-P4DT11H59M")], false),
        (Self.dates + [Self.alarm("TRIGGER;RELATED=END:PT0S")], false),
        (Self.dates + [Self.alarm("TRIGGER;RELATED=START:-PT11H")], false),
        (Self.dates + [Self.alarm("TRIGGER;RELATED=START:-PT12H")], true),
        (Self.dates + [Self.alarm("TRIGGER;VALUE=DATE-TIME:20261120T200001Z")], false),
        (Self.dates + [Self.alarm("TRIGGER;VALUE=DATE-TIME:20261120T200000Z")], true),
        (Self.dates + ["BEGIN:VALARM\r\nACTION:EMAIL\r\nTRIGGER:-P9D\r\nEND:VALARM"], false),
        (Self.days + [Self.alarm("TRIGGER;RELATED=END:-P5D")], true),
        (Self.days + [Self.alarm("TRIGGER;RELATED=END:-P4D")], false),
        (Self.dates + ["RRULE:FREQ=WEEKLY", Self.alarm("TRIGGER;RELATED=END:-P4D")], false),
        (Self.dates + ["RRULE:FREQ=WEEKLY", Self.alarm("TRIGGER;RELATED=END:-P5D")], true),
        (Self.dates + ["RRULE:FREQ=WEEKLY", "EXDATE:20261121T080000Z", Self.alarm("TRIGGER;RELATED=END:-P5D")], false),
        (
            Self.dates + [
                "RRULE:FREQ=WEEKLY", "EXDATE:20261121T080000Z",
                Self.alarm("TRIGGER;VALUE=DATE-TIME:20261114T080000Z"),
            ], false
        ),
        (Self.dates + ["X-MOZ-SNOOZE-TIME:20261120T190000Z"], false),
    ]

    @Test("only alarms of the current date that this machine shows count, acknowledged or not", arguments: rows)
    func fired(lines: [String], hasFired: Bool) throws {
        let parsed = try #require(reminder(lines.joined(separator: "\r\n")))
        let dayTime = ClockTime(secondsOfDay: 9 * 3600)
        #expect(parsed.hasFiredAlarm(by: now, dayTime: dayTime, zones: zones(parsed)) == hasFired)
    }
}
