/// A quick look at the text of a calendar object as it is stored: whether a query can match it at all.
///
/// All of the text is folded at once, without reading what its lines are: title, labels, place, link and notes are
/// parts of it, so that a word which is nowhere in it is in none of them. Where something might have to be decoded that
/// is not decoded here, the answer is yes.
package struct SearchScan {
    private let words: [[UInt8]]
    /// Whether a word has a backslash, which in a text may or may not be an escape.
    private let isBlind: Bool
    private var text = SearchFolding()
    private var known = FoldedScalars()

    /// A look for all words of a query.
    package init(_ query: SearchQuery) {
        self.words = query.words
        self.isBlind = query.words.contains { $0.contains(Self.backslash) }
    }

    private static let backslash = UInt8(ascii: "\\")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// What says that a text is in quoted-printable.
    private static let encoding = Array("quoted".utf8)

    /// Whether all words of the query may occur in the object.
    ///
    /// - Returns: `false` only when one surely does not.
    package mutating func mayMatch(_ source: Span<UInt8>) -> Bool {
        guard !self.isBlind, self.read(source) else { return true }
        for word in self.words where self.text.first(word) == nil { return self.text.first(Self.encoding) != nil }
        return true
    }

    /// Folds a text, without the folds of its lines and without escapes.
    ///
    /// - Returns: `false` when it cannot be told here what its bytes stand for.
    private mutating func read(_ source: Span<UInt8>) -> Bool {
        self.text.removeAll()
        var position = 0
        guard var isLink = Self.beginsLink(source, 0) else { return false }
        while position < source.count {
            let byte = source[position]
            position += 1
            switch byte {
            case Self.lineFeed:
                guard position < source.count else { break }
                if source[position] == 0x20 || source[position] == 0x09 {
                    position += 1
                } else {
                    // Some programs tear a value in two lines. The line end that they stand for is read as an escape,
                    // and of a link no escape is decoded.
                    if isLink {
                        self.text.append(ascii: Self.backslash, at: 0)
                        self.text.append(ascii: UInt8(ascii: "n"), at: 0)
                    } else {
                        self.text.append(ascii: byte, at: 0)
                    }
                    guard let isNextLink = Self.beginsLink(source, position) else { return false }
                    isLink = isNextLink
                }
            case Self.carriageReturn:
                guard position < source.count, source[position] == Self.lineFeed else { return false }
            case Self.backslash:
                guard position < source.count else { return false }
                switch source[position] {
                case UInt8(ascii: ","), UInt8(ascii: ";"), Self.backslash:
                    self.text.append(ascii: source[position], at: 0)
                case UInt8(ascii: "n") where !isLink, UInt8(ascii: "N") where !isLink:
                    self.text.append(ascii: Self.lineFeed, at: 0)
                default: return false
                }
                position += 1
            case 0..<0x80: self.text.append(ascii: byte, at: 0)
            default:
                guard let next = self.readScalar(source, from: position - 1) else { return false }
                position = next
            }
        }
        return true
    }

    /// Whether the line at a position is a URL; `nil` where it is folded so early that this has to be read with care.
    private static func beginsLink(_ source: Span<UInt8>, _ start: Int) -> Bool? {
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

    /// Folds the letter that begins at a position, and of which no line end tears the bytes apart.
    ///
    /// - Returns: where the next one begins; `nil` when it is not UTF-8.
    private mutating func readScalar(_ source: Span<UInt8>, from start: Int) -> Int? {
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
        self.known.append(scalar, to: &self.text)
        return position
    }

    private func skipFold(_ source: Span<UInt8>, _ position: inout Int) {
        var end = position
        if end < source.count, source[end] == Self.carriageReturn { end += 1 }
        guard end + 1 < source.count, source[end] == Self.lineFeed else { return }
        if source[end + 1] == 0x20 || source[end + 1] == 0x09 { position = end + 2 }
    }
}

/// What letters beyond ASCII fold to, once it was found out: a person's texts have few different ones.
private struct FoldedScalars {
    /// Room for the letters of some alphabets: a letter has the place that its last bits say.
    private static let count = 1024
    /// The letter that has a place, 0 for none.
    private var letters: [UInt32] = []
    /// The bytes that it folds to, the first lowest, and their number in the highest byte.
    private var folded: [UInt64] = []

    mutating func append(_ scalar: Unicode.Scalar, to text: inout SearchFolding) {
        if self.letters.isEmpty {
            self.letters = Array(repeating: 0, count: Self.count)
            self.folded = Array(repeating: 0, count: Self.count)
        }
        let place = Int(scalar.value) % Self.count
        if self.letters[place] != scalar.value {
            var one = SearchFolding()
            one.append(scalar, at: 0)
            // A blank counts only where none is before it, and what is long is rare.
            guard one.bytes.count <= 7, one.bytes != [UInt8(ascii: " ")] else { return text.append(scalar, at: 0) }
            self.letters[place] = scalar.value
            self.folded[place] = one.bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } | UInt64(one.bytes.count) << 56
        }
        var rest = self.folded[place]
        for _ in 0..<(rest >> 56) {
            text.append(byte: UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
    }
}
