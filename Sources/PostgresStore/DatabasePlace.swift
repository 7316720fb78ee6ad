/// The address of a PostgreSQL database.
package struct DatabasePlace: Hashable, Sendable {
    /// A connection string or URI of libpq, such as `service=remindav`; it contains no password.
    package let text: String
    /// The role that replaces the one of ``text``; `nil` keeps it.
    package let role: String?

    package init(_ text: String, role: String? = nil) {
        self.text = text
        self.role = role
    }
}
