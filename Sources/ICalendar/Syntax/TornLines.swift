// Lines that continue against the iCalendar syntax: texts with raw line ends, and quoted-printable.

extension [UInt8] {
    /// A text with raw line ends, each converted to `\n`, and without folds.
    func joiningTorn(_ line: Range<Int>, _ lineFeed: UInt8) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        for part in self.tornParts(line, lineFeed) {
            if !result.isEmpty { result += [UInt8(ascii: "\\"), UInt8(ascii: "n")] }
            result += self.unfolded(part, lineFeed)
        }
        return result
    }

    /// The logical lines of one torn text, including blank ones.
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

    /// A line in quoted-printable without its soft line breaks, including one at its very end.
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
    /// Whether the line at `start` begins with the two digits of an escape that was folded after its `=`.
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
    /// Whether the beginning of a line, up to its colon, declares a quoted-printable value.
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
    /// Appends the lines after a soft line break in quoted-printable to the line that was read last.
    ///
    /// A folded line continues in this way if its first or its last physical line ends with `=`.
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
            // A text ends before a well-known name in its usual spelling.
            let head = Self.head(bytes, next, self.lineFeed, self.table)
            guard bytes[next].isFold || head?.flags.contains(.isUsualSpelling) != true else { break }
            line = next..<end
            self.number += 1
        }
        self.position = line.upperBound
    }
}
