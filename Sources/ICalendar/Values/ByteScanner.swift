/// Scans the bytes of one value; a method that fails does not change the position.
struct ByteScanner {
    /// The largest number of digits; nine digits times the seconds of a week are far below the largest `Int`.
    static let maximumDigits = 9
    private let bytes: ArraySlice<UInt8>
    private var place: Int

    init(_ text: String) {
        self.init(Array(text.utf8)[...])
    }

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        self.place = bytes.startIndex
    }

    var isAtEnd: Bool { self.place == self.bytes.endIndex }

    /// The next byte, as a capital letter; `nil` at the end.
    var next: UInt8? { self.isAtEnd ? nil : self.bytes[self.place].capital }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard self.next == byte else { return false }
        self.place += 1
        return true
    }

    mutating func sign() -> Int? {
        if self.skip(UInt8(ascii: "+")) { return 1 }
        return self.skip(UInt8(ascii: "-")) ? -1 : nil
    }

    mutating func digits(_ count: Int) -> Int? {
        guard self.bytes.endIndex - self.place >= count else { return nil }
        let number = self.bytes.span.digits(count, at: self.place - self.bytes.startIndex)
        guard number >= 0 else { return nil }
        self.place += count
        return number
    }

    /// Scans all digits that follow as one number; `nil` for no digit or more than ``maximumDigits``.
    mutating func number() -> Int? {
        let count = self.bytes[self.place...].prefix { $0.isDigit }.count
        guard (1...Self.maximumDigits).contains(count) else { return nil }
        return self.digits(count)
    }
}

extension Span<UInt8> {
    /// The number in the `count` bytes from `start` on, which must exist; -1 if one of them is no digit.
    func digits(_ count: Int, at start: Int) -> Int {
        var number = 0
        for position in start..<(start + count) {
            let digit = self[position] &- 0x30
            guard digit <= 9 else { return -1 }
            number = number * 10 + Int(digit)
        }
        return number
    }
}

extension UInt8 {
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var digit: Int { Int(self) - 0x30 }
}

extension Int {
    /// The decimal digits of a nonnegative number, padded with zeros to at least `width` digits.
    func padded(_ width: Int) -> String {
        let text = String(self)
        return text.utf8.count >= width ? text : String(repeating: "0", count: width - text.utf8.count) + text
    }

    /// The quotient, rounded down, for a positive divisor: -1 divided by 7 gives -1.
    func flooredQuotient(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    func flooredRemainder(by divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
