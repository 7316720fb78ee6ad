/// The number that identifies a record in the store; it is never used again for a record of the same type.
package struct RecordID<Record>: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number; the first record has 1.
    package let rawValue: Int64

    /// Creates an id; the store need not contain a record with this number.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates an id; the store need not contain a record with this number.
    package init(_ number: Int64) { self.rawValue = number }

    /// The number as decimal digits.
    package var description: String { String(self.rawValue) }

    /// Whether `lhs` is the older record.
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
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
