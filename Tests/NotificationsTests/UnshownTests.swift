import ICalendar
import Notifications
import Reminders
import Testing

@Suite("what was told and is not shown yet, and what is shown instead")
struct UnshownTests {
    /// Rings at half past eight, half past nine and half past ten.
    static let hourly = ["DUE:20261121T083000Z", "RRULE:FREQ=HOURLY;COUNT=3"]
    static let ring = AlarmSchedulerTests.ring
    static let late = "show milk/Missed: 2026-11-21"

    /// Nothing rings from nine to ten: ten to eleven in Berlin.
    private static var quiet: SchedulerSettings {
        var settings = SchedulerSettings()
        settings.quietHours = QuietHours(from: ClockTime(secondsOfDay: 36_000), to: ClockTime(secondsOfDay: 39_600))
        return settings
    }

    /// It has rung at half past eight, and has notification 7.
    private static func rung(_ lines: [String] = hourly, _ settings: SchedulerSettings = quiet) throws -> Bench {
        let bench = Bench(["milk": lines], settings)
        try bench.start("0800")
        try bench.tell(.clock, "0830")
        try bench.shown("milk", 7, "0830")
        return bench
    }

    // MARK: How many

    @Test("what could not be shown is counted, apart from what is on its way, and from what somebody else is told of")
    func counts() throws {
        func counts(_ bench: Bench) -> [Int] { [bench.scheduler.unshownCount, bench.scheduler.showingCount] }
        let bench = Bench([
            "milk": [AlarmSchedulerTests.nine], "bread": [AlarmSchedulerTests.nine], "later": ["DUE:20261121T100000Z"],
        ])
        try bench.start("0800")
        #expect(counts(bench) == [0, 0])
        try bench.tell(.clock, "0900")
        #expect(counts(bench) == [0, 2], "asked, and not answered")
        try bench.shown("bread", 7, "0900")
        try bench.tell(.notShown(token: try #require(bench.tokens["milk"])), "0900")
        #expect(counts(bench) == [1, 1])
        #expect(try bench.tell(.clock, "090001") == [AlarmSchedulerTests.ring])
        #expect(counts(bench) == [1, 1], "it is tried again, and has not been shown yet")
        try bench.shown("milk", 8, "090001")
        #expect(counts(bench) == [0, 0])
        // What was on the screen was shown.
        try bench.tell(.service(nil), "0930")
        #expect(counts(bench) == [0, 0])
        try bench.tell(.clock, "1000")
        #expect(counts(bench) == [1, 1])
        try bench.tell(.service("mako"), "1001")
        #expect(counts(bench) == [0, 3])

        var elsewhere = SchedulerSettings()
        elsewhere.hasFallback = true
        let told = Bench(["milk": [AlarmSchedulerTests.nine]], elsewhere)
        try told.start("0800", service: nil)
        try told.tell(.clock, "0900")
        #expect(counts(told) == [0, 1])
        try told.tell(.clock, "090010")
        try told.tell(.notShown(token: try #require(told.tokens["milk"])), "090010")
        #expect(counts(told) == [1, 1], "the program could not be told")
    }

    @Test("each reminder of a summary that could not be shown counts")
    func countsOfSummary() throws {
        let todos = (0..<20).map { ("t\($0)", [AlarmSchedulerTests.nine]) }
        let bench = Bench(named: todos)
        try bench.start("0800")
        try bench.tell(.clock, "0900")
        #expect(bench.scheduler.unshownCount == 0 && bench.scheduler.showingCount == 20)
        try bench.tell(.notShown(token: try #require(bench.tokens[nil])), "0900")
        #expect(bench.scheduler.unshownCount == 20)
        try bench.tell(.clock, "090001")
        try bench.shown(nil, 7, "090001")
        #expect(bench.scheduler.unshownCount == 0 && bench.scheduler.showingCount == 0)
    }

    // MARK: Changes

    @Test("an occurrence that is over loses its notification, also when a later one waits for the end of quiet hours")
    func over() throws {
        let bench = try Self.rung()
        #expect(try bench.tell(.clock, "0930") == [])
        bench.todos["milk"] = Self.hourly + ["EXDATE:20261121T083000Z"]
        #expect(try bench.tell(.changed(["milk"]), "0935") == ["close 7"])
        #expect(bench.kept.slots["milk"]?.notification == nil)
        #expect(try bench.tell(.clock, "1000") == [Self.late + " 10:30|Time for your reminder! aloud"])
    }

    @Test("an occurrence that is over takes none with it that was not shown")
    func overUnshown() throws {
        let bench = Bench(["milk": Self.hourly])
        try bench.start("0800", service: nil)
        try bench.tell(.clock, "0830")
        try bench.tell(.clock, "0930")
        bench.todos["milk"] = Self.hourly + ["EXDATE:20261121T093000Z"]
        #expect(try bench.tell(.changed(["milk"]), "0935") == [])
        #expect(try bench.tell(.service("dunst"), "0936") == [Self.late + " 09:30|Time for your reminder! aloud"])
    }

    @Test("what becomes due between being written and being looked at rings, once")
    func since() throws {
        let bench = Bench()
        try bench.start("0800")
        bench.todos["milk"] = [AlarmSchedulerTests.nine]
        #expect(try bench.tell(.changed(["milk"], since: at("090000")), "090001") == [])
        #expect(try bench.tell(.changed(["milk"], since: at("085959")), "090001") == [Self.ring])
        try bench.shown("milk", 7, "090001")
        #expect(try bench.tell(.changed(["milk"], since: at("085959")), "090002") == [])
        // Nor does what was told so long ago that nobody remembers it.
        #expect(try bench.tell(.clock, "20261125T090000Z") == [])
        #expect(try bench.tell(.changed(["milk"], since: at("0800")), "20261125T090000Z") == [])
        #expect(try bench.tell(.changed(["milk"], since: at("20261130T080000Z")), "20261125T090000Z") == [])
    }

    // MARK: Clocks

    @Test(
        "a notification that went with its service is there again after the night, though a clock was put back meanwhile"
    )
    func heldAndPutBack() throws {
        let bench = try Self.rung()
        try bench.tell(.service(nil), "0905")
        try bench.tell(.service("another"), "0906")
        #expect(try bench.tell(.clock, "0930") == [])
        #expect(try bench.tell(.clock, "0920") == [])
        #expect(bench.scheduler.pendingCount == 1)
        #expect(try bench.tell(.clock, "0930") == [])
        #expect(try bench.tell(.clock, "1000") == [Self.late + " 10:30|Time for your reminder! aloud"])
    }

    @Test("what was shown long after it was told does not ring again on a clock that is put back by hours")
    func shownLate() throws {
        let bench = Bench(["milk": [AlarmSchedulerTests.nine]])
        try bench.start("0800", service: nil)
        try bench.tell(.clock, "0900")
        try bench.tell(.clock, "20261123T210000Z")
        try bench.tell(.clock, "20261122T090000Z")
        #expect(try bench.tell(.service("dunst"), "20261122T090000Z").count == 1)
        try bench.shown("milk", 7, "20261122T090000Z")
        try bench.tell(.clock, "0800")
        #expect(try bench.tell(.clock, "0900") == [])
    }

    @Test("a clock that is put back twice takes back what was not shown, and not what was")
    func twice() throws {
        let bench = try AlarmSchedulerTests.rung()
        try bench.tell(.clock, "0830")
        try bench.tell(.service(nil), "0831")
        let alarms = ["-PT15M", "PT0S"].flatMap {
            ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:\($0)", "END:VALARM"]
        }
        bench.todos["milk"] = [AlarmSchedulerTests.nine] + alarms
        try bench.tell(.changed(["milk"]), "0832")
        #expect(try bench.tell(.clock, "0845") == [])
        try bench.tell(.clock, "0840")
        // The notification of nine o'clock is still there.
        #expect(try bench.tell(.service("dunst"), "0841").count <= 1)
        try bench.shown("milk", 7, "0841")
        #expect(try bench.tell(.clock, "0845") == ["show milk/Time for your reminder! for 7 aloud"])
        try bench.shown("milk", 7, "0845")
        #expect(try bench.tell(.clock, "0900") == [])
    }

    @Test("a clock that is put back has nobody looked up who rang before")
    func looks() throws {
        let hours = 10...30
        let bench = Bench(named: hours.map { ("r\($0)", ["DUE:20261125T\($0)0000Z"]) })
        bench.todos["milk"] = [AlarmSchedulerTests.nine]
        try bench.start("0800")
        try bench.tell(.clock, "0900")
        try bench.shown("milk", 7, "0900")
        bench.looks = 0
        try bench.tell(.clock, "0859")
        #expect(bench.looks <= 2)
        #expect(bench.scheduler.nextAlarm == at("0900"))
    }

    @Test("a journey has only those looked up that hang on the clock on the wall")
    func journeyLooks() throws {
        let hours = 10...20
        let bench = Bench(named: hours.map { ("r\($0)", ["DUE:20261125T\($0)0000Z"]) })
        bench.todos["milk"] = ["DUE:20261121T100000"]
        bench.todos["tea"] = ["DUE;VALUE=DATE:20261122"]
        bench.todos["oil"] = ["DUE;TZID=Asia/Tokyo:20261121T200000"]
        try bench.start("0800")
        bench.looks = 0
        try bench.tell(.zoneChanged("Europe/Dublin"), "0800")
        #expect(bench.looks <= 6)
        #expect(bench.scheduler.nextAlarm == at("1000"))
    }

    // MARK: Summaries

    @Test("who puts a summary away has seen those that were on it, and not those that were to join")
    func joined() throws {
        let names = (1...6).map { "r\($0)" }
        let others = (1...6).map { "s\($0)" }
        let bench = Bench(named: names.map { ($0, [AlarmSchedulerTests.nine]) })
        for other in others.map(ReminderID.init(named:)) { bench.todos[other] = ["DUE:20261121T100100Z"] }
        try bench.start("0800")
        try bench.tell(.clock, "1000")
        #expect(try bench.tell(.clock, "1003") == [])
        #expect(try bench.shown(nil, 3, "1003").count == 1)
        #expect(try bench.tell(.notShown(token: bench.tokens[nil] ?? 0), "1003") == [])
        #expect(try bench.tell(.closed(number: 3, .dismissed), "1003") == [])
        #expect(bench.kept.slots.keys.sorted().map(\.name) == others)
        // Nor do they ring again where the clock is put back.
        try bench.tell(.clock, "0859")
        #expect(try bench.tell(.clock, "0900") == [])
    }

    // MARK: The service

    @Test("what waits for the end of quiet hours keeps its sound when the bus fails for a moment")
    func hiccup() throws {
        let bench = try Self.rung()
        bench.todos["milk"] = Self.hourly + ["DESCRIPTION:two litres"]
        #expect(try bench.tell(.changed(["milk"]), "0910") == ["show milk/two litres for 7"])
        #expect(try bench.tell(.clock, "0930") == [])
        #expect(try bench.tell(.service(nil), "0931") == [])
        #expect(try bench.tell(.service("dunst"), "0932") == [])
        #expect(try bench.tell(.clock, "1000") == [Self.late + " 10:30|two litres for 7 aloud"])
    }

    @Test("in quiet hours nothing is told in another way either, and by day not what was on the screen")
    func quietElsewhere() throws {
        var settings = Self.quiet
        settings.hasFallback = true
        let bench = try Self.rung(Self.hourly, settings)
        try bench.restart("0905", service: nil)
        #expect(try bench.tell(.clock, "0906") == [])
        #expect(try bench.tell(.clock, "0930") == [])
        #expect(try bench.tell(.clock, "0931") == [])
        #expect(try bench.tell(.clock, "1000") == ["tell milk"])
        settings.quietHours = nil
        let day = try Self.rung(Self.hourly, settings)
        try day.tell(.service(nil), "0905")
        day.todos["milk"] = Self.hourly + ["DESCRIPTION:two litres"]
        #expect(try day.tell(.changed(["milk"]), "0910") == [])
        #expect(try day.tell(.service("dunst"), "0911") == ["show milk/two litres for 7"])
    }

    @Test("without a service it is not woken in quiet hours, for a summary that cannot be shown")
    func sleepsWell() throws {
        var settings = Self.quiet
        settings.hasFallback = true
        let names = (1...6).map { "r\($0)" }
        let bench = Bench(named: names.map { ($0, ["DUE:20261121T083000Z"]) }, settings)
        try bench.start("0800")
        try bench.tell(.clock, "0840")
        try bench.shown(nil, 3, "0840")
        try bench.restart("0905", service: nil)
        try bench.tell(.clock, "0920")
        var wake = bench.wake
        try bench.tell(.clock, "0921")
        wake = bench.wake ?? wake
        #expect(wake == "20261121T100000Z")
    }

    @Test("an answer that came too early is no answer to the next notification of that number")
    func earlyAnswer() throws {
        let bench = Bench([
            "milk": [AlarmSchedulerTests.nine], "tea": [AlarmSchedulerTests.nine], "oil": ["DUE:20261121T091000Z"],
        ])
        try bench.start("0800")
        try bench.tell(.clock, "0900")
        bench.todos["milk"] = nil
        try bench.tell(.changed(["milk"]), "0900")
        #expect(try bench.tell(.closed(number: 5, .dismissed), "0900") == [])
        #expect(try bench.shown("milk", 5, "0900") == ["close 5"])
        try bench.tell(.closed(number: 5, .requested), "0900")
        try bench.shown("tea", 6, "0900")
        try bench.tell(.clock, "0910")
        #expect(try bench.shown("oil", 5, "0910") == [])
    }

    @Test("a click on a notification whose place another is taking does not close that")
    func clickedMeanwhile() throws {
        for number: UInt32 in [7, 8] {
            let bench = try Self.rung(Self.hourly, SchedulerSettings())
            #expect(try bench.tell(.clock, "0930") == ["show milk/Time for your reminder! for 7 aloud"])
            #expect(try bench.tell(.invoked(number: 7, action: "default"), "0930") == ["open milk"])
            // Under another number the old one is still there, with a button that somebody has pressed.
            #expect(try bench.shown("milk", number, "0930") == (number == 7 ? [] : ["close 7"]))
            #expect(bench.kept.slots["milk"]?.notification?.number == number)
        }
        let bench = try Self.rung(Self.hourly, SchedulerSettings())
        try bench.tell(.clock, "0930")
        try bench.tell(.invoked(number: 7, action: "complete"), "0930")
        #expect(try bench.tell(.notShown(token: bench.tokens["milk"] ?? 0), "0930") == ["close 7"])
    }
}
