/// One value of a property, parsed by its type (RFC 5545 §3.3).
public enum PropertyValue: Hashable, Sendable {
    /// Decoded bytes (RFC 5545 §3.3.1).
    case binary([UInt8])
    /// TRUE or FALSE (RFC 5545 §3.3.2).
    case boolean(Bool)
    /// The address of a calendar user (RFC 5545 §3.3.3).
    case calAddress(String)
    /// A date (RFC 5545 §3.3.4).
    case date(CalendarDate)
    /// A date-time; like a period and a time, it contains the time zone of TZID.
    case dateTime(CalendarDateTime)
    /// A length of time (RFC 5545 §3.3.6).
    case duration(CalendarDuration)
    /// A real number (RFC 5545 §3.3.7).
    case float(Double)
    /// A whole number (RFC 5545 §3.3.8).
    case integer(Int)
    /// A period of time (RFC 5545 §3.3.9).
    indirect case period(Period)
    /// A repeat rule (RFC 5545 §3.3.10).
    indirect case recur(RecurrenceRule)
    /// A text without escapes.
    case text(String)
    /// A time of day (RFC 5545 §3.3.12).
    case time(CalendarTime)
    /// An address (RFC 5545 §3.3.13).
    case uri(String)
    /// An offset from UTC (RFC 5545 §3.3.14).
    case utcOffset(UTCOffset)
    /// A UID of RFC 9253, without escapes.
    case uid(String)
    /// A reference to a part of an XML document (RFC 9253 §7).
    case xmlReference(String)
    /// The original text of a value with an unknown type.
    case unknown(String)

    /// Creates a value of type DATE or DATE-TIME.
    public init(_ moment: CalendarDateOrDateTime) {
        switch moment {
        case .date(let date): self = .date(date)
        case .dateTime(let dateTime): self = .dateTime(dateTime)
        }
    }

    /// The date or date-time; `nil` for a value of any other type.
    public var moment: CalendarDateOrDateTime? {
        switch self {
        case .date(let date): .date(date)
        case .dateTime(let dateTime): .dateTime(dateTime)
        default: nil
        }
    }

    /// The type of the value; `unknown("UNKNOWN")` for a value with an unknown type.
    public var type: ValueType {
        switch self {
        case .binary: .binary
        case .boolean: .boolean
        case .calAddress: .calAddress
        case .date: .date
        case .dateTime: .dateTime
        case .duration: .duration
        case .float: .float
        case .integer: .integer
        case .period: .period
        case .recur: .recur
        case .text: .text
        case .time: .time
        case .uri: .uri
        case .utcOffset: .utcOffset
        case .uid: .uid
        case .xmlReference: .xmlReference
        case .unknown: .unknown("UNKNOWN")
        }
    }

    /// The unfolded wire form; a text has its escapes.
    public var wire: String {
        switch self {
        case .binary(let bytes): BinaryValue.encode(bytes)
        case .boolean(let isTrue): isTrue ? "TRUE" : "FALSE"
        case .date(let date): date.wire
        case .dateTime(let dateTime): dateTime.wire
        case .duration(let duration): duration.wire
        case .float(let number): FloatValue.wire(number)
        case .integer(let number): String(number)
        case .period(let period): period.wire
        case .recur(let rule): rule.wire
        case .text(let text), .uid(let text): TextValue.escape(text)
        case .time(let time): time.wire
        case .utcOffset(let offset): offset.wire
        case .calAddress(let text), .uri(let text), .xmlReference(let text), .unknown(let text): text
        }
    }

    /// The time zone to write into the parameter TZID; `nil` if the value has none.
    public var zoneName: String? {
        guard case .named(let name) = self.clock else { return nil }
        return name
    }

    /// The clock that shows the value; `nil` for a value that is not a time.
    var clock: ZoneReference? {
        switch self {
        case .dateTime(let dateTime): dateTime.zone
        case .time(let time): time.zone
        case .period(let period): PropertyValue(period.start).clock
        default: nil
        }
    }
}
