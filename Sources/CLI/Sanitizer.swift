import RemindavICalendar
import RemindavReminders

/// Makes text from files and servers harmless for a terminal: control characters become text such as `\x1b`.
enum Sanitizer {
    /// Escapes text of several lines; line feeds and tabs are not escaped.
    static func text(_ text: String) -> String { self.clean(text, keepsLines: true) }

    static func text(utf8 bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if self.isHarmless(bytes.span, keepsLines: true) { return bytes }
        return ArraySlice(self.text(String(decoding: bytes, as: UTF8.self)).utf8)
    }

    /// Escapes text for one line; a line feed is escaped too.
    static func line(_ text: String) -> String { self.clean(text, keepsLines: false) }

    /// Escapes a title for one line; an empty title is replaced by words.
    static func title(_ title: String) -> String {
        let line = self.line(title)
        return line.isEmpty ? Reminder.untitled : line
    }

    /// Escapes the content of a file, also bytes that are not valid UTF-8; line ends and tabs are not escaped.
    static func bytes(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x0A }) { return bytes }
        var clean: [UInt8] = []
        clean.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.first {
            // A carriage return without a line feed would let the next text overwrite the line.
            if byte == 0x0D, rest.dropFirst().first == 0x0A {
                rest.removeFirst()
                continue
            }
            guard let (scalar, length) = Self.scalar(rest) else {
                clean += (#"\x"# + Hexadecimal.text(UInt32(byte), digits: 2)).utf8
                rest.removeFirst()
                continue
            }
            if self.isDangerous(scalar), scalar != "\n", scalar != "\t" {
                clean += self.visible(scalar).utf8
            } else {
                clean += rest.prefix(length)
            }
            rest.removeFirst(length)
        }
        return clean
    }

    /// The first Unicode scalar and its length in bytes; `nil` if the bytes do not begin with valid UTF-8.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        var decoder = UTF8()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return (scalar, UTF8.width(scalar))
    }

    /// The maximum number of Unicode scalars of a name or address in a sentence; `--json` prints the whole text.
    private static let maximumExcerpt = 200

    /// Escapes text for a sentence, on one line, and shortens it.
    static func excerpt(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: self.maximumExcerpt, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return self.line(text) }
        return self.line(String(scalars[..<end])) + "…"
    }

    /// Whether a scalar must be escaped, because a terminal may execute it or show it misleadingly.
    ///
    /// These are control characters (C0, DEL, C1 of ECMA-48), line separators, bidirectional controls (Unicode Annex 9)
    /// and invisible characters.
    static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true
        // The soft hyphen, and invisible mathematical operators.
        case 0xAD, 0x2060...0x2064: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        case 0xFEFF, 0xFFF9...0xFFFB: true
        // Tag characters, which are invisible letters.
        case 0xE0000...0xE007F: true
        // Variation selectors: a letter can have any number of them, and they are invisible.
        case 0xE0100...0xE01EF: true
        default: false
        }
    }

    /// Whether no character of a text in UTF-8 must be escaped.
    static func isHarmless(_ text: Span<UInt8>, keepsLines: Bool) -> Bool {
        var position = 0
        while position + 8 <= text.count {
            // Eight bytes are checked at once, because a list has a million bytes.
            var suspects = self.suspects(in: text.word(at: position))
            while suspects != 0 {
                let suspect = position + suspects.trailingZeroBitCount / 8
                if self.isDangerous(text, suspect, keepsLines: keepsLines) { return false }
                suspects &= suspects - 1
            }
            position += 8
        }
        while position < text.count {
            if self.isDangerous(text, position, keepsLines: keepsLines) { return false }
            position += 1
        }
        return true
    }

    /// The top bits of those of eight bytes that are not in `0x20...0x7E`; sometimes also that of the byte after one.
    private static func suspects(in word: UInt64) -> UInt64 {
        (word | (word &- UInt64(repeating: 0x20)) | (word &+ UInt64(repeating: 1))) & UInt64(repeating: 0x80)
    }

    private static func isDangerous(_ text: Span<UInt8>, _ position: Int, keepsLines: Bool) -> Bool {
        self.mayBeDangerous(text[position], keepsLines: keepsLines) && self.isDangerous(text, position)
    }

    /// Whether the UTF-8 of a dangerous character can begin with this byte.
    private static func mayBeDangerous(_ byte: UInt8, keepsLines: Bool) -> Bool {
        switch byte {
        case 0x09, 0x0A: !keepsLines
        case 0x00...0x1F, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: true
        default: false
        }
    }

    private static func isDangerous(_ text: Span<UInt8>, _ start: Int) -> Bool {
        let first = text[start]
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = UInt32(length == 1 ? first : first & (0xFF >> UInt8(length + 1)))
        for index in start + 1..<max(start + 1, min(start + length, text.count)) {
            value = value << 6 | UInt32(text[index] & 0x3F)
        }
        return Unicode.Scalar(value).map(self.isDangerous) ?? false
    }

    private static func clean(_ text: String, keepsLines: Bool) -> String {
        if self.isHarmless(text.utf8Span.span, keepsLines: keepsLines) { return text }
        let isKept = { (scalar: Unicode.Scalar) in keepsLines && (scalar == "\n" || scalar == "\t") }
        var clean: [UInt8] = []
        for scalar in text.unicodeScalars {
            if self.isDangerous(scalar), !isKept(scalar) {
                clean += self.visible(scalar).utf8
            } else {
                clean += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return String(decoding: clean, as: UTF8.self)
    }

    private static func visible(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x0A: #"\n"#
        case 0x0D: #"\r"#
        case 0x09: #"\t"#
        case 0...0xFF: #"\x"# + Hexadecimal.text(scalar.value, digits: 2)
        case 0...0xFFFF: #"\u"# + Hexadecimal.text(scalar.value, digits: 4)
        default: #"\u{"# + Hexadecimal.text(scalar.value, digits: 5) + "}"
        }
    }
}

enum Hexadecimal {
    static func text(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
