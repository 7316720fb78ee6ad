import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import Testing

@Suite("answers of the user and of the notification service")
struct AnswerTests {
    // MARK: The user

    @Test(
        "a dismissed notification acknowledges its alarm and does not complete the reminder; an expired one has no effect",
        arguments: [
            (CloseReason.dismissed, ["write acknowledge milk 20261121T090000Z"]), (.expired, []), (.requested, []),
            (.undefined, []),
        ]
    )
    func closed(_ end: CloseReason, _ lines: [String]) throws {
        let bench = try Bench.fired()
        #expect(try bench.handle(.closed(number: 7, end), "0905") == lines)
        #expect(bench.kept.slots == [:])
        #expect(try bench.handle(.closed(number: 7, end), "0906") == [])
        #expect(try bench.handle(.clock, "0907") == [])
    }

    @Test(
        "a button executes its action once",
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
        let bench = try Bench.fired()
        #expect(try bench.handle(.invoked(number: 7, action: key), "0905") == lines)
        if !lines.isEmpty { #expect(try bench.handle(.invoked(number: 7, action: key), "0905") == []) }
        #expect(try bench.handle(.invoked(number: 8, action: key), "0905") == [])
    }

    @Test(
        "an alarm moved to the future while its notification is shown is acknowledged up to now, and so is no earlier one",
        arguments: [("", ["write acknowledge milk 20261121T090500Z"]), ("default", ["open milk"])]
    )
    func movedWhileShown(_ action: String, _ lines: [String]) throws {
        let bench = Bench(["milk": ["DUE;VALUE=DATE:20261121"]])
        try bench.start("0700")
        #expect(try bench.handle(.clock, "0800") == [Bench.milkShown(due: "2026-11-21")])
        try bench.shown("milk", 7, "0800")
        var settings = SchedulerSettings()
        settings.alarms = AlarmSettings(dayTime: ClockTime(secondsOfDay: 23 * 3600), notifiesWhenDue: true)
        try bench.handle(.settings(settings), "0900")
        let event: SchedulerEvent =
            action.isEmpty ? .closed(number: 7, .dismissed) : .invoked(number: 7, action: action)
        #expect(try bench.handle(event, "0905").prefix(1) == lines[...])
        guard case .open(_, let seen?)? = bench.effects.last(where: { if case .open = $0 { true } else { false } })
        else { return }
        #expect(try bench.handle(.opened(seen: seen), "0906") == ["write acknowledge milk 20261121T090500Z"])
    }

    @Test("a click acknowledges the alarm after a successful open, and not before")
    func openedByClick() throws {
        let bench = try Bench.fired()
        try bench.handle(.invoked(number: 7, action: "default"), "0905")
        #expect(bench.kept.actions == [:])
        // If nothing opens, no event follows, and the alarm stays unacknowledged.
        #expect(try bench.handle(.clock, "0906") == [])
        #expect(bench.kept.actions == [:])
        let seen = PendingAction("milk", occurrence: nil, .acknowledge(upTo: at("0900")))
        #expect(try bench.handle(.opened(seen: seen), "0907") == ["write acknowledge milk 20261121T090000Z"])
    }

    @Test("an action on an occurrence names it")
    func occurrence() throws {
        let bench = try Bench.fired([Bench.dueAtNine, "RRULE:FREQ=DAILY"])
        try bench.handle(.clock, "20261122T090000Z")
        try bench.shown("milk", 7, "20261122T090000Z")
        let lines = try bench.handle(.invoked(number: 7, action: "complete"), "20261122T090100Z")
        #expect(lines == ["write complete milk@20261122T090000Z", "close 7"])
    }

    @Test(
        "an action that cannot be written is repeated with growing delays, also after a kill, and abandoned in the end"
    )
    func notWritten() throws {
        let bench = try Bench.fired()
        let action = "write complete milk"
        #expect(try bench.handle(.invoked(number: 7, action: "complete"), "0905") == [action, "close 7"])
        #expect(try bench.handle(.notWritten(action: 1, forGood: false), "0905") == [])
        #expect(bench.wake == "20261121T090501Z")
        #expect(try bench.handle(.clock, "090501") == [action])
        #expect(try bench.handle(.notWritten(action: 1, forGood: false), "090501") == [])
        #expect(bench.wake == "20261121T090503Z")
        #expect(try bench.restart("0910") == [action, "close 7"])
        for _ in 1..<SchedulerLimits.maximumTries {
            #expect(try bench.handle(.notWritten(action: 1, forGood: false), "0910") == [])
        }
        #expect(try bench.handle(.notWritten(action: 1, forGood: false), "0910") == ["gave up complete milk"])
        #expect(bench.kept.actions == [:])
    }

    @Test("an action that can never be written is abandoned at once, and delays nothing")
    func neverWritten() throws {
        let bench = try Bench.fired([Bench.dueAtNine, "RRULE:FREQ=HOURLY"])
        let action = "complete milk@20261121T090000Z"
        #expect(try bench.handle(.invoked(number: 7, action: "complete"), "0905") == ["write \(action)", "close 7"])
        #expect(try bench.handle(.notWritten(action: 1, forGood: true), "0905") == ["gave up \(action)"])
        #expect(bench.kept.actions == [:])
        #expect(try bench.handle(.clock, "1000") == [Bench.milkShown(due: "11:00")])
    }

    @Test("an acknowledgement that is not written yet delays only its own alarm")
    func acknowledgedAndNotWritten() throws {
        let bench = try Bench.fired([Bench.dueAtNine, "RRULE:FREQ=HOURLY"])
        let first = "20261121T090000Z"
        #expect(
            try bench.handle(.closed(number: 7, .dismissed), "0905") == ["write acknowledge milk@\(first) \(first)"]
        )
        #expect(try bench.handle(.notWritten(action: 1, forGood: false), "0905") == [])
        #expect(try bench.handle(.clock, "1000").last == Bench.milkShown(due: "11:00"))
        #expect(bench.kept.actions.count == 1)
    }

    @Test("an action is written before the reminder is shown again")
    func writtenFirst() throws {
        let bench = try Bench.fired([Bench.dueAtNine, "RRULE:FREQ=DAILY"])
        let next = "20261122T090000Z"
        try bench.handle(.clock, next)
        try bench.handle(.notShown(token: try #require(bench.tokens["milk"])), next)
        let done = ["write complete milk@20261121T090000Z", "close 7"]
        #expect(try bench.handle(.invoked(number: 7, action: "complete"), next) == done)
        #expect(try bench.handle(.clock, "20261122T090001Z") == [])
        #expect(bench.wake == nil || bench.wake == "20261123T090000Z")
        #expect(try bench.handle(.written(action: 1), "20261122T090001Z") == [Bench.milkShown])
    }

    @Test("a written action is removed")
    func written() throws {
        let bench = try Bench.fired()
        try bench.handle(.invoked(number: 7, action: "complete"), "0905")
        #expect(bench.kept.actions.count == 1)
        #expect(try bench.handle(.written(action: 1), "0905") == [])
        #expect(bench.kept.actions == [:])
        #expect(try bench.handle(.written(action: 1), "0905") == [])
    }

    @Test("a dismissed summary writes nothing")
    func summary() throws {
        let todos = (1...6).map { ("r\($0)", [Bench.dueAtNine]) }
        let bench = Bench(named: todos)
        try bench.start("0800")
        try bench.handle(.clock, "1000")
        try bench.shown(nil, 3, "1000")
        #expect(try bench.handle(.invoked(number: 3, action: "complete"), "1001") == [])
        #expect(try bench.handle(.closed(number: 3, .dismissed), "1001") == [])
        #expect(bench.kept.slots == [:] && bench.kept.summary == nil)
    }

    @Test("a summary snoozes all its reminders, or shows those for today and acknowledges none")
    func summaryActions() throws {
        for (key, lines) in [
            ("snooze-3600", (1...6).map { "write snooze r\($0) 20261121T100100Z 20261121T110100Z" }),
            ("default", ["open what is due"]),
        ] {
            let bench = Bench(named: (1...6).map { ("r\($0)", [Bench.dueAtNine]) })
            try bench.start("0800")
            try bench.handle(.clock, "1000")
            #expect(bench.notifications.last?.actions.map(\.label) == ["Show", "Snooze all 1 hour"])
            try bench.shown(nil, 3, "1000")
            #expect(try bench.handle(.invoked(number: 3, action: key), "1001") == lines + ["close 3"])
            #expect(bench.kept.slots == [:] && bench.kept.summary == nil)
        }
    }

    @Test("a summary of too many reminders has no button that edits them all")
    func hugeSummary() throws {
        for (count, keys) in [(100, ["default", "snooze-3600"]), (101, ["default"])] {
            let bench = Bench(named: (1...count).map { ("r\($0)", [Bench.dueAtNine]) })
            try bench.start("0800")
            try bench.handle(.clock, "0900")
            #expect(bench.notifications.last?.actions.map(\.key) == keys)
        }
    }

    @Test("dismissing a notification does not affect the next alarm of the reminder, which is being shown")
    func closedMeanwhile() throws {
        let bench = try Bench.fired([Bench.dueAtNine, "RRULE:FREQ=DAILY"])
        let next = "20261122T090000Z"
        #expect(try bench.handle(.clock, next) == ["show milk/Due 10:00 replacing 7 with sound"])
        let first = "20261121T090000Z"
        #expect(try bench.handle(.closed(number: 7, .dismissed), next) == ["write acknowledge milk@\(first) \(first)"])
        #expect(try bench.shown("milk", 8, next) == [])
        #expect(try bench.handle(.closed(number: 8, .dismissed), next) == ["write acknowledge milk@\(next) \(next)"])
    }

    // MARK: The service

    @Test("without a service alarms wait, and are shown when a service appears")
    func late() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        try bench.start("0800", service: nil)
        #expect(try bench.handle(.clock, "0900") == [])
        #expect(bench.wake == nil)
        #expect(try bench.handle(.service("dunst"), "090030") == [Bench.milkShown])
    }

    @Test("a fallback is used after ten seconds without a service")
    func fallback() throws {
        var settings = SchedulerSettings()
        settings.hasFallback = true
        let bench = Bench(["milk": [Bench.dueAtNine], "tea": [Bench.dueAtNine]], settings)
        try bench.start("085955", service: nil)
        #expect(try bench.handle(.clock, "0900") == [])
        #expect(bench.wake == "20261121T090005Z")
        #expect(try bench.handle(.clock, "090005") == ["fallback milk", "fallback tea"])
        #expect(bench.kept.slots.count == 2)
        for name: ReminderID in ["milk", "tea"] {
            #expect(try bench.handle(.deliveredByFallback(token: bench.tokens[name] ?? 0), "090005") == [])
        }
        #expect(bench.kept.slots == [:])
        #expect(try bench.handle(.service("dunst"), "0910") == [])
        #expect(try bench.handle(.service(nil), "0911") == [])
    }

    @Test("if no service can appear, the fallback is used at once, also after each start")
    func fallbackAlone() throws {
        var settings = SchedulerSettings()
        (settings.hasFallback, settings.expectsService) = (true, false)
        let bench = Bench(["milk": [Bench.dueAtNine]], settings)
        #expect(try bench.start("085955", service: nil) == [])
        #expect(bench.wake == "20261121T090000Z")
        #expect(try bench.handle(.clock, "0900") == ["fallback milk"])
        // The process ended before its message was sent.
        #expect(try bench.restart("0901", service: nil) == ["fallback milk"])
        #expect(try bench.handle(.deliveredByFallback(token: bench.tokens["milk"] ?? 0), "0901") == [])
        #expect(try bench.restart("0902", service: nil) == [])
    }

    @Test("a failed fallback is repeated later, also after a kill")
    func failedFallback() throws {
        var settings = SchedulerSettings()
        settings.hasFallback = true
        let names = (1...6).map { "r\($0)" }
        for (todos, line) in [(["milk"], "fallback milk"), (names, "fallback You missed 6 reminders")] {
            let bench = Bench(named: todos.map { ($0, [Bench.dueAtNine]) }, settings)
            try bench.start("0859", service: nil)
            #expect(try bench.handle(.clock, "0910") == [line])
            let token = { bench.tokens[todos.count == 1 ? "milk" : nil] ?? 0 }
            #expect(try bench.handle(.notShown(token: token()), "0910") == [])
            #expect(bench.wake == "20261121T091001Z")
            #expect(try bench.handle(.clock, "091001") == [line])
            try bench.restart("0920", service: nil)
            #expect(try bench.handle(.clock, "092010") == [line])
            #expect(try bench.handle(.deliveredByFallback(token: token()), "092010") == [])
            #expect(bench.kept.slots == [:])
            #expect(try bench.handle(.clock, "0930") == [])
        }
    }

    @Test("a restarted service shows everything again without a sound; the same one shows nothing again")
    func restarted() throws {
        let bench = try Bench.fired()
        #expect(try bench.handle(.service(nil), "0905") == [])
        #expect(try bench.handle(.service("dunst"), "0906") == ["show milk/Due 10:00 replacing 7"])
        try bench.shown("milk", 7, "0906")
        #expect(try bench.handle(.service("another"), "0907") == ["show milk/Due 10:00"])
        try bench.shown("milk", 1, "0907")
        #expect(try bench.handle(.closed(number: 1, .dismissed), "0908") == ["write acknowledge milk 20261121T090000Z"])
    }

    @Test("a service that fails is called again after 1, 2, 4 seconds, and at least every five minutes")
    func failing() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        try bench.start("0800")
        #expect(try bench.handle(.clock, "0900") == [Bench.milkShown])
        var now = at("0900")
        for pause in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            #expect(try bench.handle(.notShown(token: try #require(bench.tokens["milk"])), now.wire) == [])
            now = now.adding(seconds: pause)
            #expect(bench.wake == now.wire)
            #expect(try bench.handle(.clock, now.adding(seconds: -1).wire) == [])
            #expect(try bench.handle(.clock, now.wire).count == 1)
        }
        try bench.shown("milk", 7, now.wire)
        #expect(bench.kept.slots["milk"]?.notification?.number == 7)
    }

    @Test("answers may come in any order, twice, or without a request")
    func unordered() throws {
        let bench = Bench(["milk": [Bench.dueAtNine], "tea": [Bench.dueAtNine]])
        try bench.start("0800")
        try bench.handle(.clock, "0900")
        #expect(try bench.handle(.closed(number: 4, .dismissed), "0900") == [])
        #expect(try bench.handle(.invoked(number: 5, action: "complete"), "0900") == [])
        #expect(try bench.handle(.closed(number: 5, .expired), "0900") == [])
        #expect(try bench.shown("tea", 4, "0900") == ["write acknowledge tea 20261121T090000Z"])
        #expect(try bench.shown("milk", 5, "0900") == ["write complete milk", "close 5"])
        #expect(try bench.shown("milk", 5, "0900") == ["close 5"])
        #expect(try bench.handle(.shown(token: 99, number: 6), "0900") == ["close 6"])
        #expect(try bench.handle(.notShown(token: 99), "0900") == [])
        for number: UInt32 in 100..<10_000 { try bench.handle(.closed(number: number, .dismissed), "0900") }
        #expect(bench.kept.slots == [:])
    }

    @Test("a notification that ended before it got a number is closed when it gets one")
    func closedLate() throws {
        let bench = Bench(["milk": [Bench.dueAtNine]])
        try bench.start("0800")
        try bench.handle(.clock, "0900")
        bench.todos["milk"] = nil
        #expect(try bench.handle(.changed(["milk"]), "0900") == [])
        #expect(try bench.shown("milk", 7, "0900") == ["close 7"])
        // Killed before the service received the request to close it.
        #expect(try bench.restart("0901") == ["close 7"])
        #expect(try bench.handle(.closed(number: 7, .requested), "0901") == [])
        #expect(try bench.restart("0902") == [])
    }

    @Test("after a kill the shown notifications are shown again, each in its place")
    func inPlace() throws {
        let bench = try Bench.fired()
        #expect(try bench.restart("0902") == ["show milk/Due 10:00 replacing 7"])
        #expect(try bench.restart("0902", service: "another") == ["show milk/Due 10:00"])
    }

    // MARK: Kills

    /// Two reminders fire.
    ///
    /// One is dismissed, and the other one is completed in its notification. The program is killed after the given
    /// number of effects of one event.
    private static func morning(breakingAt place: Int, after effects: Int) throws -> (Bench, [String]) {
        let bench = Bench(["milk": [Bench.dueAtNine], "tea": ["DUE:20261121T091000Z"]])
        var number: UInt32 = 0
        var lines: [String] = []
        var count = 0
        /// Handles an event and all events that follow from it, and simulates the kill at its place.
        func handle(_ event: SchedulerEvent, _ now: String) throws {
            var events = [event]
            while !events.isEmpty {
                let next = events.removeFirst()
                count += 1
                bench.breaksOffAfter = count == place ? effects : nil
                try bench.handle(next, now)
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
                        if case .acknowledge = action.effect { lines.append("acknowledge \(action.reminder.name)") }
                        if action.effect == .complete {
                            bench.todos[action.reminder] = [Bench.dueAtNine, "STATUS:COMPLETED"]
                            events.append(.changed([action.reminder]))
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
        try handle(.started(reminders: ["milk", "tea"], local: "Europe/Berlin"), "0800")
        try handle(.service("dunst"), "0800")
        try handle(.clock, "0900")
        try handle(.clock, "0910")
        // A click that was not saved before the kill has no effect: the notification remains for a second click.
        for _ in 0..<2 {
            guard let notification = bench.kept.slots["milk"]?.notification else { continue }
            try handle(.invoked(number: notification.number, action: "complete"), "0915")
        }
        for _ in 0..<2 {
            guard let notification = bench.kept.slots["tea"]?.notification else { continue }
            try handle(.closed(number: notification.number, .dismissed), "0916")
        }
        try handle(.clock, "0920")
        return (bench, lines)
    }

    @Test(
        "after a kill behind any effect of any event nothing is lost, nothing fires twice, and all actions are executed"
    )
    func killed() throws {
        for event in 1...24 {
            for effects in 0...4 {
                let (bench, lines) = try Self.morning(breakingAt: event, after: effects)
                let comment: Comment = "event \(event), \(effects) effects: \(lines)"
                for reminder: ReminderID in ["milk", "tea"] {
                    // Once. A second time only if it is unknown whether it was shown, or as its replacement.
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
