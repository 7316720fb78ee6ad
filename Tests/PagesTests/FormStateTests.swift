import RemindavBridge
import RemindavDatePhrases
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavPages
@testable import RemindavSQLiteStore

@Suite("web pages: the states of the form of a reminder")
struct FormStateTests {
    @Test("adding and editing have the same fields in the same order")
    func sameFields() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk"])
        func names(_ page: String) -> [String] {
            let form = page.split(separator: "class=\"card form rise\"").last ?? ""
            return form.split(separator: " name=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
                .filter { !["token", "uid", "was", "status"].contains($0) }
        }
        let (new, edited) = (names(await browser.text("/add")), names(await browser.text("/r/1")))
        #expect(new == edited)
        #expect(
            new == [
                "title", "notes", "date", "time", "words", "alarms", "recurrence", "rule-words", "labels", "priority",
                "list", "start", "location", "link", "parent", "dependencies",
            ]
        )
        // The first focus is on the title of a new reminder, and on the heading of an edited one.
        #expect(await browser.text("/r/1").contains("<h1 id=\"heading\" tabindex=\"-1\" autofocus=\"\">"))
    }

    @Test("the form of a reminder has its values; the one of a new reminder tomorrow, Never and no priority")
    func prefill() async throws {
        let browser = try await TestBrowser()
        let due = CalendarDateTime(utc: try #require(Instant(wire: "20261201T093000Z")))
        var draft = ReminderDraft(title: "Call", notes: "a\r\nb", due: .dateTime(due), labels: ["home"], priority: .low)
        draft.recurrenceRule = try RecurrenceRule(wire: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH")
        draft.alarms = [.atDue, .beforeDue(CalendarDuration(seconds: 900))]
        _ = try browser.useCases.add(draft)
        let page = await browser.text("/r/1")
        let fields = FormTests.fields(page)
        #expect((fields["title"], fields["date"], fields["time"]) == ("Call", "2026-12-01", "09:30"))
        #expect((fields["recurrence"], fields["priority"], fields["label"]) == ("keep", "low", "home"))
        #expect(fields["alarms"] == "15m, due" || fields["alarms"] == "due, 15m")
        #expect(page.contains("selected=\"\">Custom: every 2 weeks on Tue and Thu</option>"))
        #expect(!page.contains("min=\""))
        let new = FormTests.fields(await browser.text("/add"))
        #expect((new["date"], new["time"], new["recurrence"]) == ("2026-11-21", "09:00", "never"))
    }

    @Test(
        "the choices of the repetition set its rule, and a custom one stays",
        arguments: [
            ("never", nil), ("daily", "FREQ=DAILY"), ("weekly", "FREQ=WEEKLY"), ("monthly", "FREQ=MONTHLY"),
            ("keep", "FREQ=WEEKLY;INTERVAL=2"),
        ] as [(String, String?)]
    )
    func recurrence(choice: String, rule: String?) async throws {
        let browser = try await TestBrowser()
        var draft = ReminderDraft(title: "Call", due: .date(try #require(CalendarDate(wire: "20261201"))))
        draft.recurrenceRule = try RecurrenceRule(wire: "FREQ=WEEKLY;INTERVAL=2")
        _ = try browser.useCases.add(draft)
        let fields = FormTests.fields(await browser.text("/r/1")).merging(["recurrence": choice]) { $1 }
        #expect(await browser.post("/r/1", fields).status == 303)
        let reminder = try browser.useCases.reminder(1)
        #expect(reminder.repeatRule == rule && reminder.due == "2026-12-01")
    }

    @Test("labels are checked and typed; the others keep their order")
    func labels() async throws {
        let browser = try await TestBrowser()
        _ = try browser.useCases.add(ReminderDraft(title: "Milk", labels: ["shop", "Home", "urgent"]))
        var fields = FormTests.fields(await browser.text("/r/1"))
        fields["label"] = nil
        fields["labels"] = "new, HOME"
        let answer = await browser.post("/r/1", fields, others: [("label", "shop"), ("label", "Home")])
        #expect(answer.status == 303)
        #expect(try browser.useCases.reminder(1).labels == ["shop", "Home", "new"])
    }

    @Test("alarms, location, link, parent, dependencies, start and progress are saved")
    func otherFields() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Fence"])
        _ = await browser.post("/quick", ["text": "Paint tomorrow 9am"])
        let typed = [
            "alarms": "due, 1h", "location": "Shop", "link": "https://example.org/a", "parent": "1",
            "dependencies": "1", "start": "today", "status": "1",
        ]
        let fields = FormTests.fields(await browser.text("/r/2")).merging(typed) { $1 }
        #expect(await browser.post("/r/2", fields).status == 303)
        let reminder = try browser.useCases.reminder(2)
        #expect(reminder.lines["location"] == "Shop" && reminder.lines["link"] == "https://example.org/a")
        #expect(reminder.parentID == 1 && reminder.dependencyIDs == [1] && reminder.status == .inProgress)
        #expect(reminder.startInstant != nil && reminder.alarmChoices.count == 2)
        let page = await browser.text("/r/2")
        #expect(page.contains("<dt>Part of</dt><dd><bdi>1: Fence</bdi></dd>"))
        let shown = FormTests.fields(page)
        #expect(shown["parent"] == "1" && shown["location"] == "Shop" && shown["status"] == "1")
        // The unchanged form writes nothing.
        #expect(await browser.post("/r/2", shown).headers[.location] == "/")
    }

    @Test(
        "notes are kept as they were typed; only the line ends of the browser become line feeds",
        arguments: [
            "a\r\nb\r\n", "\r\n first line is blank", "tab\there", "emoji \u{1F469}\u{200D}\u{1F4BB}", "</textarea><b>",
            String(repeating: "0123456789\r\n", count: 8400),
        ]
    )
    func notes(typed: String) async throws {
        let browser = try await TestBrowser()
        let fields = FormTests.fields(await browser.text("/add")).merging(["title": "Milk", "notes": typed]) { $1 }
        #expect(await browser.post("/add", fields).status == 303)
        let kept = typed.replacing("\r\n", with: "\n")
        #expect(try browser.useCases.reminder(1).notes == kept)
        // The unchanged form writes nothing.
        let shown = FormTests.fields(await browser.text("/r/1")).merging(["notes": typed]) { $1 }
        #expect(await browser.post("/r/1", shown).headers[.location] == "/")
    }

    @Test("two posts of one form add one reminder; another text in the second one is not lost")
    func once() async throws {
        let browser = try await TestBrowser()
        var fields = FormTests.fields(await browser.text("/add"))
        fields["title"] = "Milk"
        let first = await browser.post("/add", fields)
        #expect(first.headers[.location]?.hasPrefix("/?did=") == true)
        let second = await browser.post("/add", fields)
        #expect(second.status == 303 && second.headers[.location] == "/?there=1")
        #expect(await browser.text("/?there=1").contains("&quot;<bdi>Milk</bdi>&quot; was added before."))
        let back = await browser.post("/add", fields.merging(["title": "Oat milk"]) { $1 })
        #expect(back.status == 409)
        let again = FormTests.fields(FormTests.text(back))
        #expect(again["title"] == "Oat milk")
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).map(\.title) == ["Milk"])
        #expect(await browser.post("/r/1", again).status == 303)
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).map(\.title) == ["Oat milk"])
        let line = ["text": "Bread", "uid": "k1"]
        #expect(await browser.post("/quick", line).status == 303)
        #expect(await browser.post("/quick", line).headers[.location] == "/?there=2")
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).count == 2)
    }

    @Test("a reminder that was deleted meanwhile can be saved as a new one; one in the trash can be restored")
    func vanished() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk"])
        let fields = FormTests.fields(await browser.text("/r/1")).merging(["title": "Bread", "notes": "two"]) { $1 }
        try browser.useCases.delete(1)
        let answer = await browser.post("/r/1", fields)
        let page = FormTests.text(answer)
        #expect(answer.status == 404 && page.contains("Reminder not found</h1>"))
        #expect(page.contains(">Save as a new reminder</button>"))
        let kept = FormTests.fields(page)
        #expect(kept["title"] == "Bread" && kept["notes"] == "two")
        #expect(await browser.post("/add", kept).status == 303)
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).map(\.title) == ["Bread"])
        let gone = await browser.get("/r/1")
        let text = FormTests.text(gone)
        #expect(gone.status == 404 && text.contains("<title>Reminder not found</title>"))
        #expect(text.contains("<bdi>Milk</bdi>") && text.contains("value=\"1\">Restore</button>"))
        for page in ["/r/1/delete", "/r/1/actions", "/r/99"] { #expect(await browser.get(page).status == 404) }
        #expect(await browser.text("/r/99").contains("There is no reminder with this number."))
    }

    @Test("a locked store is named, and all typed text stays, for a new, an edited and a quick reminder")
    func locked() async throws {
        let browser = try await TestBrowser(isStoredOnDisk: true)
        _ = await browser.post("/quick", ["text": "Milk"])
        let (new, edited) = (await browser.text("/add"), await browser.text("/r/1"))
        let lock = try SQLiteConnection(
            path: "\(browser.folder.path)/reminders.db",
            access: .readWrite,
            busyTimeoutMilliseconds: 0
        )
        try lock.execute("BEGIN IMMEDIATE")
        let typed = ["title": "Bread <b>", "notes": "two\nlines"]
        for (target, page) in [("/add", new), ("/r/1", edited)] {
            let answer = await browser.post(target, FormTests.fields(page).merging(typed) { $1 })
            #expect(answer.status == 503, "\(target)")
            let fields = FormTests.fields(FormTests.text(answer))
            #expect(fields["title"]?.hasPrefix("Bread") == true && fields["notes"] == "two\nlines")
            #expect(FormTests.text(answer).contains("role=\"alert\""))
        }
        let quick = await browser.post("/quick", ["text": "Call Ben"])
        #expect(quick.status == 503 && FormTests.fields(FormTests.text(quick))["title"] == "Call Ben")
        let label = await browser.post("/labels/add", ["label": "home", "color": "#4CAF50"])
        #expect(label.status == 503 && FormTests.text(label).contains("value=\"home\""))
        try lock.execute("ROLLBACK")
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).map(\.title) == ["Milk"])
    }

    @Test("after a new sign-in, a form with an old token comes back with all its text, and writes nothing")
    func oldToken() async throws {
        var browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk"])
        let typed = ["title": "Bread", "notes": "two", "token": browser.token]
        let (new, edited) = (FormTests.fields(await browser.text("/add")), FormTests.fields(await browser.text("/r/1")))
        try browser.signIns.signOut(cookie: String(browser.cookie.drop { $0 != "=" }.dropFirst()))
        let refused = await browser.post("/add", new.merging(typed) { $1 })
        #expect(refused.status == 403 && FormTests.text(refused).contains("name=\"title\" value=\"Bread\""))
        let ticket = try browser.signIns.ticket(validSeconds: 60)
        let cookie = try #require(await browser.get("/in/\(ticket)").headers[.setCookie])
        browser.cookie = String(cookie.prefix { $0 != ";" })
        for (target, fields) in [("/add", new), ("/r/1", edited)] {
            let answer = await browser.post(target, fields.merging(typed) { $1 })
            let page = FormTests.text(answer)
            #expect(answer.status == 403 && page.contains("earlier sign-in"), "\(target)")
            let again = FormTests.fields(page)
            #expect(again["title"] == "Bread" && again["notes"] == "two")
            #expect(try browser.useCases.reminders(matching: ReminderFilter()).map(\.title) == ["Milk"])
        }
        let label = await browser.post("/labels/add", ["label": "home", "color": "#4CAF50", "token": "0"])
        #expect(label.status == 403 && FormTests.text(label).contains("name=\"label\" value=\"home\""))
        #expect(FormTests.text(label).contains("name=\"token\" value=\"\(browser.token)\""))
        #expect(try browser.useCases.labels().isEmpty)
    }

    @Test("all problems are shown, the title first, and their groups are open")
    func allProblems() async throws {
        let browser = try await TestBrowser()
        let wrong = ["title": " ", "date": "2026-11-19", "link": "x", "labels": "", "start": "never again"]
        let answer = await browser.post("/add", FormTests.fields(await browser.text("/add")).merging(wrong) { $1 })
        let page = FormTests.text(answer)
        #expect(
            answer.status == 422 && page.components(of: "aria-invalid") == 4 && page.components(of: "autofocus") == 1
        )
        #expect(page.contains("Title is required") && page.contains("Must be in the future"))
        #expect(page.contains("<details open=\"\"><summary>Start, location, link, related reminders"))
        #expect(page.contains("<details><summary>Labels, priority, list"))
        let title = try #require(page.firstRange(of: "Title is required")?.lowerBound)
        #expect(title < page.firstRange(of: "Must be in the future")!.lowerBound)
    }

    @Test("the date of a new reminder is tomorrow on each day, with each offset of the zone")
    func tomorrow() {
        for offset in [-39600, -12600, 0, 19800, 46800] {
            let zone = LocalZone(
                name: "UTC",
                offsetSeconds: { _ in offset },
                instant: {
                    Instant(
                        secondsSince1970: CalendarDateTime(date: $0, time: $1, zone: .utc).localSeconds - Int64(offset)
                    )
                }
            )
            for day in 0..<400 {
                let now = Instant(secondsSince1970: 1_795_194_300 + Int64(day) * 86_400 + Int64(day) * 997)
                let form = ReminderForm(due: When.defaultDue().resolved(now: now, zone: zone), zone: zone)
                let today = zone.wallClock(at: now).date
                #expect(form.date == "\(today.adding(days: 1))" && form.time == "09:00")
            }
        }
    }
}
