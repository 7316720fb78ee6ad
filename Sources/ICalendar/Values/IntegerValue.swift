/// INTEGER: a signed 32-bit number (RFC 5545 §3.3.8).
public enum IntegerValue {
    /// Parses `1`, `+1`, `-01`.
    ///
    /// - Returns: `nil` for any other text, also for a number beyond 32 bits.
    public static func parse(_ wire: String) -> Int? {
        let bytes = Array(wire.utf8)
        return self.parse(bytes.span, 0..<bytes.count)
    }

    // integer    = (["+"] / "-") 1*DIGIT
    static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let first = range.first else { return nil }
        let hasSign = bytes[first] == UInt8(ascii: "-") || bytes[first] == UInt8(ascii: "+")
        let start = hasSign ? first + 1 : first
        // Leading zeros count towards this limit too; real files never have that many.
        guard (1...15).contains(range.upperBound - start) else { return nil }
        let size = bytes.digits(range.upperBound - start, at: start)
        let number = bytes[first] == UInt8(ascii: "-") ? -size : size
        return size >= 0 && Int32(exactly: number) != nil ? number : nil
    }
}
