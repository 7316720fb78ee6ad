import RemindavHTTP
import RemindavResources
import RemindavWebDAV
import Testing

@testable import RemindavCalDAV

/// A client with a recorded conversation.
struct Conversation {
    let client: CalDAVClient
    let server: ReplayTransport
    let list = CalendarCollection(url: ReplayTransport.url("/l/"))
    let home = ReplayTransport.url("/home/")

    static let password = "correct-horse-7Q"

    init(
        _ fixture: String,
        address: String = "dav.example.org",
        allowsInsecure: Bool = false,
        resolver: (any ServiceResolver)? = nil
    ) throws {
        self.server = ReplayTransport(try Transcript(fixture: fixture))
        self.client = try CalDAVClient(
            address: address,
            credentials: Credentials(user: "user", password: Secret(Self.password)),
            transport: self.server,
            allowsInsecure: allowsInsecure,
            resolver: resolver
        )
    }

    func href(_ name: String) -> Href { self.list.href(forResource: name) }

    /// Expects that the client sent all requests of the transcript, and no others.
    func expectFinished(sourceLocation: SourceLocation = #_sourceLocation) async {
        #expect(await self.server.surprises == [], sourceLocation: sourceLocation)
        #expect(await self.server.leftOver == [], sourceLocation: sourceLocation)
    }
}

extension ReplayTransport {
    static func url(_ path: String) -> URL {
        guard let url = URL(self.origin + path) else { preconditionFailure("a path") }
        return url
    }
}

extension CalDAVError {
    static func of(_ code: Code) -> CalDAVError { CalDAVError(code) }
}

extension CalendarCollection {
    /// Returns the collection with another token.
    func with(syncToken: SyncToken?) -> CalendarCollection {
        var copy = self
        copy.syncToken = syncToken
        return copy
    }
}
