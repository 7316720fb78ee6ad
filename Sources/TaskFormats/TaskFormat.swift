package import RemindavICalendar
import RemindavJSON

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
        /// A text with one task per line.
        case lines(
            detect: @Sendable (FileBeginning) -> Bool,
            read: @Sendable (inout ImportedTaskBuilder, [TextLine]) -> Void
        )
    }

    /// The name of the format on the command line and in JSON.
    package let name: String
    let content: Content
    /// The properties that the format can express; an import removes no other properties.
    package let properties: Set<Name>
    /// The values of RELTYPE that the format can express.
    package let relations: Set<String>
    /// The date phrases in the objects of a record; the dates that they mean depend on the day of the import.
    let phrases: @Sendable ([JSONObject]) -> [String]

    /// - Parameter properties: the properties beyond those that every format can express.
    init(
        _ name: String,
        properties: Set<Name> = [],
        relations: Set<String> = [],
        phrases: @escaping @Sendable ([JSONObject]) -> [String] = { _ in [] },
        _ content: Content
    ) {
        self.name = name
        self.phrases = phrases
        self.content = content
        self.properties = Self.commonProperties.union(properties)
        self.relations = relations
    }

    private static let commonProperties: Set<Name> = [
        .dtstamp, .lastModified, .summary, .description, .due, .duration, .categories, .priority, .status, .completed,
    ]

    /// All formats; if several detect a file, the last one reads it.
    package static let all = [
        json, csv, namedColumns, todoistCSV, todoistJSON, microsoftJSON, googleJSON, outlookCSV, taskwarrior, todoTxt,
    ]

    /// The extensions of the files that may have a format in ``all`` or be iCalendar, in lower case and without the dot.
    package static let suffixes = ["csv", "tsv", "json", "ics", "txt"]

    package init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    var isJSON: Bool { if case .json = self.content { true } else { false } }

    /// The format of a text with one task per line; `nil` if no format has such lines.
    static func lines(_ beginning: FileBeginning) -> Self? {
        self.all.last { if case .lines(let detect, _) = $0.content { detect(beginning) } else { false } }
    }

    /// The format of a table with these column names; `nil` if no format has them.
    static func table(_ columns: [String]) -> Self? {
        let names = Set(columns.map(FieldName.normal))
        let formats = self.all.filter { if case .table(let detect, _) = $0.content { detect(names) } else { false } }
        // The columns of a program's own format are also known columns of any table.
        return formats.last { $0 != .namedColumns } ?? formats.last
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

/// A line of a text, without its line end; the first line has the number 1.
struct TextLine: Hashable, Sendable {
    let line: Int
    let text: String
}

/// The data of a file from which its format is detected.
struct FileBeginning: Sendable {
    /// The last part of the path; `nil` if the source has no name.
    let name: String?
    /// The first lines that are not blank.
    let lines: [Substring]

    /// - Parameter text: the text, or its beginning.
    init(_ text: ArraySlice<UInt8>, name: String?) {
        self.name = name
        let string = String(decoding: text.prefix(Self.maximumBytes), as: UTF8.self)
        self.lines = string.split(whereSeparator: \.isNewline).filter { $0.contains { !$0.isWhitespace } }
    }

    /// The number of bytes that detection reads; the marks of a format are in its first lines.
    private static let maximumBytes = 4096

    /// The extension of the name in lower case; empty if there is none.
    var suffix: String {
        guard let name = self.name, let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// Whether the name says that the file is a table.
    var isNamedAsTable: Bool { ["csv", "tsv", "tab"].contains(self.suffix) }
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
