extension Int {
    /// Division that rounds down, for a positive divisor: -1 by 7 is -1.
    func flooredQuotient(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// Division that rounds up, for a positive divisor.
    func ceiledQuotient(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor > 0 ? quotient + 1 : quotient
    }

    /// What ``flooredQuotient(by:)`` leaves over: never negative.
    func flooredRemainder(by divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
