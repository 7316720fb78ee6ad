extension DocumentChecker {
    mutating func checkEncoding() {
        let storage = self.document.storage
        // Nearly every stream is valid UTF-8. One check of the whole stream costs less than a check of each line.
        let isUTF8 = String(validating: storage.source, as: UTF8.self) != nil
        guard !isUTF8 || storage.source.hasStrayControls else { return }
        var damaged: [Int] = []
        var hasLetters = false
        for (index, line) in storage.lines.enumerated() where line.kind != .blank {
            let content = storage.content(index)
            if let control = content.first(where: { $0.isStrayControl || $0 == 0x0D }) {
                self.report(.controlCharacter, Int(line.number), nil, Unicode.Scalar(control).codePoint)
            }
            guard !isUTF8 else { continue }
            if String(validating: content, as: UTF8.self) == nil { damaged.append(Int(line.number)) }
            hasLetters = hasLetters || content.hasUTF8Letters
        }
        guard let first = damaged.first else { return }
        if hasLetters {
            for line in damaged { self.report(.damagedLetter, line) }
        } else {
            self.report(.notUTF8, first, nil, damaged.count == 1 ? nil : "\(damaged.count) lines")
        }
    }

    /// Checks line ends, blank lines and long lines; each problem is reported once, at the first line that has it.
    mutating func checkLines() {
        let source = self.document.storage.source
        let bytes = source.span
        let lineFeed = self.document.storage.lineFeed
        var start = bytes.startsWithByteOrderMark ? 3 : 0
        var number = Int(self.document.storage.lines.first?.number ?? 1)
        var first = FirstLines()
        while start < bytes.count {
            let next = bytes.lineEnd(from: start, lineFeed)
            let end = bytes.trimmingLineEnd(start..<next)
            if end == start { first.blank = first.blank ?? number }
            if end - start > ContentLine.foldOctets, !self.isOld { first.long = first.long ?? number }
            if next - end == 1, bytes[end] == 0x0A { first.bare = first.bare ?? number }
            first.hasPairs = first.hasPairs || next - end == 2
            start = next
            number += 1
        }
        let line = Int(self.document.storage.lines.first?.number ?? 1)
        if bytes.startsWithByteOrderMark { self.report(.byteOrderMark, line) }
        if lineFeed == 0x0D { self.report(.bareReturn, line) }
        if let bare = first.bare { self.report(.bareLineFeed, bare, nil, first.hasPairs ? "some lines" : nil) }
        if let blank = first.blank { self.report(.blankLine, blank) }
        if let long = first.long { self.report(.longLine, long) }
    }

    private struct FirstLines {
        var bare: Int?
        var hasPairs = false
        var blank: Int?
        var long: Int?
    }
}

extension [UInt8] {
    fileprivate var hasStrayControls: Bool {
        let bytes = self.span
        for position in bytes.indices where bytes[position] < 0x20 || bytes[position] == 0x7F {
            let isLoneReturn =
                bytes[position] == 0x0D
                && (position + 1 == bytes.count || bytes[position + 1] != 0x0A)
            if bytes[position].isStrayControl || isLoneReturn { return true }
        }
        return false
    }

    /// Whether the bytes begin like UTF-16: with a byte order mark, or with the B of BEGIN next to a zero byte.
    package var isUTF16: Bool {
        guard self.count >= 2 else { return false }
        switch (self[0], self[1]) {
        case (0xFF, 0xFE), (0xFE, 0xFF): return true
        case (0, let letter), (let letter, 0): return letter.capital == UInt8(ascii: "B")
        default: return false
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var hasUTF8Letters: Bool {
        String(decoding: self, as: UTF8.self).unicodeScalars.contains { !$0.isASCII && $0 != "\u{FFFD}" }
    }
}

extension UInt8 {
    fileprivate var isStrayControl: Bool {
        self < 0x20 && self != 0x09 && self != 0x0A && self != 0x0D || self == 0x7F
    }
}
