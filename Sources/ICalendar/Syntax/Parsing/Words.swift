/// The only code in the module with a call that the compiler considers unsafe; see docs/decisions/0009.
extension Span<UInt8> {
    /// Eight bytes from `position` on as a number with the lowest byte first; bytes after the end are zero.
    @inlinable
    @inline(__always)
    package func word(at position: Int) -> UInt64 {
        guard position <= self.count &- 8 else { return self.lastWord(at: position) }
        // The call is safe: any eight bytes at any position form a valid number, and the call checks its bounds.
        return UInt64(littleEndian: unsafe self.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    @usableFromInline
    package func lastWord(at position: Int) -> UInt64 {
        var word: UInt64 = 0
        for place in 0..<8 where position + place < self.count {
            word |= UInt64(self[position + place]) << UInt64(8 * place)
        }
        return word
    }

    @inline(__always)
    func firstPosition(of byte: UInt8, from start: Int) -> Int {
        let pattern = UInt64(repeating: byte)
        var position = start
        while position <= self.count &- 8 {
            let found = (self.word(at: position) ^ pattern).zeroBytes
            if found != 0 { return position &+ found.trailingZeroBitCount &>> 3 }
            position &+= 8
        }
        while position < self.count, self[position] != byte { position &+= 1 }
        return position
    }
}

extension UInt64 {
    /// A number with eight equal bytes.
    @inlinable
    @inline(__always)
    package init(repeating byte: UInt8) { self = UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// A number with the top bit of each zero byte set; bits above the lowest such bit may be wrong.
    @inlinable
    @inline(__always)
    package var zeroBytes: UInt64 { (self &- 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080 }

    /// A number with the top bit of each colon and semicolon set; bits above the lowest such bit may be wrong.
    @inline(__always)
    var colonsAndSemicolons: UInt64 {
        // A colon (0x3A) and a semicolon (0x3B) differ in the lowest bit only.
        ((self & 0xFEFE_FEFE_FEFE_FEFE) ^ 0x3A3A_3A3A_3A3A_3A3A).zeroBytes
    }

    /// The eight bytes with small letters instead of the capital letters of ASCII.
    @inlinable
    @inline(__always)
    package var smallLetters: UInt64 {
        let low = self & 0x7F7F_7F7F_7F7F_7F7F
        let isBehindZ = low &+ 0x2525_2525_2525_2525
        let isFromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
        let isCapital = (isFromA & ~isBehindZ & ~self) & 0x8080_8080_8080_8080
        return self | isCapital &>> 2
    }

    @inline(__always)
    var capitals: UInt64 {
        let low = self & 0x7F7F_7F7F_7F7F_7F7F
        let isBehindZ = low &+ 0x0505_0505_0505_0505
        let isFromA = low &+ 0x1F1F_1F1F_1F1F_1F1F
        let isSmall = (isFromA & ~isBehindZ & ~self) & 0x8080_8080_8080_8080
        return self ^ isSmall &>> 2
    }

    @inline(__always)
    func prefix(_ count: Int) -> UInt64 { count >= 8 ? self : self & ((1 &<< UInt64(8 &* count)) &- 1) }

    static let beginMarker: UInt64 = 0x3A4E_4947_4542
    static let endMarker: UInt64 = 0x3A44_4E45
}

extension Span<UInt8> {
    /// Whether a line may be a BEGIN or an END; of a folded line, only the first letter is checked.
    @inline(__always)
    func isLikeMarker(_ start: Int, isFolded: Bool) -> Bool {
        let word = self.word(at: start).capitals
        let first = word.prefix(1)
        if isFolded { return first == UInt64.endMarker.prefix(1) || first == UInt64.beginMarker.prefix(1) }
        return word.prefix(3) == UInt64.endMarker.prefix(3) || word.prefix(5) == UInt64.beginMarker.prefix(5)
    }

    /// The name after `marker`, which has `length` bytes; `nil` if the line does not begin with the marker.
    func marked(_ line: Range<Int>, _ marker: UInt64, length: Int) -> Name? {
        guard line.count >= length, self.word(at: line.lowerBound).capitals.prefix(length) == marker else { return nil }
        let contentEnd = self.trimmingLineEnd(line)
        var start = line.lowerBound + length
        while start < contentEnd, self[start].isFold { start += 1 }
        var end = start
        while end < contentEnd, !self[end].isFold { end += 1 }
        return NameTable.standard.name(self, start..<end)
    }
}

extension ArraySlice<UInt8> {
    var isBlankLine: Bool { self.allSatisfy { $0 == 0x0A || $0 == 0x0D || $0.isFold } }
}

extension Span<UInt8> {
    private static var beginning: Int { 1 << 16 }

    /// The last byte of a line: LF, or CR if the first 64 KiB have no LF (Lotus Notes); `nil` if more bytes are needed.
    ///
    /// - Parameter known: the number of bytes that an earlier call has searched.
    func lineFeed(known: Int, isWhole: Bool) -> UInt8? {
        // The search for LF includes one more byte, because the last byte may be the CR of a CRLF.
        let end = Swift.min(self.count, Self.beginning + 1)
        for position in Swift.min(known, end)..<end where self[position] == 0x0A { return 0x0A }
        guard isWhole || self.count > Self.beginning else { return nil }
        for position in 0..<Swift.min(end, Self.beginning) where self[position] == 0x0D { return 0x0D }
        return 0x0A
    }
}
