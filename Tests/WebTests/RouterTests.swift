import RemindavCompression
import RemindavHTTP
import RemindavICalendar
import RemindavResources
import RemindavSQLiteStore
import RemindavStore
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavWeb

@Suite("feeds over HTTP (RFC 9110)")
struct RouterTests {
    private static let path = "/feed/\(Samples.token).ics"

    private struct Broken: Error {}

    /// A number that several tasks change.
    private final class Counter: Sendable {
        let value = Mutex(0)
    }

    /// A router with one feed, as the store would have it.
    private static func router(
        _ objects: [CalendarObject]? = nil,
        style: FeedStyle = .event,
        publicPrefix: String = ""
    ) throws -> Router {
        let objects = objects ?? Samples.objects((try? Fixture.bytes("web/made-reminders.ics")) ?? [])
        let content = FeedContent(name: "Home", objects: objects, style: style)
        // No store is written to, so that each has one version.
        let version = try ReminderStore.inMemory().read { snapshot throws(DatabaseError) in
            try snapshot.contentVersion()
        }
        let source = FeedSource(
            version: { hash in hash == SHA256(Samples.token.utf8).bytes ? version : nil },
            revisions: { _ in FeedRevisions(names: [], objects: []) },
            content: { hash in hash == SHA256(Samples.token.utf8).bytes ? content : nil }
        )
        return Router(zones: Samples.noZones, localZone: Samples.localZone, publicPrefix: publicPrefix, source: source)
    }

    private static func ask(
        _ method: String = "GET",
        _ url: String = path,
        _ headers: Headers = [:]
    ) async throws -> Response {
        try await self.router().respond(to: Request(method: method, url: url, headers: headers))
    }

    static let statuses: [(method: String, url: String, status: Int)] = [
        ("GET", path, 200),
        ("HEAD", path, 200),
        ("GET", "\(path)?style=event", 200),
        ("GET", "\(path)?style=todo", 200),
        ("GET", "\(path)?style=both", 200),
        ("GET", "\(path)?nocache=1700000000&style=both", 200),
        ("GET", "\(path)?", 200),
        ("GET", "\(path)?style=", 200),
        ("GET", "\(path)?style=EVENT", 200),
        ("GET", "/reminders\(path)", 404),
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
    func status(_ test: (method: String, url: String, status: Int)) async throws {
        let response = try await Self.ask(test.method, test.url)
        #expect(response.status == test.status)
        #expect((response.headers["Allow"] == "GET, HEAD") == (test.status == 405))
    }

    @Test("a wrong token and any other address get the same answer for each method")
    func nothingIsDisclosed() async throws {
        let unknown = try await Self.ask("GET", "/feed/ffffffffffffffffffffffffffffffff.ics")
        let refused = try await Self.ask("POST", Self.path)
        for test in Self.statuses {
            let response = try await Self.ask(test.method, test.url)
            if test.status == 404 { #expect(response == unknown) }
            if test.status == 405 { #expect(response == refused) }
        }
    }

    @Test("the feed has the headers for subscribers, and no others")
    func headers() async throws {
        let response = try await Self.ask()
        #expect(response.headers[.contentType] == "text/calendar; charset=utf-8")
        #expect(response.headers[.cacheControl] == "private, max-age=300")
        #expect(response.headers["X-Robots-Tag"] == "noindex")
        #expect(response.headers["Referrer-Policy"] == "no-referrer")
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        #expect(response.headers[.lastModified] == "Tue, 24 Nov 2026 08:00:00 GMT")
        #expect(response.headers[.etag] == "\"\(SHA256(response.body).hexadecimal)\"")
        #expect(response.headers["Vary"] == "Accept-Encoding, User-Agent")
        #expect(response.headers.fields.count == 8)
    }

    @Test("HEAD is answered like GET")
    func head() async throws {
        let head = try await Self.ask("HEAD")
        #expect(head == (try await Self.ask("GET")))
    }

    @Test(
        "If-None-Match",
        arguments: [
            ("TAG", 304), ("W/TAG", 304), ("*", 304), ("\"a\", TAG", 304), ("\"a,b\" , W/\"c\",TAG", 304),
            (",,TAG", 304),
            ("\"a\"", 200), ("", 200), ("TAG2", 304), ("unquoted", 200), ("w/TAG", 200), ("\"", 200),
        ]
    )
    func notModified(_ test: (field: String, status: Int)) async throws {
        let full = try await Self.ask()
        let field = test.field.replacing("TAG", with: full.headers[.etag] ?? "")
        let response = try await Self.ask("GET", Self.path, ["If-None-Match": field])
        #expect(response.status == test.status)
        guard response.status == 304 else { return }
        #expect(response.body.isEmpty)
        #expect(response.headers[.etag] == full.headers[.etag])
        #expect(response.headers[.cacheControl] == full.headers[.cacheControl])
        #expect(response.headers[.contentType] == nil)
    }

    @Test("the style is that of the feed; a caller cannot choose another", arguments: FeedStyle.allCases)
    func styleOfFeed(style: FeedStyle) async throws {
        let router = try Self.router(style: style)
        let plain = await router.respond(to: Request(url: Self.path))
        let text = String(decoding: plain.body, as: UTF8.self)
        #expect(text.contains("BEGIN:VEVENT") == (style != .todo))
        #expect(text.contains("BEGIN:VTODO") == (style != .event))
        for wish in FeedStyle.allCases {
            #expect(await router.respond(to: Request(url: "\(Self.path)?style=\(wish.rawValue)")) == plain)
        }
    }

    @Test(
        "the path of a web server in front is optional, and no other path is accepted",
        arguments: ["/reminders", "/a/b"]
    )
    func publicPrefix(prefix: String) async throws {
        let router = try Self.router(publicPrefix: prefix)
        for (path, status) in [
            (Self.path, 200), (prefix + Self.path, 200), (prefix + prefix + Self.path, 404), ("/x" + Self.path, 404),
            (String(prefix.dropFirst()) + Self.path, 404), (prefix + "x" + Self.path, 404),
        ] {
            #expect(await router.respond(to: Request(url: path)).status == status, "\(path)")
        }
    }

    /// Returns a router with a feed that counts its created bodies; `revision` replaces the revisions of its reminders.
    private static func counting(_ store: ReminderStore, revision: Counter, made: Counter) throws -> Router {
        let object = try #require(Samples.object("DUE;VALUE=DATE:20261130", "SUMMARY:A"))
        return Router(
            zones: Samples.noZones,
            localZone: Samples.localZone,
            source: FeedSource(
                version: { _ in try store.read { snapshot throws(DatabaseError) in try snapshot.contentVersion() } },
                revisions: { _ in FeedRevisions(names: ["\(revision.value.withLock { $0 })"], objects: []) },
                content: { _ in
                    made.value.withLock { $0 += 1 }
                    return FeedContent(name: "Home", objects: [object])
                }
            )
        )
    }

    @Test("the feed is made once for each revision, for any number of simultaneous requests")
    func madeOnce() async throws {
        let store = try ReminderStore.inMemory()
        let (revision, made) = (Counter(), Counter())
        let router = try Self.counting(store, revision: revision, made: made)
        for round in 1...3 {
            await withTaskGroup(of: Response.self) { group in
                for number in 0..<50 {
                    let method = number % 2 == 0 ? "GET" : "HEAD"
                    group.addTask { await router.respond(to: Request(method: method, url: Self.path)) }
                }
                for await response in group { #expect(response.status == 200) }
            }
            #expect(made.value.withLock { $0 } == round)
            revision.value.withLock { $0 += 1 }
            _ = try store.write { try $0.insertList(named: "List \(round)", color: nil, at: 0) }
        }
    }

    @Test("a write that changes no reminder of the feed reads no text")
    func unchangedRevisions() async throws {
        let store = try ReminderStore.inMemory()
        let (revision, made) = (Counter(), Counter())
        let router = try Self.counting(store, revision: revision, made: made)
        let first = await router.respond(to: Request(url: Self.path))
        for round in 1...3 {
            _ = try store.write { try $0.insertList(named: "List \(round)", color: nil, at: 0) }
            #expect(await router.respond(to: Request(url: Self.path)) == first)
            let tag = first.headers[.etag] ?? ""
            let unchanged = await router.respond(to: Request(url: Self.path, headers: ["If-None-Match": tag]))
            #expect(unchanged.status == 304)
        }
        #expect(made.value.withLock { $0 } == 1)
    }

    @Test(
        "a client that accepts gzip gets it, with an entity tag of its own",
        arguments: [
            ("gzip", true), ("gzip, deflate, br", true), ("GZIP;q=0.5", true), ("x-gzip", true), ("*", true),
            ("deflate, gzip;q=1.0, *;q=0.5", true), ("identity;q=0.5, gzip", true),
            ("gzip;q=0.8, identity;q=0.8", true),
            ("", false), ("identity", false), ("deflate", false), ("gzip;q=0", false), ("gzip; q=0.000", false),
            ("*;q=0", false), ("gzip;q=0, *", false), ("gzip;q=0.5, identity", false), ("gzip;q=2", false),
            ("gzip;q=", false),
            ("notgzip", false), (";", false),
        ]
    )
    func gzip(_ test: (field: String, isCompressed: Bool)) async throws {
        let plain = try await Self.ask()
        let response = try await Self.ask("GET", Self.path, ["Accept-Encoding": test.field])
        #expect(response.headers["Vary"] == "Accept-Encoding, User-Agent")
        guard test.isCompressed else {
            #expect(response == plain)
            return
        }
        #expect(response.status == 200)
        #expect(response.headers["Content-Encoding"] == "gzip")
        #expect(response.body == Gzip.compress(plain.body))
        let tag = try #require(response.headers[.etag])
        #expect(tag != plain.headers[.etag])
        for (condition, coding, status) in [
            (tag, test.field, 304), (tag, "", 200), (plain.headers[.etag] ?? "", test.field, 200),
        ] {
            let headers: Headers = ["Accept-Encoding": coding, "If-None-Match": condition]
            let again = try await Self.ask("GET", Self.path, headers)
            #expect(again.status == status)
            if status == 304 {
                #expect(again.headers[.etag] == tag && again.headers["Vary"] != nil)
                #expect(again.body.isEmpty && again.headers["Content-Encoding"] == nil)
            }
        }
        #expect(response == (try await Self.ask("HEAD", Self.path, ["Accept-Encoding": test.field])))
    }

    @Test(
        "Outlook never gets gzip",
        arguments: ["Microsoft Office/16.0 (Microsoft Outlook 16.0.5056; Pro)", "Outlook-iOS/2.0"]
    )
    func outlook(agent: String) async throws {
        let response = try await Self.ask("GET", Self.path, ["Accept-Encoding": "gzip", "User-Agent": agent])
        #expect(response == (try await Self.ask()))
    }

    @Test("a revoked feed is not found, also if its body was made before")
    func revoked() async throws {
        let isRevoked = Mutex(false)
        let version = try ReminderStore.inMemory().read { snapshot throws(DatabaseError) in
            try snapshot.contentVersion()
        }
        let router = Router(
            zones: Samples.noZones,
            localZone: "UTC",
            source: FeedSource(
                version: { _ in isRevoked.withLock { $0 } ? nil : version },
                revisions: { _ in FeedRevisions(names: [], objects: []) },
                content: { _ in FeedContent(name: "Home", objects: []) }
            )
        )
        #expect(await router.respond(to: Request(url: Self.path)).status == 200)
        isRevoked.withLock { $0 = true }
        #expect(await router.respond(to: Request(url: Self.path)).status == 404)
    }

    @Test("the entity tag changes with a reminder and not with a request")
    func tagFollowsData() async throws {
        let request = Request(url: Self.path)
        let before = try #require(Samples.object("DUE;VALUE=DATE:20261130", "SUMMARY:A"))
        let after = try #require(Samples.object("DUE;VALUE=DATE:20261130", "SUMMARY:B"))
        let first = try await Self.router([before]).respond(to: request)
        #expect(first == (try await Self.router([before]).respond(to: request)))
        #expect(first.headers[.etag] != (try await Self.router([after]).respond(to: request)).headers[.etag])
    }

    @Test("an empty feed is a calendar without reminders")
    func empty() async throws {
        let response = try await Self.router([]).respond(to: Request(url: Self.path))
        #expect(response.status == 200)
        #expect(response.headers[.lastModified] == nil)
        #expect(ICalendarDocument(response.body).calendar?.components.isEmpty == true)
    }

    @Test("an unreadable store gives 503 with Retry-After and no other information")
    func unavailable() async throws {
        let version = try ReminderStore.inMemory().read { snapshot throws(DatabaseError) in
            try snapshot.contentVersion()
        }
        let sources = [
            FeedSource(version: { _ in throw Broken() }, revisions: { _ in nil }, content: { _ in nil }),
            FeedSource(version: { _ in version }, revisions: { _ in throw Broken() }, content: { _ in nil }),
            FeedSource(
                version: { _ in version },
                revisions: { _ in FeedRevisions(names: [], objects: []) },
                content: { _ in throw Broken() }
            ),
        ]
        for source in sources {
            let router = Router(zones: Samples.noZones, localZone: "UTC", source: source)
            // A failure is not kept: the second answer is the same.
            for _ in 0..<2 {
                let response = await router.respond(to: Request(url: Self.path))
                #expect(response.status == 503)
                #expect(response.headers[.retryAfter] == "60")
                #expect(!String(decoding: response.body, as: UTF8.self).contains("Broken"))
            }
        }
    }

    @Test("while the store cannot be read, a feed in memory is served until its max-age ends, if that is wanted")
    func withoutStore() async throws {
        let version = try ReminderStore.inMemory().read { snapshot throws(DatabaseError) in
            try snapshot.contentVersion()
        }
        let isBroken = Mutex(false)
        let start = ContinuousClock.now
        let seconds = Mutex(0)
        func router(_ answersWithoutStore: Bool) -> Router {
            Router(
                zones: Samples.noZones,
                localZone: "UTC",
                source: FeedSource(
                    version: { hash in
                        if isBroken.withLock({ $0 }) { throw Broken() }
                        return hash == SHA256(Samples.token.utf8).bytes ? version : nil
                    },
                    revisions: { _ in FeedRevisions(names: [], objects: []) },
                    content: { _ in FeedContent(name: "Home", objects: []) }
                ),
                answersWithoutStore: answersWithoutStore,
                now: { start.advanced(by: .seconds(seconds.withLock { $0 })) }
            )
        }
        let (host, single) = (router(true), router(false))
        func ask(_ router: Router, _ path: String = Self.path) async -> (status: Int, age: String?) {
            let response = await router.respond(to: Request(url: path))
            return (response.status, response.headers["Age"])
        }
        #expect(await ask(host) == (200, nil))
        #expect(await ask(single) == (200, nil))
        seconds.withLock { $0 = 100 }
        #expect(await ask(host) == (200, nil))
        isBroken.withLock { $0 = true }
        #expect(await ask(single) == (503, nil))
        // The age is counted from the last time at which the store had the feed.
        for (time, expected) in [(100, "0"), (399, "299")] {
            seconds.withLock { $0 = time }
            #expect(await ask(host) == (200, expected))
        }
        seconds.withLock { $0 = 400 }
        #expect(await ask(host) == (503, nil))
        #expect(await ask(host, "/feed/ffffffffffffffffffffffffffffffff.ics") == (503, nil))
        isBroken.withLock { $0 = false }
        #expect(await ask(host) == (200, nil))
    }

    @Test("no answer contains the token, and the store has only its hash", arguments: Self.statuses)
    func tokenStaysInside(_ test: (method: String, url: String, status: Int)) async throws {
        let response = try await Self.ask(test.method, test.url)
        let text = "\(response)\n\(response.headers)\n\(String(decoding: response.body, as: UTF8.self))"
        #expect(!text.lowercased().contains(Samples.token))
    }
}

@Suite("dates of HTTP (RFC 9110 §5.6.7)")
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
