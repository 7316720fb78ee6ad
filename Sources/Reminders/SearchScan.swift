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
        self.glances = query.words.compactMap { SearchGlance($0) }
    }

    private static let backslash = UInt8(ascii: "\\")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// What says that a text is in quoted-printable.
    private static let encoding = Array("quoted".utf8)
    /// ``encoding``, looked for as the words are.
    private let encodingGlance = SearchGlance(Self.encoding)
    /// The words for which a text need not be folded.
    private let glances: [SearchGlance]

    /// Whether all words of the query may occur in the object.
    ///
    /// - Returns: `false` only when one surely does not.
    package mutating func mayMatch(_ source: Span<UInt8>) -> Bool {
        guard !self.isBlind else { return true }
        // Most texts have no beginning of a word at all, or another letter soon behind it.
        for word in self.glances where word.isAbsent(from: source, &self.known) {
            if self.encodingGlance?.isAbsent(from: source, &self.known) == true { return false }
        }
        guard self.read(source) else { return true }
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
        guard let (scalar, end) = Self.scalar(source, start, skipsFolds: true) else { return nil }
        self.known.append(scalar, to: &self.text)
        return end
    }

    /// The letter beyond ASCII that begins at a position, and where the next one begins; `nil` when it is not UTF-8.
    fileprivate static func scalar(
        _ source: Span<UInt8>,
        _ start: Int,
        skipsFolds: Bool
    ) -> (scalar: Unicode.Scalar, end: Int)? {
        var position = start
        let first = source[start]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        var value = UInt32(first & (0xFF >> (UInt8(length) + 1)))
        position += 1
        for _ in 1..<length {
            if skipsFolds { self.skipFold(source, &position) }
            guard position < source.count, source[position] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(source[position] & 0x3F)
            position += 1
        }
        let least: UInt32 = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80
        guard first >= 0xC0, first < 0xF8, value >= least, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, position)
    }

    private static func skipFold(_ source: Span<UInt8>, _ position: inout Int) {
        var end = position
        if end < source.count, source[end] == Self.carriageReturn { end += 1 }
        guard end + 1 < source.count, source[end] == Self.lineFeed else { return }
        if source[end + 1] == 0x20 || source[end + 1] == 0x09 { position = end + 2 }
    }
}

/// A look for one word in a text that is neither folded nor copied for it.
///
/// A word of small letters and digits stands in a text as it is, or in capitals, unless something is between its letters
/// that is no part of the text: the fold of a line, an escape, a mark. Where anything but plain ASCII follows a letter of
/// it, it may be there.
private struct SearchGlance {
    private let word: [UInt8]
    private let initial: UInt8

    /// - Returns: `nil` for words with anything but small letters and digits, of which there are more ways to be written;
    ///   and for those that begin with n, which the line end of a torn link may stand for.
    init?(_ word: [UInt8]) {
        let isPlain = word.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: false
            }
        }
        guard isPlain, let initial = word.first, initial != UInt8(ascii: "n") else { return nil }
        self.word = word
        self.initial = initial
    }

    /// How many bytes are looked at together.
    private static let block = 32

    /// - Returns: `true` only when no text of the object can have the word.
    func isAbsent(from source: Span<UInt8>, _ known: inout FoldedScalars) -> Bool {
        var position = 0
        while position < source.count {
            if position + Self.block <= source.count {
                // Bytes without a branch: most blocks have neither the initial nor anything beyond ASCII.
                let block = source.extracting(position..<position + Self.block)
                var hits: UInt8 = 0
                for index in 0..<Self.block {
                    let byte = block[index]
                    hits |= (byte | 0x20 == self.initial ? 0x80 : 0) | byte
                }
                if hits < 0x80 {
                    position += Self.block
                    continue
                }
            }
            let end = min(position + Self.block, source.count)
            while position < end {
                let byte = source[position]
                if byte < 0x80 {
                    position += 1
                    if byte | 0x20 == self.initial, self.mayGoOn(source, from: position, at: 1) { return false }
                } else {
                    guard let (scalar, next) = SearchScan.scalar(source, position, skipsFolds: false) else {
                        return false
                    }
                    guard let folded = known.folded(scalar) else {
                        return false
                    }
                    if self.mayBegin(in: folded, source, from: next) { return false }
                    position = next
                }
            }
        }
        return true
    }

    /// Whether the word may begin among the letters that one beyond ASCII is folded to.
    private func mayBegin(in folded: FoldedScalars.Bytes, _ source: Span<UInt8>, from position: Int) -> Bool {
        var rest = folded
        while let byte = rest.popFirst() {
            guard byte == self.initial else { continue }
            var (tail, index, isSame) = (rest, 1, true)
            while isSame, index < self.word.count, let next = tail.popFirst() {
                isSame = next == self.word[index]
                index += 1
            }
            if isSame, self.mayGoOn(source, from: position, at: index) { return true }
        }
        return false
    }

    /// Whether the rest of the word may follow at a position; true when there is none.
    private func mayGoOn(_ source: Span<UInt8>, from start: Int, at first: Int) -> Bool {
        var (position, index) = (start, first)
        while index < self.word.count {
            guard position < source.count else { return false }
            let byte = source[position]
            guard 0x20...0x7E ~= byte, byte != UInt8(ascii: "\\") else { return true }
            guard byte | 0x20 == self.word[index] else { return false }
            index += 1
            position += 1
        }
        return true
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

    /// Up to seven bytes, the first lowest, and their number in the highest byte.
    struct Bytes {
        fileprivate var value: UInt64

        var isEmpty: Bool { self.value >> 56 == 0 }

        /// Takes the first out; `nil` when none is left.
        mutating func popFirst() -> UInt8? {
            let count = self.value >> 56
            guard count > 0 else { return nil }
            let first = UInt8(truncatingIfNeeded: self.value)
            self.value = (self.value & 0x00FF_FFFF_FFFF_FFFF) >> 8 | (count - 1) << 56
            return first
        }
    }

    mutating func append(_ scalar: Unicode.Scalar, to text: inout SearchFolding) {
        guard var rest = self.folded(scalar) else { return text.append(scalar, at: 0) }
        while let byte = rest.popFirst() { text.append(byte: byte, at: 0) }
    }

    /// What a letter folds to; `nil` for a blank, which counts only where none is before it, and for what is long.
    mutating func folded(_ scalar: Unicode.Scalar) -> Bytes? {
        if self.letters.isEmpty {
            self.letters = Array(repeating: 0, count: Self.count)
            self.folded = Array(repeating: 0, count: Self.count)
        }
        let place = Int(scalar.value) % Self.count
        if self.letters[place] != scalar.value {
            var one = SearchFolding()
            one.append(scalar, at: 0)
            guard one.bytes.count <= 7, one.bytes != [UInt8(ascii: " ")] else { return nil }
            self.letters[place] = scalar.value
            self.folded[place] = one.bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } | UInt64(one.bytes.count) << 56
        }
        return Bytes(value: self.folded[place])
    }
}
