import RemindavHTTP
import RemindavICalendar
import RemindavRecurrence
import RemindavSQLiteStore
import RemindavStore
import RemindavStoreSupport
import Synchronization
import Testing

@testable import RemindavBridge

@Suite("pushing feeds to a WebDAV server")
struct FeedPushTests {
    /// One file on a server, and the requests for it.
    private final class FileServer: Transport {
        struct State {
            var file: [UInt8]?
            var version = 0
            var requests: [Request] = []
            /// Answers instead of the server; the request is not executed.
            var refusal: Response?
            var failure: TransportError?
            /// Whether the connection breaks after the request was executed.
            var losesAnswers = false
            var sendsTags = true
        }

        let state = Mutex(State())

        func send(_ request: Request) async throws(TransportError) -> Response {
            try self.state.withLock { state throws(TransportError) in
                state.requests.append(request)
                if let failure = state.failure { throw failure }
                if let refusal = state.refusal { return refusal }
                let response = Self.answer(request, &state)
                if state.losesAnswers { throw TransportError(.interrupted, host: "localhost") }
                return response
            }
        }

        private static func answer(_ request: Request, _ state: inout State) -> Response {
            let tag = "\"\(state.version)\""
            let tags: Headers = state.sendsTags ? [.etag: tag] : [:]
            guard request.method == "PUT" else {
                guard let file = state.file else { return Response(status: 404) }
                return Response(status: 200, headers: tags, body: request.method == "HEAD" ? [] : file)
            }
            if request.headers[.ifNoneMatch] == "*", state.file != nil { return Response(status: 412) }
            if let condition = request.headers[.ifMatch], state.file == nil || condition != tag {
                return Response(status: 412)
            }
            let isNew = state.file == nil
            state.file = request.body
            state.version += 1
            return Response(status: isNew ? 201 : 204, headers: state.sendsTags ? [.etag: "\"\(state.version)\""] : [:])
        }

        func methods() -> [String] {
            self.state.withLock { state in
                defer { state.requests = [] }
                return state.requests.map(\.method)
            }
        }

        func change(_ body: (inout State) -> Void) { self.state.withLock { body(&$0) } }
        var file: [UInt8]? { self.state.withLock(\.file) }
    }

    private let server = FileServer()
    private let useCases: UseCases
    private static let url = "http://localhost/dav/reminders.ics"
    private static let address = NewPushAddress(url: url, user: "ada", password: .command("echo secret"))

    init() throws {
        let server = self.server
        self.useCases = UseCases(
            configuration: Configuration(
                storeFolder: "/nonexistent",
                localZone: "UTC",
                zones: ZoneDatabase { _ in nil },
                now: { Workplace.now },
                transport: { _ in server }
            ),
            store: try TestStores.make()
        )
        _ = try self.useCases.createFeed(named: "Work", list: nil, labels: [])
    }

    private func push(overwrites: Bool = false) async throws -> String {
        switch try await self.useCases.pushFeed("Work", overwrites: overwrites).outcome {
        case .stored: "stored"
        case .unchanged: "unchanged"
        case .failed(let error): "\(error.code)"
        }
    }

    private func pushFirst(overwrites: Bool = false) async throws {
        _ = try await self.useCases.pushFeed("Work", to: Self.address, overwrites: overwrites)
    }

    /// Changes the content of the feed.
    private func addReminder(_ title: String) throws {
        let text =
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:\(title)\r\nSUMMARY:\(title)\r\nDUE:20301130T090000Z\r\n"
            + "END:VTODO\r\nEND:VCALENDAR\r\n"
        let list = try self.useCases.store.read { try $0.lists().first?.id }
        try self.useCases.store.write { transaction in
            let list = try list ?? transaction.insertList(named: "Home", color: nil, at: 0)
            _ = try transaction.insert(
                into: list,
                uid: title,
                StoredObject(source: Array(text.utf8), index: ObjectIndex(title: title))
            )
        }
    }

    @Test("the feed is stored as a file, with the password only in a header, and only changes are sent")
    func changes() async throws {
        try await self.pushFirst()
        #expect(try self.server.file == self.useCases.feedFile("Work"))
        let request = try #require(self.server.state.withLock { $0.requests.first })
        #expect(request.headers[.authorization] == "Basic YWRhOnNlY3JldA==")
        #expect(request.headers[.ifNoneMatch] == "*")
        #expect(request.headers[.contentType] == "text/calendar; charset=utf-8")
        #expect(self.server.methods() == ["PUT"])
        #expect(try await self.push() == "unchanged")
        #expect(self.server.methods() == [])
        try self.addReminder("One")
        #expect(try await self.push() == "stored")
        #expect(self.server.state.withLock { $0.requests.first?.headers[.ifMatch] } == "\"1\"")
        #expect(try self.server.file == self.useCases.feedFile("Work"))
        let view = try #require(self.useCases.feeds().first?.push)
        #expect((view.url, view.user, view.passwordOrigin) == (Self.url, "ada", "command: echo secret"))
        #expect(view.at == Workplace.now && view.error == nil)
    }

    @Test("a file of another program is replaced only with the choice to overwrite")
    func others() async throws {
        self.server.change { $0.file = Array("theirs".utf8) }
        await #expect(throws: FeedPushError(.fileExists)) { try await self.pushFirst() }
        #expect(self.server.file == Array("theirs".utf8))
        #expect(try self.useCases.feeds().first?.push == nil)
        try await self.pushFirst(overwrites: true)
        #expect(try self.server.file == self.useCases.feedFile("Work"))
        self.server.change { state in
            state.file = Array("theirs again".utf8)
            state.version += 1
        }
        try self.addReminder("One")
        #expect(try await self.push() == "fileChanged")
        #expect(self.server.file == Array("theirs again".utf8))
        #expect(try self.useCases.feeds().first?.push?.error == .fileChanged)
        #expect(try await self.push(overwrites: true) == "stored")
        #expect(try self.useCases.feeds().first?.push?.error == nil)
    }

    @Test("a deleted file is created again, and an answer that was lost is no conflict")
    func recovery() async throws {
        try await self.pushFirst()
        self.server.change { $0.file = nil }
        try self.addReminder("One")
        #expect(try await self.push() == "stored")
        #expect(try self.server.file == self.useCases.feedFile("Work"))
        try self.addReminder("Two")
        self.server.change { $0.losesAnswers = true }
        #expect(try await self.push() == "unreachable")
        self.server.change { $0.losesAnswers = false }
        // The server has the second content, and the feed now has a third one.
        try self.addReminder("Three")
        #expect(try await self.push() == "stored")
        #expect(try self.server.file == self.useCases.feedFile("Work"))
        #expect(try await self.push() == "unchanged")
    }

    @Test("a server without entity tags gets each change")
    func withoutTags() async throws {
        self.server.change { $0.sendsTags = false }
        try await self.pushFirst()
        #expect(self.server.methods() == ["PUT", "HEAD"])
        try self.addReminder("One")
        #expect(try await self.push() == "stored")
        #expect(try self.server.file == self.useCases.feedFile("Work"))
    }

    static let refusals: [(status: Int, headers: Headers, code: FeedPushError.Code)] = [
        (401, ["WWW-Authenticate": "Basic realm=\"x\""], .signIn), (403, [:], .forbidden), (404, [:], .folderMissing),
        (405, [:], .notAllowed), (409, [:], .folderMissing), (413, [:], .tooLarge), (415, [:], .refused),
        (423, [:], .busy), (429, [:], .busy), (500, [:], .serverFailed), (501, [:], .notAllowed), (503, [:], .busy),
        (507, [:], .noSpace),
        (301, ["Location": "https://other.example/reminders.ics"], .redirected),
        (302, ["Location": "http://localhost:99/reminders.ics"], .redirected),
        (307, ["Location": "/dav/reminders.ics"], .redirected), (304, [:], .redirected),
        (200, ["Content-Type": "text/html"], .webPage),
    ]

    @Test("each refusal has a code, and a refused new address is not stored", arguments: Self.refusals)
    func refusal(_ test: (status: Int, headers: Headers, code: FeedPushError.Code)) async throws {
        let refusal = Response(status: test.status, headers: test.headers)
        self.server.change { $0.refusal = refusal }
        await #expect(throws: FeedPushError(test.code)) { try await self.pushFirst() }
        #expect(try self.useCases.feeds().first?.push == nil)
        // No request goes to another origin.
        #expect(self.server.state.withLock { $0.requests.allSatisfy { $0.url.hasPrefix("http://localhost/") } })
        self.server.change { $0.refusal = nil }
        try await self.pushFirst()
        let before = self.server.file
        try self.addReminder("One")
        self.server.change { $0.refusal = refusal }
        #expect(try await self.push() == "\(test.code)")
        #expect(self.server.file == before)
        self.server.change { $0.refusal = nil }
        #expect(try await self.push() == "stored")
    }

    @Test(
        "a failed connection has a code",
        arguments: [
            (TransportError(.certificateUnknown), FeedPushError.Code.certificate), (TransportError(.tls), .certificate),
            (TransportError(.cannotConnect), .unreachable), (TransportError(.timeout), .unreachable),
        ]
    )
    func connection(_ test: (error: TransportError, code: FeedPushError.Code)) async {
        self.server.change { $0.failure = test.error }
        await #expect(throws: FeedPushError(test.code)) { try await self.pushFirst() }
    }

    @Test(
        "only the address of a file on an encrypted or local server is accepted, without a request",
        arguments: [
            ("http://cloud.example.org/x.ics", FeedPushError.Code.insecure), ("https://localhost/dav/", .badAddress),
            ("https://ada:secret@localhost/x.ics", .badAddress), ("ftp://localhost/x.ics", .badAddress),
            ("https://localhost", .badAddress), ("", .badAddress),
        ]
    )
    func addresses(_ test: (url: String, code: FeedPushError.Code)) async {
        let address = NewPushAddress(url: test.url, user: "ada", password: .command("echo secret"))
        await #expect(throws: FeedPushError(test.code)) { try await self.useCases.pushFeed("Work", to: address) }
        #expect(self.server.methods() == [])
    }

    @Test("a forgotten address is not used again, and neither is that of a revoked feed")
    func forgetting() async throws {
        try await self.pushFirst()
        #expect(try self.useCases.pushedFeeds() == ["1"])
        #expect(try self.useCases.forgetPush(of: "Work").push == nil)
        await #expect(throws: UseCaseError(.pushAddressMissing)) { try await self.push() }
        #expect(throws: UseCaseError(.pushAddressMissing)) { try self.useCases.forgetPush(of: "Work") }
        try await self.pushFirst(overwrites: true)
        _ = try self.useCases.revokeFeed("Work")
        #expect(try self.useCases.pushedFeeds() == [])
        #expect(try self.useCases.store.read { try $0.push(of: FeedID(1)) } == nil)
    }

    @Test("a password command that fails sends nothing")
    func password() async throws {
        let address = NewPushAddress(url: Self.url, user: "ada", password: .command("exit 1"))
        await #expect(throws: UseCaseError(.passwordCommandFailed)) {
            try await self.useCases.pushFeed("Work", to: address)
        }
        #expect(self.server.methods() == [])
    }
}
