internal import CCurl
internal import Glibc
public import HTTP
internal import Platform

extension ServerCertificate {
    /// Fetches the certificate of a server, trusted or not.
    ///
    /// The connection ends after the TLS handshake: no request and no secret is sent.
    ///
    /// - Parameter url: of `https`.
    public static func shown(
        by url: URL,
        limits: TransportLimits = .standard
    ) async throws(TransportError) -> ServerCertificate {
        guard url.scheme == "https" else { throw TransportError(.badRequest, host: url.host) }
        guard let curl = CurlLibrary.functions else { throw TransportError(.noLibrary, host: url.host) }
        let outcome: Outcome = await withCheckedContinuation { continuation in
            let probe = CertificateProbe(curl, url: url, limits: limits, continuation: continuation)
            probe.start()
        }
        return try outcome.get()
    }

    fileprivate typealias Outcome = Result<ServerCertificate, TransportError>
}

/// One connection that is opened and closed on a separate thread.
private final class CertificateProbe: Sendable {
    /// Never changed after initialisation.
    private nonisolated(unsafe) let curl: RemindavCurlLibrary
    private let url: URL
    private let limits: TransportLimits
    private let continuation: CheckedContinuation<ServerCertificate.Outcome, Never>

    init(
        _ curl: RemindavCurlLibrary,
        url: URL,
        limits: TransportLimits,
        continuation: CheckedContinuation<ServerCertificate.Outcome, Never>
    ) {
        self.curl = curl
        self.url = url
        self.limits = limits
        self.continuation = continuation
    }

    func start() {
        if !startThread(named: "tls-probe", self.run) {
            self.continuation.resume(returning: .failure(TransportError(.badRequest, host: self.url.host)))
        }
    }

    fileprivate func run() { self.continuation.resume(returning: self.probe()) }

    private func probe() -> ServerCertificate.Outcome {
        let host = self.url.port.map { "\(self.url.host):\($0)" } ?? self.url.host
        guard let easy = self.curl.pointee.easy_init() else { return .failure(TransportError(.badRequest, host: host)) }
        defer { self.curl.pointee.easy_cleanup(easy) }
        let isAccepted = [
            remindav_curl_set_text(self.curl, easy, CURLOPT_URL, self.url.replacing(path: "/").text),
            remindav_curl_set_text(self.curl, easy, CURLOPT_PROTOCOLS_STR, "https"),
            remindav_curl_set_long(self.curl, easy, CURLOPT_NOSIGNAL, 1),
            remindav_curl_set_long(self.curl, easy, CURLOPT_CONNECT_ONLY, 1),
            remindav_curl_set_long(self.curl, easy, CURLOPT_CERTINFO, 1),
            remindav_curl_set_long(self.curl, easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            // The purpose is to see an untrusted certificate; nothing is sent on this connection.
            remindav_curl_set_long(self.curl, easy, CURLOPT_SSL_VERIFYPEER, 0),
            remindav_curl_set_long(self.curl, easy, CURLOPT_SSL_VERIFYHOST, 0),
            remindav_curl_set_long(self.curl, easy, CURLOPT_CONNECTTIMEOUT_MS, Int(self.limits.connectSeconds * 1000)),
            remindav_curl_set_long(self.curl, easy, CURLOPT_TIMEOUT_MS, Int(self.limits.connectSeconds * 1000)),
        ].allSatisfy { $0 == CURLE_OK }
        guard isAccepted else { return .failure(TransportError(.badRequest, host: host)) }
        let code = self.curl.pointee.easy_perform(easy)
        guard code == CURLE_OK else { return .failure(CurlOutcome.error(code, host: host)) }
        var fields: [String] = []
        var entry = remindav_curl_first_certificate(self.curl, easy)
        while let field = entry?.pointee {
            if let data = field.data { fields.append(String(cString: data)) }
            entry = field.next
        }
        guard let certificate = ServerCertificate(fields: fields) else {
            return .failure(TransportError(.tls, host: host, detail: "it shows no certificate that can be read"))
        }
        return .success(certificate)
    }
}
