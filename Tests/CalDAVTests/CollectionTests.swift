import RemindavHTTP
import Testing

@testable import RemindavCalDAV

@Suite("renaming, recolouring and deleting a calendar (RFC 4918 §9.2, §9.6.1)")
struct CollectionTests {
    /// The calendar that the transcripts are about.
    private static let list: CalendarCollection = {
        var list = CalendarCollection(url: ReplayTransport.url("/home/l/"))
        list.displayName = "Tasks"
        return list
    }()

    private func change(
        _ change: CollectionChange,
        _ talk: Conversation,
        _ list: CalendarCollection = Self.list
    ) async throws -> CalendarCollection {
        try await talk.client.change(change, of: list, homes: [talk.home])
    }

    @Test(
        "a name is sent, and then read as the server has stored it",
        arguments: [
            "radicale-3.9-proppatch", "xandikos-0.4-proppatch", "sabre-1.8-proppatch", "davical-1.1-proppatch",
            "cyrus-3.6-proppatch", "sogo-5.8-proppatch", "made-proppatch-shared",
        ]
    )
    func name(fixture: String) async throws {
        let talk = try Conversation(fixture)
        let now = try await change(.name("A & B"), talk)
        #expect(now.displayName == "A & B")
        #expect(now.url == Self.list.url)
        await talk.expectFinished()
    }

    @Test(
        "a colour is sent with its opacity, the one form that all servers accept",
        arguments: ["nextcloud-32-proppatch", "sogo-5.8-proppatch-color"]
    )
    func color(fixture: String) async throws {
        let talk = try Conversation(fixture)
        #expect(try await change(.color("#FF8800"), talk).color == "#FF8800")
        await talk.expectFinished()
    }

    @Test(
        "after the removal of a colour the server's value is read, which may be the old colour",
        arguments: [("sabre-4.7-proppatch-no-color", nil), ("sogo-5.8-proppatch-no-color", "#AAAAAA")]
    )
    func noColor(fixture: String, left: String?) async throws {
        let talk = try Conversation(fixture)
        #expect(try await change(.color(nil), talk).color == left)
        await talk.expectFinished()
    }

    @Test("a slow server still reports the old name")
    func late() async throws {
        let talk = try Conversation("infomaniak-proppatch-late")
        #expect(try await change(.name("A & B"), talk).displayName == "Tasks")
        await talk.expectFinished()
    }

    @Test("a calendar that moves with its name is found, by its name or by its resource-id")
    func moved() async throws {
        let zimbra = try Conversation("zimbra-proppatch-moved")
        #expect(try await change(.name("A & B"), zimbra).url.path == "/home/A%20%26%20B/")
        await zimbra.expectFinished()
        let other = try Conversation("made-proppatch-moved-with-identity")
        var list = Self.list
        list.resourceID = "urn:uuid:1"
        let now = try await change(.name("A & B"), other, list)
        #expect(now.url.path == "/home/other/" && now.displayName == "A and B")
        await other.expectFinished()
    }

    @Test(
        "a refusal is recognised at each place in the answer",
        arguments: [
            ("sabre-1.8-proppatch-refused", CalDAVError.Code.forbidden),
            ("cyrus-3.6-proppatch-refused", .forbidden),
            ("davical-1.1-proppatch-refused", .forbidden),
            ("sogo-5.8-proppatch-refused", .forbidden),
            ("made-proppatch-failed-dependency", .serverError),
            ("xandikos-0.4-proppatch-gone", .notFound),
            ("davical-1.1-proppatch-gone", .notFound),
            ("sogo-5.8-proppatch-gone", .notFound),
        ]
    )
    func refused(fixture: String, code: CalDAVError.Code) async throws {
        let talk = try Conversation(fixture)
        let error = await #expect(throws: CalDAVError.of(code)) { try await change(.name("A & B"), talk) }
        #expect(error?.description.contains("A & B") == false)
        await talk.expectFinished()
    }

    @Test("a server that reports a failed removal of a colour is believed")
    func colorStays() async throws {
        let talk = try Conversation("xandikos-0.4-proppatch-no-color")
        await #expect(throws: CalDAVError.of(.serverError)) { try await change(.color(nil), talk) }
        await talk.expectFinished()
    }

    @Test("a deleted calendar is gone, and a missing one is no failure")
    func deleted() async throws {
        for fixture in ["radicale-3.9-delete-list", "cyrus-3.6-delete-list", "nextcloud-32-delete-list"] {
            let talk = try Conversation(fixture)
            #expect(try await talk.client.deleteCalendar(at: Self.list.url) == .deleted)
            #expect(try await talk.client.deleteCalendar(at: Self.list.url) == .alreadyGone)
            await talk.expectFinished()
        }
        let gone = try Conversation("made-delete-list-gone")
        #expect(try await gone.client.deleteCalendar(at: Self.list.url) == .alreadyGone)
    }

    @Test(
        "a calendar that the server does not delete completely is a failure",
        arguments: [
            ("synology-delete-list", CalDAVError.Code.forbidden), ("made-delete-list-partly", .busy),
        ]
    )
    func notDeleted(fixture: String, code: CalDAVError.Code) async throws {
        let talk = try Conversation(fixture)
        await #expect(throws: CalDAVError.of(code)) { try await talk.client.deleteCalendar(at: Self.list.url) }
        await talk.expectFinished()
    }
}
