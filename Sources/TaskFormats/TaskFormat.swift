package import ICalendar
import JSON

/// A task format of another program, other than iCalendar: its name, its detection, its reader and its properties.
///
/// A new format is a file with a static member and its row in ``all``.
package struct TaskFormat: Sendable {
    /// The syntax, with the detection and the reader of the format.
    enum Content: Sendable {
        /// Detected by the ``FieldName`` forms of the first object's members.
        case json(
            detect: @Sendable (Set<String>) -> Bool,
            read: @Sendable (inout ImportedTaskBuilder, [JSONValue]) -> Void
        )
        /// Detected by the ``FieldName`` forms of the columns.
        case table(detect: @Sendable (Set<String>) -> Bool, read: @Sendable (inout ImportedTaskBuilder, Table) -> Void)
    }

    /// The name on the command line and in JSON.
    package let name: String
    let content: Content
    /// The properties that a file of the format can express; an import removes no other properties.
    package let properties: Set<Name>
    /// The relations that the format can express, by their RELTYPE.
    package let relations: Set<String>

    /// - Parameter properties: in addition to those that every format can express.
    init(_ name: String, properties: Set<Name> = [], relations: Set<String> = [], _ content: Content) {
        self.name = name
        self.content = content
        self.properties = Self.commonProperties.union(properties)
        self.relations = relations
    }

    private static let commonProperties: Set<Name> = [
        .dtstamp, .lastModified, .summary, .description, .due, .duration, .categories, .priority, .status, .completed,
    ]

    /// All formats; detection starts with the last one.
    package static let all = [json, csv, todoistCSV, todoistJSON, microsoftJSON, outlookCSV, taskwarrior]

    package init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    /// Whether it is JSON; the others are tables.
    var isJSON: Bool { if case .json = self.content { true } else { false } }

    /// The format of a table by its column names; `nil` for an unknown one.
    static func table(_ columns: [String]) -> Self? {
        let names = Set(columns.map(FieldName.normal))
        return self.all.last { if case .table(let detect, _) = $0.content { detect(names) } else { false } }
    }

    /// The format of a JSON text by the names in its first task; `nil` for an unknown one.
    static func objects(_ values: [JSONValue]) -> Self? {
        guard let task = self.firstTask(values) else { return nil }
        let names = Set(task.members.map { FieldName.normal($0.name) })
        return self.all.last { if case .json(let detect, _) = $0.content { detect(names) } else { false } }
    }

    /// The first object of a list: of the whole text, or of the member that contains the tasks in API answers.
    private static func firstTask(_ values: [JSONValue]) -> JSONObject? {
        for value in values {
            switch value {
            case .array(let elements): return elements.lazy.compactMap(\.object).first
            case .object(let object):
                let lists = ["items", "results", "value", "tasks", "reminders"].compactMap { object[$0]?.array }
                return lists.lazy.joined().compactMap(\.object).first ?? object
            default: continue
            }
        }
        return nil
    }
}

extension TaskFormat: Hashable {
    package static func == (first: Self, second: Self) -> Bool { first.name == second.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(self.name) }
}

/// Names of columns and members, normalised because programs write them in several ways.
enum FieldName {
    /// Small letters and digits only: `due_date`, `dueDate` and `Due Date` are equal; `% Complete` is `complete`.
    static func normal(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) })
    }
}
