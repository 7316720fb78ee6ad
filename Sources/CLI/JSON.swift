import JSON

/// A JSON value (RFC 8259) whose members keep the order in which they were given.
enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSON])
    case object([Member])

    struct Member: Hashable, Sendable {
        let name: String
        let value: JSON
    }

    /// A string, or null.
    static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    /// A number, or null.
    static func optional(number: Int64?) -> JSON { number.map { .integer($0) } ?? .null }

    static func integer(_ number: Int) -> JSON { .integer(Int64(number)) }

    static func strings(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }

    /// The object with the members of another one behind its own.
    func with(_ more: JSON) -> JSON {
        guard case .object(let members) = self, case .object(let others) = more else {
            preconditionFailure("only objects have members")
        }
        return .object(members + others)
    }

    /// The bytes of a whole document: an array at the top has one element per line, all else is on one line.
    func document() -> [UInt8] {
        var bytes: [UInt8] = []
        if case .array(let elements) = self, !elements.isEmpty {
            bytes += "[\n".utf8
            for (index, element) in elements.enumerated() {
                element.append(to: &bytes)
                bytes += (index == elements.count - 1 ? "\n" : ",\n").utf8
            }
            bytes += "]".utf8
        } else {
            self.append(to: &bytes)
        }
        bytes += "\n".utf8
        return bytes
    }

    /// The bytes of a part of a document, on one line.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        self.append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .string(let text): JSONString.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes += ", ".utf8 }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes += ", ".utf8 }
                JSONString.append(member.name, to: &bytes)
                bytes += ": ".utf8
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension JSON: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
