/// Moves folds that split a character.
package enum Refolding {
    /// The same content lines, folded only between characters.
    ///
    /// RFC 5545 §3.1 allows a fold between any two octets, also inside a UTF-8 character. Some servers decode each
    /// physical line separately and garble such a character (Radicale) or refuse the text (Xandikos). A text without
    /// such folds is returned unchanged.
    package static func atCharacterBoundaries(_ text: [UInt8]) -> [UInt8] {
        guard let first = self.tornLetter(in: text, from: 0) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var position = 0
        var torn: Tear? = first
        while let tear = torn {
            result += text[position..<tear.letter]
            result += text[tear.fold]
            result += text[tear.letter..<tear.fold.lowerBound]
            position = tear.fold.upperBound
            torn = self.tornLetter(in: text, from: position)
        }
        return result + text[position...]
    }

    private struct Tear {
        let letter: Int
        let fold: Range<Int>
    }

    private static func tornLetter(in text: [UInt8], from start: Int) -> Tear? {
        var index = start
        while index < text.count {
            defer { index += 1 }
            guard text[index] == 0x0A, index + 2 < text.count, text[index + 1] == 0x20 || text[index + 1] == 0x09,
                self.isContinuation(text[index + 2])
            else { continue }
            let end = index > start && text[index - 1] == 0x0D ? index - 1 : index
            var letter = end - 1
            // At most three bytes of a character come before its last.
            while letter > start, end - letter < 3, self.isContinuation(text[letter]) { letter -= 1 }
            guard letter >= start, text[letter] >= 0xC0 else { continue }
            return Tear(letter: letter, fold: end..<index + 2)
        }
        return nil
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
