/// The number of a record in the store, never used again for another record of that kind.
public struct RecordID<Record>: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    public let rawValue: Int64

    /// A number, which need not be of a record that exists.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// A number, which need not be of a record that exists.
    public init(_ number: Int64) { self.rawValue = number }

    /// The digits.
    public var description: String { String(self.rawValue) }

    /// Older records first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Row {
    func id<Record>(_ column: String) -> RecordID<Record> { RecordID(self.integer(column)) }

    func idIfPresent<Record>(_ column: String) -> RecordID<Record>? {
        self.integerIfPresent(column).map { RecordID($0) }
    }
}

extension SQLValue {
    static func id<Record>(_ id: RecordID<Record>) -> Self { .integer(id.rawValue) }
    static func id<Record>(_ id: RecordID<Record>?) -> Self { .integer(id?.rawValue) }
}
