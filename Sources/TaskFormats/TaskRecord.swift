package import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// A task as its program wrote it, kept in the property X-REMINDAV-RECORD so that an export can write it again.
///
/// The value of the property is a JSON object: the name of the format, the JSON objects or table rows of the task, the
/// list at the import, and a digest of each property that the import wrote. A property with another digest was edited
/// since the import.
package struct TaskRecord: Hashable, Sendable {
    let format: String
    /// The objects or rows in the order of the file; the members of a row are the columns with a value.
    var objects: [JSONObject]
    /// The name of the reminder's list at the import; `nil` if it is unknown.
    package let list: String?
    /// The digests by the names of the properties; a property that the import did not write is missing.
    ///
    /// LAST-MODIFIED has its value, and CATEGORIES a digest for each label.
    private let state: [String: String]

    /// The record of a new reminder, whose properties are those of the task.
    init(_ objects: [JSONObject], of task: ImportedTask, _ format: TaskFormat, list: String? = nil) {
        self.format = format.name
        self.objects = objects
        self.list = list
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
        state[Name.lastModified.canonical] = task.updatedAt?.wire
        state[Name.categories.canonical] = Self.digest(labels: task.labels)
        let triggers = task.alarmLines.map { lines in lines.first { $0.name == .trigger }?.value ?? "" }
        state[Name.valarm.canonical] = Self.digest(triggers)
        self.state = state
    }

    /// The record of a reminder; `nil` without a readable record of this format.
    package init?(of todo: Component, _ format: TaskFormat) {
        guard let text = todo.first(Self.property)?.text,
            let value = try? JSONValue(parsing: Array(text.utf8), limits: Self.limits),
            value["format"]?.string == format.name,
            let objects = value["tasks"]?.array?.compactMap({ $0.object?.sorted }), !objects.isEmpty,
            let state = value["state"]?.object
        else { return nil }
        self.format = format.name
        self.objects = objects
        self.list = value["list"]?.string
        self.state = Dictionary(
            state.members.map { ($0.name, $0.value.string ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The state of a reminder at its export, without objects.
    ///
    /// - Parameter text: the text of ``baseText``.
    init?(base text: String, _ format: TaskFormat) {
        let parts = text.split(separator: ";", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let pairs = parts[0].split(separator: ",").map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        guard pairs.allSatisfy({ $0.count == 2 }) else { return nil }
        self.format = format.name
        self.objects = []
        self.list = parts[1]
        self.state = Dictionary(pairs.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }

    /// The state and the list as a text, which another program keeps as a field of the task.
    var baseText: String {
        let state = self.state.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
        return "\(state);\(self.list ?? "")"
    }

    /// The member of an object with the UID of a reminder that did not come from its program.
    static let uidMember = "remindavuid"
    /// The member with the state of the reminder at its export, which is the base of a merge.
    static let baseMember = "remindavbase"
    /// The members with a rule that Taskwarrior cannot express, and with the word for a rule that counts from the
    /// completion.
    static let repeatMember = "remindavrepeat"
    static let repeatFromMember = "remindavrepeatfrom"
    /// The member with the times of the annotations that have no date in the notes.
    static let undatedMember = "remindavundated"
    /// The member with the UID of the parent.
    static let parentMember = "remindavparent"

    /// The property of a reminder that contains its record.
    package static let propertyName = "X-REMINDAV-RECORD"
    static let property = Name(propertyName) ?? .comment

    /// The limits of an imported file, with two more levels for the record itself.
    private static let limits: JSONLimits = {
        var limits = ImportLimits.standard.json
        limits.depth += 2
        return limits
    }()

    var line: ContentLine {
        let state = self.state.map { JSONObject.Member($0.key, .string($0.value)) }
        let value: JSONValue = [
            "format": .string(self.format), "list": self.list.map { .string($0) } ?? .null,
            "state": .object(JSONObject(members: state)), "tasks": .array(self.objects.map { .object($0) }),
        ]
        return ContentLine(Self.property, text: value.text)
    }

    /// The time of the last change in the file of the import; `nil` if the file did not state it.
    ///
    /// A record of an older version has a digest of the time, so the tasks of Taskwarrior give it.
    package var updatedAt: Instant? {
        self.state[Name.lastModified.canonical].flatMap { Instant(wire: $0) }
            ?? self.objects.compactMap { $0["modified"]?.scalar.flatMap { Instant(wire: $0) } }.max()
    }

    /// The digests of the labels.
    var labels: Set<String> {
        Set(self.state[Name.categories.canonical]?.split(separator: " ").map(String.init) ?? [])
    }

    /// The digests of the properties after the import.
    ///
    /// A start at the due time is no start of its own, because each repeating task has it.
    func digests(_ names: [Name]) -> [String?] {
        names.map { name in
            let digest = self.state[name.canonical]
            return name == .dtstart && digest == self.state[Name.due.canonical] ? nil : digest
        }
    }

    /// The digests of the properties of a reminder, in the form of ``digests(_:)``.
    static func digests(_ names: [Name], of todo: Component, _ format: TaskFormat) -> [String?] {
        names.map { name in
            if name == .relatedTo { return self.digest(relationsOf: todo, format) }
            let digest = self.digest(name, of: todo)
            return name == .dtstart && digest == self.digest(.due, of: todo) ? nil : digest
        }
    }

    /// Whether one of these properties has another value than after the import.
    func isEdited(_ names: [Name], in todo: Component) -> Bool {
        names.contains { self.state[$0.canonical] != Self.digest($0, of: todo) }
    }

    /// The properties with a digest.
    private static let names = ImportedTask.names.filter { $0 != .dtstamp } + [.relatedTo]

    private static func digest(_ name: Name, of todo: Component) -> String? {
        switch name {
        case .lastModified: todo.first(name)?.value
        case .categories: self.digest(labels: todo.all(name).flatMap { TextValue.split($0.value) })
        case .valarm: self.digest(todo.ownAlarms.map { $0.first(.trigger)?.value ?? "" })
        default: self.digest(todo.all(name).map { self.text($0.value, $0.parameter(_:)) })
        }
    }

    /// The digest of those relations that the format can express.
    private static func digest(relationsOf todo: Component, _ format: TaskFormat) -> String? {
        let relations = todo.all(.relatedTo).filter {
            format.relations.contains($0.parameter(.reltype)?.uppercased() ?? "PARENT")
        }
        return self.digest(relations.map { self.text($0.value, $0.parameter(_:)) })
    }

    /// The digests of the labels in the order of their texts, because the order of labels has no meaning.
    private static func digest(labels: [String]) -> String? {
        labels.isEmpty ? nil : labels.map(self.digest(label:)).sorted().joined(separator: " ")
    }

    static func digest(label: String) -> String { self.digest([label]) ?? "" }

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

extension Component {
    /// The alarms without those of a snooze (RFC 9074 §7.2).
    package var ownAlarms: [Component] {
        self.components(.valarm).filter { alarm in
            !alarm.all(.relatedTo).contains { $0.parameter(.reltype)?.uppercased() == "SNOOZE" }
        }
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
