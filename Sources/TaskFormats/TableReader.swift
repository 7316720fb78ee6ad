/// A row of a table and its first line in the file.
struct TableRow: Hashable, Sendable {
    let line: Int
    let fields: [String]
    /// Whether all fields are empty or white space.
    var isBlank: Bool { self.fields.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
}

/// Reads comma separated values (RFC 4180); Excel separates with semicolons or tabs in some countries.
///
/// A line ends with CRLF, LF or CR. A quotation mark inside an unquoted field is literal.
struct TableReader {
    private let bytes: [UInt8]
    private let limits: ImportLimits
    private let separator: UInt8
    private var position = 0
    private var line = 1
    /// Whether an earlier quotation mark had no closing mark; after it, a quoted field must end on its first line.
    ///
    /// Otherwise each field might search the rest of the file for its closing mark, which would take quadratic time.
    private var isBeyondQuotes = false
    private(set) var findings: FindingList
    private(set) var skipped = 0

    init(_ bytes: [UInt8], limits: ImportLimits) {
        self.bytes = bytes
        self.limits = limits
        self.findings = FindingList(limit: limits.findings)
        self.separator = Self.separator(of: bytes)
    }

    /// The most frequent separator outside quotation marks in the first line.
    private static func separator(of bytes: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == 0x0A || byte == 0x0D { break }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let marks = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
        return marks.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? marks[0]
    }

    mutating func rows() throws(TaskFormatError) -> [TableRow] {
        var rows: [TableRow] = []
        while self.position < self.bytes.count {
            if let row = self.row(), !row.isBlank { rows.append(row) }
            guard rows.count <= self.limits.rows else { throw TaskFormatError(.tooMany, line: self.line) }
        }
        return rows
    }

    // record = field *(COMMA field)
    private mutating func row() -> TableRow? {
        let (start, line) = (self.position, self.line)
        var fields: [String] = []
        var issue: ImportIssue.Code?
        while true {
            guard let field = self.field() else {
                self.isBeyondQuotes = true
                self.position = start
                self.line = line
                self.skipLine()
                return self.leaveOut(.unclosedQuote, line)
            }
            if field.count > self.limits.fieldBytes { issue = issue ?? .fieldTooLong }
            if fields.count >= self.limits.columns { issue = issue ?? .tooManyFields }
            if issue == nil { fields.append(String(decoding: field, as: UTF8.self)) }
            guard self.position < self.bytes.count, self.bytes[self.position] == self.separator else { break }
            self.position += 1
        }
        self.skipLineEnd()
        if let issue { return self.leaveOut(issue, line) }
        return TableRow(line: line, fields: fields)
    }

    private mutating func leaveOut(_ code: ImportIssue.Code, _ line: Int) -> TableRow? {
        self.findings.add(code, line: line)
        self.skipped += 1
        return nil
    }

    // field = (escaped / non-escaped);  nil for a field without its closing quotation mark
    private mutating func field() -> [UInt8]? {
        guard self.position < self.bytes.count, self.bytes[self.position] == UInt8(ascii: "\"") else {
            return self.plain()
        }
        self.position += 1
        var field: [UInt8] = []
        while self.position < self.bytes.count {
            let byte = self.bytes[self.position]
            if byte == UInt8(ascii: "\"") {
                self.position += 1
                guard self.position < self.bytes.count, self.bytes[self.position] == byte else {
                    // Some programs do not double quotation marks in a field, so the text after this mark also belongs
                    // to the field.
                    return field + self.plain()
                }
            } else if byte == 0x0A || byte == 0x0D {
                if self.isBeyondQuotes { return nil }
                if byte == 0x0A || !self.isFollowedByLineFeed { self.line += 1 }
            }
            field.append(byte)
            self.position += 1
        }
        return nil
    }

    private mutating func plain() -> [UInt8] {
        let start = self.position
        while self.position < self.bytes.count {
            let byte = self.bytes[self.position]
            if byte == self.separator || byte == 0x0A || byte == 0x0D { break }
            self.position += 1
        }
        return Array(self.bytes[start..<self.position])
    }

    private var isFollowedByLineFeed: Bool {
        self.position + 1 < self.bytes.count && self.bytes[self.position + 1] == 0x0A
    }

    private mutating func skipLine() {
        while self.position < self.bytes.count, self.bytes[self.position] != 0x0A, self.bytes[self.position] != 0x0D {
            self.position += 1
        }
        self.skipLineEnd()
    }

    private mutating func skipLineEnd() {
        guard self.position < self.bytes.count else { return }
        if self.bytes[self.position] == 0x0D, self.isFollowedByLineFeed { self.position += 1 }
        self.position += 1
        self.line += 1
    }
}
