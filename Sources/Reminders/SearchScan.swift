/// A quick look at the text of a calendar object as it is stored: whether a query can match it at all.
///
/// All of the text is folded at once, without reading what its lines are: title, labels, place, link and notes are
/// parts of it, so that a word which is nowhere in it is in none of them. Where something might have to be decoded that
/// is not decoded here, the answer is yes.
package struct SearchScan {
    private let words: [[UInt8]]
    /// Whether a word has a backslash, which in a text may or may not be an escape.
    private let isBlind: Bool
    private var folded = FoldedSource()

    /// A look for all words of a query.
    package init(_ query: SearchQuery) {
        self.words = query.words
        self.isBlind = query.words.contains { $0.contains(Self.backslash) }
        self.glances = query.words.compactMap { SearchGlance($0) }
    }

    private static let backslash = UInt8(ascii: "\\")
    /// What says that a text is in quoted-printable, looked for as the words are.
    private let encodingGlance = SearchGlance(FoldedSource.encoding)
    /// The words for which a text need not be folded.
    private let glances: [SearchGlance]

    /// Whether all words of the query may occur in the object.
    ///
    /// - Returns: `false` only when one surely does not.
    package mutating func mayMatch(_ source: Span<UInt8>) -> Bool {
        guard !self.isBlind else { return true }
        // Most texts have no beginning of a word at all, or another letter soon behind it.
        for word in self.glances where word.isAbsent(from: source, &self.folded.known) {
            if self.encodingGlance?.isAbsent(from: source, &self.folded.known) == true { return false }
        }
        guard self.folded.read(source) else { return true }
        for word in self.words where !self.folded.has(word) { return self.folded.has(FoldedSource.encoding) }
        return true
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
                    guard let (scalar, next) = FoldedSource.scalar(source, position, skipsFolds: false) else {
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
