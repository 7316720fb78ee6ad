/// Percent-encoding on bytes (RFC 3986 §2.1).
package enum PercentCoding {
    /// Decodes `%XX`; a `%` without two hexadecimal digits is copied unchanged.
    package static func decode(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let byte = self.triple(at: index, in: bytes) {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// The canonical encoding: every byte except unreserved characters becomes `%XX` in upper case.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var encoded: [UInt8] = []
        for byte in bytes {
            if self.isUnreserved(byte) { encoded.append(byte) } else { self.append(byte, to: &encoded) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Encodes the bytes that a path must not contain, such as the space in `a b.ics` (SOGo); existing `%XX` stay.
    static func legalise(_ text: some StringProtocol, allowing extra: Set<UInt8> = []) -> String {
        let bytes = Array(text.utf8)
        var legal: [UInt8] = []
        legal.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let stays =
                byte == UInt8(ascii: "%")
                ? self.triple(at: index, in: bytes) != nil : self.isPathByte(byte) || extra.contains(byte)
            if stays { legal.append(byte) } else { self.append(byte, to: &legal) }
        }
        return String(decoding: legal, as: UTF8.self)
    }

    /// Whether an absolute path is canonical: only unreserved characters and slashes, and no segment begins with a dot.
    package static func isPlain(_ path: String) -> Bool { self.isPlain(path.utf8Span.span) }
    static func isPlain(_ path: Substring) -> Bool { self.isPlain(path.utf8Span.span) }

    private static func isPlain(_ path: Span<UInt8>) -> Bool {
        var last: UInt8 = 0
        for index in path.indices {
            let byte = path[index]
            switch byte {
            case UInt8(ascii: "/"): break
            case UInt8(ascii: "."): if last == UInt8(ascii: "/") || last == 0 { return false }
            default: if !self.isUnreserved(byte) || last == 0 { return false }
            }
            last = byte
        }
        return last != 0
    }

    // unreserved    = ALPHA / DIGIT / "-" / "." / "_" / "~"
    static func isUnreserved(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-._~".utf8.contains(byte) }

    // pchar         = unreserved / pct-encoded / sub-delims / ":" / "@"
    private static func isPathByte(_ byte: UInt8) -> Bool {
        self.isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte)
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
    }

    // pct-encoded   = "%" HEXDIG HEXDIG
    private static func triple(at index: Int, in bytes: [UInt8]) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = self.digit(bytes[index + 1]), let low = self.digit(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
