internal import Glibc
internal import RemindavCCurl
public import RemindavHTTP
internal import RemindavPlatform

/// The certificate of a server, in a form that a user can check.
public struct ServerCertificate: Hashable, Sendable {
    /// The subject, as written in the certificate.
    public let subject: String
    /// The issuer, as written in the certificate.
    public let issuer: String
    /// The beginning of the validity: `Nov 20 22:19:44 2026 GMT`.
    public let validFrom: String
    /// The end of the validity.
    public let validUntil: String
    /// The SHA-256 of the whole certificate, as browsers and `openssl x509 -fingerprint -sha256` show it.
    public let fingerprint: String
    /// The SHA-256 of the public key as `sha256//` and base64, for ``TLSOptions/pinnedKey``.
    ///
    /// A renewed certificate with the same key has the same pin.
    public let pin: String

    /// - Parameter fields: libcurl's description of the certificate, as `name:value`.
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

    private static func bytes(inPEM text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let start = lines.firstIndex(of: "-----BEGIN CERTIFICATE-----") else { return nil }
        return Base64.decode(lines[(start + 1)...].prefix { !$0.hasPrefix("-----") }.joined())
    }

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
    let whole: ArraySlice<UInt8>
    let content: ArraySlice<UInt8>

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

extension ServerCertificate {
    /// Fetches the certificate of a server, trusted or not; neither a request nor a secret is sent.
    public static func shown(
        by url: URL,
        limits: TransportLimits = .standard
    ) async throws(TransportError) -> ServerCertificate {
        try await self.shown(by: url, limits: limits, addresses: nil)
    }

    /// The same for a server whose address is allowed.
    package static func shown(
        by url: URL,
        limits: TransportLimits = .standard,
        addresses: AddressPolicy?
    ) async throws(TransportError) -> ServerCertificate {
        guard url.scheme == "https" else { throw TransportError(.badRequest, host: url.host) }
        guard let curl = CurlLibrary.functions else { throw TransportError(.noLibrary, host: url.host) }
        let outcome: Outcome = await withCheckedContinuation { continuation in
            // The table of functions never changes after its initialisation.
            nonisolated(unsafe) let functions = curl
            let isStarted = startThread(named: "tls-probe") {
                continuation.resume(returning: self.probe(url, functions, limits, addresses))
            }
            if !isStarted { continuation.resume(returning: .failure(TransportError(.badRequest, host: url.host))) }
        }
        return try outcome.get()
    }

    private typealias Outcome = Result<ServerCertificate, TransportError>

    private static func probe(
        _ url: URL,
        _ curl: RemindavCurlLibrary,
        _ limits: TransportLimits,
        _ addresses: AddressPolicy?
    ) -> Outcome {
        let gate = addresses.map { AddressGate($0, url: url.text) }
        defer { withExtendedLifetime(gate) {} }
        let host = url.port.map { "\(url.host):\($0)" } ?? url.host
        guard let easy = curl.pointee.easy_init() else { return .failure(TransportError(.badRequest, host: host)) }
        defer { curl.pointee.easy_cleanup(easy) }
        let isAccepted = [
            remindav_curl_set_text(curl, easy, CURLOPT_URL, url.replacing(path: "/").text),
            remindav_curl_set_text(curl, easy, CURLOPT_PROTOCOLS_STR, "https"),
            remindav_curl_set_long(curl, easy, CURLOPT_NOSIGNAL, 1),
            remindav_curl_set_long(curl, easy, CURLOPT_CONNECT_ONLY, 1),
            remindav_curl_set_long(curl, easy, CURLOPT_CERTINFO, 1),
            remindav_curl_set_long(curl, easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            // The purpose is to see an untrusted certificate; nothing is sent on this connection.
            remindav_curl_set_long(curl, easy, CURLOPT_SSL_VERIFYPEER, 0),
            remindav_curl_set_long(curl, easy, CURLOPT_SSL_VERIFYHOST, 0),
            remindav_curl_set_long(curl, easy, CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connectSeconds * 1000)),
            remindav_curl_set_long(curl, easy, CURLOPT_TIMEOUT_MS, Int(limits.connectSeconds * 1000)),
        ].allSatisfy { $0 == CURLE_OK }
        guard isAccepted, gate?.guardSockets(of: easy, curl) != false else {
            return .failure(TransportError(.badRequest, host: host))
        }
        let code = curl.pointee.easy_perform(easy)
        if code == CURLE_COULDNT_CONNECT, let refusal = gate?.refusal {
            return .failure(TransportError(refusal, host: host))
        }
        guard code == CURLE_OK else { return .failure(CurlOutcome.error(code, host: host)) }
        var fields: [String] = []
        var entry = remindav_curl_first_certificate(curl, easy)
        while let field = entry?.pointee {
            if let data = field.data { fields.append(String(cString: data)) }
            entry = field.next
        }
        guard let certificate = ServerCertificate(fields: fields) else {
            return .failure(TransportError(.tls, host: host, detail: "its certificate cannot be read"))
        }
        return .success(certificate)
    }
}
