package import RemindavJSON

/// Times in RFC 3339 form: `2026-12-01T09:00:00+01:00` (RFC 3339 §5.6).
package enum RFC3339 {
    /// Formats a moment at `offset`; the offset zero is written as `Z`.
    ///
    /// An offset with seconds (before 1900) is rounded down to a minute. The written local time has the rounded offset,
    /// so the moment stays exact.
    package static func string(from instant: Instant, offset: UTCOffset = .zero) -> String {
        let minutes = offset.seconds.flooredQuotient(by: 60)
        let shown = instant.adding(seconds: minutes * 60)
        let local = CalendarDateTime(localSeconds: shown.secondsSince1970, zone: .floating)
        guard minutes != 0 else { return "\(local)Z" }
        let size = abs(minutes)
        return "\(local)\(minutes < 0 ? "-" : "+")\((size / 60).padded(2)):\((size % 60).padded(2))"
    }

    /// Parses a date with time and offset; `nil` for any other text, for example a date alone.
    ///
    /// Small `t` and `z` are accepted, and so is a space in place of `T` (RFC 3339 §5.6, notes). Fractions are ignored.
    package static func parse(_ text: String) -> (instant: Instant, offset: UTCOffset)? {
        var scanner = ByteScanner(text)
        guard let date = self.date(&scanner), scanner.skip(UInt8(ascii: "T")) || scanner.skip(UInt8(ascii: " ")),
            let time = self.time(&scanner), let offset = self.offset(&scanner), scanner.isAtEnd
        else { return nil }
        let local = CalendarDateTime(date: date, time: time, zone: .floating).localSeconds
        return (Instant(secondsSince1970: local).adding(seconds: -offset.seconds), offset)
    }

    // full-date       = date-fullyear "-" date-month "-" date-mday
    private static func date(_ scanner: inout ByteScanner) -> CalendarDate? {
        guard let year = scanner.digits(4), scanner.skip(UInt8(ascii: "-")), let month = scanner.digits(2),
            scanner.skip(UInt8(ascii: "-")), let day = scanner.digits(2)
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    // partial-time    = time-hour ":" time-minute ":" time-second [time-secfrac]
    private static func time(_ scanner: inout ByteScanner) -> ClockTime? {
        guard let hour = scanner.digits(2), scanner.skip(UInt8(ascii: ":")), let minute = scanner.digits(2),
            scanner.skip(UInt8(ascii: ":")), let second = scanner.digits(2)
        else { return nil }
        if scanner.skip(UInt8(ascii: ".")), scanner.number() == nil { return nil }
        return ClockTime(hour: hour, minute: minute, second: second)
    }

    // time-offset     = "Z" / time-numoffset
    // time-numoffset  = ("+" / "-") time-hour ":" time-minute
    private static func offset(_ scanner: inout ByteScanner) -> UTCOffset? {
        if scanner.skip(UInt8(ascii: "Z")) { return .zero }
        guard let sign = scanner.sign(), let hour = scanner.digits(2), hour <= 23, scanner.skip(UInt8(ascii: ":")),
            let minute = scanner.digits(2), minute <= 59
        else { return nil }
        return UTCOffset(seconds: sign * (hour * 3600 + minute * 60))
    }
}

extension Instant: JSONEncodable {
    package static var jsonType: JSONType { .string }
    package func write(to writer: inout JSONWriter) { writer.string(RFC3339.string(from: self)) }
}
