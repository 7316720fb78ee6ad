package import RemindavHTTP
import RemindavPlatform

/// The rules by which a process of a host believes that its reverse proxy has signed a person in.
///
/// Nothing is believed by default. A request must come by the Unix socket of the proxy, or by the port of 127.0.0.1 with
/// the secret that the proxy shares with this process.
package struct ProxyTrust: Sendable {
    /// The listener that received a request.
    enum Door: Hashable, Sendable { case socket, port }

    /// The reason for an answer without a page, as a sentence.
    enum Refusal: String, Error, Hashable, Sendable {
        case notTheProxy = "These pages are only for the reverse proxy of this host, which signs people in."
        case noPerson = "The reverse proxy has not named the signed-in person."
        case severalPersons =
            "The request names several persons. The reverse proxy must replace the headers of clients."
        case notValid = "The name of the signed-in person is not valid."
        case unknownPerson =
            "This host has no reminders for the signed-in person. Ask its administrator to allow the person."
    }

    /// The header with the secret.
    package static let secretHeader: HeaderName = "Remindav-Proxy-Secret"
    /// The minimum number of bytes of the secret, so that it cannot be guessed.
    package static let minimumSecretBytes = 32
    /// The maximum number of bytes of the file with the secret; a header with more is refused by most proxies.
    private static let maximumFileBytes = 4096
    /// The maximum number of bytes of an issuer and of a subject; OpenID Connect allows 255 for a subject.
    package static let maximumNameBytes = 500

    /// The header with the identifier of the signed-in person.
    package let subjectHeader: HeaderName
    /// The header with the sign-in service of the person; `nil` gives all persons the empty one.
    package let issuerHeader: HeaderName?
    /// The only user whose processes may use the socket; `nil` lets the permissions of its file decide.
    package let user: UInt32?
    /// The secret for requests by the port; `nil` refuses them.
    package let secret: Secret?

    package init(subjectHeader: String, issuerHeader: String? = nil, user: UInt32? = nil, secret: String? = nil) {
        self.subjectHeader = HeaderName(subjectHeader)
        self.issuerHeader = issuerHeader.map { HeaderName($0) }
        self.user = user
        self.secret = secret.map { Secret($0) }
    }

    /// Whether a text can be the name of a header of persons: letters, digits and hyphens.
    ///
    /// Proxies often drop names with an underscore, or treat it as equal to a hyphen.
    package static func isHeaderName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    }

    /// The result of reading the file of the secret.
    package enum SecretFile: Hashable, Sendable {
        case secret(String)
        case openToOthers
        /// With the reason in words.
        case notReadable(String)
        /// The first line has fewer than ``minimumSecretBytes`` bytes, or other characters than printable ASCII without
        /// spaces.
        case notValid
    }

    /// The first line of a file that only the user of this process can read.
    package static func secret(inFile path: String) -> SecretFile {
        switch PrivateFile.read(path, limit: Self.maximumFileBytes) {
        case .openToOthers: return .openToOthers
        case .notReadable(let reason): return .notReadable(reason)
        case .bytes(let bytes):
            let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
            guard line.count >= Self.minimumSecretBytes, line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                return .notValid
            }
            return .secret(String(decoding: line, as: UTF8.self))
        }
    }

    /// The person whom the proxy has signed in.
    func person(of request: Request, by door: Door) throws(Refusal) -> Person {
        guard self.isFromProxy(request, by: door) else { throw .notTheProxy }
        let subject = try self.value(of: self.subjectHeader, in: request)
        let issuer = try self.issuerHeader.map { header throws(Refusal) in try self.value(of: header, in: request) }
        return Person(issuer: issuer ?? "", subject: subject)
    }

    private func isFromProxy(_ request: Request, by door: Door) -> Bool {
        switch door {
        case .socket: self.user == nil || request.socketUser == self.user
        case .port:
            if let secret, request.headers.values(of: Self.secretHeader).count == 1,
                let sent = request.headers[Self.secretHeader]
            {
                Self.isSame(sent, secret.reveal())
            } else {
                false
            }
        }
    }

    /// The hashes are compared completely, so that the time reveals neither the length nor the beginning of the secret.
    private static func isSame(_ sent: String, _ secret: String) -> Bool {
        zip(SHA256(sent.utf8).bytes, SHA256(secret.utf8).bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func value(of header: HeaderName, in request: Request) throws(Refusal) -> String {
        let values = request.headers.values(of: header)
        guard values.count <= 1 else { throw .severalPersons }
        guard let value = values.first, !value.isEmpty else { throw .noPerson }
        guard Self.isName(value) else { throw .notValid }
        return value
    }

    /// Whether a text can be an issuer or a subject.
    package static func isName(_ text: String) -> Bool {
        // Bytes that are no valid UTF-8 have become U+FFFD, so two of these texts could be equal.
        !text.isEmpty && text.utf8.count <= Self.maximumNameBytes
            && text.unicodeScalars.allSatisfy { $0.value > 0x1F && $0.value != 0x7F && $0 != "\u{FFFD}" }
    }
}
