/// Sends HTTP requests and follows no redirect; a truncated body is an error, and never a successful answer.
public protocol Transport: Sendable {
    /// Sends the request and returns the complete answer, with any status.
    func send(_ request: Request) async throws(TransportError) -> Response
}

/// The reason why there is no answer, without any part of the request.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// The server's name cannot be found.
        case cannotResolve = "the server's name cannot be found"
        /// The server cannot be reached.
        case cannotConnect = "the server cannot be reached"
        /// No secure connection: the server's certificate or encryption is not accepted.
        case tls = "no secure connection: the server's certificate or encryption is not accepted"
        /// The service at this port does not speak TLS.
        case notTLS = "the service at this port does not speak TLS"
        /// The server's certificate has expired.
        case certificateExpired = "the server's certificate has expired"
        /// The server's certificate is not valid yet.
        case certificateNotYetValid = "the server's certificate is not valid yet"
        /// The server's certificate is for another host.
        case certificateWrongHost = "the server's certificate is for another host"
        /// No trusted authority signed the server's certificate.
        case certificateUnknown = "no trusted authority signed the server's certificate"
        /// The server's key differs from the trusted key.
        case certificateChanged = "the server's key differs from the trusted key"
        /// The client certificate is unusable, or the server requires one.
        case clientCertificate = "the server requires a client certificate, or the configured one cannot be used"
        /// The file with the trusted certificates cannot be used.
        case authorities = "the file with the trusted certificates cannot be used"
        /// The address of the server is in a private network, to which the users of a host may not connect.
        case addressRefused =
            "the address of the server is in a private network, and this host allows no connections to it"
        /// The users of a host may not connect to this port.
        case portRefused = "this host allows no connections to this port of a server"
        /// The users of a host may not connect to this server without encryption.
        case plainRefused = "this host allows only encrypted connections (https) to this server"
        /// The server takes too long to answer.
        case timeout = "the server takes too long to answer"
        /// The server's answer is too large.
        case tooLarge = "the server's answer is too large"
        /// The connection ended before the answer was complete.
        case interrupted = "the connection ended before the answer was complete"
        /// The server's answer is not valid HTTP.
        case protocolViolation = "the server's answer is not valid HTTP"
        /// The request was cancelled.
        case cancelled = "the request was cancelled"
        /// The request cannot be sent.
        case badRequest = "the request cannot be sent"
        /// Libcurl 7.85 or newer (libcurl.so.4), which connects to servers, is not installed.
        case noLibrary = "libcurl 7.85 or newer (libcurl.so.4), which connects to servers, is not installed"
    }

    /// The kind of failure.
    public let code: Code
    /// The host, with the port if the URL has one; empty when the URL is unreadable.
    public let host: String
    /// The message of the underlying library, without any sent data; may be empty.
    public let detail: String

    /// Creates an error about a host.
    public init(_ code: Code, host: String = "", detail: String = "") {
        self.code = code
        self.host = host
        self.detail = detail
    }

    /// One sentence for a user.
    public var description: String {
        let place = self.host.isEmpty ? "" : "\(self.host.excerpt): "
        return place + self.code.rawValue + (self.detail.isEmpty ? "" : " (\(self.detail))")
    }

    /// Whether both errors have the same code.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
