/// A text from outside as a key: equal only if the octets are equal.
///
/// Swift strings are equal if they are canonically equivalent: `é` may be one scalar or an `e` with a combining accent.
/// A UID, a reference or an entity tag is defined by its octets: servers, SQLite and RFC 5545 treat these two as
/// different.
package struct ByteExactString: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.text.utf8.count == rhs.text.utf8.count && lhs.text.utf8.elementsEqual(rhs.text.utf8)
    }

    /// Hashes the octets: equivalent texts must not share a bucket, because a hostile server could create many of them.
    package func hash(into hasher: inout Hasher) {
        for octet in self.text.utf8 { hasher.combine(octet) }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// The text as a key, for sets, dictionaries and comparisons of external data.
    package var exact: ByteExactString { ByteExactString(self) }
}
