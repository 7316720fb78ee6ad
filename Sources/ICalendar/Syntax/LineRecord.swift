/// Where one content line lies in the bytes, and what it is called: 16 bytes.
///
/// It ends where the next one begins; after the last stands one more record at the end of the bytes. Blank lines that
/// follow one another share a record.
struct LineRecord: Sendable {
    enum Kind: UInt8 { case property, begin, end, blank, bad }

    /// The first of the physical bytes.
    var start: UInt32 = 0
    /// The first physical line, from 1.
    var number: UInt32 = 0
    /// Where the value begins, counted from the start of the unfolded line.
    var value: UInt32 = 0
    /// The number of the name, or ``NameTable/unknown``.
    var name: UInt16 = 0
    var kind = Kind.blank
    var flags: Flags = []

    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        /// The line stands on several physical lines.
        static let isFolded = Self(rawValue: 1)
        /// Parameters stand between the name and the value.
        static let hasParameters = Self(rawValue: 2)
        /// The name is written as the table of names has it.
        static let isUsualSpelling = Self(rawValue: 4)
        /// Lines follow that are none and are read as the rest of its text.
        static let isTorn = Self(rawValue: 8)
        /// The value is quoted-printable and goes on where a physical line ends with `=` (vCalendar 1.0).
        static let isSoftBroken = Self(rawValue: 16)
        /// There is more to do than to undo folds: see TornLines.swift.
        static let isOdd: Self = [.isTorn, .isSoftBroken]
    }

    /// What the beginning of a line says: its name and where the value begins.
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

    /// Whether `byte` stands anywhere from `start` on.
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
    /// Bytes are put together, not text: a fold may stand inside a UTF-8 letter.
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
