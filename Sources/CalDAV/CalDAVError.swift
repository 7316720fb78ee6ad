public import RemindavHTTP

/// The reason why a request failed; it contains no password and no text of a reminder.
public struct CalDAVError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// This is not the address of a server.
        case badAddress = "this is not the address of a server"
        /// The password would be sent unencrypted.
        case insecure = "the password would be sent unencrypted"
        /// No CalDAV server answers at this address.
        case notCalDAV = "no CalDAV server answers at this address"
        /// Status 401, or an answer as if no user had signed in.
        case unauthorized = "the server does not accept the user name or the password"
        /// The server does not allow this.
        case forbidden = "the server does not allow this"
        /// There is nothing at this address on the server.
        case notFound = "there is nothing at this address on the server"
        /// The server redirects to another host, which must not get the password.
        case redirectRefused = "the server redirects to another host; the password was not sent to it"
        /// The server redirects too often.
        case tooManyRedirects = "the server redirects too often"
        /// The answer contradicts itself, is truncated, or is unreadable.
        case brokenAnswer = "the server's answer cannot be used"
        /// The server no longer knows the state of the last sync.
        case syncTokenExpired = "the server no longer knows the state of the last sync"
        /// Status 412: the resource has changed, already exists, or no longer exists.
        case preconditionFailed = "the reminder was changed on the server at the same time"
        /// The server already has another reminder with the same UID.
        case uidConflict = "the server already has another reminder with the same UID"
        /// Status 413, or a message about a size limit.
        case tooLarge = "the reminder is larger than the server accepts"
        /// Status 507, or a quota is exceeded (RFC 4331); a later attempt succeeds if the user has deleted data.
        case overQuota = "the account has no storage space left on the server"
        /// The server does not accept this reminder.
        case rejected = "the server does not accept this reminder"
        /// Status 423, 425, 429 or 503; a later attempt may succeed.
        case busy = "the server is busy or in maintenance"
        /// The server reports an internal error.
        case serverError = "the server reports an internal error"
        /// The server does not answer.
        case transport = "the server does not answer"
    }

    /// The kind of failure.
    public let code: Code
    /// The requested address; `nil` when the error concerns no single address.
    public internal(set) var url: String?
    /// The origin to which a refused redirect leads.
    public internal(set) var host: String?
    /// The HTTP status; `nil` when the server did not answer, or answered with a success.
    public internal(set) var status: Int?
    /// The method of the failed request; `nil` when the server did not answer.
    public internal(set) var method: String?
    /// The message of the server or of the parser, shortened and without control characters.
    public internal(set) var message: String?
    /// The time in seconds after which the server accepts the request again, as `Retry-After` states it.
    public internal(set) var retryAfterSeconds: Int?
    /// The whole URL to which a refused redirect leads.
    public internal(set) var redirectTarget: String?
    /// The reason for ``Code/unauthorized``; `nil` when it is not known.
    public internal(set) var signIn: SignInFailure?
    /// The reason for ``Code/transport``; `nil` for other codes.
    public internal(set) var transport: TransportError?
    /// Whether the request was repeated until the attempts or the time for them were used up.
    public internal(set) var isGivenUp = false
    /// Whether the server's database already contains the UID, according to the text of the answer.
    public internal(set) var isUIDTaken = false
    /// The address of the object that already has the UID, as the server sent it.
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

    /// One sentence for a user, with the address, the status and the server's message.
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

    /// Whether two errors have the same code.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.code) }

    /// Whether every other request to the server would fail in the same way.
    var concernsWholeServer: Bool {
        switch self.code {
        case .unauthorized, .busy, .insecure, .badAddress: true
        case .transport: self.transport != TransportError(.tooLarge)
        default: false
        }
    }
}
