/// A time of day, to the second (RFC 5545 §3.3.12).
public struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The seconds of a day without a clock change.
    public static let secondsPerDay = 86_400

    /// 0 to 86,399: seconds after midnight on a day without a clock change.
    public let secondsOfDay: Int

    /// 0 to 23.
    public var hour: Int { self.secondsOfDay / 3600 }
    /// 0 to 59.
    public var minute: Int { self.secondsOfDay / 60 % 60 }
    /// 0 to 59.
    public var second: Int { self.secondsOfDay % 60 }

    /// `09:05`, without seconds, for users.
    public var hoursAndMinutes: String {
        "\(self.hour.padded(2)):\(self.minute.padded(2))"
    }

    /// A second of 60 is read as 59: no clock here counts leap seconds, and RFC 5545 §3.3.12 allows it.
    public init?(hour: Int, minute: Int, second: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second) else { return nil }
        self.secondsOfDay = hour * 3600 + minute * 60 + min(second, 59)
    }

    /// - Parameter secondsOfDay: cut to 0 to 86,399.
    public init(secondsOfDay: Int) {
        self.secondsOfDay = min(max(secondsOfDay, 0), Self.secondsPerDay - 1)
    }

    // time-value    = 2DIGIT 2DIGIT 2DIGIT ["Z"]        (the Z is read by the caller)
    init?(_ bytes: Span<UInt8>, at start: Int) {
        self.init(
            hour: bytes.digits(2, at: start),
            minute: bytes.digits(2, at: start + 2),
            second: bytes.digits(2, at: start + 4)
        )
    }

    /// The wire form: `090000`.
    public var wire: String { self.hour.padded(2) + self.minute.padded(2) + self.second.padded(2) }

    /// The form `09:00:00`.
    public var description: String { "\(self.hour.padded(2)):\(self.minute.padded(2)):\(self.second.padded(2))" }

    /// Chronological order.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.secondsOfDay < rhs.secondsOfDay }
}

/// The clock of a time (RFC 5545 §3.3.5, the three forms).
public enum ZoneReference: Hashable, Sendable {
    case utc
    /// Form 1: the viewer's local time.
    case floating
    /// Form 3: the unchanged value of TZID.
    case named(String)

    /// TZID is ignored with a `Z` (Yahoo and DAVx5 have written both), and so is an empty one (Outlook).
    init(isUTC: Bool, tzid: String?) {
        self = isUTC ? .utc : tzid.flatMap { $0.isEmpty ? nil : .named($0) } ?? .floating
    }
}

/// A date with a time of day on a given clock (RFC 5545 §3.3.5).
///
/// Equality compares the fields, not the moments: 09:00 in Berlin is not equal to 08:00 UTC.
public struct CalendarDateTime: Hashable, Sendable, CustomStringConvertible {
    /// The day on that clock.
    public let date: CalendarDate
    /// The time on that clock.
    public let time: ClockTime
    /// The clock.
    public let zone: ZoneReference

    /// Creates a time on the clock `zone`.
    public init(date: CalendarDate, time: ClockTime, zone: ZoneReference) {
        self.date = date
        self.time = time
        self.zone = zone
    }

    /// The inverse of ``localSeconds``; limited to the years 1 to 9999.
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

    /// The moment in UTC.
    public init(utc instant: Instant) {
        self.init(localSeconds: instant.secondsSince1970, zone: .utc)
    }

    /// Seconds from 1970-01-01T00:00:00 to this date and time on its own clock, as if it were UTC.
    public var localSeconds: Int64 {
        Int64(self.date.dayNumber * ClockTime.secondsPerDay + self.time.secondsOfDay)
    }

    /// The form `2026-11-20T09:00:00`, with `Z` for UTC; the name of another zone is not shown.
    public var description: String { "\(self.date)T\(self.time)\(self.zone == .utc ? "Z" : "")" }
}

extension CalendarDateTime {
    /// Parses `20261120T090000` with or without `Z`; TZID is ignored with a `Z`.
    public init?(wire: String, tzid: String?) {
        let bytes = Array(wire.utf8)
        self.init(bytes.span, 0..<bytes.count, tzid: tzid)
    }

    // date-time  = date "T" time
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>, tzid: String?) {
        let start = range.lowerBound
        // A small `t` or `z` occurs in hand-written files.
        let isUTC = range.count == 16 && bytes[start + 15] & 0xDF == UInt8(ascii: "Z")
        guard range.count == 15 || isUTC, bytes[start + 8] & 0xDF == UInt8(ascii: "T"),
            let date = CalendarDate(bytes, at: start), let time = ClockTime(bytes, at: start + 9)
        else { return nil }
        self.init(date: date, time: time, zone: ZoneReference(isUTC: isUTC, tzid: tzid))
    }

    /// The wire form, `20261120T090000`, with `Z` for UTC; a named zone belongs in the parameter TZID.
    public var wire: String { "\(self.date.wire)T\(self.time.wire)\(self.zone == .utc ? "Z" : "")" }
}

/// A DATE or a DATE-TIME, as in DUE, DTSTART, UNTIL, RDATE and others.
public enum CalendarDateOrDateTime: Hashable, Sendable, CustomStringConvertible {
    case date(CalendarDate)
    case dateTime(CalendarDateTime)

    /// Parses either type, decided by its form.
    ///
    /// The parameter VALUE is ignored: it is missing (Nextcloud, Synology) or stands beside a time.
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

    /// The day, on its own clock.
    public var day: CalendarDate {
        switch self {
        case .date(let date): date
        case .dateTime(let dateTime): dateTime.date
        }
    }

    /// Whether it is a whole day.
    public var isDate: Bool {
        if case .date = self { true } else { false }
    }

    /// Seconds like ``CalendarDateTime/localSeconds``; a whole day counts from its midnight.
    public var localSeconds: Int64 {
        switch self {
        case .date(let date): Int64(date.dayNumber * ClockTime.secondsPerDay)
        case .dateTime(let dateTime): dateTime.localSeconds
        }
    }

    /// The form `2026-11-20` or `2026-11-20T09:00:00`.
    public var description: String {
        switch self {
        case .date(let date): date.description
        case .dateTime(let dateTime): dateTime.description
        }
    }
}
