import RemindavCalDAV
import RemindavHTTP
import RemindavResources
import Testing

@Suite("finding the lists (RFC 6764, 5397, 4791)")
struct DiscoveryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fixture: String
        var address = "dav.example.org"
        let home: String
        let lists: [String]
        var pasted: String?
        var testDescription: String { self.fixture }
    }

    static let nextcloudLists = ["personal", "tasks", "deck_shared_by_eva"].map {
        "/remote.php/dav/calendars/user/\($0)/"
    }
    static let nextcloudHome = "/remote.php/dav/calendars/user/"

    static let cases = [
        Case(fixture: "radicale-3.9-discovery", home: "/user/", lists: ["/user/tasks/"]),
        Case(
            fixture: "radicale-3.9-discovery",
            address: "anna@dav.example.org",
            home: "/user/",
            lists: ["/user/tasks/"]
        ),
        Case(
            fixture: "xandikos-0.4-discovery",
            address: "https://dav.example.org",
            home: "/user/calendars/",
            lists: ["/user/calendars/tasks/"]
        ),
        Case(
            fixture: "nextcloud-32-discovery-from-a-web-page",
            address: "https://dav.example.org/index.php/apps/tasks/#/collections/all",
            home: nextcloudHome,
            lists: nextcloudLists
        ),
        Case(fixture: "nextcloud-32-discovery-without-well-known", home: nextcloudHome, lists: nextcloudLists),
        Case(
            fixture: "nextcloud-32-discovery-from-a-list",
            address: "caldavs://dav.example.org/remote.php/dav/calendars/user/tasks",
            home: nextcloudHome,
            lists: nextcloudLists,
            pasted: "/remote.php/dav/calendars/user/tasks/"
        ),
        Case(
            fixture: "cyrus-3.6-discovery",
            home: "/dav/calendars/user/user/",
            lists: ["/dav/calendars/user/user/tasks/"]
        ),
        Case(
            fixture: "sogo-5.8-discovery",
            address: "https://dav.example.org/SOGo/so/user/Mail",
            home: "/SOGo/dav/user/Calendar/",
            lists: ["/SOGo/dav/user/Calendar/personal/"]
        ),
        Case(
            fixture: "davical-1.1-discovery",
            address: "https://dav.example.org/davical/caldav.php/",
            home: "/davical/caldav.php/user/",
            lists: ["/davical/caldav.php/user/tasks/"]
        ),
        Case(
            fixture: "synology-discovery-without-principal",
            address: "https://dav.example.org/caldav/user/tasks/",
            home: "/caldav/user/",
            lists: ["/caldav/user/tasks/"],
            pasted: "/caldav/user/tasks/"
        ),
        Case(fixture: "made-two-homes", home: "/own/ /shared/", lists: ["/own/a/", "/shared/b/"]),
    ]

    @Test("every form of the address leads to the same lists", arguments: cases)
    func discover(_ test: Case) async throws {
        let talk = try Conversation(test.fixture, address: test.address)
        let found = try await talk.client.discover()
        #expect(found.homes.map(\.path) == test.home.split(separator: " ").map(String.init))
        #expect(found.lists.map(\.url.path) == test.lists)
        #expect(found.pasted?.path == test.pasted)
        await talk.expectFinished()
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let fixture: String
        var address = "dav.example.org"
        let code: CalDAVError.Code
        let word: String
        var testDescription: String { self.fixture }
    }

    static let refusals = [
        Refusal(fixture: "cyrus-3.6-unauthenticated", code: .unauthorized, word: "did not request a password"),
        Refusal(fixture: "nextcloud-32-wrong-password", code: .unauthorized, word: "app password"),
        Refusal(fixture: "nextcloud-32-maintenance", code: .busy, word: "maintenance mode"),
        Refusal(fixture: "made-redirect-to-another-host", code: .redirectRefused, word: "evil.example.net"),
        Refusal(
            fixture: "made-web-page",
            address: "https://dav.example.org/blog/",
            code: .notCalDAV,
            word: "https://dav.example.org/blog/"
        ),
    ]

    @Test("an address without an account ends in one sentence with the reason", arguments: refusals)
    func refuse(_ test: Refusal) async throws {
        let talk = try Conversation(test.fixture, address: test.address)
        let error = await #expect(throws: CalDAVError.of(test.code)) { try await talk.client.discover() }
        #expect(error?.description.contains(test.word) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(Conversation.password) == false)
        await talk.expectFinished()
    }

    @Test("the password is sent only to the given origin")
    func onlyOneOrigin() async throws {
        let talk = try Conversation("made-redirect-to-another-host")
        _ = try? await talk.client.discover()
        let sent = await talk.server.authorizations
        #expect(sent.count == 7)
        // user:correct-horse-7Q
        #expect(Set(sent) == ["Basic dXNlcjpjb3JyZWN0LWhvcnNlLTdR"])
    }

    @Test(
        "an invalid address is refused without repeating it",
        arguments: [
            "", "  ", "ftp://example.org", "https://", "https://user:pw-canary@example.org/", "https://exa mple.org",
        ]
    )
    func badAddress(_ address: String) {
        let error = #expect(throws: CalDAVError.of(.badAddress)) {
            _ = try CalDAVClient(
                address: address,
                credentials: Credentials(user: "u", password: Secret("p")),
                transport: ReplayTransport(Transcript(bytes: []))
            )
        }
        #expect(error?.description.contains("canary") == false)
    }

    @Test("plain http to another machine is refused unless the caller allows it")
    func plainHTTP() throws {
        let transport = ReplayTransport(Transcript(bytes: []))
        let credentials = Credentials(user: "u", password: Secret("p"))
        #expect(throws: CalDAVError.of(.insecure)) {
            _ = try CalDAVClient(address: "http://nas.local/", credentials: credentials, transport: transport)
        }
        for address in ["http://127.0.0.1:5232/", "localhost:5232", "http://[::1]/"] {
            _ = try CalDAVClient(address: address, credentials: credentials, transport: transport)
        }
        _ = try CalDAVClient(
            address: "http://nas.local/",
            credentials: credentials,
            transport: transport,
            allowsInsecure: true
        )
    }
}

@Suite("listing a home (RFC 4791)")
struct ListingTests {
    @Test("a list is read with all of its properties")
    func properties() async throws {
        let talk = try Conversation("radicale-3.9-discovery")
        let list = try #require(try await talk.client.discover().lists.first)
        #expect(list.displayName == "Tasks")
        #expect(list.color == "#FF8800")
        #expect(list.components == ["VTODO"])
        #expect(list.supports("VTODO") && !list.supports("VEVENT"))
        #expect(list.isWritable)
        #expect(list.syncToken == "http://radicale.org/ns/sync/e3b0")
        #expect(list.ctag == "\"e3b0\"")
        #expect(list.supportsSyncCollection)
        #expect(list.maxResourceSize == 10_000_000)
    }

    @Test("a shared list may be for reading only, and opacity is no part of a colour")
    func privileges() async throws {
        let lists = try await Conversation("nextcloud-32-discovery-without-well-known").client.discover().lists
        #expect(lists.map(\.isWritable) == [true, true, false])
        #expect(lists.map(\.color) == [nil, "#FF5722", nil])
    }

    @Test("a name with surrogate references is read with its emoji")
    func emoji() async throws {
        let talk = try Conversation("sogo-5.8-discovery", address: "https://dav.example.org/SOGo/so/user/Mail")
        let list = try await talk.client.discover().lists.first
        #expect(list?.displayName == "Zuhause 😀")
        #expect(list?.syncToken == "-1")
    }

    @Test(
        "an incomplete listing is an error, never an empty home",
        arguments: [
            ("xandikos-0.4-missing-collection", "/nope/", CalDAVError.Code.notFound),
            ("made-listing-of-nothing", "/user/", .brokenAnswer),
            ("made-listing-partly-failed", "/user/", .brokenAnswer),
            ("made-listing-cut", "/user/", .brokenAnswer),
            ("made-redirect-to-plain-http", "/user/", .insecure),
            ("made-negotiate-only", "/user/", .unauthorized),
        ]
    )
    func broken(fixture: String, path: String, code: CalDAVError.Code) async throws {
        let talk = try Conversation(fixture)
        await #expect(throws: CalDAVError.of(code)) { try await talk.client.lists(in: ReplayTransport.url(path)) }
        await talk.expectFinished()
    }

    @Test("more than five redirects are not followed")
    func loop() async throws {
        let talk = try Conversation("made-redirect-loop")
        await #expect(throws: CalDAVError.of(.tooManyRedirects)) {
            try await talk.client.lists(in: ReplayTransport.url("/tasks/0"))
        }
        #expect(await talk.client.requestCount == 6)
    }

    @Test("from http to https on the same host a redirect is followed with method and body")
    func upgrade() async throws {
        let talk = try Conversation(
            "made-redirect-to-https",
            address: "http://dav.example.org/user/",
            allowsInsecure: true
        )
        let home = try #require(URL("http://dav.example.org/user/"))
        let lists = try await talk.client.lists(in: home)
        #expect(lists.map(\.url.text) == ["https://dav.example.org/user/tasks/"])
        await talk.expectFinished()
    }
}
