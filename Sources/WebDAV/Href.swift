internal import HTTP

/// The address of a calendar object, as a server sent it (RFC 4918 §8.3).
///
/// Servers spell the same path in several ways, even within one session: `%40` or `@`, `%c3` or `%C3`, and SOGo omits
/// the encoding in some answers. Therefore two hrefs are equal when their decoded paths are equal; requests use
/// ``wire``.
public struct Href: Hashable, Sendable, CustomStringConvertible {
    /// The reference as received, nearly always an absolute path.
    public let wire: String
    /// The canonical path, for comparisons and as a database key.
    public let key: String

    /// Creates a reference as received; scheme and host are not part of the key.
    public init(_ wire: String) {
        self.wire = wire
        let isPlain = PercentCoding.isPlain(wire) && !wire.hasPrefix("//")
        self.key = isPlain ? wire : Self.root?.resolving(wire)?.pathKey ?? PercentCoding.encode(wire.utf8)
    }

    /// Creates a reference with a known key.
    package init(_ wire: String, key: String) {
        self.wire = wire
        self.key = key
    }

    /// The reference as received.
    public var description: String { self.wire }

    /// Whether both have the same path.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.key == rhs.key }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.key) }

    /// Any origin is sufficient to parse a path.
    private static let root = URL("http://localhost/")
}
