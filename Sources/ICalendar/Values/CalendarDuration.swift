/// A duration in days and seconds: `P1W`, `P1DT12H`, `-PT15M` (RFC 5545 §3.3.6).
///
/// Days are nominal: a day with a clock change has 23 or 25 hours. Seconds are exact. So `P1D` is not equal to `PT24H`.
public struct CalendarDuration: Hashable, Sendable, CustomStringConvertible {
    /// The largest number of days, more than the years 1 to 9999 have; a longer duration is limited to it.
    public static let maximumDays = 3_700_000
    /// The seconds of ``maximumDays``; a longer duration is limited to them.
    public static let maximumSeconds = maximumDays * ClockTime.secondsPerDay

    /// Whole days, with seven for a week; negative if the duration goes back in time.
    public let days: Int
    /// Whole seconds in addition to ``days``; days and seconds have the same sign.
    public let seconds: Int

    /// The zero duration: `PT0S`.
    public static let zero = CalendarDuration(days: 0, seconds: 0)

    /// Creates a duration; if the signs of days and seconds differ, days become seconds: the wire form has one sign.
    public init(days: Int = 0, seconds: Int = 0) {
        let days = min(max(days, -Self.maximumDays), Self.maximumDays)
        let seconds = min(max(seconds, -Self.maximumSeconds), Self.maximumSeconds)
        let isMixed = (days < 0 && seconds > 0) || (days > 0 && seconds < 0)
        self.days = isMixed ? 0 : days
        self.seconds = isMixed ? days * ClockTime.secondsPerDay + seconds : seconds
    }

    /// Whether the duration goes back in time.
    public var isNegative: Bool { self.days < 0 || self.seconds < 0 }

    /// The wire form.
    public var description: String { self.wire }
}

extension CalendarDuration {
    /// Parses a duration; `nil` for any other text, and for a number of more than nine digits.
    ///
    /// Three other forms are accepted: a duration without `P`, where `M` means minutes even without `T` (`-15M`,
    /// `T15M`); weeks together with days and times (`P1W2D`); and `P` or `PT` alone, which mean zero (Outlook).
    public init?(wire: String) { self.init(Array(wire.utf8)[...]) }

    init?(_ bytes: ArraySlice<UInt8>) {
        var scanner = ByteScanner(bytes)
        let sign = scanner.sign() ?? 1
        let hasP = scanner.skip(UInt8(ascii: "P"))
        guard hasP || !scanner.isAtEnd else { return nil }
        var days = 0
        var seconds = 0
        var lastUnit = 0
        var isTime = false
        while !scanner.isAtEnd {
            if !isTime, scanner.skip(UInt8(ascii: "T")) {
                isTime = true
                continue
            }
            guard let number = scanner.number(), let unit = scanner.next, scanner.skip(unit),
                let row = Self.units.firstIndex(where: { $0.letter == unit }), row >= lastUnit
            else { return nil }
            guard Self.units[row].isTime ? (isTime || !hasP) : !isTime else { return nil }
            days += number * Self.units[row].days
            seconds += number * Self.units[row].seconds
            lastUnit = row + 1
        }
        self.init(days: sign * days, seconds: sign * seconds)
    }

    // The units in their required order. Each may occur at most once.
    private static let units: [(letter: UInt8, isTime: Bool, days: Int, seconds: Int)] = [
        (UInt8(ascii: "W"), false, 7, 0),
        (UInt8(ascii: "D"), false, 1, 0),
        (UInt8(ascii: "H"), true, 0, 3600),
        (UInt8(ascii: "M"), true, 0, 60),
        (UInt8(ascii: "S"), true, 0, 1),
    ]

    /// The canonical wire form: equal durations have equal texts.
    ///
    /// A duration of whole weeks is written in weeks (`P2W`). The grammar requires minutes between hours and seconds.
    public var wire: String {
        let days = abs(self.days)
        let seconds = abs(self.seconds)
        let sign = self.isNegative ? "-" : ""
        if days == 0, seconds == 0 { return "PT0S" }
        if seconds == 0, days.isMultiple(of: 7) { return "\(sign)P\(days / 7)W" }
        let hours = seconds / 3600
        let minutes = seconds / 60 % 60
        let rest = seconds % 60
        var time = ""
        if hours != 0 { time += "\(hours)H" }
        if minutes != 0 || (hours != 0 && rest != 0) { time += "\(minutes)M" }
        if rest != 0 { time += "\(rest)S" }
        return "\(sign)P\(days == 0 ? "" : "\(days)D")\(time.isEmpty ? "" : "T\(time)")"
    }
}
