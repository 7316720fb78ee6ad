/// Makes text from outside harmless for a terminal.
///
/// A title may hold an escape sequence that renames the window, a link that lies, or a control that turns the reading
/// direction. Such characters are escaped visibly: `\x1b`, `\u202e`.
enum Sanitizer {
    /// Text that may have several lines: line feeds and tabs stay.
    static func text(_ text: String) -> String { self.clean(text, keepsLines: true) }

    /// The same of text in UTF-8.
    static func text(utf8 bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if self.isHarmless(bytes.span, keepsLines: true) { return bytes }
        return ArraySlice(self.text(String(decoding: bytes, as: UTF8.self)).utf8)
    }

    /// Text that belongs on one line: a line feed is written out as well.
    static func line(_ text: String) -> String { self.clean(text, keepsLines: false) }

    /// The contents of a file for a terminal: line ends and tabs stay, and bytes that are no UTF-8 are written out as well.
    ///
    /// A letter that is cut in two, at the end of a piece of a file, is written out too.
    static func bytes(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x0A }) { return bytes }
        var clean: [UInt8] = []
        clean.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.first {
            // A line end of iCalendar is one; a carriage return alone goes back over the line.
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

    /// The character at the beginning of some bytes, and its length; `nil` where that is no UTF-8.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        var decoder = UTF8()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return (scalar, UTF8.width(scalar))
    }

    /// More of a name or an address from outside makes no sentence; `--json` has all of it.
    private static let maximumExcerpt = 200

    /// Text for a place in a sentence: on one line, and cut where it is too long for one.
    static func excerpt(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: self.maximumExcerpt, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return self.line(text) }
        return self.line(String(scalars[..<end])) + "…"
    }

    /// Whether a terminal would act on this character, or a reader be misled by it.
    ///
    /// C0, DEL and C1 (ECMA-48), line and paragraph separator, and the bidirectional controls (Unicode Standard
    /// Annex 9).
    static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true
        // soft hyphen; invisible operators of mathematics
        case 0xAD, 0x2060...0x2064: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        case 0xFEFF, 0xFFF9...0xFFFB: true
        // tags: invisible letters
        case 0xE0000...0xE007F: true
        // the further variation selectors: bytes can be hidden after a letter with them
        case 0xE0100...0xE01EF: true
        default: false
        }
    }

    /// The number of bytes that are checked together.
    private static let block = 32

    /// Whether nothing in a text, which is UTF-8, has to be written out.
    static func isHarmless(_ text: Span<UInt8>, keepsLines: Bool) -> Bool {
        var position = 0
        while position < text.count {
            if position + self.block <= text.count {
                // Bytes without a branch: with most of them no dangerous character can begin.
                let block = text.extracting(position..<position + self.block)
                var hits: UInt8 = 0
                for index in 0..<self.block { hits |= self.mayBeDangerous(block[index], keepsLines: keepsLines) }
                if hits == 0 {
                    position += self.block
                    continue
                }
            }
            let end = min(position + self.block, text.count)
            while position < end {
                let byte = text[position]
                if self.mayBeDangerous(byte, keepsLines: keepsLines) != 0, self.isDangerous(text, position) {
                    return false
                }
                position += 1
            }
        }
        return true
    }

    /// Whether the UTF-8 of a dangerous character can begin with this byte: 1 where it can.
    @inline(__always)
    private static func mayBeDangerous(_ byte: UInt8, keepsLines: Bool) -> UInt8 {
        let isKept: UInt8 = keepsLines ? (byte == 0x0A ? 1 : 0) | (byte == 0x09 ? 1 : 0) : 0
        return (byte < 0x20 ? 1 - isKept : 0) | (byte == 0x7F ? 1 : 0) | (byte == 0xC2 ? 1 : 0) | (byte == 0xD8 ? 1 : 0)
            | (byte == 0xE2 ? 1 : 0) | (byte == 0xEF ? 1 : 0) | (byte == 0xF3 ? 1 : 0)
    }

    /// Whether a dangerous character begins at a place.
    private static func isDangerous(_ text: Span<UInt8>, _ place: Int) -> Bool {
        func byte(_ distance: Int) -> UInt8 { place + distance < text.count ? text[place + distance] : 0 }
        return switch (text[place], byte(1)) {
        case (0...0x1F, _), (0x7F, _): true
        case (0xC2, 0x80...0x9F), (0xC2, 0xAD), (0xD8, 0x9C): true
        case (0xE2, 0x80): 0x8E...0x8F ~= byte(2) || 0xA8...0xAE ~= byte(2)
        case (0xE2, 0x81): 0xA0...0xA4 ~= byte(2) || 0xA6...0xA9 ~= byte(2)
        case (0xEF, 0xBB): byte(2) == 0xBF
        case (0xEF, 0xBF): 0xB9...0xBB ~= byte(2)
        case (0xF3, 0xA0): 0x80...0x81 ~= byte(2) || 0x84...0x87 ~= byte(2) && self.isSelector(byte(2), byte(3))
        default: false
        }
    }

    /// Whether the last two bytes of a character of four are those of one from U+E0100 to U+E01EF.
    private static func isSelector(_ third: UInt8, _ fourth: UInt8) -> Bool { third < 0x87 || fourth <= 0xAF }

    private static func clean(_ text: String, keepsLines: Bool) -> String {
        if self.isHarmless(text.utf8Span.span, keepsLines: keepsLines) { return text }
        let isKept = { (scalar: Unicode.Scalar) in keepsLines && (scalar == "\n" || scalar == "\t") }
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if self.isDangerous(scalar), !isKept(scalar) {
                clean.append(contentsOf: self.visible(scalar).unicodeScalars)
            } else {
                clean.append(scalar)
            }
        }
        return String(clean)
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

/// Numbers to the base 16.
enum Hexadecimal {
    /// At least `digits` small digits.
    static func text(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
