import RemindavCalDAV
import RemindavCurlTransport
import RemindavHTTP
import RemindavStore

/// A server's certificate; the user decides whether to trust it.
package struct CertificateView: Hashable, Sendable {
    package let address: String
    package let subject: String
    package let issuer: String
    package let validFrom: String
    package let validUntil: String
    /// The SHA-256 hash of the certificate in hexadecimal, with colons between the bytes.
    package let fingerprint: String
    /// The SHA-256 hash of the public key, in the form of ``AccountSetting/trustKey``.
    package let key: String
    /// The names of the accounts on this server.
    package let accounts: [String]
    /// The names of the accounts that already trust this key.
    package let trustedBy: [String]
}

extension UseCases {
    /// Reads the certificate of a server without an HTTP request; `place` names an account, a host or an address.
    package func certificate(of place: String) async throws -> CertificateView {
        let accounts = try self.store.read { try $0.accounts() }
        let address = accounts.first { $0.name == place }?.url ?? place
        let url = try CalDAVClient.url(of: address)
        let shown = try await ServerCertificate.shown(by: url, addresses: self.configuration.tenancy?.addresses)
        let own = accounts.filter { RemindavHTTP.URL($0.url)?.origin == url.origin }
        return CertificateView(
            address: "\(url.origin)",
            subject: shown.subject,
            issuer: shown.issuer,
            validFrom: shown.validFrom,
            validUntil: shown.validUntil,
            fingerprint: shown.fingerprint,
            key: shown.pin,
            accounts: own.map(\.name),
            trustedBy: own.filter { $0.settings.pinnedKey == shown.pin }.map(\.name)
        )
    }
}
