/// The type of a property's value (RFC 5545 §3.3; RFC 9253 §7).
public enum ValueType: Hashable, Sendable, CustomStringConvertible {
    case binary, boolean, calAddress, date, dateTime, duration, float, integer, period, recur, text, time, uri
    case utcOffset, uid, xmlReference
    /// The wire name of a nonstandard type.
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
