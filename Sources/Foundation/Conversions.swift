public import Foundation
public import RemindavHTTP
public import RemindavICalendar

extension Instant {
    /// Creates a moment from a `Date`, rounded down to a second; dates beyond the range of `Int64` are its ends.
    public init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self.init(secondsSince1970: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
    }
}

extension Date {
    /// Creates a date from a moment.
    public init(_ instant: Instant) { self.init(timeIntervalSince1970: TimeInterval(instant.secondsSince1970)) }
}

extension CalendarDate {
    /// Creates the date of year, month and day; `nil` if one is missing, or the date does not exist in the years 1 to 9999.
    ///
    /// All other components are ignored.
    public init?(_ components: DateComponents) {
        guard let year = components.year, let month = components.month, let day = components.day else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension DateComponents {
    /// Creates components with year, month and day.
    public init(_ date: CalendarDate) { self.init(year: date.year, month: date.month, day: date.day) }
}

extension CalendarDateTime {
    /// Creates the local time of a `Date` in a zone, rounded down to a second; the zone's identifier becomes TZID.
    ///
    /// Zones with the prefix `GMT`, which have no name in the time zone database, become UTC.
    public init(_ date: Date, in zone: TimeZone) {
        let utc = CalendarDateTime(utc: Instant(date))
        if zone.identifier.hasPrefix("GMT") || zone.identifier == "UTC" {
            self = utc
        } else {
            let offset = Int64(zone.secondsFromGMT(for: date))
            self.init(localSeconds: utc.localSeconds + offset, zone: .named(zone.identifier))
        }
    }
}

extension TimeZone {
    /// Creates the zone with the name of a TZID; `nil` for a name that the system does not know.
    ///
    /// - Parameter local: the zone of times without a zone (RFC 5545 §3.3.5, form 1).
    public init?(_ zone: ZoneReference, local: TimeZone) {
        switch zone {
        case .utc: self = .gmt
        case .floating: self = local
        case .named(let name): self.init(identifier: name)
        }
    }
}

extension Foundation.URL {
    /// Creates the URL of the client's address; `nil` if Foundation refuses it.
    public init?(_ url: RemindavHTTP.URL) { self.init(string: url.text) }
}

extension RemindavHTTP.URL {
    /// Creates an address of a server; `nil` if the scheme is neither `http` nor `https`, or there is no host.
    public init?(_ url: Foundation.URL) { self.init(url.absoluteString) }
}

extension ICalendarDocument {
    /// Parses the bytes of a file.
    public init(_ data: Data) { self.init([UInt8](data)) }
}
