import ICalendar
import JSON
import Recurrence
import Reminders

extension RecordForm {
    /// A project as the CSV file that Todoist imports; the format has no completed tasks.
    static let todoist = Self(
        .todoistCSV,
        contains: { !$0.isClosed },
        losses: { TodoistField.losesRule($0) ? [.rule] : [] }
    ) { reminders in
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
        self.rows += reminder.isEdited([.description]) ? reminder.todoistComments : record.notes
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

    fileprivate var todoistNotes: RecordedNotes {
        self.notes(besides: self.todoist.notes.map { $0["CONTENT"]?.string ?? "" }, of: "Todoist")
    }

    /// The comments of the record that the notes still have, and a new comment for each text that follows one of them.
    fileprivate var todoistComments: [JSONObject] {
        let comments = self.todoist.notes
        return self.todoistNotes.behind.map { piece in
            piece.part.map { comments[$0] }
                ?? JSONObject(members: [.init("TYPE", .string("note")), .init("CONTENT", .string(piece.text))])
        }
    }

    /// Whether the date of the task is its deadline, because the row has no other date.
    fileprivate var isDueAtDeadline: Bool {
        let task = self.todoist.task
        return task["DATE"] == nil && task["DEADLINE"] != nil
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
        RecordField("DATE", [.due, .rrule, .repeatFrom], text: { Self.deadline($0) == nil ? Self.date($0) : nil }),
        RecordField(
            "DATE_LANG",
            [.due, .rrule, .repeatFrom],
            text: { Self.deadline($0) == nil && $0.moment(.due) != nil ? "en" : nil }
        ),
        RecordField("TIMEZONE", [.due]) { reminder, former in
            guard case .dateTime(let time)? = reminder.moment(.due) else { return former }
            return switch time.zone {
            case .utc: .string("UTC")
            case .named(let name): .string(name)
            case .floating: former
            }
        },
        RecordField("DEADLINE", [.due, .rrule, .repeatFrom]) { reminder, former in
            reminder.isDueAtDeadline ? Self.deadline(reminder).map { .string($0) } : former
        },
        RecordField("DEADLINE_LANG", [.due, .rrule, .repeatFrom]) { reminder, former in
            reminder.isDueAtDeadline && Self.deadline(reminder) == nil ? nil : former
        },
    ]

    /// The new deadline of a task that is due at its deadline; `nil` if its due time is no longer a single date.
    private static func deadline(_ reminder: RecordedReminder) -> String? {
        guard reminder.isDueAtDeadline, reminder.rule == nil, case .date(let date)? = reminder.moment(.due) else {
            return nil
        }
        return date.description
    }

    /// Whether ``date(_:)`` has no words for the rule.
    static func losesRule(_ reminder: RecordedReminder) -> Bool {
        guard reminder.repeats, reminder.isEdited([.due, .rrule, .repeatFrom]) else { return false }
        return reminder.moment(.due).flatMap { Self.phrase(reminder, due: $0) } == nil
    }

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
        reminder.moment(.due).map { due in
            Self.phrase(reminder, due: due)
                ?? [due.day.description, Self.time(due)].compactMap(\.self).joined(separator: " ")
        }
    }

    private static func time(_ moment: CalendarDateOrDateTime) -> String? {
        if case .dateTime(let time) = moment { String(time.time.description.prefix(5)) } else { nil }
    }

    /// The rule in words, with its first and its last date; `nil` if a new import would read another rule or date.
    private static func phrase(_ reminder: RecordedReminder, due: CalendarDateOrDateTime) -> String? {
        guard let rule = reminder.rule else { return nil }
        var endless = rule
        endless.until = nil
        let last = Self.lastDay(of: rule, due: due, reminder)
        var words = reminder.words(endless.wire)
        if rule.countsFromCompletion, words.hasPrefix("every ") { words = "every!" + words.dropFirst("every".count) }
        let bounds = [Self.time(due).map { "at \($0)" }, "starting \(due.day)", last.map { "until \($0)" }]
        // Of a past rule, an import reads the next date.
        let isPast = reminder.context.phrase("today")?.due.map { due.day <= $0.day } ?? false
        return Self.forms(of: words).map { ([$0] + bounds).compactMap(\.self).joined(separator: " ") }.first { phrase in
            guard let meaning = TodoistPhrase(phrase).meaning(in: reminder.context), var read = meaning.rule,
                isPast || meaning.due?.localSeconds == due.localSeconds
            else { return false }
            if read == rule { return true }
            // Another time on the last day gives the same dates, if there is one date on a day at most.
            guard rule.frequency >= .daily, Self.lastDay(of: read, due: due, reminder) == last else { return false }
            read.until = nil
            return read == endless
        }
    }

    /// The words of a rule, in the short form of Todoist's help (`every tue`, `every 15th`) first.
    private static func forms(of words: String) -> [String] {
        let long = ["every week on ", "every month on the ", "every year on "].first { words.hasPrefix($0) }
        return (long.map { ["every \(words.dropFirst($0.count))"] } ?? []) + [words]
    }

    /// The last day on which the rule can have a date; `nil` if the rule has no end.
    private static func lastDay(
        of rule: RecurrenceRule,
        due: CalendarDateOrDateTime,
        _ reminder: RecordedReminder
    ) -> CalendarDate? {
        guard case .dateTime(let until)? = rule.until, case .dateTime(let first) = due else { return rule.until?.day }
        let context = reminder.context
        let end = context.instant(of: until).flatMap { context.zones.dateTime(of: $0, in: first.zone) } ?? until
        return end.time < first.time ? end.date.adding(days: -1) : end.date
    }
}
