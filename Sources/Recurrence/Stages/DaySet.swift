/// A set of days of one period of a rule, as bits.
struct DaySet: Sendable {
    /// The number of bits: a year of weeks has 371 days, and SKIP moves one beyond either end.
    static let capacity = 384

    /// The day number of bit 0.
    var base: Int
    private var words: InlineArray<6, UInt64>

    /// - Parameter bits: the first 64 days.
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

    /// Adds the day at `offset` from ``base``; a day beyond ``capacity`` is ignored.
    mutating func insert(_ offset: Int) {
        guard offset >= 0, offset < Self.capacity else { return }
        self.words[offset >> 6] |= 1 << UInt64(offset & 63)
    }

    /// Adds up to 64 days; bit 0 is the day at `offset`, 0 or more.
    mutating func insert(_ bits: UInt64, at offset: Int) {
        guard offset < Self.capacity else { return }
        let shift = UInt64(offset & 63)
        self.words[offset >> 6] |= bits << shift
        if shift != 0, offset >> 6 < 5 { self.words[offset >> 6 + 1] |= bits >> (64 - shift) }
    }

    /// 64 days from `offset` on, 0 or more.
    func bits(from offset: Int) -> UInt64 {
        guard offset < Self.capacity else { return 0 }
        let shift = UInt64(offset & 63)
        let low = self.words[offset >> 6] >> shift
        guard shift != 0, offset >> 6 < 5 else { return low }
        return low | self.words[offset >> 6 + 1] << (64 - shift)
    }

    /// Keeps only the days of `other`, which has the same base.
    mutating func formIntersection(_ other: DaySet) {
        for index in self.words.indices { self.words[index] &= other.words[index] }
    }

    /// Removes the days before `day`.
    mutating func remove(before day: Int) {
        let offset = day - self.base
        guard offset > 0 else { return }
        for index in self.words.indices {
            let low = offset - index * 64
            if low >= 64 { self.words[index] = 0 } else if low > 0 { self.words[index] &= ~UInt64.lowBits(low) }
        }
    }

    /// Removes and returns the earliest day; `nil` for an empty set.
    mutating func popFirst() -> Int? {
        for index in self.words.indices where self.words[index] != 0 {
            let bit = self.words[index].trailingZeroBitCount
            self.words[index] &= self.words[index] &- 1
            return self.base + index * 64 + bit
        }
        return nil
    }

    var first: Int? {
        for index in self.words.indices where self.words[index] != 0 {
            return self.base + index * 64 + self.words[index].trailingZeroBitCount
        }
        return nil
    }

    /// The day number of the day at `position`, 0 or more, counted in order; fewer than ``count``.
    func day(at position: Int) -> Int {
        var left = position
        for index in self.words.indices {
            var word = self.words[index]
            let count = word.nonzeroBitCount
            guard left < count else {
                left -= count
                continue
            }
            // From the nearer end, because most rules select the first or the last day.
            if left * 2 < count {
                for _ in 0..<left { word &= word &- 1 }
                return self.base + index * 64 + word.trailingZeroBitCount
            }
            for _ in 0..<(count - 1 - left) { word &= ~(1 << UInt64(63 - word.leadingZeroBitCount)) }
            return self.base + index * 64 + 63 - word.leadingZeroBitCount
        }
        return self.base
    }

    /// The latest day that is not after `day`.
    func last(notAfter day: Int) -> Int? {
        for index in self.words.indices.reversed() {
            let reach = day - self.base - index * 64
            guard reach >= 0 else { continue }
            let word = reach >= 63 ? self.words[index] : self.words[index] & .lowBits(reach + 1)
            if word != 0 { return self.base + index * 64 + 63 - word.leadingZeroBitCount }
        }
        return nil
    }
}
