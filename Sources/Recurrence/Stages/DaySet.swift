/// The days in one period of a rule, as bits.
struct DaySet: Sendable {
    /// The number of bits: a year of whole weeks has 371 days, and SKIP may move a day by one beyond either end.
    static let capacity = 384
    /// The day number of bit 0.
    var base: Int
    private var words: InlineArray<6, UInt64>

    init(base: Int, bits: UInt64 = 0) {
        self.base = base
        self.words = InlineArray(repeating: 0)
        self.words[0] = bits
    }

    var isEmpty: Bool {
        (self.words[0] | self.words[1] | self.words[2] | self.words[3] | self.words[4] | self.words[5]) == 0
    }

    var count: Int {
        var count = 0
        for index in self.words.indices { count += self.words[index].nonzeroBitCount }
        return count
    }

    /// Adds the day at `offset`; a day outside ``capacity`` is ignored.
    mutating func insert(_ offset: Int) {
        guard offset >= 0, offset < Self.capacity else { return }
        self.words[offset >> 6] |= 1 << UInt64(offset & 63)
    }

    /// Adds up to 64 days; bit 0 of `bits` stands for the day at `offset`, which is at least 0.
    mutating func insert(_ bits: UInt64, at offset: Int) {
        guard offset < Self.capacity else { return }
        let shift = UInt64(offset & 63)
        self.words[offset >> 6] |= bits << shift
        if shift != 0, offset >> 6 < 5 { self.words[offset >> 6 + 1] |= bits >> (64 - shift) }
    }

    /// The 64 days from `offset` on, which is at least 0.
    func bits(from offset: Int) -> UInt64 {
        guard offset < Self.capacity else { return 0 }
        let shift = UInt64(offset & 63)
        let low = self.words[offset >> 6] >> shift
        guard shift != 0, offset >> 6 < 5 else { return low }
        return low | self.words[offset >> 6 + 1] << (64 - shift)
    }

    mutating func formIntersection(_ other: DaySet) {
        for index in self.words.indices { self.words[index] &= other.words[index] }
    }

    mutating func remove(before day: Int) {
        let offset = day - self.base
        guard offset > 0 else { return }
        for index in self.words.indices {
            let low = offset - index * 64
            if low >= 64 { self.words[index] = 0 } else if low > 0 { self.words[index] &= ~UInt64.lowBits(low) }
        }
    }

    mutating func popFirst() -> Int? {
        for index in self.words.indices where self.words[index] != 0 {
            let bit = self.words[index].trailingZeroBitCount
            self.words[index] &= self.words[index] &- 1
            return self.base + index * 64 + bit
        }
        return nil
    }

    /// The day at `position` in the sorted set; `position` is less than ``count``.
    func day(at position: Int) -> Int {
        var left = position
        for index in self.words.indices {
            var word = self.words[index]
            let count = word.nonzeroBitCount
            guard left < count else {
                left -= count
                continue
            }
            // The search begins at the nearer end, because most rules select the first or the last day.
            if left * 2 < count {
                for _ in 0..<left { word &= word &- 1 }
                return self.base + index * 64 + word.trailingZeroBitCount
            }
            for _ in 0..<(count - 1 - left) { word &= ~(1 << UInt64(63 - word.leadingZeroBitCount)) }
            return self.base + index * 64 + 63 - word.leadingZeroBitCount
        }
        return self.base
    }
}
