/// Values of type INTEGER: signed 32-bit numbers (RFC 5545 §3.3.8).
package enum IntegerValue {
    /// Parses `1`, `+1`, `-01`; `nil` for any other text, and for a number beyond 32 bits.
    package static func parse(_ wire: String) -> Int? {
        let bytes = Array(wire.utf8)
        return self.parse(bytes.span, 0..<bytes.count)
    }

    // integer    = (["+"] / "-") 1*DIGIT
    static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let first = range.first else { return nil }
        let hasSign = bytes[first] == UInt8(ascii: "-") || bytes[first] == UInt8(ascii: "+")
        let start = hasSign ? first + 1 : first
        // A number may have 15 digits, leading zeros included. Real files never have more.
        guard (1...15).contains(range.upperBound - start) else { return nil }
        let size = bytes.digits(range.upperBound - start, at: start)
        let number = bytes[first] == UInt8(ascii: "-") ? -size : size
        return size >= 0 && Int32(exactly: number) != nil ? number : nil
    }
}

/// Values of type FLOAT: numbers with a fraction (RFC 5545 §3.3.7).
package enum FloatValue {
    /// The largest number of bytes; every useful number is shorter.
    private static let maximumLength = 64

    // float      = (["+"] / "-") 1*DIGIT ["." 1*DIGIT]
    /// Parses `1000000.0000001`, `-3.14`; `nil` for any other text, and for a number with an exponent.
    package static func parse(_ wire: String) -> Double? {
        let bytes = Array(wire.utf8)
        return self.parse(bytes.span, 0..<bytes.count)
    }

    static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        guard range.count <= self.maximumLength, let first = range.first else { return nil }
        let hasSign = bytes[first] == UInt8(ascii: "-") || bytes[first] == UInt8(ascii: "+")
        var text: [UInt8] = []
        for position in range { text.append(bytes[position]) }
        let parts = text.dropFirst(hasSign ? 1 : 0)
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }) else { return nil }
        return Double(String(decoding: text, as: UTF8.self))
    }

    /// The shortest text without an exponent that is parsed as the same number; `0` for NaN and infinity.
    package static func wire(_ number: Double) -> String {
        guard number.isFinite else { return "0" }
        let text = number.description
        guard let mark = text.firstIndex(where: { $0 == "e" }), let exponent = Int(text[text.index(after: mark)...])
        else {
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        let isNegative = text.first == "-"
        let mantissa = text[..<mark].drop { $0 == "-" }
        let parts = mantissa.split(separator: ".")
        let whole = String(parts[0])
        let fraction = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
        let unsigned =
            if exponent < 0 {
                "0." + String(repeating: "0", count: -exponent - 1) + whole + fraction
            } else {
                whole + fraction + String(repeating: "0", count: max(exponent - fraction.count, 0))
            }
        return (isNegative ? "-" : "") + unsigned
    }
}
