/// The escapes of TEXT values and of lists of TEXT values (RFC 5545 §3.3.11, §3.1.1).
package enum TextValue {
    private static let backslash = UInt8(ascii: "\\")
    private static let comma = UInt8(ascii: ",")
    private static let newline = UInt8(ascii: "\n")

    /// Decodes the escapes of an unfolded value: `\n` and `\N` become a line end.
    ///
    /// A backslash before a punctuation mark is removed (Apple wrote `\"` and `\:`). A backslash before a letter or
    /// digit, or at the end, stays: some programs do not escape `C:\temp`.
    package static func unescape(_ raw: String) -> String { self.decode(Array(raw.utf8)[...]) }

    /// Like ``unescape(_:)``; bytes that are not UTF-8 are read as Windows-1252.
    package static func decode(_ raw: ArraySlice<UInt8>) -> String {
        let bytes = raw.span
        var mark = bytes.firstPosition(of: self.backslash, from: 0)
        guard mark < bytes.count - 1 else { return TextDecoding.string(raw) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var start = 0
        while mark < bytes.count - 1 {
            text += raw[(raw.startIndex + start)..<(raw.startIndex + mark)]
            self.append(escaped: bytes[mark + 1], to: &text)
            start = mark + 2
            mark = bytes.firstPosition(of: self.backslash, from: start)
        }
        text += raw[(raw.startIndex + start)...]
        return TextDecoding.string(text[...])
    }

    private static func append(escaped byte: UInt8, to text: inout [UInt8]) {
        let isMark = (0x21...0x7E).contains(byte) && !byte.isDigit && !(0x41...0x5A).contains(byte.capital)
        if byte.capital == UInt8(ascii: "N") {
            text.append(self.newline)
        } else if isMark {
            text.append(byte)
        } else {
            text.append(self.backslash)
            text.append(byte)
        }
    }

    /// The unfolded wire form of `text`.
    ///
    /// Every line end becomes `\n`. Control characters except the tab are removed, because the grammar does not allow
    /// them and servers reject them (RFC 5545 §3.1, `CONTROL`).
    package static func escape(_ text: String) -> String {
        var raw: [UInt8] = []
        raw.reserveCapacity(text.utf8.count)
        var isAfterReturn = false
        for byte in text.utf8 {
            switch byte {
            case self.backslash, self.comma, UInt8(ascii: ";"):
                raw.append(self.backslash)
                raw.append(byte)
            case self.newline where isAfterReturn:
                break
            case UInt8(ascii: "\r"), self.newline:
                raw.append(self.backslash)
                raw.append(UInt8(ascii: "n"))
            case 0x09, 0x20...0x7E, 0x80...0xFF:
                raw.append(byte)
            default:
                break
            }
            isAfterReturn = byte == UInt8(ascii: "\r")
        }
        return String(decoding: raw, as: UTF8.self)
    }

    /// The decoded texts of a list, split at each comma without a backslash: `Travel\, abroad,Home` gives two texts.
    ///
    /// An empty value gives one empty text. Spaces at the ends of a text stay.
    package static func split(_ raw: String) -> [String] {
        self.split(Array(raw.utf8)[...], at: self.comma).map(self.decode)
    }

    /// Splits a value at each separator without a backslash; the result has at least one element.
    package static func split(_ raw: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = raw.startIndex
        var isEscaped = false
        for position in raw.indices {
            if raw[position] == separator, !isEscaped {
                parts.append(raw[start..<position])
                start = position + 1
            }
            isEscaped = raw[position] == self.backslash && !isEscaped
        }
        return parts + [raw[start...]]
    }

    package static func join(_ texts: [String]) -> String {
        texts.map(self.escape).joined(separator: ",")
    }
}
