/// One authentication method that a server offers (RFC 9110 §11.3).
package struct Challenge: Hashable, Sendable {
    /// The scheme in lower case: `basic`.
    package let scheme: String
    /// The parameters with names in lower case and values without quotes; of a repeated name, the first value counts.
    package let parameters: [String: String]
    package var realm: String? { self.parameters["realm"] }
    /// The largest number of challenges; a server offers two or three methods, perhaps with several algorithms each.
    private static let maximumChallenges = 32

    /// The first ``maximumChallenges`` challenges of the `WWW-Authenticate` fields, in order.
    ///
    /// In a field, all text after an unreadable challenge is ignored.
    package static func read(_ headers: Headers) -> [Challenge] {
        var challenges: [Challenge] = []
        for value in headers.values(of: .wwwAuthenticate) {
            var parser = ChallengeParser(value)
            while challenges.count < self.maximumChallenges, let challenge = parser.parseChallenge() {
                challenges.append(challenge)
            }
        }
        return challenges
    }
}

private struct ChallengeParser {
    private var rest: Substring.UTF8View
    init(_ value: String) { self.rest = Substring(value).utf8 }

    // WWW-Authenticate = [ challenge *( OWS "," OWS challenge ) ]
    // challenge   = auth-scheme [ 1*SP ( token68 / #auth-param ) ]
    mutating func parseChallenge() -> Challenge? {
        self.skip(" \t,")
        guard let scheme = self.parseToken() else { return nil }
        var parameters: [String: String] = [:]
        if !self.skipToken68() {
            while let (name, value) = self.parseParameter() {
                if parameters[name] == nil { parameters[name] = value }
            }
        }
        return Challenge(scheme: scheme.lowercased(), parameters: parameters)
    }

    // auth-param  = token BWS "=" BWS ( token / quoted-string )
    private mutating func parseParameter() -> (name: String, value: String)? {
        let start = self.rest
        self.skip(" \t,")
        if let name = self.parseToken() {
            self.skip(" \t")
            if self.rest.first == UInt8(ascii: "=") {
                self.rest.removeFirst()
                self.skip(" \t")
                if let value = self.parseQuoted() ?? self.parseToken() { return (name.lowercased(), value) }
                self.rest = self.rest[self.rest.endIndex...]
                return nil
            }
        }
        // A word without a value is the scheme of the next challenge.
        self.rest = start
        return nil
    }

    // quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE
    private mutating func parseQuoted() -> String? {
        guard self.rest.first == UInt8(ascii: "\"") else { return nil }
        var value: [UInt8] = []
        var index = self.rest.index(after: self.rest.startIndex)
        while index < self.rest.endIndex {
            var byte = self.rest[index]
            self.rest.formIndex(after: &index)
            if byte == UInt8(ascii: "\"") {
                self.rest = self.rest[index...]
                return String(decoding: value, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\"), index < self.rest.endIndex {
                byte = self.rest[index]
                self.rest.formIndex(after: &index)
            }
            value.append(byte)
        }
        return nil
    }

    // token       = 1*tchar
    private mutating func parseToken() -> String? {
        let token = self.rest.prefix { byte in
            byte > 32 && byte < 127 && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
        }
        guard !token.isEmpty else { return nil }
        self.rest = self.rest[token.endIndex...]
        return String(Substring(token))
    }

    // token68     = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
    private mutating func skipToken68() -> Bool {
        let start = self.rest
        self.skip(" \t")
        let word = self.rest.prefix { PercentCoding.isUnreserved($0) || "+/".utf8.contains($0) }
        self.rest = self.rest[word.endIndex...]
        self.rest = self.rest.drop { $0 == UInt8(ascii: "=") }
        self.skip(" \t")
        if !word.isEmpty, self.rest.isEmpty || self.rest.first == UInt8(ascii: ",") { return true }
        self.rest = start
        return false
    }

    private mutating func skip(_ characters: String) { self.rest = self.rest.drop { characters.utf8.contains($0) } }
}
