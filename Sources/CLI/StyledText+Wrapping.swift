extension StyledText {
    /// The text with line breaks between words, so that no line is wider than `columns`.
    ///
    /// A quoted text stays on one line if it fits into a line, and a quoted command always, because the user copies it.
    /// A word that is wider than a line is not broken.
    ///
    /// - Parameter indent: the spaces before the rest of a broken line, in addition to those before its beginning.
    func wrapped(into columns: Int, indent: Int = 2) -> Self {
        var result = Self()
        var start = 0
        while start <= self.bytes.count {
            let end = self.bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? self.bytes.count
            if start > 0 { result.append("\n") }
            self.wrap(start..<end, into: columns, indent, to: &result)
            start = end + 1
        }
        return result
    }

    private func wrap(_ line: Range<Int>, into columns: Int, _ indent: Int, to result: inout Self) {
        // A text never has more columns than bytes; an escaped character has more, but its message is not cut.
        guard line.count > columns, self.width(line) > columns else { return result.append(line, of: self) }
        let margin = self.bytes[line].prefix { $0 == UInt8(ascii: " ") }.count
        let indent = min(margin + indent, columns / 2)
        var (used, position, isAtStart) = (0, line.lowerBound, true)
        while position < line.upperBound {
            let word = self.word(from: position, in: line, room: columns - indent)
            let width = self.width(position..<word.upperBound)
            if isAtStart || word.isEmpty || used + width <= columns {
                result.append(position..<word.upperBound, of: self)
                used += width
            } else {
                result.append("\n")
                result.append(spaces: indent)
                result.append(word, of: self)
                used = indent + self.width(word)
            }
            (position, isAtStart) = (word.upperBound, false)
        }
    }

    private func width(_ range: Range<Int>) -> Int {
        DisplayWidth.columns(Sanitizer.line(String(decoding: self.bytes[range], as: UTF8.self)))
    }

    /// The next word or quoted text after the spaces at `position`.
    private func word(from position: Int, in line: Range<Int>, room: Int) -> Range<Int> {
        let rest = self.bytes[position..<line.upperBound]
        let start = rest.firstIndex { $0 != UInt8(ascii: " ") } ?? line.upperBound
        let end = self.bytes[start..<line.upperBound].firstIndex(of: UInt8(ascii: " ")) ?? line.upperBound
        guard let quote = self.quotation(in: start..<end, of: line) else { return start..<end }
        let whole = start..<quote.upperBound
        let isCommand = self.bytes[quote].dropFirst().starts(with: "remindav ".utf8)
        return isCommand || self.width(whole) <= room ? whole : start..<end
    }

    /// The quotation that begins in a word, with the characters after it up to a space; `nil` without a quotation.
    private func quotation(in word: Range<Int>, of line: Range<Int>) -> Range<Int>? {
        let quote = UInt8(ascii: "'")
        guard let opening = self.bytes[word].firstIndex(where: { $0 == quote || $0 != UInt8(ascii: "(") }),
            self.bytes[opening] == quote
        else { return nil }
        var position = opening + 1
        while let closing = self.bytes[position..<line.upperBound].firstIndex(of: quote) {
            let after = self.bytes[(closing + 1)..<line.upperBound]
            // An apostrophe has a letter after it, and closes no quotation.
            if after.first.map({ $0 < 0x80 && !Character(UnicodeScalar($0)).isLetter }) ?? true {
                return opening..<(after.firstIndex(of: UInt8(ascii: " ")) ?? line.upperBound)
            }
            position = closing + 1
        }
        return nil
    }
}
