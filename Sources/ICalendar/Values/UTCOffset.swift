/// The difference between local time and UTC (RFC 5545 §3.3.14).
public struct UTCOffset: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The largest offset that TZif allows: less than 26 hours (RFC 9636).
    public static let maximumSeconds = 25 * 3600 + 59 * 60 + 59

    /// Seconds east of UTC; negative to the west.
    public let seconds: Int

    /// The offset of UTC.
    public static let zero = UTCOffset(seconds: 0)

    /// Creates an offset, limited to ``maximumSeconds`` in both directions.
    public init(seconds: Int) {
        self.seconds = min(max(seconds, -Self.maximumSeconds), Self.maximumSeconds)
    }

    /// Parses `+0100`, `-053000`.
    ///
    /// Two other forms are accepted. `+5730` means `+005730`: iCloud and Synology omit zero hours in local mean times
    /// before 1900. `0200` means `+0200`, as spatie's icalendar-generator writes.
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

    /// The wire form: `+0100`, or `+005328` for an offset with seconds.
    public var wire: String {
        let size = abs(self.seconds)
        let rest = size % 60
        let sign = self.seconds < 0 ? "-" : "+"
        return sign + (size / 3600).padded(2) + (size / 60 % 60).padded(2) + (rest == 0 ? "" : rest.padded(2))
    }

    /// The wire form.
    public var description: String { self.wire }

    /// Orders from west to east.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.seconds < rhs.seconds }
}
