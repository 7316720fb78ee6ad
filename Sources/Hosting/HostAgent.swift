/// The header User-Agent of the requests of a host (RFC 9110 §10.1.5).
///
/// The requests of many users come from one address. For operators of CalDAV servers, the header names the installation
/// and a contact. It has nothing about the tenant.
package enum HostAgent {
    /// The name without an installation and a contact, as for a single user.
    package static let product = "Remindav"
    /// The maximum number of bytes of a contact; an email address has at most 254.
    package static let contactLimit = 254

    /// The header, such as `Remindav (todo.example.org; dav@example.org)`.
    ///
    /// - Parameters:
    ///   - installation: the host name of the public address; `nil` for none.
    ///   - contact: an email address or a URL; `nil` for none.
    package static func text(installation: String?, contact: String?) -> String {
        let parts = [installation, contact].compactMap { $0 }
        return parts.isEmpty ? self.product : "\(self.product) (\(parts.joined(separator: "; ")))"
    }

    /// Whether a text can be the contact: an email address or a URL of visible ASCII characters.
    ///
    /// The text has `@` or `://`, and at most ``contactLimit`` bytes. A parenthesis or a backslash would have to be
    /// escaped in the comment of the header.
    package static func isContact(_ text: String) -> Bool {
        text.utf8.count <= self.contactLimit && (text.contains("@") || text.contains("://"))
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()\\".utf8.contains($0) }
    }
}
