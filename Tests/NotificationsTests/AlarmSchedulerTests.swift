import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import Testing

@Suite("fired alarms and their notifications")
struct AlarmSchedulerTests {
    @Test("an alarm fires once, at its time, and causes no other wake-up")
    func once() throws {
        let bench = Bench(["milk": [Bench.dueAtNine, "DESCRIPTION:two <b>litres</b> & more"]])
        #expect(try bench.start("0800") == [])
        #expect(try bench.handle(.clock, "085959") == [])
        #expect(bench.wake == "20261121T090000Z")
        #expect(try bench.handle(.clock, "0900") == ["show milk/Due 10:00|two <b>litres</b> & more with sound"])
        #expect(bench.effects.last == .wake(nil))
        #expect(try bench.handle(.clock, "0900") == [])
        #expect(try bench.shown("milk", 7, "0900") == [])
        #expect(try bench.handle(.clock, "090001") == [])
        #expect(try bench.handle(.clock, "20270101T000000Z") == [])
    }

    @Test("a notification has the buttons, the urgency and the sound of its reminder")
    func notification() throws {
        let bench = try Bench.fired([Bench.dueAtNine, "PRIORITY:1"])
        let notification = try #require(bench.notifications.first)
        #expect(notification.priority == .high)
        #expect(notification.appearance.makesSound)
        let keys = ["default", "complete", "snooze-300", "snooze-900", "snooze-1800", "snooze-3600"]
        #expect(notification.actions.map(\.key) == keys)
        let snoozes = ["Snooze 5 minutes", "Snooze 15 minutes", "Snooze 30 minutes", "Snooze 1 hour"]
        #expect(notification.actions.map(\.label) == ["Open", "Complete"] + snoozes)
        #expect(bench.scheduler.pendingCount == 1)
    }

    @Test("unacknowledged alarms are counted, with a notification or without (N09)")
    func unacknowledged() throws {
        var settings = SchedulerSettings()
        settings.mutedLabels = [LabelKey("quiet")]
        let daily = "DTSTART:20261119T090000Z"
        let bench = Bench(
            [
                "milk": [Bench.dueAtNine], "past": ["DUE:20261101T090000Z"], "later": ["DUE:20261121T100000Z"],
                "daily": [daily, "DUE:20261119T090000Z", "RRULE:FREQ=DAILY"], "seen": [Bench.dueAtNine],
                "quiet": [Bench.dueAtNine],
            ],
            settings
        )
        bench.labels["quiet"] = ["quiet"]
        bench.todos["seen"]?.append("X-MOZ-LASTACK:20261121T090000Z")
        try bench.start("0800")
        // An alarm from before the first start is not shown, but it counts as unacknowledged.
        #expect(bench.scheduler.unacknowledgedCount == 2)
        try bench.handle(.clock, "0900")
        #expect(bench.scheduler.unacknowledgedCount == 3)
        try bench.shown("milk", 7, "0900")
        // An expired notification does not acknowledge its alarm.
        try bench.handle(.closed(number: 7, .expired), "0901")
        #expect(bench.scheduler.unacknowledgedCount == 3 && bench.scheduler.pendingCount == 1)
        bench.todos["milk"] = [Bench.dueAtNine, "X-MOZ-LASTACK:20261121T090000Z"]
        try bench.handle(.changed(["milk"]), "0902")
        #expect(bench.scheduler.unacknowledgedCount == 2)
        bench.todos["past"] = nil
        bench.todos["daily"]?.append("STATUS:COMPLETED")
        try bench.handle(.changed(["past", "daily"]), "0903")
        #expect(bench.scheduler.unacknowledgedCount == 0)
        try bench.handle(.clock, "1000")
        #expect(bench.scheduler.unacknowledgedCount == 1)
        // The clock was set back: the alarm is in the future again.
        try bench.handle(.clock, "0930")
        #expect(bench.scheduler.unacknowledgedCount == 0)
        try bench.handle(.clock, "1000")
        try bench.restart("1001")
        #expect(bench.scheduler.unacknowledgedCount == 1)
        // An alarm with a muted label is not shown. It counts as soon as the label is not muted.
        try bench.handle(.settings(SchedulerSettings()), "1002")
        #expect(bench.scheduler.unacknowledgedCount == 2)
        try bench.handle(.settings(settings), "1003")
        #expect(bench.scheduler.unacknowledgedCount == 1)
    }

    @Test("with sound off, the notification makes no sound")
    func withoutSound() throws {
        var settings = SchedulerSettings()
        settings.appearance.makesSound = false
        let bench = Bench(["milk": [Bench.dueAtNine]], settings)
        try bench.start("0800")
        #expect(try bench.handle(.clock, "0900") == ["show milk/Due 10:00"])
    }

    @Test("before the start event nothing is done, and no event is recorded as handled")
    func notStarted() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        try bench.start("0800")
        bench.scheduler = AlarmScheduler(records: bench.kept, settings: SchedulerSettings())
        #expect(try bench.handle(.clock, "1000") == [])
        #expect(try bench.handle(.service("dunst"), "1000") == [])
        #expect(try bench.handle(.changed(["milk"]), "1000") == [])
        #expect(try bench.restart("1000").count == 1)
    }

    @Test("a due time before the very first start does not fire")
    func firstStart() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        #expect(try bench.start("0900") == [])
        #expect(try bench.handle(.clock, "0901") == [])
    }

    @Test("an alarm during the time when the program does not run is shown as missed")
    func missed() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        try bench.start("0800")
        #expect(try bench.restart("1100") == ["show milk/Missed: 2026-11-21 10:00 with sound"])
    }

    @Test("an alarm one minute late is not missed, one second later it is")
    func grace() throws {
        for (now, body) in [("0901", "Due 10:00"), ("090101", "Missed: 2026-11-21 10:00")] {
            let bench = Bench(["milk": [Bench.dueAtNine]])
            try bench.start("0800")
            #expect(try bench.handle(.clock, now) == ["show milk/\(body) with sound"])
        }
    }

    @Test("with missed alarms switched off, none is shown")
    func missedUnwanted() throws {
        var settings = SchedulerSettings()
        settings.showsMissed = false
        let bench = Bench(["milk": [Bench.dueAtNine], "tea": ["DUE:20261121T110000Z"]], settings)
        try bench.start("0800")
        #expect(try bench.handle(.clock, "1100") == ["show tea/Due 12:00 with sound"])
        #expect(try bench.handle(.clock, "1000") == [])
        #expect(try bench.handle(.clock, "1200") == [])
    }

    @Test("five missed alarms are five notifications, six are one summary")
    func summary() throws {
        for (count, lines) in [(5, 5), (6, 1)] {
            let todos = (1...count).map { ("r\($0)", ["DUE:20261121T09000\($0)Z"]) }
            let bench = Bench(named: todos)
            try bench.start("0800")
            let shown = try bench.handle(.clock, "1000")
            #expect(shown.count == lines)
            let times = (1...5).map { "10:00 r\($0)" }.joined(separator: "|")
            if count == 6 { #expect(shown == ["show You missed 6 reminders/\(times)|and 1 more with sound"]) }
        }
    }

    @Test("a summary names the important reminders first, with their times, and has the highest priority")
    func importantFirst() throws {
        let priorities = [1: "9", 6: "5", 7: "1"]
        let todos = (1...7).map { number in
            let lines = ["DUE:20261121T09000\(number)Z"] + (priorities[number].map { ["PRIORITY:\($0)"] } ?? [])
            return ("r\(number)", lines)
        }
        let bench = Bench(named: todos)
        try bench.start("0800")
        let shown = try bench.handle(.clock, "1000")
        let named = "10:00 r7|10:00 r6|10:00 r1|10:00 r2|10:00 r3"
        #expect(shown == ["show You missed 7 reminders/\(named)|and 2 more with sound"])
        let notifications = bench.effects.compactMap { if case .show(let one) = $0 { one } else { nil } }
        #expect(notifications.map(\.priority) == [.high])
    }

    @Test("ten thousand alarms at once are one summary, which is saved in one write and shown once")
    func storm() throws {
        let todos = (1...10_000).map { ("r\($0)", [Bench.dueAtNine]) }
        let bench = Bench(named: todos)
        try bench.start("0800")
        let shown = try bench.handle(.clock, "0900")
        let named = ["r1", "r10", "r100", "r1000", "r10000"].map { "10:00 \($0)" }.joined(separator: "|")
        #expect(shown == ["show 10000 reminders due/\(named)|and 9995 more with sound"])
        #expect(bench.effects.filter { if case .save = $0 { true } else { false } }.count == 1)
        try bench.shown(nil, 1, "0900")
        #expect(try bench.handle(.clock, "0901") == [])
        #expect(bench.notifications.last?.actions.map(\.key) == ["default"])
        #expect(try bench.handle(.invoked(number: 1, action: "default"), "0902") == ["open what is due", "close 1"])
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test("REPEAT=999999 is one notification, which each repetition replaces")
    func repetitions() throws {
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:PT0S", "REPEAT:999999", "DURATION:PT1S"]
        let bench = Bench(["milk": [Bench.dueAtNine] + alarm + ["END:VALARM"]])
        try bench.start("0800")
        #expect(try bench.handle(.clock, "0900") == [Bench.milkShown])
        try bench.shown("milk", 7, "0900")
        for second in 1...50 {
            let now = "0900\(second < 10 ? "0" : "")\(second)"
            #expect(try bench.handle(.clock, now) == ["show milk/Due 10:00 replacing 7 with sound"])
            try bench.shown("milk", 7, now)
        }
        #expect(try bench.handle(.clock, "0902") == [])
    }

    @Test("at most three hundred notifications are shown in a minute")
    func flood() throws {
        let todos = (0..<400).map { ("r\($0)", ["DUE:\(at("0900").adding(seconds: $0 / 8).wire)"]) }
        let bench = Bench(named: todos)
        try bench.start("0800")
        var shown: [String] = []
        for second in 0..<50 { shown += try bench.handle(.clock, at("0900").adding(seconds: second).wire) }
        let own = shown.filter { !$0.contains("reminders due") }
        #expect(own.count == 296)
        #expect(bench.scheduler.records.slots.values.count { $0.place == .summary } == 104)
    }

    @Test("a series fires for each occurrence, and unacknowledged ones share one notification")
    func series() throws {
        let bench = Bench(["milk": [Bench.dueAtNine, "RRULE:FREQ=DAILY;COUNT=3"]])
        try bench.start("0800")
        #expect(try bench.handle(.clock, "0900") == [Bench.milkShown])
        try bench.shown("milk", 7, "0900")
        #expect(bench.scheduler.nextAlarm?.wire == "20261122T090000Z")
        #expect(
            try bench.handle(.clock, "20261122T090000Z") == ["show milk/Due 10:00 replacing 7 with sound"]
        )
        try bench.shown("milk", 7, "20261122T090000Z")
        #expect(
            try bench.handle(.clock, "20261123T090000Z") == ["show milk/Due 10:00 replacing 7 with sound"]
        )
        #expect(bench.scheduler.nextAlarm == nil)
    }

    @Test("of a series that was missed for a year only the last occurrence is shown")
    func longSleep() throws {
        let bench = Bench(["milk": [Bench.dueAtNine, "RRULE:FREQ=MINUTELY"]])
        try bench.start("0800")
        #expect(
            try bench.handle(.clock, "20271121T090030Z") == ["show milk/Due 10:00 with sound"]
        )
        #expect(bench.scheduler.records.delivered["milk"]?.count == SchedulerLimits.maximumDelivered)
        #expect(bench.scheduler.nextAlarm?.wire == "20271121T090100Z")
    }

    @Test(
        "an all-day reminder fires at nine or at the configured time; without an alarm, only if the settings allow it"
    )
    func settings() throws {
        for (time, due, wake) in [(9, true, "080000"), (7, true, "060000"), (9, false, nil)] {
            var settings = SchedulerSettings()
            settings.alarms = Bench.alarms(at: time, due)
            let bench = Bench(["milk": ["DUE;VALUE=DATE:20261122"]], settings)
            try bench.start("0800")
            #expect(bench.scheduler.nextAlarm?.wire == wake.map { "20261122T\($0)Z" })
        }
    }
}
