package import XML

/// `DAV:getetag`: the entity tag of a resource (RFC 4918 §15.6, RFC 9110 §8.8.3).
///
/// Stored with its quotes, since `If-Match` must return it exactly as received. Some servers omit the quotes; such a
/// tag is stored and sent without them.
public struct ETag: Hashable, Sendable, CustomStringConvertible {
    /// The tag as received.
    public let wire: String

    /// Creates a tag as received.
    public init(_ wire: String) { self.wire = wire }

    /// Whether the tag does not prove equal bytes: it is never used in `If-Match` (RFC 9110 §13.1.1).
    public var isWeak: Bool { self.wire.hasPrefix("W/") || self.wire.hasPrefix("w/") }

    /// Whether both identify the same content, weak or not (RFC 9110 §8.8.3.2).
    public func weaklyEquals(_ other: ETag) -> Bool { self.opaque.utf8.elementsEqual(other.opaque.utf8) }

    /// Whether both have the same octets; Swift strings also compare equal if they are only canonically equivalent.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.utf8.elementsEqual(rhs.wire.utf8) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire) }

    /// The tag as received.
    public var description: String { self.wire }

    private var opaque: Substring { self.isWeak ? self.wire.dropFirst(2) : self.wire[...] }
}

extension ETag: TextProperty {
    /// The name of the element.
    package static let name = QualifiedName.dav("getetag")
    /// The text of the element.
    package init(text: String) { self.init(text) }
}
