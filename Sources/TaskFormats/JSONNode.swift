import ICalendar

/// A JSON value of another program (RFC 8259).
enum JSONNode: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The unchanged text.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object(JSONObject)

    /// The object; `nil` for any other value.
    var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// The elements; `nil` for any other value.
    var array: [JSONNode]? { if case .array(let elements) = self { elements } else { nil } }

    /// A string, a number or a truth value as text; `nil` for the others.
    var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The value on one line, with sorted members, to preserve unknown data.
    var text: String {
        switch self {
        case .null: "null"
        case .bool, .number: self.scalar ?? ""
        case .string(let text): JSONString.quoted(text)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let object):
            "{"
                + object.members.sorted { $0.key < $1.key }.map { "\(JSONString.quoted($0.key)):\($0.value.text)" }
                .joined(separator: ",") + "}"
        }
    }
}

/// An object and the line on which it begins.
struct JSONObject: Hashable, Sendable {
    let line: Int
    /// The last one of members with the same name.
    let members: [String: JSONNode]

    subscript(name: String) -> JSONNode? { self.members[name] }
}
