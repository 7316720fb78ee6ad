import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import Testing

@Suite("repetitions that count from the completion")
struct RepeatFromCompletionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let lines: [String]
        /// The moment of the completion.
        var done = "20261120T200000Z"
        /// The next due time, without its zone; `nil` if the series ends.
        let due: String?
        var start: String?
        var rule: String?
        var testDescription: String { self.name }
    }

    private static let property = "X-REMINDAV-REPEAT-FROM:COMPLETION"
    private static let berlin = "DUE;TZID=Europe/Berlin:"

    static let cases = [
        Case(name: "late", lines: ["DUE;VALUE=DATE:20261101", "RRULE:FREQ=DAILY;INTERVAL=3"], due: "20261123"),
        Case(name: "on the day", lines: ["DUE;VALUE=DATE:20261120", "RRULE:FREQ=WEEKLY"], due: "20261127"),
        Case(name: "early", lines: ["DUE;VALUE=DATE:20261130", "RRULE:FREQ=DAILY;INTERVAL=3"], due: "20261123"),
        Case(
            name: "the time of day stays",
            lines: ["\(berlin)20261101T090000", "RRULE:FREQ=DAILY;INTERVAL=3"],
            due: "20261123T090000"
        ),
        Case(name: "in UTC", lines: ["DUE:20261101T090000Z", "RRULE:FREQ=DAILY"], due: "20261121T090000Z"),
        Case(name: "a floating time", lines: ["DUE:20261101T090000", "RRULE:FREQ=DAILY"], due: "20261121T090000"),
        // 23:30 UTC is 00:30 of the next day in Berlin, which is the local zone.
        Case(
            name: "the day of the completion in the zone of the due time",
            lines: ["\(berlin)20261101T090000", "RRULE:FREQ=DAILY"],
            done: "20261120T233000Z",
            due: "20261122T090000"
        ),
        Case(
            name: "the local day of the completion for a date",
            lines: ["DUE;VALUE=DATE:20261101", "RRULE:FREQ=DAILY"],
            done: "20261120T233000Z",
            due: "20261122"
        ),
        Case(
            name: "the day of the completion in UTC",
            lines: ["DUE:20261101T090000Z", "RRULE:FREQ=DAILY"],
            done: "20261120T233000Z",
            due: "20261121T090000Z"
        ),
        // Berlin's clocks go forward on 28 March 2027.
        Case(
            name: "across a clock change",
            lines: ["\(berlin)20270301T090000", "RRULE:FREQ=DAILY;INTERVAL=3"],
            done: "20270326T120000Z",
            due: "20270329T090000"
        ),
        Case(
            name: "a month without the day",
            lines: ["DUE;VALUE=DATE:20270115", "RRULE:FREQ=MONTHLY"],
            done: "20270131T120000Z",
            due: "20270228"
        ),
        Case(
            name: "the last day of a short month",
            lines: ["DUE;VALUE=DATE:20270228", "RRULE:FREQ=MONTHLY"],
            done: "20270228T120000Z",
            due: "20270328"
        ),
        Case(
            name: "a year without 29 February",
            lines: ["DUE;VALUE=DATE:20280229", "RRULE:FREQ=YEARLY"],
            done: "20280229T120000Z",
            due: "20290228"
        ),
        Case(
            name: "hours from the minute of the completion",
            lines: ["DUE:20261120T090000Z", "RRULE:FREQ=HOURLY;INTERVAL=4"],
            done: "20261120T200030Z",
            due: "20261121T000000Z"
        ),
        // 01:30 in Berlin; two hours later it is 04:30.
        Case(
            name: "hours across a clock change",
            lines: ["\(berlin)20270301T090000", "RRULE:FREQ=HOURLY;INTERVAL=2"],
            done: "20270328T003030Z",
            due: "20270328T043000"
        ),
        Case(
            name: "the start keeps its distance",
            lines: ["DTSTART:20261116T070000Z", "DUE:20261118T080000Z", "RRULE:FREQ=WEEKLY"],
            due: "20261127T080000Z",
            start: "20261125T070000Z"
        ),
        Case(
            name: "DTSTART equal to DUE moves with it",
            lines: ["DTSTART;VALUE=DATE:20261101", "DUE;VALUE=DATE:20261101", "RRULE:FREQ=WEEKLY"],
            due: "20261127",
            start: "20261127"
        ),
        Case(
            name: "UNTIL on the next date",
            lines: ["DUE;VALUE=DATE:20261101", "RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20261123"],
            due: "20261123",
            rule: "FREQ=DAILY;INTERVAL=3;UNTIL=20261123"
        ),
        Case(
            name: "UNTIL before the next date",
            lines: ["DUE;VALUE=DATE:20261101", "RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20261122"],
            due: nil
        ),
        Case(
            name: "COUNT decreases by one, however late",
            lines: ["DUE;VALUE=DATE:20261101", "RRULE:FREQ=DAILY;COUNT=5"],
            due: "20261121",
            rule: "FREQ=DAILY;COUNT=4"
        ),
        Case(
            name: "COUNT decreases by one, however early",
            lines: ["DUE;VALUE=DATE:20261224", "RRULE:FREQ=DAILY;COUNT=5"],
            due: "20261121",
            rule: "FREQ=DAILY;COUNT=4"
        ),
        Case(name: "the last one", lines: ["DUE;VALUE=DATE:20261101", "RRULE:FREQ=DAILY;COUNT=1"], due: nil),
        Case(
            name: "a past exception does not matter",
            lines: ["DUE;VALUE=DATE:20261101", "RRULE:FREQ=DAILY", "EXDATE;VALUE=DATE:20261102"],
            due: "20261121"
        ),
        Case(
            name: "a rule with named days counts from the due date",
            lines: ["DUE;VALUE=DATE:20261102", "RRULE:FREQ=WEEKLY;BYDAY=MO"],
            due: "20261109"
        ),
        Case(
            name: "at most the end of the year 9999",
            lines: ["DUE;VALUE=DATE:20261101", "RRULE:FREQ=YEARLY;INTERVAL=2147483647"],
            due: "99991231"
        ),
    ]

    private static func editing(_ done: String) throws -> EditingContext {
        EditingContext(now: try #require(Instant(wire: done))) { _ in nil }
    }

    @Test("the next date is one interval after the completion", arguments: cases)
    func next(_ test: Case) throws {
        let body = (test.lines + [Self.property]).map { $0 + "\r\n" }.joined()
        let text =
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\n\(body)STATUS:NEEDS-ACTION\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        let old = try #require(Reminder(ICalendarDocument(text)))
        // Both forms of completion give the same text.
        for shape in CompletionShape.allCases
        where !test.lines.contains(where: { $0.contains("BYDAY") }) || shape == .roll {
            let done = try old.completing(in: Self.editing(test.done), zones: zones(old), shape: shape)
            guard let due = test.due else {
                #expect(done.reminder.status == .completed && done.copy == nil)
                continue
            }
            #expect(done.reminder.status == .pending)
            #expect(done.reminder.object.main.first(.due)?.value == due)
            #expect(done.reminder.current(zones: zones(done.reminder)).due == done.reminder.due)
            #expect(done.reminder.object.main.first(.due)?.parameters == old.object.main.first(.due)?.parameters)
            if let start = test.start { #expect(done.reminder.object.main.first(.dtstart)?.value == start) }
            if let rule = test.rule { #expect(done.reminder.recurrenceText == rule) }
            #expect(done.reminder.lines.contains(Self.property))
            let copy = try #require(done.copy)
            #expect(copy.due == old.due && copy.status == .completed && copy.recurrenceText == nil)
            #expect(!copy.lines.contains(Self.property))
        }
    }

    @Test("only the first date fires, because the later ones are not known before the completion")
    func alarms() throws {
        let lines = ["DUE:20261118T090000Z", "RRULE:FREQ=DAILY"]
        let open = try #require(reminder(lines[0], lines[1], Self.property)).plan()
        #expect(open.pending("20261118T000000Z") == "20261118T090000Z due")
        #expect(open.pending("20261118T090000Z") == nil)
        #expect(try #require(reminder(lines[0], lines[1])).plan().pending("20261118T090000Z") != nil)
    }

    @Test("alarms move with the due time, also across a clock change")
    func movedAlarms() throws {
        let old = try #require(
            reminder(
                "\(Self.berlin)20270327T090000",
                "RRULE:FREQ=WEEKLY",
                Self.property,
                "BEGIN:VALARM",
                "TRIGGER;VALUE=DATE-TIME:20270327T073000Z",
                "ACKNOWLEDGED:20270327T073100Z",
                "END:VALARM"
            )
        )
        let done = try old.completing(in: Self.editing("20270330T120000Z"), zones: zones(old)).reminder
        #expect(done.due == moment("20270406T090000", "Europe/Berlin"))
        #expect(done.alarms.first?.trigger == Instant(wire: "20270406T063000Z").map(Trigger.absolute))
        #expect(done.alarms.first?.acknowledged == nil)
    }

    @Test("two completions on one day make the same copy, and completions of one date on two days make two copies")
    func copies() throws {
        let old = try #require(reminder("DUE;VALUE=DATE:20261122", "RRULE:FREQ=DAILY;INTERVAL=3", Self.property))
        let first = try old.completing(in: Self.editing("20261120T080000Z"), zones: zones(old))
        let again = try old.completing(in: Self.editing("20261120T200000Z"), zones: zones(old))
        #expect(first.copy != nil && again.copy?.uid == first.copy?.uid)
        let next = try old.completing(in: Self.editing("20261121T080000Z"), zones: zones(old))
        #expect(next.copy?.uid != first.copy?.uid)
    }

    @Test("completions that leave the due date unchanged are recorded one by one")
    func unchangedDate() throws {
        let old = try #require(reminder("DUE;VALUE=DATE:20261123", "RRULE:FREQ=DAILY;INTERVAL=3", Self.property))
        let first = try old.completing(in: Self.editing("20261120T080000Z"), zones: zones(old))
        #expect(first.reminder.due == old.due)
        #expect(first.reminder.object.document.bytes != old.object.document.bytes)
        let again = try first.reminder.completing(in: Self.editing("20261120T200000Z"), zones: zones(old))
        #expect(first.copy != nil && again.copy != nil && again.copy?.uid != first.copy?.uid)
    }

    @Test("an occurrence that another program completed stays, and the series continues behind it")
    func overrides() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:u
            DUE;VALUE=DATE:20261118
            DTSTART;VALUE=DATE:20261118
            RRULE:FREQ=DAILY;COUNT=9
            X-REMINDAV-REPEAT-FROM:COMPLETION
            END:VTODO
            BEGIN:VTODO
            UID:u
            RECURRENCE-ID;VALUE=DATE:20261118
            STATUS:COMPLETED
            END:VTODO
            END:VCALENDAR

            """
        let old = try #require(Reminder(ICalendarDocument(text)))
        #expect(old.current(zones: zones(old)).due == moment("20261119"))
        let done = try old.completing(in: context, zones: zones(old)).reminder
        #expect(done.current(zones: zones(done)).due == moment("20261121"))
        // Two of nine are completed.
        #expect(done.recurrenceRule?.count == 7)
        #expect(done.object.overrides.map { $0.first(.status)?.value } == ["COMPLETED"])
    }

    @Test("an edit writes the property, keeps the bytes of the rule, and removes the property with the rule")
    func edits() throws {
        let plain = try #require(
            reminder("DTSTART:20261201T090000Z", "DUE:20261201T090000Z", "RRULE:INTERVAL=3;FREQ=DAILY")
        )
        var change = ReminderChange()
        change.recurrenceRule = plain.recurrenceRule?.countedFromCompletion().map { .set($0) } ?? .keep
        let counted = plain.applying(change, in: context)
        #expect(counted.lines == plain.lines + [Self.property] + stamps)
        #expect(counted.recurrenceRule?.countsFromCompletion == true)
        #expect(counted.applying(change, in: context).object.document.bytes == counted.object.document.bytes)
        change.recurrenceRule = plain.recurrenceRule.map { .set($0) } ?? .keep
        #expect(counted.applying(change, in: context).lines == plain.lines + stamps)
        change.recurrenceRule = .clear
        #expect(counted.applying(change, in: context).lines == Array(plain.lines.dropLast()) + stamps)
        // A rule with named days replaces both.
        change.recurrenceRule = .set(try RecurrenceRule(wire: "FREQ=WEEKLY;BYDAY=TU"))
        let weekly = Array(plain.lines.dropLast()) + ["RRULE:FREQ=WEEKLY;BYDAY=TU"] + stamps
        #expect(counted.applying(change, in: context).lines == weekly)
    }

    @Test("the property has no effect on a rule with named days, and its value may have any case")
    func reading() {
        #expect(
            reminder("DUE:20261201T090000Z", "RRULE:FREQ=DAILY;BYDAY=MO", Self.property)?.recurrenceRule?
                .countsFromCompletion == false
        )
        #expect(
            reminder("DUE:20261201T090000Z", "RRULE:FREQ=DAILY", "X-REMINDAV-REPEAT-FROM:Completion")?.recurrenceRule?
                .countsFromCompletion == true
        )
        #expect(
            reminder("DUE:20261201T090000Z", "RRULE:FREQ=DAILY", "X-REMINDAV-REPEAT-FROM:DUE")?.recurrenceRule?
                .countsFromCompletion == false
        )
        let missed = reminder("DUE:20261201T090000Z", "RRULE:FREQ=DAILY")?.recurrenceRule
        #expect(missed != missed?.countedFromCompletion())
    }
}
