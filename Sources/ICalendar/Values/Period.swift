/// A period of time: a start, and an end or a duration (RFC 5545 §3.3.9).
public struct Period: Hashable, Sendable {
    /// The end of a period, or its duration.
    public enum Extent: Hashable, Sendable {
        /// The end of the period, exclusive.
        case until(CalendarDateOrDateTime)
        /// The duration of the period.
        case lasting(CalendarDuration)
    }

    /// The start of the period, inclusive.
    public let start: CalendarDateOrDateTime
    /// The end of the period, or its duration.
    public let extent: Extent

    /// The end of the period, exclusive; `nil` if the period has a duration instead.
    public var end: CalendarDateOrDateTime? {
        if case .until(let end) = self.extent { end } else { nil }
    }

    /// The duration of the period; `nil` if the period has an end instead.
    public var duration: CalendarDuration? {
        if case .lasting(let duration) = self.extent { duration } else { nil }
    }

    /// Creates a period from its start and its end or duration.
    public init(start: CalendarDateOrDateTime, extent: Extent) {
        self.start = start
        self.extent = extent
    }

    // period-explicit = date-time "/" date-time
    // period-start    = date-time "/" dur-value
    /// Parses `19970101T180000Z/19970102T070000Z` or `19970101T180000Z/PT5H30M`; `tzid` is the value of TZID.
    public init?(wire: String, tzid: String?) {
        self.init(Array(wire.utf8)[...], tzid: tzid)
    }

    init?(_ bytes: ArraySlice<UInt8>, tzid: String?) {
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let first = bytes[..<slash]
        let rest = bytes[(slash + 1)...]
        guard let start = CalendarDateOrDateTime(first.span, 0..<first.count, tzid: tzid) else { return nil }
        if let end = CalendarDateOrDateTime(rest.span, 0..<rest.count, tzid: tzid) {
            self.init(start: start, extent: .until(end))
        } else if let duration = CalendarDuration(rest) {
            self.init(start: start, extent: .lasting(duration))
        } else {
            return nil
        }
    }

    /// The wire form, without TZID.
    public var wire: String {
        switch self.extent {
        case .until(let end): "\(self.start.wire)/\(end.wire)"
        case .lasting(let duration): "\(self.start.wire)/\(duration.wire)"
        }
    }
}
