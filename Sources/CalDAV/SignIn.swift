public import HTTP

/// The authentication scheme of a request (RFC 9110 §11).
public enum SignInScheme: String, Hashable, Sendable, CaseIterable {
    /// The password itself (RFC 7617).
    case basic
    /// A digest of the password and of the challenge (RFC 7616).
    case digest
    /// A token from another program (RFC 6750).
    case bearer
}

/// The reason of a 401.
public enum SignInFailure: Hashable, Sendable {
    /// The answer names no scheme.
    case noChallenge
    case rejected
    /// Probably the same: the password was sent, and the answer names no accepted scheme.
    case rejectedUnasked
    case appPasswordNeeded
    /// The answer names only these schemes, none of which is supported.
    case unsupported([String])
    case passwordInClear
    case tokenRefused
    case tokenCommandFailed
    /// The server did not ask for a password and ignored the sent one.
    case ignored

    /// The behaviour of the server, after "the server does not accept the user name or the password".
    var words: String {
        switch self {
        case .noChallenge: "it does not say how to sign in"
        case .rejected, .rejectedUnasked: "they are wrong, or it wants an app password instead of the usual one"
        case .appPasswordNeeded: "it wants an app password instead of the usual one"
        case .unsupported(let schemes):
            "it wants to be signed in to by \(schemes.enumeration), which is not supported"
        case .passwordInClear: "it wants the password unencrypted"
        case .tokenRefused: "the token is wrong or too old"
        case .tokenCommandFailed: "the token command failed"
        case .ignored: "it did not ask for a password, and took no notice of ours"
        }
    }
}

/// The state of the sign-in to a server: each method receives an event and returns the next step.
struct SignIn {
    enum Reaction: Hashable {
        case again
        case againWithNewToken
        case giveUp(SignInFailure)
    }

    let credentials: Credentials
    private(set) var scheme: SignInScheme?
    private var digest: Digest?
    /// Whether the nonce in ``digest`` was accepted once, so that a refusal means that it is too old.
    private var isProven = false
    private var token: Secret?
    private let clientNonce: () -> String

    /// - Parameter clientNonce: returns an unpredictable text.
    init(_ credentials: Credentials, scheme: SignInScheme?, clientNonce: @escaping () -> String) {
        self.credentials = credentials
        self.scheme = credentials.makesTokens ? .bearer : scheme
        self.clientNonce = clientNonce
    }

    var needsToken: Bool { self.scheme == .bearer && self.token == nil }
    /// Whether the next request is sent without the password and without a token.
    var isSilent: Bool { self.scheme == nil }
    mutating func use(token: Secret?) { self.token = token }
    /// Whether the sent token is still in use: another request may have fetched a new one since.
    func isCurrent(_ sent: String?) -> Bool { self.token.map { "Bearer \($0.reveal())" == sent } ?? false }
    /// Sends the password without a challenge; for servers that answer unknown users without a 401.
    mutating func insist() { if self.scheme == nil { self.scheme = .basic } }

    /// Whether a text contains the credentials: the program must not print them if a server repeats a request.
    func isIn(_ text: [UInt8]) -> Bool {
        let basic = String(self.credentials.basic.dropFirst("Basic ".count))
        let secrets = [self.credentials.password.reveal(), basic, self.token?.reveal() ?? ""]
        return secrets.contains { !$0.isEmpty && text.contains(Array($0.utf8)) }
    }

    /// The value of `Authorization`; `nil` to wait for the server's challenge.
    ///
    /// Basic is sent without a challenge over a protected connection, which saves a request. Over plain `http` the
    /// server is asked first, because it may accept a digest.
    mutating func authorization(for method: String, to url: URL) -> String? {
        switch self.scheme {
        case .bearer: return self.token.map { "Bearer \($0.reveal())" }
        case .basic: return self.credentials.basic
        case .digest:
            let target = url.query.map { "\(url.path)?\($0)" } ?? url.path
            return self.digest?.authorization(
                user: self.credentials.user,
                password: self.credentials.password,
                method: method,
                target: target
            )
        case nil: return Self.isPrivate(url) ? self.credentials.basic : nil
        }
    }

    mutating func accept(_ response: Response, to sent: String?) {
        guard let sent else { return }
        if sent.hasPrefix("Digest ") {
            self.isProven = true
            self.digest?.follow(response.headers)
        } else if self.scheme == nil, sent.hasPrefix("Basic "), (200..<300).contains(response.status) {
            self.scheme = .basic
        }
    }

    /// The next step after a 401.
    ///
    /// - Parameters:
    ///   - sent: the `Authorization` of the request; `nil` for none.
    ///   - isRepeated: whether the request was repeated after a 401 already.
    mutating func react(to response: Response, sent: String?, at url: URL, isRepeated: Bool) -> Reaction {
        let challenges = Challenge.read(response.headers)
        if self.scheme == .bearer {
            guard isRepeated else { return .againWithNewToken }
            return .giveUp(.tokenRefused)
        }
        let answerable = Digest(challenges, clientNonce: self.clientNonce())
        if let answerable, !isRepeated, self.isWorthATry(answerable, challenges, sent) {
            self.digest = answerable
            self.scheme = .digest
            self.isProven = false
            return .again
        }
        let offersBasic = challenges.contains { $0.scheme == "basic" }
        if sent == nil, !isRepeated, offersBasic || challenges.isEmpty {
            // A server that accepted a digest once does not get the password over an unencrypted connection.
            guard Self.isPrivate(url) || self.scheme == nil else { return .giveUp(.passwordInClear) }
            self.scheme = .basic
            return .again
        }
        return .giveUp(self.failure(response, challenges, sent: sent, isKnown: answerable != nil || offersBasic))
    }

    private func isWorthATry(_ new: Digest, _ challenges: [Challenge], _ sent: String?) -> Bool {
        guard let sent, sent.hasPrefix("Digest ") else { return true }
        return Digest.isStale(challenges) || self.isProven && new.nonce != self.digest?.nonce
    }

    private func failure(
        _ response: Response,
        _ challenges: [Challenge],
        sent: String?,
        isKnown: Bool
    ) -> SignInFailure {
        if Quirks.asksForAppPassword(response) { return .appPasswordNeeded }
        // Nextcloud's web pages answer a wrong password in this way.
        if challenges.isEmpty { return sent?.hasPrefix("Basic ") == true ? .rejectedUnasked : .noChallenge }
        if isKnown { return .rejected }
        var names: [String] = []
        for challenge in challenges {
            let algorithm = challenge.scheme == "digest" ? challenge.parameters["algorithm"]?.excerpt : nil
            let name = "\(challenge.scheme.prefix(20))\((algorithm.map { " (\($0))" } ?? "").prefix(20))"
            if !names.contains(name) { names.append(name) }
        }
        return .unsupported(names)
    }

    private static func isPrivate(_ url: URL) -> Bool { url.scheme == "https" || url.isLoopback }
}

/// A user name and a secret.
public struct Credentials: Sendable {
    /// Creates a token, for instance by a command; `nil` after a failure.
    public typealias TokenMaker = @Sendable () async -> Secret?
    /// The user's name on the server.
    public let user: String
    /// The password, better an app password; empty with a token.
    public let password: Secret
    let makeToken: TokenMaker?

    /// Credentials for Basic and Digest.
    public init(user: String, password: Secret) {
        self.user = user
        self.password = password
        self.makeToken = nil
    }

    /// Credentials with a token (RFC 6750), which is kept in memory only.
    ///
    /// - Parameter makeToken: called before the first request and once for each 401.
    public init(user: String, makeToken: @escaping TokenMaker) {
        self.user = user
        self.password = Secret("")
        self.makeToken = makeToken
    }

    var makesTokens: Bool { self.makeToken != nil }
    /// The value of `Authorization` (RFC 7617 §2.1).
    var basic: String { "Basic " + Base64.encode(Array("\(self.user):\(self.password.reveal())".utf8)) }
}
