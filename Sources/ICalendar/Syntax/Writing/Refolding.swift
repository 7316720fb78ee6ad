package enum Refolding {
    /// Moves each fold inside a UTF-8 character to the beginning of the character.
    ///
    /// RFC 5545 §3.1 allows such a fold, but Radicale garbles the character, and Xandikos refuses the text.
    package static func atCharacterBoundaries(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var position = 0
        while let tear = self.tornLetter(in: text, from: position) {
            result += text[position..<tear.letter]
            result += text[tear.fold]
            result += text[tear.letter..<tear.fold.lowerBound]
            position = tear.fold.upperBound
        }
        return result + text[position...]
    }

    private static func tornLetter(in text: [UInt8], from start: Int) -> (letter: Int, fold: Range<Int>)? {
        var index = start
        while index < text.count {
            defer { index += 1 }
            guard text[index] == 0x0A, index + 2 < text.count, text[index + 1] == 0x20 || text[index + 1] == 0x09,
                self.isContinuation(text[index + 2])
            else { continue }
            let end = index > start && text[index - 1] == 0x0D ? index - 1 : index
            var letter = end - 1
            // At most three bytes of the split character stand before the fold.
            while letter > start, end - letter < 3, self.isContinuation(text[letter]) { letter -= 1 }
            guard letter >= start, text[letter] >= 0xC0 else { continue }
            return (letter, end..<index + 2)
        }
        return nil
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
