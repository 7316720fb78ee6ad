/// The name of a property, a parameter or a component.
///
/// Compared without regard to case and written back as it was read. The names this project understands are static
/// members; an `iana-token` or `x-name` that nobody here knows is as good a value (RFC 5545 §3.1, §3.8.8).
public struct Name: Hashable, Sendable, CustomStringConvertible {
    /// The spelling on the wire.
    public let wire: String
    /// The spelling in capitals: what names are compared by.
    public let canonical: String
    /// What a scanned line is compared with first: see ``NameKey``.
    let key: NameKey

    /// - Returns: `nil` when `wire` is not a `name`: letters, digits and hyphens, at least one.
    public init?(_ wire: String) {
        guard !wire.isEmpty, wire.utf8.allSatisfy(\.isNameCharacter) else { return nil }
        self.init(known: wire)
    }

    /// For names that are known to be well-formed.
    init(known wire: String) {
        self.wire = wire
        self.canonical = wire.uppercased()
        self.key = NameKey(self.canonical)
    }

    /// The spelling on the wire.
    public var description: String { self.wire }

    /// Whether both names are the same, without regard to case.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.key == rhs.key && lhs.canonical == rhs.canonical }
    /// Hashes the name without regard to case.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.key) }
}

/// A name in eight bytes, so that a line is matched without touching its text.
///
/// Up to eight letters are packed and therefore compare exactly; longer names are hashed (FNV-1a) with the top bit set,
/// and a match is confirmed by the bytes.
struct NameKey: Hashable, Sendable {
    private(set) var bits: UInt64 = 0
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    private var count = 0

    init() {}

    /// A key that a line was scanned with, for looking it up.
    init(bits: UInt64) { self.bits = bits }

    init(_ canonical: String) {
        for byte in canonical.utf8 { self.append(byte) }
    }

    /// Whether equal keys prove equal names.
    var isExact: Bool { self.count <= 8 }

    /// Adds one letter, digit or hyphen; small letters count as capitals.
    mutating func append(_ byte: UInt8) {
        let capital = byte.capital
        self.count += 1
        self.hash = (self.hash ^ UInt64(capital)) &* 0x0000_0100_0000_01b3
        self.bits = self.count <= 8 ? self.bits << 8 | UInt64(capital) : self.hash | 1 << 63
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.bits == rhs.bits }
    func hash(into hasher: inout Hasher) { hasher.combine(self.bits) }
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
