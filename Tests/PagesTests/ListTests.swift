import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavPages

@Suite("web pages: sections, paging and filters of the list")
struct ListTests {
    private static func add(_ count: Int, to browser: TestBrowser, label: String, due: String? = nil) throws {
        let drafts = (0..<count).map { number in
            var draft = ReminderDraft(title: "Task \(number) for the weekly plan", labels: [label])
            draft.due = due.flatMap { CalendarDate(wire: $0) }.map { .date($0) }
            draft.change.allowsPastDue = true
            return draft
        }
        _ = try browser.useCases.add(drafts)
    }

    @Test("the sections have the order of the documents, none is empty, and completed reminders come last")
    func sections() async throws {
        let browser = try await TestBrowser()
        try Self.add(1, to: browser, label: "a", due: "20261120")
        try Self.add(1, to: browser, label: "a", due: "20261121")
        try Self.add(1, to: browser, label: "a")
        #expect(await !browser.text("/").contains("Completed ("))
        _ = await browser.post("/act", ["do": "complete 3"])
        let page = await browser.text("/")
        let places = ["Today (1)", "Upcoming (1)", "Completed (1)"].map { page.firstRange(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil } && places[0]! < places[1]! && places[1]! < places[2]!)
        #expect(page.contains("<li class=\"row done\" id=\"r3\"") && page.contains("aria-label=\"Uncomplete: Task 0"))
        for id in [1, 2] { _ = await browser.post("/act", ["do": "complete \(id)"]) }
        let done = await browser.text("/")
        #expect(done.contains("Nothing is open.") && done.contains("Completed (3)"))
        #expect(!done.contains("Today (") && !done.contains("Upcoming ("))
    }

    @Test("a long section is cut; a link shows 100 more at the same place, and another all of it")
    func paging() async throws {
        let browser = try await TestBrowser()
        try Self.add(301, to: browser, label: "a")
        let page = await browser.text("/?label=a")
        #expect(page.components(of: "<li class=\"row\"") == 100 && page.contains("Upcoming (301)"))
        let next = try #require(page.split(separator: "href=\"").first { $0.hasPrefix("/?label=a&amp;upcoming=200#r") })
        let target = String(next.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
        let parts = target.split(separator: "#").map(String.init)
        let more = await browser.text(parts[0])
        #expect(more.components(of: "<li class=\"row\"") == 200)
        #expect(more.contains("id=\"\(parts[1])\"") && !page.contains("id=\"\(parts[1])\""))
        let all = await browser.text("/?label=a&all=")
        #expect(page.contains("href=\"/?label=a&amp;all=\">Show all on one page</a>"))
        #expect(all.components(of: "<li class=\"row\"") == 301 && !all.contains("class=\"box\""))
    }

    @Test("the reminder of the last operation is on the page and has the focus")
    func focused() async throws {
        let browser = try await TestBrowser()
        try Self.add(150, to: browser, label: "a")
        let last = try browser.useCases.reminders(matching: ReminderFilter()).last?.id ?? 0
        #expect(await !browser.text("/").contains("id=\"r\(last)\""))
        let answer = await browser.post("/act", ["do": "snooze \(last) 1h"])
        let moved = await browser.text(try #require(answer.headers[.location]))
        #expect(moved.contains("href=\"/r/\(last)\" autofocus=\"\">"))
        let undone = await browser.post(
            "/undo",
            ["run": "\(answer.headers[.location]?.split(separator: "=").last ?? "")"]
        )
        #expect(await browser.text(try #require(undone.headers[.location])).contains("href=\"/r/\(last)\" autofocus"))
    }

    @Test("the version of a row changes with its content, and is equal otherwise")
    func versions() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk #shop"])
        func version() async throws -> Substring {
            let row = try #require(await browser.text("/").split(separator: "id=\"r1\" data-v=\"").last)
            return row.prefix { $0 != "\"" }
        }
        let first = try await version()
        #expect(try await version() == first && !first.isEmpty)
        _ = try browser.useCases.recolorLabel("shop", to: LabelColor(rgb: 0x123456))
        let second = try await version()
        #expect(second != first)
        _ = try browser.useCases.edit(1, ReminderChange(title: "Bread"))
        #expect(try await version() != second)
    }

    @Test("filters are shown as chips that remove them; several labels match any")
    func filter() async throws {
        let browser = try await TestBrowser()
        for line in ["Milk #shop", "Rent #home", "Bread #shop"] { _ = await browser.post("/quick", ["text": line]) }
        let both = await browser.text("/?label=shop&label=home&q=r")
        #expect(both.contains("Upcoming (2)"))
        #expect(both.contains("href=\"/?label=home&amp;q=r\" aria-label=\"Remove the filter: label shop\""))
        #expect(both.contains("href=\"/?label=shop&amp;label=home\" aria-label=\"Remove the filter: search r\""))
        #expect(await browser.text("/").contains("href=\"/?label=home\"><svg"))
    }

    @Test("an unknown label or list finds nothing, and the page names the nearest one")
    func unknownNames() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk #shopping"])
        let page = await browser.text("/?label=shoping")
        #expect(
            page.contains("No reminder matches.") && page.contains("href=\"/?label=shopping\"><bdi>shopping</bdi></a>")
        )
        let list = await browser.get("/?list=Remiders")
        #expect(list.status == 200)
        #expect(String(decoding: list.body, as: UTF8.self).contains("href=\"/?list=Reminders\""))
    }

    @Test("subtasks, priorities and other parts of a reminder are in words, also for reminders that start later")
    func remarks() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Paint the fence !high"])
        var child = ReminderDraft(title: "Buy paint", notes: "green")
        child.change.parent = .set(.number(1))
        _ = try browser.useCases.add(child)
        var later = ReminderDraft(title: "Later")
        later.change.start = .set(.date(try #require(CalendarDate(wire: "20270101"))))
        _ = try browser.useCases.add(later)
        let page = await browser.text("/")
        #expect(page.contains("high priority") && page.contains("open subtasks"))
        #expect(page.contains("notes") && page.contains("1 reminder starts later.") && !page.contains("<bdi>Later"))
        #expect(await browser.text("/?later=").contains("<bdi>Later</bdi>"))
    }

    @Test("rows of a read-only list have only Edit")
    func readOnly() async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk"])
        let reminder = try browser.useCases.reminder(1)
        let style = RowStyle(
            dueText: DueText(zone: browser.site.preferences.zone, now: browser.useCases.now),
            colors: [:],
            readOnly: [reminder.list],
            hasSeveralLists: true
        )
        let row = FormTests.text(Response.page(ReminderRow(reminder, style)))
        #expect(row.contains("aria-label=\"Edit: Milk\"") && row.contains("read-only") && row.contains("<path"))
        #expect(!row.contains("<button") && !row.contains("/delete"))
    }

    @Test("with many reminders and labels, the list has at most 120 kB and the form 40 kB")
    func bytes() async throws {
        let browser = try await TestBrowser()
        try Self.add(300, to: browser, label: "home", due: "20261120")
        for number in 0..<90 {
            try Self.add(10, to: browser, label: "label \(number)", due: "20270\(1 + number % 9)01")
        }
        for (target, most) in [("/", 120_000), ("/add", 40_000), ("/r/1", 40_000)] {
            let bytes = await browser.get(target).body.count
            #expect(bytes <= most, "\(target): \(bytes)")
        }
        let all = await browser.text("/?all=")
        #expect(all.components(of: "<li class=\"row\"") == 1200 && all.contains("<h3>September 2027</h3>"))
    }

    @Test("a list is read once for each state of the store and minute")
    func cache() throws {
        let cache = ListCache()
        var reads = 0
        func content(_ name: String, _ own: Int64, _ minute: Int64) -> Int {
            let moment = ListCache.Moment(version: ContentVersion(others: 1, own: own), minute: minute)
            return cache.content(name, at: moment) {
                reads += 1
                return ListContent(sections: [], labels: [], hasOpen: false, hiddenCount: reads)
            }.hiddenCount
        }
        #expect([content("a", 1, 1), content("b", 1, 1), content("a", 1, 1), content("b", 1, 1)] == [1, 2, 1, 2])
        #expect([content("a", 2, 1), content("a", 2, 1), content("b", 2, 1)] == [3, 3, 4])
        #expect([content("a", 2, 2), content("b", 2, 2), content("a", 2, 2)] == [5, 6, 5])
        for number in 0..<20 { _ = content("other \(number)", 2, 2) }
        #expect(content("a", 2, 2) > 6)
    }

    @Test("a reminder is overdue from the minute after its due time, also if the store does not change")
    func nextMinute() async throws {
        let browser = try await TestBrowser()
        var draft = ReminderDraft(title: "Call Ben")
        let due = CalendarDateTime(localSeconds: browser.useCases.now.secondsSince1970 + 60, zone: .utc)
        draft.due = .dateTime(due)
        _ = try browser.useCases.add([draft])
        #expect(await !browser.text("/").contains("overdue"))
        browser.clock.advance(seconds: 120)
        #expect(await browser.text("/").contains("overdue"))
    }
}
