/// A moment in whole seconds, independent of time zones.
public struct Instant: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The seconds since 1970-01-01T00:00:00Z, without leap seconds; negative for an earlier moment.
    public var secondsSince1970: Int64

    /// Creates the moment that is `secondsSince1970` seconds after 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// Parses `20261120T090000Z`.
    ///
    /// A time without `Z` is also read as UTC. KOrganizer, Nextcloud and Synology omit the `Z` in DTSTAMP, CREATED and
    /// LAST-MODIFIED, which must be in UTC (RFC 5545 §3.8.7).
    public init?(wire: String) {
        guard let dateTime = CalendarDateTime(wire: wire, tzid: nil) else { return nil }
        self.init(secondsSince1970: dateTime.localSeconds)
    }

    /// The wire form: `20261120T090000Z`.
    public var wire: String { CalendarDateTime(utc: self).wire }

    /// The moment `seconds` later, or earlier if `seconds` is negative; limited to the range of `Int64`.
    public func adding(seconds: Int) -> Instant {
        let (sum, overflow) = self.secondsSince1970.addingReportingOverflow(Int64(seconds))
        return Instant(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// Chronological order.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.secondsSince1970 < rhs.secondsSince1970 }

    /// The moment in the form `2026-11-20T09:00:00Z`.
    public var description: String { CalendarDateTime(utc: self).description }
}
