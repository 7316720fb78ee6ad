import RemindavHTTP
import RemindavResources
import RemindavWebDAV
import Testing

@testable import RemindavCalDAV

@Suite("the trash of a server, and refusals of a UID")
struct TrashTests {
    private let list = CalendarCollection(url: ReplayTransport.url("/home/my%20tasks/"))

    @Test("a deleted item is found in the trash that its home names, once, and is restored by MOVE")
    func restore() async throws {
        let talk = try Conversation("nextcloud-32-trash")
        _ = try await talk.client.lists(in: talk.home)
        let trashed = try await talk.client.trashed(from: self.list)
        #expect(trashed.map(\.href.wire) == ["/home/trashbin/objects/17.ics", "/home/trashbin/objects/19.ics"])
        #expect(trashed.first.map { String(decoding: $0.data, as: UTF8.self) }?.contains("UID:a\n") == true)
        #expect(try await talk.client.restore(trashed[0]))
        #expect(try await talk.client.restore(trashed[1]) == false)
        #expect(try await talk.client.trashed(from: self.list).map(\.href.wire) == ["/home/trashbin/objects/19.ics"])
        await talk.expectFinished()
    }

    @Test("a trash that cannot be read is empty, and so is one that no home names")
    func unreadable() async throws {
        let talk = try Conversation("nextcloud-32-trash-refused")
        #expect(try await talk.client.trashed(from: self.list).isEmpty)
        let second = try Conversation("nextcloud-32-trash-refused")
        _ = try await second.client.lists(in: second.home)
        #expect(try await second.client.trashed(from: self.list).isEmpty)
        await second.expectFinished()
    }

    @Test("an item that a delta reports as removed and a multiget leaves out is gone without another request")
    func removed() async throws {
        let talk = try Conversation("nextcloud-32-multiget-removed")
        let asked = ["a.ics", "b.ics", "c.ics"].map(talk.href)
        let result = try await talk.client.fetch(asked, in: talk.list, wereRemoved: true)
        #expect(result.texts.map(\.href) == [asked[0]])
        #expect(result.missing == Array(asked[1...]))
        await talk.expectFinished()
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var status = 500
        let words: String
        let isTaken: Bool
        var testDescription: String { "\(self.status) \(self.words)" }
    }

    static let refusals = [
        Refusal(
            words: """
                [23000]: Integrity constraint violation: 19 UNIQUE constraint failed: oc_calendarobjects.calendarid, \
                oc_calendarobjects.calendartype, oc_calendarobjects.uid
                """,
            isTaken: true
        ),
        Refusal(
            words: """
                [23000]: Integrity constraint violation: 1062 Duplicate entry '5-0-4c1f' for key \
                'oc_calendarobjects.calobjects_by_uid_index'
                """,
            isTaken: true
        ),
        Refusal(
            words: """
                [23505]: Unique violation: 7 ERROR: duplicate key value violates unique constraint \
                "calobjects_by_uid_index" DETAIL: Key (calendarid, calendartype, uid)=(5, 0, 4c1f) already exists.
                """,
            isTaken: true
        ),
        Refusal(
            words: "[23000]: Integrity constraint violation: 19 UNIQUE constraint failed: oc_calendarobjects.uri",
            isTaken: false
        ),
        Refusal(words: "[HY000]: General error: 5 database is locked", isTaken: false),
        Refusal(words: "[40001]: Serialization failure: 1213 Deadlock found when inserting the uid", isTaken: false),
        Refusal(status: 503, words: "[23000]: UNIQUE constraint failed: oc_calendarobjects.uid", isTaken: false),
    ]

    @Test("only a database error about a duplicate UID means that the UID is refused", arguments: refusals)
    func refusedUID(_ test: Refusal) {
        let words = "An exception occurred while executing a query: SQLSTATE\(test.words)"
        let body = """
            <d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:exception>Doctrine\\DBAL\\Exception</s:exception>\
            <s:message>\(words)</s:message></d:error>
            """
        let url = ReplayTransport.url("/l/a.ics")
        let response = Response(status: test.status, headers: [.contentType: "application/xml"], body: Array(body.utf8))
        let failure = CalDAVClient.Answer(response: response, url: url, method: "PUT").failure()
        #expect(failure.isUIDTaken == test.isTaken)
    }
}
