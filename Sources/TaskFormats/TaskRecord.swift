import ICalendar
import JSON
import Reminders

/// A task as its program wrote it, kept in the property X-REMINDAV-RECORD so that an export can write it again.
///
/// The value of the property is a JSON object: the name of the format, the JSON objects or table rows of the task, and a
/// digest of each property that the import wrote. A property with another digest was edited since the import.
struct TaskRecord: Hashable, Sendable {
    let format: String
    /// The objects or rows in the order of the file; the members of a row are the columns with a value.
    var objects: [JSONObject]
    /// The digests by the names of the properties; a property that the import did not write is missing.
    private let state: [String: String]

    /// The record of a new reminder, whose properties are those of the task.
    init(_ objects: [JSONObject], of task: ImportedTask, _ format: TaskFormat) {
        self.format = format.name
        self.objects = objects
        // Only DTSTAMP depends on the time, and it has no digest.
        let lines = Dictionary(grouping: task.properties(now: Instant(secondsSince1970: 0)), by: \.name)
        var state: [String: String] = [:]
        for name in Self.names {
            state[name.canonical] = Self.digest(
                (lines[name] ?? []).map { line in
                    Self.text(line.value) { name in line.parameters.first { $0.name == name }?.values.first }
                }
            )
        }
        let triggers = task.alarmLines.map { lines in lines.first { $0.name == .trigger }?.value ?? "" }
        state[Name.valarm.canonical] = Self.digest(triggers)
        self.state = state
    }

    /// The record of a reminder; `nil` without a readable record of this format.
    init?(of todo: Component, _ format: TaskFormat) {
        guard let text = todo.first(Self.property)?.text,
            let value = try? JSONValue(parsing: Array(text.utf8), limits: Self.limits),
            value["format"]?.string == format.name,
            let objects = value["tasks"]?.array?.compactMap({ $0.object?.sorted }), !objects.isEmpty,
            let state = value["state"]?.object
        else { return nil }
        self.format = format.name
        self.objects = objects
        self.state = Dictionary(
            state.members.map { ($0.name, $0.value.string ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The member of an object with the UID of a reminder that did not come from its program.
    static let uidMember = "remindavuid"

    static let property = Name("X-REMINDAV-RECORD") ?? .comment

    /// The limits of an imported file, with two more levels for the record itself.
    private static let limits: JSONLimits = {
        var limits = ImportLimits.standard.json
        limits.depth += 2
        return limits
    }()

    var line: ContentLine {
        let state = self.state.map { JSONObject.Member($0.key, .string($0.value)) }
        let value: JSONValue = [
            "format": .string(self.format), "state": .object(JSONObject(members: state)),
            "tasks": .array(self.objects.map { .object($0) }),
        ]
        return ContentLine(Self.property, text: value.text)
    }

    /// Whether one of these properties has another value than after the import.
    func isEdited(_ names: [Name], in todo: Component) -> Bool {
        names.contains { self.state[$0.canonical] != Self.digest($0, of: todo) }
    }

    /// The properties with a digest.
    private static let names = ImportedTask.names.filter { $0 != .dtstamp } + [.relatedTo]

    private static func digest(_ name: Name, of todo: Component) -> String? {
        self.digest(
            name == .valarm
                ? todo.components(.valarm).map { $0.first(.trigger)?.value ?? "" }
                : todo.all(name).map { self.text($0.value, $0.parameter(_:)) }
        )
    }

    /// The value with the parameters that change its meaning.
    private static func text(_ value: String, _ parameter: (Name) -> String?) -> String {
        "\(parameter(.tzid) ?? "");\(parameter(.reltype) ?? ""):\(value)"
    }

    /// A short text that differs for different values; `nil` if there are none.
    ///
    /// It is an FNV-1a hash of 32 bits, because only two values of one property are compared.
    private static func digest(_ values: [String]) -> String? {
        if values.isEmpty { return nil }
        let hash = values.joined(separator: "\n").utf8.reduce(UInt32(2_166_136_261)) { hash, byte in
            (hash ^ UInt32(byte)) &* 16_777_619
        }
        return String(hash, radix: 16)
    }
}

extension JSONObject {
    /// The object with another value of the member; `nil` removes the member.
    func setting(_ name: String, to value: JSONValue?) -> Self {
        guard let value else { return JSONObject(line: self.line, members: self.members.filter { $0.name != name }) }
        var members = self.members
        if let place = members.lastIndex(where: { $0.name == name }) {
            members[place] = Member(name, value)
        } else {
            members.append(Member(name, value))
        }
        return JSONObject(line: self.line, members: members)
    }

    /// The object with its members in the order of their names.
    var sorted: Self { JSONObject(line: self.line, members: self.sortedMembers.map { Member($0.name, $0.value) }) }

    func removing(_ names: Set<String>) -> Self {
        JSONObject(line: self.line, members: self.members.filter { !names.contains($0.name) })
    }
}
