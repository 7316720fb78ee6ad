package protocol JSONEncodable: SendableMetatype {
    static var jsonType: JSONType { get }
    func write(to writer: inout JSONWriter)
}

/// A type that is written as a JSON object with a fixed list of keys.
package protocol JSONRecord: JSONEncodable {
    /// The keys with their values, in the order of the output; this is the only place that names the keys.
    static var jsonMembers: [JSONMember<Self>] { get }
}

package struct JSONMember<Record>: Sendable {
    package let key: String
    package let type: JSONType
    /// The quoted key, a colon and a space, as bytes; computed once for all records.
    private let prefix: [UInt8]
    private let write: @Sendable (Record, inout JSONWriter) -> Void

    package init<Value: JSONEncodable>(_ key: String, _ value: @escaping @Sendable (Record) -> Value) {
        self.init(key: key, type: Value.jsonType) { value($0).write(to: &$1) }
    }

    private init(key: String, type: JSONType, write: @escaping @Sendable (Record, inout JSONWriter) -> Void) {
        self.key = key
        self.type = type
        self.prefix = Array("\(JSONString.quoted(key)): ".utf8)
        self.write = write
    }

    /// All keys of a value inside the record, written as keys of the record itself.
    package static func all<Part: JSONRecord>(_ part: @escaping @Sendable (Record) -> Part) -> [Self] {
        Self.all(Part.jsonMembers, part)
    }

    /// Some keys of a value inside the record, written as keys of the record itself.
    package static func all<Part>(
        _ members: [JSONMember<Part>],
        _ part: @escaping @Sendable (Record) -> Part
    ) -> [Self] {
        members.map { member in
            Self(key: member.key, type: member.type) { member.write(part($0), &$1) }
        }
    }

    fileprivate func append(_ record: Record, to writer: inout JSONWriter) {
        writer.raw(self.prefix)
        self.write(record, &writer)
    }
}

/// The type of a JSON value, for documentation.
package indirect enum JSONType: Sendable {
    case boolean, number, string
    case map
    case any
    case optional(JSONType)
    case array(JSONType)
    case record(any JSONRecord.Type)

    /// The type in words, for documentation: `number or null`, `array of objects`.
    package var description: String {
        switch self {
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .map, .record: "object"
        case .any: "any value"
        case .optional(let type): "\(type.description) or null"
        case .array(let type): "array of \(type.description)s"
        }
    }

    /// The type of the object, or of the objects in the array; `nil` for other types.
    package var record: (any JSONRecord.Type)? {
        switch self {
        case .boolean, .number, .string, .map, .any: nil
        case .optional(let type), .array(let type): type.record
        case .record(let record): record
        }
    }
}

extension JSONRecord {
    package static var jsonType: JSONType { .record(self) }
    /// The keys with their types in the order of the output, for documentation.
    package static var jsonKeys: [(name: String, type: JSONType)] { self.jsonMembers.map { ($0.key, $0.type) } }

    package func write(to writer: inout JSONWriter) {
        writer.array(Self.jsonMembers, open: "{", close: "}") { $1.append(self, to: &$0) }
    }
}

extension JSONEncodable {
    package var json: [UInt8] {
        var writer = JSONWriter()
        self.write(to: &writer)
        return writer.bytes
    }
}

extension JSONWriter {
    /// A whole document on one line.
    package static func document(_ value: some JSONEncodable) -> [UInt8] {
        var writer = Self()
        value.write(to: &writer)
        writer.raw("\n")
        return writer.bytes
    }

    /// A whole document with an array, one element on each line.
    package static func document(_ elements: [some JSONEncodable]) -> [UInt8] {
        var writer = Self()
        let end = elements.isEmpty ? "" : "\n"
        writer.array(elements, open: "[\(end)", separator: ",\n", close: "\(end)]\n") { $1.write(to: &$0) }
        return writer.bytes
    }
}

extension Bool: JSONEncodable {
    package static var jsonType: JSONType { .boolean }
    package func write(to writer: inout JSONWriter) { writer.raw(self ? "true" : "false") }
}

extension String: JSONEncodable {
    package static var jsonType: JSONType { .string }
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Int: JSONEncodable {
    package static var jsonType: JSONType { .number }
    package func write(to writer: inout JSONWriter) { writer.raw(String(self)) }
}

extension Int64: JSONEncodable {
    package static var jsonType: JSONType { .number }
    package func write(to writer: inout JSONWriter) { writer.raw(String(self)) }
}

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
    package static var jsonType: JSONType { .optional(Wrapped.jsonType) }
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.raw("null") }
    }
}

extension Array: JSONEncodable where Element: JSONEncodable {
    package static var jsonType: JSONType { .array(Element.jsonType) }
    package func write(to writer: inout JSONWriter) { writer.array(self) { $1.write(to: &$0) } }
}

extension JSONValue: JSONEncodable {
    package static var jsonType: JSONType { .any }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.raw("null")
        case .bool(let value): value.write(to: &writer)
        case .number(let text): writer.raw(text)
        case .string(let text): writer.string(text)
        case .array(let elements): elements.write(to: &writer)
        case .object(let object): object.write(to: &writer)
        }
    }
}

extension JSONObject: JSONEncodable {
    package static var jsonType: JSONType { .map }

    package func write(to writer: inout JSONWriter) {
        writer.array(self.members, open: "{", close: "}") { writer, member in
            writer.string(member.name)
            writer.raw(": ")
            member.value.write(to: &writer)
        }
    }
}
