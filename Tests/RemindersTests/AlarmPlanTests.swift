import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import Testing

@Suite("which alarms fire, and when (RFC 5545 §3.6.6, RFC 9074)")
struct AlarmPlanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lines: [String]
        let rings: [String]

        init(_ description: String, _ lines: [String], _ rings: [String]) {
            self.testDescription = description
            self.lines = lines
            self.rings = rings
        }
    }

    private static let due = "DUE:20261121T090000Z"

    static let single: [Case] = [
        Case("due, without an alarm", [due], ["20261121T090000Z due"]),
        Case("due in a zone, in winter", ["DUE;TZID=Europe/Berlin:20261121T090000"], ["20261121T080000Z due"]),
        Case("due in a zone, in summer", ["DUE;TZID=Europe/Berlin:20260721T090000"], ["20260721T070000Z due"]),
        Case("due in local time", ["DUE:20261121T090000"], ["20261121T080000Z due"]),
        Case("due in an unknown zone", ["DUE;TZID=Nowhere:20261121T090000"], ["20261121T080000Z due"]),
        Case("due on a day", ["DUE;VALUE=DATE:20261121"], ["20261121T080000Z due"]),
        Case("due after DTSTART", ["DTSTART:20261121T080000Z", "DURATION:PT1H"], ["20261121T090000Z due"]),
        Case("due at a skipped local time", ["DUE;TZID=Europe/Berlin:20260329T023000"], ["20260329T013000Z due"]),
        Case("due at a repeated local time", ["DUE;TZID=Europe/Berlin:20261025T023000"], ["20261025T003000Z due"]),
        Case("in process", [due, "STATUS:IN-PROCESS"], ["20261121T090000Z due"]),
        Case("no date", ["SUMMARY:a"], []),
        Case("only a start", ["DTSTART:20261121T090000Z"], []),
        Case("completed", [due, "STATUS:COMPLETED"], []),
        Case("completed, only by its date", [due, "COMPLETED:20261120T000000Z"], []),
        Case("cancelled", [due, "STATUS:CANCELLED"], []),

        Case("before it is due", [due, alarm("TRIGGER;RELATED=END:-PT15M")], ["20261121T084500Z alarm"]),
        Case("after it is due", [due, alarm("TRIGGER;RELATED=END:PT1H")], ["20261121T100000Z alarm"]),
        Case(
            "before it begins",
            [due, "DTSTART:20261121T080000Z", alarm("TRIGGER:-PT15M")],
            ["20261121T074500Z alarm"]
        ),
        Case(
            "before it begins, with the word",
            [due, "DTSTART:20261121T080000Z", alarm("TRIGGER;RELATED=START:-PT15M")],
            ["20261121T074500Z alarm"]
        ),
        Case("before it begins, but only DUE is there", [due, alarm("TRIGGER:-PT15M")], ["20261121T084500Z alarm"]),
        Case(
            "before it is due, but only DTSTART is there",
            ["DTSTART:20261121T080000Z", alarm("TRIGGER;RELATED=END:-PT15M")],
            []
        ),
        Case(
            "before it begins, with a DTSTART that means nothing",
            [due, "DTSTART:20261121T100000Z", alarm("TRIGGER:-PT15M")],
            ["20261121T084500Z alarm"]
        ),
        Case("relative to a missing time", [alarm("TRIGGER:-PT15M")], []),
        Case("at a moment", [due, alarm("TRIGGER;VALUE=DATE-TIME:20261120T210000Z")], ["20261120T210000Z alarm"]),
        Case("at a moment, without a date", [alarm("TRIGGER:20261120T210000Z")], ["20261120T210000Z alarm"]),
        Case(
            "days count on the clock",
            ["DUE;TZID=Europe/Berlin:20261025T090000", alarm("TRIGGER;RELATED=END:-P1D")],
            ["20261024T070000Z alarm"]
        ),
        Case(
            "hours count exactly",
            ["DUE;TZID=Europe/Berlin:20261025T090000", alarm("TRIGGER;RELATED=END:-PT24H")],
            ["20261024T080000Z alarm"]
        ),
        Case(
            "several, in the order of time, a moment once",
            [due, alarm("TRIGGER:PT0S"), alarm("TRIGGER:-P1D"), alarm("TRIGGER:-PT0M")],
            ["20261120T090000Z alarm", "20261121T090000Z alarm"]
        ),
        Case(
            "again and again",
            [due, alarm("TRIGGER:-PT10M", "REPEAT:2", "DURATION:PT5M")],
            ["20261121T085000Z alarm", "20261121T085500Z alarm", "20261121T090000Z alarm"]
        ),
        Case(
            "again each day, on the clock",
            ["DUE;TZID=Europe/Berlin:20261024T090000", alarm("TRIGGER;RELATED=END:PT0S", "REPEAT:2", "DURATION:P1D")],
            ["20261024T070000Z alarm", "20261025T080000Z alarm", "20261026T080000Z alarm"]
        ),
        Case(
            "again each day from a moment, on the clock on the wall",
            [alarm("TRIGGER:20261024T070000Z", "REPEAT:1", "DURATION:P1D")],
            ["20261024T070000Z alarm", "20261025T080000Z alarm"]
        ),
        Case(
            "again after hours from a moment, exactly",
            [alarm("TRIGGER:20261024T070000Z", "REPEAT:1", "DURATION:PT24H")],
            ["20261024T070000Z alarm", "20261025T070000Z alarm"]
        ),
        Case("again, without an interval", [due, alarm("TRIGGER:PT0S", "REPEAT:2")], ["20261121T090000Z alarm"]),
        Case(
            "again, but backwards",
            [due, alarm("TRIGGER:PT0S", "REPEAT:2", "DURATION:-PT5M")],
            [
                "20261121T090000Z alarm"
            ]
        ),

        Case(
            "a day counts from its midnight in hours",
            ["DUE;VALUE=DATE:20261121", alarm("TRIGGER:PT7H")],
            [
                "20261121T060000Z alarm"
            ]
        ),
        Case(
            "and rings at nine for whole days",
            ["DUE;VALUE=DATE:20261121", alarm("TRIGGER:-P1D")],
            [
                "20261120T080000Z alarm"
            ]
        ),
        Case(
            "as minutes of a whole day",
            ["DUE;VALUE=DATE:20261121", alarm("TRIGGER:-PT1440M")],
            [
                "20261120T080000Z alarm"
            ]
        ),
        Case(
            "hours of a day are those of the clock",
            ["DUE;VALUE=DATE:20261025", alarm("TRIGGER:PT9H")],
            [
                "20261025T080000Z alarm"
            ]
        ),
        Case(
            "an alarm that repeats over midnight stays at midnight",
            ["DUE;VALUE=DATE:20261121", alarm("TRIGGER:-PT10M", "REPEAT:1", "DURATION:PT10M")],
            ["20261120T225000Z alarm", "20261120T230000Z alarm"]
        ),

        Case("a mail", [due, alarm("TRIGGER:-PT15M").replacing("DISPLAY", with: "EMAIL")], ["20261121T090000Z due"]),
        Case(
            "a sound",
            [due, alarm("TRIGGER:-PT15M").replacing("DISPLAY", with: "AUDIO")],
            ["20261121T084500Z alarm"]
        ),
        Case(
            "a program",
            [due, alarm("TRIGGER:-PT15M").replacing("DISPLAY", with: "PROCEDURE")],
            [
                "20261121T090000Z due"
            ]
        ),
        Case(
            "nothing at all (Apple)",
            [due, alarm("TRIGGER:-PT15M").replacing("DISPLAY", with: "NONE")],
            [
                "20261121T090000Z due"
            ]
        ),
        Case("a place", [due, alarm("TRIGGER:-PT15M", "PROXIMITY:ARRIVE")], ["20261121T090000Z due"]),
        Case("an alarm that cannot be read", [due, alarm("TRIGGER:soon")], ["20261121T090000Z due"]),
        Case(
            "vCalendar 1.0",
            [due, "DALARM:20261121T080000Z;PT5M;2;x"],
            [
                "20261121T080000Z alarm", "20261121T080500Z alarm", "20261121T081000Z alarm",
            ]
        ),
    ]

    @Test("an alarm that does not depend on local time fires at the same moments in every zone", arguments: Self.single)
    func sameEverywhere(_ test: Case) {
        guard let reminder = todo(test.lines) else { return }
        let here = reminder.plan()
        for place in ["Asia/Tokyo", "America/New_York", "UTC"] where !here.dependsOnLocalZone {
            #expect(reminder.plan(local: place).rings == here.rings)
        }
    }

    @Test(
        "alarms that depend on local time are marked",
        arguments: [
            (["DUE:20261121T090000Z"], false), (["DUE:20261121T090000"], true), (["DUE;VALUE=DATE:20261121"], true),
            (["DUE;TZID=Europe/Berlin:20261121T090000"], false), (["DUE;TZID=Nowhere:20261121T090000"], true),
            (["DUE:20261121T090000Z", "DTSTART;VALUE=DATE:20261120"], true),
            (["DUE:20261121T090000Z", "RRULE:FREQ=DAILY;UNTIL=20261130T090000Z"], false),
            (["DUE:20261121T090000Z", "RRULE:FREQ=DAILY;UNTIL=20261130T090000"], true),
            (["DUE:20261121T090000Z", "RRULE:FREQ=DAILY", "EXDATE:20261122T090000Z"], false),
            (["DUE:20261121T090000Z", "RRULE:FREQ=DAILY", "EXDATE;VALUE=DATE:20261122"], true),
            (["DUE:20261121T090000Z", alarm("TRIGGER:-PT15M")], false),
            (["DUE:20261121T090000Z", alarm("TRIGGER;VALUE=DATE-TIME:20261121T080000Z")], false),
            (
                [
                    "DUE:20261121T090000Z",
                    alarm("TRIGGER;VALUE=DATE-TIME:20261121T080000Z", "REPEAT:2", "DURATION:P1D"),
                ], true
            ),
        ]
    )
    func followsLocalTime(_ lines: [String], _ follows: Bool) throws {
        #expect(try #require(todo(lines)).plan().dependsOnLocalZone == follows)
    }

    @Test("a reminder fires at its times", arguments: single)
    func fires(_ test: Case) { #expect(todo(test.lines)?.plan().rings == test.rings) }

    static let seen: [Case] = [
        Case("an acknowledged alarm", [due, alarm("TRIGGER:-PT15M", "ACKNOWLEDGED:20261121T084501Z")], []),
        Case("acknowledged at its exact moment", [due, alarm("TRIGGER:-PT15M", "ACKNOWLEDGED:20261121T084500Z")], []),
        Case(
            "before its time, of the time before",
            [due, alarm("TRIGGER:-PT15M", "ACKNOWLEDGED:20261121T084459Z")],
            [
                "20261121T084500Z alarm"
            ]
        ),
        Case(
            "one of two",
            [due, alarm("TRIGGER:-PT15M", "ACKNOWLEDGED:20261121T084501Z"), alarm("TRIGGER:PT0S")],
            ["20261121T090000Z alarm"]
        ),
        Case(
            "one of its repetitions",
            [due, alarm("TRIGGER:PT0S", "REPEAT:2", "DURATION:PT5M", "ACKNOWLEDGED:20261121T090100Z")],
            ["20261121T090500Z alarm", "20261121T091000Z alarm"]
        ),
        Case("in Thunderbird", [due, "X-MOZ-LASTACK:20261121T090030Z"], []),
        Case("in Thunderbird, an alarm before", [due, "X-MOZ-LASTACK:20261121T084501Z", alarm("TRIGGER:-PT15M")], []),
        Case("in Thunderbird, before its time", [due, "X-MOZ-LASTACK:20261121T085959Z"], ["20261121T090000Z due"]),
        Case(
            "the later of the two counts",
            [
                due, "X-MOZ-LASTACK:20261121T090100Z",
                alarm("TRIGGER:PT0S", "REPEAT:2", "DURATION:PT5M", "ACKNOWLEDGED:20261121T090600Z"),
            ],
            ["20261121T091000Z alarm"]
        ),
        Case("snoozed", [due, "X-MOZ-SNOOZE-TIME:20261121T091500Z"], ["20261121T091500Z snooze"]),
        Case("snoozed, without a date", ["X-MOZ-SNOOZE-TIME:20261121T091500Z"], ["20261121T091500Z snooze"]),
        Case(
            "put off from before it is due",
            [due, "X-MOZ-SNOOZE-TIME:20261121T083000Z"],
            [
                "20261121T083000Z snooze", "20261121T090000Z due",
            ]
        ),
        Case(
            "put off beyond one alarm, before another",
            [due, "X-MOZ-SNOOZE-TIME:20261121T085000Z", alarm("TRIGGER:-PT15M"), alarm("TRIGGER:PT0S")],
            ["20261121T085000Z snooze", "20261121T090000Z alarm"]
        ),
        Case(
            "put off to the moment of an alarm",
            [due, "X-MOZ-SNOOZE-TIME:20261121T090000Z"],
            [
                "20261121T090000Z snooze"
            ]
        ),
        Case(
            "snoozed and acknowledged",
            [due, "X-MOZ-SNOOZE-TIME:20261121T091500Z", "X-MOZ-LASTACK:20261121T091600Z"],
            []
        ),
        Case(
            "put off in the way of RFC 9074",
            [due, alarm("TRIGGER:PT0S", "UID:a"), Self.snooze("20261121T091500Z")],
            [
                "20261121T091500Z snooze"
            ]
        ),
        Case(
            "and seen to",
            [due, alarm("TRIGGER:PT0S", "UID:a"), Self.snooze("20261121T091500Z", "ACKNOWLEDGED:20261121T091501Z")],
            []
        ),
        Case(
            "and seen to, with the other dialect beside it",
            [
                due, "X-MOZ-SNOOZE-TIME:20261121T091500Z",
                Self.snooze("20261121T091500Z", "ACKNOWLEDGED:20261121T091501Z"),
            ],
            []
        ),
        Case(
            "put off twice: the later counts",
            [due, "X-MOZ-SNOOZE-TIME:20261121T091500Z", Self.snooze("20261121T100000Z")],
            [
                "20261121T100000Z snooze"
            ]
        ),
    ]

    private static func snooze(_ until: String, _ lines: String...) -> String {
        let more = ["UID:s", "RELATED-TO;RELTYPE=SNOOZE:a"] + lines
        let all = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER;VALUE=DATE-TIME:\(until)"] + more
        return (all + ["END:VALARM"]).joined(separator: "\r\n")
    }

    @Test("an acknowledged alarm is over, and a snoozed one fires at the end of the snooze", arguments: seen)
    func acknowledgedAndSnoozed(_ test: Case) { #expect(todo(test.lines)?.plan().rings == test.rings) }

    @Test("the pending alarm is the next one after now, and now counts as past")
    func pending() {
        let plan = todo([Self.due, alarm("TRIGGER:-PT15M"), alarm("TRIGGER:PT0S")])?.plan()
        #expect(plan?.pending("20261121T084459Z") == "20261121T084500Z alarm")
        #expect(plan?.pending("20261121T084500Z") == "20261121T090000Z alarm")
        #expect(plan?.pending("20261121T085959Z") == "20261121T090000Z alarm")
        #expect(plan?.pending("20261121T090000Z") == nil)
    }

    @Test("a period includes its end and not its start")
    func period() {
        let plan = todo([Self.due, alarm("TRIGGER:-PT15M"), alarm("TRIGGER:PT0S")])?.plan()
        #expect(plan?.rings(from: "20261121T084500Z", to: "20261121T090000Z") == ["20261121T090000Z alarm"])
        #expect(plan?.rings(from: "20261121T084459Z", to: "20261121T085959Z") == ["20261121T084500Z alarm"])
        #expect(plan?.rings(from: "20261121T090000Z", to: "20261121T084500Z") == [])
    }

    @Test("the alarm time of all-day reminders, and alarms at the due time, are settings")
    func settings() {
        let early = AlarmSettings(dayTime: ClockTime(secondsOfDay: 7 * 3600 + 1800))
        let silent = AlarmSettings(notifiesWhenDue: false)
        let day = todo(["DUE;VALUE=DATE:20261121"])
        #expect(day?.plan(early).rings == ["20261121T063000Z due"])
        #expect(day?.plan(silent).rings == [])
        #expect(todo([Self.due, alarm("TRIGGER:PT0S")])?.plan(silent).rings == ["20261121T090000Z alarm"])
        #expect(
            todo([Self.due, "X-MOZ-SNOOZE-TIME:20261121T091500Z"])?.plan(silent).rings == ["20261121T091500Z snooze"]
        )
    }

    @Test("floating times and dates fire in local time; moments do not move")
    func zoneChange() {
        let floating = todo(["DUE:20261121T090000"])
        #expect(floating?.plan(local: "Europe/Berlin").rings == ["20261121T080000Z due"])
        #expect(floating?.plan(local: "America/New_York").rings == ["20261121T140000Z due"])
        #expect(floating?.plan(local: "Asia/Kathmandu").rings == ["20261121T031500Z due"])
        // An unknown local zone counts as UTC.
        #expect(floating?.plan(local: "Nowhere").rings == ["20261121T090000Z due"])
        #expect(todo(["DUE;VALUE=DATE:20261121"])?.plan(local: "Asia/Tokyo").rings == ["20261121T000000Z due"])
        for zone in ["Europe/Berlin", "Asia/Tokyo"] {
            #expect(todo([Self.due])?.plan(local: zone).rings == ["20261121T090000Z due"])
            #expect(
                todo(["DUE;TZID=America/New_York:20261121T090000"])?.plan(local: zone).rings == ["20261121T140000Z due"]
            )
        }
        // Samoa changed the side of the date line and skipped 30 December 2011.
        let apia = todo(["DUE;VALUE=DATE:20111230"])?.plan(local: "Pacific/Apia")
        #expect(apia?.next(after: at("20111201T000000Z"))?.fires == at("20111230T190000Z"))
    }

    @Test("an alarm has the title, the notes, the place and the due time of its reminder, and its own name")
    func texts() throws {
        let plain = try #require(todo([Self.due, "SUMMARY:<b>Milk</b> & \"bread\""]))
        let next = try #require(plain.plan().next(after: now))
        #expect(next.title == "<b>Milk</b> & \"bread\"")
        #expect(next.notes == nil && next.location == nil)
        #expect(next.due == .dateTime(CalendarDateTime(utc: next.fires)))
        #expect(next.id == AlarmID(reminder: "u"))
        #expect(ReminderAlarm.category == "REMINDER_CATEGORY")
        let notes = todo([Self.due, #"DESCRIPTION:two\nlines"#])?.plan().next(after: now)
        #expect(notes?.notes == "two\nlines")
        #expect(todo([Self.due, #"DESCRIPTION: \n "#])?.plan().next(after: now)?.notes == nil)
        let date = CalendarDate(year: 2026, month: 11, day: 24)
        let allDay = todo(["DUE;VALUE=DATE:20261124", "LOCATION:Market"])?.plan().next(after: now)
        #expect(allDay?.due == date.map { .date($0) } && allDay?.location == "Market")
        let daily = todo([Self.due, "RRULE:FREQ=DAILY"])?.plan().next(after: at("20261123T120000Z"))
        #expect(daily.map { .dateTime(CalendarDateTime(utc: $0.fires)) } == daily?.due && daily != nil)
        #expect(AlarmPlan(plain, id: "12", zones: zones(plain)).next(after: now)?.id.description == "12")
    }

    @Test("the number of repetitions and of alarms is limited")
    func limits() {
        let often = todo([Self.due, alarm("TRIGGER:PT0S", "REPEAT:999999", "DURATION:PT1S")])?.plan().rings
        #expect(often?.count == 1 + Alarm.maximumRepeats)
        let many = todo([Self.due] + (0..<10_000).map { alarm("TRIGGER:PT\($0)M") })?.plan().rings
        #expect(many?.count == 20)
        #expect(many?.first == "20261121T090000Z alarm")
        let far = todo([Self.due, alarm("TRIGGER:P999999999D", "REPEAT:9", "DURATION:P999999999W")])?.plan()
        #expect(far?.pending("20261121T084500Z")?.hasPrefix("9999") == true)
    }
}

/// Returns a to-do with these lines; an element may have several lines.
func todo(_ lines: [String]) -> Reminder? { reminder(lines.joined(separator: "\r\n")) }
