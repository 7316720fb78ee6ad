/// A JSON answer of a server (RFC 8259), reduced to the needed objects and strings.
///
/// Numbers, arrays and other values are skipped.
package indirect enum JSONText: Hashable, Sendable {
    case object([String: JSONText])
    case string(String)
    case other

    /// Deeper than any server's answer.
    private static let maximumDepth = 16

    /// Parses a whole text.
    ///
    /// - Returns: `nil` when it is not JSON, or nested deeper than 16.
    package init?(_ bytes: [UInt8]) {
        var reader = Reader(rest: bytes[...])
        guard let value = reader.value(depth: Self.maximumDepth), reader.isAtEnd else { return nil }
        self = value
    }

    /// A member of an object, with the original bytes of its value.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONText
        /// The bytes of the value, so that unknown values can be written back unchanged.
        package let source: [UInt8]
    }

    /// The members of the object that is stored under `name` in the top-level object, in order.
    ///
    /// - Returns: `nil` when the text is not JSON, is nested deeper than 16, or has no such object.
    package static func members(of name: String, in bytes: [UInt8]) -> [Member]? {
        guard case .object? = JSONText(bytes)?[name] else { return nil }
        var reader = Reader(rest: bytes[...])
        var found: [Member]?
        for member in reader.members(depth: Self.maximumDepth) ?? [] where member.name == name {
            var inner = Reader(rest: member.source[...])
            found = inner.members(depth: Self.maximumDepth - 1)
        }
        return found
    }

    /// The member of an object; `nil` when this is not an object or has no such member.
    package subscript(name: String) -> JSONText? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text of a string.
    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A parser; each method parses the rule of the same name.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        var isAtEnd: Bool {
            mutating get {
                self.skipSpace()
                return self.rest.isEmpty
            }
        }

        mutating func value(depth: Int) -> JSONText? {
            guard depth > 0 else { return nil }
            self.skipSpace()
            switch self.rest.first {
            case UInt8(ascii: "{"): return self.object(depth)
            case UInt8(ascii: "["): return self.array(depth)
            case UInt8(ascii: "\""): return self.string().map { .string($0) }
            default:
                let word = self.rest.prefix { !" \t\r\n,]}".utf8.contains($0) }
                guard Self.isLiteral(word) else { return nil }
                self.rest = self.rest[word.endIndex...]
                return .other
            }
        }

        private static func isLiteral(_ word: ArraySlice<UInt8>) -> Bool {
            let text = String(decoding: word, as: UTF8.self)
            return ["true", "false", "null"].contains(text)
                || !word.isEmpty && word.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        }

        private mutating func object(_ depth: Int) -> JSONText? {
            var members: [String: JSONText] = [:]
            let isWhole = self.forEachMember(depth) { name, value, _ in members[name] = value }
            return isWhole ? .object(members) : nil
        }

        /// The members of an object with their bytes; `nil` when this is not an object.
        mutating func members(depth: Int) -> [Member]? {
            var members: [Member] = []
            let isWhole = self.forEachMember(depth) { name, value, source in
                members.append(Member(name: name, value: value, source: Array(source)))
            }
            return isWhole ? members : nil
        }

        /// Calls a closure for each member of an object.
        ///
        /// - Returns: whether there is a complete object.
        private mutating func forEachMember(
            _ depth: Int,
            _ body: (String, JSONText, ArraySlice<UInt8>) -> Void
        ) -> Bool {
            guard self.take("{") else { return false }
            if self.take("}") { return true }
            repeat {
                self.skipSpace()
                guard let name = self.string(), self.take(":") else { return false }
                self.skipSpace()
                let start = self.rest
                guard let value = self.value(depth: depth - 1) else { return false }
                body(name, value, start[..<self.rest.startIndex])
            } while self.take(",")
            return self.take("}")
        }

        private mutating func array(_ depth: Int) -> JSONText? {
            guard self.take("[") else { return nil }
            if self.take("]") { return .other }
            repeat {
                guard self.value(depth: depth - 1) != nil else { return nil }
            } while self.take(",")
            return self.take("]") ? .other : nil
        }

        private mutating func string() -> String? {
            guard self.take("\"") else { return nil }
            var units: [UInt16] = []
            var bytes: [UInt8] = []
            var text = ""
            func flushed() -> String {
                String(decoding: bytes, as: UTF8.self) + String(decoding: units, as: UTF16.self)
            }
            while let byte = self.rest.popFirst() {
                if byte == UInt8(ascii: "\"") { return text + flushed() }
                guard byte >= 32 else { return nil }
                guard byte == UInt8(ascii: "\\") else {
                    if !units.isEmpty {
                        text += flushed()
                        (units, bytes) = ([], [])
                    }
                    bytes.append(byte)
                    continue
                }
                guard let unit = self.escape() else { return nil }
                if units.isEmpty {
                    text += flushed()
                    bytes = []
                }
                units.append(unit)
            }
            return nil
        }

        private mutating func escape() -> UInt16? {
            guard let byte = self.rest.popFirst() else { return nil }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
            case UInt8(ascii: "b"): return 8
            case UInt8(ascii: "f"): return 12
            case UInt8(ascii: "n"): return 10
            case UInt8(ascii: "r"): return 13
            case UInt8(ascii: "t"): return 9
            case UInt8(ascii: "u"):
                let digits = self.rest.prefix(4)
                self.rest = self.rest.dropFirst(4)
                guard digits.count == 4, !digits.contains(UInt8(ascii: "+")), !digits.contains(UInt8(ascii: "-")) else {
                    return nil
                }
                return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            default: return nil
            }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            if character != "\"" { self.skipSpace() }
            guard self.rest.first == UInt8(ascii: character) else { return false }
            self.rest.removeFirst()
            return true
        }

        private mutating func skipSpace() {
            self.rest = self.rest.drop { " \t\r\n".utf8.contains($0) }
        }
    }
}
