import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import Synchronization
import Testing

@testable import RemindavPages

@Suite("web pages: alarms")
struct AlarmsTests {
    /// A browser whose store has reminders that are due at the given times of the day of the tests.
    private static func browser(due times: [(title: String, wire: String)]) async throws -> TestBrowser {
        let browser = try await TestBrowser()
        for (title, wire) in times {
            _ = try browser.useCases.add(Self.draft(title, due: wire))
        }
        return browser
    }

    private static func draft(_ title: String, due wire: String, labels: [String] = []) throws -> ReminderDraft {
        let due = try #require(CalendarDateTime(wire: wire, tzid: nil))
        var draft = ReminderDraft(title: title, due: .dateTime(due), labels: labels)
        draft.change.allowsPastDue = true
        return draft
    }

    @Test("three unacknowledged alarms are in the title of the list and in the bar of each page; each can be cleared")
    func badge() async throws {
        let browser = try await Self.browser(due: [
            ("Pay <rent>", "20261120T080000Z"), ("Ring Ada", "20261120T120000Z"), ("Milk", "20261119T090000Z"),
            ("Later", "20261120T180000Z"),
        ])
        #expect(await browser.text("/").contains("<title>(3) Reminders</title>"))
        #expect(await browser.text("/").contains("<h1>Reminders</h1>"))
        for target in ["/", "/labels", "/log", "/add", "/alarms", "/r/1/delete"] {
            #expect(
                await browser.text(target).contains(#"3<span class="hint"> unacknowledged alarms</span>"#),
                "\(target)"
            )
        }
        let page = await browser.text("/alarms")
        #expect(page.contains("Unacknowledged alarms (3)") && page.contains("Next alarms (1)"))
        #expect(page.contains("<bdi>Pay &lt;rent&gt;</bdi>") && page.contains("Today 18:00"))
        // The latest alarm is first.
        let order = try ["Ring Ada", "Pay &lt;", "Milk", "Later"].map {
            try #require(page.ranges(of: "<bdi>\($0)").first).lowerBound
        }
        #expect(order == order.sorted())

        let cleared = await browser.post("/alarms", ["clear": "1"])
        let address = try #require(cleared.headers[.location])
        #expect(cleared.status == 303)
        #expect(await browser.text(address).contains("Cleared the alarms of &quot;<bdi>Pay &lt;rent&gt;</bdi>&quot;"))
        #expect(await browser.text("/").contains("<title>(2) Reminders</title>"))
        #expect(await browser.post("/alarms", ["clear": "all"]).status == 303)
        #expect(await browser.text("/").contains("<title>Reminders</title>"))
        #expect(await browser.text("/alarms").contains("There are no unacknowledged alarms."))
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).count == 4)
        let run = try #require(try browser.useCases.log(limit: 1).first?.id)
        #expect(await browser.post("/undo", ["run": String(run)]).status == 303)
        #expect(await browser.text("/").contains("<title>(2) Reminders</title>"))
    }

    @Test("an alarm that fires after the page was shown is not cleared by the page")
    func laterAlarm() async throws {
        let browser = try await Self.browser(due: [("Milk", "20261120T120000Z"), ("Rent", "20261120T170000Z")])
        let shown = try #require(Instant(wire: "20261120T150000Z")).secondsSince1970
        #expect(await browser.post("/alarms", ["clear": "all", "until": String(shown)]).status == 303)
        #expect(try browser.useCases.firedAlarms().map(\.view.alarm.title) == ["Rent"])
        // A time in the future is that of no page; only alarms that fired are acknowledged.
        #expect(await browser.post("/alarms", ["clear": "all", "until": String(Int64.max)]).status == 303)
        #expect(try browser.useCases.firedAlarms().isEmpty)
    }

    @Test("an unknown choice clears nothing", arguments: ["", "x", "-", "1 2"])
    func unknown(choice: String) async throws {
        let browser = try await Self.browser(due: [("Milk", "20261120T120000Z")])
        #expect(await browser.post("/alarms", ["clear": choice]).status == 404)
        #expect(await browser.post("/alarms", [:]).status == 404)
        #expect(try browser.useCases.firedAlarms().count == 1)
    }

    @Test("the count follows each change, and counts no completed, deleted or muted reminder")
    func count() async throws {
        let browser = try await Self.browser(due: [("A", "20261120T080000Z"), ("B", "20261120T090000Z")])
        let useCases = browser.useCases
        _ = try useCases.add(Self.draft("C", due: "20261120T100000Z", labels: ["quiet"]))
        let counter = AlarmTable(useCases, settings: AlarmSettings(), muted: MuteRules(labels: ["Quiet"]))
        let inList = AlarmTable(useCases, settings: AlarmSettings(), muted: MuteRules(lists: ["reminders"]))
        #expect(try counter.count() == 2)
        #expect(try inList.count() == 0)
        #expect(try useCases.firedAlarms(muted: MuteRules(labels: ["Quiet"])).count == 2)
        _ = await browser.post("/act", ["do": "complete 1"])
        #expect(try counter.count() == 1)
        _ = await browser.post("/act", ["do": "reopen 1"])
        #expect(try counter.count() == 2)
        _ = await browser.post("/act", ["do": "snooze 1 5m"])
        #expect(try counter.count() == 1)
        _ = await browser.post("/act", ["do": "delete 2"])
        #expect(try counter.count() == 0)
        for number in 0..<101 {
            _ = try useCases.add(Self.draft("Task \(number)", due: "20261120T100000Z"))
        }
        #expect(try counter.count() == 101)
        #expect(try counter.fired(limit: 7).alarms.count == 7 && counter.fired(limit: 7).count == 101)
        #expect(try useCases.firedAlarms(muted: MuteRules(labels: ["quiet"])).count == 101)
    }

    @Test("alarms can be enabled from the list and the page; Maybe Later hides the offer for 30 days")
    func enable() async throws {
        var browser = try await TestBrowser()
        let text = "Get notified when your reminders are due so you never miss an important task."
        #expect(await !browser.text("/").contains(text))
        browser.computer.state.withLock { $0.alarms = Computer.AlarmState(isOn: false, sentence: "") }
        for target in ["/", "/alarms"] {
            let page = await browser.text(target)
            #expect(page.contains("<h2>Enable Notifications</h2><p>\(text)</p>"), "\(target)")
            #expect(page.contains(">Enable Notifications</button>") && page.contains(">Maybe Later</button>"))
        }
        let later = await browser.post("/alarms/enable", ["later": "1"])
        let cookie = try #require(later.headers[.setCookie])
        #expect(
            later.status == 303 && cookie.hasPrefix("remindav-8737-later=1; ") && cookie.contains("Max-Age=2592000")
        )
        #expect(browser.computer.state.withLock(\.attempts) == 0)
        let signedIn = browser.cookie
        browser.cookie += "; remindav-8737-later=1"
        #expect(await !browser.text("/").contains(text))
        // The page of the alarms still offers it.
        #expect(await browser.text("/alarms").contains(text))
        browser.cookie = signedIn
        browser.computer.state.withLock {
            $0.report = Computer.Report(isComplete: false, sentences: ["Wrote <a>", "systemd does not answer."])
        }
        let failed = await browser.post("/alarms/enable", [:])
        let page = String(decoding: failed.body, as: UTF8.self)
        #expect(
            failed.status == 422 && !page.contains("Next alarms")
                && page.contains("<p>Wrote &lt;a&gt;</p><p>systemd does not answer.</p>")
        )
        browser.computer.state.withLock { $0.report = Computer.Report(isComplete: true, sentences: []) }
        let enabled = await browser.post("/alarms/enable", [:])
        #expect(enabled.status == 303 && enabled.headers[.location] == "/alarms")
        #expect(await browser.text("/alarms").contains("<p>Alarms are on.</p>"))
        #expect(await !browser.text("/").contains(text))
    }

    @Test("a long list of next alarms is cut, with a link to all of it")
    func manyAlarms() async throws {
        let times = (0..<101).map { (title: "Task \($0)", wire: "20261121T090000Z") }
        let browser = try await Self.browser(due: times)
        let page = await browser.text("/alarms")
        #expect(page.components(of: "<li ") == 50 && page.contains(">Show all 101</a>"))
        #expect(await browser.text("/alarms?all=").components(of: "<li ") == 101)
    }

    @Test("a long list of alarms that fired is cut, with a link to all of it")
    func manyFiredAlarms() async throws {
        let times = (0..<61).map { (title: "Task \($0)", wire: "20261119T090000Z") }
        let browser = try await Self.browser(due: times)
        let page = await browser.text("/alarms")
        #expect(page.components(of: "<li ") == 50 && page.contains(">Show all 61 fired alarms</a>"))
        #expect(await browser.text("/alarms?all=").components(of: "<li ") == 61)
    }

    @Test("the table has the alarms that a plan of all reminders gives, also after time has passed and after changes")
    func table() async throws {
        let browser = try await Self.browser(
            due: [("A", "20261120T080000Z"), ("B", "20261120T180000Z"), ("C", "20261121T080000Z")]
        )
        let useCases = browser.useCases
        var daily = try Self.draft("D", due: "20261118T090000Z")
        daily.change.recurrenceRule = .set(try RecurrenceRule(wire: "FREQ=DAILY"))
        _ = try useCases.add(daily)
        let table = AlarmTable(useCases)
        func compare() throws {
            #expect(try table.fired().alarms == useCases.firedAlarms())
            #expect(try table.pending().alarms == useCases.pendingAlarms())
            #expect(try table.count() == useCases.firedAlarms().count)
            let first = try useCases.pendingAlarms().first?.alarm
            #expect(try table.next()?.time == first?.fires)
        }
        try compare()
        browser.clock.advance(seconds: 3600)
        try compare()
        #expect(try table.fired().count == 3)
        _ = await browser.post("/alarms", ["clear": "all"])
        try compare()
        browser.clock.advance(seconds: 86400)
        try compare()
        _ = await browser.post("/act", ["do": "complete 2"])
        try compare()
    }

    @Test("the alarms of many reminders are planned on a thread; until then, a page shows no number")
    func many() async throws {
        let browser = try await TestBrowser()
        _ = try browser.useCases.add((0..<400).map { try Self.draft("Task \($0)", due: "20261120T100000Z") })
        let table = AlarmTable(browser.useCases)
        #expect(try table.count() == nil)
        await Waiting.until(seconds: 60) { table.isPlanned }
        #expect(try table.count() == 400)
    }
}
