public import HTTP

/// A user name and a secret.
public struct Credentials: Sendable {
    /// Makes a token, for instance by a command; `nil` when that fails.
    public typealias TokenMaker = @Sendable () async -> Secret?

    /// The user's name as the server knows it.
    public let user: String
    /// The password, or better an app password; empty where a token is used.
    public let password: Secret
    /// Makes the token; `nil` where a password is used.
    let makeToken: TokenMaker?

    /// A name and its password, for Basic and Digest.
    public init(user: String, password: Secret) {
        self.user = user
        self.password = password
        self.makeToken = nil
    }

    /// A name and the source of its token (RFC 6750).
    ///
    /// - Parameter makeToken: called before the first request and once for each 401; the token is kept in memory only.
    public init(user: String, makeToken: @escaping TokenMaker) {
        self.user = user
        self.password = Secret("")
        self.makeToken = makeToken
    }

    /// Whether a token is sent and no password.
    var makesTokens: Bool { self.makeToken != nil }

    /// The value of `Authorization`, in UTF-8 (RFC 7617 §2.1).
    var basic: String { "Basic " + Base64.encode(Array("\(self.user):\(self.password.reveal())".utf8)) }
}
