/// A time of day without a date, in a given time zone (RFC 5545 §3.3.12).
public struct CalendarTime: Hashable, Sendable {
    /// The time of day as clocks in ``zone`` show it.
    public let time: ClockTime
    /// The time zone of the clock.
    public let zone: ZoneReference

    /// Creates a time of day as clocks in `zone` show it.
    public init(time: ClockTime, zone: ZoneReference) {
        self.time = time
        self.zone = zone
    }

    // time         = 2DIGIT 2DIGIT 2DIGIT ["Z"]
    /// Parses `230000` with or without `Z`; `tzid` is the value of the parameter TZID.
    public init?(wire: String, tzid: String?) {
        let bytes = Array(wire.utf8)
        self.init(bytes.span, 0..<bytes.count, tzid: tzid)
    }

    init?(_ bytes: Span<UInt8>, _ range: Range<Int>, tzid: String?) {
        let isUTC = range.count == 7 && bytes[range.lowerBound + 6] & 0xDF == UInt8(ascii: "Z")
        guard range.count == 6 || isUTC, let time = ClockTime(bytes, at: range.lowerBound) else { return nil }
        self.init(time: time, zone: ZoneReference(isUTC: isUTC, tzid: tzid))
    }

    /// The wire form, with `Z` for UTC; the name of a time zone belongs in the parameter TZID.
    public var wire: String { self.time.wire + (self.zone == .utc ? "Z" : "") }
}
