/// A text that equals another text only if all their octets are equal.
///
/// Swift strings are equal if they are canonically equivalent (`é` as one scalar or two). Servers, SQLite and RFC 5545
/// compare the octets of a UID, an href or an entity tag.
package struct ByteExactString: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.text.utf8.count == rhs.text.utf8.count && lhs.text.utf8.elementsEqual(rhs.text.utf8)
    }

    /// Hashes the octets: `String` gives equivalent texts one hash, so a server could slow down a table by collisions.
    package func hash(into hasher: inout Hasher) {
        for octet in self.text.utf8 { hasher.combine(octet) }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    package var exact: ByteExactString { ByteExactString(self) }
}
