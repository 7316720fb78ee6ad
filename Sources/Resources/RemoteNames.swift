/// The address of a calendar object on a server, as the server sent it (RFC 4918 §8.3).
///
/// Two addresses are equal when their octets are equal. Servers spell the same path in several ways; `WebDAV` compares
/// the decoded paths.
public struct Href: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The reference as received or as reserved, nearly always an absolute path.
    public let wire: String

    /// Creates a reference as received.
    public init(_ wire: String) { self.wire = wire }

    /// Creates a reference from a literal.
    public init(stringLiteral wire: String) { self.wire = wire }

    /// The last segment of the path; the whole text when it has no segment.
    public var lastSegment: Substring { self.wire.split(separator: "/").last ?? self.wire[...] }

    /// The reference as received.
    public var description: String { self.wire }

    /// Whether both have the same octets; Swift strings also compare equal if they are only canonically equivalent.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.utf8.elementsEqual(rhs.wire.utf8) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire) }
}

/// An opaque identifier of one version of a resource, including its quotes (RFC 9110 §8.8.3).
public struct EntityTag: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The tag as received, with or without quotes; it is sent back unchanged.
    public let wire: String

    /// Creates a tag as received.
    public init(_ wire: String) { self.wire = wire }

    /// Creates a tag from a literal.
    public init(stringLiteral wire: String) { self.wire = wire }

    /// Whether the tag does not prove equal bytes: it is never used in `If-Match` (RFC 9110 §13.1.1).
    public var isWeak: Bool { self.wire.hasPrefix("W/") || self.wire.hasPrefix("w/") }

    /// Whether both identify the same content, weak or not (RFC 9110 §8.8.3.2).
    public func weaklyEquals(_ other: Self) -> Bool { self.opaque.utf8.elementsEqual(other.opaque.utf8) }

    /// The tag as received.
    public var description: String { self.wire }

    /// Whether both have the same octets.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.utf8.elementsEqual(rhs.wire.utf8) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire) }

    private var opaque: Substring { self.isWeak ? self.wire.dropFirst(2) : self.wire[...] }
}

/// The opaque state of a collection; usually a URI, but also a bare hash or number (RFC 6578 §4).
public struct SyncToken: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The token as received.
    public let wire: String

    /// Creates a token as received.
    public init(_ wire: String) { self.wire = wire }

    /// Creates a token from a literal.
    public init(stringLiteral wire: String) { self.wire = wire }

    /// The token as received.
    public var description: String { self.wire }

    /// Whether both have the same octets.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.utf8.elementsEqual(rhs.wire.utf8) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire) }
}
