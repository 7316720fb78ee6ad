import RemindavICalendar

/// Memory for folded texts, one after the other, so that many texts can be folded without new allocations.
///
/// The folded form is that of ``SearchFolding``. The bytes of the current text have room behind them, so that eight
/// bytes can be written at once.
struct FoldingBuffer {
    private static let backslash = UInt8(ascii: "\\")
    private static let space = UInt8(ascii: " ")

    private var bytes: [UInt8] = []
    private var length = 0
    /// Folded forms of non-ASCII characters that were read before, because folding is slow; each at the place that the
    /// low bits of its number determine.
    private var known = [KnownCharacter](repeating: KnownCharacter(), count: Self.knownCount)
    private static let knownCount = 1024

    /// Whether the current text contains a folded word.
    func contains(_ word: [UInt8]) -> Bool {
        SearchFolding.first(word, in: self.bytes.span.extracting(..<self.length)) != nil
    }

    /// Begins a text.
    mutating func removeAll(reserving count: Int) {
        self.length = 0
        self.reserve(count)
    }

    /// Makes room for `count` more bytes; ASCII text never becomes longer when it is folded.
    mutating func reserve(_ count: Int) {
        let missing = self.length + count - self.bytes.count
        if missing > 0 { self.bytes.append(contentsOf: repeatElement(0, count: missing)) }
    }

    /// Appends a folded byte, for which there is room; a space after a space is left out.
    mutating func append(_ byte: UInt8) {
        if byte == Self.space, self.length > 0, self.bytes[self.length - 1] == Self.space { return }
        self.bytes[self.length] = byte
        self.length += 1
    }

    /// Appends the folded form of a character, and makes room for it and for `others` more bytes.
    mutating func append(_ scalar: Unicode.Scalar, beforeOthers others: Int) {
        let place = Int(scalar.value) % Self.knownCount
        if self.known[place].scalar != scalar {
            var folding = SearchFolding()
            folding.append(scalar, at: 0)
            guard let character = KnownCharacter(scalar, folded: folding.bytes) else {
                self.reserve(folding.bytes.count + others)
                for byte in folding.bytes { self.append(byte) }
                return
            }
            self.known[place] = character
        }
        let character = self.known[place]
        self.reserve(character.count + others)
        for index in 0..<character.count {
            self.append(UInt8(truncatingIfNeeded: character.bytes >> UInt64(8 * index)))
        }
    }

    /// The folded form of a text.
    mutating func folded(_ text: String) -> [UInt8] {
        let source = text.utf8Span.span
        self.removeAll(reserving: source.count)
        var position = 0
        while true {
            position = self.appendPlain(source, position)
            guard position < source.count else { return Array(self.bytes[..<self.length]) }
            let index = text.utf8.index(text.startIndex, offsetBy: position)
            let scalar = text.unicodeScalars[index]
            position += UTF8.width(scalar)
            self.append(scalar, beforeOthers: source.count - position)
        }
    }

    /// Appends printable ASCII from `start` on, and stops at a backslash or another kind of byte.
    ///
    /// There must be room for the rest of the source.
    ///
    /// - Returns: the position of the byte at which it stopped.
    mutating func appendPlain(_ source: Span<UInt8>, _ start: Int) -> Int {
        var (position, length) = (start, self.length)
        var last = length == 0 ? 0 : self.bytes[length - 1]
        var span = self.bytes.mutableSpan
        var output = unsafe span.mutableBytes
        while position < source.count {
            // Eight bytes are folded at once, because the texts of ten thousand reminders have five million bytes.
            if position + 8 <= source.count {
                let (folded, count) = Self.folded(source.word(at: position), after: last)
                // The bytes behind `count` are overwritten later; there is room for the rest of the source.
                output.storeBytes(of: folded.littleEndian, toByteOffset: length, as: UInt64.self)
                position += count
                length += count
                if count > 0 { last = UInt8(truncatingIfNeeded: folded >> UInt64(8 * count - 8)) }
                if count == 8 { continue }
            }
            let byte = source[position]
            if byte < Self.space || byte >= 0x80 || byte == Self.backslash { break }
            position += 1
            if byte == Self.space, last == Self.space { continue }
            last = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
            output.storeBytes(of: last, toByteOffset: length, as: UInt8.self)
            length += 1
        }
        self.length = length
        return position
    }

    /// Folds eight bytes, the first one in the lowest bits.
    ///
    /// - Returns: the folded bytes, and how many of them are printable ASCII without a backslash and without a space
    ///   after a space; sometimes fewer.
    private static func folded(_ word: UInt64, after last: UInt8) -> (word: UInt64, count: Int) {
        let spaces = (word ^ UInt64(repeating: Self.space)).zeroBytes
        let secondSpaces = spaces & (spaces << 8 | (last == Self.space ? 0x80 : 0))
        let backslashes = (word ^ UInt64(repeating: Self.backslash)).zeroBytes
        // The top bit is also set by the subtraction for a control character.
        let others = (word | (word &- UInt64(repeating: Self.space))) & UInt64(repeating: 0x80)
        let suspects = secondSpaces | backslashes | others
        return (word.smallLetters, min(suspects.trailingZeroBitCount / 8, 8))
    }
}

/// The folded form of a character in up to eight bytes.
private struct KnownCharacter {
    private(set) var scalar: Unicode.Scalar?
    private(set) var count = 0
    /// The first byte is in the lowest bits.
    private(set) var bytes: UInt64 = 0

    init() {}

    /// `nil` for a longer form.
    init?(_ scalar: Unicode.Scalar, folded: [UInt8]) {
        guard folded.count <= 8 else { return nil }
        self.scalar = scalar
        self.count = folded.count
        self.bytes = folded.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
    }
}
