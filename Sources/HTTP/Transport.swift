/// Sends a request to its server and returns the answer.
///
/// The program waits for the network only here. An implementation follows no redirect. A truncated body is an error,
/// never a short success.
public protocol Transport: Sendable {
    /// Sends one request and waits for its complete answer, with any status.
    func send(_ request: Request) async throws(TransportError) -> Response
}

/// The reason why there is no answer.
///
/// Two errors are equal when their codes are equal: tests check the code, users read the description. It contains
/// neither header fields nor any part of a body.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// The host's name has no known address.
        case cannotResolve = "the server's name cannot be found"
        /// The address does not answer.
        case cannotConnect = "the server cannot be reached"
        /// The encryption is not acceptable, or the certificate is invalid for a reason without a separate code.
        case tls = "no secure connection: the server's certificate or its encryption is not accepted"
        /// The port answers without TLS, for example because http:// was intended.
        case notTLS = "the service at this port does not speak TLS"
        /// The certificate has expired.
        case certificateExpired = "the server's certificate has expired"
        /// The certificate is not valid yet, or the local clock is wrong.
        case certificateNotYetValid = "the server's certificate is not valid yet"
        /// The certificate is for other hosts.
        case certificateWrongHost = "the server's certificate is for another host"
        /// No trusted authority signed the certificate.
        case certificateUnknown = "no trusted authority signed the server's certificate"
        /// The key differs from the pinned one.
        case certificateChanged = "the server has another key than the one that was trusted"
        /// The client certificate is unusable, or the server requires one.
        case clientCertificate = "the server wants a client certificate, or the one that was given cannot be used"
        /// The file of authorities is unreadable.
        case authorities = "the file with the certificates of authorities cannot be used"
        /// The server was silent or too slow for too long.
        case timeout = "the server takes too long to answer"
        /// The answer exceeds a limit of this program.
        case tooLarge = "the server's answer is too large"
        /// The connection ended before the end of the answer.
        case interrupted = "the connection broke off before the answer was whole"
        /// The answer is not HTTP.
        case protocolViolation = "the server's answer is not understood"
        /// The waiting task was cancelled.
        case cancelled = "the request was cancelled"
        /// The request is not valid for sending.
        case badRequest = "the request cannot be sent"
        /// The HTTP library is not installed.
        case noLibrary = "libcurl 7.85 or newer (libcurl.so.4), which speaks to servers, is not installed here"
    }

    /// The kind of failure.
    public let code: Code
    /// The host, and the port if one was given; empty when the URL was unreadable.
    public let host: String
    /// The underlying library's message, without any sent data; may be empty.
    public let detail: String

    /// Creates an error about a host.
    public init(_ code: Code, host: String = "", detail: String = "") {
        self.code = code
        self.host = host
        self.detail = detail
    }

    /// One sentence.
    public var description: String {
        let place = self.host.isEmpty ? "" : "\(self.host.excerpt): "
        return place + self.code.rawValue + (self.detail.isEmpty ? "" : " (\(self.detail))")
    }

    /// Whether both have the same code.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
