package import ICalendar
import JSON

/// A task format of another program, other than iCalendar.
package enum TaskFormat: String, Sendable, CaseIterable {
    /// The output of `remindav export --format json` and `remindav list --json`.
    case json
    /// The output of `remindav export --format csv`.
    case csv
    /// Todoist's template and backup of a project.
    case todoistCSV = "todoist-csv"
    /// The tasks of Todoist's Sync or REST interface.
    case todoistJSON = "todoist-json"
    /// The tasks of Microsoft To Do as Microsoft Graph writes them (`todoTask`).
    case microsoftJSON = "microsoft-json"
    /// Outlook's tasks, exported as comma separated values.
    case outlookCSV = "outlook-csv"
    /// `task export` of Taskwarrior.
    case taskwarrior

    /// Whether it is JSON; the others are tables.
    package var isJSON: Bool {
        switch self {
        case .json, .todoistJSON, .microsoftJSON, .taskwarrior: true
        case .csv, .todoistCSV, .outlookCSV: false
        }
    }

    /// The properties that a file of the format can express; an import removes no other properties.
    package var names: Set<Name> {
        let names: Set<Name> = [
            .dtstamp, .lastModified, .summary, .description, .due, .duration, .rrule, .categories, .priority, .status,
            .completed,
        ]
        switch self {
        case .json, .csv: return names.union([.dtstart, .location, .url])
        case .todoistCSV, .todoistJSON: return names
        case .microsoftJSON: return names.union([.dtstart, .url])
        case .outlookCSV: return names.subtracting([.rrule]).union([.dtstart, .percentComplete])
        case .taskwarrior: return names.union([.dtstart])
        }
    }

    /// The relations that the format can express, by their RELTYPE.
    package var relations: Set<String> {
        switch self {
        case .json, .csv, .todoistCSV, .todoistJSON: ["PARENT"]
        case .taskwarrior: ["DEPENDS-ON"]
        case .microsoftJSON, .outlookCSV: []
        }
    }

    /// The format of a table by its column names; `nil` for an unknown one.
    static func table(_ columns: [String]) -> Self? {
        let names = Set(columns.map(FieldName.normal))
        if names.isSuperset(of: ["type", "content", "indent"]) { return .todoistCSV }
        if names.isSuperset(of: ["uid", "title", "status", "labels"]) { return .csv }
        if names.isSuperset(of: ["subject", "duedate", "priority"]) { return .outlookCSV }
        return nil
    }

    /// The format of a JSON text by the names in its first task; `nil` for an unknown one.
    static func objects(_ nodes: [JSONValue]) -> Self? {
        guard let task = self.firstTask(nodes) else { return nil }
        let names = Set(task.members.map(\.name).map(FieldName.normal))
        if names.contains("description"), names.contains("uuid") || names.isSuperset(of: ["entry", "status"]) {
            return .taskwarrior
        }
        if names.isSuperset(of: ["uid", "title", "labels"]) { return .json }
        // An export without reminders.
        if names.isSuperset(of: ["lists", "labels", "reminders"]) { return .json }
        let isOfTodoist = !names.isDisjoint(with: ["projectid", "iscompleted", "checked", "priority"])
        if names.contains("content"), isOfTodoist { return .todoistJSON }
        let isOfMicrosoft = !names.isDisjoint(with: [
            "importance", "lastmodifieddatetime", "checklistitems", "isreminderon",
        ])
        if names.contains("title"), isOfMicrosoft { return .microsoftJSON }
        return names.isSuperset(of: ["displayname", "tasks"]) ? .microsoftJSON : nil
    }

    /// The first object of a list: of the whole text, or of the member that contains the tasks in API answers.
    private static func firstTask(_ nodes: [JSONValue]) -> JSONObject? {
        for node in nodes {
            switch node {
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

/// Names of columns and members, normalised because programs write them in several ways.
enum FieldName {
    /// Small letters and digits only: `due_date`, `dueDate` and `Due Date` are equal; `% Complete` is `complete`.
    static func normal(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) })
    }
}
