import RemindavICalendar

enum DisplayWidth {
    /// The columns of a sanitised text on a terminal: a wide letter or an emoji takes two, a combining mark none.
    static func columns(_ text: String) -> Int { self.measure(text, into: .max).columns }

    /// Whether the text takes at most `columns`; of a longer text, only the beginning is read.
    static func fits(_ text: String, into columns: Int) -> Bool {
        // A text never has more columns than bytes.
        text.utf8.count <= columns || self.measure(text, into: columns).columns <= columns
    }

    /// The text if it fits into `columns`; otherwise its beginning and an ellipsis.
    static func fit(_ text: String, into columns: Int) -> String {
        guard text.utf8.count > columns else { return text }
        let measure = self.measure(text, into: columns)
        if measure.columns <= columns { return text }
        return columns > 0 ? String(Substring(text.utf8.prefix(measure.fitting))) + "…" : ""
    }

    /// The columns, and the number of bytes in the longest beginning that takes less than `room` columns.
    ///
    /// Of a text that takes more than `room` columns, only the beginning is counted. The search for the boundaries of
    /// characters takes long, so it is limited to the places without common letters.
    private static func measure(_ text: String, into room: Int) -> (columns: Int, fitting: Int) {
        let bytes = text.utf8Span.span
        var (columns, fitting, position) = (0, 0, 0)
        // The last common letter; without one, `start` is equal to `position`.
        var (start, width) = (0, 0)
        while position < bytes.count, columns <= room {
            if position + 8 <= bytes.count, columns + 8 < room,
                bytes.word(at: position) & UInt64(repeating: 0x80) == 0
            {
                // Eight ASCII characters.
                position += 8
                columns += 8
                (start, width, fitting) = (position - 1, 1, position)
                continue
            }
            let first = bytes[position]
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            var value = UInt32(length == 1 ? first : first & (0xFF >> UInt8(length + 1)))
            for index in position + 1..<position + length { value = value << 6 | UInt32(bytes[index] & 0x3F) }
            if let common = first < 0x80 ? 1 : self.commonColumns(value) {
                (start, width) = (position, common)
                columns += common
                position += length
            } else {
                // The scalar may belong to the same character as the letter before it.
                let character = text[text.utf8.index(text.startIndex, offsetBy: start)]
                columns += self.columns(character) - width
                position = start + character.utf8.count
                if columns >= room { fitting = min(fitting, start) }
                (start, width) = (position, 0)
            }
            if columns < room { fitting = position }
        }
        return (columns, fitting)
    }

    /// The columns of a letter that begins a character, and usually is one; `nil` for other scalars.
    static func commonColumns(_ scalar: UInt32) -> Int? {
        switch scalar {
        // Latin letters (all code points before the combining marks), Greek, Cyrillic, dashes and quotation marks.
        case 0..<0x300, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027: 1
        // Hebrew and Arabic letters without marks, currency signs, and fractions.
        case 0x5D0...0x5EA, 0x621...0x63A, 0x641...0x64A, 0x671...0x6D3, 0x20A0...0x20C0, 0x2150...0x218B: 1
        // Kana without its combining marks, Han, and Korean syllables.
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: 2
        // Emoji of one character. A joiner, a skin tone or a regional indicator is in no range.
        case 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F400...0x1F43E,
            0x1F442...0x1F4FC, 0x1F600...0x1F64F, 0x1F680...0x1F6C5, 0x1F947...0x1F9FF:
            2
        default: nil
        }
    }

    /// The text if it fits into `columns`; otherwise its beginning, an ellipsis and its end.
    static func fit(bothEndsOf text: String, into columns: Int) -> String {
        guard text.utf8.count > columns, self.columns(text) > columns else { return text }
        let end = String(self.fit(String(text.reversed()), into: columns / 3).reversed())
        return self.fit(text, into: columns - self.columns(end) + 1).dropLast() + end
    }

    static func pad(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - self.columns(text)))
    }

    static func columns(_ character: Character) -> Int {
        character.unicodeScalars.reduce(0) { max($0, self.columns($1)) }
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        default: self.isWide(scalar) ? 2 : 1
        }
    }

    /// Whether a character takes two columns (Unicode Standard Annex 11, wide and full width), decided by whole blocks.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation { return true }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3: true
        case 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD: true
        default: false
        }
    }
}
