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
        let document = ICalendarDocument(task.bytes(now: Instant(secondsSince1970: 0)))
        self.state = document.components.first.map(Self.state) ?? [:]
    }

    /// The record of a reminder; `nil` without a readable record of this format.
    init?(of todo: Component, _ format: TaskFormat) {
        guard let text = todo.first(Self.property)?.text,
            let value = try? JSONValue(parsing: Array(text.utf8), limits: Self.limits),
            value["format"]?.string == format.name,
            let objects = value["tasks"]?.array?.compactMap(\.object), !objects.isEmpty,
            let state = value["state"]?.object
        else { return nil }
        self.format = format.name
        self.objects = objects
        self.state = Dictionary(
            state.members.map { ($0.name, $0.value.string ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
    }

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

    private static let names = ImportedTask.names.filter { $0 != .dtstamp } + [.relatedTo, .valarm]

    private static func state(of todo: Component) -> [String: String] {
        var state: [String: String] = [:]
        for name in self.names { state[name.canonical] = self.digest(name, of: todo) }
        return state
    }

    /// A short text that differs for different values; `nil` if the to-do has no such property.
    private static func digest(_ name: Name, of todo: Component) -> String? {
        let values =
            name == .valarm
            ? todo.components(.valarm).map { $0.first(.trigger)?.value ?? "" }
            : todo.all(name).map { "\($0.parameter(.tzid) ?? "");\($0.parameter(.reltype) ?? ""):\($0.value)" }
        return values.isEmpty ? nil : String(NameUUID.make(values.joined(separator: "\n")).prefix(self.digestLength))
    }

    /// The number of characters of a digest; 32 bits, because only two values of one property are compared.
    private static let digestLength = 8
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
