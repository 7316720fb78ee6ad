import RemindavBridge
import RemindavDatePhrases
import RemindavHTTP
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavSQLiteStore
import RemindavStore
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavPages

/// A time that a test changes.
final class TestClock: Sendable {
    private let time: Mutex<Instant>

    init(_ time: Instant) { self.time = Mutex(time) }

    var now: Instant { self.time.withLock { $0 } }

    func advance(seconds: Int) { self.time.withLock { $0 = $0.adding(seconds: seconds) } }
}

/// A site with a store in memory, and a browser that is signed in.
struct TestBrowser {
    let site: Site
    let useCases: UseCases
    let signIns: SignIns
    let computer = TestComputer()
    let folder: TemporaryFolder
    let clock: TestClock
    var cookie = ""
    static let port: UInt16 = 8737
    static let origin = "http://127.0.0.1:\(port)"

    /// - Parameter isStoredOnDisk: whether the store is in a file, which another connection can lock.
    init(isSignedIn: Bool = true, isOwnProcess: Bool = true, isStoredOnDisk: Bool = false) async throws {
        self.folder = try TemporaryFolder()
        let clock = TestClock(try #require(Instant(wire: "20261120T170500Z")))
        self.clock = clock
        let configuration = Configuration(
            storeFolder: self.folder.path,
            localZone: "UTC",
            zones: ZoneDatabase { _ in nil },
            now: { clock.now }
        )
        let store =
            isStoredOnDisk
            ? try ReminderStore.open(folder: self.folder.path, busyTimeoutMilliseconds: 10)
            : try ReminderStore.inMemory()
        self.useCases = UseCases(configuration: configuration, store: store)
        self.signIns = try SignIns(configuration)
        let zone = LocalZone(
            name: "UTC",
            offsetSeconds: { _ in 0 },
            instant: { CalendarDateTime(date: $0, time: $1, zone: .utc).localSeconds.instant }
        )
        self.site = Site(
            self.useCases,
            reading: try self.useCases.withOwnConnection(),
            alarms: AlarmTable(try self.useCases.withOwnConnection()),
            self.signIns,
            Site.Preferences(zone: zone, standardDue: When.defaultDue()),
            self.computer.computer,
            isOwnProcess: { _ in isOwnProcess }
        )
        guard isSignedIn else { return }
        let ticket = try self.signIns.ticket(validSeconds: 60)
        let answer = await self.get("/in/\(ticket)")
        let pair = try #require(answer.headers[.setCookie]?.split(separator: ";").first)
        self.cookie = String(pair)
    }

    func request(_ method: String, _ target: String, _ headers: Headers = [:], body: String = "") async -> Response {
        var request = Request(method: method, url: target, headers: headers, body: Array(body.utf8))
        request.headers[.host] = "127.0.0.1:\(Self.port)"
        if !self.cookie.isEmpty { request.headers[.cookie] = self.cookie }
        request.peer = Peer(port: 50000, serverPort: Self.port)
        return await self.site.respond(to: request)
    }

    func get(_ target: String, _ headers: Headers = [:]) async -> Response {
        await self.request("GET", target, headers)
    }

    func text(_ target: String) async -> String { String(decoding: await self.get(target).body, as: UTF8.self) }

    var token: String { SignIns.token(of: String(self.cookie.drop { $0 != "=" }.dropFirst())) }

    /// Sends a form as a page of this site does.
    ///
    /// - Parameter others: further fields, of which several can have one name.
    func post(_ target: String, _ fields: [String: String], others: [(String, String)] = []) async -> Response {
        let pairs = fields.merging(["token": self.token]) { mine, _ in mine }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
        let body = (pairs + others).map { "\($0.0)=\(PercentCoding.encode($0.1.utf8))" }.joined(separator: "&")
        let headers: Headers = ["Origin": Self.origin, "Sec-Fetch-Site": "same-origin"]
        return await self.request("POST", target, headers, body: body)
    }
}

extension Int64 {
    fileprivate var instant: Instant { Instant(secondsSince1970: self) }
}

@Suite("web pages: sign-in and protection")
struct SiteTests {
    @Test("a ticket signs in once, and the sign-in can be ended")
    func signIn() async throws {
        var browser = try await TestBrowser(isSignedIn: false)
        #expect(await browser.get("/").status == 403)
        let ticket = try browser.signIns.ticket(validSeconds: 60)
        let answer = await browser.get("/in/\(ticket)")
        #expect(answer.status == 303 && answer.headers[.location] == "/")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasPrefix("remindav-8737=") && cookie.contains("; HttpOnly; SameSite=Strict"))
        #expect(await browser.get("/in/\(ticket)").status == 403)
        browser.cookie = String(cookie.prefix { $0 != ";" })
        #expect(await browser.get("/").status == 200)
        #expect(try browser.signIns.browsers().count == 1)
        let out = await browser.post("/out", [:])
        #expect(out.status == 303 && out.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(out.headers["Clear-Site-Data"] == "\"cache\", \"storage\"")
        #expect(await browser.get("/").status == 403)
    }

    @Test("a form without a sign-in keeps its text in the page, but no password")
    func typedAgain() async throws {
        var browser = try await TestBrowser()
        browser.cookie = ""
        let fields = ["title": "Buy milk", "password": "canary-1", "key-password": "canary-2"]
        let page = String(decoding: await browser.post("/add", fields).body, as: UTF8.self)
        #expect(page.contains("value=\"Buy milk\"") && !page.contains("canary"))
    }

    @Test("a ticket for a reminder opens its form; a signed-in browser keeps its sign-in")
    func reminderLink() async throws {
        let browser = try await TestBrowser()
        let ticket = try browser.signIns.ticket(validSeconds: 60)
        let answer = await browser.get("/in/\(ticket)?reminder=12")
        #expect(answer.status == 303 && answer.headers[.location] == "/r/12" && answer.headers[.setCookie] == nil)
        #expect(await browser.get("/in/\(ticket)?reminder=12").status == 403)
        #expect(try browser.signIns.browsers().count == 1)
        let other = try browser.signIns.ticket(validSeconds: 60)
        let foreign = await browser.get("/in/\(other)?reminder=//evil.example")
        #expect(foreign.headers[.location] == "/")
    }

    @Test("an expired ticket, and each of many wrong tickets, is refused; signed-in browsers continue")
    func wrongTickets() async throws {
        let browser = try await TestBrowser()
        let old = try browser.signIns.ticket(validSeconds: 0)
        #expect(await browser.get("/in/\(old)").status == 403)
        for _ in 0..<9 { #expect(await browser.get("/in/00").status == 403) }
        #expect(await browser.get("/in/00").status == 429)
        #expect(await browser.get("/").status == 200)
    }

    @Test("a process of another user gets nothing, even with the cookie")
    func foreignUser() async throws {
        let browser = try await TestBrowser(isSignedIn: false, isOwnProcess: false)
        let ticket = try browser.signIns.ticket(validSeconds: 60)
        for target in ["/", "/in/\(ticket)", "/r/1/delete"] { #expect(await browser.get(target).status == 403) }
    }

    @Test(
        "only a form of this site changes something",
        arguments: ["http://127.0.0.1:8737", "http://127.0.0.1:9", "null", ""],
        ["same-origin", "same-site", "cross-site", "none", ""]
    )
    func origin(origin: String, site: String) async throws {
        let browser = try await TestBrowser()
        for hasToken in [true, false] {
            var headers: Headers = [:]
            if !origin.isEmpty { headers["Origin"] = origin }
            if !site.isEmpty { headers["Sec-Fetch-Site"] = site }
            let body = "text=Milk&token=\(hasToken ? browser.token : "0")"
            let before = try browser.useCases.reminders(matching: ReminderFilter()).count
            let answer = await browser.request("POST", "/quick", headers, body: body)
            let isOwn =
                hasToken && (site == "same-origin" || site.isEmpty) && (origin == TestBrowser.origin || origin.isEmpty)
                && !(site.isEmpty && origin.isEmpty)
            #expect(answer.status == (isOwn ? 303 : 403), "\(origin) \(site) \(hasToken)")
            let added = try browser.useCases.reminders(matching: ReminderFilter()).count - before
            #expect(added == (isOwn ? 1 : 0))
        }
    }

    @Test("each answer has the policy; a page is not kept by other programs, and a file is kept for ever")
    func headers() async throws {
        let browser = try await TestBrowser()
        let page = await browser.text("/")
        let style = try #require(page.split(separator: "\"").first { $0.hasSuffix("page.css") })
        for target in ["/", "/nothing", "/in/00", "/r/99/delete", String(style)] {
            let headers = await browser.get(target).headers
            #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; ") == true, "\(target)")
            #expect(headers["X-Content-Type-Options"] == "nosniff" && headers["Referrer-Policy"] == "same-origin")
        }
        #expect(await browser.get("/").headers[.cacheControl] == "private, no-cache")
        let file = await browser.get(String(style))
        #expect(file.status == 200 && file.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(await browser.get("/a/0000000000000000/page.css").status == 404)
    }

    @Test(
        "an unknown address, a missing reminder and an unknown method have a page",
        arguments: ["/x", "/r/9/delete", "/r"]
    )
    func notFound(target: String) async throws {
        let browser = try await TestBrowser()
        #expect(await browser.get(target).status == 404)
        #expect(await browser.request("PUT", target).status == 405)
        #expect(await browser.post(target, [:]).status == 404)
    }

    @Test("a form with too many fields is refused")
    func manyFields() async throws {
        let browser = try await TestBrowser()
        let fields = Dictionary(uniqueKeysWithValues: (0..<201).map { ("f\($0)", "") })
        #expect(await browser.post("/quick", fields).status == 400)
    }
}

@Suite("web pages: the list")
struct ListScreenTests {
    @Test("a line becomes a reminder; it is completed, undone, snoozed and deleted")
    func story() async throws {
        let browser = try await TestBrowser()
        #expect(await browser.text("/").contains("No reminders yet"))
        let added = await browser.post("/quick", ["text": "Call Ben tomorrow 9am #home"])
        let address = try #require(added.headers[.location])
        let page = await browser.text(address)
        #expect(page.contains("Added &quot;<bdi>Call Ben</bdi>&quot; for tomorrow 09:00, #home."))
        #expect(page.contains("Upcoming (1)</h2><h3>Tomorrow</h3>"))
        #expect(page.contains("Tomorrow 09:00</time>"))
        let completed = await browser.post("/act", ["do": "complete 1"])
        let run = try #require(completed.headers[.location]?.split(separator: "=").last)
        #expect(await browser.text("/?did=\(run)").contains("Completed &quot;<bdi>Call Ben</bdi>&quot;"))
        #expect(await browser.text("/").contains("Nothing is open."))
        #expect(await browser.post("/undo", ["run": String(run)]).status == 303)
        #expect(await browser.text("/").contains("Upcoming (1)"))
        #expect(await browser.post("/act", ["do": "snooze 1 5m"]).status == 303)
        #expect(await browser.text("/").contains("snoozed until Today 17:10"))
        #expect(await browser.text("/r/1/delete").contains("delete &#39;<bdi>Call Ben</bdi>&#39;?"))
        #expect(await browser.post("/act", ["do": "delete 1"]).status == 303)
        #expect(await browser.get("/r/1/delete").status == 404)
        #expect(try browser.useCases.trash().map(\.title) == ["Call Ben"])
        #expect(await browser.text("/trash").contains("<bdi>Call Ben</bdi>"))
        #expect(await browser.text("/log").contains("Deleted &quot;<bdi>Call Ben</bdi>&quot;"))
        #expect(await browser.post("/trash", ["id": "1"]).status == 303)
        #expect(await browser.text("/").contains("<bdi>Call Ben</bdi>"))
        #expect(await browser.text("/trash").contains("The trash is empty"))
        #expect(await browser.post("/act", ["do": "complete 1"]).status == 303)
        #expect(await browser.text("/?section=completed").contains("Completed (1)"))
        #expect(await browser.post("/act", ["do": "reopen 1"]).status == 303)
        #expect(await browser.post("/trash", ["id": "9"]).status == 404)
        #expect(await browser.get("/?did=999").status == 200)
    }

    @Test(
        "an operation that does not exist changes nothing",
        arguments: [
            "", "complete", "complete x", "complete 1 2", "delete", "delete 1 2", "drop 1", "edit 1",
        ]
    )
    func unknownOperation(words: String) async throws {
        let browser = try await TestBrowser()
        _ = await browser.post("/quick", ["text": "Milk"])
        let before = try browser.useCases.reminders(matching: ReminderFilter())
        #expect(await browser.post("/act", ["do": words]).status == 404)
        #expect(try browser.useCases.reminders(matching: ReminderFilter()) == before)
    }

    @Test(
        "text of a reminder is text on each page",
        arguments: [#"<script>alert(1)</script>"#, #""><img src=x>"#, "&amp;'"]
    )
    func escaping(title: String) async throws {
        let browser = try await TestBrowser()
        _ = try browser.useCases.add(ReminderDraft(title: title, labels: ["<i>"]))
        for target in ["/", "/?did=1", "/r/1/delete", "/r/1/actions"] {
            let page = await browser.text(target)
            #expect(!page.contains(title) && !page.contains("<i>"), "\(target)")
        }
    }

    @Test("the list is filtered by a label and by words")
    func filters() async throws {
        let browser = try await TestBrowser()
        for line in ["Milk #shop", "Rent #home", "Bread #shop"] { _ = await browser.post("/quick", ["text": line]) }
        #expect(await browser.text("/?label=shop").contains("Upcoming (2)"))
        #expect(await browser.text("/?label=shop&label=home").contains("Upcoming (3)"))
        #expect(await browser.text("/?q=ren").contains("Upcoming (1)"))
        #expect(await browser.text("/?q=nothing").contains("No reminder matches. <a href=\"/\">"))
    }
}

extension String {
    func components(of part: String) -> Int { self.ranges(of: part).count }
}
