internal import HTTP

/// Where a calendar object lies: the reference as a server sent it (RFC 4918 §8.3).
///
/// Servers spell one and the same path in several ways, even within one session: `%40` or `@`, `%c3` or `%C3`, and SOGo
/// leaves the encoding out in some answers. Two hrefs are therefore equal when their decoded paths are; what is sent to
/// the server is ``wire``.
public struct Href: Hashable, Sendable, CustomStringConvertible {
    /// The reference as received, an absolute path in nearly every case.
    public let wire: String
    /// The path in one spelling: to be compared, and to be a key in a database.
    public let key: String

    /// A reference as received; scheme and host are not part of the key.
    public init(_ wire: String) {
        self.wire = wire
        let isPlain = PercentCoding.isPlain(wire) && !wire.hasPrefix("//")
        self.key = isPlain ? wire : Self.root?.resolving(wire)?.pathKey ?? PercentCoding.encode(wire.utf8)
    }

    /// A reference whose key is known already.
    package init(_ wire: String, key: String) {
        self.wire = wire
        self.key = key
    }

    /// The reference as received.
    public var description: String { self.wire }

    /// Whether both lead to the same path.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.key == rhs.key }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.key) }

    /// Any origin will do to read a path.
    private static let root = URL("http://localhost/")
}
