// Recognises BEGIN and END for ComponentSplitter: by their first bytes, read as a number.

extension UInt64 {
    /// `BEGIN:`, the first letter in the lowest byte.
    static let beginMarker: UInt64 = 0x3A4E_4947_4542
    /// `END:`, the first letter in the lowest byte.
    static let endMarker: UInt64 = 0x3A44_4E45
}

extension Span<UInt8> {
    /// Whether a line may begin or end a component; for a folded line only the first letter is checked.
    @inline(__always)
    func isLikeMarker(_ start: Int, isFolded: Bool) -> Bool {
        let word = self.word(at: start).capitals
        let first = word.prefix(1)
        if isFolded { return first == UInt64.endMarker.prefix(1) || first == UInt64.beginMarker.prefix(1) }
        return word.prefix(3) == UInt64.endMarker.prefix(3) || word.prefix(5) == UInt64.beginMarker.prefix(5)
    }

    /// The name after a marker of that length, or `nil` if the line does not begin with it.
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
    /// Whether a line contains only spaces, tabs and its end.
    var isBlankLine: Bool { self.allSatisfy { $0 == 0x0A || $0 == 0x0D || $0.isFold } }
}

extension Span<UInt8> {
    /// The length of the stream's beginning that determines the line end.
    private static var beginning: Int { 1 << 16 }

    /// The byte that ends the lines of a stream with this beginning: LF, or CR alone if the beginning has no LF (Lotus
    /// Notes).
    ///
    /// - Parameters:
    ///   - known: the number of bytes that were inspected before without a result.
    ///   - isWhole: whether the stream ends after them.
    /// - Returns: `nil` when it cannot be determined yet.
    func lineFeed(known: Int, isWhole: Bool) -> UInt8? {
        // One byte more, because the last byte may be the CR of a CRLF.
        let end = Swift.min(self.count, Self.beginning + 1)
        for position in Swift.min(known, end)..<end where self[position] == 0x0A { return 0x0A }
        guard isWhole || self.count > Self.beginning else { return nil }
        for position in 0..<Swift.min(end, Self.beginning) where self[position] == 0x0D { return 0x0D }
        return 0x0A
    }
}
