import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import Testing

@Suite("fired alarms that are not shown yet, and their replacements")
struct UnshownTests {
    /// A series that fires at 08:30, 09:30 and 10:30.
    static let hourly = ["DUE:20261121T083000Z", "RRULE:FREQ=HOURLY;COUNT=3"]
    static let late = "show milk/Missed: 2026-11-21"

    /// Settings with quiet hours from 10:00 to 11:00 in Berlin, which is 09:00 to 10:00 UTC.
    private static var quiet: SchedulerSettings {
        var settings = SchedulerSettings()
        settings.quietHours = QuietHours(from: ClockTime(secondsOfDay: 36_000), to: ClockTime(secondsOfDay: 39_600))
        return settings
    }

    /// Returns a bench with one reminder that fired at 08:30 and has notification 7.
    private static func fired(_ lines: [String] = hourly, _ settings: SchedulerSettings = quiet) throws -> Bench {
        let bench = Bench(["milk": lines], settings)
        try bench.start("0800")
        try bench.handle(.clock, "0830")
        try bench.shown("milk", 7, "0830")
        return bench
    }

    // MARK: How many

    @Test("failed notifications are counted separately from pending ones and from those of the fallback")
    func counts() throws {
        func counts(_ bench: Bench) -> [Int] { [bench.scheduler.unshownCount, bench.scheduler.showingCount] }
        let bench = Bench([
            "milk": [Bench.dueAtNine], "bread": [Bench.dueAtNine], "later": ["DUE:20261121T100000Z"],
        ])
        try bench.start("0800")
        #expect(counts(bench) == [0, 0])
        try bench.handle(.clock, "0900")
        #expect(counts(bench) == [0, 2], "requested, without an answer")
        try bench.shown("bread", 7, "0900")
        try bench.handle(.notShown(token: try #require(bench.tokens["milk"])), "0900")
        #expect(counts(bench) == [1, 1])
        #expect(try bench.handle(.clock, "090001") == [Bench.milkShown])
        #expect(counts(bench) == [1, 1], "it is requested again, and is not shown yet")
        try bench.shown("milk", 8, "090001")
        #expect(counts(bench) == [0, 0])
        // Notifications of a lost service count as shown.
        try bench.handle(.service(nil), "0930")
        #expect(counts(bench) == [0, 0])
        try bench.handle(.clock, "1000")
        #expect(counts(bench) == [1, 1])
        try bench.handle(.service("mako"), "1001")
        #expect(counts(bench) == [0, 3])

        var elsewhere = SchedulerSettings()
        elsewhere.hasFallback = true
        let fallback = Bench(["milk": [Bench.dueAtNine]], elsewhere)
        try fallback.start("0800", service: nil)
        try fallback.handle(.clock, "0900")
        #expect(counts(fallback) == [0, 1])
        try fallback.handle(.clock, "090010")
        try fallback.handle(.notShown(token: try #require(fallback.tokens["milk"])), "090010")
        #expect(counts(fallback) == [1, 1], "the fallback failed")
    }

    @Test("each reminder of a summary that could not be shown counts")
    func countsOfSummary() throws {
        let todos = (0..<20).map { ("t\($0)", [Bench.dueAtNine]) }
        let bench = Bench(named: todos)
        try bench.start("0800")
        try bench.handle(.clock, "0900")
        #expect(bench.scheduler.unshownCount == 0 && bench.scheduler.showingCount == 20)
        try bench.handle(.notShown(token: try #require(bench.tokens[nil])), "0900")
        #expect(bench.scheduler.unshownCount == 20)
        try bench.handle(.clock, "090001")
        try bench.shown(nil, 7, "090001")
        #expect(bench.scheduler.unshownCount == 0 && bench.scheduler.showingCount == 0)
    }

    // MARK: Changes

    @Test("an occurrence that ends loses its notification, also when a later one waits for the end of quiet hours")
    func over() throws {
        let bench = try Self.fired()
        #expect(try bench.handle(.clock, "0930") == [])
        bench.todos["milk"] = Self.hourly + ["EXDATE:20261121T083000Z"]
        #expect(try bench.handle(.changed(["milk"]), "0935") == ["close 7"])
        #expect(bench.kept.slots["milk"]?.notification == nil)
        #expect(try bench.handle(.clock, "1000") == [Self.late + " 10:30 with sound"])
    }

    @Test("the end of an occurrence does not affect another one that was not shown")
    func overUnshown() throws {
        let bench = Bench(["milk": Self.hourly])
        try bench.start("0800", service: nil)
        try bench.handle(.clock, "0830")
        try bench.handle(.clock, "0930")
        bench.todos["milk"] = Self.hourly + ["EXDATE:20261121T093000Z"]
        #expect(try bench.handle(.changed(["milk"]), "0935") == [])
        #expect(
            try bench.handle(.service("dunst"), "0936") == [Self.late + " 09:30 with sound"]
        )
    }

    @Test("an alarm between a write and its detection fires once")
    func since() throws {
        let bench = Bench()
        try bench.start("0800")
        bench.todos["milk"] = [Bench.dueAtNine]
        #expect(try bench.handle(.changed(["milk"], since: at("090000")), "090001") == [])
        #expect(try bench.handle(.changed(["milk"], since: at("085959")), "090001") == [Bench.milkShown])
        try bench.shown("milk", 7, "090001")
        #expect(try bench.handle(.changed(["milk"], since: at("085959")), "090002") == [])
        // An alarm that fired so long ago that its record was removed does not fire again.
        #expect(try bench.handle(.clock, "20261125T090000Z") == [])
        #expect(try bench.handle(.changed(["milk"], since: at("0800")), "20261125T090000Z") == [])
        #expect(try bench.handle(.changed(["milk"], since: at("20261130T080000Z")), "20261125T090000Z") == [])
    }

    // MARK: Clocks

    @Test(
        "a notification lost with its service appears again after quiet hours, although the clock was set back meanwhile"
    )
    func heldAndPutBack() throws {
        let bench = try Self.fired()
        try bench.handle(.service(nil), "0905")
        try bench.handle(.service("another"), "0906")
        #expect(try bench.handle(.clock, "0930") == [])
        #expect(try bench.handle(.clock, "0920") == [])
        #expect(bench.scheduler.pendingCount == 1)
        #expect(try bench.handle(.clock, "0930") == [])
        #expect(try bench.handle(.clock, "1000") == [Self.late + " 10:30 with sound"])
    }

    @Test("an alarm that was shown late does not fire again on a clock that is set back by hours")
    func shownLate() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        try bench.start("0800", service: nil)
        try bench.handle(.clock, "0900")
        try bench.handle(.clock, "20261123T210000Z")
        try bench.handle(.clock, "20261122T090000Z")
        #expect(try bench.handle(.service("dunst"), "20261122T090000Z").count == 1)
        try bench.shown("milk", 7, "20261122T090000Z")
        try bench.handle(.clock, "0800")
        #expect(try bench.handle(.clock, "0900") == [])
    }

    @Test("an earlier alarm that is shown late does not cover alarms that are too many to be listed")
    func shownBeforeUnlisted() throws {
        let bench = try Self.fired(["DUE:20261121T083000Z", "RRULE:FREQ=MINUTELY;COUNT=200"], SchedulerSettings())
        try bench.handle(.clock, "0831")
        // 109 further alarms fire before the service answers.
        try bench.handle(.clock, "1020")
        try bench.shown("milk", 7, "1020")
        let slot = try #require(bench.kept.slots["milk"])
        #expect(slot.unshown.first?.fires == at("0841") && slot.unshown.count == SchedulerLimits.maximumDelivered)
        #expect(slot.unlisted == at("083101"))
        try bench.handle(.notShown(token: bench.tokens["milk"] ?? 0), "1020")
        // The listed alarms are in the future again, and the unlisted ones of 8:32 to 8:35 are shown by the last of them.
        #expect(try bench.handle(.clock, "0835") == ["show milk/Due 09:35 replacing 7 with sound"])
        #expect(bench.kept.slots["milk"]?.unshown.map(\.fires) == ["0832", "0833", "0834", "0835"].map { at($0) })
        try bench.shown("milk", 7, "0835")
        #expect(bench.kept.slots["milk"]?.unlisted == nil)
    }

    @Test("a clock that is set back twice repeats unshown alarms, and no shown ones")
    func twice() throws {
        let bench = try Bench.fired()
        try bench.handle(.clock, "0830")
        try bench.handle(.service(nil), "0831")
        let alarms = ["-PT15M", "PT0S"].flatMap {
            ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:\($0)", "END:VALARM"]
        }
        bench.todos["milk"] = [Bench.dueAtNine] + alarms
        try bench.handle(.changed(["milk"]), "0832")
        #expect(try bench.handle(.clock, "0845") == [])
        try bench.handle(.clock, "0840")
        // The notification of 09:00 is still shown.
        #expect(try bench.handle(.service("dunst"), "0841").count <= 1)
        try bench.shown("milk", 7, "0841")
        #expect(try bench.handle(.clock, "0845") == ["show milk/Due 10:00 replacing 7 with sound"])
        try bench.shown("milk", 7, "0845")
        #expect(try bench.handle(.clock, "0900") == [])
    }

    @Test("a clock that is set back causes no lookup of reminders that fired before")
    func lookups() throws {
        let hours = 10...30
        let bench = Bench(named: hours.map { ("r\($0)", ["DUE:20261125T\($0)0000Z"]) })
        bench.todos["milk"] = [Bench.dueAtNine]
        try bench.start("0800")
        try bench.handle(.clock, "0900")
        try bench.shown("milk", 7, "0900")
        bench.lookups = 0
        try bench.handle(.clock, "0859")
        #expect(bench.lookups <= 2)
        #expect(bench.scheduler.nextAlarm == at("0900"))
    }

    @Test("a change of the zone causes only lookups of reminders that depend on local time")
    func zoneChangeLookups() throws {
        let hours = 10...20
        let bench = Bench(named: hours.map { ("r\($0)", ["DUE:20261125T\($0)0000Z"]) })
        bench.todos["milk"] = ["DUE:20261121T100000"]
        bench.todos["tea"] = ["DUE;VALUE=DATE:20261122"]
        bench.todos["oil"] = ["DUE;TZID=Asia/Tokyo:20261121T200000"]
        try bench.start("0800")
        bench.lookups = 0
        try bench.handle(.zoneChanged("Europe/Dublin"), "0800")
        #expect(bench.lookups <= 6)
        #expect(bench.scheduler.nextAlarm == at("1000"))
    }

    // MARK: Summaries

    @Test("dismissing a summary acknowledges its reminders, and not those that would have been added")
    func joined() throws {
        let names = (1...6).map { "r\($0)" }
        let others = (1...6).map { "s\($0)" }
        let bench = Bench(named: names.map { ($0, [Bench.dueAtNine]) })
        for other in others.map(ReminderID.init(named:)) { bench.todos[other] = ["DUE:20261121T100100Z"] }
        try bench.start("0800")
        try bench.handle(.clock, "1000")
        #expect(try bench.handle(.clock, "1003") == [])
        #expect(try bench.shown(nil, 3, "1003").count == 1)
        #expect(try bench.handle(.notShown(token: bench.tokens[nil] ?? 0), "1003") == [])
        #expect(try bench.handle(.closed(number: 3, .dismissed), "1003") == [])
        #expect(bench.kept.slots.keys.sorted().map(\.name) == others)
        // They do not fire again after the clock is set back.
        try bench.handle(.clock, "0859")
        #expect(try bench.handle(.clock, "0900") == [])
    }

    // MARK: The service

    @Test("an alarm that waits for the end of quiet hours keeps its sound during a short outage of the bus")
    func shortOutage() throws {
        let bench = try Self.fired()
        bench.todos["milk"] = Self.hourly + ["DESCRIPTION:two litres"]
        #expect(try bench.handle(.changed(["milk"]), "0910") == ["show milk/Due 09:30|two litres replacing 7"])
        #expect(try bench.handle(.clock, "0930") == [])
        #expect(try bench.handle(.service(nil), "0931") == [])
        #expect(try bench.handle(.service("dunst"), "0932") == [])
        #expect(try bench.handle(.clock, "1000") == [Self.late + " 10:30|two litres replacing 7 with sound"])
    }

    @Test("in quiet hours the fallback is not used, and by day not for notifications that were shown")
    func quietFallback() throws {
        var settings = Self.quiet
        settings.hasFallback = true
        let bench = try Self.fired(Self.hourly, settings)
        try bench.restart("0905", service: nil)
        #expect(try bench.handle(.clock, "0906") == [])
        #expect(try bench.handle(.clock, "0930") == [])
        #expect(try bench.handle(.clock, "0931") == [])
        #expect(try bench.handle(.clock, "1000") == ["fallback milk"])
        settings.quietHours = nil
        let day = try Self.fired(Self.hourly, settings)
        try day.handle(.service(nil), "0905")
        day.todos["milk"] = Self.hourly + ["DESCRIPTION:two litres"]
        #expect(try day.handle(.changed(["milk"]), "0910") == [])
        #expect(try day.handle(.service("dunst"), "0911") == ["show milk/Due 09:30|two litres replacing 7"])
    }

    @Test("without a service there is no wake-up in quiet hours for a summary that cannot be shown")
    func noWakeUp() throws {
        var settings = Self.quiet
        settings.hasFallback = true
        let names = (1...6).map { "r\($0)" }
        let bench = Bench(named: names.map { ($0, ["DUE:20261121T083000Z"]) }, settings)
        try bench.start("0800")
        try bench.handle(.clock, "0840")
        try bench.shown(nil, 3, "0840")
        try bench.restart("0905", service: nil)
        try bench.handle(.clock, "0920")
        var wake = bench.wake
        try bench.handle(.clock, "0921")
        wake = bench.wake ?? wake
        #expect(wake == "20261121T100000Z")
    }

    @Test("an early answer does not count for the next notification with that number")
    func earlyAnswer() throws {
        let bench = Bench([
            "milk": [Bench.dueAtNine], "tea": [Bench.dueAtNine], "oil": ["DUE:20261121T091000Z"],
        ])
        try bench.start("0800")
        try bench.handle(.clock, "0900")
        bench.todos["milk"] = nil
        try bench.handle(.changed(["milk"]), "0900")
        #expect(try bench.handle(.closed(number: 5, .dismissed), "0900") == [])
        #expect(try bench.shown("milk", 5, "0900") == ["close 5"])
        try bench.handle(.closed(number: 5, .requested), "0900")
        try bench.shown("tea", 6, "0900")
        try bench.handle(.clock, "0910")
        #expect(try bench.shown("oil", 5, "0910") == [])
    }

    @Test("a click on a notification that is being replaced does not close the replacement")
    func clickedMeanwhile() throws {
        for number: UInt32 in [7, 8] {
            let bench = try Self.fired(Self.hourly, SchedulerSettings())
            #expect(try bench.handle(.clock, "0930") == ["show milk/Due 10:30 replacing 7 with sound"])
            #expect(try bench.handle(.invoked(number: 7, action: "default"), "0930") == ["open milk"])
            // With another number the old notification remains, and its button was pressed.
            #expect(try bench.shown("milk", number, "0930") == (number == 7 ? [] : ["close 7"]))
            #expect(bench.kept.slots["milk"]?.notification?.number == number)
        }
        let bench = try Self.fired(Self.hourly, SchedulerSettings())
        try bench.handle(.clock, "0930")
        try bench.handle(.invoked(number: 7, action: "complete"), "0930")
        #expect(try bench.handle(.notShown(token: bench.tokens["milk"] ?? 0), "0930") == ["close 7"])
    }
}
