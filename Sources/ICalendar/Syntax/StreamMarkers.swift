// BEGIN and END as ComponentSplitter tells them apart from all other lines: by their first bytes, read as a number.

extension UInt64 {
    /// `BEGIN:`, the first letter in the lowest place.
    static let beginMarker: UInt64 = 0x3A4E_4947_4542
    /// `END:`, the first letter in the lowest place.
    static let endMarker: UInt64 = 0x3A44_4E45
}

extension Span<UInt8> {
    /// Whether a line may begin or end a component; one that is folded may do so by its first letter.
    @inline(__always)
    func isLikeMarker(_ start: Int, isFolded: Bool) -> Bool {
        let word = self.word(at: start).capitals
        let first = word.prefix(1)
        if isFolded { return first == UInt64.endMarker.prefix(1) || first == UInt64.beginMarker.prefix(1) }
        return word.prefix(3) == UInt64.endMarker.prefix(3) || word.prefix(5) == UInt64.beginMarker.prefix(5)
    }

    /// The name behind a marker of that length, or `nil` where the line does not begin with it.
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
    /// Whether a line holds nothing but spaces, tabs and its end.
    var isBlankLine: Bool { self.allSatisfy { $0 == 0x0A || $0 == 0x0D || $0.isFold } }
}

extension Span<UInt8> {
    /// So much of a stream tells what ends its lines.
    private static var beginning: Int { 1 << 16 }

    /// What ends the lines of the stream that begins with these bytes: LF, or CR alone where the beginning has no LF
    /// (Lotus Notes).
    ///
    /// - Parameters:
    ///   - known: so many bytes were asked about before, and nobody could tell.
    ///   - isWhole: whether nothing comes after them.
    /// - Returns: `nil` when that cannot be told yet.
    func lineFeed(known: Int, isWhole: Bool) -> UInt8? {
        // One byte more: the CR of a CRLF may be the last.
        let end = Swift.min(self.count, Self.beginning + 1)
        for position in Swift.min(known, end)..<end where self[position] == 0x0A { return 0x0A }
        guard isWhole || self.count > Self.beginning else { return nil }
        for position in 0..<Swift.min(end, Self.beginning) where self[position] == 0x0D { return 0x0D }
        return 0x0A
    }
}
