// Values that continue on further lines without folds: texts with unescaped line ends, and quoted-printable values.

extension [UInt8] {
    /// Joins the lines of a text with unescaped line ends; the escape `\n` replaces each of these line ends.
    func joiningTorn(_ line: Range<Int>, _ lineFeed: UInt8) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        for part in self.tornParts(line, lineFeed) {
            if !result.isEmpty { result += [UInt8(ascii: "\\"), UInt8(ascii: "n")] }
            result += self.unfolded(part, lineFeed)
        }
        return result
    }

    /// The logical lines of a text with unescaped line ends, blank lines included.
    func tornParts(_ line: Range<Int>, _ lineFeed: UInt8) -> [Range<Int>] {
        let bytes = self.span
        var parts: [Range<Int>] = []
        var start = line.lowerBound
        while start < line.upperBound {
            var end = bytes.lineEnd(from: start, lineFeed)
            // No fold continues a blank line.
            if bytes.trimmingLineEnd(start..<end) > start {
                while end < line.upperBound, bytes[end].isFold { end = bytes.lineEnd(from: end, lineFeed) }
            }
            parts.append(start..<Swift.min(end, line.upperBound))
            start = end
        }
        return parts
    }

    /// Joins the lines of a quoted-printable value and removes all soft line breaks, even one at the end of the value.
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
    /// Whether the line at `start` begins with a fold that splits a quoted-printable escape after its `=`.
    func isFoldInEscape(_ start: Int) -> Bool {
        start + 2 < self.count && self[start].isFold && self[start + 1].isHexadecimalDigit
            && self[start + 2].isHexadecimalDigit
    }

    @inline(__always)
    func endsWithSoftBreak(_ line: Range<Int>) -> Bool {
        let end = self.trimmingLineEnd(line)
        return end > line.lowerBound && self[end &- 1] == UInt8(ascii: "=")
    }
}

extension ArraySlice<UInt8> {
    var declaresQuotedPrintable: Bool {
        ParameterFacts(self.drop { $0 != UInt8(ascii: ";") }).encoding == .quotedPrintable
    }
}

extension LineScanner {
    /// Extends the record by the lines after a soft line break at the end of its first or of its last physical line.
    @inline(__always)
    mutating func goOnSoftly(_ record: inout LineRecord, _ source: [UInt8], _ bytes: Span<UInt8>, _ firstEnd: Int) {
        let start = Int(record.start)
        guard bytes.endsWithSoftBreak(start..<self.position) || bytes.endsWithSoftBreak(start..<firstEnd) else {
            return
        }
        self.joinSoftBroken(&record, source, bytes)
    }

    @inline(never)
    private mutating func joinSoftBroken(_ record: inout LineRecord, _ source: [UInt8], _ bytes: Span<UInt8>) {
        let start = Int(record.start)
        let head = source.unfolded(start..<self.position, self.lineFeed).prefix(Int(record.value) - 1)
        guard head.declaresQuotedPrintable else { return }
        record.flags.formUnion([.isFolded, .isSoftBroken])
        var line = start..<self.position
        while line.upperBound < bytes.count, bytes.endsWithSoftBreak(line) || bytes[line.upperBound].isFold {
            let next = line.upperBound
            let end = bytes.lineEnd(from: next, self.lineFeed)
            guard end - start <= self.limits.lineBytes else { break }
            // A line that begins with a well-known name in its usual spelling is a new property, and ends the value.
            let head = Self.head(bytes, next, self.lineFeed, self.table)
            guard bytes[next].isFold || head?.flags.contains(.isUsualSpelling) != true else { break }
            line = next..<end
            self.number += 1
        }
        self.position = line.upperBound
    }
}

extension ParseIssue {
    package init(notICalendar bytes: [UInt8]) {
        let text = ForeignText(bytes)
        if bytes.isUTF16 {
            // Without a byte order mark, a converter cannot recognise the byte order, so the detail states it.
            let isMarked = bytes[0] >= 0xFE
            self.init(.utf16, line: 1, detail: isMarked ? nil : bytes[0] == 0 ? "UTF-16BE" : "UTF-16LE")
        } else if text.isEmpty {
            self.init(.emptyFile, line: 1)
        } else if bytes.hasDoubledReturns {
            self.init(.doubledReturn, line: 1)
        } else if let wrapping = text.wrapping {
            self.init(.wrappedCalendar, line: 1, detail: wrapping)
        } else {
            self.init(.notICalendar, line: 1, detail: text.kind)
        }
    }
}

extension [UInt8] {
    fileprivate var hasDoubledReturns: Bool {
        guard let end = self.firstIndex(of: 0x0A), end >= 2 else { return false }
        return self[end - 1] == 0x0D && self[end - 2] == 0x0D
    }
}

private struct ForeignText {
    private let beginning: [UInt8]
    private let lines: [ArraySlice<UInt8>]

    /// The number of bytes that are examined to recognise the format; a mail has fewer bytes before its calendar.
    private static let length = 16_384

    init(_ bytes: [UInt8]) {
        let head = Array(bytes.prefix(Self.length))
        let start = head.span.startsWithByteOrderMark ? 3 : 0
        self.beginning = head[start...].drop { $0.isFold || $0 == 0x0A || $0 == 0x0D }.map(\.capital)
        self.lines = head[start...].split { $0 == 0x0A || $0 == 0x0D }
    }

    var isEmpty: Bool { self.beginning.isEmpty }
    var kind: String? { Self.kinds.first { self.beginning.starts(with: $0.beginning) }?.name }

    // The first bytes of other formats. A more specific row comes before a general one.
    private static let kinds: [(beginning: [UInt8], name: String)] = [
        (Array("<!DOCTYPE HTML".utf8), "a web page; perhaps its download requires a sign-in"),
        (Array("<HTML".utf8), "a web page; perhaps its download requires a sign-in"),
        (Array("<".utf8), "XML or a web page"),
        (Array("BEGIN:VCARD".utf8), "a vCard, which contains contacts and no calendar"),
        (Array("[\"VCALENDAR\"".utf8), "jCal, the JSON form of iCalendar"),
        (Array("[".utf8), "JSON"),
        (Array("{".utf8), "JSON"),
        (Array("PK".utf8) + [3, 4], "a ZIP archive; there may be a calendar in it"),
        ([0x1F, 0x8B], "a file compressed with gzip, perhaps with a calendar"),
        (Array("%PDF".utf8), "a PDF document"),
    ]

    var wrapping: String? {
        let begin = Array("BEGIN:VCALENDAR".utf8)
        for line in self.lines {
            let text = line.drop(while: \.isFold)
            let quoted = text.drop { $0 == UInt8(ascii: ">") || $0.isFold }
            if quoted.prefix(begin.count).map(\.capital) == begin {
                if quoted.dropFirst(begin.count).first == UInt8(ascii: "\\") {
                    return "its line ends are written as \\r\\n"
                }
                if quoted.startIndex > text.startIndex { return "its lines begin with '>'" }
                if text.startIndex > line.startIndex { return "its lines are indented" }
            }
            // This is BEGIN:VCALENDAR in base64.
            if text.starts(with: "QkVHSU46VkNBTEVOREFS".utf8) { return "it is in base64" }
        }
        return nil
    }
}
