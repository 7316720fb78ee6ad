/// The type of a property value (RFC 5545 §3.3; RFC 9253 §7).
public enum ValueType: Hashable, Sendable {
    /// A type of RFC 5545 §3.3; the names of its sections are those of the cases.
    case binary, boolean, calAddress, date, dateTime, duration, float, integer, period, recur, text, time, uri
    /// UTC-OFFSET (RFC 5545 §3.3.14), UID and XML-REFERENCE (RFC 9253 §7).
    case utcOffset, uid, xmlReference
    /// Any other type, as it is written.
    case unknown(String)

    static let known: [(wire: String, type: Self)] = [
        ("DATE", .date), ("DATE-TIME", .dateTime), ("URI", .uri), ("TEXT", .text), ("DURATION", .duration),
        ("PERIOD", .period), ("BINARY", .binary), ("INTEGER", .integer), ("CAL-ADDRESS", .calAddress),
        ("FLOAT", .float), ("BOOLEAN", .boolean), ("RECUR", .recur), ("TIME", .time), ("UTC-OFFSET", .utcOffset),
        ("UID", .uid), ("XML-REFERENCE", .xmlReference),
    ]

    /// Parses the value of the parameter VALUE; case is ignored.
    public init(wire: String) {
        let canonical = wire.uppercased()
        self = Self.known.first { $0.wire == canonical }?.type ?? .unknown(canonical)
    }

    /// The name of the type in the parameter VALUE, such as `CAL-ADDRESS`.
    public var wire: String {
        if case .unknown(let name) = self { return name }
        return Self.known.first { $0.type == self }?.wire ?? ""
    }
}
