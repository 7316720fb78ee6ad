/// Tests, without parsing, whether the text of a calendar object may contain all words of a query.
///
/// The test folds the text, but skips its time zones, which a search does not read. A word that the folded text lacks
/// is in no field of the reminder. The test passes if the text uses an encoding that only the parser can decode.
package struct SubstringPrefilter {
    private let words: [[UInt8]]
    /// Whether all texts pass, because a word contains a backslash, which may also begin an escape in the text.
    private let acceptsAll: Bool
    private var folded = FoldedSource()

    package init(_ query: SearchQuery) {
        self.words = query.words
        self.acceptsAll = query.words.contains { $0.contains(UInt8(ascii: "\\")) }
    }

    /// Returns `false` only if a word certainly does not occur.
    package mutating func mayMatch(_ source: Span<UInt8>) -> Bool {
        guard !self.acceptsAll, self.folded.read(source) else { return true }
        return self.words.allSatisfy(self.folded.contains) || self.folded.contains(FoldedSource.encoding)
    }
}

/// The folded form of a whole text, as ``SearchFolding`` folds it.
private struct FoldedSource {
    /// A word in the parameters of each text in quoted-printable, which is not decoded here.
    static let encoding = Array("quoted".utf8)
    private static let backslash = UInt8(ascii: "\\")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let space = UInt8(ascii: " ")
    private static let zoneBegin = Array("BEGIN:VTIMEZONE\r\n".utf8)
    private static let zoneEnd = Array("END:VTIMEZONE\r\n".utf8)
    private static let observances = ["STANDARD", "DAYLIGHT"].flatMap { name in
        ["BEGIN", "END"].map { Array("\($0):\(name)\r\n".utf8) }
    }

    private var folded = FoldingBuffer()

    func contains(_ word: [UInt8]) -> Bool { self.folded.contains(word) }

    /// Folds a text after removing its line folds and escapes; `false` when only the parser can read the text.
    mutating func read(_ source: Span<UInt8>) -> Bool {
        self.folded.removeAll(reserving: source.count)
        guard var isLink = self.beginsLink(source, 0) else { return false }
        var position = 0
        while true {
            position = self.folded.appendPlain(source, position)
            guard position < source.count else { return true }
            let byte = source[position]
            position += 1
            switch byte {
            case Self.lineFeed:
                guard position < source.count else { break }
                if source[position] == 0x20 || source[position] == 0x09 {
                    position += 1
                } else {
                    // Some programs break a value into two lines. The parser reads this line end as the escape `\n`,
                    // which it decodes everywhere except in a URL.
                    if isLink {
                        self.folded.reserve(source.count - position + 2)
                        self.folded.append(Self.backslash)
                        self.folded.append(UInt8(ascii: "n"))
                    } else {
                        self.folded.append(Self.space)
                    }
                    while let next = self.afterZone(source, position) { position = next }
                    guard let isNextLink = self.beginsLink(source, position) else { return false }
                    isLink = isNextLink
                }
            case Self.carriageReturn:
                guard position < source.count, source[position] == Self.lineFeed else { return false }
            case Self.backslash:
                self.skipFold(source, &position)
                guard position < source.count else { return false }
                switch source[position] {
                case UInt8(ascii: ","), UInt8(ascii: ";"), Self.backslash: self.folded.append(source[position])
                case UInt8(ascii: "n") where !isLink, UInt8(ascii: "N") where !isLink: self.folded.append(Self.space)
                default: return false
                }
                position += 1
            case 0x09...0x0D: self.folded.append(Self.space)
            case 0..<0x20: self.folded.append(byte)
            default:
                guard let (scalar, end) = self.scalar(source, position - 1) else { return false }
                self.folded.append(scalar, beforeOthers: source.count - end)
                position = end
            }
        }
    }

    /// The position after the time zone that begins at `start`; a search reads no text of a time zone.
    ///
    /// `nil` if no time zone begins at `start`, if it has no end, or if it may contain components other than STANDARD
    /// and DAYLIGHT.
    private func afterZone(_ source: Span<UInt8>, _ start: Int) -> Int? {
        guard self.has(Self.zoneBegin, source, start) else { return nil }
        var position = start + Self.zoneBegin.count
        while position < source.count {
            switch source[position] | 0x20 {
            case UInt8(ascii: "b"):
                guard Self.observances.contains(where: { self.has($0, source, position) }) else { return nil }
            case UInt8(ascii: "e"):
                if self.has(Self.zoneEnd, source, position) { return position + Self.zoneEnd.count }
                guard Self.observances.contains(where: { self.has($0, source, position) }) else { return nil }
            default: break
            }
            while position < source.count, source[position] != Self.lineFeed { position += 1 }
            position += 1
        }
        return nil
    }

    /// Whether `line` is at the position `start`, and no line fold continues it.
    private func has(_ line: [UInt8], _ source: Span<UInt8>, _ start: Int) -> Bool {
        let end = start + line.count
        guard source.count >= end, line.indices.allSatisfy({ source[start + $0] == line[$0] }) else { return false }
        return end == source.count || source[end] != 0x20 && source[end] != 0x09
    }

    /// Whether a URL property begins at the position; `nil` if a line fold within the name prevents an answer.
    private func beginsLink(_ source: Span<UInt8>, _ start: Int) -> Bool? {
        var position = start
        for letter in "url".utf8 {
            guard position < source.count else { return false }
            if source[position] == Self.lineFeed || source[position] == Self.carriageReturn {
                return position == start ? false : nil
            }
            guard source[position] | 0x20 == letter else { return false }
            position += 1
        }
        guard position < source.count else { return false }
        switch source[position] {
        case UInt8(ascii: ":"), UInt8(ascii: ";"): return true
        case Self.lineFeed, Self.carriageReturn: return nil
        default: return false
        }
    }

    /// The non-ASCII character at a position, and its end; line folds are skipped; `nil` when it is not UTF-8.
    private func scalar(_ source: Span<UInt8>, _ start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        var position = start
        let first = source[start]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        var value = UInt32(first & (0xFF >> (UInt8(length) + 1)))
        position += 1
        for _ in 1..<length {
            self.skipFold(source, &position)
            guard position < source.count, source[position] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(source[position] & 0x3F)
            position += 1
        }
        let least: UInt32 = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80
        guard first >= 0xC0, first < 0xF8, value >= least, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, position)
    }

    private func skipFold(_ source: Span<UInt8>, _ position: inout Int) {
        var end = position
        if end < source.count, source[end] == Self.carriageReturn { end += 1 }
        guard end + 1 < source.count, source[end] == Self.lineFeed else { return }
        if source[end + 1] == 0x20 || source[end + 1] == 0x09 { position = end + 2 }
    }
}
