/// Sends HTTP requests and follows no redirect; a truncated body is an error, and never a successful answer.
public protocol Transport: Sendable {
    /// Sends the request and returns the complete answer, with any status.
    func send(_ request: Request) async throws(TransportError) -> Response
}

/// The reason why there is no answer, without any part of the request.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        case cannotResolve = "the server's name cannot be found"
        case cannotConnect = "the server cannot be reached"
        case tls = "no secure connection: the server's certificate or encryption is not accepted"
        case notTLS = "the service at this port does not speak TLS"
        case certificateExpired = "the server's certificate has expired"
        case certificateNotYetValid = "the server's certificate is not valid yet"
        case certificateWrongHost = "the server's certificate is for another host"
        case certificateUnknown = "no trusted authority signed the server's certificate"
        case certificateChanged = "the server's key differs from the trusted key"
        /// The client certificate is unusable, or the server requires one.
        case clientCertificate = "the server requires a client certificate, or the configured one cannot be used"
        case authorities = "the file with the trusted certificates cannot be used"
        case timeout = "the server takes too long to answer"
        case tooLarge = "the server's answer is too large"
        case interrupted = "the connection ended before the answer was complete"
        case protocolViolation = "the server's answer is not valid HTTP"
        case cancelled = "the request was cancelled"
        case badRequest = "the request cannot be sent"
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
