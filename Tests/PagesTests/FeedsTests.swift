import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavReminders
import Testing

@testable import RemindavPages

@Suite("web pages: feeds")
struct FeedsTests {
    @Test("a feed is created, its address is shown once, and it is renamed, downloaded and revoked")
    func story() async throws {
        let browser = try await TestBrowser()
        _ = try browser.useCases.add(ReminderDraft(title: "Milk", labels: ["home"]))
        #expect(await browser.text("/feeds").contains("No feeds yet."))
        let made = await browser.post("/feeds", ["labels": " home , work", "style": "both", "alarms": "1"])
        let page = String(decoding: made.body, as: UTF8.self)
        #expect(made.status == 200 && made.headers[.cacheControl] == "no-store")
        let address = try #require(page.firstMatch(of: #/value="http:\/\/127\.0\.0\.1:8737\/feed\/[0-9a-f]{32}\.ics"/#))
        for name in ["Google Calendar", "Outlook", "Apple"] { #expect(page.contains("<li>\(name): "), "\(name)") }
        let feeds = await browser.text("/feeds")
        #expect(feeds.contains("<bdi>all lists #home #work, as events and to-dos, with their alarms</bdi>"))
        #expect(feeds.contains("No program has read it yet."))
        #expect(!feeds.contains(String(address.output.dropFirst(7).dropLast())))
        let feed = try #require(try browser.useCases.feeds().first)
        #expect(feed.name == "home" && feed.labels == ["home", "work"] && !feed.showsPrivate)

        let file = await browser.get("/feeds/\(feed.id)/file")
        #expect(file.status == 200 && file.headers["Content-Disposition"]?.contains("filename=\"home.ics\"") == true)
        #expect(String(decoding: file.body, as: UTF8.self).contains("SUMMARY:Milk"))
        #expect(await browser.post("/feeds/\(feed.id)", ["name": "Family <b>"]).status == 303)
        #expect(await browser.text("/feeds").contains("<bdi>Family &lt;b&gt;</bdi>"))
        #expect(
            await browser.text("/feeds/\(feed.id)/revoke").contains("revoke &#39;<bdi>Family &lt;b&gt;</bdi>&#39;?")
        )
        #expect(try browser.useCases.feeds().count == 1)
        #expect(await browser.post("/feeds/\(feed.id)/revoke", [:]).status == 303)
        #expect(try browser.useCases.feeds().isEmpty)
        for target in [
            "/feeds/\(feed.id)", "/feeds/\(feed.id)/revoke", "/feeds/\(feed.id)/file", "/feeds/x", "/feeds/1/x",
        ] {
            #expect(await browser.get(target).status == 404, "\(target)")
        }
    }

    @Test("a feed with a public address has it; without one, the page names the missing setting")
    func publicAddress() async throws {
        let local = Subscription("/feed/x.ics", site: nil, port: 1234)
        #expect(
            NewFeedScreen(feed: try await Self.feed(), subscription: local).markup.contains("Only programs on this")
        )
        let site = Subscription("/feed/x.ics", site: FeedSite("https://cal.example.org/r"), port: 1234)
        let markup = NewFeedScreen(feed: try await Self.feed(), subscription: site).markup
        #expect(markup.contains("value=\"https://cal.example.org/r/feed/x.ics\""))
        #expect(markup.contains("value=\"webcal://cal.example.org/r/feed/x.ics\"") && !markup.contains("Only programs"))
    }

    private static func feed() async throws -> FeedView {
        try await TestBrowser().useCases.createFeed(list: nil, labels: [])
    }

    @Test(
        "a name that cannot be used is refused at its field, and the other fields stay",
        arguments: ["12", "taken", "a\u{7}b"]
    )
    func problems(name: String) async throws {
        let browser = try await TestBrowser()
        let taken = try browser.useCases.createFeed(named: "taken", list: nil, labels: [])
        let other = try browser.useCases.createFeed(named: "other", list: nil, labels: [])
        let answer = await browser.post("/feeds", ["name": name, "labels": "a&b", "style": "todo", "private": "1"])
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 422 && page.contains("<title>Error: Feeds</title>"))
        #expect(page.contains("value=\"a&amp;b\"") && page.contains("<option value=\"todo\" selected=\"\">"))
        #expect(page.contains("name=\"private\" value=\"1\" checked=\"\"") && page.contains("aria-invalid"))
        let renamed = await browser.post("/feeds/\(other.id)", ["name": name])
        #expect(renamed.status == 422)
        #expect(try browser.useCases.feeds().map(\.name) == [taken.name, "other"])
    }

    @Test("a list that does not exist is refused at its field")
    func unknownList() async throws {
        let browser = try await TestBrowser()
        let answer = await browser.post("/feeds", ["list": "Nowhere"])
        #expect(answer.status == 422)
        #expect(try browser.useCases.feeds().isEmpty)
    }
}
