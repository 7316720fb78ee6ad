public import HTTP

/// The reason why a request failed, without passwords and without any part of a reminder.
///
/// Two errors are equal when their codes are: a test states the code, a user reads the description.
public struct CalDAVError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        case badAddress = "this is not the address of a server"
        case insecure = "the password would be sent unencrypted"
        case notCalDAV = "no CalDAV server answers at this address"
        /// 401, or the server does not know the user.
        case unauthorized = "the server does not accept the user name or the password"
        case forbidden = "the server does not allow this"
        case notFound = "there is nothing at this address on the server"
        /// The redirect would send the password to another host.
        case redirectRefused = "the server sends us to another host, which does not get the password"
        case tooManyRedirects = "the server redirects in circles"
        /// The answer contradicts itself, is truncated, or is unreadable.
        case brokenAnswer = "the server's answer cannot be used"
        case syncTokenExpired = "the server has forgotten the state of the last sync"
        /// 412: the resource has changed, exists already, or is gone.
        case preconditionFailed = "the item on the server has changed in the meantime"
        case uidConflict = "the server holds another item with the same UID"
        /// 413, or a limit in the server's message.
        case tooLarge = "the item is larger than the server accepts"
        /// 507, or a quota (RFC 4331): to be tried again when the user has freed space.
        case overQuota = "the server has no room left for this account"
        case rejected = "the server does not accept this item"
        /// 423, 429, 503: to be tried again later.
        case busy = "the server is busy or in maintenance"
        case serverError = "the server failed"
        case transport = "no answer"
    }

    /// The kind of failure.
    public let code: Code
    /// The requested address, if any.
    public internal(set) var url: String?
    /// The host that a refused redirect leads to.
    public internal(set) var host: String?
    /// The status of the answer; `nil` without an answer or after a success.
    public internal(set) var status: Int?
    /// The method of the answered request; `nil` without an answer.
    public internal(set) var method: String?
    /// The message of the server or the parser: shortened, without control characters.
    public internal(set) var message: String?
    /// Seconds after which the server accepts the request again, as it states.
    public internal(set) var retryAfterSeconds: Int?
    /// The whole address that a refused redirect leads to.
    public internal(set) var redirectTarget: String?
    /// The reason for ``Code/unauthorized``, if it is known.
    public internal(set) var signIn: SignInFailure?
    /// The reason for ``Code/transport``.
    public internal(set) var transport: TransportError?
    /// Whether the request was repeated until the attempts or the time for them were used up.
    public internal(set) var isGivenUp = false
    /// Whether the database of the server refused the item because of a used UID; no standard defines such an answer.
    public internal(set) var isUIDTaken = false
    /// The item with the same UID, as the server names it.
    public internal(set) var conflictingHref: String?

    /// Creates an error.
    public init(_ code: Code, url: String? = nil, status: Int? = nil, message: String? = nil) {
        self.code = code
        self.url = url
        self.status = status
        self.message = message
    }

    init(_ error: TransportError, url: String) {
        self.init(.transport, url: url)
        self.transport = error
    }

    /// One sentence.
    public var description: String {
        if let transport { return transport.description }
        var text = self.code.rawValue
        if let host { text += ": \(host.excerpt)" }
        if let url { text += " (\(url.excerpt))" }
        if let status { text += ", status \(status)" }
        if let message { text += ": \(message.excerpt)" }
        if let retryAfterSeconds { text += ", try again in \(retryAfterSeconds) s" }
        return text
    }

    /// Whether both have the same code.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.code) }

    /// Whether each other request to the server would fail in the same way.
    var concernsWholeServer: Bool {
        switch self.code {
        case .unauthorized, .busy, .insecure, .badAddress: true
        case .transport: self.transport != TransportError(.tooLarge)
        default: false
        }
    }
}
