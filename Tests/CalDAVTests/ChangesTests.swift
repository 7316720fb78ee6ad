import RemindavResources
import RemindavWebDAV
import Testing

@testable import RemindavCalDAV

@Suite("sync-collection (RFC 6578)")
struct ChangesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fixture: String
        var token: String?
        /// The token in the listing of the collection.
        var current: String?
        let changed: [String]
        var removed: [String] = []
        let newToken: String?
        let isComplete: Bool
        var testDescription: String { self.fixture }
    }

    static let sabre = "http://sabre.io/ns/sync/"

    static let cases = [
        Case(
            fixture: "nextcloud-32-changes",
            token: sabre + "17",
            changed: ["a.ics \"a2\""],
            removed: ["b.ics", "c.ics"],
            newToken: sabre + "20",
            isComplete: false
        ),
        Case(
            fixture: "radicale-3.9-expired-token",
            token: "urn:old",
            changed: ["a.ics \"a\"", "c.ics \"c\""],
            newToken: "urn:n",
            isComplete: true
        ),
        Case(
            fixture: "xandikos-0.4-expired-token",
            token: "cbaa",
            changed: ["a.ics \"a\""],
            newToken: "1f",
            isComplete: true
        ),
        Case(
            fixture: "xandikos-0.4-foreign-token",
            token: "data:,1",
            changed: ["a.ics \"a\""],
            newToken: "1f",
            isComplete: true
        ),
        Case(
            fixture: "sogo-5.8-changes-unencoded",
            token: "1795198764",
            changed: ["%C3%BC.ics \"gcs3\"", "a%20b.ics \"gcs00000001\"", "a%25b.ics \"gcs2\""],
            removed: ["x+y.ics"],
            newToken: "1795198770",
            isComplete: false
        ),
        Case(
            fixture: "sogo-5.8-emptied",
            token: "1795198764",
            changed: [],
            removed: ["a.ics"],
            newToken: "-1",
            isComplete: false
        ),
        Case(
            fixture: "sogo-5.8-same-second",
            token: "1795332762",
            current: "1795332763",
            changed: ["a.ics \"gcs00000000\""],
            removed: ["b.ics"],
            newToken: "1795332762",
            isComplete: false
        ),
        Case(
            fixture: "sogo-5.8-never-filled",
            token: "0",
            current: "-1",
            changed: [],
            newToken: "0",
            isComplete: false
        ),
        Case(fixture: "sogo-5.8-error-namespace", token: "17", changed: [], newToken: "18", isComplete: true),
        Case(
            fixture: "cyrus-3.6-pages",
            changed: ["s0.ics \"0\"", "s5.ics \"5\""],
            newToken: "data:,1795198764-9",
            isComplete: true
        ),
        Case(
            fixture: "cyrus-3.6-changed-and-removed",
            token: "data:,1-1",
            changed: ["a.ics \"2\""],
            newToken: "data:,1-2",
            isComplete: false
        ),
        Case(
            fixture: "sabre-4.7-echoed-token",
            token: sabre + "7",
            current: sabre + "4",
            changed: ["new.ics \"n\""],
            newToken: sabre + "4",
            isComplete: true
        ),
        Case(
            fixture: "nextcloud-32-token-from-the-future",
            token: sabre + "999999",
            changed: ["a.ics \"a\""],
            newToken: sabre + "20",
            isComplete: true
        ),
        Case(
            fixture: "davical-1.1-foreign-token",
            token: "http://radicale.org/ns/sync/1f",
            changed: ["a.ics \"a\""],
            newToken: "data:,12",
            isComplete: true
        ),
        Case(
            fixture: "vikunja-refuses-sync",
            token: "t",
            changed: ["a.ics \"a\""],
            newToken: nil,
            isComplete: true
        ),
    ]

    @Test("the changes are those of the server", arguments: cases)
    func changes(_ test: Case) async throws {
        let talk = try Conversation(test.fixture)
        let list = talk.list.with(syncToken: test.current.map { SyncToken($0) })
        let set = try await talk.client.changes(in: list, since: test.token.map { SyncToken($0) })
        #expect(set.changed.map { "\($0.href.wire.dropFirst(3)) \($0.etag?.wire ?? "-")" } == test.changed)
        #expect(set.removed.map { String($0.wire.dropFirst(3)) } == test.removed)
        #expect(set.token?.wire == test.newToken)
        #expect(set.isComplete == test.isComplete)
        await talk.expectFinished()
    }

    @Test(
        "no number in a server's token crashes the program",
        arguments: [("\(Int64.max)", "\(Int64.min)"), ("\(Int64.min)", "\(Int64.max)"), ("\(UInt64.max)", "-1")]
    )
    func extremes(_ token: String, _ state: String) {
        #expect(!Quirks.isPlausible(from: token, to: token, current: state))
    }

    @Test("a server without the report is listed, and not asked for it again")
    func unsupported() async throws {
        let talk = try Conversation("sabre-1.8-no-sync-collection")
        let first = try await talk.client.changes(in: talk.list, since: "t")
        #expect(first.isComplete && first.token == nil)
        #expect(first.changed.map(\.href) == [talk.href("a.ics")])
        #expect(try await talk.client.changes(in: talk.list, since: nil) == first)
        await talk.expectFinished()
    }

    @Test(
        "a truncated, foreign or partly failed answer is an error, never a change",
        arguments: [
            ("made-pages-without-end", "t", CalDAVError.Code.brokenAnswer),
            ("made-sync-partly-failed", nil, .brokenAnswer),
            ("made-sync-foreign-members", nil, .brokenAnswer),
            ("made-sync-foreign-host", nil, .redirectRefused),
            ("made-sync-web-page", "t", .notCalDAV),
            ("made-sync-document-type", "t", .brokenAnswer),
            ("rate-limited", "t", .busy),
        ] as [(String, String?, CalDAVError.Code)]
    )
    func broken(fixture: String, token: String?, code: CalDAVError.Code) async throws {
        let talk = try Conversation(fixture)
        let error = await #expect(throws: CalDAVError.of(code)) {
            try await talk.client.changes(in: talk.list, since: token.map { SyncToken($0) })
        }
        if code == .busy { #expect(error?.retryAfterSeconds == 300) }
        await talk.expectFinished()
    }

    @Test("an answer with an unnamed part is ignored: everything is listed, and no token is stored")
    func nameless() async throws {
        let talk = try Conversation("made-sync-nameless")
        let set = try await talk.client.changes(in: talk.list, since: "t1")
        #expect(set.changed.map(\.href) == [talk.href("a.ics"), talk.href("b.ics")])
        #expect(set.isComplete && set.token == nil)
        await talk.expectFinished()
        let listing = try Conversation("made-listing-nameless")
        await #expect(throws: CalDAVError.of(.brokenAnswer)) { try await listing.client.listing(of: listing.list) }
    }

    @Test("a listing without its collection proves nothing")
    func listingWithoutCollection() async throws {
        let talk = try Conversation("made-listing-without-collection")
        await #expect(throws: CalDAVError.of(.brokenAnswer)) { try await talk.client.listing(of: talk.list) }
    }

    @Test("a list without members is empty")
    func emptyList() async throws {
        let talk = try Conversation("made-listing-empty-list")
        let set = try await talk.client.listing(of: talk.list)
        #expect(set.changed.isEmpty && set.isComplete)
    }

    @Test("a list that is new here is read by one query, with the token of its listing")
    func query() async throws {
        let talk = try Conversation("radicale-3.9-query")
        let list = talk.list.with(syncToken: "http://radicale.org/ns/sync/1f")
        let set = try await talk.client.everything(in: list)
        #expect(set.changed.map(\.href) == ["a.ics", "b.ics", "c.ics"].map { talk.href($0) })
        #expect(set.texts.map(\.href) == ["a.ics", "b.ics"].map { talk.href($0) })
        #expect(set.texts.first.map { $0.text.starts(with: Array("BEGIN:VCALENDAR".utf8)) } == true)
        #expect(set.token == "http://radicale.org/ns/sync/1f" && set.isComplete && set.removed.isEmpty)
        #expect(await talk.client.capabilities.abilities[.textsByQuery] == true)
        await talk.expectFinished()
    }

    @Test(
        "a query with a truncated, empty or refused answer is ignored, and sync-collection is used",
        arguments: ["made-query-cut", "made-query-nothing", "made-query-refused"]
    )
    func queryInVain(_ fixture: String) async throws {
        let talk = try Conversation(fixture)
        let list = talk.list.with(syncToken: "t8")
        let set = try await talk.client.everything(in: list)
        #expect(set.texts.map(\.href) == ["a.ics", "b.ics"].map { talk.href($0) })
        #expect(set.token == "t9" && set.isComplete)
        if fixture == "made-query-refused" {
            #expect(try await talk.client.everything(in: list).texts.count == 2)
        }
        await talk.expectFinished()
    }

    @Test("if the token is a clock value, or none was listed, no query is sent", arguments: ["1795332763", nil])
    func clock(_ token: String?) async throws {
        let talk = try Conversation("radicale-3.9-query")
        let list = talk.list.with(syncToken: token.map { SyncToken($0) })
        await #expect(throws: (any Error).self) {
            try await talk.client.everything(in: list)
        }
        #expect(await talk.server.leftOver.count == 1)
    }

    @Test("the same member in two spellings is one")
    func duplicates() async throws {
        let talk = try Conversation("zimbra-duplicates")
        #expect(try await talk.client.listing(of: talk.list).changed.count == 1)
    }
}
