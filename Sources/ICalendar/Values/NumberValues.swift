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

/// FLOAT: a number with a fraction (RFC 5545 §3.3.7).
public enum FloatValue {
    /// Longer than any useful number.
    private static let maximumLength = 64

    // float      = (["+"] / "-") 1*DIGIT ["." 1*DIGIT]
    /// Reads `1000000.0000001`, `-3.14`.
    ///
    /// - Returns: `nil` for any other text, also for an exponent.
    public static func parse(_ wire: String) -> Double? {
        let bytes = Array(wire.utf8)
        return self.parse(bytes.span, 0..<bytes.count)
    }

    static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        guard range.count <= self.maximumLength else { return nil }
        var text = ""
        var digits = 0
        var hasPoint = false
        for position in range {
            let byte = bytes[position]
            switch byte {
            case _ where position == range.lowerBound && (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")):
                break
            case UInt8(ascii: ".") where !hasPoint && digits > 0:
                hasPoint = true
                digits = 0
            case _ where byte.isDigit:
                digits += 1
            default:
                return nil
            }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return digits > 0 ? Double(text) : nil
    }

    /// The shortest wire form that is read as the same number; never with an exponent.
    ///
    /// NaN and infinity are written as 0.
    public static func wire(_ number: Double) -> String {
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
