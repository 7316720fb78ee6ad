import ICalendar

/// Parses consecutive JSON texts: an array of tasks, or one object on each line.
///
/// An unreadable array element is left out and reported with its line; a truncated text is refused.
struct JSONReader {
    private let bytes: [UInt8]
    private let limits: ImportLimits
    private var position = 0
    private var line = 1
    private var values = 0
    /// Set when the search for the end of a broken element has reached the end of the file.
    ///
    /// A new search for each broken element would take quadratic time.
    private var isBeyondBalance = false
    private(set) var findings: FindingList
    /// The number of omitted elements.
    private(set) var skipped = 0

    private enum Failure: Error {
        /// The element is invalid; the following elements may be valid.
        case element(ImportIssue.Code)
        /// Nothing more can be read.
        case whole(TaskFormatError)
    }

    init(_ bytes: [UInt8], limits: ImportLimits) {
        self.bytes = bytes
        self.limits = limits
        self.findings = FindingList(limit: limits.findings)
    }

    /// All texts up to the end.
    mutating func texts() throws(TaskFormatError) -> [JSONNode] {
        var nodes: [JSONNode] = []
        do throws(Failure) {
            while true {
                // Taskwarrior before 2.4 wrote objects with commas between, and no array around.
                while self.take(",") {}
                self.skipSpace()
                guard self.position < self.bytes.count else { return nodes }
                let byte = self.bytes[self.position]
                guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
                    throw .whole(TaskFormatError(.notJSON, line: self.line))
                }
                if let node = try self.element(0) { nodes.append(node) }
                guard nodes.count <= self.limits.rows else { throw .whole(TaskFormatError(.tooMany, line: self.line)) }
            }
        } catch {
            if case .whole(let reason) = error { throw reason }
            throw TaskFormatError(.notJSON, line: self.line)
        }
    }

    // MARK: Recovery from errors

    /// A value; `nil` for an unreadable object, and then the position is after the object.
    private mutating func element(_ depth: Int) throws(Failure) -> JSONNode? {
        self.skipSpace()
        let (start, line) = (self.position, self.line)
        do throws(Failure) { return try self.value(depth) } catch {
            guard case .element(let code) = error, self.bytes[start] == UInt8(ascii: "{") else { throw error }
            self.findings.add(code, line: line)
            self.skipped += 1
            self.position = start
            self.line = line
            try self.recover()
            return nil
        }
    }

    /// Skips a broken object: to its closing brace, else to the next line that begins an object.
    private mutating func recover() throws(Failure) {
        let (start, line) = (self.position, self.line)
        if !self.isBeyondBalance {
            if self.skipBalanced() { return }
            self.isBeyondBalance = true
            self.position = start
            self.line = line
        }
        while let end = self.bytes[self.position...].firstIndex(of: 0x0A) {
            self.position = end
            self.skipSpace()
            let next = self.position < self.bytes.count ? self.bytes[self.position] : 0
            if next == UInt8(ascii: "{") || next == UInt8(ascii: "]") { return }
        }
        throw .whole(TaskFormatError(.cutShort, line: line))
    }

    /// Skips an object with balanced braces.
    ///
    /// - Returns: whether a brace closes the one at the current position.
    private mutating func skipBalanced() -> Bool {
        var depth = 0
        var isInString = false
        while self.position < self.bytes.count {
            let byte = self.bytes[self.position]
            self.position += 1
            switch byte {
            case 0x0A:
                self.line += 1
                isInString = false
            case UInt8(ascii: "\\") where isInString: self.position += 1
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
            case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
                depth -= 1
                if depth == 0 { return true }
            default: break
            }
        }
        return false
    }

    // MARK: Each method reads the rule of the same name (RFC 8259 §3 to §7)

    private mutating func value(_ depth: Int, stringBytes: Int? = nil) throws(Failure) -> JSONNode {
        self.skipSpace()
        self.values += 1
        guard self.values <= self.limits.values else { throw .whole(TaskFormatError(.tooMany, line: self.line)) }
        guard depth < self.limits.depth else { throw .element(.tooDeep) }
        switch try self.next() {
        case UInt8(ascii: "{"): return .object(try self.object(depth))
        case UInt8(ascii: "["): return .array(try self.array(depth))
        case UInt8(ascii: "\""): return .string(try self.string(atMost: stringBytes ?? self.limits.fieldBytes))
        default: return try self.literal()
        }
    }

    private mutating func object(_ depth: Int) throws(Failure) -> JSONObject {
        let line = self.line
        var members: [String: JSONNode] = [:]
        self.position += 1
        if self.take("}") { return JSONObject(line: line, members: members) }
        repeat {
            self.skipSpace()
            guard try self.next() == UInt8(ascii: "\"") else { throw .element(.badJSON) }
            let name = try self.string(atMost: self.limits.fieldBytes)
            guard self.take(":") else { throw try self.unexpected() }
            // Data from our own export may be longer than user-written text.
            let limit = name == "icalendar" ? self.limits.calendarBytes : self.limits.fieldBytes
            members[name] = try self.value(depth + 1, stringBytes: limit)
        } while self.take(",")
        guard self.take("}") else { throw try self.unexpected() }
        return JSONObject(line: line, members: members)
    }

    private mutating func array(_ depth: Int) throws(Failure) -> [JSONNode] {
        var elements: [JSONNode] = []
        self.position += 1
        if self.take("]") { return elements }
        while true {
            if depth <= Self.depthOfTasks {
                if let element = try self.element(depth + 1) { elements.append(element) }
            } else {
                elements.append(try self.value(depth + 1))
            }
            guard elements.count <= self.limits.rows else { throw .whole(TaskFormatError(.tooMany, line: self.line)) }
            let hasComma = self.take(",")
            if self.take("]") { return elements }
            // After a broken element its comma may be missing as well.
            let next = try self.next()
            guard hasComma || next == UInt8(ascii: "{") else { throw .element(.badJSON) }
        }
    }

    /// An array within lists of lists: `{"value": [{"tasks": [`.
    private static let depthOfTasks = 3

    private mutating func literal() throws(Failure) -> JSONNode {
        let start = self.position
        while self.position < self.bytes.count, Self.isOfWord(self.bytes[self.position]) { self.position += 1 }
        let word = self.bytes[start..<self.position]
        let text = String(decoding: word, as: UTF8.self)
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default:
            guard word.contains(where: \.isDecimalDigit), word.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
                word.count <= Self.longestNumber
            else { throw try self.unexpected() }
            return .number(text)
        }
    }

    /// More digits than any number in a task.
    private static let longestNumber = 64

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: "\""),
            UInt8(ascii: "{"), UInt8(ascii: "["), 0x09, 0x0A, 0x0D, 0x20:
            false
        default: true
        }
    }

    private mutating func string(atMost limit: Int) throws(Failure) -> String {
        self.position += 1
        var text = ""
        var units: [UInt16] = []
        var start = self.position
        while true {
            switch try self.next() {
            case UInt8(ascii: "\""):
                text += String(decoding: units, as: UTF16.self)
                text += String(decoding: self.bytes[start..<self.position], as: UTF8.self)
                self.position += 1
                guard text.utf8.count <= limit else { throw .element(.fieldTooLong) }
                return text
            case UInt8(ascii: "\\"):
                if self.position > start {
                    text += String(decoding: units, as: UTF16.self)
                    text += String(decoding: self.bytes[start..<self.position], as: UTF8.self)
                    units = []
                }
                units.append(try self.escape())
                start = self.position
            case 0x09, 0x20...0xFF: self.position += 1
            default: throw .element(.badJSON)
            }
        }
    }

    private mutating func escape() throws(Failure) -> UInt16 {
        self.position += 1
        let byte = try self.next()
        self.position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "u"):
            let digits = self.bytes[self.position...].prefix(4)
            guard digits.count == 4, digits.allSatisfy(\.isHexadecimalDigit),
                let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw .element(.badJSON) }
            self.position += 4
            return unit
        default: throw .element(.badJSON)
        }
    }

    // MARK: Bytes

    /// The byte at the current position.
    private func next() throws(Failure) -> UInt8 {
        guard self.position < self.bytes.count else { throw .whole(TaskFormatError(.cutShort, line: self.line)) }
        return self.bytes[self.position]
    }

    /// The error for an unexpected byte.
    private func unexpected() throws(Failure) -> Failure {
        _ = try self.next()
        return .element(.badJSON)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        self.skipSpace()
        guard self.position < self.bytes.count, self.bytes[self.position] == UInt8(ascii: character) else {
            return false
        }
        self.position += 1
        return true
    }

    private mutating func skipSpace() {
        while self.position < self.bytes.count {
            switch self.bytes[self.position] {
            case 0x0A: self.line += 1
            case 0x09, 0x0D, 0x20: break
            default: return
            }
            self.position += 1
        }
    }
}

extension UInt8 {
    /// Whether it is 0 to 9.
    var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
