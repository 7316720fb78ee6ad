import ICalendar
import JSON
import Reminders

extension RecordForm {
    /// A project as the CSV file that Todoist imports; the format has no completed tasks.
    static let todoist = Self(.todoistCSV, contains: { !$0.isClosed }) { reminders in
        var writer = TodoistWriter()
        for tree in TodoistWriter.trees(reminders) {
            for reminder in tree { writer.add(reminder) }
        }
        return TableText.bytes(writer.rows, columns: TodoistRow.columns)
    }
}

/// The rows of the record of a task, by their kinds.
struct TodoistRow {
    /// The columns of Todoist's CSV: todoist.com/help, "Import or export a project as a CSV file".
    static let columns = [
        "TYPE", "CONTENT", "DESCRIPTION", "PRIORITY", "INDENT", "AUTHOR", "RESPONSIBLE", "DATE", "DATE_LANG",
        "TIMEZONE", "DURATION", "DURATION_UNIT", "DEADLINE", "DEADLINE_LANG", "IS_COLLAPSED", "meta",
    ]
    /// The TYPE of the first row of a record, which has the name of the project; files of Todoist have no such row.
    static let project = "project"
    static let section = "section"

    let project: String?
    /// The sections and settings above the task; the last section is that of the task.
    let before: [JSONObject]
    let task: JSONObject
    let notes: [JSONObject]
    /// The rows behind the last task of a file.
    let after: [JSONObject]

    init(_ rows: [JSONObject]) {
        let place = rows.firstIndex { Self.kind($0) == "task" } ?? rows.endIndex
        let rest = rows[place...].dropFirst()
        self.project = rows.first.flatMap { Self.kind($0) == Self.project ? $0["CONTENT"]?.string : nil }
        self.before = rows[..<place].filter { Self.kind($0) != Self.project }
        self.task = place < rows.endIndex ? rows[place] : JSONObject(members: [])
        self.notes = Array(rest.prefix { Self.kind($0) == "note" })
        self.after = Array(rest.dropFirst(self.notes.count))
    }

    static func kind(_ row: JSONObject) -> String? { row["TYPE"]?.string?.trimmingWhiteSpace.lowercased() }

    var section: JSONObject? { self.before.last { Self.kind($0) == Self.section } }
}

private struct TodoistWriter {
    private(set) var rows: [JSONObject] = []
    private var section: JSONObject?
    /// The settings of the project that were written.
    private var settings: Set<String> = []
    /// The number of ancestors that an import gives the next row at most.
    private var deepest = 0

    /// The reminders with their subtasks, in the order of their sections.
    ///
    /// Those without a section come first, because a section has no end.
    static func trees(_ reminders: [RecordedReminder]) -> [[RecordedReminder]] {
        var trees: [[RecordedReminder]] = []
        for reminder in reminders {
            if reminder.depth == 0 || trees.isEmpty {
                trees.append([reminder])
            } else {
                trees[trees.count - 1].append(reminder)
            }
        }
        let sections = trees.map { tree in self.section(tree[0]).map { JSONValue.object($0).text } ?? "" }
        let groups = Dictionary(grouping: zip(sections, trees), by: \.0)
        var known: Set<String> = []
        return ([""] + sections).filter { known.insert($0).inserted }.flatMap { (groups[$0] ?? []).map(\.1) }
    }

    /// The section of a task; `nil` for a subtask, and if the reminder lost the label of this name.
    private static func section(_ reminder: RecordedReminder) -> JSONObject? {
        guard reminder.depth == 0, let section = reminder.todoist.section,
            let name = section["CONTENT"]?.string.flatMap(ImportedTask.title)
        else { return nil }
        return reminder.reminder.labels.contains { LabelKey($0) == LabelKey(name) } ? section : nil
    }

    mutating func add(_ reminder: RecordedReminder) {
        let record = reminder.todoist
        let section = Self.section(reminder)
        for row in record.before { self.add(row, unless: section == nil) }
        var task = reminder.updated(record.task, TodoistField.all)
        // A subtask may have an indent that is too deep, which Todoist reads as one more level.
        let indent = task["INDENT"]?.string.flatMap { NumberText.digits($0.trimmingWhiteSpace) } ?? 1
        if reminder.record == nil || min(max(indent, 1) - 1, self.deepest) != reminder.depth {
            task = task.setting("INDENT", to: .string(String(reminder.depth + 1)))
        }
        self.deepest = reminder.depth + 1
        self.rows.append(task)
        let kept = reminder.isEdited([.description]) ? reminder.todoistNotes.kept : nil
        self.rows += record.notes.filter { note in
            kept.map { $0.contains(note["CONTENT"]?.string ?? "") } ?? true
        }
        for row in record.after { self.add(row, unless: false) }
    }

    /// Adds a section or a setting, but not twice in succession.
    private mutating func add(_ row: JSONObject, unless isMoved: Bool) {
        if TodoistRow.kind(row) == TodoistRow.section {
            guard !isMoved, row != self.section else { return }
            self.section = row
            self.deepest = 0
            self.rows.append(row)
        } else if self.settings.insert(JSONValue.object(row).text).inserted {
            self.rows.append(row)
        }
    }
}

extension RecordedReminder {
    fileprivate var todoist: TodoistRow { TodoistRow(self.record?.objects ?? []) }

    /// The description and those comments of the record that the notes still have.
    fileprivate var todoistNotes: (text: String?, kept: [String]) {
        self.notes(besides: self.todoist.notes.compactMap { $0["CONTENT"]?.string }, of: "Todoist")
    }
}

private enum TodoistField {
    static let all: [RecordField] = [
        RecordField("TYPE", [.uid]) { _, former in former ?? .string("task") },
        RecordField("CONTENT", [.summary, .categories]) { reminder, former in
            let record = reminder.todoist
            let labels = reminder.labels(
                former?.string.map { TodoistContent($0).labels } ?? [],
                besides: [record.project, record.section?["CONTENT"]?.string]
            )
            let words = labels.map { "@" + $0.split(whereSeparator: \.isWhitespace).joined(separator: "_") }
            return .string(([reminder.title] + words).joined(separator: " "))
        },
        RecordField("DESCRIPTION", [.description], text: \.todoistNotes.text),
        RecordField("PRIORITY", [.priority], text: Self.priority),
        RecordField("DATE", [.due, .rrule, .repeatFrom], text: Self.date),
        RecordField("DATE_LANG", [.due, .rrule, .repeatFrom], text: { $0.moment(.due) == nil ? nil : "en" }),
        RecordField("TIMEZONE", [.due]) { reminder, former in
            guard case .dateTime(let time)? = reminder.moment(.due) else { return former }
            return switch time.zone {
            case .utc: .string("UTC")
            case .named(let name): .string(name)
            case .floating: former
            }
        },
        // Without DATE, the deadline was the due date, so the new due date replaces it.
        RecordField("DEADLINE", [.due]) { reminder, former in reminder.todoist.task["DATE"] == nil ? nil : former },
    ]

    private static func priority(_ reminder: RecordedReminder) -> String? {
        switch Priority(rawValue: reminder.reminder.priority) {
        case .high: "1"
        case .medium: "2"
        case .low: "3"
        case .undefined, nil: "4"
        }
    }

    /// The due date in digits, or the repeat rule in words with its first date.
    private static func date(_ reminder: RecordedReminder) -> String? {
        guard let due = reminder.moment(.due) else { return nil }
        let day: String
        var time = ""
        switch due {
        case .date(let date): day = date.description
        case .dateTime(let moment):
            day = moment.date.description
            time = " \(moment.time.description.prefix(5))"
        }
        guard let rule = reminder.rule else { return day + time }
        var words = reminder.words(rule.wire)
        if rule.countsFromCompletion, words.hasPrefix("every ") { words = "every!" + words.dropFirst("every".count) }
        let phrase = "\(words)\(time.isEmpty ? "" : " at\(time)") starting \(day)"
        // A rule that a new import would read differently is left out. Of a past rule, an import reads the next date.
        let meaning = TodoistPhrase(phrase).meaning(in: reminder.context)
        let isPast = reminder.context.phrase("today")?.due.map { due.day <= $0.day } ?? false
        let isSameDate = isPast || meaning?.due?.localSeconds == due.localSeconds
        return meaning?.rule == rule && isSameDate ? phrase : day + time
    }
}
