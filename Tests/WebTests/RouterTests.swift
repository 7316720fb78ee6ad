import HTTP
import ICalendar
import TestSupport
import Testing

@testable import Web

@Suite("Feeds over HTTP (RFC 9110)")
struct RouterTests {
    private static let path = "/feed/\(Samples.token).ics"

    private struct Broken: Error {}

    /// A router with one feed, as the store would have it.
    private static func router(_ objects: [CalendarObject]? = nil) -> Router {
        let objects = objects ?? Samples.objects((try? Fixture.bytes("web/made-reminders.ics")) ?? [])
        return Router(zones: Samples.noZones, localZone: Samples.localZone) { hash in
            hash == SHA256(Samples.token.utf8).bytes ? FeedContent(name: "Home", objects: objects) : nil
        }
    }

    private static func ask(_ method: String = "GET", _ url: String = path, _ headers: Headers = [:]) async -> Response
    {
        await self.router().respond(to: Request(method: method, url: url, headers: headers))
    }

    static let statuses: [(method: String, url: String, status: Int)] = [
        ("GET", path, 200),
        ("HEAD", path, 200),
        ("GET", "\(path)?style=event", 200),
        ("GET", "\(path)?style=todo", 200),
        ("GET", "\(path)?style=both", 200),
        ("GET", "\(path)?nocache=1700000000&style=both", 200),
        ("GET", "\(path)?", 200),
        ("GET", "\(path)?style=", 404),
        ("GET", "\(path)?style=EVENT", 404),
        ("GET", "/feed/ffffffffffffffffffffffffffffffff.ics", 404),
        ("GET", "/feed/0123456789ABCDEF0123456789ABCDEF.ics", 404),
        ("GET", "/feed/0123456789abcdef0123456789abcde.ics", 404),
        ("GET", "/feed/0123456789abcdef0123456789abcdef0.ics", 404),
        ("GET", "/feed/%30123456789abcdef0123456789abcdef.ics", 404),
        ("GET", "/feed/0123456789abcdef0123456789abcdef", 404),
        ("GET", "/feed/0123456789abcdef0123456789abcdef.ics/", 404),
        ("GET", "//feed/0123456789abcdef0123456789abcdef.ics", 404),
        ("GET", "/feed/../feed/0123456789abcdef0123456789abcdef.ics", 404),
        ("GET", "/feed/.ics", 404),
        ("GET", "/feed/", 404),
        ("GET", "/", 404),
        ("GET", "", 404),
        ("GET", "/robots.txt", 404),
        ("POST", path, 405),
        ("PUT", path, 405),
        ("DELETE", path, 405),
        ("OPTIONS", path, 405),
        ("PROPFIND", path, 405),
        ("POST", "/feed/ffffffffffffffffffffffffffffffff.ics", 405),
        ("get", path, 405),
    ]

    @Test("each request has its status", arguments: Self.statuses)
    func status(_ test: (method: String, url: String, status: Int)) async {
        let response = await Self.ask(test.method, test.url)
        #expect(response.status == test.status)
        #expect((response.headers["Allow"] == "GET, HEAD") == (test.status == 405))
    }

    @Test("a wrong token and any other address have the same answer, whatever the method says")
    func nothingIsTold() async {
        let unknown = await Self.ask("GET", "/feed/ffffffffffffffffffffffffffffffff.ics")
        let refused = await Self.ask("POST", Self.path)
        for test in Self.statuses {
            let response = await Self.ask(test.method, test.url)
            if test.status == 404 { #expect(response == unknown) }
            if test.status == 405 { #expect(response == refused) }
        }
    }

    @Test("the feed has the headers that subscribers need, and no others")
    func headers() async {
        let response = await Self.ask()
        #expect(response.headers[.contentType] == "text/calendar; charset=utf-8")
        #expect(response.headers[.cacheControl] == "private, max-age=300")
        #expect(response.headers["X-Robots-Tag"] == "noindex")
        #expect(response.headers["Referrer-Policy"] == "no-referrer")
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        #expect(response.headers[.lastModified] == "Tue, 24 Nov 2026 08:00:00 GMT")
        #expect(response.headers[.etag] == "\"\(SHA256(response.body).hexadecimal)\"")
        #expect(response.headers.fields.count == 7)
    }

    @Test("HEAD says what GET says")
    func head() async {
        let head = await Self.ask("HEAD")
        #expect(head == (await Self.ask("GET")))
    }

    @Test(
        "If-None-Match",
        arguments: [
            ("TAG", 304), ("W/TAG", 304), ("*", 304), ("\"a\", TAG", 304), ("\"a,b\" , W/\"c\",TAG", 304),
            (",,TAG", 304),
            ("\"a\"", 200), ("", 200), ("TAG2", 304), ("unquoted", 200), ("w/TAG", 200), ("\"", 200),
        ]
    )
    func notModified(_ test: (field: String, status: Int)) async {
        let full = await Self.ask()
        let field = test.field.replacing("TAG", with: full.headers[.etag] ?? "")
        let response = await Self.ask("GET", Self.path, ["If-None-Match": field])
        #expect(response.status == test.status)
        guard response.status == 304 else { return }
        #expect(response.body.isEmpty)
        #expect(response.headers[.etag] == full.headers[.etag])
        #expect(response.headers[.cacheControl] == full.headers[.cacheControl])
        #expect(response.headers[.contentType] == nil)
    }

    @Test("an entity tag of one style does not match another")
    func tagPerStyle() async {
        let event = await Self.ask()
        let todo = await Self.ask("GET", "\(Self.path)?style=todo", ["If-None-Match": event.headers[.etag] ?? ""])
        #expect(todo.status == 200)
    }

    @Test("the entity tag changes with a reminder and not with a request")
    func tagFollowsData() async throws {
        let request = Request(url: Self.path)
        let before = try #require(Samples.object("DUE;VALUE=DATE:20261130", "SUMMARY:A"))
        let after = try #require(Samples.object("DUE;VALUE=DATE:20261130", "SUMMARY:B"))
        let first = await Self.router([before]).respond(to: request)
        #expect(first == (await Self.router([before]).respond(to: request)))
        #expect(first.headers[.etag] != (await Self.router([after]).respond(to: request)).headers[.etag])
    }

    @Test("an empty feed is a calendar without reminders")
    func empty() async {
        let response = await Self.router([]).respond(to: Request(url: Self.path))
        #expect(response.status == 200)
        #expect(response.headers[.lastModified] == nil)
        #expect(ICalendarDocument(response.body).calendar?.components.isEmpty == true)
    }

    @Test("a store that cannot be read is a reason to come back, and nothing more is told")
    func unavailable() async {
        let router = Router(zones: Samples.noZones, localZone: "UTC") { _ in throw Broken() }
        let response = await router.respond(to: Request(url: Self.path))
        #expect(response.status == 503)
        #expect(response.headers[.retryAfter] == "60")
        #expect(!String(decoding: response.body, as: UTF8.self).contains("Broken"))
    }

    @Test("the token is in no answer, and the store is asked by its hash only", arguments: Self.statuses)
    func tokenStaysInside(_ test: (method: String, url: String, status: Int)) async {
        let response = await Self.ask(test.method, test.url)
        let text = "\(response)\n\(response.headers)\n\(String(decoding: response.body, as: UTF8.self))"
        #expect(!text.lowercased().contains(Samples.token))
    }
}

@Suite("Dates of HTTP (RFC 9110 §5.6.7)")
struct HTTPDateTests {
    @Test(
        "a moment is written as an IMF-fixdate",
        arguments: [
            (Int64(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"), (1_795_209_025, "Fri, 20 Nov 2026 21:10:25 GMT"),
        ]
    )
    func wire(_ test: (seconds: Int64, text: String)) {
        #expect(HTTPDate.wire(Instant(secondsSince1970: test.seconds)) == test.text)
    }
}
