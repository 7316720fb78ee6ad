/// A text from outside as a key: equal to another one when the octets are.
///
/// Two strings of Swift are equal when they look the same, be `é` one scalar or an `e` with an accent behind it. A UID,
/// a reference or an entity tag is what its octets are: to a server, to SQLite and to RFC 5545 these are two.
package struct ExactText: Hashable, Sendable {
    /// The text.
    package let text: String

    /// A text as it was received.
    package init(_ text: String) { self.text = text }

    /// Whether both have the same octets in UTF-8.
    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.text.utf8.count == rhs.text.utf8.count && lhs.text.utf8.elementsEqual(rhs.text.utf8)
    }

    /// Hashes the octets: what looks the same must not fall into one place, where a hostile server could pile it up.
    package func hash(into hasher: inout Hasher) {
        for octet in self.text.utf8 { hasher.combine(octet) }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// The same as a key, for sets, dictionaries and comparisons of what came from outside.
    package var exact: ExactText { ExactText(self) }
}
