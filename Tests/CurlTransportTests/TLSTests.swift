import RemindavHTTP
import Testing

@testable import RemindavCurlTransport

@Suite("TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    /// The pin of `self-signed.pem`, computed by OpenSSL.
    static let pin = "sha256//5BlKGysloR8fPtuYGeMjK/4e3S/pRYjkkpwmmSkrv8g="

    struct Case: Sendable, CustomTestStringConvertible {
        let certificate: String
        var authorities: String?
        var pin: String?
        var client: String?
        var lock: String?
        var options: [String] = []
        /// The expected error; `nil` if the connection succeeds.
        var error: TransportError.Code?
        var testDescription: String { "\(self.certificate), \(self.error.map { "\($0)" } ?? "accepted")" }

        var tls: TLSOptions {
            var tls = TLSOptions()
            tls.authorities = self.authorities.map { $0.hasPrefix("/") ? $0 : TLSServer.certificate($0) }
            tls.pinnedKey = self.pin
            tls.clientCertificate = self.client.map { TLSServer.certificate($0) }
            tls.clientKey = tls.clientCertificate
            tls.keyPassword = self.lock.map { Secret($0) }
            return tls
        }
    }

    static let wantsClient = ["-Verify", "1", "-verify_return_error", "-CAfile", TLSServer.certificate("authority")]

    static let cases = [
        Case(certificate: "server", authorities: "authority"),
        Case(certificate: "server", error: .certificateUnknown),
        Case(certificate: "self-signed", error: .certificateUnknown),
        Case(certificate: "self-signed", authorities: "authority", error: .certificateUnknown),
        Case(certificate: "self-signed", authorities: "self-signed"),
        Case(certificate: "expired", authorities: "authority", error: .certificateExpired),
        Case(certificate: "early", authorities: "authority", error: .certificateNotYetValid),
        Case(certificate: "elsewhere", authorities: "authority", error: .certificateWrongHost),
        Case(certificate: "server", authorities: "/nonexistent.pem", error: .authorities),
        Case(certificate: "self-signed", pin: pin),
        // A renewed certificate with the same key has the same pin.
        Case(certificate: "renewed", pin: pin),
        Case(certificate: "other", pin: pin, error: .certificateChanged),
        // A trusted authority does not override a pin.
        Case(certificate: "server", authorities: "authority", pin: pin, error: .certificateChanged),
        // libcurl would read any other text as a file name.
        Case(certificate: "self-signed", pin: "sha256//short=", error: .badRequest),
        Case(certificate: "self-signed", pin: "", error: .badRequest),
        Case(certificate: "server", authorities: "authority", options: ["-tls1_1"], error: .tls),
        Case(certificate: "server", authorities: "authority", client: "client", options: wantsClient),
        Case(
            certificate: "server",
            authorities: "authority",
            client: "client-locked",
            lock: "canary-lock",
            options: wantsClient
        ),
        Case(
            certificate: "server",
            authorities: "authority",
            client: "client-locked",
            lock: "wrong",
            options: wantsClient,
            error: .clientCertificate
        ),
        Case(
            certificate: "server",
            authorities: "authority",
            client: "client-locked",
            options: wantsClient,
            error: .clientCertificate
        ),
        Case(certificate: "server", authorities: "authority", options: wantsClient, error: .clientCertificate),
        Case(
            certificate: "server",
            authorities: "authority",
            client: "other",
            options: wantsClient,
            error: .clientCertificate
        ),
        Case(
            certificate: "server",
            authorities: "authority",
            client: "nonexistent",
            options: wantsClient,
            error: .clientCertificate
        ),
    ]

    @Test("a certificate is accepted, or refused with the reason", arguments: Self.cases)
    func certificate(_ test: Case) async throws {
        let server = try #require(TLSServer(test.certificate, options: test.options))
        let session = CurlSession(tls: test.tls)
        var outcome: Result<Int, TransportError>
        do throws(TransportError) {
            outcome = .success(try await session.send(Request(url: server.url)).status)
        } catch {
            outcome = .failure(error)
        }
        let expected: Result<Int, TransportError> = test.error.map { .failure(TransportError($0)) } ?? .success(200)
        #expect(outcome == expected, "\(outcome)")
        #expect(!"\(outcome)".contains("canary"))
    }

    @Test("the certificate of a server can be read, trusted or not", arguments: ["self-signed", "server", "expired"])
    func shown(_ name: String) async throws {
        let server = try #require(TLSServer(name))
        let url = try #require(URL(server.url))
        let certificate = try await ServerCertificate.shown(by: url)
        #expect(certificate.subject.contains("127.0.0.1"))
        #expect(ServerCertificate.isPin(certificate.pin))
        let expected: [String: (issuer: String, until: String, fingerprint: String)] = [
            "self-signed": ("127.0.0.1", "2126", "C1:CB:85:B2:55:E3:5F:4D:7D:16:E5:29:10:EE:A8:2A:D3:69:5F:35:45:59"),
            "server": ("Test authority", "2120", "6D:1C:25:F3:A8:B9:3A:F1:AF:AC:1A:F1:0A:F0:1A:2E:60:24:05:DF:45:AB"),
            "expired": ("Test authority", "Jan  2 00:00:00 2020 GMT", ""),
        ]
        let wanted = try #require(expected[name])
        #expect(certificate.issuer.contains(wanted.issuer))
        #expect(certificate.validUntil.contains(wanted.until))
        #expect(certificate.fingerprint.hasPrefix(wanted.fingerprint) && certificate.fingerprint.count == 95)
        if name == "self-signed" { #expect(certificate.pin == Self.pin) }
    }

    @Test("reading a certificate sends no request, and ends with a reason if there is none")
    func nothingSent() async throws {
        let plain = Loopback { _ in .ok("") }
        defer { plain.stop() }
        let url = try #require(URL("https://127.0.0.1:\(plain.port)/"))
        var quick = TransportLimits()
        quick.connectSeconds = 1
        let limits = quick
        await #expect(throws: TransportError.self) { try await ServerCertificate.shown(by: url, limits: limits) }
        #expect(plain.seen.isEmpty)
        let http = try #require(URL("http://127.0.0.1:\(plain.port)/"))
        await #expect(throws: TransportError(.badRequest)) { try await ServerCertificate.shown(by: http) }
    }

    @Test("truncated or malformed certificates are rejected", arguments: 0..<40)
    func cut(_ length: Int) {
        let pem = "-----BEGIN CERTIFICATE-----\n\(String(repeating: "MIIB", count: length))\n-----END CERTIFICATE-----"
        #expect(ServerCertificate(fields: ["Cert:\(pem)"]) == nil)
    }
}
