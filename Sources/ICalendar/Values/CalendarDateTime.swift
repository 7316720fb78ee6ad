/// A time of day, to the second (RFC 5545 §3.3.12).
public struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of seconds of a day without a clock change.
    public static let secondsPerDay = 86_400

    /// Seconds after midnight on a day without a clock change, 0 to 86,399.
    public let secondsOfDay: Int

    /// The hour, 0 to 23.
    public var hour: Int { self.secondsOfDay / 3600 }
    /// The minute, 0 to 59.
    public var minute: Int { self.secondsOfDay / 60 % 60 }
    /// The second, 0 to 59.
    public var second: Int { self.secondsOfDay % 60 }

    /// The time without seconds, for users: `09:05`.
    public var hoursAndMinutes: String {
        "\(self.hour.padded(2)):\(self.minute.padded(2))"
    }

    /// Creates a time of day, with 59 for a leap second of 60 (RFC 5545 §3.3.12); `nil` if a number is out of range.
    public init?(hour: Int, minute: Int, second: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second) else { return nil }
        self.secondsOfDay = hour * 3600 + minute * 60 + min(second, 59)
    }

    /// Creates the time of day `secondsOfDay` seconds after midnight, limited to 0 to 86,399.
    public init(secondsOfDay: Int) {
        self.secondsOfDay = min(max(secondsOfDay, 0), Self.secondsPerDay - 1)
    }

    // time = 2DIGIT ":" 2DIGIT
    /// Parses the form of ``hoursAndMinutes``; `nil` for any other text.
    package init?(hoursAndMinutes text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count == 2 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 2, numbers.count == 2 else { return nil }
        self.init(hour: numbers[0], minute: numbers[1], second: 0)
    }

    // time-value    = 2DIGIT 2DIGIT 2DIGIT ["Z"]        (the caller reads the Z)
    init?(_ bytes: Span<UInt8>, at start: Int) {
        self.init(
            hour: bytes.digits(2, at: start),
            minute: bytes.digits(2, at: start + 2),
            second: bytes.digits(2, at: start + 4)
        )
    }

    /// The wire form: `090000`.
    public var wire: String { self.hour.padded(2) + self.minute.padded(2) + self.second.padded(2) }

    /// The time in the form `09:00:00`.
    public var description: String { "\(self.hour.padded(2)):\(self.minute.padded(2)):\(self.second.padded(2))" }

    /// Chronological order.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.secondsOfDay < rhs.secondsOfDay }
}

/// The clock that shows a time: UTC, a viewer's local time or a time zone (RFC 5545 §3.3.5, the three forms).
public enum ZoneReference: Hashable, Sendable {
    /// Form 2: UTC.
    case utc
    /// Form 1: the local time of the viewer, in any time zone.
    case floating
    /// Form 3: the time zone with this TZID.
    case named(String)

    /// TZID is ignored if the time also has a `Z`, as Yahoo and DAVx5 write, and if TZID is empty, as Outlook writes.
    init(isUTC: Bool, tzid: String?) {
        self = isUTC ? .utc : tzid.flatMap { $0.isEmpty ? nil : .named($0) } ?? .floating
    }
}

/// A date with a time of day on a given clock (RFC 5545 §3.3.5).
///
/// Equality compares the date, the time and the clock, not the moments: 09:00 in Berlin is not equal to 08:00 in UTC.
public struct CalendarDateTime: Hashable, Sendable, CustomStringConvertible {
    /// The date on the clock of ``zone``.
    public let date: CalendarDate
    /// The time of day on the clock of ``zone``.
    public let time: ClockTime
    /// The clock that shows the date and the time.
    public let zone: ZoneReference

    /// Creates a time on the clock `zone`.
    public init(date: CalendarDate, time: ClockTime, zone: ZoneReference) {
        self.date = date
        self.time = time
        self.zone = zone
    }

    /// Creates the date and time with these ``localSeconds``, limited to the years 1 to 9999.
    public init(localSeconds: Int64, zone: ZoneReference) {
        let seconds = Int(localSeconds)
        let day = seconds.flooredQuotient(by: ClockTime.secondsPerDay)
        self.date = CalendarDate(dayNumber: day)
        if self.date.dayNumber == day {
            self.time = ClockTime(secondsOfDay: seconds - day * ClockTime.secondsPerDay)
        } else {
            self.time = ClockTime(secondsOfDay: day < 0 ? 0 : ClockTime.secondsPerDay - 1)
        }
        self.zone = zone
    }

    /// The date and time of a moment in UTC.
    public init(utc instant: Instant) {
        self.init(localSeconds: instant.secondsSince1970, zone: .utc)
    }

    /// The seconds from 1970-01-01T00:00:00 to this date and time, as if the clock showed UTC.
    public var localSeconds: Int64 {
        Int64(self.date.dayNumber * ClockTime.secondsPerDay + self.time.secondsOfDay)
    }

    /// The form `2026-11-20T09:00:00`, with `Z` for UTC; the name of a time zone is not shown.
    public var description: String { "\(self.date)T\(self.time)\(self.zone == .utc ? "Z" : "")" }
}

extension CalendarDateTime {
    /// Parses `20261120T090000` with or without `Z`; with `Z`, `tzid` is ignored.
    public init?(wire: String, tzid: String?) {
        let bytes = Array(wire.utf8)
        self.init(bytes.span, 0..<bytes.count, tzid: tzid)
    }

    // date-time  = date "T" time
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>, tzid: String?) {
        let start = range.lowerBound
        // Hand-written files contain a small `t` or `z`.
        let isUTC = range.count == 16 && bytes[start + 15] & 0xDF == UInt8(ascii: "Z")
        guard range.count == 15 || isUTC, bytes[start + 8] & 0xDF == UInt8(ascii: "T"),
            let date = CalendarDate(bytes, at: start), let time = ClockTime(bytes, at: start + 9)
        else { return nil }
        self.init(date: date, time: time, zone: ZoneReference(isUTC: isUTC, tzid: tzid))
    }

    /// The wire form `20261120T090000`, with `Z` for UTC; the name of a time zone belongs in the parameter TZID.
    public var wire: String { "\(self.date.wire)T\(self.time.wire)\(self.zone == .utc ? "Z" : "")" }
}

/// A DATE or a DATE-TIME, as in DUE, DTSTART, UNTIL, RDATE and others.
public enum CalendarDateOrDateTime: Hashable, Sendable, CustomStringConvertible {
    /// A whole day.
    case date(CalendarDate)
    /// A time of a day.
    case dateTime(CalendarDateTime)

    /// Parses a DATE or a DATE-TIME by its form: Nextcloud and Synology omit VALUE, and others write a wrong VALUE.
    public init?(wire: String, tzid: String?) {
        let bytes = Array(wire.utf8)
        self.init(bytes.span, 0..<bytes.count, tzid: tzid)
    }

    init?(_ bytes: Span<UInt8>, _ range: Range<Int>, tzid: String?) {
        if range.count == CalendarDate.wireLength {
            guard let date = CalendarDate(bytes, at: range.lowerBound) else { return nil }
            self = .date(date)
        } else {
            guard let dateTime = CalendarDateTime(bytes, range, tzid: tzid) else { return nil }
            self = .dateTime(dateTime)
        }
    }

    /// The wire form, without TZID or VALUE.
    public var wire: String {
        switch self {
        case .date(let date): date.wire
        case .dateTime(let dateTime): dateTime.wire
        }
    }

    /// The date on the clock of the value.
    public var day: CalendarDate {
        switch self {
        case .date(let date): date
        case .dateTime(let dateTime): dateTime.date
        }
    }

    /// Whether it is a DATE, that is, a whole day.
    public var isDate: Bool {
        if case .date = self { true } else { false }
    }

    /// The local seconds, as in ``CalendarDateTime/localSeconds``; a date gives those of its midnight.
    public var localSeconds: Int64 {
        switch self {
        case .date(let date): Int64(date.dayNumber * ClockTime.secondsPerDay)
        case .dateTime(let dateTime): dateTime.localSeconds
        }
    }

    /// The form `2026-11-20`, or `2026-11-20T09:00:00` with `Z` for UTC.
    public var description: String {
        switch self {
        case .date(let date): date.description
        case .dateTime(let dateTime): dateTime.description
        }
    }
}
