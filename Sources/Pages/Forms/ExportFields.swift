import RemindavBridge
import RemindavReminders
import RemindavTaskFormats

/// The choices in the form of an export.
struct ExportFields: Hashable, Sendable {
    enum State: String, CaseIterable, Sendable {
        case all, open, completed

        var words: String {
            switch self {
            case .all: "All reminders"
            case .open: "Only open reminders"
            case .completed: "Only completed and cancelled reminders"
            }
        }
    }

    var format: ExportChoice
    /// The name of the list; empty for all lists.
    var list: String
    /// Names with commas between them; empty for all reminders.
    var labels: String
    var state: State

    init(_ query: FormFields) {
        let format = query["format"]
        self.format = ExportChoice.all.first { $0.name == format } ?? .standard
        self.list = query["list"] ?? ""
        self.labels = query["labels"] ?? ""
        self.state = query["state"].flatMap(State.init) ?? .all
    }

    var filter: ReminderFilter {
        var filter = ReminderFilter(includesCompleted: self.state == .all)
        filter.lists = self.list.isEmpty ? [] : [self.list]
        filter.labels = self.labels.labelNames
        if self.state == .completed { filter.others.append(ReminderFilter(section: .completed)) }
        return filter
    }
}

/// A format of an export, with the words for a person.
struct ExportChoice: Hashable, Sendable {
    let name: String
    let words: String
    /// The form; `nil` for iCalendar.
    let form: ExportForm?
    let style: ExportStyle
    let suffix: String
    let type: String

    private init(
        _ name: String,
        _ words: String,
        _ form: ExportForm?,
        style: ExportStyle = .todo,
        suffix: String,
        type: String
    ) {
        self.name = name
        self.words = words
        self.form = form
        self.style = style
        self.suffix = suffix
        self.type = type
    }

    private static let calendarType = "text/calendar; charset=utf-8"
    private static let tableType = "text/csv; charset=utf-8"

    static let standard = Self("ics", "iCalendar, with all stored data", nil, suffix: "ics", type: Self.calendarType)
    static let all = [
        Self.standard,
        Self(
            "events",
            "iCalendar events of open dated reminders, for calendar programs",
            nil,
            style: .event,
            suffix: "ics",
            type: Self.calendarType
        ),
        Self("json", "JSON, with all stored data", .json, suffix: "json", type: "application/json"),
        Self("csv", "CSV, a table of the visible fields", .csv, suffix: "csv", type: Self.tableType),
        Self("markdown", "Markdown checklists", .markdown, suffix: "md", type: "text/markdown; charset=utf-8"),
        Self("todotxt", "todo.txt", .todoTxt, suffix: "txt", type: "text/plain; charset=utf-8"),
        Self("taskwarrior", "Taskwarrior", .taskwarrior, suffix: "json", type: "application/json"),
        Self("todoist-csv", "Todoist, a project", .todoist, suffix: "csv", type: Self.tableType),
        Self("google-json", "Google Tasks, as Takeout writes it", .google, suffix: "json", type: "application/json"),
        Self("outlook-csv", "Outlook, a table", .outlook, suffix: "csv", type: Self.tableType),
    ]
}
