import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavPages

@Suite("web pages: operations on reminders")
struct ActionTests {
    /// The text of the status line on the page to which an answer leads.
    private static func status(_ browser: TestBrowser, after response: Response) async throws -> String {
        let address = try #require(response.headers[.location])
        let page = await browser.text(address)
        let status = try #require(
            page.split(separator: "<span role=\"status\">").last?.split(separator: "</span>").first
        )
        return String(status).replacing("<bdi>", with: "").replacing("</bdi>", with: "").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'")
    }

    @Test(
        "each operation says what it did, and its undo says what it undid",
        arguments: [
            ("complete 1", #"Completed "Call Ben"."#, #"Changed back "Call Ben"."#),
            ("snooze 1 15m", #"Snoozed "Call Ben" until today 17:20."#, #"Changed back "Call Ben"."#),
            (
                "snooze 1 tomorrow 09:00", #"Snoozed "Call Ben" until tomorrow 09:00."#, #"Changed back "Call Ben"."#
            ),
            ("delete 1", #"Deleted "Call Ben". It stays in the trash for 30 days."#, #"Restored "Call Ben"."#),
        ]
    )
    func answers(operation: String, sentence: String, undone: String) async throws {
        let browser = try await TestBrowser()
        let added = await browser.post("/quick", ["text": "Call Ben tomorrow 9am #home"])
        #expect(try await Self.status(browser, after: added) == #"Added "Call Ben" for tomorrow 09:00, #home."#)
        let before = try browser.useCases.reminder(1)
        let done = await browser.post("/act", ["do": operation])
        #expect(done.status == 303)
        #expect(try await Self.status(browser, after: done) == sentence)
        let run = try #require(done.headers[.location]?.split(separator: "=").last)
        let undo = await browser.post("/undo", ["run": String(run)])
        #expect(try await Self.status(browser, after: undo) == undone)
        #expect(try browser.useCases.reminder(1).title == before.title)
        #expect(try browser.useCases.reminder(1).status == .pending && !browser.useCases.reminder(1).isSnoozed)
        // The undo can be undone, too.
        let undoing = try #require(undo.headers[.location]?.split(separator: "=").last)
        #expect(await browser.post("/undo", ["run": String(undoing)]).status == 303)
        #expect(try browser.useCases.reminders([1]).first != before)
    }

    @Test("words of a line that may be a date, such as a past one, are asked about in the form")
    func unclearDate() async throws {
        let browser = try await TestBrowser()
        let answer = await browser.post("/quick", ["text": "Water yesterday 9am"])
        let page = FormTests.text(answer)
        #expect(answer.status == 422 && page.contains("&#39;yesterday 9am&#39; is past. Check the date below."))
        #expect(FormTests.fields(page)["title"] == "Water yesterday 9am")
        #expect(try browser.useCases.reminders(matching: ReminderFilter()).isEmpty)
    }

    @Test("two clicks complete one date of a series, and both answers name the next date")
    func twoClicks() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Water plants every day at 9am"])
        let page = await browser.text("/")
        #expect(page.contains("value=\"complete 1 20261121T090000Z\""))
        for _ in 0..<2 {
            let answer = await browser.post("/act", ["do": "complete 1 20261121T090000Z"])
            let sentence = try await Self.status(browser, after: answer)
            #expect(sentence == #"Completed "Water plants". Next: Sun 22 Nov 09:00."#)
        }
        #expect(try browser.useCases.reminder(1).due == "2026-11-22T09:00:00Z")
        let skipped = await browser.post("/act", ["do": "skip 1 20261122T090000Z"])
        #expect(
            try await Self.status(browser, after: skipped)
                == #"Skipped a date of "Water plants". Next: Mon 23 Nov 09:00."#
        )
        #expect(try browser.useCases.reminder(1).due == "2026-11-23T09:00:00Z")
    }

    @Test("a completed reminder cannot be snoozed, and its menu does not offer it")
    func snoozeCompleted() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk"])
        _ = await browser.post("/act", ["do": "complete 1"])
        let menu = await browser.text("/r/1/actions")
        #expect(menu.contains("Mark Incomplete") && !menu.contains("Snooze"))
        let answer = await browser.post("/act", ["do": "snooze 1 15m"])
        #expect(answer.status == 422)
        #expect(String(decoding: answer.body, as: UTF8.self).lowercased().contains("completed"))
        #expect(await browser.get("/r/1/snooze").status == 422)
        #expect(try !browser.useCases.reminder(1).isSnoozed)
    }

    @Test(
        "another end of a snooze is typed; a text that is no time stays in the form",
        arguments: [("friday 9am", 303), ("2 days", 303), ("", 422), ("whenever", 422), ("2026-11-01", 422)]
    )
    func otherSnooze(text: String, status: Int) async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk"])
        #expect(await browser.text("/r/1/snooze").contains("name=\"until\""))
        let answer = await browser.post("/act", ["do": "snooze 1", "until": text])
        #expect(answer.status == status)
        #expect(try browser.useCases.reminder(1).isSnoozed == (status == 303))
        if status == 422 {
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(page.contains("<title>Error: Snooze</title>") && page.contains("value=\"\(text)\""))
        }
    }

    @Test("an operation returns to the list with the same filter, and the status can be dismissed")
    func returns() async throws {
        let browser = try await TestBrowser()
        for line in ["Milk #shop", "Rent #home", "Bread #shop"] { _ = await browser.post("/quick", ["text": line]) }
        #expect(await browser.text("/?label=shop").contains("name=\"back\" value=\"label=shop\""))
        let answer = await browser.post("/act", ["do": "complete 1", "back": "label=shop&did=3"])
        let address = try #require(answer.headers[.location])
        #expect(address.hasPrefix("/?label=shop&did=") && address != "/?label=shop&did=3")
        let page = await browser.text(address)
        #expect(page.contains("Upcoming (1)") && page.contains("<a class=\"button\" href=\"/?label=shop\">Dismiss</a>"))
        // A forged return address stays on this page.
        let forged = await browser.post("/act", ["do": "complete 2", "back": "//evil.example/?a=b"])
        #expect(forged.headers[.location]?.hasPrefix("/?") == true)
    }

    @Test("the log shows the changes of a run, and undoes a single one")
    func singleChange() async throws {
        let browser = try await TestBrowser()
        for line in ["Milk #shop", "Bread #shop"] { _ = await browser.post("/quick", ["text": line]) }
        let renamed = await browser.post("/label?name=shop", ["label": "market", "color": "#FF5722"])
        let run = try #require(renamed.headers[.location]?.split(separator: "=").last)
        #expect(await browser.text("/log").contains("href=\"/log/\(run)\""))
        let page = await browser.text("/log/\(run)")
        #expect(page.contains("labels: #shop -&gt; #market") && page.contains("Label shop renamed to market"))
        let change = try browser.useCases.log(run: try #require(Int64(run))).changes[0]
        #expect(await browser.post("/undo", ["change": String(change.id)]).status == 303)
        #expect(try browser.useCases.reminder(change.reminder).labels == ["shop"])
        #expect(await browser.text("/log/\(run)").contains("undone"))
        let again = await browser.post("/undo", ["change": String(change.id)])
        #expect(again.status == 422)
        #expect(await browser.get("/log/999").status == 404)
        #expect(await browser.get("/log/x").status == 404)
    }

    @Test("the alarms of one reminder are cleared")
    func acknowledge() async throws {
        let browser = try await TestBrowser()
        var draft = ReminderDraft(
            title: "Tax",
            due: .dateTime(CalendarDateTime(utc: browser.useCases.now.adding(seconds: -60)))
        )
        draft.change.allowsPastDue = true
        _ = try browser.useCases.add(draft)
        #expect(await browser.text("/r/1/actions").contains("value=\"acknowledge 1\""))
        #expect(await browser.post("/act", ["do": "acknowledge 1"]).status == 303)
        #expect(try browser.useCases.clearAlarms(isDryRun: true).cleared.isEmpty)
    }

    @Test("nothing is deleted without the question, and its Cancel has the focus")
    func unasked() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk"])
        for target in ["/", "/r/1", "/r/1/actions"] {
            #expect(await browser.text(target).components(of: "value=\"delete") == 0, "\(target)")
        }
        let question = await browser.text("/r/1/delete")
        #expect(question.contains("autofocus=\"\">Cancel</a>") && question.contains("value=\"delete 1\""))
        #expect(try browser.useCases.reminder(1).title == "Milk")
    }
}
