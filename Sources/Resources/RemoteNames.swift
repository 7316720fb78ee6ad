/// A text that identifies something on a server, as the server sent it.
///
/// Unlike Swift strings, two of these texts are equal only when their bytes are equal.
public protocol WireText: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text as received; the program sends it back unchanged.
    var wire: String { get }

    /// Creates the value from a text as received.
    init(_ wire: String)
}

extension WireText {
    /// Creates the value from a literal.
    public init(stringLiteral wire: String) { self.init(wire) }

    /// The text as received.
    public var description: String { self.wire }

    /// Whether two texts have the same bytes.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.utf8.elementsEqual(rhs.wire.utf8) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire) }
}

/// The address of a calendar object on a server (RFC 4918 §8.3), usually an absolute path.
///
/// Servers write the same path in several ways; the target `WebDAV` compares the decoded paths.
public struct Href: WireText {
    /// The address as received, or as chosen for a new object.
    public let wire: String

    /// Creates an address from a text as received.
    public init(_ wire: String) { self.wire = wire }

    /// The last segment of the path; the whole text when the path has no segment.
    public var lastSegment: Substring { self.wire.split(separator: "/").last ?? self.wire[...] }
}

/// An opaque identifier of one version of a resource (RFC 9110 §8.8.3).
public struct EntityTag: WireText {
    /// The tag as received, with or without quotes.
    public let wire: String

    /// Creates a tag from a text as received.
    public init(_ wire: String) { self.wire = wire }

    /// Whether the tag is weak: it does not prove equal bytes, so `If-Match` never contains it (RFC 9110 §13.1.1).
    public var isWeak: Bool { self.wire.hasPrefix("W/") || self.wire.hasPrefix("w/") }

    /// Whether two tags identify equivalent content by the weak comparison (RFC 9110 §8.8.3.2).
    public func weaklyEquals(_ other: Self) -> Bool { self.opaque.utf8.elementsEqual(other.opaque.utf8) }

    private var opaque: Substring { self.isWeak ? self.wire.dropFirst(2) : self.wire[...] }
}

/// The server's marker of a state of a collection (RFC 6578 §4): usually a URI, but also a hash or a number.
public struct SyncToken: WireText {
    /// The token as received.
    public let wire: String

    /// Creates a token from a text as received.
    public init(_ wire: String) { self.wire = wire }
}
