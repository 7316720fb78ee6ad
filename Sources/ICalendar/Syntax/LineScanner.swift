/// Where one content line lies in the bytes.
///
/// A folded line is copied once, unfolded, to a side buffer; every other is read where it stands.
struct LineRecord: Sendable {
    enum Kind: UInt8 { case property, begin, end, blank, bad }

    /// The physical bytes, folds and line end included: `start ..< end`.
    var start: UInt32 = 0
    var end: UInt32 = 0
    /// The unfolded bytes, in the source or in the side buffer.
    var content: UInt32 = 0
    var contentLength: UInt32 = 0
    /// Where the value begins, counted from `content`.
    var value: UInt32 = 0
    /// The first physical line, from 1.
    var number: UInt32 = 0
    /// The component that a BEGIN opens.
    var component: UInt32 = 0
    var nameLength: UInt16 = 0
    var isUnfolded = false
    var kind = Kind.blank
    var key = NameKey().bits
}

/// Bytes → content lines (RFC 5545 §3.1).
///
/// Lines end with CRLF or LF, mixed as they come; with CR alone where the stream has no LF at all (Lotus Notes). Folds
/// are healed on bytes, so that one inside a UTF-8 letter does no harm.
struct LineScanner {
    private(set) var lines: [LineRecord] = []
    /// The unfolded content of the folded lines.
    private(set) var unfolded: [UInt8] = []
    private(set) var issues: [ParseIssue] = []
    private let limits: ParseLimits
    private let firstLine: Int

    init(limits: ParseLimits, firstLine: Int) {
        self.limits = limits
        self.firstLine = firstLine
    }

    /// The lines, which are no longer kept here.
    mutating func takeLines() -> [LineRecord] {
        defer { self.lines = [] }
        return self.lines
    }

    mutating func scan(_ source: [UInt8]) {
        let bytes = source.span
        let lineFeed = bytes.contains(0x0A, from: 0) ? UInt8(0x0A) : 0x0D
        self.lines.reserveCapacity(bytes.count / 32)
        var position = bytes.startsWithByteOrderMark ? 3 : 0
        var number = self.firstLine
        while position < bytes.count {
            var record = LineRecord()
            record.start = UInt32(truncatingIfNeeded: position)
            record.number = UInt32(truncatingIfNeeded: number)
            position = self.measure(&record, in: bytes, lineFeed: lineFeed, number: &number)
            self.classify(&record, in: bytes)
            self.lines.append(record)
        }
    }

    /// Finds the end of a logical line and its unfolded content.
    ///
    /// - Returns: the position after the line.
    private mutating func measure(
        _ record: inout LineRecord,
        in bytes: Span<UInt8>,
        lineFeed: UInt8,
        number: inout Int
    ) -> Int {
        var start = Int(record.start)
        var next = bytes.lineEnd(from: start, lineFeed)
        var contentEnd = bytes.trimmingLineEnd(start..<next)
        number += 1
        record.content = record.start
        // A blank line is never continued: what follows it is a line of its own, however it begins.
        while next < bytes.count, contentEnd > start || record.isUnfolded, bytes[next].isFold {
            if !record.isUnfolded {
                record.isUnfolded = true
                record.content = UInt32(truncatingIfNeeded: self.unfolded.count)
                self.unfolded.append(from: bytes, start..<contentEnd)
            }
            start = next + 1
            next = bytes.lineEnd(from: start, lineFeed)
            contentEnd = bytes.trimmingLineEnd(start..<next)
            self.unfolded.append(from: bytes, start..<contentEnd)
            number += 1
        }
        record.end = UInt32(truncatingIfNeeded: next)
        let length = record.isUnfolded ? self.unfolded.count - Int(record.content) : contentEnd - start
        record.contentLength = UInt32(truncatingIfNeeded: length)
        return next
    }

    private mutating func classify(_ record: inout LineRecord, in bytes: Span<UInt8>) {
        guard record.contentLength > 0 else { return }
        guard record.contentLength <= self.limits.lineBytes else { return self.reject(&record, .lineTooLong) }
        let failure =
            if record.isUnfolded {
                Self.split(&record, self.unfolded.span)
            } else {
                Self.split(&record, bytes)
            }
        if let failure { self.reject(&record, failure) }
    }

    /// Finds the name and where the value begins.
    ///
    /// - Returns: why the line is none, or `nil`.
    // contentline   = name *(";" param ) ":" value CRLF
    private static func split(_ record: inout LineRecord, _ bytes: Span<UInt8>) -> ParseIssue.Code? {
        let start = Int(record.content)
        let end = start + Int(record.contentLength)
        var position = start
        var key = NameKey()
        while position < end, bytes[position].isNameCharacter {
            key.append(bytes[position])
            position += 1
        }
        let nameLength = position - start
        guard nameLength > 0, nameLength <= Int(UInt16.max) else { return .badName }
        guard position < end else { return .missingColon }
        guard bytes[position] == UInt8(ascii: ":") || bytes[position] == UInt8(ascii: ";") else {
            return bytes.contains(UInt8(ascii: ":"), from: position, to: end) ? .badName : .missingColon
        }
        record.nameLength = UInt16(nameLength)
        record.key = key.bits
        record.kind = Name.begin.key.bits == key.bits ? .begin : Name.end.key.bits == key.bits ? .end : .property
        var isQuoted = false
        while position < end {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ":"), !isQuoted {
                record.value = UInt32(truncatingIfNeeded: position + 1 - start)
                return nil
            }
            position += 1
        }
        return isQuoted ? .unclosedQuote : .missingColon
    }

    private mutating func reject(_ record: inout LineRecord, _ code: ParseIssue.Code) {
        record.kind = .bad
        guard self.issues.count < self.limits.issues else { return }
        self.issues.append(ParseIssue(code, line: Int(record.number)))
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

    /// Whether `byte` stands anywhere in `start ..< end`.
    func contains(_ byte: UInt8, from start: Int, to end: Int? = nil) -> Bool {
        var position = start
        let end = end ?? self.count
        while position < end {
            if self[position] == byte { return true }
            position += 1
        }
        return false
    }

    /// The position after the line feed that ends the line at `start`, or the end.
    func lineEnd(from start: Int, _ lineFeed: UInt8) -> Int {
        var position = start
        while position < self.count {
            if self[position] == lineFeed { return position + 1 }
            position += 1
        }
        return position
    }

    /// The end of the content of a physical line: without its LF, CRLF or CR.
    func trimmingLineEnd(_ line: Range<Int>) -> Int {
        var end = line.upperBound
        if end > line.lowerBound, self[end - 1] == 0x0A { end -= 1 }
        if end > line.lowerBound, self[end - 1] == 0x0D { end -= 1 }
        return end
    }
}

extension [UInt8] {
    /// Appends a part of a span.
    mutating func append(from bytes: Span<UInt8>, _ range: Range<Int>) {
        for position in range { self.append(bytes[position]) }
    }
}
