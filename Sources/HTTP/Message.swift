/// A request: to a server when this program is the client, from a client when it is the server (RFC 9110 §3.4).
public struct Request: Hashable, Sendable {
    /// The method, in upper case.
    public var method: String
    /// The absolute URL; for a request that this program serves, the request target (`/feed/…`).
    public var url: String
    /// The header fields.
    public var headers: Headers
    /// The body's bytes, empty when there is none.
    public var body: [UInt8]
    /// Whether the answer takes a server no work, so that one that is silent for long will never answer.
    public var isSmall = false

    /// A request with these parts.
    public init(method: String = "GET", url: String, headers: Headers = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
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

    /// An answer with these parts.
    public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension Request: CustomStringConvertible {
    /// The method and the URL; neither header fields nor the body.
    public var description: String { "\(self.method) \(self.url)" }
}

extension Response: CustomStringConvertible {
    /// The status and the size of the body; neither header fields nor the body.
    public var description: String { "\(self.status), \(self.body.count) bytes" }
}
