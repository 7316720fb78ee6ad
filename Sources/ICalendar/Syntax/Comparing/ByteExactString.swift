/// A text from outside as a key: equal only if the octets are equal.
///
/// Swift strings are equal if they are canonically equivalent (`é` as one scalar or two), but servers, SQLite and
/// RFC 5545 compare the octets of a UID, a reference or an entity tag.
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
    package var exact: ByteExactString { ByteExactString(self) }
}
