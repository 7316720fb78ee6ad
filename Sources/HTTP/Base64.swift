/// Base64 text (RFC 4648 §4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Encodes bytes with padding and without line ends.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0..<4 {
                let isPadding = position > group.count
                text.append(isPadding ? UInt8(ascii: "=") : self.alphabet[bits >> (18 - 6 * position) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes base64 and ignores white space; `nil` if the text is incomplete or has a character outside the alphabet.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let letters = text.utf8.filter { $0 > 32 }
        let digits = letters.prefix { $0 != UInt8(ascii: "=") }
        guard letters.count % 4 == 0, letters.count - digits.count <= 2,
            letters.dropFirst(digits.count).allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        for (index, letter) in digits.enumerated() {
            guard let value = self.alphabet.firstIndex(of: letter) else { return nil }
            bits = bits << 6 | UInt32(value)
            if index % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * UInt32(index % 4)))) }
        }
        return bytes
    }
}
