internal import HTTP

/// The certificate of a server, in a form for a user's decision.
public struct ServerCertificate: Hashable, Sendable {
    /// The subject, as written in the certificate.
    public let subject: String
    /// The issuer.
    public let issuer: String
    /// The beginning of its validity: `Nov 20 22:19:44 2026 GMT`.
    public let validFrom: String
    /// The end of its validity.
    public let validUntil: String
    /// The SHA-256 of the whole certificate, as browsers and `openssl x509 -fingerprint -sha256` show it.
    public let fingerprint: String
    /// The SHA-256 of its public key: `sha256//` and base64, for ``TLSOptions/pinnedKey``.
    ///
    /// It stays the same when a certificate is renewed with the same key.
    public let pin: String

    /// Reads a certificate.
    ///
    /// - Parameters:
    ///   - fields: libcurl's description of it, as `name:value`.
    /// - Returns: `nil` when it contains no readable certificate.
    init?(fields: [String]) {
        func value(_ name: String) -> String? {
            fields.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
        }
        guard let text = value("Cert"), let bytes = Self.bytes(inPEM: text), let key = Self.publicKey(of: bytes) else {
            return nil
        }
        self.subject = value("Subject") ?? ""
        self.issuer = value("Issuer") ?? ""
        self.validFrom = value("Start date") ?? ""
        self.validUntil = value("Expire date") ?? ""
        let digits = Array(SHA256(bytes).hexadecimal.uppercased())
        self.fingerprint = stride(from: 0, to: digits.count, by: 2).map { String(digits[$0...$0 + 1]) }
            .joined(separator: ":")
        self.pin = "sha256//\(Base64.encode(SHA256(key).bytes))"
    }

    /// Whether a text is a pin; libcurl would read any other text as a file name.
    public static func isPin(_ text: String) -> Bool {
        text.hasPrefix("sha256//") && Base64.decode(text.dropFirst(8))?.count == 32
    }

    /// The first block of a PEM text (RFC 7468).
    private static func bytes(inPEM text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let start = lines.firstIndex(of: "-----BEGIN CERTIFICATE-----") else { return nil }
        return Base64.decode(lines[(start + 1)...].prefix { !$0.hasPrefix("-----") }.joined())
    }

    /// The SubjectPublicKeyInfo of a certificate in DER.
    // Certificate ::= SEQUENCE { tbsCertificate ... }
    // TBSCertificate ::= SEQUENCE { version [0] OPTIONAL, serialNumber, signature, issuer, validity, subject,
    //     subjectPublicKeyInfo, ... }
    private static func publicKey(of certificate: [UInt8]) -> ArraySlice<UInt8>? {
        guard var fields = DERElement(certificate[...])?.content else { return nil }
        guard let signed = DERElement(fields) else { return nil }
        fields = signed.content
        var elements: [DERElement] = []
        while elements.count < 7, let element = DERElement(fields) {
            elements.append(element)
            fields = fields[element.whole.endIndex...]
        }
        let hasVersion = elements.first?.tag == 0xA0
        let index = hasVersion ? 6 : 5
        guard elements.indices.contains(index), elements[index].tag == 0x30 else { return nil }
        return elements[index].whole
    }
}

/// One value in DER (X.690 §8.1, §10.1).
private struct DERElement {
    let tag: UInt8
    /// The value with its tag and length.
    let whole: ArraySlice<UInt8>
    let content: ArraySlice<UInt8>

    /// The value at the beginning of these bytes; `nil` when it is incomplete.
    init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            // No certificate needs more than four length bytes.
            guard (1...4).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard rest.count >= length else { return nil }
        self.tag = tag
        self.content = rest.prefix(length)
        self.whole = bytes[bytes.startIndex..<self.content.endIndex]
    }
}
