/// The address of a PostgreSQL database.
package struct DatabasePlace: Hashable, Sendable {
    /// A connection string or URI of libpq, such as `service=remindav`; it contains no password.
    package let text: String
    /// The role that replaces the one of ``text``; `nil` keeps it.
    package let role: String?

    /// Whether ``text`` names a password; other people may read the settings.
    package var hasPassword: Bool {
        let text = self.text.lowercased()
        let names = text.split { "&? \t\n".contains($0) }
        if names.contains(where: { $0.hasPrefix("password") || $0.hasPrefix("sslpassword") }) { return true }
        guard let scheme = text.firstRange(of: "://") else { return false }
        // postgresql://user:password@host/database
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        return authority.split(separator: "@").count > 1 && authority.prefix { $0 != "@" }.contains(":")
    }

    package init(_ text: String, role: String? = nil) {
        self.text = text
        self.role = role
    }
}
