import RemindavICalendar
import RemindavJSON
import RemindavRecurrence
import RemindavReminders

extension RecordForm {
    /// A project as the CSV file that Todoist imports; the format has no completed tasks.
    static let todoist = Self(
        .todoistCSV,
        isOneProject: true,
        contains: { !$0.isClosed },
        losses: { reminder in
            if TodoistField.losesRule(reminder) { return [.rule] }
            return reminder.reminder.hasExceptions(in: reminder.context) ? [.exceptions] : []
        }
    ) { reminders in
        var writer = TodoistWriter()
        let sections = TodoistSections(reminders)
        let placed = reminders.map { reminder in
            var placed = reminder
            placed.section = sections.section(of: reminder)
            return placed
        }
        for tree in TodoistWriter.trees(placed) {
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

/// The sections of an export, which are known from the records of its reminders.
private struct TodoistSections {
    private struct Key: Hashable {
        let list: LabelKey
        let name: LabelKey
    }

    private var rows: [Key: JSONObject] = [:]
    /// The sections whose label at least one of their tasks still has.
    private var used: Set<Key> = []

    init(_ reminders: [RecordedReminder]) {
        for reminder in reminders {
            for row in reminder.todoist.before where TodoistRow.kind(row) == TodoistRow.section {
                guard let key = Self.key(row, of: reminder), self.rows[key] == nil else { continue }
                self.rows[key] = row
            }
            guard let key = reminder.todoist.section.flatMap({ Self.key($0, of: reminder) }) else { continue }
            if Self.labels(of: reminder).contains(key.name) { self.used.insert(key) }
        }
    }

    private static func name(_ row: JSONObject) -> String? { row["CONTENT"]?.string.flatMap(ImportedTask.title) }

    private static func key(_ row: JSONObject, of reminder: RecordedReminder) -> Key? {
        self.name(row).map { Key(list: LabelKey(reminder.reminder.list), name: LabelKey($0)) }
    }

    private static func labels(of reminder: RecordedReminder) -> [LabelKey] {
        reminder.reminder.labels.map { LabelKey($0) }
    }

    /// The section whose label the reminder has, its own one first; `nil` for a subtask, and without such a label.
    ///
    /// If all tasks of a section lost its label, the label that replaced it is the new name of the section.
    func section(of reminder: RecordedReminder) -> JSONObject? {
        guard reminder.depth == 0 else { return nil }
        let labels = Self.labels(of: reminder)
        let list = LabelKey(reminder.reminder.list)
        let own = reminder.todoist.section
        let ownKey = own.flatMap { Self.key($0, of: reminder) }
        if let ownKey, labels.contains(ownKey.name) { return own }
        if let row = labels.lazy.compactMap({ self.rows[Key(list: list, name: $0)] }).first { return row }
        guard let own, let ownKey, !self.used.contains(ownKey), let name = Self.name(own),
            let new = reminder.label(insteadOf: name)
        else { return nil }
        return own.setting("CONTENT", to: .string(new))
    }
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
        let sections = trees.map { tree in tree[0].section.map { JSONValue.object($0).text } ?? "" }
        let groups = Dictionary(grouping: zip(sections, trees), by: \.0)
        var known: Set<String> = []
        return ([""] + sections).filter { known.insert($0).inserted }.flatMap { (groups[$0] ?? []).map(\.1) }
    }

    mutating func add(_ reminder: RecordedReminder) {
        let record = reminder.todoist
        let isInOwnSection = reminder.section == record.section
        for row in record.before { self.add(row, unless: !isInOwnSection) }
        if !isInOwnSection, let section = reminder.section { self.add(section, unless: false) }
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
                besides: [record.project] + [record.section, reminder.section].map { $0?["CONTENT"]?.string }
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
        guard let rule = reminder.rule.flatMap({ Self.endingByDate($0, due: due, reminder) }) else { return nil }
        let words = TodoistRule(rule, due: due.day)
        guard let plain = words.words else { return nil }
        let last = Self.lastDay(of: rule, due: due, reminder)
        // Another time on the last day gives the same dates, if there is one date on a day at most.
        guard rule.frequency >= .daily || rule.until == nil else { return nil }
        let bounds = [Self.time(due).map { "at \($0)" }, "starting \(due.day)", last.map { "until \($0)" }]
        let phrase = ([plain] + bounds).compactMap(\.self).joined(separator: " ")
        // Of a past rule, an import reads the next date.
        let isPast = reminder.context.phrase("today")?.due.map { due.day <= $0.day } ?? false
        guard let meaning = TodoistPhrase(phrase).meaning(in: reminder.context), let read = meaning.rule,
            isPast || meaning.due?.localSeconds == due.localSeconds, TodoistRule(read, due: due.day).isLike(words),
            Self.lastDay(of: read, due: due, reminder) == last
        else { return nil }
        return phrase
    }

    /// The rule with the day of its last date instead of a number of dates; `nil` if the dates cannot be computed.
    private static func endingByDate(
        _ rule: RecurrenceRule,
        due: CalendarDateOrDateTime,
        _ reminder: RecordedReminder
    ) -> RecurrenceRule? {
        guard let count = rule.count else { return rule }
        guard !rule.countsFromCompletion, count <= Self.maximumCount else { return nil }
        let set = RecurrenceSet(start: due, rules: [rule], resolver: reminder.context.zones)
        guard let dates = try? set.first(count), let last = dates.last else { return nil }
        var ending = rule
        ending.count = nil
        ending.until = .date(last.day)
        return ending
    }

    /// The maximum number of dates that are computed to find the last one.
    private static let maximumCount = 1000

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
