/// The position of one content line in the bytes, and its name: 16 bytes.
///
/// It ends at the beginning of the next one; one more record marks the end of the bytes. Consecutive blank lines share
/// a record.
struct LineRecord: Sendable {
    enum Kind: UInt8 { case property, begin, end, blank, bad }

    /// The first of the physical bytes.
    var start: UInt32 = 0
    /// The first physical line, from 1.
    var number: UInt32 = 0
    /// The beginning of the value, counted from the start of the unfolded line.
    var value: UInt32 = 0
    /// The number of the name, or ``NameTable/unknown``.
    var name: UInt16 = 0
    var kind = Kind.blank
    var flags: Flags = []

    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        /// The line consists of several physical lines.
        static let isFolded = Self(rawValue: 1)
        /// There are parameters between the name and the value.
        static let hasParameters = Self(rawValue: 2)
        /// The name has the spelling of the name table.
        static let isUsualSpelling = Self(rawValue: 4)
        /// Invalid lines follow that are read as the rest of its text.
        static let isTorn = Self(rawValue: 8)
        /// The value is quoted-printable and continues after a physical line that ends with `=` (vCalendar 1.0).
        static let isSoftBroken = Self(rawValue: 16)
        /// Unfolding is not enough: see TornLines.swift.
        static let isOdd: Self = [.isTorn, .isSoftBroken]
    }

    /// The parsed beginning of a line: its name and the position of its value.
    struct Head {
        var value = 0
        var name = NameTable.unknown
        var flags: Flags = []
    }
}

extension UInt8 {
    /// A space or a tab: at the start of a line it continues the one before (RFC 5545 §3.1).
    var isFold: Bool { self == 0x20 || self == 0x09 }
}

extension Span<UInt8> {
    var startsWithByteOrderMark: Bool {
        self.count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    }

    /// Whether `byte` occurs at or after `start`.
    func contains(_ byte: UInt8, from start: Int) -> Bool { self.firstPosition(of: byte, from: start) < self.count }

    /// The position after the line feed that ends the line at `start`, or the end.
    @inline(__always)
    func lineEnd(from start: Int, _ lineFeed: UInt8) -> Int {
        Swift.min(self.firstPosition(of: lineFeed, from: start) &+ 1, self.count)
    }

    /// The end of the content of a physical line: without its LF, CRLF or CR.
    @inline(__always)
    func trimmingLineEnd(_ line: Range<Int>) -> Int {
        var end = line.upperBound
        if end > line.lowerBound, self[end - 1] == 0x0A { end -= 1 }
        if end > line.lowerBound, self[end - 1] == 0x0D { end -= 1 }
        return end
    }
}

extension [UInt8] {
    /// A line of several physical lines in one piece, without the folds and the line end.
    ///
    /// It joins bytes and not text, because a fold may be inside a UTF-8 character.
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
