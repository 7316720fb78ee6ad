// Lines that go on though iCalendar says that they end: texts with raw line ends, and quoted-printable.

extension [UInt8] {
    /// A text that was written with raw line ends, each as `\n`; folds are undone.
    func joiningTorn(_ line: Range<Int>, _ lineFeed: UInt8) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        for part in self.tornParts(line, lineFeed) {
            if !result.isEmpty { result += [UInt8(ascii: "\\"), UInt8(ascii: "n")] }
            result += self.unfolded(part, lineFeed)
        }
        return result
    }

    /// The logical lines that one text was torn into, blank ones too.
    func tornParts(_ line: Range<Int>, _ lineFeed: UInt8) -> [Range<Int>] {
        let bytes = self.span
        var parts: [Range<Int>] = []
        var start = line.lowerBound
        while start < line.upperBound {
            var end = bytes.lineEnd(from: start, lineFeed)
            // A blank line is never continued.
            if bytes.trimmingLineEnd(start..<end) > start {
                while end < line.upperBound, bytes[end].isFold { end = bytes.lineEnd(from: end, lineFeed) }
            }
            parts.append(start..<Swift.min(end, line.upperBound))
            start = end
        }
        return parts
    }

    /// A line in quoted-printable without its soft line breaks, also one at its end, behind which nothing came.
    func joiningSoftBreaks(_ line: Range<Int>, _ lineFeed: UInt8) -> [UInt8] {
        let bytes = self.span
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        var start = line.lowerBound
        while start < line.upperBound {
            let next = Swift.min(bytes.lineEnd(from: start, lineFeed), line.upperBound)
            let end = bytes.trimmingLineEnd(start..<next)
            if result.last == UInt8(ascii: "="), !bytes.isFoldInEscape(start) {
                result.removeLast()
                result += self[start..<end]
            } else {
                result += self[(start > line.lowerBound ? start + 1 : start)..<Swift.max(end, start + 1)]
            }
            start = next
        }
        while result.last == UInt8(ascii: "=") { result.removeLast() }
        return result
    }
}

extension Span<UInt8> {
    /// Whether the line at `start` goes on with the two digits of an escape that somebody has folded behind its `=`.
    func isFoldInEscape(_ start: Int) -> Bool {
        start + 2 < self.count && self[start].isFold && self[start + 1].isHexadecimal && self[start + 2].isHexadecimal
    }

    /// Whether a physical line ends with `=`.
    @inline(__always)
    func endsWithSoftBreak(_ line: Range<Int>) -> Bool {
        let end = self.trimmingLineEnd(line)
        return end > line.lowerBound && self[end &- 1] == UInt8(ascii: "=")
    }
}

extension ArraySlice<UInt8> {
    /// Whether the beginning of a line, up to its colon, says that the value is in quoted-printable.
    var saysQuotedPrintable: Bool {
        ParameterFacts(self.drop { $0 != UInt8(ascii: ";") }).encoding == .quotedPrintable
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }
}

extension LineScanner {
    /// Takes what follows a soft line break in quoted-printable as a part of the line that was read last.
    ///
    /// A folded line goes on so where its first or its last physical line ends with `=`.
    @inline(__always)
    mutating func goOnSoftly(_ record: inout LineRecord, _ source: [UInt8], _ bytes: Span<UInt8>, _ firstEnd: Int) {
        let start = Int(record.start)
        guard bytes.endsWithSoftBreak(start..<self.position) || bytes.endsWithSoftBreak(start..<firstEnd) else {
            return
        }
        self.takeSoftBroken(&record, source, bytes)
    }

    @inline(never)
    private mutating func takeSoftBroken(_ record: inout LineRecord, _ source: [UInt8], _ bytes: Span<UInt8>) {
        let start = Int(record.start)
        let head = source.unfolded(start..<self.position, self.lineFeed).prefix(Int(record.value) - 1)
        guard head.saysQuotedPrintable else { return }
        record.flags.formUnion([.isFolded, .isSoftBroken])
        var line = start..<self.position
        while line.upperBound < bytes.count, bytes.endsWithSoftBreak(line) || bytes[line.upperBound].isFold {
            let next = line.upperBound
            let end = bytes.lineEnd(from: next, self.lineFeed)
            guard end - start <= self.limits.lineBytes else { break }
            // Whoever cut the text off has not cut off what comes after it: a well-known name as programs write it.
            let head = Self.head(bytes, next, self.lineFeed, self.table)
            guard bytes[next].isFold || head?.flags.contains(.isUsualSpelling) != true else { break }
            line = next..<end
            self.number += 1
        }
        self.position = line.upperBound
    }
}
