/// Finds the content lines in bytes (RFC 5545 §3.1).
///
/// A line ends with CRLF or LF, or with CR alone if the beginning of the stream has no LF (Lotus Notes).
struct LineScanner {
    let table = NameTable.standard
    let limits: ParseLimits
    let lineFeed: UInt8
    var position: Int
    var number: Int
    private(set) var issues: [ParseIssue] = []
    private var failure: ParseIssue?

    init(_ bytes: Span<UInt8>, limits: ParseLimits, firstLine: Int) {
        self.limits = limits
        self.lineFeed = bytes.lineFeed(known: 0, isWhole: true) ?? 0x0A
        self.position = bytes.startsWithByteOrderMark ? 3 : 0
        self.number = firstLine
    }

    @inline(__always)
    mutating func next(_ source: [UInt8], _ bytes: Span<UInt8>) -> LineRecord {
        let start = self.position
        var record = LineRecord()
        record.start = UInt32(truncatingIfNeeded: start)
        record.number = UInt32(clamping: self.number)
        let head = Self.head(bytes, start, self.lineFeed, self.table)
        let firstEnd = bytes.lineEnd(from: start &+ (head?.value ?? 0), self.lineFeed)
        var next = firstEnd
        self.number &+= 1
        // A blank line is never continued: the next line is separate, even if it begins with a space.
        if next < bytes.count, bytes[next].isFold, head != nil || bytes.trimmingLineEnd(start..<next) > start {
            record.flags = .isFolded
            next = self.endOfFolded(bytes, next)
        }
        self.position = next
        if let head, next &- start <= self.limits.lineBytes {
            record.set(head)
        } else if record.flags.contains(.isFolded) || bytes.trimmingLineEnd(start..<next) > start {
            // A blank line is not parsed, so a file of blank lines costs only one test for each byte.
            self.readSlowly(&record, source.unfolded(start..<next, self.lineFeed))
        }
        if record.flags.contains(.hasParameters), record.kind == .property {
            self.goOnSoftly(&record, source, bytes, firstEnd)
        }
        return record
    }

    private mutating func endOfFolded(_ bytes: Span<UInt8>, _ end: Int) -> Int {
        var next = end
        while next < bytes.count, bytes[next].isFold {
            next = bytes.lineEnd(from: next &+ 1, self.lineFeed)
            self.number &+= 1
        }
        return next
    }

    @inline(never)
    private mutating func readSlowly(_ record: inout LineRecord, _ content: [UInt8]) {
        guard !content.isEmpty else { return }
        guard content.count <= self.limits.lineBytes else { return self.reject(&record, .lineTooLong) }
        let span = content.span
        guard let head = Self.head(span, 0, self.lineFeed, self.table) else {
            return self.reject(&record, Self.failure(span))
        }
        record.set(head)
    }

    /// The name and the offset of the value; `nil` if the physical line at `start` does not contain both.
    // contentline   = name *(";" param ) ":" value CRLF
    @inline(__always)
    static func head(_ bytes: Span<UInt8>, _ start: Int, _ lineFeed: UInt8, _ table: NameTable) -> LineRecord.Head? {
        var written = NameTableWords()
        Self.readName(bytes, start, &written)
        var end = start &+ written.length
        var head = LineRecord.Head()
        let capitals = written.capitals
        head.name = table.number(capitals)
        if head.name == NameTable.unknown {
            // The name is not in the table, so it may have any length, and its characters are not validated yet.
            end = start
            while end < bytes.count, bytes[end].isNameCharacter { end &+= 1 }
            guard end > start, end &- start <= Int(UInt16.max) else { return nil }
        } else if capitals == written {
            head.flags = .isUsualSpelling
        }
        guard end < bytes.count else { return nil }
        if bytes[end] == UInt8(ascii: ";") {
            guard let colon = Self.colon(bytes, end, lineFeed) else { return nil }
            head.flags.insert(.hasParameters)
            end = colon
        }
        guard bytes[end] == UInt8(ascii: ":") else { return nil }
        head.value = end &+ 1 &- start
        return head
    }

    /// Reads the name before the first `:` or `;`; if the name is too long for the table, `words` are empty.
    @inline(__always)
    private static func readName(_ bytes: Span<UInt8>, _ start: Int, _ words: inout NameTableWords) {
        var length = 0
        while length < NameTable.maximumLength {
            let word = bytes.word(at: start &+ length)
            let marks = word.colonsAndSemicolons
            let part = marks == 0 ? word : word.prefix(marks.trailingZeroBitCount &>> 3)
            switch length {
            case 0: words.first = part
            case 8: words.second = part
            case 16: words.third = part
            default: words.fourth = part
            }
            if marks != 0 {
                words.length = length &+ marks.trailingZeroBitCount &>> 3
                return
            }
            length &+= 8
        }
        if start &+ length < bytes.count, bytes[start &+ length].isAfterName {
            words.length = length
        } else {
            words = NameTableWords()
        }
    }

    /// The position of the first colon outside quotes; `nil` if the line has none.
    private static func colon(_ bytes: Span<UInt8>, _ start: Int, _ lineFeed: UInt8) -> Int? {
        var isQuoted = false
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ":") where !isQuoted: return position
            case lineFeed: return nil
            default: break
            }
            position &+= 1
        }
        return nil
    }

    private static func failure(_ bytes: Span<UInt8>) -> ParseIssue.Code {
        var end = 0
        while end < bytes.count, bytes[end].isNameCharacter { end += 1 }
        guard end > 0, end <= Int(UInt16.max) else { return .badName }
        guard end < bytes.count else { return .missingColon }
        guard bytes[end].isAfterName else {
            return bytes.firstPosition(of: UInt8(ascii: ":"), from: end) < bytes.count ? .badName : .missingColon
        }
        var quotes = 0
        for position in end..<bytes.count where bytes[position] == UInt8(ascii: "\"") { quotes += 1 }
        return quotes % 2 == 1 ? .unclosedQuote : .missingColon
    }

    /// Removes the issue that this line has no colon or a bad name; returns whether the line has such a fault.
    mutating func forgiveLast(_ record: LineRecord) -> Bool {
        guard let failure = self.failure, failure.line == Int(record.number),
            failure.code == .missingColon || failure.code == .badName
        else { return false }
        if self.issues.last == failure { self.issues.removeLast() }
        return true
    }

    private mutating func reject(_ record: inout LineRecord, _ code: ParseIssue.Code) {
        record.kind = .bad
        let failure = ParseIssue(code, line: Int(record.number))
        self.failure = failure
        if self.issues.count < self.limits.issues { self.issues.append(failure) }
    }
}

extension UInt8 {
    fileprivate var isAfterName: Bool { self == UInt8(ascii: ":") || self == UInt8(ascii: ";") }
}
