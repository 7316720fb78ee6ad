import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavPages

@Suite("web pages: the form of a reminder")
struct FormTests {
    /// The values of the fields in the form of a reminder, by name, as a browser would send them.
    static func fields(_ page: String) -> [String: String] {
        var fields: [String: String] = [:]
        let page = String(page.split(separator: "class=\"card form rise\"").last ?? "")
        for part in page.split(separator: "<input ").dropFirst() {
            let tag = part.prefix { $0 != ">" }
            guard let name = self.attribute("name", tag), name != "token" else { continue }
            if tag.contains("type=\"checkbox\""), !tag.contains("checked") { continue }
            fields[name] = self.attribute("value", tag) ?? ""
        }
        for part in page.split(separator: "<select ").dropFirst() {
            guard let name = self.attribute("name", part) else { continue }
            let options = part.split(separator: "<option ").dropFirst().map { $0.prefix { $0 != ">" } }
            let chosen = options.first { $0.contains("selected") } ?? options.first
            fields[name] = chosen.flatMap { self.attribute("value", $0) } ?? ""
        }
        if let area = page.split(separator: "name=\"notes\"").last?.split(separator: ">\n", maxSplits: 1).last {
            fields["notes"] = String(area.split(separator: "</textarea>", omittingEmptySubsequences: false)[0])
        }
        return fields
    }

    static func attribute(_ name: String, _ tag: some StringProtocol) -> String? {
        let parts = String(tag).split(separator: "\(name)=\"", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return String(parts[1].prefix { $0 != "\"" }).replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
            .replacing("&#39;", with: "'")
    }

    static func text(_ response: Response) -> String { String(decoding: response.body, as: UTF8.self) }

    private static func source(_ browser: TestBrowser) throws -> [UInt8] {
        try browser.useCases.reminders(matching: ReminderFilter()).first?.base.source ?? []
    }

    @Test("a new reminder is due tomorrow; saving adds it")
    func new() async throws {
        let browser = try await TestBrowser()
        let page = await browser.text("/add")
        #expect(page.contains("New Reminder</h1>") && page.contains("min=\"2026-11-20\""))
        var fields = Self.fields(page)
        #expect(
            (fields["title"], fields["date"], fields["time"], fields["priority"]) == ("", "2026-11-21", "09:00", "none")
        )
        fields["title"] = " Call Ben "
        fields["notes"] = "one\r\ntwo"
        fields["labels"] = "home, work ,"
        fields["rule-words"] = "every 2 weeks"
        #expect(await browser.post("/add", fields).status == 303)
        let reminder = try browser.useCases.reminder(1)
        #expect(reminder.title == "Call Ben" && reminder.notes == "one\ntwo" && reminder.labels == ["home", "work"])
        #expect(reminder.due == "2026-11-21T09:00:00Z" && reminder.repeatRule == "FREQ=WEEKLY;INTERVAL=2")
    }

    @Test(
        "a problem is shown at its field, all typed text stays, and nothing is written",
        arguments: [
            ("title", " \u{200B}\u{3000}", "Title is required"), ("date", "2026-11-19", "Must be in the future"),
            ("date", "2026-02-30", "There is no such date."), ("time", "25:00", "There is no such time."),
            ("words", "some day", "is not understood"), ("rule-words", "every blue moon", "is not understood"),
            ("alarms", "sometimes", "An alarm must be"), ("link", "javascript:alert(1)", "http"),
            ("parent", "Milk", "is not the number of a reminder"), ("start", "whenever", "is not understood"),
        ]
    )
    func problems(field: String, value: String, problem: String) async throws {
        let browser = try await TestBrowser()
        var fields = Self.fields(await browser.text("/add"))
        fields["title"] = "Call"
        fields["notes"] = "<typed>"
        fields[field] = value
        let answer = await browser.post("/add", fields)
        let page = Self.text(answer)
        #expect(answer.status == 422 && page.contains("<title>Error: New Reminder</title>"))
        #expect(page.contains(problem), "\(page)")
        #expect(page.contains("&lt;typed&gt;") && page.components(of: "autofocus") == 1)
        #expect(Self.fields(page)[field] == value)
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).isEmpty)
    }

    @Test("an unchanged form writes nothing, and a changed field changes only this field")
    func unchanged() async throws {
        let browser = try await TestBrowser()
        let due = CalendarDateTime(utc: try #require(Instant(wire: "20261201T093045Z")))
        let draft = ReminderDraft(
            title: "Call \"Ben\"",
            notes: "a\nb",
            due: .dateTime(due),
            labels: ["x"],
            priority: .high
        )
        _ = try browser.useCases.add(draft)
        let before = try Self.source(browser)
        let fields = Self.fields(await browser.text("/r/1"))
        #expect(fields["title"] == "Call \"Ben\"" && fields["notes"] == "a\nb" && fields["priority"] == "high")
        #expect(await browser.post("/r/1", fields).headers[.location] == "/")
        #expect(await browser.post("/r/1", fields.merging(["title": ""]) { $1 }).status == 422)
        #expect(try Self.source(browser) == before)
        #expect(await browser.post("/r/1", fields.merging(["title": "Ring Ben"]) { $1 }).status == 303)
        let after = try browser.useCases.reminder(1)
        // The seconds of the due time are not in the form, and stay.
        #expect(after.title == "Ring Ben" && after.due == "2026-12-01T09:30:45Z" && after.notes == "a\nb")
    }

    @Test("a text that a browser cannot return as it is, such as a location with two lines, counts as unchanged")
    func returned() {
        var shown = ReminderForm()
        shown.title = "Two\nlines"
        shown.notes = "a\rb\r\nc\u{01}"
        var posted = ReminderForm()
        posted.title = "Twolines"
        posted.notes = "a\nb\nc\u{FFFD}"
        let digests = FormDigests(shown)
        #expect(digests.match(.title, of: posted) && digests.match(.notes, of: posted))
        posted.notes = "a\nb c\u{FFFD}"
        #expect(!digests.match(.notes, of: posted))
    }

    @Test("the title of an overdue reminder is saved, and its date stays")
    func overdue() async throws {
        let browser = try await TestBrowser()
        var draft = ReminderDraft(title: "Form", due: .date(try #require(CalendarDate(wire: "20261101"))))
        draft.change.allowsPastDue = true
        _ = try browser.useCases.add(draft)
        let fields = Self.fields(await browser.text("/r/1"))
        #expect(await browser.post("/r/1", fields.merging(["title": "Tax form"]) { $1 }).status == 303)
        #expect(try browser.useCases.reminder(1).due == "2026-11-01")
        #expect(await browser.post("/r/1", fields.merging(["date": "2026-11-02"]) { $1 }).status == 422)
    }

    @Test("two edits of different fields are both kept; of the same field, the second sees both values")
    func clash() async throws {
        let browser = try await TestBrowser()
        _ = try browser.useCases.add(ReminderDraft(title: "Milk"))
        let fields = Self.fields(await browser.text("/r/1"))
        _ = try browser.useCases.edit(1, ReminderChange(title: "Bread"))
        #expect(await browser.post("/r/1", fields.merging(["notes": "two"]) { $1 }).status == 303)
        #expect(try browser.useCases.reminder(1).title == "Bread")
        let clash = await browser.post("/r/1", fields.merging(["title": "Butter"]) { $1 })
        let page = Self.text(clash)
        #expect(clash.status == 409 && page.contains("It is now: <bdi>Bread</bdi>"))
        #expect(page.contains("name=\"take\" value=\"title\">Use <bdi>Bread</bdi></button>"))
        let taken = await browser.post("/r/1", Self.fields(page).merging(["take": "title"]) { $1 })
        #expect(taken.status == 409 && Self.fields(Self.text(taken))["title"] == "Bread")
        #expect(try browser.useCases.reminder(1).title == "Bread")
        let again = Self.fields(page)
        #expect(again["title"] == "Butter")
        #expect(await browser.post("/r/1", again).status == 303)
        let reminder = try browser.useCases.reminder(1)
        #expect(reminder.title == "Butter" && reminder.notes == "two")
    }

    @Test("a form without its digests, and a missing reminder, change nothing")
    func broken() async throws {
        let browser = try await TestBrowser()
        _ = try browser.useCases.add(ReminderDraft(title: "Milk"))
        #expect(await browser.post("/r/1", ["title": "Bread"]).status == 400)
        #expect(try browser.useCases.reminder(1).title == "Milk")
    }

    @Test("a repetition begins on one of its own dates")
    func aligned() async throws {
        let browser = try await TestBrowser()
        let fields = Self.fields(await browser.text("/add")).merging(["title": "Bins", "rule-words": "every monday"]) {
            $1
        }
        #expect(fields["date"] == "2026-11-21")
        #expect(await browser.post("/add", fields).status == 303)
        #expect(try browser.useCases.reminder(1).due == "2026-11-23T09:00:00Z")
    }

    @Test("a line that cannot be used is in the form, with its reason", arguments: [" ", "Pay !high !low"])
    func badLine(text: String) async throws {
        let browser = try await TestBrowser()
        let answer = await browser.post("/quick", ["text": text])
        #expect(answer.status == 422 && Self.fields(Self.text(answer))["title"] == text)
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).isEmpty)
    }

    @Test("the due time is removed by empty fields, and words replace the fields")
    func schedule() async throws {
        let browser = try await TestBrowser()
        _ = try browser.useCases.add(ReminderDraft(title: "Milk"))
        let fields = Self.fields(await browser.text("/r/1"))
        #expect(await browser.post("/r/1", fields.merging(["words": "tomorrow 8am"]) { $1 }).status == 303)
        #expect(try browser.useCases.reminder(1).due == "2026-11-21T08:00:00Z")
        let dated = Self.fields(await browser.text("/r/1"))
        #expect(await browser.post("/r/1", dated.merging(["date": "", "time": ""]) { $1 }).status == 303)
        #expect(try browser.useCases.reminder(1).due == nil)
    }
}
