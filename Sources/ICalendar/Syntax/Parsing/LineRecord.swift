/// The position and the name of one content line: 16 bytes; consecutive blank lines share one record.
struct LineRecord: Sendable {
    enum Kind: UInt8 { case property, begin, end, blank, bad }

    var start: UInt32 = 0
    /// The number of the first physical line of this content line.
    var number: UInt32 = 0
    /// The offset of the value from the start of the unfolded line.
    var value: UInt32 = 0
    var name: UInt16 = 0
    var kind = Kind.blank
    var flags: Flags = []

    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        static let isFolded = Self(rawValue: 1)
        static let hasParameters = Self(rawValue: 2)
        static let isUsualSpelling = Self(rawValue: 4)
        /// The text has unescaped line ends: the invalid lines after it are read as its continuation.
        static let isTorn = Self(rawValue: 8)
        /// The value is quoted-printable and continues after a physical line that ends with `=` (vCalendar 1.0).
        static let isSoftBroken = Self(rawValue: 16)
        static let isOdd: Self = [.isTorn, .isSoftBroken]
    }

    struct Head {
        var value = 0
        var name = NameTable.unknown
        var flags: Flags = []
    }

    @inline(__always)
    mutating func set(_ head: Head) {
        self.value = UInt32(truncatingIfNeeded: head.value)
        self.name = head.name
        self.flags.formUnion(head.flags)
        self.kind = head.name == NameTable.begin ? .begin : head.name == NameTable.end ? .end : .property
    }
}

extension UInt8 {
    /// A space or a tab; at the start of a line, it marks the continuation of the previous line (RFC 5545 §3.1).
    var isFold: Bool { self == 0x20 || self == 0x09 }
}

extension Span<UInt8> {
    var startsWithByteOrderMark: Bool {
        self.count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    }

    /// The position after the next line feed, or the end of the bytes.
    @inline(__always)
    func lineEnd(from start: Int, _ lineFeed: UInt8) -> Int {
        Swift.min(self.firstPosition(of: lineFeed, from: start) &+ 1, self.count)
    }

    /// The end of the line without its LF, CRLF or CR.
    @inline(__always)
    func trimmingLineEnd(_ line: Range<Int>) -> Int {
        var end = line.upperBound
        if end > line.lowerBound, self[end - 1] == 0x0A { end -= 1 }
        if end > line.lowerBound, self[end - 1] == 0x0D { end -= 1 }
        return end
    }
}

extension [UInt8] {
    /// Joins the physical lines of a folded line; it joins bytes, because a fold may be inside a UTF-8 character.
    func unfolded(_ line: Range<Int>, _ lineFeed: UInt8) -> [UInt8] {
        let bytes = self.span
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        var start = line.lowerBound
        while start < line.upperBound {
            let next = Swift.min(bytes.lineEnd(from: start, lineFeed), line.upperBound)
            result += self[start..<bytes.trimmingLineEnd(start..<next)]
            start = next + 1
        }
        return result
    }
}
