public import HTTP

/// The reason why a request failed.
///
/// Two errors are equal when their codes are: a test states the code, a person reads the description. It holds neither
/// passwords nor anything of a reminder.
public struct CalDAVError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// The text is no address of a server.
        case badAddress = "this is not the address of a server"
        /// The password would travel unencrypted.
        case insecure = "the password would be sent unencrypted"
        /// The answer is a web page or something else.
        case notCalDAV = "no CalDAV server answers at this address"
        /// 401, or a server that does not know the user.
        case unauthorized = "the server does not accept the user name or the password"
        /// 403 without a condition that says more.
        case forbidden = "the server does not allow this"
        /// 404 or 410.
        case notFound = "there is nothing at this address on the server"
        /// A redirect that would carry the password elsewhere.
        case redirectRefused = "the server sends us to another host, which does not get the password"
        /// More redirects than a correct server sends.
        case tooManyRedirects = "the server redirects in circles"
        /// An answer that contradicts itself, is cut, or cannot be read.
        case brokenAnswer = "the server's answer cannot be used"
        /// The sync token is no longer known; ``CalDAVClient/changes(in:since:wantsTexts:)`` recovers by itself.
        case syncTokenExpired = "the server has forgotten the state of the last sync"
        /// 412: the resource changed, is there already, or is gone.
        case preconditionFailed = "the item on the server has changed in the meantime"
        /// Another item has the same UID.
        case uidConflict = "the server holds another item with the same UID"
        /// 413, or a limit that the server names.
        case tooLarge = "the item is larger than the server accepts"
        /// 507, or a quota that the server names (RFC 4331): to be tried again when the user has freed space.
        case overQuota = "the server has no room left for this account"
        /// The server will not take this item, however often it is sent.
        case rejected = "the server does not accept this item"
        /// 423, 429, 503: to be tried again later.
        case busy = "the server is busy or in maintenance"
        /// Any other status of failure.
        case serverError = "the server failed"
        /// No answer at all; ``CalDAVError/transport`` says why.
        case transport = "no answer"
    }

    /// The kind of failure.
    public let code: Code
    /// The address that was asked, if one was.
    public internal(set) var url: String?
    /// The host that a refused redirect leads to.
    public internal(set) var host: String?
    /// The status of the answer, `nil` when there was none or it was a success.
    public internal(set) var status: Int?
    /// The method of the request that was answered, `nil` when there was no answer.
    public internal(set) var method: String?
    /// The server's or the reader's own words: cut, and without control characters.
    public internal(set) var message: String?
    /// Seconds after which the server wants to be asked again.
    public internal(set) var retryAfterSeconds: Int?
    /// The whole address that a refused redirect leads to.
    public internal(set) var redirectTarget: String?
    /// Why the server does not let the person in, when the code is ``Code/unauthorized`` and it is known.
    public internal(set) var signIn: SignInFailure?
    /// Why there was no answer, when the code is ``Code/transport``.
    public internal(set) var transport: TransportError?
    /// Whether the request was repeated until the attempts or the time for them were used up.
    public internal(set) var isGivenUp = false
    /// Whether the server's database refused the item because its UID is already in use; no standard defines such an
    /// answer.
    public internal(set) var isUIDTaken = false
    /// The item that has the same UID, as the server names it.
    public internal(set) var conflictingHref: String?

    /// An error of this kind.
    public init(_ code: Code, url: String? = nil, status: Int? = nil, message: String? = nil) {
        self.code = code
        self.url = url
        self.status = status
        self.message = message
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
}

extension CalDAVError {
    /// Whether every other request to the server would fail just so.
    var concernsWholeServer: Bool {
        switch self.code {
        case .unauthorized, .busy, .insecure, .badAddress: true
        case .transport: self.transport != TransportError(.tooLarge)
        default: false
        }
    }
}
