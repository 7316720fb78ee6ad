/// The alphabetical order of titles and names: without case and diacritical marks, and the same in every locale.
///
/// Two texts compare by the Unicode scalars of their folded forms (``SearchFolding``), so `apple`, `Äpfel` and `Zebra`
/// have this order. The encoding and the case decide only between texts with the same folded form.
package enum TitleOrder {
    /// Whether the first text is before the second one; `nil` if both are equal.
    package static func precedes(_ left: String, _ right: String) -> Bool? {
        if let isBefore = self.precedesFolded(left, right) { return isBefore }
        return left == right ? nil : left < right
    }

    /// `nil` if folding needs more than ASCII.
    private static func asciiKey(of text: String) -> UInt64? {
        var (beginning, shift, last): (UInt64, UInt64, UInt8) = (0, 64, 0)
        for byte in text.utf8.prefix(8) {
            guard let folded = self.folded(byte, after: last) else { return nil }
            shift -= 8
            beginning |= UInt64(folded) << shift
            last = folded
        }
        return beginning
    }

    /// The first eight bytes of the folded text as a number; texts with different keys have the order of the keys.
    package static func key(of text: String) -> UInt64 {
        if let key = self.asciiKey(of: text) { return key }
        var folding = SearchFolding()
        for scalar in text.unicodeScalars {
            folding.append(scalar, at: 0)
            if folding.bytes.count >= 8 { break }
        }
        return self.key(ofFolded: folding.bytes)
    }

    fileprivate static func key(ofFolded bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (56 - 8 * $1.offset) }
    }

    /// `nil` if the folded texts are equal.
    private static func precedesFolded(_ left: String, _ right: String) -> Bool? {
        // Most titles are ASCII, and then nothing is allocated.
        var (ours, theirs) = (left.utf8.makeIterator(), right.utf8.makeIterator())
        var (last, other): (UInt8, UInt8) = (0, 0)
        while true {
            let (one, two) = (ours.next(), theirs.next())
            guard let one, let two else {
                guard (one ?? two).map({ $0 < 0x80 }) ?? true else { break }
                return one == nil && two == nil ? nil : one == nil
            }
            guard let here = self.folded(one, after: last), let there = self.folded(two, after: other) else { break }
            if here != there { return here < there }
            (last, other) = (here, there)
        }
        let (one, two) = (SearchFolding(left).bytes, SearchFolding(right).bytes)
        return one == two ? nil : one.lexicographicallyPrecedes(two)
    }

    /// The folded form of a byte; `nil` for a character that ``SearchFolding`` may join, remove or change further.
    private static func folded(_ byte: UInt8, after last: UInt8) -> UInt8? {
        guard byte >= 0x20, byte < 0x80, byte != 0x20 || last != 0x20 else { return nil }
        return byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}

/// Titles that are sorted; each is folded once, because a sort compares each title many times.
package struct FoldedTitles {
    private var titles: [(text: String, folded: [UInt8])?] = []
    /// For each title the first bytes of its folded form (``TitleOrder/key(of:)``); `nil` for a missing title.
    package private(set) var keys: [UInt64?] = []

    /// - Parameter titles: `nil` stands for a missing title.
    package init(_ titles: some Collection<String?>) {
        var buffer = FoldingBuffer()
        self.titles.reserveCapacity(titles.count)
        self.keys.reserveCapacity(titles.count)
        for title in titles {
            let folded = title.map { buffer.folded($0) }
            self.titles.append(title.flatMap { title in folded.map { (title, $0) } })
            self.keys.append(folded.map(TitleOrder.key(ofFolded:)))
        }
    }

    /// Compares two titles by their positions as ``TitleOrder/precedes(_:_:)``; `nil` also if one is missing.
    package func precedes(_ left: Int, _ right: Int) -> Bool? {
        guard let left = self.titles[left], let right = self.titles[right] else { return nil }
        if left.folded != right.folded { return left.folded.lexicographicallyPrecedes(right.folded) }
        return left.text == right.text ? nil : left.text < right.text
    }
}
