import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import Testing

@Suite("alarms under the settings of the user")
struct SchedulerSettingsTests {
    @Test("muted lists and labels do not fire, and their missed alarms are not shown later")
    func mutedListsAndLabels() throws {
        var settings = SchedulerSettings()
        settings.mutedLists = ["work"]
        settings.mutedLabels = [LabelKey("LATER")]
        let bench = Bench(["milk": [Bench.dueAtNine], "tea": [Bench.dueAtNine], "oil": [Bench.dueAtNine]], settings)
        bench.lists["milk"] = "work"
        bench.labels["tea"] = ["Later"]
        try bench.start("0800")
        #expect(try bench.handle(.clock, "0900") == ["show oil/Due 10:00 with sound"])
        #expect(try bench.handle(.settings(SchedulerSettings()), "0901") == [])
        #expect(try bench.handle(.clock, "1000") == [])
    }

    @Test("a list that is muted later loses its notifications")
    func mutedLater() throws {
        let bench = try Bench.fired()
        var settings = SchedulerSettings()
        settings.mutedLists = ["home"]
        #expect(try bench.handle(.settings(settings), "0905") == ["close 7"])
    }

    @Test("quiet hours set at run time hold new notifications, which appear when the setting is removed")
    func quietHoursChanged() throws {
        let bench = Bench(["milk": [Bench.dueAtNine], "tea": ["DUE:20261121T091000Z"]])
        try bench.start("0800")
        try bench.handle(.clock, "0900")
        try bench.shown("milk", 7, "0900")
        var settings = SchedulerSettings()
        // From 10:00 to 11:30 in Berlin.
        settings.quietHours = QuietHours(
            from: ClockTime(secondsOfDay: 10 * 3600),
            to: ClockTime(secondsOfDay: 11 * 3600 + 1800)
        )
        #expect(try bench.handle(.settings(settings), "0905") == [])
        #expect(try bench.handle(.clock, "0910") == [])
        #expect(bench.wake == "20261121T103000Z")
        #expect(
            try bench.handle(.settings(SchedulerSettings()), "0920") == [
                "show tea/Missed: 2026-11-21 10:10 with sound"
            ]
        )
    }

    @Test(
        "a changed time for all-day reminders moves future alarms; a skipped alarm is shown, a shown one is not repeated"
    )
    func changedDayTime() throws {
        // 09:00 in Berlin is 08:00 UTC.
        let late = "show milk/Missed: 2026-11-21 08:00 with sound"
        let cases: [(settings: SchedulerSettings, now: String, shown: [String], later: Int)] = [
            (Self.day(11), "0800", [], 0), (Self.day(8), "0800", [], 0), (Self.day(11), "0730", [], 1),
            (Self.day(8), "0730", [late], 0),
        ]
        for test in cases {
            let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
            try bench.start("0600")
            if try !bench.handle(.clock, test.now).isEmpty { try bench.shown("milk", 7, test.now) }
            #expect(try bench.handle(.settings(test.settings), test.now) == test.shown)
            #expect(try bench.handle(.clock, "1000").count == test.later)
            #expect(try bench.handle(.clock, "1200") == [])
        }
    }

    @Test("an alarm with a future time is not called missed")
    func missedAndMoved() throws {
        let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
        try bench.start("0600")
        try bench.handle(.clock, "0830")
        try bench.shown("milk", 7, "0830")
        #expect(try bench.handle(.settings(Self.day(11)), "0840") == ["show milk/Due 2026-11-21 replacing 7"])
    }

    @Test("a time for all-day reminders that changed while the program did not run has the same effect")
    func changedDayTimeBeforeStart() throws {
        for (hour, shown) in [(8, 1), (11, 0)] {
            let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
            try bench.start("0600")
            bench.scheduler = AlarmScheduler(records: bench.kept, settings: Self.day(hour))
            #expect(try bench.start("0730").count == shown)
        }
        let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
        try bench.start("0600")
        try bench.handle(.clock, "0800")
        try bench.shown("milk", 7, "0800")
        bench.scheduler = AlarmScheduler(records: bench.kept, settings: Self.day(11))
        // A shown notification stays.
        #expect(try bench.start("0830").allSatisfy { !$0.contains("close") && !$0.contains("aloud") })
        #expect(bench.kept.slots["milk"] != nil)
        #expect(try bench.handle(.clock, "1030") == [])
    }

    private static func day(_ hour: Int) -> SchedulerSettings {
        var settings = SchedulerSettings()
        settings.alarms = Bench.alarms(at: hour)
        return settings
    }

    @Test(
        "without alarms at the due time such notifications are closed, and later past ones do not appear"
    )
    func notifiesWhenDue() throws {
        let bench = Bench(["milk": [Bench.dueAtNine], "tea": ["DUE:20261121T093000Z"], "oil": ["DUE:20261121T100000Z"]])
        try bench.start("0800")
        try bench.handle(.clock, "0900")
        try bench.shown("milk", 7, "0900")
        var settings = SchedulerSettings()
        settings.alarms.notifiesWhenDue = false
        #expect(try bench.handle(.settings(settings), "0905") == ["close 7"])
        #expect(bench.scheduler.nextAlarm == nil)
        #expect(try bench.handle(.clock, "0930") == [])
        #expect(try bench.handle(.settings(SchedulerSettings()), "0940") == [])
        #expect(try bench.handle(.clock, "1000") == ["show oil/Due 11:00 with sound"])
    }

    @Test("in quiet hours nothing is shown; at their end the notifications appear, and more than five are one")
    func quiet() throws {
        var settings = SchedulerSettings()
        // From 10:00 to 11:30 in Berlin.
        settings.quietHours = QuietHours(
            from: ClockTime(secondsOfDay: 10 * 3600),
            to: ClockTime(secondsOfDay: 11 * 3600 + 1800)
        )
        for (count, shown) in [(2, 2), (6, 1)] {
            let todos = (1...count).map { ("r\($0)", [Bench.dueAtNine]) }
            let bench = Bench(named: todos, settings)
            try bench.start("0800")
            #expect(try bench.handle(.clock, "0900") == [])
            #expect(bench.wake == "20261121T103000Z")
            #expect(try bench.handle(.clock, "102959") == [])
            #expect(try bench.restart("102959") == [])
            let lines = try bench.handle(.clock, "1030")
            #expect(lines.count == shown)
            if count == 2 { #expect(lines[0] == "show r1/Missed: 2026-11-21 10:00 with sound") }
            if count == 6 { #expect(lines[0].hasPrefix("show You missed 6 reminders/")) }
        }
    }
}
