/// The name of a property, a parameter or a component.
///
/// Compared without regard to case and written back as it was read. The names this project understands are static
/// members; an `iana-token` or `x-name` that nobody here knows is as good a value (RFC 5545 §3.1, §3.8.8).
public struct Name: Hashable, Sendable, CustomStringConvertible {
    /// The spelling on the wire.
    public let wire: String
    /// The place in tables that have a row for each well-known name, from 1; 0 for every other name.
    package let number: UInt16

    /// - Returns: `nil` when `wire` is not a `name`: letters, digits and hyphens, at least one.
    public init?(_ wire: String) {
        guard !wire.isEmpty, wire.utf8.allSatisfy(\.isNameCharacter) else { return nil }
        self.init(known: wire)
    }

    /// For names that are known to be well-formed.
    init(known wire: String) {
        self.init(number: NameTable.standard.number(NameWords(wire)), wire: wire)
    }

    /// A name whose number has been looked up.
    init(number: UInt16, wire: String) {
        self.number = number
        self.wire = wire
    }

    /// The spelling in capitals: what names are compared by.
    public var canonical: String {
        self.number == NameTable.unknown ? self.wire.uppercased() : NameTable.standard.names[Int(self.number)].wire
    }

    /// How many places a table needs that is indexed by ``number``.
    package static var numberCount: Int { NameTable.standard.names.count }

    /// The spelling on the wire.
    public var description: String { self.wire }

    /// Whether both names are the same, without regard to case.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        guard lhs.number == NameTable.unknown else { return lhs.number == rhs.number }
        return rhs.number == NameTable.unknown && lhs.wire.utf8.count == rhs.wire.utf8.count
            && zip(lhs.wire.utf8, rhs.wire.utf8).allSatisfy { $0.capital == $1.capital }
    }

    /// Hashes the name without regard to case.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.number)
        if self.number == NameTable.unknown {
            for byte in self.wire.utf8 { hasher.combine(byte.capital) }
        }
    }
}

extension UInt8 {
    /// A letter, a digit or a hyphen (RFC 5545 §3.1, `name`).
    ///
    /// An underscore is let through: several programs write it.
    var isNameCharacter: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The capital of a small letter, any other byte as it is.
    var capital: UInt8 {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): self & 0xDF
        default: self
        }
    }
}
