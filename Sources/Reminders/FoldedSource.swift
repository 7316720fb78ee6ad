/// The text of a calendar object as it is stored, folded for a search without reading what its lines are.
struct FoldedSource {
    /// What says that a text is in quoted-printable, which is not decoded here.
    static let encoding = Array("quoted".utf8)
    private static let backslash = UInt8(ascii: "\\")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private(set) var text = SearchFolding()
    /// What letters fold to that other texts had.
    var known = FoldedScalars()
    private let names = SearchedNames()

    /// Whether a folded word is in the text that was read last.
    func has(_ word: [UInt8]) -> Bool { self.text.first(word) != nil }

    /// Folds a text, without the folds of its lines and without escapes.
    ///
    /// - Returns: `false` when it cannot be told here what its bytes stand for.
    mutating func read(_ source: Span<UInt8>) -> Bool {
        self.text.removeAll()
        return Self.read(source, &self.known, into: &self.text)
    }

    /// The same of the lines in which a search may look; others are left out as far as they are known by their beginning.
    mutating func readSearched(_ source: Span<UInt8>, into sink: inout some FoldingSink) -> Bool {
        Self.read(source, only: self.names, &self.known, into: &sink)
    }

    private static func read(
        _ source: Span<UInt8>,
        only names: SearchedNames? = nil,
        _ known: inout FoldedScalars,
        into text: inout some FoldingSink
    ) -> Bool {
        var position = 0
        if let names, !self.passOver(source, &position, names) { return false }
        guard var isLink = self.beginsLink(source, position) else { return false }
        while position < source.count {
            let byte = source[position]
            position += 1
            switch byte {
            case self.lineFeed:
                guard position < source.count else { break }
                if source[position] == 0x20 || source[position] == 0x09 {
                    position += 1
                } else {
                    // Some programs tear a value in two lines. The line end that they stand for is read as an escape,
                    // and of a link no escape is decoded.
                    if isLink {
                        text.append(ascii: self.backslash)
                        text.append(ascii: UInt8(ascii: "n"))
                    } else {
                        text.append(ascii: byte)
                    }
                    if let names, !self.passOver(source, &position, names) { return false }
                    guard let isNextLink = self.beginsLink(source, position) else { return false }
                    isLink = isNextLink
                }
            case self.carriageReturn:
                guard position < source.count, source[position] == self.lineFeed else { return false }
            case self.backslash:
                guard position < source.count else { return false }
                switch source[position] {
                case UInt8(ascii: ","), UInt8(ascii: ";"), self.backslash: text.append(ascii: source[position])
                case UInt8(ascii: "n") where !isLink, UInt8(ascii: "N") where !isLink:
                    text.append(ascii: self.lineFeed)
                default: return false
                }
                position += 1
            case 0..<0x80: text.append(ascii: byte)
            default:
                // Folded is a letter of which no line end tears the bytes apart.
                guard let (scalar, end) = self.scalar(source, position - 1, skipsFolds: true) else { return false }
                known.append(scalar, to: &text)
                position = end
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

    /// The letter beyond ASCII that begins at a position, and where the next one begins; `nil` when it is not UTF-8.
    static func scalar(
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

extension FoldedSource {
    /// Goes to the end of the lines that begin at a position and in which surely no search looks.
    ///
    /// Such a line has a name in capitals and its colon behind that, or a well-known name and parameters: nothing else is
    /// read as a part of another line.
    ///
    /// - Returns: `false` where a line ends in a way that is not read here.
    private static func passOver(_ source: Span<UInt8>, _ position: inout Int, _ names: SearchedNames) -> Bool {
        while names.areElsewhere(source, position) {
            while true {
                while position < source.count, source[position] >= 0x0E { position += 1 }
                guard position < source.count else { return true }
                let byte = source[position]
                position += 1
                if byte == self.carriageReturn {
                    guard position < source.count, source[position] == self.lineFeed else { return false }
                } else if byte == self.lineFeed {
                    // A space or a tab goes on with the line.
                    guard position < source.count, source[position] == 0x20 || source[position] == 0x09 else { break }
                }
            }
        }
        return true
    }

}

/// Takes folded letters.
protocol FoldingSink {
    /// Adds a letter of ASCII, which is folded here.
    mutating func append(ascii byte: UInt8)
    /// Adds a letter that has not been folded.
    mutating func append(_ scalar: Unicode.Scalar)
    /// Adds what is folded already.
    mutating func append(byte: UInt8)
}

extension SearchFolding: FoldingSink {
    mutating func append(ascii byte: UInt8) { self.append(ascii: byte, at: 0) }
    mutating func append(_ scalar: Unicode.Scalar) { self.append(scalar, at: 0) }
    mutating func append(byte: UInt8) { self.append(byte: byte, at: 0) }
}

/// The names of the lines in which a search looks.
struct SearchedNames {
    private let searched = Self.all.map { Self.mark($0) }
    private let withParameters = Self.othersWithParameters.map { Self.mark($0) }

    /// Whether the line that begins at a position is surely none of them.
    fileprivate func areElsewhere(_ source: Span<UInt8>, _ start: Int) -> Bool {
        var end = start
        var mark: UInt64 = 0
        while end < source.count, end - start < Self.longestName, Self.isInName(source[end]) {
            mark = mark << 8 | UInt64(source[end])
            end += 1
        }
        guard end > start, end < source.count else { return false }
        switch source[end] {
        case UInt8(ascii: ":"): return !self.searched.contains(mark)
        case UInt8(ascii: ";"): return end - start <= 8 && self.withParameters.contains(mark)
        default: return false
        }
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") || byte == UInt8(ascii: "-")
    }

    /// A longer one may be no name at all.
    private static let longestName = 64
    /// Where a search looks.
    ///
    /// Any other name with its colon makes a line of its own, whether somebody knows it or not.
    static let all = ["SUMMARY", "DESCRIPTION", "LOCATION", "URL", "CATEGORIES"]
    /// Other names that often have parameters, of those that a reader knows; no longer than a mark.
    static let othersWithParameters = ["DUE", "DTSTART", "TRIGGER", "EXDATE", "RDATE", "ATTACH", "ATTENDEE"]

    /// The last eight letters of a name: what is taken for one of ours is read, and that is no harm.
    private static func mark(_ name: String) -> UInt64 { name.utf8.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// What letters beyond ASCII fold to, once it was found out: a person's texts have few different ones.
struct FoldedScalars {
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

    mutating func append(_ scalar: Unicode.Scalar, to text: inout some FoldingSink) {
        guard var rest = self.folded(scalar) else { return text.append(scalar) }
        while let byte = rest.popFirst() { text.append(byte: byte) }
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
