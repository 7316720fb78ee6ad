/// Repairs bytes that are almost XML; only characters that XML cannot contain are lost.
///
/// Three faults are repaired: surrogates as two character references (SOGo, for every emoji); control characters and
/// U+FFFE (Radicale, Xandikos, Cyrus, SOGo, sabre/dav 1.8); bytes that are not UTF-8 (Cyrus).
enum XMLRepair {
    /// The repaired bytes; `nil` when the document declares another encoding than UTF-8.
    static func clean(_ bytes: [UInt8]) -> [UInt8]? {
        guard self.isUTF8(bytes) else { return nil }
        let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
        var cleaned: [UInt8] = []
        cleaned.reserveCapacity(text.count)
        var index = 0
        var isInsideCDATA = false
        while index < text.count {
            let byte = text[index]
            // Most bytes need no repair, and to look at one byte takes less time than to make a slice.
            if byte >= 0x20, byte != UInt8(ascii: "&"), byte != UInt8(ascii: "<"), byte != UInt8(ascii: "]"),
                byte != 0xEF
            {
                cleaned.append(byte)
                index += 1
            } else if byte == UInt8(ascii: "&"), !isInsideCDATA, let reference = Reference(at: index, in: text) {
                index = reference.end
                self.append(reference, next: &index, in: text, to: &cleaned)
            } else if self.isIllegal(at: index, in: text) {
                index += byte < 0x80 ? 1 : 3
            } else {
                if byte == UInt8(ascii: "<"), text[index...].starts(with: self.cdataStart) { isInsideCDATA = true }
                if byte == UInt8(ascii: "]"), text[index...].starts(with: self.cdataEnd) { isInsideCDATA = false }
                cleaned.append(byte)
                index += 1
            }
        }
        return cleaned
    }

    private static let cdataStart = Array("<![CDATA[".utf8)
    private static let cdataEnd = Array("]]>".utf8)

    /// Writes a legal reference unchanged, two surrogates as one character, and nothing for any other reference.
    private static func append(_ reference: Reference, next: inout Int, in text: [UInt8], to cleaned: inout [UInt8]) {
        if self.isLegal(reference.value) {
            cleaned.append(contentsOf: reference.source)
        } else if (0xD800...0xDBFF).contains(reference.value), next < text.count, text[next] == UInt8(ascii: "&"),
            let low = Reference(at: next, in: text), (0xDC00...0xDFFF).contains(low.value),
            let scalar = Unicode.Scalar(0x10000 + (reference.value - 0xD800) << 10 + (low.value - 0xDC00))
        {
            cleaned.append(contentsOf: String(Character(scalar)).utf8)
            next = low.end
        }
    }

    // Char          ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]
    static func isLegal(_ value: UInt32) -> Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Whether there is a control character or the first byte of U+FFFE or U+FFFF (`EF BF BE`, `EF BF BF`).
    private static func isIllegal(at index: Int, in text: [UInt8]) -> Bool {
        let byte = text[index]
        if byte < 0x20 { return byte != 9 && byte != 10 && byte != 13 }
        return byte == 0xEF && index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE
    }

    /// Whether the XML declaration names UTF-8 or no encoding.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { return false }
        let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
        guard head.contains("<?xml"), let end = head.firstIndex(of: ">") else { return true }
        let declaration = head[..<end]
        return !declaration.contains("encoding") || declaration.contains("utf-8") || declaration.contains("utf8")
    }
}

private struct Reference {
    let value: UInt32
    let source: ArraySlice<UInt8>
    var end: Int { self.source.endIndex }

    // CharRef       ::= '&#' [0-9]+ ';' | '&#x' [0-9a-fA-F]+ ';'
    init?(at start: Int, in text: [UInt8]) {
        guard text.count > start + 1, text[start] == UInt8(ascii: "&"), text[start + 1] == UInt8(ascii: "#") else {
            return nil
        }
        var index = start + 2
        var radix = 10
        if index < text.count, text[index] == UInt8(ascii: "x") {
            radix = 16
            index += 1
        }
        let digits = index
        var value = 0
        while index < text.count, let digit = Character(Unicode.Scalar(text[index])).hexDigitValue, digit < radix {
            // A number beyond the last character is limited, so that it does not overflow.
            value = min(value * radix + digit, 0x20_0000)
            index += 1
        }
        guard index > digits, index < text.count, text[index] == UInt8(ascii: ";") else { return nil }
        self.value = UInt32(value)
        self.source = text[start...index]
    }
}
