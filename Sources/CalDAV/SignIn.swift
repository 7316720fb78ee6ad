internal import HTTP

/// The authentication scheme of a request (RFC 9110 §11).
public enum SignInScheme: String, Hashable, Sendable, CaseIterable {
    /// The password itself (RFC 7617).
    case basic
    /// A digest of the password and of the challenge (RFC 7616).
    case digest
    /// A token from another program (RFC 6750).
    case bearer
}

/// Why a server answers 401.
public enum SignInFailure: Hashable, Sendable {
    /// The answer does not say how to sign in.
    case noChallenge
    /// The name or the password is wrong.
    case rejected
    /// Probably the same: the password was sent, and the answer names no accepted scheme.
    case rejectedUnasked
    /// The answer says that it wants an app password instead of the person's own.
    case appPasswordNeeded
    /// The answer asks for these schemes only, none of which is spoken here.
    case unsupported([String])
    /// The server requests the password itself, over an unencrypted connection.
    case passwordInClear
    /// The token is wrong or has expired, and the command made no better one.
    case tokenRefused
    /// The command that makes the token failed.
    case tokenCommandFailed
    /// The server did not ask for a password and took no notice of ours.
    case ignored

    /// The behaviour of the server, to follow "the server does not accept the user name or the password".
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

/// The knowledge of a client about signing in to its server.
///
/// A value with phases: each method receives an event and returns the next step. Nothing is sent from here.
struct SignIn {
    /// The next step after a 401.
    enum Reaction: Hashable {
        /// Send the request once more, with the new ``authorization(for:to:)``.
        case again
        /// Ask once more, with a new token.
        case againWithNewToken
        case giveUp(SignInFailure)
    }

    let credentials: Credentials
    /// The scheme of the server, as far as it is known.
    private(set) var scheme: SignInScheme?
    private var digest: Digest?
    /// Whether the nonce in ``digest`` was accepted once, so that a refusal means that it is too old.
    private var isProven = false
    private var token: Secret?
    private let clientNonce: () -> String

    /// - Parameters:
    ///   - scheme: the scheme of the last sign-in.
    ///   - clientNonce: returns an unpredictable text.
    init(_ credentials: Credentials, scheme: SignInScheme?, clientNonce: @escaping () -> String) {
        self.credentials = credentials
        self.scheme = credentials.makesTokens ? .bearer : scheme
        self.clientNonce = clientNonce
    }

    /// Whether a token has to be made before anything is sent.
    var needsToken: Bool { self.scheme == .bearer && self.token == nil }

    /// Whether the next request goes out with the password or a token.
    var isSilent: Bool { self.scheme == nil }

    mutating func use(token: Secret?) { self.token = token }

    /// Whether the sent token is still in use: another request may have fetched a new one since.
    func isCurrent(_ sent: String?) -> Bool { self.token.map { "Bearer \($0.reveal())" == sent } ?? false }

    /// Sends the password without a challenge; for servers that answer unknown users without a 401.
    mutating func insist() { if self.scheme == nil { self.scheme = .basic } }

    /// Whether a text contains the credentials: a server that repeats a request in its answer must not make the program
    /// print them.
    func isIn(_ text: [UInt8]) -> Bool {
        let basic = String(self.credentials.basic.dropFirst("Basic ".count))
        let secrets = [self.credentials.password.reveal(), basic, self.token?.reveal() ?? ""]
        return secrets.contains { !$0.isEmpty && text.contains(Array($0.utf8)) }
    }

    /// The value of `Authorization`, `nil` to wait for the server's challenge.
    ///
    /// Basic is sent without a challenge over a protected connection, which saves a request; over plain `http` the server is asked
    /// first, because it may be content with a digest.
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

    /// Takes note of an answer that is no 401.
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
    ///   - sent: the `Authorization` of the request, `nil` when it had none.
    ///   - isRepeated: whether the request was repeated for a 401 already.
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
        // Nextcloud's pages answer a wrong password so.
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

    /// Whether the connection is encrypted or local.
    private static func isPrivate(_ url: URL) -> Bool { url.scheme == "https" || url.isLoopback }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard let first = part.first, self.count >= part.count else { return false }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
