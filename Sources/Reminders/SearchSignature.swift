/// Makes what is kept beside the text of a calendar object, so that most searches need not read that text.
///
/// A signature says which groups of three bytes occur in the folded text of all that a search looks at: a Bloom filter
/// with one bit for each. It is made of the text and of nothing else, and says too much at times and never too little. How it
/// is made cannot be changed without a step of the schema that makes all of them anew.
package final class SearchSigner {
    private var folded = FoldedSource()
    private var groups = FoldedGroups()

    /// One for many texts, since it remembers what letters fold to.
    package init() {}

    /// The signature of a text.
    ///
    /// - Returns: 8 to 256 bytes; `nil` where every search has to look at the text itself: it is long, or it cannot be told
    ///   what its bytes stand for.
    package func signature(of source: Span<UInt8>) -> [UInt8]? {
        self.groups.removeAll()
        guard self.folded.readSearched(source, into: &self.groups) else { return nil }
        return self.groups.signature
    }
}

/// The groups of three bytes in a folded text, as they come.
struct FoldedGroups: FoldingSink {
    /// Bits of the smallest signature.
    private static let fewestBits = 64
    /// A longer text than four pages has a signature that says less, and one that says nothing is none.
    static let mostBits = 2048

    /// One bit for each group, of the most that there can be.
    private var words = [UInt64](repeating: 0, count: Self.mostBits / 64)
    /// The bytes that were added last, the very last one lowest.
    private var last: UInt64 = 0
    private var count = 0
    private var isQuoted = false
    /// ``FoldedSource/encoding`` as ``last`` has it.
    private let encoding = FoldedSource.encoding.reduce(0) { $0 << 8 | UInt64($1) }

    mutating func removeAll() {
        for index in self.words.indices { self.words[index] = 0 }
        (self.last, self.count, self.isQuoted) = (0, 0, false)
    }

    @inline(__always)
    mutating func append(ascii byte: UInt8) {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self.append(byte: byte | 0x20)
        case 0x09...0x0D, UInt8(ascii: " "):
            if self.last & 0xFF != UInt64(UInt8(ascii: " ")) { self.append(byte: UInt8(ascii: " ")) }
        default: self.append(byte: byte)
        }
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        // A blank is one behind a letter only, whatever it is.
        var one = SearchFolding()
        one.append(scalar, at: 0)
        if one.bytes == [UInt8(ascii: " ")] { return self.append(ascii: UInt8(ascii: " ")) }
        for byte in one.bytes { self.append(byte: byte) }
    }

    @inline(__always)
    mutating func append(byte: UInt8) {
        self.last = self.last << 8 | UInt64(byte)
        self.count += 1
        if self.count > 2 {
            let group = UInt32(truncatingIfNeeded: self.last & 0xFF_FFFF)
            let bit = Int(SearchSignature.hash(group) >> Self.shift)
            self.words[bit >> 6] |= 1 << UInt64(truncatingIfNeeded: bit & 63)
        }
        // The word has six letters.
        if self.last & 0xFFFF_FFFF_FFFF == self.encoding { self.isQuoted = true }
    }

    private static var shift: UInt32 { UInt32(Self.mostBits.leadingZeroBitCount) - 31 }

    /// The signature that says which groups there are; `nil` where it would say nothing, or something that is not so.
    var signature: [UInt8]? {
        let count = max(self.count - 2, 0)
        guard !self.isQuoted, count <= 2 * Self.mostBits else { return nil }
        var words = self.words
        var bits = Self.mostBits
        // A group has the first bits of one number, whatever the size: two neighbours become one.
        while bits > Self.fewestBits, bits / 2 >= 2 * count {
            for index in 0..<max(bits / 128, 1) {
                words[index] = words[2 * index].pairs | words[2 * index + 1].pairs << 32
            }
            bits /= 2
        }
        var signature: [UInt8] = []
        signature.reserveCapacity(bits / 8)
        for index in 0..<bits / 64 {
            for shift in stride(from: 0, to: 64, by: 8) {
                signature.append(UInt8(truncatingIfNeeded: words[index] >> UInt64(shift)))
            }
        }
        return signature
    }
}

extension UInt64 {
    /// One bit for each two, set where one of them is, in the lower half.
    fileprivate var pairs: UInt64 {
        var bits = (self | self >> 1) & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return (bits | bits >> 16) & 0x0000_0000_FFFF_FFFF
    }
}

/// What a signature must say of an object in which all words of a query are found.
package struct SearchSignature {
    /// Each group of three bytes in the words.
    private let hashes: [UInt32]

    /// - Returns: `nil` where no signature tells anything: all words are shorter than three bytes, or have a backslash, which
    ///   in a text may or may not be an escape.
    package init?(_ query: SearchQuery) {
        var hashes: Set<UInt32> = []
        for word in query.words where !word.contains(UInt8(ascii: "\\")) {
            for index in word.indices.dropFirst(2) {
                hashes.insert(
                    Self.hash(UInt32(word[index - 2]) << 16 | UInt32(word[index - 1]) << 8 | UInt32(word[index]))
                )
            }
        }
        guard !hashes.isEmpty else { return nil }
        self.hashes = Array(hashes)
    }

    /// Whether the object with this signature may match; true for one without any.
    package func mayMatch(_ signature: Span<UInt8>) -> Bool {
        let bits = signature.count * 8
        // What another program has put there says nothing.
        guard bits >= 8, bits.nonzeroBitCount == 1 else { return true }
        let shift = UInt32(bits.leadingZeroBitCount) - 31
        for hash in self.hashes {
            let bit = Int(hash >> shift)
            guard signature[bit >> 3] & 1 << UInt8(truncatingIfNeeded: bit & 7) != 0 else { return false }
        }
        return true
    }

    /// A group of three bytes in 32 bits, of which the first are taken (Knuth's multiplicative hashing).
    static func hash(_ group: UInt32) -> UInt32 { group &* 0x9E37_79B1 }
}
