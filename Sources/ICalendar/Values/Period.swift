/// A period of time (RFC 5545 §3.3.9).
public struct Period: Hashable, Sendable {
    /// The form in which a period's length is given.
    public enum Extent: Hashable, Sendable {
        /// The end of the period, exclusive.
        case until(CalendarDateOrDateTime)
        case lasting(CalendarDuration)
    }

    /// When it begins.
    public let start: CalendarDateOrDateTime
    /// The length of the period.
    public let extent: Extent

    /// Its end; `nil` when it has a duration.
    public var end: CalendarDateOrDateTime? {
        if case .until(let end) = self.extent { end } else { nil }
    }

    /// Its duration; `nil` when it has an end.
    public var duration: CalendarDuration? {
        if case .lasting(let duration) = self.extent { duration } else { nil }
    }

    /// Creates a period that begins at a moment.
    public init(start: CalendarDateOrDateTime, extent: Extent) {
        self.start = start
        self.extent = extent
    }

    // period-explicit = date-time "/" date-time
    // period-start    = date-time "/" dur-value
    /// Reads `19970101T180000Z/19970102T070000Z` or `19970101T180000Z/PT5H30M`.
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
