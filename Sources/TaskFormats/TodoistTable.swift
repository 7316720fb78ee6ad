import RemindavICalendar
import RemindavJSON
import RemindavReminders

extension TaskFormat {
    /// A project of Todoist as a CSV template or backup.
    package static let todoistCSV = Self(
        "todoist-csv",
        properties: [.rrule, .repeatFrom],
        relations: ["PARENT"],
        phrases: { rows in ["DATE", "DEADLINE"].map { TodoistRow(rows).task[$0]?.scalar ?? "" } },
        .table(detect: { $0.isSuperset(of: ["type", "content", "indent"]) }, read: { $0.readTodoist($1) })
    )
}

// Reads Todoist's CSV: todoist.com/help, "Import or export a project as a CSV file".
extension ImportedTaskBuilder {
    /// The maximum depth of a task; Todoist itself allows five levels.
    private static let maximumIndent = 32

    /// The maximum number of settings that each task keeps; Todoist writes one.
    private static let maximumSettings = 4

    /// The project for tasks without a project.
    private static let inbox = "Inbox"

    /// The words of a backup for a column without a value.
    private static let withoutValue: Set = ["FALSE", "NONE"]

    private static let todoistColumns: Set = [
        "type", "content", "description", "priority", "indent", "date", "datelang", "timezone", "deadline",
        "deadlinelang", "meta",
    ]

    /// Reads rows that are a section, a task, a comment on the task above, or a setting; INDENT is the depth of a task.
    mutating func readTodoist(_ table: Table) {
        let project = self.context.project
        let limits = self.context.limits
        let projectRecord = project.map { name in
            let members = [("TYPE", TodoistRow.project), ("CONTENT", name)]
            let row = JSONObject(members: members.map { .init($0, .string($1)) })
            return limits.group(name, row).record
        }
        var section: TaskGroup?
        /// The sections and settings since the last task.
        var before: [JSONObject] = []
        /// The settings above the first section and the first task, such as the view of the project.
        var settings: [JSONObject] = []
        var isAtBeginning = true
        /// The chain of tasks above the current row, the outermost first.
        var path: [(uid: String, title: String)] = []
        var open: ImportedTask?
        let header = table.header(spelledAs: TodoistRow.columns)
        for row in table.rows {
            let object = table.object(row, header)
            switch table.field("TYPE", of: row)?.trimmingWhiteSpace.lowercased() {
            case "section":
                isAtBeginning = false
                let title = table.field("CONTENT", of: row).flatMap(ImportedTask.title)
                section = title.map { limits.group($0, object) }
                before.append(object)
                path = []
            case "note":
                guard open != nil else {
                    self.leaveOut(.badRow, line: row.line, "note")
                    continue
                }
                open?.add(note: table.field("CONTENT", of: row) ?? "")
                open?.record.append(object)
            case "task":
                if let open { self.add(open) }
                open = self.todoistTask(row, of: table, (project, section?.name), path: &path)
                guard open != nil else { continue }
                let isFirst = before.contains { TodoistRow.kind($0) == TodoistRow.section }
                let place = isFirst ? [] : section?.record ?? []
                // Each task keeps the settings, because the first task may be completed at the next export.
                let known = isAtBeginning ? [] : settings
                isAtBeginning = false
                open?.record = (projectRecord ?? []) + known + place + before + [object]
                before = []
            case "meta":
                before.append(object)
                if isAtBeginning, settings.count < Self.maximumSettings {
                    settings += limits.group(nil, object).record
                }
            default: self.leaveOut(.badRow, line: row.line, "TYPE")
            }
        }
        open?.record += before
        if let open { self.add(open) }
    }

    private mutating func todoistTask(
        _ row: TableRow,
        of table: Table,
        _ place: (project: String?, section: String?),
        path: inout [(uid: String, title: String)]
    ) -> ImportedTask? {
        let content = TodoistContent(table.field("CONTENT", of: row) ?? "")
        guard let title = content.title else {
            self.leaveOut(.missingTitle, line: row.line)
            return nil
        }
        let indent = table.field("INDENT", of: row).flatMap { NumberText.digits($0.trimmingWhiteSpace) } ?? 1
        path = Array(path.prefix(min(max(indent, 1), Self.maximumIndent) - 1))
        let places = [place.project, place.section].compactMap { $0 }.map { self.short($0) }
        let name = (places + path.map(\.title) + [title]).joined(separator: "\n")
        var todo = ImportedTask(line: row.line, uid: self.uid(ofText: name), title: title)
        todo.parent = path.last?.uid
        if let text = table.field("INDENT", of: row), NumberText.digits(text.trimmingWhiteSpace) == nil {
            self.keep(unknown: text, program: "TODOIST", as: "INDENT", &todo)
        }
        path.append((todo.uid, self.short(title)))
        todo.add(note: table.field("DESCRIPTION", of: row) ?? "")
        for label in content.labels { todo.add(label: label) }
        if let project = place.project, project != Self.inbox { self.place(project, &todo) }
        if let section = place.section { todo.add(label: section) }
        // Priority 1 is the highest in the CSV file. In Todoist's JSON the highest is 4.
        switch table.field("PRIORITY", of: row)?.trimmingWhiteSpace {
        case "1": todo.priority = .high
        case "2": todo.priority = .medium
        case "3": todo.priority = .low
        case "4", nil: break
        case let other?: self.keep(unknown: other, program: "TODOIST", as: "PRIORITY", &todo)
        }
        self.readDates(row, of: table, &todo)
        for (name, text) in table.others(row, than: Self.todoistColumns) where FieldName.normal(name) != "" {
            if !Self.withoutValue.contains(text.uppercased()) { todo.keep(text, program: "TODOIST", as: name) }
        }
        return todo
    }

    private mutating func readDates(_ row: TableRow, of table: Table, _ todo: inout ImportedTask) {
        let zone = table.field("TIMEZONE", of: row)
        if let date = table.field("DATE", of: row) {
            self.read(date, "DATE", language: table.field("DATE_LANG", of: row), zone: zone, &todo)
        }
        guard let deadline = table.field("DEADLINE", of: row) else { return }
        // A task whose date cannot be read is due at its deadline.
        if todo.due == nil {
            self.read(deadline, "DEADLINE", language: table.field("DEADLINE_LANG", of: row), zone: zone, &todo)
        } else {
            self.add(deadline: deadline.trimmingWhiteSpace, "DEADLINE", to: &todo)
        }
    }

    /// Stores the deadline of a task that also has a due date; the reminder is due at that date, as alarms refer to it.
    mutating func add(deadline: String, _ subject: String, to todo: inout ImportedTask) {
        self.findings.add(.deadlineBesideDate, of: todo, subject, words: deadline)
        todo.keep(deadline, program: "TODOIST", as: "DEADLINE")
        todo.add(note: "Todoist, deadline: \(deadline)")
    }

    mutating func read(
        _ text: String,
        _ subject: String,
        language: String?,
        zone name: String?,
        _ todo: inout ImportedTask
    ) {
        let zone = name.flatMap { self.context.zone($0.trimmingWhiteSpace) }
        if let name, zone == nil {
            self.findings.add(.unknownZone, line: todo.line, "TIMEZONE")
            todo.keep(name, program: "TODOIST", as: "TIMEZONE")
        }
        if let moment = self.context.moment(text, zone: zone ?? self.context.localZone) {
            todo.due = moment
            return
        }
        let isEnglish = language.map { ["en", ""].contains($0.trimmingWhiteSpace.lowercased().prefix(2)) } ?? true
        guard isEnglish, let meaning = self.phrase(text, &todo) else {
            let code: ImportIssue.Code = isEnglish ? .phraseNotUnderstood : .phraseNotEnglish
            self.findings.add(code, of: todo, subject, words: text.trimmingWhiteSpace)
            todo.cannotRead(.due, .rrule)
            todo.add(note: "Todoist, \(subject.lowercased()): \(text.trimmingWhiteSpace)")
            return
        }
        todo.due = meaning.due.map { Self.moment($0, in: zone) }
        todo.rule = meaning.rule
        guard meaning.hasOtherDates else { return }
        self.findings.add(.badRepeat, of: todo, subject, words: text.trimmingWhiteSpace)
        todo.cannotRead(.rrule)
        todo.add(note: "Todoist, \(subject.lowercased()): \(text.trimmingWhiteSpace)")
    }

    /// Parses a phrase; `every!` with named days is read as `every` with a finding.
    mutating func phrase(_ text: String, _ todo: inout ImportedTask) -> PhraseMeaning? {
        let phrase = TodoistPhrase(text)
        guard let meaning = phrase.meaning(in: self.context) else { return nil }
        if meaning.skipsDates { self.findings.add(.datesSkipped, of: todo, words: text.trimmingWhiteSpace) }
        if phrase.isAfterCompletion, meaning.rule?.countsFromCompletion != true {
            self.findings.add(.repeatsAfterCompletion, of: todo, words: text.trimmingWhiteSpace)
            todo.keep(text.trimmingWhiteSpace, program: "TODOIST", as: "DUE-STRING")
        }
        return meaning
    }

    /// Moves a floating time of a phrase to the task's zone.
    private static func moment(_ moment: CalendarDateOrDateTime, in zone: ZoneReference?) -> CalendarDateOrDateTime {
        guard case .dateTime(let time) = moment, let zone else { return moment }
        return .dateTime(CalendarDateTime(date: time.date, time: time.time, zone: zone))
    }
}

extension ImportContext {
    /// The project of a Todoist table; `nil` if the source has no name.
    var project: String? { self.fileName.flatMap { Self.project(ofFile: $0) } }

    /// The project of a Todoist table, which is the name of its file; `nil` if no text remains.
    ///
    /// A backup adds the number of the project (`Work [2203306141].csv`), and a browser the number of the download
    /// (`Work (1).csv`).
    package static func project(ofFile name: String) -> String? {
        let stem = name.lowercased().hasSuffix(".csv") ? String(name.dropLast(4)) : name
        let words = stem.split(separator: " ").map(String.init)
        guard let last = words.last, words.count > 1 else { return ImportedTask.word(stem) }
        let isNumber = [("[", "]"), ("(", ")")].contains { open, close in
            last.hasPrefix(open) && last.hasSuffix(close) && NumberText.isDigits(last.dropFirst().dropLast())
        }
        return ImportedTask.word(isNumber ? words.dropLast().joined(separator: " ") : stem)
    }
}

/// A date of Todoist in English words; `every!` and `after` count from the completion.
struct TodoistPhrase {
    /// The phrase with `every` for `every!` and `after`.
    private let plain: String
    let isAfterCompletion: Bool

    init(_ text: String) {
        let words = text.trimmingWhiteSpace.lowercased()
        self.isAfterCompletion = words.hasPrefix("every!") || words.hasPrefix("after ")
        self.plain = self.isAfterCompletion ? "every " + words.drop { $0 != " " } : words
    }

    /// The date and the rule; the rule counts from the due date if other parts than its length determine its dates.
    func meaning(in context: ImportContext) -> PhraseMeaning? {
        guard self.isAfterCompletion else { return context.phrase(self.plain) }
        let counted = context.phrase("every!" + self.plain.dropFirst("every".count))
        if let counted, counted.rule?.countsFromCompletion == true { return counted }
        guard var meaning = context.phrase(self.plain) else { return nil }
        meaning.rule = meaning.rule.map { $0.countedFromCompletion() ?? $0 }
        return meaning
    }
}

/// The content of a task; words with a leading `@` are labels.
struct TodoistContent {
    /// The content without the labels; `nil` when no text remains.
    let title: String?
    let labels: [String]

    init(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        let isLabel = { (word: Substring) in word.count > 1 && word.first == "@" && word.dropFirst().first != "@" }
        let labels = words.filter(isLabel).map { String($0.dropFirst()) }
        let rest = words.filter { !isLabel($0) }
        // If all words are labels, the content is the title.
        self.title = labels.isEmpty || rest.isEmpty ? ImportedTask.title(text) : rest.joined(separator: " ")
        self.labels = rest.isEmpty ? [] : labels
    }
}
