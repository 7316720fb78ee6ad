extension Int {
    /// The quotient, rounded down, for a positive divisor: -1 divided by 7 gives -1.
    func flooredQuotient(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    func ceiledQuotient(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor > 0 ? quotient + 1 : quotient
    }

    func flooredRemainder(by divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    func greatestCommonDivisor(with other: Int) -> Int {
        var (larger, smaller) = (self, other)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger
    }
}

extension UInt64 {
    /// The number in which only the `count` lowest bits are set, for a count of 0 to 63.
    static func lowBits(_ count: Int) -> UInt64 { (1 << UInt64(count)) &- 1 }

    /// The index of the lowest set bit at `index` or above; `nil` if there is none.
    func firstBit(from index: Int) -> Int? {
        guard index < 64 else { return nil }
        let rest = self >> UInt64(index)
        return rest == 0 ? nil : index + rest.trailingZeroBitCount
    }
}
