/// Carries a request to its server and brings the answer back.
///
/// The only place where this program waits for a network. An implementation follows no redirect, and a body that ends
/// early is an error, never a short success.
public protocol Transport: Sendable {
    /// Sends one request and waits for its whole answer, whatever its status.
    func send(_ request: Request) async throws(TransportError) -> Response
}

/// Why no answer came.
///
/// Two errors are equal when their codes are: a test states the code, a person reads the description. It holds neither
/// header fields nor anything of a body.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public enum Code: String, Sendable, CaseIterable {
        /// No address is known for the host's name.
        case cannotResolve = "the server's name cannot be found"
        /// Nobody answers at that address.
        case cannotConnect = "the server cannot be reached"
        /// The encryption is not acceptable, or the certificate for a reason that has no code of its own.
        case tls = "no secure connection: the server's certificate or its encryption is not accepted"
        /// What answers at the port is no TLS, as where http:// was meant.
        case notTLS = "what answers at this port does not speak TLS"
        /// The certificate's time is over.
        case certificateExpired = "the server's certificate has expired"
        /// The certificate's time has not come, or the clock here is wrong.
        case certificateNotYetValid = "the server's certificate is not valid yet"
        /// The certificate names other hosts.
        case certificateWrongHost = "the server's certificate is for another host"
        /// Nobody who is trusted vouches for the certificate.
        case certificateUnknown = "nobody who is trusted on this machine vouches for the server's certificate"
        /// Another key than the one that was pinned.
        case certificateChanged = "the server has another key than the one that was trusted"
        /// Our own certificate cannot be used, or the server wants one.
        case clientCertificate = "the server wants a client certificate, or the one that was given cannot be used"
        /// The file of authorities cannot be read.
        case authorities = "the file with the certificates of authorities cannot be used"
        /// The server was silent, or too slow, for too long.
        case timeout = "the server takes too long to answer"
        /// The answer exceeds a limit of this program.
        case tooLarge = "the server's answer is too large"
        /// The connection ended before the answer did.
        case interrupted = "the connection broke off before the answer was whole"
        /// The answer is not HTTP.
        case protocolViolation = "the server's answer is not understood"
        /// The task that waited was cancelled.
        case cancelled = "the request was cancelled"
        /// The request cannot be sent as it is.
        case badRequest = "the request cannot be sent"
        /// What speaks HTTP for us is not installed.
        case noLibrary = "libcurl 7.85 or newer (libcurl.so.4), which speaks to servers, is not installed here"
    }

    /// What happened.
    public let code: Code
    /// The host, and the port if one was given; empty when the URL could not be read.
    public let host: String
    /// The underlying library's own words, without anything that was sent; may be empty.
    public let detail: String

    /// An error about a host.
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
