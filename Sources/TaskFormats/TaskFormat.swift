package import ICalendar
import JSON

/// A file format of another program; a new format is a static member in a file of its own, and ``all`` lists it.
package struct TaskFormat: Sendable {
    /// The syntax, with the function that detects the format and the function that reads it.
    enum Content: Sendable {
        /// JSON; `detect` receives the ``FieldName`` forms of the member names in the first object.
        case json(
            detect: @Sendable (Set<String>) -> Bool,
            read: @Sendable (inout ImportedTaskBuilder, [JSONValue]) -> Void
        )
        /// A table; `detect` receives the ``FieldName`` forms of the column names.
        case table(detect: @Sendable (Set<String>) -> Bool, read: @Sendable (inout ImportedTaskBuilder, Table) -> Void)
    }

    /// The name of the format on the command line and in JSON.
    package let name: String
    let content: Content
    /// The properties that the format can express; an import removes no other properties.
    package let properties: Set<Name>
    /// The values of RELTYPE that the format can express.
    package let relations: Set<String>

    /// - Parameter properties: the properties beyond those that every format can express.
    init(_ name: String, properties: Set<Name> = [], relations: Set<String> = [], _ content: Content) {
        self.name = name
        self.content = content
        self.properties = Self.commonProperties.union(properties)
        self.relations = relations
    }

    private static let commonProperties: Set<Name> = [
        .dtstamp, .lastModified, .summary, .description, .due, .duration, .categories, .priority, .status, .completed,
    ]

    /// All formats; if several detect a file, the last one reads it.
    package static let all = [json, csv, todoistCSV, todoistJSON, microsoftJSON, outlookCSV, taskwarrior]

    package init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    var isJSON: Bool { if case .json = self.content { true } else { false } }

    /// The format of a table with these column names; `nil` if no format has them.
    static func table(_ columns: [String]) -> Self? {
        let names = Set(columns.map(FieldName.normal))
        return self.all.last { if case .table(let detect, _) = $0.content { detect(names) } else { false } }
    }

    /// The format of a JSON text, from the member names of its first task; `nil` if no format has them.
    static func objects(_ values: [JSONValue]) -> Self? {
        guard let task = self.firstTask(values) else { return nil }
        let names = Set(task.members.map { FieldName.normal($0.name) })
        return self.all.last { if case .json(let detect, _) = $0.content { detect(names) } else { false } }
    }

    /// The first object of the array that contains the tasks; the array may be a member of an API response.
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

/// Compares column and member names, which programs spell in several ways.
enum FieldName {
    /// Keeps only letters from a to z and digits: `due_date`, `dueDate` and `Due Date` are equal.
    static func normal(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) })
    }
}
