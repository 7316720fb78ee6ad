extension ValueReader {
    /// Whether the value is exactly in the form of RFC 5545; the caller has parsed it.
    ///
    /// The parsers accept more: see the types' own initialisers.
    var isStrict: Bool {
        switch self.form.kind {
        case .moment, .duration, .trigger, .time, .utcOffset, .integer, .float, .boolean, .recur:
            guard !self.bytes.contains(where: \.isFold) else { return false }
        default: return true
        }
        switch self.form.kind {
        case .duration: return self.bytes.isStrictDuration
        case .trigger:
            return self.bytes.contains(UInt8(ascii: "T")) && self.bytes.count > 14 || self.bytes.isStrictDuration
        case .utcOffset: return self.bytes.isStrictOffset
        case .moment: return !self.bytes.contains { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") }
        case .recur: return self.bytes.isStrictRule
        default: return true
        }
    }
}

extension ArraySlice<UInt8> {
    // dur-value  = (["+"] / "-") "P" (dur-date / dur-time / dur-week)
    // dur-week   = 1*DIGIT "W"
    fileprivate var isStrictDuration: Bool {
        let rest = self.first == UInt8(ascii: "-") || self.first == UInt8(ascii: "+") ? self.dropFirst() : self
        guard rest.first == UInt8(ascii: "P"), let last = rest.last, rest.count > 2, !last.isDigit,
            last != UInt8(ascii: "T")
        else { return false }
        guard rest.allSatisfy({ $0.isDigit || (0x41...0x5A).contains($0) }) else { return false }
        return !rest.dropLast().contains(UInt8(ascii: "W"))
    }

    // utc-offset = time-numzone
    // time-numzone = ("+" / "-") time-hour time-minute [time-second]      (not "-0000")
    fileprivate var isStrictOffset: Bool {
        guard let sign = self.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
        let digits = self.dropFirst()
        let isZero = digits.allSatisfy { $0 == UInt8(ascii: "0") }
        guard sign == UInt8(ascii: "+") || !isZero else { return false }
        let hour = digits.prefix(2).reduce(0) { $0 * 10 + $1.digit }
        return hour <= 23
    }

    /// In capitals, and without empty parts.
    fileprivate var isStrictRule: Bool {
        guard self.last != UInt8(ascii: ";"), self.first != UInt8(ascii: ";") else { return false }
        var previous: UInt8 = 0
        for byte in self {
            if byte != byte.capital || byte == UInt8(ascii: ";") && previous == byte { return false }
            previous = byte
        }
        return true
    }
}
