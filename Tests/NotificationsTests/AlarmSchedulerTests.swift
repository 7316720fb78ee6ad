import ICalendar
import Notifications
import Reminders
import Testing

@Suite("what rings, and what is shown")
struct AlarmSchedulerTests {
    static let nine = "DUE:20261121T090000Z"
    static let ring = "show milk/Time for your reminder! aloud"

    /// One reminder, due at nine, which has rung and has notification 7.
    static func rung(_ lines: [String] = [nine]) throws -> Bench {
        let bench = Bench(["milk": lines])
        try bench.start("0800")
        try bench.tell(.clock, "0900")
        try bench.shown("milk", 7, "0900")
        return bench
    }

    // MARK: When

    @Test("it rings at its time, once, and is woken for nothing else")
    func once() throws {
        let bench = Bench(["milk": [Self.nine, "DESCRIPTION:two <b>litres</b> & more"]])
        #expect(try bench.start("0800") == [])
        #expect(try bench.tell(.clock, "085959") == [])
        #expect(bench.wake == "20261121T090000Z")
        #expect(try bench.tell(.clock, "0900") == ["show milk/two <b>litres</b> & more aloud"])
        #expect(bench.effects.last == .wake(nil))
        #expect(try bench.tell(.clock, "0900") == [])
        #expect(try bench.shown("milk", 7, "0900") == [])
        #expect(try bench.tell(.clock, "090001") == [])
        #expect(try bench.tell(.clock, "20270101T000000Z") == [])
    }

    @Test("a notification has the buttons, the urgency and the sound of its reminder")
    func notification() throws {
        let bench = try Self.rung([Self.nine, "PRIORITY:1"])
        let notification = try #require(bench.notifications.first)
        #expect(notification.priority == .high)
        #expect(notification.makesSound)
        let keys = ["default", "complete", "snooze-300", "snooze-900", "snooze-1800", "snooze-3600"]
        #expect(notification.actions.map(\.key) == keys)
        let snoozes = ["Snooze 5 minutes", "Snooze 15 minutes", "Snooze 30 minutes", "Snooze 1 hour"]
        #expect(notification.actions.map(\.label) == ["Open", "Complete"] + snoozes)
        #expect(bench.scheduler.pendingCount == 1)
    }

    @Test("what has rung and nobody has seen to is counted, with a notification or without (N09)")
    func unacknowledged() throws {
        var settings = SchedulerSettings()
        settings.mutedLabels = [LabelKey("quiet")]
        let daily = "DTSTART:20261119T090000Z"
        let bench = Bench(
            [
                "milk": [Self.nine], "past": ["DUE:20261101T090000Z"], "later": ["DUE:20261121T100000Z"],
                "daily": [daily, "DUE:20261119T090000Z", "RRULE:FREQ=DAILY"], "seen": [Self.nine], "quiet": [Self.nine],
            ],
            settings
        )
        bench.labels["quiet"] = ["quiet"]
        bench.todos["seen"]?.append("X-MOZ-LASTACK:20261121T090000Z")
        try bench.start("0800")
        // What was past before anybody looked rings for nobody, and is due all the same.
        #expect(bench.scheduler.unacknowledgedCount == 2)
        try bench.tell(.clock, "0900")
        #expect(bench.scheduler.unacknowledgedCount == 3)
        try bench.shown("milk", 7, "0900")
        // Gone by itself: nobody has seen to it.
        try bench.tell(.closed(number: 7, .expired), "0901")
        #expect(bench.scheduler.unacknowledgedCount == 3 && bench.scheduler.pendingCount == 1)
        bench.todos["milk"] = [Self.nine, "X-MOZ-LASTACK:20261121T090000Z"]
        try bench.tell(.changed(["milk"]), "0902")
        #expect(bench.scheduler.unacknowledgedCount == 2)
        bench.todos["past"] = nil
        bench.todos["daily"]?.append("STATUS:COMPLETED")
        try bench.tell(.changed(["past", "daily"]), "0903")
        #expect(bench.scheduler.unacknowledgedCount == 0)
        try bench.tell(.clock, "1000")
        #expect(bench.scheduler.unacknowledgedCount == 1)
        // The clock had been wrong: it is still to come.
        try bench.tell(.clock, "0930")
        #expect(bench.scheduler.unacknowledgedCount == 0)
        try bench.tell(.clock, "1000")
        try bench.restart("1001")
        #expect(bench.scheduler.unacknowledgedCount == 1)
        // What rings for nobody has nothing on the screen, and counts when it is to ring again.
        try bench.tell(.settings(SchedulerSettings()), "1002")
        #expect(bench.scheduler.unacknowledgedCount == 2)
        try bench.tell(.settings(settings), "1003")
        #expect(bench.scheduler.unacknowledgedCount == 1)
    }

    @Test("muted, it is shown without a sound")
    func muted() throws {
        var settings = SchedulerSettings()
        settings.makesSound = false
        let bench = Bench(["milk": [Self.nine]], settings)
        try bench.start("0800")
        #expect(try bench.tell(.clock, "0900") == ["show milk/Time for your reminder!"])
    }

    @Test("before it was told that it starts, it does nothing and takes nothing for heard")
    func notStarted() throws {
        let bench = Bench(["milk": [Self.nine]])
        try bench.start("0800")
        bench.scheduler = AlarmScheduler(records: bench.kept, settings: SchedulerSettings())
        #expect(try bench.tell(.clock, "1000") == [])
        #expect(try bench.tell(.service("dunst"), "1000") == [])
        #expect(try bench.tell(.changed(["milk"]), "1000") == [])
        #expect(try bench.restart("1000").count == 1)
    }

    @Test("what was due before the very first start does not ring")
    func firstStart() throws {
        let bench = Bench(["milk": [Self.nine]])
        #expect(try bench.start("0900") == [])
        #expect(try bench.tell(.clock, "0901") == [])
    }

    @Test("what becomes due while the program does not run is shown as missed")
    func missed() throws {
        let bench = Bench(["milk": [Self.nine]])
        try bench.start("0800")
        #expect(try bench.restart("1100") == ["show milk/Missed: 2026-11-21 10:00|Time for your reminder! aloud"])
    }

    @Test("a minute late is not missed, a second more is")
    func grace() throws {
        for (now, body) in [("0901", "Time for"), ("090101", "Missed: 2026-11-21 10:00|Time for")] {
            let bench = Bench(["milk": [Self.nine]])
            try bench.start("0800")
            #expect(try bench.tell(.clock, now) == ["show milk/\(body) your reminder! aloud"])
        }
    }

    @Test("who does not want to know of what was missed is told nothing")
    func missedUnwanted() throws {
        var settings = SchedulerSettings()
        settings.showsMissed = false
        let bench = Bench(["milk": [Self.nine], "tea": ["DUE:20261121T110000Z"]], settings)
        try bench.start("0800")
        #expect(try bench.tell(.clock, "1100") == ["show tea/Time for your reminder! aloud"])
        #expect(try bench.tell(.clock, "1000") == [])
        #expect(try bench.tell(.clock, "1200") == [])
    }

    @Test("five that were missed are five notifications, six are one summary")
    func summary() throws {
        for (count, lines) in [(5, 5), (6, 1)] {
            let todos = (1...count).map { ("r\($0)", ["DUE:20261121T09000\($0)Z"]) }
            let bench = Bench(named: todos)
            try bench.start("0800")
            let shown = try bench.tell(.clock, "1000")
            #expect(shown.count == lines)
            if count == 6 { #expect(shown == ["show You missed 6 reminders/r1|r2|r3|r4|r5|and 1 more aloud"]) }
        }
    }

    @Test("ten thousand at once are one summary, which is kept in one write and told once")
    func storm() throws {
        let todos = (1...10_000).map { ("r\($0)", [Self.nine]) }
        let bench = Bench(named: todos)
        try bench.start("0800")
        let shown = try bench.tell(.clock, "0900")
        #expect(shown == ["show 10000 reminders due/r1|r10|r100|r1000|r10000|and 9995 more aloud"])
        #expect(bench.effects.filter { if case .save = $0 { true } else { false } }.count == 1)
        try bench.shown(nil, 1, "0900")
        #expect(try bench.tell(.clock, "0901") == [])
        #expect(bench.notifications.last?.actions.map(\.key) == ["default"])
        #expect(try bench.tell(.invoked(number: 1, action: "default"), "0902") == ["open what is due", "close 1"])
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test("REPEAT=999999 is one notification, whose place each repetition takes")
    func repetitions() throws {
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:PT0S", "REPEAT:999999", "DURATION:PT1S"]
        let bench = Bench(["milk": [Self.nine] + alarm + ["END:VALARM"]])
        try bench.start("0800")
        #expect(try bench.tell(.clock, "0900") == [Self.ring])
        try bench.shown("milk", 7, "0900")
        for second in 1...50 {
            let now = "0900\(second < 10 ? "0" : "")\(second)"
            #expect(try bench.tell(.clock, now) == ["show milk/Time for your reminder! for 7 aloud"])
            try bench.shown("milk", 7, now)
        }
        #expect(try bench.tell(.clock, "0902") == [])
    }

    @Test("more than three hundred notifications do not come in a minute")
    func flood() throws {
        let todos = (0..<400).map { ("r\($0)", ["DUE:\(at("0900").adding(seconds: $0 / 8).wire)"]) }
        let bench = Bench(named: todos)
        try bench.start("0800")
        var shown: [String] = []
        for second in 0..<50 { shown += try bench.tell(.clock, at("0900").adding(seconds: second).wire) }
        let own = shown.filter { !$0.contains("reminders due") }
        #expect(own.count == 296)
        #expect(bench.scheduler.records.slots.values.count { $0.place == .summary } == 104)
    }

    @Test("a series rings for each occurrence, and one that nobody heeded keeps one notification")
    func series() throws {
        let bench = Bench(["milk": [Self.nine, "RRULE:FREQ=DAILY;COUNT=3"]])
        try bench.start("0800")
        #expect(try bench.tell(.clock, "0900") == [Self.ring])
        try bench.shown("milk", 7, "0900")
        #expect(bench.scheduler.nextAlarm?.wire == "20261122T090000Z")
        #expect(try bench.tell(.clock, "20261122T090000Z") == ["show milk/Time for your reminder! for 7 aloud"])
        try bench.shown("milk", 7, "20261122T090000Z")
        #expect(try bench.tell(.clock, "20261123T090000Z") == ["show milk/Time for your reminder! for 7 aloud"])
        #expect(bench.scheduler.nextAlarm == nil)
    }

    @Test("of a series that was missed for a year the last is told")
    func longSleep() throws {
        let bench = Bench(["milk": [Self.nine, "RRULE:FREQ=MINUTELY"]])
        try bench.start("0800")
        #expect(
            try bench.tell(.clock, "20271121T090030Z") == ["show milk/Time for your reminder! aloud"]
        )
        #expect(bench.scheduler.records.delivered["milk"]?.count == SchedulerLimits.maximumDelivered)
        #expect(bench.scheduler.nextAlarm?.wire == "20271121T090100Z")
    }

    private static func alarms(_ hour: Int, _ notifiesWhenDue: Bool = true) -> AlarmSettings {
        AlarmSettings(dayTime: ClockTime(secondsOfDay: hour * 3600), notifiesWhenDue: notifiesWhenDue)
    }

    @Test("a whole day rings at nine, or when the person has said; one without an alarm when it is due, or not")
    func settings() throws {
        for (time, due, wake) in [(9, true, "080000"), (7, true, "060000"), (9, false, nil)] {
            var settings = SchedulerSettings()
            settings.alarms = Self.alarms(time, due)
            let bench = Bench(["milk": ["DUE;VALUE=DATE:20261122"]], settings)
            try bench.start("0800")
            #expect(bench.scheduler.nextAlarm?.wire == wake.map { "20261122T\($0)Z" })
        }
    }

    // MARK: What changes

    @Test("completed, deleted, moved, put off or seen to elsewhere, the notification goes and nothing rings")
    func over() throws {
        let changes: [[String]?] = [
            [Self.nine, "STATUS:COMPLETED"], nil, ["SUMMARY:x"], [Self.nine, "X-MOZ-LASTACK:20261121T090000Z"],
        ]
        for change in changes {
            let bench = try Self.rung()
            bench.todos["milk"] = change
            #expect(try bench.tell(.changed(["milk"]), "0910") == ["close 7"])
            #expect(try bench.tell(.closed(number: 7, .requested), "0910") == [])
            #expect(bench.kept.closing == [] && bench.kept.slots == [:])
            #expect(bench.scheduler.nextAlarm == nil)
            #expect(try bench.tell(.clock, "1000") == [])
        }
    }

    @Test("what is over before its time never rings, though nobody has told of the change yet")
    func overBefore() throws {
        for change in [[Self.nine, "STATUS:COMPLETED"], nil] {
            let bench = Bench(["milk": [Self.nine]])
            try bench.start("0800")
            bench.todos["milk"] = change
            #expect(try bench.tell(.clock, "0900") == [])
        }
    }

    @Test("moved to another time it rings then, and then only")
    func moved() throws {
        let bench = Bench(["milk": ["DUE:20261121T080500Z"]])
        try bench.start("0800")
        bench.todos["milk"] = ["DUE:20261121T080200Z"]
        #expect(try bench.tell(.changed(["milk"]), "080010") == [])
        #expect(bench.wake == "20261121T080200Z")
        #expect(try bench.tell(.clock, "0802") == [Self.ring])
        try bench.shown("milk", 7, "0802")
        #expect(try bench.tell(.clock, "0805") == [])
        bench.todos["milk"] = ["DUE:20261121T082000Z"]
        #expect(try bench.tell(.changed(["milk"]), "0810") == ["close 7"])
        #expect(try bench.tell(.clock, "0820") == [Self.ring])
    }

    @Test("put off it rings at the end of that; opened again it rings, when it is still to come")
    func putOffAndReopened() throws {
        let bench = try Self.rung()
        bench.todos["milk"] = [Self.nine, "X-MOZ-SNOOZE-TIME:20261121T091500Z", "X-MOZ-LASTACK:20261121T090500Z"]
        #expect(try bench.tell(.changed(["milk"]), "0905") == ["close 7"])
        #expect(try bench.tell(.clock, "0915") == [Self.ring])
        bench.todos["tea"] = ["DUE:20261121T100000Z", "STATUS:COMPLETED"]
        try bench.tell(.changed(["tea"]), "0916")
        bench.todos["tea"] = ["DUE:20261121T100000Z"]
        try bench.tell(.changed(["tea"]), "0917")
        #expect(try bench.tell(.clock, "1000") == ["show tea/Time for your reminder! aloud"])
    }

    @Test("another title takes the place of the notification without a sound; what nobody sees changes nothing")
    func words() throws {
        let bench = try Self.rung()
        bench.todos["milk"] = [Self.nine, "DESCRIPTION:two litres"]
        #expect(try bench.tell(.changed(["milk"]), "0905") == ["show milk/two litres for 7"])
        try bench.shown("milk", 7, "0905")
        bench.todos["milk"] = [Self.nine, "DESCRIPTION:two litres", "X-OTHER:1"]
        #expect(try bench.tell(.changed(["milk"]), "0906") == [])
    }

    @Test("what arrives with a time in the past does not ring, and what is moved there")
    func past() throws {
        let bench = Bench(["tea": ["DUE:20261121T120000Z"]])
        try bench.start("0800")
        bench.todos["milk"] = [Self.nine]
        bench.todos["tea"] = ["DUE:20261121T093000Z"]
        #expect(try bench.tell(.changed(["milk", "tea"]), "1000") == [])
        #expect(try bench.tell(.clock, "1300") == [])
    }

    @Test("what is gone goes, what is new rings")
    func goneAndNew() throws {
        let bench = try Self.rung()
        bench.todos = ["tea": ["DUE:20261121T093000Z"]]
        #expect(try bench.tell(.changed(["milk", "tea"]), "0910") == ["close 7"])
        #expect(bench.kept.delivered == [:])
        #expect(try bench.tell(.clock, "0930") == ["show tea/Time for your reminder! aloud"])
    }

    @Test("a summary goes when nothing of it is left, and is not shown anew for one less")
    func summaryGoes() throws {
        let names = (1...6).map { "r\($0)" }
        let bench = Bench(named: names.map { ($0, [Self.nine]) })
        try bench.start("0800")
        try bench.tell(.clock, "1000")
        try bench.shown(nil, 3, "1000")
        for name in names.map(ReminderID.init(named:)) {
            bench.todos[name] = nil
            #expect(try bench.tell(.changed([name]), "1001") == (name == "r6" ? ["close 3"] : []))
        }
    }

    @Test("when a reminder cannot be read nothing has happened, and it rings when it can")
    func unreadable() throws {
        let bench = Bench(["milk": [Self.nine]])
        try bench.start("0800")
        bench.isBroken = true
        let records = bench.scheduler.records
        #expect(throws: Bench.Broken.self) { try bench.tell(.clock, "0900") }
        #expect(bench.scheduler.records == records)
        bench.isBroken = false
        #expect(try bench.tell(.clock, "0900") == [Self.ring])
    }

    // MARK: What a person wants

    @Test("silent lists and labels do not ring, and what they missed is gone")
    func silent() throws {
        var settings = SchedulerSettings()
        settings.mutedLists = ["work"]
        settings.mutedLabels = [LabelKey("LATER")]
        let bench = Bench(["milk": [Self.nine], "tea": [Self.nine], "oil": [Self.nine]], settings)
        bench.lists["milk"] = "work"
        bench.labels["tea"] = ["Later"]
        try bench.start("0800")
        #expect(try bench.tell(.clock, "0900") == ["show oil/Time for your reminder! aloud"])
        #expect(try bench.tell(.settings(SchedulerSettings()), "0901") == [])
        #expect(try bench.tell(.clock, "1000") == [])
    }

    @Test("a list that is switched off loses its notifications")
    func switchedOff() throws {
        let bench = try Self.rung()
        var settings = SchedulerSettings()
        settings.mutedLists = ["home"]
        #expect(try bench.tell(.settings(settings), "0905") == ["close 7"])
    }

    @Test("quiet hours that are chosen while it runs hold back what is new, and when they are taken away it is shown")
    func quietSinceNow() throws {
        let bench = Bench(["milk": [Self.nine], "tea": ["DUE:20261121T091000Z"]])
        try bench.start("0800")
        try bench.tell(.clock, "0900")
        try bench.shown("milk", 7, "0900")
        var settings = SchedulerSettings()
        // Ten to half past eleven in Berlin.
        settings.quietHours = QuietHours(
            from: ClockTime(secondsOfDay: 10 * 3600),
            to: ClockTime(secondsOfDay: 11 * 3600 + 1800)
        )
        #expect(try bench.tell(.settings(settings), "0905") == [])
        #expect(try bench.tell(.clock, "0910") == [])
        #expect(bench.wake == "20261121T103000Z")
        #expect(
            try bench.tell(.settings(SchedulerSettings()), "0920") == [
                "show tea/Missed: 2026-11-21 10:10|Time for your reminder! aloud"
            ]
        )
    }

    @Test("another hour for whole days moves what is to come; what it leaves out is told, what was told is not again")
    func anotherDayTime() throws {
        // Nine in Berlin is eight here.
        let late = "show milk/Missed: 2026-11-21 08:00|Time for your reminder! aloud"
        let cases: [(settings: SchedulerSettings, now: String, shown: [String], later: Int)] = [
            (Self.day(11), "0800", [], 0), (Self.day(8), "0800", [], 0), (Self.day(11), "0730", [], 1),
            (Self.day(8), "0730", [late], 0),
        ]
        for test in cases {
            let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
            try bench.start("0600")
            if try !bench.tell(.clock, test.now).isEmpty { try bench.shown("milk", 7, test.now) }
            #expect(try bench.tell(.settings(test.settings), test.now) == test.shown)
            #expect(try bench.tell(.clock, "1000").count == test.later)
            #expect(try bench.tell(.clock, "1200") == [])
        }
    }

    @Test("nothing is said to be missed at a time that is to come")
    func missedAndMoved() throws {
        let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
        try bench.start("0600")
        try bench.tell(.clock, "0830")
        try bench.shown("milk", 7, "0830")
        #expect(try bench.tell(.settings(Self.day(11)), "0840") == ["show milk/Time for your reminder! for 7"])
    }

    @Test("another hour for whole days that was chosen while nothing ran counts in the same way")
    func anotherDayTimeMeanwhile() throws {
        for (hour, shown) in [(8, 1), (11, 0)] {
            let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
            try bench.start("0600")
            bench.scheduler = AlarmScheduler(records: bench.kept, settings: Self.day(hour))
            #expect(try bench.start("0730").count == shown)
        }
        let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
        try bench.start("0600")
        try bench.tell(.clock, "0800")
        try bench.shown("milk", 7, "0800")
        bench.scheduler = AlarmScheduler(records: bench.kept, settings: Self.day(11))
        // What is on the screen stays there.
        #expect(try bench.start("0830").allSatisfy { !$0.contains("close") && !$0.contains("aloud") })
        #expect(bench.kept.slots["milk"] != nil)
        #expect(try bench.tell(.clock, "1030") == [])
    }

    private static func day(_ hour: Int) -> SchedulerSettings {
        var settings = SchedulerSettings()
        settings.alarms = Self.alarms(hour)
        return settings
    }

    @Test(
        "what has no alarm of its own loses its notification when that is not to ring, and past is past when it is again"
    )
    func notifiesWhenDue() throws {
        let bench = Bench(["milk": [Self.nine], "tea": ["DUE:20261121T093000Z"], "oil": ["DUE:20261121T100000Z"]])
        try bench.start("0800")
        try bench.tell(.clock, "0900")
        try bench.shown("milk", 7, "0900")
        var settings = SchedulerSettings()
        settings.alarms.notifiesWhenDue = false
        #expect(try bench.tell(.settings(settings), "0905") == ["close 7"])
        #expect(bench.scheduler.nextAlarm == nil)
        #expect(try bench.tell(.clock, "0930") == [])
        #expect(try bench.tell(.settings(SchedulerSettings()), "0940") == [])
        #expect(try bench.tell(.clock, "1000") == ["show oil/Time for your reminder! aloud"])
    }

    @Test("in quiet hours nothing is shown; at their end it is, and more than five are one")
    func quiet() throws {
        var settings = SchedulerSettings()
        // Ten to half past eleven in Berlin.
        settings.quietHours = QuietHours(
            from: ClockTime(secondsOfDay: 10 * 3600),
            to: ClockTime(secondsOfDay: 11 * 3600 + 1800)
        )
        for (count, shown) in [(2, 2), (6, 1)] {
            let todos = (1...count).map { ("r\($0)", [Self.nine]) }
            let bench = Bench(named: todos, settings)
            try bench.start("0800")
            #expect(try bench.tell(.clock, "0900") == [])
            #expect(bench.wake == "20261121T103000Z")
            #expect(try bench.tell(.clock, "102959") == [])
            #expect(try bench.restart("102959") == [])
            let lines = try bench.tell(.clock, "1030")
            #expect(lines.count == shown)
            if count == 2 { #expect(lines[0] == "show r1/Missed: 2026-11-21 10:00|Time for your reminder! aloud") }
            if count == 6 { #expect(lines[0].hasPrefix("show You missed 6 reminders/")) }
        }
    }

    // MARK: Clocks

    @Test("a clock that is put back by an hour makes nothing ring twice; by three days everything")
    func putBack() throws {
        for (back, lines) in [("0800", []), ("20261119T090000Z", []), ("20261118T090000Z", [Self.ring])] {
            let bench = try Self.rung()
            let first = try bench.tell(.clock, back)
            // What is days ahead is not on the screen.
            #expect(first == (lines.isEmpty ? [] : ["close 7"]))
            #expect(try bench.tell(.clock, "0900") == lines)
        }
    }

    @Test("a clock that is put ahead for a moment costs no alarm")
    func putAhead() throws {
        let bench = Bench(["milk": [Self.nine]])
        try bench.start("0800")
        let ahead = try bench.tell(.clock, "20361121T080000Z")
        #expect(ahead == ["show milk/Missed: 2026-11-21 10:00|Time for your reminder! aloud"])
        try bench.shown("milk", 7, "20361121T080000Z")
        #expect(try bench.tell(.clock, "0801") == [])
        #expect(bench.wake == "20261121T090000Z")
        #expect(try bench.tell(.clock, "0900") == ["show milk/Time for your reminder! for 7 aloud"])
    }

    @Test("what was told and not shown, and is to come again, rings when it comes")
    func putBackUnshown() throws {
        let bench = Bench(["milk": [Self.nine]])
        try bench.start("0800", service: nil)
        #expect(try bench.tell(.clock, "0900") == [])
        #expect(try bench.tell(.clock, "0830") == [])
        #expect(try bench.tell(.service("dunst"), "0831") == [])
        #expect(bench.scheduler.nextAlarm == at("0900"))
        #expect(try bench.tell(.clock, "0900") == [Self.ring])
    }

    @Test("what was due before the clock was wrong is shown when it is right again, without what is to come")
    func putBackBoth() throws {
        let bench = Bench(["milk": [Self.nine, "RRULE:FREQ=DAILY"]])
        try bench.start("0800", service: nil)
        try bench.tell(.clock, "0900")
        try bench.tell(.clock, "20261126T120000Z")
        try bench.tell(.clock, "0901")
        #expect(bench.scheduler.nextAlarm?.wire == "20261122T090000Z")
        #expect(try bench.tell(.service("dunst"), "0901") == [Self.ring])
    }

    @Test("on the way west nothing rings twice, on the way east nothing is lost")
    func journeys() throws {
        let west = try Self.rung(["DUE:20261121T100000"])
        #expect(try west.tell(.zoneChanged("America/New_York"), "1200") == [])
        #expect(try west.tell(.clock, "1500") == [])
        let east = Bench(["milk": ["DUE:20261121T180000"]])
        try east.start("0800")
        let missed = "show milk/Missed: 2026-11-21 18:00|Time for your reminder! aloud"
        #expect(try east.tell(.zoneChanged("Asia/Tokyo"), "1200") == [missed])
        try east.shown("milk", 7, "1200")
        // In silence: there it is to come, and was not missed.
        #expect(
            try east.tell(.zoneChanged("Europe/Berlin"), "1300") == ["show milk/Time for your reminder! for 7"]
        )
        #expect(try east.tell(.clock, "1700") == [])
    }

    @Test("a time in a zone of its own does not travel")
    func fixed() throws {
        let bench = Bench(["milk": ["DUE;TZID=Europe/Berlin:20261121T180000"]])
        try bench.start("0800")
        #expect(try bench.tell(.zoneChanged("Asia/Tokyo"), "1200") == [])
        #expect(try bench.tell(.clock, "1700") == [Self.ring])
    }

    @Test("of two alarms an hour apart, a journey of an hour tells the second all the same")
    func journeyOfAnHour() throws {
        let alarms = ["-PT1H", "PT0S"].flatMap {
            ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:\($0)", "END:VALARM"]
        }
        let bench = Bench(["milk": ["DUE:20261121T110000"] + alarms])
        try bench.start("0800")
        #expect(try bench.tell(.clock, "0900") == [Self.ring])
        try bench.shown("milk", 7, "0900")
        #expect(try bench.tell(.zoneChanged("Europe/Dublin"), "0930") == [])
        #expect(try bench.tell(.clock, "1000") == [])
        #expect(try bench.tell(.clock, "1100") == ["show milk/Time for your reminder! for 7 aloud"])
    }
}
