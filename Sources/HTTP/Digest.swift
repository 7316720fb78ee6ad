/// Digest authentication, which does not send the password (RFC 7616).
///
/// An instance has one nonce of the server at a time and counts the uses of this nonce. `qop` is `auth`, or absent as
/// in RFC 2069. `auth-int` is not supported, because TLS already protects the integrity of bodies.
package struct Digest: Sendable {
    enum Algorithm: String, Sendable {
        case md5 = "MD5"
        case sha256 = "SHA-256"

        func hash(_ text: String) -> String {
            switch self {
            case .md5: MD5(text.utf8).hexadecimal
            case .sha256: SHA256(text.utf8).hexadecimal
            }
        }
    }

    private let realm: String
    package private(set) var nonce: String
    private let opaque: String?
    private let algorithm: Algorithm
    /// The name of the algorithm in the server's spelling; `nil` means MD5.
    private let algorithmName: String?
    private let isSession: Bool
    private let hasQuality: Bool
    private let isUTF8: Bool
    private let clientNonce: String
    private var count = 0

    /// Selects the strongest supported challenge (`nil` for none); `clientNonce` is unpredictable letters and digits.
    package init?(_ challenges: [Challenge], clientNonce: String) {
        let known = challenges.compactMap { Self($0, clientNonce: clientNonce) }
        guard let best = known.first(where: { $0.algorithm == .sha256 }) ?? known.first else { return nil }
        self = best
    }

    private init?(_ challenge: Challenge, clientNonce: String) {
        let name = challenge.parameters["algorithm"]
        let upper = name?.uppercased() ?? "MD5"
        let isSession = upper.hasSuffix("-SESS")
        guard challenge.scheme == "digest", let realm = challenge.realm, let nonce = challenge.parameters["nonce"],
            let algorithm = Algorithm(rawValue: isSession ? String(upper.dropLast(5)) : upper)
        else { return nil }
        let qualities = challenge.parameters["qop"]?.split(separator: ",").map { $0.trimmed.lowercased() }
        guard qualities?.contains("auth") ?? true else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.opaque = challenge.parameters["opaque"]
        self.algorithm = algorithm
        self.algorithmName = name
        self.isSession = isSession
        self.hasQuality = qualities != nil
        self.isUTF8 = challenge.parameters["charset"]?.uppercased() == "UTF-8"
        self.clientNonce = clientNonce
    }

    /// Whether the server refused a request only because its nonce has expired.
    package static func isStale(_ challenges: [Challenge]) -> Bool {
        challenges.contains { $0.scheme == "digest" && $0.parameters["stale"]?.lowercased() == "true" }
    }

    /// Stores the next nonce that an answer announces in `Authentication-Info` (RFC 7616 §3.5).
    package mutating func follow(_ headers: Headers) {
        guard let info = headers["Authentication-Info"] else { return }
        let fields = Challenge.read([.wwwAuthenticate: "Digest \(info)"])
        guard let next = fields.first?.parameters["nextnonce"], next != self.nonce else { return }
        self.nonce = next
        self.count = 0
    }

    /// - Parameter target: the path and the query, as in the first line of the request.
    package mutating func authorization(user: String, password: Secret, method: String, target: String) -> String {
        self.count += 1
        let digits = Hexadecimal.text([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self.count >> $0) })
        // A1 = unq(username) ":" unq(realm) ":" passwd
        var secret = self.algorithm.hash("\(user):\(self.realm):\(password.reveal())")
        if self.isSession { secret = self.algorithm.hash("\(secret):\(self.nonce):\(self.clientNonce)") }
        // A2 = Method ":" request-uri
        let request = self.algorithm.hash("\(method):\(target)")
        let middle = self.hasQuality ? "\(self.nonce):\(digits):\(self.clientNonce):auth" : self.nonce
        var fields = [
            self.userField(user), "realm=\(Self.quoted(self.realm))", "nonce=\(Self.quoted(self.nonce))",
            "uri=\(Self.quoted(target))", "response=\"\(self.algorithm.hash("\(secret):\(middle):\(request)"))\"",
        ]
        if let algorithmName { fields.append("algorithm=\(algorithmName)") }
        if self.hasQuality { fields += ["qop=auth", "nc=\(digits)"] }
        if self.hasQuality || self.isSession { fields.append("cnonce=\"\(self.clientNonce)\"") }
        if let opaque { fields.append("opaque=\(Self.quoted(opaque))") }
        return "Digest " + fields.joined(separator: ", ")
    }

    // username* = ext-value, when the name is not ASCII and the server reads UTF-8 (RFC 7616 §3.4)
    private func userField(_ user: String) -> String {
        guard self.isUTF8, !user.utf8.allSatisfy({ $0 < 128 }) else { return "username=\(Self.quoted(user))" }
        return "username*=UTF-8''\(PercentCoding.encode(user.utf8))"
    }

    // quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}
