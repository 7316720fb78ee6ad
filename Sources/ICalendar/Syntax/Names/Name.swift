/// The name of a property, a parameter or a component.
///
/// Comparison ignores case; the original spelling is stored and written. Well-known names are static members. Any other
/// `iana-token` or `x-name` is equally valid (RFC 5545 §3.1, §3.8.8).
public struct Name: Hashable, Sendable, CustomStringConvertible {
    /// The original spelling.
    public let wire: String
    /// The index of a well-known name in tables of names, from 1; 0 for every other name.
    package let number: UInt16

    /// - Returns: `nil` when `wire` is empty or contains a character that is not a letter, digit, hyphen or underscore.
    public init?(_ wire: String) {
        guard !wire.isEmpty, wire.utf8.allSatisfy(\.isNameCharacter) else { return nil }
        self.init(known: wire)
    }

    init(known wire: String) {
        self.init(number: NameTable.standard.number(NameTableWords(wire)), wire: wire)
    }

    init(number: UInt16, wire: String) {
        self.number = number
        self.wire = wire
    }

    /// The spelling in capitals, for comparisons.
    public var canonical: String {
        self.number == NameTable.unknown ? self.wire.uppercased() : NameTable.standard.names[Int(self.number)].wire
    }

    package static var numberCount: Int { NameTable.standard.names.count }

    /// An array with one element for each well-known name, at the index ``number``.
    static func table<Value>(_ rows: some Sequence<(name: Name, value: Value)>, default value: Value) -> [Value] {
        rows.reduce(into: Array(repeating: value, count: self.numberCount)) { $0[Int($1.name.number)] = $1.value }
    }

    /// The original spelling.
    public var description: String { self.wire }

    /// Whether both names are equal, ignoring case.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        guard lhs.number == NameTable.unknown else { return lhs.number == rhs.number }
        return rhs.number == NameTable.unknown && lhs.wire.utf8.count == rhs.wire.utf8.count
            && zip(lhs.wire.utf8, rhs.wire.utf8).allSatisfy { $0.capital == $1.capital }
    }

    /// Hashes the name, ignoring case.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.number)
        if self.number == NameTable.unknown {
            for byte in self.wire.utf8 { hasher.combine(byte.capital) }
        }
    }
}

extension UInt8 {
    /// A letter, a digit or a hyphen (RFC 5545 §3.1, `name`), or an underscore, which several programs write.
    var isNameCharacter: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    var capital: UInt8 { self >= 0x61 && self <= 0x7A ? self & 0xDF : self }
}
