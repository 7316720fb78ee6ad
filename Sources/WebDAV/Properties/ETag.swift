package import XML

/// `DAV:getetag`: the entity tag of a resource (RFC 4918 §15.6, RFC 9110 §8.8.3).
///
/// Kept with its quotes, since `If-Match` must send back exactly what was received. Some servers leave the quotes out;
/// such a tag is kept and sent without them.
public struct ETag: Hashable, Sendable, CustomStringConvertible {
    /// The tag as received.
    public let wire: String

    /// A tag as received.
    public init(_ wire: String) { self.wire = wire }

    /// Whether the tag does not prove that the bytes are the same: it never goes into `If-Match` (RFC 9110 §13.1.1).
    public var isWeak: Bool { self.wire.hasPrefix("W/") || self.wire.hasPrefix("w/") }

    /// Whether both name the same content, weak or not (RFC 9110 §8.8.3.2).
    public func weaklyEquals(_ other: ETag) -> Bool { self.opaque.utf8.elementsEqual(other.opaque.utf8) }

    /// Whether both have the same octets; a string of Swift is also equal to one that only looks the same.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.utf8.elementsEqual(rhs.wire.utf8) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire) }

    /// The tag as received.
    public var description: String { self.wire }

    private var opaque: Substring { self.isWeak ? self.wire.dropFirst(2) : self.wire[...] }
}

extension ETag: TextProperty {
    /// The element that carries it.
    package static let name = QualifiedName.dav("getetag")
    /// The text of the element.
    package init(text: String) { self.init(text) }
}
