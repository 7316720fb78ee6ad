internal import ICalendar

/// Where a server keeps an object, as the server writes it.
///
/// To the store a string to keep.
public struct Href: Hashable, Sendable, ExpressibleByStringLiteral {
    /// As received or as reserved.
    public let wire: String

    /// Any text.
    public init(_ wire: String) { self.wire = wire }

    /// Any text.
    public init(stringLiteral wire: String) { self.wire = wire }

    /// Whether both have the same octets.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.exact == rhs.wire.exact }

    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire.exact) }
}

/// Which version of an object a server has, with its quotes.
///
/// To the store a string to keep.
public struct EntityTag: Hashable, Sendable, ExpressibleByStringLiteral {
    /// As received.
    public let wire: String

    /// Any text.
    public init(_ wire: String) { self.wire = wire }

    /// Any text.
    public init(stringLiteral wire: String) { self.wire = wire }

    /// Whether both have the same octets.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.exact == rhs.wire.exact }

    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire.exact) }
}

/// Up to where a collection's changes are known.
///
/// To the store a string to keep.
public struct SyncToken: Hashable, Sendable, ExpressibleByStringLiteral {
    /// As received.
    public let wire: String

    /// Any text.
    public init(_ wire: String) { self.wire = wire }

    /// Any text.
    public init(stringLiteral wire: String) { self.wire = wire }

    /// Whether both have the same octets.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wire.exact == rhs.wire.exact }

    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wire.exact) }
}

extension Row {
    func href(_ column: Int32) -> Href? { self.textIfPresent(column).map { Href($0) } }
    func entityTag(_ column: Int32) -> EntityTag? { self.textIfPresent(column).map { EntityTag($0) } }
    func syncToken(_ column: Int32) -> SyncToken? { self.textIfPresent(column).map { SyncToken($0) } }
}
