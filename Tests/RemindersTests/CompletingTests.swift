import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import Testing

@Suite("completing a reminder")
struct CompletingTests {
    @Test("completion sets three properties, and reopening removes two of them")
    func plain() throws {
        guard let old = reminder("SUMMARY:a", "STATUS:IN-PROCESS", "PERCENT-COMPLETE:40") else { return }
        let done = try old.completing(in: context, zones: zones(old))
        #expect(done.copy == nil)
        #expect(
            done.reminder.lines
                == ["SUMMARY:a", "STATUS:COMPLETED", "PERCENT-COMPLETE:100", "COMPLETED:20261120T200000Z"] + stamps
        )
        #expect(
            done.reminder.reopening(in: context, zones: zones(old)).lines == ["SUMMARY:a", "STATUS:NEEDS-ACTION"]
                + stamps
        )
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let due: String?
        var start: String?
        var rule: String?
        var zone: String?
        var testDescription: String { self.lines.joined(separator: " ") }
    }

    // Now is Friday, 20 November 2026, 20:00 UTC.
    static let cases = [
        Case(lines: ["DUE:20261120T090000Z", "RRULE:FREQ=DAILY"], due: "20261121T090000Z", rule: "FREQ=DAILY"),
        // A missed occurrence is still open.
        Case(lines: ["DUE:20261101T090000Z", "RRULE:FREQ=DAILY"], due: "20261102T090000Z", rule: "FREQ=DAILY"),
        Case(lines: ["DUE:20261201T090000Z", "RRULE:FREQ=WEEKLY"], due: "20261208T090000Z", rule: "FREQ=WEEKLY"),
        Case(lines: ["DUE;VALUE=DATE:20261120", "RRULE:FREQ=DAILY"], due: "20261121", rule: "FREQ=DAILY"),
        Case(
            lines: ["DUE;VALUE=DATE:20261031", "RRULE:FREQ=MONTHLY"],
            due: "20261231",
            rule: "FREQ=MONTHLY"
        ),
        Case(
            lines: ["DUE:20261120T090000Z", "RRULE:FREQ=DAILY;COUNT=3"],
            due: "20261121T090000Z",
            rule: "FREQ=DAILY;COUNT=2"
        ),
        Case(lines: ["DUE:20261120T090000Z", "RRULE:FREQ=DAILY;COUNT=1"], due: nil),
        Case(
            lines: ["DUE:20261118T090000Z", "RRULE:FREQ=DAILY;COUNT=3"],
            due: "20261119T090000Z",
            rule: "FREQ=DAILY;COUNT=2"
        ),
        // COUNT includes DTSTART, also if it does not match the rule (RFC 5545 3.3.10).
        Case(
            lines: ["DUE:20261120T090000Z", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2"],
            due: "20261123T090000Z",
            rule: "FREQ=WEEKLY;COUNT=1;BYDAY=MO"
        ),
        Case(lines: ["DUE:20261120T090000Z", "RRULE:FREQ=DAILY;UNTIL=20261121T000000Z"], due: nil),
        Case(
            lines: ["DUE:20261120T090000Z", "RRULE:FREQ=DAILY", "EXDATE:20261121T090000Z"],
            due: "20261122T090000Z",
            rule: "FREQ=DAILY"
        ),
        // Blanks between the values of a list.
        Case(
            lines: ["DUE:20261120T090000Z", "RRULE:FREQ=DAILY", "EXDATE: 20261121T090000Z, 20261122T090000Z"],
            due: "20261123T090000Z",
            rule: "FREQ=DAILY"
        ),
        // The start is 04:00 in Tokyo, and the due time is two hours later: the next due time is an hour from now.
        Case(
            lines: ["DTSTART;TZID=Asia/Tokyo:20261120T040000", "DUE:20261119T210000Z", "RRULE:FREQ=DAILY"],
            due: "20261120T210000Z",
            rule: "FREQ=DAILY"
        ),
        // The due time is a date and the start has a time: today counts as future too.
        Case(
            lines: ["DTSTART:20261119T090000", "DUE;VALUE=DATE:20261119", "RRULE:FREQ=DAILY"],
            due: "20261120",
            rule: "FREQ=DAILY"
        ),
        Case(lines: ["DUE;VALUE=DATE:20261118", "RRULE:FREQ=DAILY"], due: "20261119", rule: "FREQ=DAILY"),
        // COUNT includes the dates that EXDATE excludes.
        Case(
            lines: ["DUE:20261120T090000Z", "RRULE:FREQ=DAILY;COUNT=5", "EXDATE:20261121T090000Z"],
            due: "20261122T090000Z",
            rule: "FREQ=DAILY;COUNT=3"
        ),
        // The rule counts from DTSTART; DUE keeps its distance.
        Case(
            lines: ["DTSTART:20261116T070000Z", "DUE:20261118T080000Z", "RRULE:FREQ=WEEKLY;BYDAY=MO"],
            due: "20261125T080000Z",
            start: "20261123T070000Z",
            rule: "FREQ=WEEKLY;BYDAY=MO"
        ),
        // The clocks change on 29 March 2026: the local time stays.
        Case(
            lines: ["DUE;TZID=Europe/Berlin:20261120T090000", "RRULE:FREQ=MONTHLY;INTERVAL=5"],
            due: "20270420T090000",
            rule: "FREQ=MONTHLY;INTERVAL=5",
            zone: "Europe/Berlin"
        ),
    ]

    @Test("a repeating reminder advances to its next occurrence", arguments: cases)
    func advancing(_ test: Case) throws {
        let body = test.lines.map { $0 + "\r\n" }.joined()
        let text =
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\n\(body)STATUS:NEEDS-ACTION\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        guard let old = Reminder(ICalendarDocument(text)) else { return }
        let completion = try old.completing(in: context, zones: zones(old))
        guard let due = test.due else {
            #expect(completion.reminder.status == .completed)
            #expect(completion.copy == nil)
            return
        }
        #expect(completion.reminder.status == .pending)
        #expect(completion.reminder.due == moment(due, test.zone))
        #expect(completion.reminder.recurrenceRule?.wire == test.rule)
        if let start = test.start { #expect(completion.reminder.start == moment(start)) }
        #expect(completion.copy?.status == .completed)
        #expect(completion.copy?.due == old.due)
        #expect(completion.copy?.recurrenceText == nil)
        #expect(completion.copy?.uid != old.uid)
    }

    @Test("two machines that complete the same occurrence create the same copy")
    func sameCopy() throws {
        guard let old = reminder("DUE:20261120T090000Z", "RRULE:FREQ=DAILY") else { return }
        let later = EditingContext(now: now.adding(seconds: 60), timeZoneLines: { _ in nil })
        let one = try old.completing(in: context, zones: zones(old))
        let other = try old.completing(in: later, zones: zones(old))
        #expect(one.copy?.uid == other.copy?.uid)
        #expect(NameUUID.make("www.example.com").count == 36)
    }

    @Test("alarms at a fixed time move with the series, and acknowledgements of the last occurrence are removed")
    func alarms() throws {
        guard
            let old = reminder(
                "DUE:20261120T090000Z",
                "RRULE:FREQ=DAILY",
                "X-MOZ-LASTACK:20261120T090000Z",
                "BEGIN:VALARM",
                "TRIGGER;VALUE=DATE-TIME:20261120T083000Z",
                "ACKNOWLEDGED:20261120T083100Z",
                "END:VALARM"
            )
        else { return }
        let rolled = try old.completing(in: context, zones: zones(old)).reminder
        #expect(rolled.alarms.first?.trigger == Instant(wire: "20261121T083000Z").map(Trigger.absolute))
        #expect(rolled.alarms.first?.acknowledged == nil)
        #expect(!rolled.lines.contains { $0.hasPrefix("X-MOZ-LASTACK") })
    }

    @Test("the copy of a reminder with an alarm and without a STATUS is completed")
    func copyWithAlarm() throws {
        let old = try #require(
            reminder("DUE:20261120T090000Z", "RRULE:FREQ=DAILY", "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM")
        )
        let copy = try #require(try old.completing(in: context, zones: zones(old)).copy)
        #expect(copy.status == .completed)
        #expect(copy.completedAt == now)
        #expect(copy.alarms.isEmpty)
    }

    @Test("an alarm in UTC keeps its distance to the due time when the clocks change")
    func alarmAcrossClockChange() throws {
        // Berlin's clocks go forward on 28 March 2027.
        let old = try #require(
            reminder(
                "DUE;TZID=Europe/Berlin:20270327T090000",
                "RRULE:FREQ=WEEKLY",
                "BEGIN:VALARM",
                "TRIGGER;VALUE=DATE-TIME:20270327T073000Z",
                "END:VALARM"
            )
        )
        let rolled = try old.completing(in: context, zones: zones(old)).reminder
        #expect(rolled.due == moment("20270403T090000", "Europe/Berlin"))
        #expect(rolled.alarms.first?.trigger == Instant(wire: "20270403T063000Z").map(Trigger.absolute))
    }

    @Test("dates without a rule are completed one after the other")
    func datesOnly() throws {
        var current = try #require(reminder("DUE:20261120T210000Z", "RDATE:20261205T210000Z,20261215T210000Z"))
        for due in ["20261205T210000Z", "20261215T210000Z"] {
            current = try current.completing(in: context, zones: zones(current)).reminder
            #expect(current.status == .pending)
            #expect(current.due == moment(due))
            let later = try #require(Instant(wire: due))
            #expect(current.due.map { $0.localSeconds } == later.secondsSince1970)
        }
    }

    @Test("an additional date beside the rule is completed in its turn, and the rule stays as it was")
    func extraDate() throws {
        var current = try #require(reminder("DUE:20261201T090000Z", "RRULE:FREQ=WEEKLY", "RDATE:20261203T090000Z"))
        for due in ["20261201T090000Z", "20261203T090000Z", "20261208T090000Z", "20261215T090000Z"] {
            #expect(current.current(zones: zones(current)).due == moment(due))
            current = try current.completing(in: context, zones: zones(current)).reminder
        }
        #expect(!current.lines.contains { $0.hasPrefix("RDATE") })
    }

    @Test("an occurrence that another program has completed is not the current one again, and its override stays")
    func overrides() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:u
            DUE:20261120T090000Z
            DTSTART:20261120T090000Z
            RRULE:FREQ=DAILY
            END:VTODO
            BEGIN:VTODO
            UID:u
            RECURRENCE-ID:20261121T090000Z
            STATUS:COMPLETED
            END:VTODO
            END:VCALENDAR

            """
        let old = try #require(Reminder(ICalendarDocument(text)))
        let rolled = try old.completing(in: context, zones: zones(old)).reminder
        #expect(rolled.due == moment("20261122T090000Z"))
        #expect(rolled.object.overrides.map { $0.first(.status)?.value } == ["COMPLETED"])
    }

    @Test("an unreadable rule changes nothing")
    func unreadable() {
        guard let old = reminder("DUE:20261120T090000Z", "RRULE:FREQ=SOMETIMES") else { return }
        #expect(throws: (any Error).self) { try old.completing(in: context, zones: zones(old)) }
    }
}
