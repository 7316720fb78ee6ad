import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import Testing

@Suite("alarms after changes of reminders")
struct ReminderChangeTests {
    @Test("a reminder that was completed, deleted, moved, snoozed or acknowledged elsewhere loses its notification")
    func over() throws {
        let changes: [[String]?] = [
            [Bench.dueAtNine, "STATUS:COMPLETED"], nil, ["SUMMARY:x"],
            [Bench.dueAtNine, "X-MOZ-LASTACK:20261121T090000Z"],
        ]
        for change in changes {
            let bench = try Bench.fired()
            bench.todos["milk"] = change
            #expect(try bench.handle(.changed(["milk"]), "0910") == ["close 7"])
            #expect(try bench.handle(.closed(number: 7, .requested), "0910") == [])
            #expect(bench.kept.closing == [] && bench.kept.slots == [:])
            #expect(bench.scheduler.nextAlarm == nil)
            #expect(try bench.handle(.clock, "1000") == [])
        }
    }

    @Test("at a start, an alarm of a changed reminder fires only if it became due after the change")
    func changedBeforeStart() throws {
        let minutely = "RRULE:FREQ=MINUTELY"
        let rows: [(lines: [String], since: String, expected: [String])] = [
            ([Bench.dueAtNine], "0930", []), ([Bench.dueAtNine], "0859", ["fallback milk"]),
            ([Bench.dueAtNine], "0900", []),
            (["DTSTART:20261121T070000Z", Bench.dueAtNine, minutely], "0958", ["fallback milk"]),
        ]
        for row in rows {
            var settings = SchedulerSettings()
            (settings.hasFallback, settings.expectsService) = (true, false)
            let bench = Bench(["tea": [Bench.dueAtNine]], settings)
            try bench.start("0800", service: nil)
            bench.todos["milk"] = row.lines
            bench.scheduler = AlarmScheduler(records: bench.kept, settings: settings)
            let lines = try bench.handle(
                .started(
                    reminders: ["milk", "tea"].sorted(),
                    local: "Europe/Berlin",
                    changed: ["milk"],
                    since: at(row.since)
                ),
                "1000"
            )
            #expect(lines.sorted() == row.expected + ["fallback tea"], "\(row)")
            let first = bench.kept.slots["milk"]?.unshown.first
            #expect(first.map { $0.fires > at(row.since) } ?? true)
        }
    }

    @Test("a reminder that ended before its time does not fire, although no change was reported yet")
    func overBefore() throws {
        for change in [[Bench.dueAtNine, "STATUS:COMPLETED"], nil] {
            let bench = Bench(["milk": [Bench.dueAtNine]])
            try bench.start("0800")
            bench.todos["milk"] = change
            #expect(try bench.handle(.clock, "0900") == [])
        }
    }

    @Test("a moved reminder fires at its new time only")
    func moved() throws {
        let bench = Bench(["milk": ["DUE:20261121T080500Z"]])
        try bench.start("0800")
        bench.todos["milk"] = ["DUE:20261121T080200Z"]
        #expect(try bench.handle(.changed(["milk"]), "080010") == [])
        #expect(bench.wake == "20261121T080200Z")
        #expect(try bench.handle(.clock, "0802") == [Bench.milkShown(due: "09:02")])
        try bench.shown("milk", 7, "0802")
        #expect(try bench.handle(.clock, "0805") == [])
        bench.todos["milk"] = ["DUE:20261121T082000Z"]
        #expect(try bench.handle(.changed(["milk"]), "0810") == ["close 7"])
        #expect(try bench.handle(.clock, "0820") == [Bench.milkShown(due: "09:20")])
    }

    @Test("a snoozed reminder fires at the end of the snooze, and a reopened one at its future time")
    func snoozedAndReopened() throws {
        let bench = try Bench.fired()
        bench.todos["milk"] = [Bench.dueAtNine, "X-MOZ-SNOOZE-TIME:20261121T091500Z", "X-MOZ-LASTACK:20261121T090500Z"]
        #expect(try bench.handle(.changed(["milk"]), "0905") == ["close 7"])
        #expect(try bench.handle(.clock, "0915") == [Bench.milkShown])
        bench.todos["tea"] = ["DUE:20261121T100000Z", "STATUS:COMPLETED"]
        try bench.handle(.changed(["tea"]), "0916")
        bench.todos["tea"] = ["DUE:20261121T100000Z"]
        try bench.handle(.changed(["tea"]), "0917")
        #expect(try bench.handle(.clock, "1000") == ["show tea/Due 11:00 with sound"])
    }

    @Test("a new title replaces the notification without a sound; an invisible change has no effect")
    func changedText() throws {
        let bench = try Bench.fired()
        bench.todos["milk"] = [Bench.dueAtNine, "DESCRIPTION:two litres"]
        #expect(try bench.handle(.changed(["milk"]), "0905") == ["show milk/Due 10:00|two litres replacing 7"])
        try bench.shown("milk", 7, "0905")
        bench.todos["milk"] = [Bench.dueAtNine, "DESCRIPTION:two litres", "X-OTHER:1"]
        #expect(try bench.handle(.changed(["milk"]), "0906") == [])
    }

    @Test("a reminder that arrives with a past time, or is moved to one, does not fire")
    func past() throws {
        let bench = Bench(["tea": ["DUE:20261121T120000Z"]])
        try bench.start("0800")
        bench.todos["milk"] = [Bench.dueAtNine]
        bench.todos["tea"] = ["DUE:20261121T093000Z"]
        #expect(try bench.handle(.changed(["milk", "tea"]), "1000") == [])
        #expect(try bench.handle(.clock, "1300") == [])
    }

    @Test("a deleted reminder loses its notification, and a new one fires")
    func goneAndNew() throws {
        let bench = try Bench.fired()
        bench.todos = ["tea": ["DUE:20261121T093000Z"]]
        #expect(try bench.handle(.changed(["milk", "tea"]), "0910") == ["close 7"])
        #expect(bench.kept.delivered == [:])
        #expect(try bench.handle(.clock, "0930") == ["show tea/Due 10:30 with sound"])
    }

    @Test("a summary is closed when none of its reminders is left, and is not shown again before")
    func summaryGoes() throws {
        let names = (1...6).map { "r\($0)" }
        let bench = Bench(named: names.map { ($0, [Bench.dueAtNine]) })
        try bench.start("0800")
        try bench.handle(.clock, "1000")
        try bench.shown(nil, 3, "1000")
        for name in names.map(ReminderID.init(named:)) {
            bench.todos[name] = nil
            #expect(try bench.handle(.changed([name]), "1001") == (name == "r6" ? ["close 3"] : []))
        }
    }

    @Test("an unreadable reminder changes no state, and fires when it can be read again")
    func unreadable() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        try bench.start("0800")
        bench.isBroken = true
        let records = bench.scheduler.records
        #expect(throws: Bench.Broken.self) { try bench.handle(.clock, "0900") }
        #expect(bench.scheduler.records == records)
        bench.isBroken = false
        #expect(try bench.handle(.clock, "0900") == [Bench.milkShown])
    }
}
