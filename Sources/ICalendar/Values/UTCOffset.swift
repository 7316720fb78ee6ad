/// How far a clock is ahead of UTC (RFC 5545 §3.3.14).
public struct UTCOffset: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// No clock is further from UTC than this; a day is the most that TZif (RFC 9636) lets be written.
    public static let maximumSeconds = 25 * 3600 + 59 * 60 + 59

    /// Seconds east of Greenwich; negative to the west.
    public let seconds: Int

    /// UTC itself.
    public static let zero = UTCOffset(seconds: 0)

    /// - Parameter seconds: cut to ``maximumSeconds`` in either direction.
    public init(seconds: Int) {
        self.seconds = min(max(seconds, -Self.maximumSeconds), Self.maximumSeconds)
    }

    /// Parses `+0100`, `-053000`.
    ///
    /// `+5730` is read as `+005730`: iCloud and Synology omit zero hours of local mean times before 1900. A missing sign
    /// is read as plus (spatie's generator wrote `0200`).
    public init?(wire: String) {
        self.init(Array(wire.utf8)[...])
    }

    init?(_ bytes: ArraySlice<UInt8>) {
        var scanner = ByteScanner(bytes)
        let sign = scanner.sign() ?? 1
        guard let first = scanner.digits(2), let second = scanner.digits(2) else { return nil }
        var parts = [first, second, 0]
        if let third = scanner.digits(2) {
            parts[2] = third
        } else if first > 23 {
            parts = [0, first, second]
        }
        guard scanner.isAtEnd, parts[0] <= 23, parts[1] <= 59, parts[2] <= 59 else { return nil }
        self.init(seconds: sign * (parts[0] * 3600 + parts[1] * 60 + parts[2]))
    }

    /// The wire form: `+0100`, with seconds only when there are some.
    public var wire: String {
        let size = abs(self.seconds)
        let rest = size % 60
        let sign = self.seconds < 0 ? "-" : "+"
        return sign + (size / 3600).padded(2) + (size / 60 % 60).padded(2) + (rest == 0 ? "" : rest.padded(2))
    }

    /// The wire form.
    public var description: String { self.wire }

    /// From west to east.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.seconds < rhs.seconds }
}
