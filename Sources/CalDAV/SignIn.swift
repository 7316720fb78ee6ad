public import RemindavHTTP

/// An authentication scheme (RFC 9110 §11).
public enum SignInScheme: String, Hashable, Sendable, CaseIterable {
    /// The request contains the password (RFC 7617).
    case basic
    /// The request contains a digest of the password and of the server's challenge (RFC 7616).
    case digest
    /// The request contains a token from another program (RFC 6750).
    case bearer
}

/// The reason why a sign-in failed.
public enum SignInFailure: Hashable, Sendable {
    /// The answer names no authentication scheme.
    case noChallenge
    /// The user or the password is wrong.
    case rejected
    /// The password is probably wrong: it was sent, and the answer names no authentication scheme.
    case rejectedUnasked
    /// The server requires a password for this program.
    case appPasswordNeeded
    /// The answer names only these authentication schemes, and the program supports none of them.
    case unsupported([String])
    /// The server requests the password over a connection without TLS.
    case passwordInClear
    /// The token is wrong or has expired.
    case tokenRefused
    /// The command that prints the token failed.
    case tokenCommandFailed
    /// The server did not ask for a password and ignored the password that was sent.
    case ignored

    /// The server's behaviour, in words that follow "the server does not accept the user name or the password".
    var words: String {
        switch self {
        case .noChallenge: "it does not name a sign-in method"
        case .rejected, .rejectedUnasked: "they are wrong, or it requires an app password"
        case .appPasswordNeeded: "it requires an app password"
        case .unsupported(let schemes):
            "it requires the sign-in method \(schemes.enumeration), which remindav does not support"
        case .passwordInClear: "it requests the password unencrypted"
        case .tokenRefused: "the token is wrong or has expired"
        case .tokenCommandFailed: "the token command failed"
        case .ignored: "it did not request a password and ignored the one that was sent"
        }
    }
}

/// The state of the sign-in to a server.
struct SignIn {
    enum Reaction: Hashable {
        case again
        case againWithNewToken
        case giveUp(SignInFailure)
    }

    let credentials: Credentials
    private(set) var scheme: SignInScheme?
    private var digest: Digest?
    /// Whether the server has accepted the nonce in ``digest``; a later refusal means that the nonce has expired.
    private var isProven = false
    private var token: Secret?
    private let clientNonce: () -> String

    /// - Parameter clientNonce: returns a new unpredictable text at each call.
    init(_ credentials: Credentials, scheme: SignInScheme?, clientNonce: @escaping () -> String) {
        self.credentials = credentials
        self.scheme = credentials.makesTokens ? .bearer : scheme
        self.clientNonce = clientNonce
    }

    var needsToken: Bool { self.scheme == .bearer && self.token == nil }
    var isSilent: Bool { self.scheme == nil }
    mutating func use(token: Secret?) { self.token = token }
    /// Whether a sent `Authorization` contains the current token; another request may have fetched a newer token.
    func isCurrent(_ sent: String?) -> Bool { self.token.map { "Bearer \($0.reveal())" == sent } ?? false }
    /// Sends the password from now on without a challenge, for servers that do not send a 401.
    mutating func insist() { if self.scheme == nil { self.scheme = .basic } }

    /// Whether an answer contains the credentials; a server may repeat the request in an error message.
    func isIn(_ text: [UInt8]) -> Bool {
        let basic = String(self.credentials.basic.dropFirst("Basic ".count))
        let secrets = [self.credentials.password.reveal(), basic, self.token?.reveal() ?? ""]
        return secrets.contains { !$0.isEmpty && text.contains(Array($0.utf8)) }
    }

    /// The value of `Authorization`; `nil` to wait for the server's challenge.
    ///
    /// Over a protected connection, Basic is sent without a challenge, which saves a request. Over `http`, the client
    /// first waits for the server's challenge, because the server may accept Digest.
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

    /// Decides about the next step after a 401; `sent` is the `Authorization` of that request (`nil` for none).
    ///
    /// - Parameter isRepeated: whether the failed request was already a repetition after a 401.
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
            // A server that has accepted Digest does not get the password over an unencrypted connection.
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
        // Nextcloud's web pages answer a wrong password with a 401 that names no scheme.
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

/// A user name with a password, or with a way to get tokens.
public struct Credentials: Sendable {
    /// Gets a token, for instance from a command; `nil` after a failure.
    public typealias TokenMaker = @Sendable () async -> Secret?
    /// The user's name on the server.
    public let user: String
    /// The password, preferably an app password; empty when a token is used.
    public let password: Secret
    let makeToken: TokenMaker?

    /// Creates credentials for Basic and Digest.
    public init(user: String, password: Secret) {
        self.user = user
        self.password = password
        self.makeToken = nil
    }

    /// Creates credentials for Bearer (RFC 6750); the token is kept in memory only.
    ///
    /// - Parameters:
    ///   - user: the name of the user, for messages.
    ///   - makeToken: called before the first request, and once after each 401.
    public init(user: String, makeToken: @escaping TokenMaker) {
        self.user = user
        self.password = Secret("")
        self.makeToken = makeToken
    }

    var makesTokens: Bool { self.makeToken != nil }
    /// The value of `Authorization` for Basic (RFC 7617 §2.1).
    var basic: String { "Basic " + Base64.encode(Array("\(self.user):\(self.password.reveal())".utf8)) }
}
