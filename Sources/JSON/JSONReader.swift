package struct JSONError: Error, Hashable, Sendable {
    package enum Code: Sendable {
        /// One element is unreadable, but the following elements may be valid.
        case invalid, tooDeep, stringTooLong
        /// Nothing after the error can be read.
        case notJSON, truncated, tooMany
    }

    package let code: Code
    /// The line of the error, from 1.
    package let line: Int

    package init(_ code: Code, line: Int) {
        self.code = code
        self.line = line
    }

    fileprivate var isFatal: Bool {
        switch self.code {
        case .invalid, .tooDeep, .stringTooLong: false
        case .notJSON, .truncated, .tooMany: true
        }
    }
}

extension JSONValue {
    package init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        var reader = JSONReader(bytes, limits: limits)
        self = try reader.document()
    }
}

/// Parses JSON texts, with the line of each object and of each error.
package struct JSONReader {
    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var position = 0
    private var line = 1
    private var values = 0
    /// Arrays up to this depth leave out unreadable objects; a deeper array with such an object is itself unreadable.
    private var recoveryDepth = -1
    /// Whether the comma after a broken element may be missing, and whether a comma may follow the last element.
    private var isLenient: Bool { self.recoveryDepth >= 0 }
    /// Whether a search for the closing brace of a broken object has reached the end of the text.
    ///
    /// Then no more searches are made, because one search for each broken object would take quadratic time.
    private var isBeyondBalance = false
    /// The errors about omitted objects, at most ``JSONLimits/errors``.
    package private(set) var errors: [JSONError] = []
    package private(set) var skipped = 0

    package init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    package mutating func document() throws(JSONError) -> JSONValue {
        let value = try self.value(0)
        self.skipSpace()
        guard self.position == self.bytes.count else { throw self.error(.invalid) }
        return value
    }

    /// All objects and arrays up to the end of the text.
    ///
    /// The text has either one array of objects, or one object on each line. An unreadable object is left out and
    /// reported in ``errors``.
    ///
    /// - Parameter recoveryDepth: the largest depth of arrays that leave out unreadable objects.
    package mutating func sequence(recoveryDepth: Int) throws(JSONError) -> [JSONValue] {
        self.recoveryDepth = recoveryDepth
        var values: [JSONValue] = []
        while true {
            // Taskwarrior before 2.4 wrote objects with commas between them and without an array around them.
            while self.consume(",") {}
            guard self.position < self.bytes.count else { return values }
            let byte = self.bytes[self.position]
            guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { throw self.error(.notJSON) }
            if let value = try self.element(0) { values.append(value) }
            guard values.count <= self.limits.elements else { throw self.error(.tooMany) }
        }
    }

    // MARK: Recovery from errors

    /// The next element; `nil` for an unreadable object, which is skipped.
    private mutating func element(_ depth: Int) throws(JSONError) -> JSONValue? {
        self.skipSpace()
        let (start, line) = (self.position, self.line)
        do throws(JSONError) { return try self.value(depth) } catch {
            guard !error.isFatal, self.bytes[start] == UInt8(ascii: "{") else { throw error }
            if self.errors.count < self.limits.errors { self.errors.append(JSONError(error.code, line: line)) }
            self.skipped += 1
            self.position = start
            self.line = line
            try self.recover()
            return nil
        }
    }

    /// Skips a broken object up to its closing brace; without one, up to the next line that begins with `{` or `]`.
    private mutating func recover() throws(JSONError) {
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
        throw JSONError(.truncated, line: line)
    }

    /// - Returns: whether the brace at the current position has a closing brace.
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

    private mutating func value(_ depth: Int, stringBytes: Int? = nil) throws(JSONError) -> JSONValue {
        self.skipSpace()
        self.values += 1
        guard self.values <= self.limits.values else { throw self.error(.tooMany) }
        guard depth < self.limits.depth else { throw self.error(.tooDeep) }
        switch try self.next() {
        case UInt8(ascii: "{"): return .object(try self.object(depth))
        case UInt8(ascii: "["): return .array(try self.array(depth))
        case UInt8(ascii: "\""): return .string(try self.string(atMost: stringBytes ?? self.limits.stringBytes))
        default: return try self.literal()
        }
    }

    private mutating func object(_ depth: Int) throws(JSONError) -> JSONObject {
        let line = self.line
        var members: [JSONObject.Member] = []
        self.position += 1
        if self.consume("}") { return JSONObject(line: line, members: members) }
        repeat {
            self.skipSpace()
            guard try self.next() == UInt8(ascii: "\"") else { throw self.error(.invalid) }
            let name = try self.string(atMost: self.limits.stringBytes)
            guard self.consume(":") else { throw try self.unexpected() }
            self.skipSpace()
            let start = self.position
            let isLong = self.limits.longNames.contains(name)
            let value = try self.value(depth + 1, stringBytes: isLong ? self.limits.longStringBytes : nil)
            members.append(JSONObject.Member(name, value, source: start..<self.position))
        } while self.consume(",")
        guard self.consume("}") else { throw try self.unexpected() }
        return JSONObject(line: line, members: members)
    }

    private mutating func array(_ depth: Int) throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        self.position += 1
        if self.consume("]") { return elements }
        while true {
            if depth <= self.recoveryDepth {
                if let element = try self.element(depth + 1) { elements.append(element) }
            } else {
                elements.append(try self.value(depth + 1))
            }
            guard elements.count <= self.limits.elements else { throw self.error(.tooMany) }
            let hasComma = self.consume(",")
            if self.isLenient || !hasComma, self.consume("]") { return elements }
            // After a broken element, the comma before the next object may be missing.
            let next = try self.next()
            guard hasComma || self.isLenient && next == UInt8(ascii: "{") else { throw self.error(.invalid) }
        }
    }

    private mutating func literal() throws(JSONError) -> JSONValue {
        let start = self.position
        while self.position < self.bytes.count, Self.isOfWord(self.bytes[self.position]) { self.position += 1 }
        let word = self.bytes[start..<self.position]
        let text = String(decoding: word, as: UTF8.self)
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default:
            guard word.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                word.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), word.count <= Self.longestNumber
            else { throw try self.unexpected() }
            return .number(text)
        }
    }

    /// The largest number of characters in a number; supported programs write fewer.
    private static let longestNumber = 64

    private static func isOfWord(_ byte: UInt8) -> Bool { !",]}:\"{[\t\n\r ".utf8.contains(byte) }

    private mutating func string(atMost limit: Int) throws(JSONError) -> String {
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
                guard text.utf8.count <= limit else { throw self.error(.stringTooLong) }
                return text
            case UInt8(ascii: "\\"):
                if self.position > start {
                    text += String(decoding: units, as: UTF16.self)
                    text += String(decoding: self.bytes[start..<self.position], as: UTF8.self)
                    units = []
                }
                units.append(try self.escape())
                start = self.position
            // JSON does not allow a tab in a string, but some programs write one.
            case 0x09, 0x20...0xFF: self.position += 1
            default: throw self.error(.invalid)
            }
        }
    }

    private static let escapes: [UInt8: UInt16] = [0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9]  // b, f, n, r, t

    private mutating func escape() throws(JSONError) -> UInt16 {
        self.position += 1
        let byte = try self.next()
        self.position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
        case UInt8(ascii: "u"):
            let digits = self.bytes[self.position...].prefix(4)
            guard digits.count == 4, !digits.contains(UInt8(ascii: "+")), !digits.contains(UInt8(ascii: "-")),
                let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw self.error(.invalid) }
            self.position += 4
            return unit
        default:
            guard let unit = Self.escapes[byte] else { throw self.error(.invalid) }
            return unit
        }
    }

    // MARK: Bytes

    private func error(_ code: JSONError.Code) -> JSONError { JSONError(code, line: self.line) }

    private func next() throws(JSONError) -> UInt8 {
        guard self.position < self.bytes.count else { throw self.error(.truncated) }
        return self.bytes[self.position]
    }

    private func unexpected() throws(JSONError) -> JSONError {
        _ = try self.next()
        return self.error(.invalid)
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
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
