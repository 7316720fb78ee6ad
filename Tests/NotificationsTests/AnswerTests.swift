import ICalendar
import Notifications
import Reminders
import Testing

@Suite("what a person does in a notification, and what a notification service does")
struct AnswerTests {
    static let nine = AlarmSchedulerTests.nine
    static let ring = AlarmSchedulerTests.ring

    // MARK: The person

    @Test(
        "put away is seen to, never completed; gone by itself is nothing",
        arguments: [
            (CloseReason.dismissed, ["write seen milk 20261121T090000Z"]), (.expired, []), (.requested, []),
            (.undefined, []),
        ]
    )
    func closed(_ end: CloseReason, _ lines: [String]) throws {
        let bench = try AlarmSchedulerTests.rung()
        #expect(try bench.tell(.closed(number: 7, end), "0905") == lines)
        #expect(bench.kept.slots == [:])
        #expect(try bench.tell(.closed(number: 7, end), "0906") == [])
        #expect(try bench.tell(.clock, "0907") == [])
    }

    @Test(
        "a button does what it says, once",
        arguments: [
            ("default", ["open milk", "close 7"]),
            ("complete", ["write complete milk", "close 7"]),
            ("snooze-300", ["write snooze milk 20261121T090500Z 20261121T091000Z", "close 7"]),
            ("snooze-900", ["write snooze milk 20261121T090500Z 20261121T092000Z", "close 7"]),
            ("snooze-1800", ["write snooze milk 20261121T090500Z 20261121T093500Z", "close 7"]),
            ("snooze-3600", ["write snooze milk 20261121T090500Z 20261121T100500Z", "close 7"]),
            ("snooze-999999999999999", []), ("delete", []), ("", []),
        ]
    )
    func invoked(_ key: String, _ lines: [String]) throws {
        let bench = try AlarmSchedulerTests.rung()
        #expect(try bench.tell(.invoked(number: 7, action: key), "0905") == lines)
        if !lines.isEmpty { #expect(try bench.tell(.invoked(number: 7, action: key), "0905") == []) }
        #expect(try bench.tell(.invoked(number: 8, action: key), "0905") == [])
    }

    @Test(
        "an alarm that was moved into what is to come while its notification stands is seen to up to now, and no other before it",
        arguments: [("", ["write seen milk 20261121T090500Z"]), ("default", ["open milk"])]
    )
    func movedWhileShown(_ action: String, _ lines: [String]) throws {
        let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
        try bench.start("0700")
        #expect(try bench.tell(.clock, "0800") == [Self.ring])
        try bench.shown("milk", 7, "0800")
        var settings = SchedulerSettings()
        settings.alarms = AlarmSettings(dayTime: ClockTime(secondsOfDay: 23 * 3600), notifiesWhenDue: true)
        try bench.tell(.settings(settings), "0900")
        let event: SchedulerEvent =
            action.isEmpty ? .closed(number: 7, .dismissed) : .invoked(number: 7, action: action)
        #expect(try bench.tell(event, "0905").prefix(1) == lines[...])
        guard case .open(_, let seen?)? = bench.effects.last(where: { if case .open = $0 { true } else { false } })
        else { return }
        #expect(try bench.tell(.opened(seen: seen), "0906") == ["write seen milk 20261121T090500Z"])
    }

    @Test("a click is seen when something has opened, and not before")
    func openedByClick() throws {
        let bench = try AlarmSchedulerTests.rung()
        try bench.tell(.invoked(number: 7, action: "default"), "0905")
        #expect(bench.kept.actions == [:])
        // Where nothing opens there is no answer, and the alarm stays unseen.
        #expect(try bench.tell(.clock, "0906") == [])
        #expect(bench.kept.actions == [:])
        let seen = PendingAction.acknowledge(reminder: "milk", occurrence: nil, upTo: at("0900"))
        #expect(try bench.tell(.opened(seen: seen), "0907") == ["write seen milk 20261121T090000Z"])
    }

    @Test("what is done to an occurrence names it")
    func occurrence() throws {
        let bench = try AlarmSchedulerTests.rung([Self.nine, "RRULE:FREQ=DAILY"])
        try bench.tell(.clock, "20261122T090000Z")
        try bench.shown("milk", 7, "20261122T090000Z")
        let lines = try bench.tell(.invoked(number: 7, action: "complete"), "20261122T090100Z")
        #expect(lines == ["write complete milk@20261122T090000Z", "close 7"])
    }

    @Test("a action that cannot be written is tried again, later and later, also after a kill, and given up in the end")
    func notWritten() throws {
        let bench = try AlarmSchedulerTests.rung()
        let action = "write complete milk"
        #expect(try bench.tell(.invoked(number: 7, action: "complete"), "0905") == [action, "close 7"])
        #expect(try bench.tell(.notWritten(action: 1, forGood: false), "0905") == [])
        #expect(bench.wake == "20261121T090501Z")
        #expect(try bench.tell(.clock, "090501") == [action])
        #expect(try bench.tell(.notWritten(action: 1, forGood: false), "090501") == [])
        #expect(bench.wake == "20261121T090503Z")
        #expect(try bench.restart("0910") == [action, "close 7"])
        for _ in 1..<SchedulerLimits.maximumTries {
            #expect(try bench.tell(.notWritten(action: 1, forGood: false), "0910") == [])
        }
        #expect(try bench.tell(.notWritten(action: 1, forGood: false), "0910") == ["gave up complete milk"])
        #expect(bench.kept.actions == [:])
    }

    @Test("a action that can never be written is given up at once, and holds nothing back")
    func neverWritten() throws {
        let bench = try AlarmSchedulerTests.rung([Self.nine, "RRULE:FREQ=HOURLY"])
        let action = "complete milk@20261121T090000Z"
        #expect(try bench.tell(.invoked(number: 7, action: "complete"), "0905") == ["write \(action)", "close 7"])
        #expect(try bench.tell(.notWritten(action: 1, forGood: true), "0905") == ["gave up \(action)"])
        #expect(bench.kept.actions == [:])
        #expect(try bench.tell(.clock, "1000") == [AlarmSchedulerTests.ring])
    }

    @Test("what was seen to and is not written yet holds back only what it is about")
    func seenAndNotWritten() throws {
        let bench = try AlarmSchedulerTests.rung([Self.nine, "RRULE:FREQ=HOURLY"])
        let first = "20261121T090000Z"
        #expect(try bench.tell(.closed(number: 7, .dismissed), "0905") == ["write seen milk@\(first) \(first)"])
        #expect(try bench.tell(.notWritten(action: 1, forGood: false), "0905") == [])
        #expect(try bench.tell(.clock, "1000").last == AlarmSchedulerTests.ring)
        #expect(bench.kept.actions.count == 1)
    }

    @Test("what a person does is written before the reminder is shown again")
    func writtenFirst() throws {
        let bench = try AlarmSchedulerTests.rung([Self.nine, "RRULE:FREQ=DAILY"])
        let next = "20261122T090000Z"
        try bench.tell(.clock, next)
        try bench.tell(.notShown(token: try #require(bench.tokens["milk"])), next)
        let done = ["write complete milk@20261121T090000Z", "close 7"]
        #expect(try bench.tell(.invoked(number: 7, action: "complete"), next) == done)
        #expect(try bench.tell(.clock, "20261122T090001Z") == [])
        #expect(bench.wake == nil || bench.wake == "20261123T090000Z")
        #expect(try bench.tell(.written(action: 1), "20261122T090001Z") == [AlarmSchedulerTests.ring])
    }

    @Test("a action that is written is forgotten")
    func written() throws {
        let bench = try AlarmSchedulerTests.rung()
        try bench.tell(.invoked(number: 7, action: "complete"), "0905")
        #expect(bench.kept.actions.count == 1)
        #expect(try bench.tell(.written(action: 1), "0905") == [])
        #expect(bench.kept.actions == [:])
        #expect(try bench.tell(.written(action: 1), "0905") == [])
    }

    @Test("a summary that is put away writes nothing to anybody")
    func summary() throws {
        let todos = (1...6).map { ("r\($0)", [Self.nine]) }
        let bench = Bench(named: todos)
        try bench.start("0800")
        try bench.tell(.clock, "1000")
        try bench.shown(nil, 3, "1000")
        #expect(try bench.tell(.invoked(number: 3, action: "complete"), "1001") == [])
        #expect(try bench.tell(.closed(number: 3, .dismissed), "1001") == [])
        #expect(bench.kept.slots == [:] && bench.kept.summary == nil)
    }

    @Test("a notification that is put away while the next alarm is on its way does not take that with it")
    func closedMeanwhile() throws {
        let bench = try AlarmSchedulerTests.rung([Self.nine, "RRULE:FREQ=DAILY"])
        let next = "20261122T090000Z"
        #expect(try bench.tell(.clock, next) == ["show milk/Time for your reminder! for 7 aloud"])
        let first = "20261121T090000Z"
        #expect(try bench.tell(.closed(number: 7, .dismissed), next) == ["write seen milk@\(first) \(first)"])
        #expect(try bench.shown("milk", 8, next) == [])
        #expect(try bench.tell(.closed(number: 8, .dismissed), next) == ["write seen milk@\(next) \(next)"])
    }

    // MARK: The service

    @Test("without a service it waits, and shows what it could not when there is one")
    func late() throws {
        let bench = Bench(["milk": [Self.nine]])
        try bench.start("0800", service: nil)
        #expect(try bench.tell(.clock, "0900") == [])
        #expect(bench.wake == nil)
        #expect(try bench.tell(.service("dunst"), "090030") == [Self.ring])
    }

    @Test("where there is another way, it is taken after ten seconds without a service")
    func elsewhere() throws {
        var settings = SchedulerSettings()
        settings.hasFallback = true
        let bench = Bench(["milk": [Self.nine], "tea": [Self.nine]], settings)
        try bench.start("085955", service: nil)
        #expect(try bench.tell(.clock, "0900") == [])
        #expect(bench.wake == "20261121T090005Z")
        #expect(try bench.tell(.clock, "090005") == ["tell milk", "tell tea"])
        #expect(bench.kept.slots.count == 2)
        for name: ReminderID in ["milk", "tea"] {
            #expect(try bench.tell(.deliveredByFallback(token: bench.tokens[name] ?? 0), "090005") == [])
        }
        #expect(bench.kept.slots == [:])
        #expect(try bench.tell(.service("dunst"), "0910") == [])
        #expect(try bench.tell(.service(nil), "0911") == [])
    }

    @Test("what could not be told in another way is told again, later and after a kill too")
    func notToldElsewhere() throws {
        var settings = SchedulerSettings()
        settings.hasFallback = true
        let names = (1...6).map { "r\($0)" }
        for (todos, line) in [(["milk"], "tell milk"), (names, "tell You missed 6 reminders")] {
            let bench = Bench(named: todos.map { ($0, [Self.nine]) }, settings)
            try bench.start("0859", service: nil)
            #expect(try bench.tell(.clock, "0910") == [line])
            let token = { bench.tokens[todos.count == 1 ? "milk" : nil] ?? 0 }
            #expect(try bench.tell(.notShown(token: token()), "0910") == [])
            #expect(bench.wake == "20261121T091001Z")
            #expect(try bench.tell(.clock, "091001") == [line])
            try bench.restart("0920", service: nil)
            #expect(try bench.tell(.clock, "092010") == [line])
            #expect(try bench.tell(.deliveredByFallback(token: token()), "092010") == [])
            #expect(bench.kept.slots == [:])
            #expect(try bench.tell(.clock, "0930") == [])
        }
    }

    @Test("another run of the service has to show everything again, in silence; the same one nothing")
    func restarted() throws {
        let bench = try AlarmSchedulerTests.rung()
        #expect(try bench.tell(.service(nil), "0905") == [])
        #expect(try bench.tell(.service("dunst"), "0906") == ["show milk/Time for your reminder! for 7"])
        try bench.shown("milk", 7, "0906")
        #expect(try bench.tell(.service("another"), "0907") == ["show milk/Time for your reminder!"])
        try bench.shown("milk", 1, "0907")
        #expect(try bench.tell(.closed(number: 1, .dismissed), "0908") == ["write seen milk 20261121T090000Z"])
    }

    @Test("a service that fails is asked again after 1, 2, 4 seconds, and never more seldom than each five minutes")
    func failing() throws {
        let bench = Bench(["milk": [Self.nine]])
        try bench.start("0800")
        #expect(try bench.tell(.clock, "0900") == [Self.ring])
        var now = at("0900")
        for pause in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            #expect(try bench.tell(.notShown(token: try #require(bench.tokens["milk"])), now.wire) == [])
            now = now.adding(seconds: pause)
            #expect(bench.wake == now.wire)
            #expect(try bench.tell(.clock, now.adding(seconds: -1).wire) == [])
            #expect(try bench.tell(.clock, now.wire).count == 1)
        }
        try bench.shown("milk", 7, now.wire)
        #expect(bench.kept.slots["milk"]?.notification?.number == 7)
    }

    @Test("answers may come in any order, twice, or for what nobody asked")
    func unordered() throws {
        let bench = Bench(["milk": [Self.nine], "tea": [Self.nine]])
        try bench.start("0800")
        try bench.tell(.clock, "0900")
        #expect(try bench.tell(.closed(number: 4, .dismissed), "0900") == [])
        #expect(try bench.tell(.invoked(number: 5, action: "complete"), "0900") == [])
        #expect(try bench.tell(.closed(number: 5, .expired), "0900") == [])
        #expect(try bench.shown("tea", 4, "0900") == ["write seen tea 20261121T090000Z"])
        #expect(try bench.shown("milk", 5, "0900") == ["write complete milk", "close 5"])
        #expect(try bench.shown("milk", 5, "0900") == ["close 5"])
        #expect(try bench.tell(.shown(token: 99, number: 6), "0900") == ["close 6"])
        #expect(try bench.tell(.notShown(token: 99), "0900") == [])
        for number: UInt32 in 100..<10_000 { try bench.tell(.closed(number: number, .dismissed), "0900") }
        #expect(bench.kept.slots == [:])
    }

    @Test("what is over before its notification has a number is closed when it has one")
    func closedLate() throws {
        let bench = Bench(["milk": [Self.nine]])
        try bench.start("0800")
        try bench.tell(.clock, "0900")
        bench.todos["milk"] = nil
        #expect(try bench.tell(.changed(["milk"]), "0900") == [])
        #expect(try bench.shown("milk", 7, "0900") == ["close 7"])
        // Killed before the service has heard of it.
        #expect(try bench.restart("0901") == ["close 7"])
        #expect(try bench.tell(.closed(number: 7, .requested), "0901") == [])
        #expect(try bench.restart("0902") == [])
    }

    @Test("after a kill what was on the screen is there again, in its place")
    func inPlace() throws {
        let bench = try AlarmSchedulerTests.rung()
        #expect(try bench.restart("0902") == ["show milk/Time for your reminder! for 7"])
        #expect(try bench.restart("0902", service: "another") == ["show milk/Time for your reminder!"])
    }

    // MARK: Breaking off

    /// A morning: two reminders ring, one is dismissed, the other completed in its notification.
    private static func morning(breakingAt place: Int, after effects: Int) throws -> (Bench, [String]) {
        let bench = Bench(["milk": [nine], "tea": ["DUE:20261121T091000Z"]])
        var number: UInt32 = 0
        var lines: [String] = []
        var count = 0
        /// Tells it something, and everything that follows; breaks off where it is to.
        func tell(_ event: SchedulerEvent, _ now: String) throws {
            var events = [event]
            while !events.isEmpty {
                let next = events.removeFirst()
                count += 1
                bench.breaksOffAfter = count == place ? effects : nil
                try bench.tell(next, now)
                let shown = bench.effects.prefix(bench.breaksOffAfter ?? bench.effects.count)
                for effect in shown {
                    switch effect {
                    case .show(let notification):
                        if notification.replaces == nil { number += 1 }
                        lines.append(
                            "show \(notification.reminder?.name ?? "")\(notification.replaces == nil ? "" : " in place")"
                        )
                        events.append(
                            .shown(token: notification.token, number: notification.replaces?.number ?? number)
                        )
                    case .write(let number, let action):
                        if case .acknowledge(let reminder, _, _) = action {
                            lines.append("acknowledge \(reminder.name)")
                        }
                        if case .complete(let reminder, _) = action {
                            bench.todos[reminder] = [nine, "STATUS:COMPLETED"]
                            events.append(.changed([reminder]))
                        }
                        events.append(.written(action: number))
                    default: break
                    }
                }
                if count == place {
                    count = .max / 2
                    bench.breaksOffAfter = nil
                    bench.scheduler = AlarmScheduler(records: bench.kept, settings: bench.scheduler.settings)
                    events = [.started(reminders: ["milk", "tea"], local: "Europe/Berlin"), .service("dunst")]
                }
            }
        }
        try tell(.started(reminders: ["milk", "tea"], local: "Europe/Berlin"), "0800")
        try tell(.service("dunst"), "0800")
        try tell(.clock, "0900")
        try tell(.clock, "0910")
        // A click that nobody kept is none: the notification is still there, for another.
        for _ in 0..<2 {
            guard let notification = bench.kept.slots["milk"]?.notification else { continue }
            try tell(.invoked(number: notification.number, action: "complete"), "0915")
        }
        for _ in 0..<2 {
            guard let notification = bench.kept.slots["tea"]?.notification else { continue }
            try tell(.closed(number: notification.number, .dismissed), "0916")
        }
        try tell(.clock, "0920")
        return (bench, lines)
    }

    @Test("killed after any effect of any event, nothing is lost, nothing rings twice, and what was done is done")
    func killed() throws {
        for event in 1...24 {
            for effects in 0...4 {
                let (bench, lines) = try Self.morning(breakingAt: event, after: effects)
                let comment: Comment = "event \(event), \(effects) effects: \(lines)"
                for reminder: ReminderID in ["milk", "tea"] {
                    // Once; a second time only when nobody can know whether it was shown, or in its place.
                    let fresh = lines.count { $0 == "show \(reminder.name)" }
                    #expect((1...2).contains(fresh), comment)
                    #expect(bench.kept.delivered[reminder]?.count == 1, comment)
                }
                #expect(lines.count { $0 == "show milk" || $0 == "show tea" } <= 3, comment)
                #expect(bench.todos["milk"]?.contains("STATUS:COMPLETED") == true, comment)
                #expect(lines.contains("acknowledge tea"), comment)
                #expect(bench.kept.slots == [:] && bench.kept.actions == [:], comment)
            }
        }
    }
}
