/// Numbers as the user writes them, in one or several words: `12`, `3,5`, and the range `7-9`.
struct NumberList: Hashable, Sendable {
    /// The numbers in the order of the words, without duplicates.
    private(set) var numbers: [Int64] = []
    /// The numbers that only a range names.
    let ofRanges: Set<Int64>

    /// The maximum number of numbers in one command, so that a wrong range such as `1-1000000000` is an error.
    static let maximumCount = 1000

    /// - Throws: if a word is no number or range, or if the words name more than ``maximumCount`` numbers.
    init(_ words: [String], of noun: String) throws(UsageError) {
        var single: Set<Int64> = []
        var seen: Set<Int64> = []
        for word in words {
            let parts = word.split(separator: ",")
            for part in parts.isEmpty ? [word[...]] : parts {
                let range = try Self.range(part, of: noun)
                let rest = range.upperBound - range.lowerBound
                guard rest < Self.maximumCount, self.numbers.count + Int(rest) < Self.maximumCount else {
                    throw UsageError(
                        .badValue,
                        "A command accepts at most \(Self.maximumCount) numbers. Give a smaller range than '\(part)'."
                    )
                }
                self.numbers += range.filter { seen.insert($0).inserted }
                if !part.contains("-") { single.insert(range.lowerBound) }
            }
        }
        self.ofRanges = seen.subtracting(single)
    }

    /// Whether a word is a number, a range, or a list of them with commas; the values may be invalid.
    static func isNumber(_ word: String) -> Bool {
        let parts = word.split(separator: ",")
        return !parts.isEmpty
            && parts.allSatisfy { part in
                let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                return ends.count <= 2 && ends.allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
            }
    }

    private static func range(_ part: Substring, of noun: String) throws(UsageError) -> ClosedRange<Int64> {
        let ends = part.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else {
            let number = try ArgumentValues.number(String(part), of: noun)
            return number...number
        }
        guard let first = Int64(ends[0]), let last = Int64(ends[1]), first > 0 else {
            throw UsageError(.badValue, "'\(Sanitizer.excerpt(String(part)))' is not a range of numbers such as 5-9.")
        }
        guard first <= last else {
            throw UsageError(.badValue, "The range '\(part)' is empty. Write '\(last)-\(first)'.")
        }
        return first...last
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
