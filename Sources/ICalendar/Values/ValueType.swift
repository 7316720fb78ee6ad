/// The type of a property's value (RFC 5545 §3.3; RFC 9253 §7).
public enum ValueType: Hashable, Sendable, CustomStringConvertible {
    /// Bytes in base64 (RFC 5545 §3.3.1).
    case binary
    /// `TRUE` or `FALSE` (RFC 5545 §3.3.2).
    case boolean
    /// The address of a calendar user, usually `mailto:` (RFC 5545 §3.3.3).
    case calAddress
    /// A day (RFC 5545 §3.3.4).
    case date
    /// A time of a day (RFC 5545 §3.3.5).
    case dateTime
    /// A length of time (RFC 5545 §3.3.6).
    case duration
    /// A number with a fraction (RFC 5545 §3.3.7).
    case float
    /// A whole number of 32 bits (RFC 5545 §3.3.8).
    case integer
    /// A stretch of time (RFC 5545 §3.3.9).
    case period
    /// A rule of recurrence (RFC 5545 §3.3.10).
    case recur
    /// A text for people (RFC 5545 §3.3.11).
    case text
    /// A time of any day (RFC 5545 §3.3.12).
    case time
    /// An address (RFC 5545 §3.3.13).
    case uri
    /// How far a clock is ahead of UTC (RFC 5545 §3.3.14).
    case utcOffset
    /// The UID of another component (RFC 9253 §7).
    case uid
    /// An address with a part of an XML document (RFC 9253 §7).
    case xmlReference
    /// A type that is not known here, in capitals.
    case unknown(String)

    /// The known values of VALUE, in one table.
    static let known: [(wire: String, type: Self)] = [
        ("DATE", .date), ("DATE-TIME", .dateTime), ("URI", .uri), ("TEXT", .text), ("DURATION", .duration),
        ("PERIOD", .period), ("BINARY", .binary), ("INTEGER", .integer), ("CAL-ADDRESS", .calAddress),
        ("FLOAT", .float), ("BOOLEAN", .boolean), ("RECUR", .recur), ("TIME", .time), ("UTC-OFFSET", .utcOffset),
        ("UID", .uid), ("XML-REFERENCE", .xmlReference),
    ]

    private static let keys = known.map { (words: NameTableWords($0.wire), type: $0.type) }

    /// Parses the value of VALUE, ignoring case.
    public init(wire: String) {
        let canonical = wire.uppercased()
        self = Self.known.first { $0.wire == canonical }?.type ?? .unknown(canonical)
    }

    /// Parses the value of VALUE from the bytes of a line.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let words = NameTableWords(bytes, range.lowerBound, range.count)
        for row in Self.keys where row.words == words {
            self = row.type
            return
        }
        var name: [UInt8] = []
        for position in range { name.append(bytes[position].capital) }
        self = .unknown(TextDecoding.string(name[...]))
    }

    /// Its text in VALUE: `CAL-ADDRESS`.
    public var wire: String {
        if case .unknown(let name) = self { return name }
        return Self.known.first { $0.type == self }?.wire ?? ""
    }

    /// Its text in VALUE.
    public var description: String { self.wire }
}
