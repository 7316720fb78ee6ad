/// A request that this program sends as a client or receives as a server (RFC 9110 §3.4).
public struct Request: Hashable, Sendable {
    /// The method, in upper case.
    public var method: String
    /// The absolute URL; for a received request, the request target (`/feed/…`).
    public var url: String
    /// The header fields.
    public var headers: Headers
    /// The body's bytes; empty without a body.
    public var body: [UInt8]
    /// Whether the server can answer without long work, so that a long silence means a failure.
    public var isSmall = false
    /// Whether the request must not be sent again after a failure, even if its method and its condition allow this.
    public var isOnce = false

    /// Whether a reverse proxy sent the request, by the Unix socket that only the proxy can open.
    package var isProxied = false
    /// The user of the process that connected to the Unix socket of this server; `nil` for other connections.
    package var socketUser: UInt32?
    /// The person whom the reverse proxy has signed in; `nil` unless this server has checked the proxy.
    package var person: Person?
    /// The client of a received request; `nil` for a request of this program.
    package var peer: Peer?
    /// The body of a received request, if it is in a file because it may be long; ``body`` is empty then.
    package var bodyFile: BodyFile?

    /// Creates a request with these parts.
    public init(method: String = "GET", url: String, headers: Headers = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// A person as a sign-in service names them.
package struct Person: Hashable, Sendable {
    /// The sign-in service; empty if the reverse proxy names none.
    package let issuer: String
    /// The identifier that the service gives to no other person.
    package let subject: String

    package init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}

/// The two ends of a connection between a client on this computer and this server, on 127.0.0.1.
package struct Peer: Hashable, Sendable {
    /// The port of the client.
    package let port: UInt16
    /// The port of this server.
    package let serverPort: UInt16

    package init(port: UInt16, serverPort: UInt16) {
        self.port = port
        self.serverPort = serverPort
    }
}

/// The body of a received request in a file, which exists until the request is answered.
package struct BodyFile: Hashable, Sendable {
    package let path: String
    /// Whether the body was longer than the limit, so that its end is missing.
    package let isCut: Bool

    package init(path: String, isCut: Bool) {
        self.path = path
        self.isCut = isCut
    }
}

/// The answer to a request (RFC 9110 §3.4).
public struct Response: Hashable, Sendable {
    /// The status code, 100 to 599.
    public var status: Int
    /// The header fields.
    public var headers: Headers
    /// The body's bytes, decoded from any content coding.
    public var body: [UInt8]
    /// The body of an answer of this program that is written over time; ``body`` is empty then.
    package var stream: BodyStream?

    /// Creates an answer with these parts.
    public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension Request {
    /// Whether the request may be sent again after a failure, although the server may have executed it.
    ///
    /// If the server has executed a conditional write, it answers the second request with 412 (RFC 9110 §13.1). The
    /// sender then reads the resource.
    package var mayRepeat: Bool {
        switch self.method {
        case "GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT": !self.isOnce
        case "PUT", "DELETE":
            !self.isOnce && (self.headers[.ifMatch] != nil || self.headers[.ifNoneMatch] != nil)
        default: false
        }
    }
}

extension Request: CustomStringConvertible {
    /// The method and the URL, without header fields and body.
    public var description: String { "\(self.method) \(self.url)" }
}

extension Response: CustomStringConvertible {
    /// The status and the size of the body, without header fields and body.
    public var description: String { "\(self.status), \(self.body.count) bytes" }
}

/// A text that is never printed; every output of the text, or of a value that contains it, shows a placeholder.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String
    /// Wraps a secret text.
    public init(_ value: String) { self.value = value }
    /// The placeholder.
    public var description: String { "(hidden)" }
    /// The placeholder.
    public var debugDescription: String { "(hidden)" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    package func reveal() -> String { self.value }
}
