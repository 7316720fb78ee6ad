package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number as it was written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
    package static func integer(_ number: some BinaryInteger) -> Self { .number(String(number)) }
    /// The member with this name; `nil` if it is missing or the value is no object.
    package subscript(name: String) -> JSONValue? { self.object?[name] }
    package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    package var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// A string, a number or a boolean as text; `nil` for other values.
    package var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The value as JSON without spaces and with sorted members, to store unknown data.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool, .number: self.scalar ?? ""
        case .string(let text): JSONString.quoted(text)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let object):
            "{"
                + object.sortedMembers.map { "\(JSONString.quoted($0.name)):\($0.value.text)" }.joined(separator: ",")
                + "}"
        }
    }
}

package struct JSONObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONValue
        /// The position of the value in the parsed bytes, used to write the value unchanged; empty for a new value.
        package let source: Range<Int>

        package init(_ name: String, _ value: JSONValue, source: Range<Int> = 0..<0) {
            self.name = name
            self.value = value
            self.source = source
        }
    }

    /// The line on which the object begins, counted from 1; 0 for a new object.
    package let line: Int
    package let members: [Member]

    package init(line: Int = 0, members: [Member]) {
        self.line = line
        self.members = members
    }

    package subscript(name: String) -> JSONValue? { self.members.last { $0.name == name }?.value }

    /// The members sorted by name; of members with the same name, only the last one is included.
    package var sortedMembers: [(name: String, value: JSONValue)] {
        Dictionary(self.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            .map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(members: elements.map { JSONObject.Member($0.0, $0.1) }))
    }
}
