/// A text that identifies something on a server, as the server sent it.
///
/// Two texts are equal when their octets are equal; Swift strings also compare equal if they are only canonically
/// equivalent.
public protocol WireText: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text as received; it is sent back unchanged.
    var wire: String { get }

    /// Creates the value from a text as received.
    init(_ wire: String)
}

extension WireText {
    /// Creates the value from a literal.
    public init(stringLiteral wire: String) { self.init(wire) }

    /// The text as received.
    public var description: String { self.wire }

    /// Whether both have the same octets.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.utf8.elementsEqual(rhs.wire.utf8) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire) }
}

/// The address of a calendar object on a server (RFC 4918 §8.3), nearly always an absolute path.
///
/// Servers spell the same path in several ways; `WebDAV` compares the decoded paths.
public struct Href: WireText {
    /// The reference as received or as reserved.
    public let wire: String

    /// Creates a reference as received.
    public init(_ wire: String) { self.wire = wire }

    /// The last segment of the path; the whole text when it has no segment.
    public var lastSegment: Substring { self.wire.split(separator: "/").last ?? self.wire[...] }
}

/// An opaque identifier of one version of a resource (RFC 9110 §8.8.3).
public struct EntityTag: WireText {
    /// The tag as received, with or without quotes.
    public let wire: String

    /// Creates a tag as received.
    public init(_ wire: String) { self.wire = wire }

    /// Whether the tag does not prove equal bytes: it is never used in `If-Match` (RFC 9110 §13.1.1).
    public var isWeak: Bool { self.wire.hasPrefix("W/") || self.wire.hasPrefix("w/") }

    /// Whether both identify the same content, weak or not (RFC 9110 §8.8.3.2).
    public func weaklyEquals(_ other: Self) -> Bool { self.opaque.utf8.elementsEqual(other.opaque.utf8) }

    private var opaque: Substring { self.isWeak ? self.wire.dropFirst(2) : self.wire[...] }
}

/// The opaque state of a collection; usually a URI, but also a bare hash or number (RFC 6578 §4).
public struct SyncToken: WireText {
    /// The token as received.
    public let wire: String

    /// Creates a token as received.
    public init(_ wire: String) { self.wire = wire }
}
