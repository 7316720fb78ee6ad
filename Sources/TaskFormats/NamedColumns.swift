import RemindavICalendar
import RemindavReminders

extension TaskFormat {
    /// A table of any program with column names such as `title` and `due`.
    package static let namedColumns = Self(
        "table",
        properties: [.rrule, .repeatFrom, .dtstart, .percentComplete, .location, .url],
        .table(
            detect: { names in
                let columns = TaskColumn.allCases.filter { !names.isDisjoint(with: $0.names) }
                // One known name may be the first line of any text.
                return columns.contains(.title) && columns.count > 1
            },
            read: { $0.readNamedColumns($1) }
        )
    )
}

extension TaskFormat {
    /// The names of the optional columns of ``namedColumns``, for a message.
    package static let columnWords = TaskColumn.allCases.dropFirst().map(\.rawValue).joined(separator: ", ")
}

/// The columns that a table may have; the raw value is the first name, and ``names`` has all names.
enum TaskColumn: String, CaseIterable {
    case title, notes, due, time, start, completed, created, updated, status, percent, priority, labels, list, `repeat`,
        location, link, id

    /// The names in ``FieldName`` form.
    var names: [String] {
        switch self {
        case .title: ["title", "task", "name", "subject", "summary", "taskname", "tasktitle", "todo", "item"]
        case .notes: ["notes", "note", "description", "details", "body", "comment", "comments", "memo"]
        case .due: ["due", "duedate", "deadline", "date", "duedatetime", "dueon", "dueat", "when", "enddate"]
        case .time: ["time", "duetime"]
        case .start: ["start", "startdate", "begin", "scheduled", "scheduleddate", "deferdate", "starton"]
        case .completed:
            ["completedat", "datecompleted", "completiondate", "completeddate", "completedon", "donedate", "finished"]
        case .created: ["created", "createdat", "createddate", "creationdate", "datecreated", "dateadded", "added"]
        case .updated: ["updated", "updatedat", "modified", "lastmodified", "modifieddate", "datemodified"]
        case .status: ["status", "state", "done", "completed", "complete", "iscompleted", "isdone", "checked"]
        case .percent: ["percent", "percentcomplete", "progress"]
        case .priority: ["priority", "prio", "importance", "urgency"]
        case .labels: ["labels", "label", "tags", "tag", "categories", "category", "contexts", "context"]
        case .list: ["list", "listname", "project", "projectname", "folder", "tasklist", "group", "section"]
        case .repeat: ["repeat", "repeats", "recurrence", "recurring", "rrule", "repeatrule", "frequency"]
        case .location: ["location", "place", "where", "address"]
        case .link: ["link", "url", "website", "href", "weblink"]
        case .id: ["id", "uid", "uuid", "taskid"]
        }
    }

}

/// A table with the places of its known columns.
private struct NamedTable {
    let table: Table
    /// For each column, the spelling of the first name that the table has.
    private let spellings: [TaskColumn: String]

    init(_ table: Table) {
        self.table = table
        var spellings: [TaskColumn: String] = [:]
        for column in TaskColumn.allCases {
            spellings[column] =
                column.names.lazy.compactMap { name in
                    table.header.first { FieldName.normal($0) == name }
                }.first
        }
        self.spellings = spellings
    }

    func has(_ column: TaskColumn) -> Bool { self.spellings[column] != nil }

    func spelling(_ column: TaskColumn) -> String { self.spellings[column] ?? column.rawValue }

    func field(_ column: TaskColumn, of row: TableRow) -> String? {
        self.spellings[column].flatMap { self.table.field($0, of: row) }.map {
            TableText.restored($0).trimmingWhiteSpace
        }
    }

    /// The fields of a row that are in no known column.
    func others(_ row: TableRow) -> [(name: String, text: String)] {
        self.table.others(row, than: Set(self.spellings.values.map(FieldName.normal)))
    }
}

// Reads a table by its column names.
extension ImportedTaskBuilder {
    mutating func readNamedColumns(_ plain: Table) {
        let table = NamedTable(plain)
        guard table.has(.title) else {
            self.refusal = TaskFormatError(.noTitleColumn, line: 1, columns: plain.header)
            return
        }
        let dateColumns: [TaskColumn] = [.due, .start, .completed, .created, .updated]
        let dates = plain.rows.flatMap { row in
            dateColumns.compactMap { column in table.field(column, of: row).map { (line: row.line, text: $0) } }
        }
        guard let order = self.dateOrder(of: dates) else { return }
        let numbers = plain.rows.compactMap { table.field(.priority, of: $0).flatMap { NumberText.digits($0) } }
        let hasFourLevels = numbers.allSatisfy { $0 <= 4 }
        for row in plain.rows {
            guard let title = table.field(.title, of: row).flatMap(ImportedTask.title) else {
                self.leaveOut(.missingTitle, line: row.line)
                continue
            }
            let id = table.field(.id, of: row)
            let list = table.field(.list, of: row)
            let uid = id.map { self.uid($0) } ?? self.uid(ofText: "\(self.short(list ?? ""))\n\(title)")
            var todo = ImportedTask(line: row.line, uid: uid, title: title)
            if let list { self.place(list, &todo) }
            self.readWords(row, of: table, &todo)
            self.readPriority(table.field(.priority, of: row), hasFourLevels: hasFourLevels, &todo)
            self.readDates(row, of: table, order, &todo)
            self.readState(row, of: table, order, &todo)
            for (name, text) in table.others(row) { todo.keep(text, program: "TABLE", as: name) }
            self.add(todo)
        }
    }

    private func readWords(_ row: TableRow, of table: NamedTable, _ todo: inout ImportedTask) {
        todo.add(note: table.field(.notes, of: row) ?? "")
        let labels = table.field(.labels, of: row) ?? ""
        for label in labels.split(whereSeparator: { $0 == "," || $0 == ";" }) { todo.add(label: String(label)) }
        todo.lines[.location] = table.field(.location, of: row)
        todo.lines[.url] = table.field(.link, of: row)
    }

    private mutating func readPriority(_ text: String?, hasFourLevels: Bool, _ todo: inout ImportedTask) {
        guard let text else { return }
        switch text.lowercased() {
        case "high", "h", "highest", "urgent", "critical", "important", "p1", "a", "!!!": todo.priority = .high
        case "medium", "m", "med", "p2", "b", "!!": todo.priority = .medium
        case "low", "l", "lowest", "p3", "c", "!": todo.priority = .low
        case "none", "normal", "no", "p4", "-", "0": break
        case let word:
            // In iCalendar, 1 to 4 are high, 5 is medium, and 6 to 9 are low (RFC 5545 §3.8.1.9).
            switch (NumberText.digits(word) ?? 0, hasFourLevels) {
            case (1, true), (1...4, false): todo.priority = .high
            case (2, true), (5, false): todo.priority = .medium
            case (3, true), (6...9, false): todo.priority = .low
            case (4, true): break
            default: self.keep(unknown: text, program: "TABLE", as: "priority", &todo)
            }
        }
    }

    private mutating func readDates(
        _ row: TableRow,
        of table: NamedTable,
        _ order: DateOrder,
        _ todo: inout ImportedTask
    ) {
        if let text = table.field(.repeat, of: row) { self.readRepeat(text, table.spelling(.repeat), &todo) }
        if let text = table.field(.due, of: row) {
            todo.due = self.moment(text, table.spelling(.due), order, &todo)
            if todo.due == nil { todo.cannotRead(.due) }
        }
        if let text = table.field(.time, of: row) {
            if case .date(let date)? = todo.due, let time = ImportContext.time(text) {
                todo.due = .dateTime(CalendarDateTime(date: date, time: time, zone: self.context.localZone))
            } else {
                self.keep(unknown: text, program: "TABLE", as: "time", &todo)
            }
        }
        if let text = table.field(.start, of: row) {
            todo.start = self.moment(text, table.spelling(.start), order, &todo)
            if todo.start == nil { todo.cannotRead(.dtstart) }
        }
        todo.createdAt = self.stamp(.created, row, of: table, order, &todo)
        todo.updatedAt = self.stamp(.updated, row, of: table, order, &todo)
    }

    private mutating func readRepeat(_ text: String, _ name: String, _ todo: inout ImportedTask) {
        if ["no", "none", "never", "false", "0", "-"].contains(text.lowercased()) { return }
        let phrase =
            self.context.phrase(text) ?? (NumberText.isDigits(text) ? nil : self.context.phrase("every \(text)"))
        if let rule = try? RecurrenceRule(wire: text.uppercased()) {
            todo.rule = rule
        } else if let rule = TaskwarriorRecurrence.rule(text) {
            todo.rule = rule
        } else if let rule = phrase?.rule {
            todo.rule = rule
            todo.due = phrase?.due
            if phrase?.skipsDates ?? false { self.findings.add(.datesSkipped, of: todo, name, words: text) }
        } else {
            self.findings.add(.badRepeat, of: todo, name, words: text)
            todo.cannotRead(.rrule)
            todo.add(note: "\(name): \(text)")
        }
    }

    /// Parses a date, with or without a time; an unreadable date goes to the notes.
    private mutating func moment(
        _ text: String,
        _ name: String,
        _ order: DateOrder,
        _ todo: inout ImportedTask
    ) -> CalendarDateOrDateTime? {
        if let moment = self.moment(text, order) ?? self.context.phrase(text.lowercased())?.due { return moment }
        self.findings.add(.badDate, of: todo, name, words: text)
        todo.add(note: "\(name): \(text)")
        return nil
    }

    private func moment(_ text: String, _ order: DateOrder) -> CalendarDateOrDateTime? {
        if let moment = self.context.moment(text, zone: self.context.localZone) { return moment }
        let parts = text.split(maxSplits: 1, whereSeparator: { $0.isWhitespace || $0 == "T" })
        guard let date = parts.first.flatMap({ order.date(String($0)) }) else { return nil }
        guard parts.count == 2 else { return .date(date) }
        return ImportContext.time(String(parts[1])).map {
            .dateTime(CalendarDateTime(date: date, time: $0, zone: self.context.localZone))
        }
    }

    private mutating func stamp(
        _ column: TaskColumn,
        _ row: TableRow,
        of table: NamedTable,
        _ order: DateOrder,
        _ todo: inout ImportedTask
    ) -> Instant? {
        guard let text = table.field(column, of: row) else { return nil }
        return self.moment(text, table.spelling(column), order, &todo).flatMap { self.instant($0) }
    }

    /// The instant of a time; of a date, its noon in the local zone, so that the date stays the same.
    func instant(_ moment: CalendarDateOrDateTime) -> Instant? {
        switch moment {
        case .dateTime(let time): self.context.instant(of: time)
        case .date(let date):
            self.context.instant(date, ClockTime(secondsOfDay: 12 * 3600), zone: self.context.localZone)
        }
    }

    private mutating func readState(
        _ row: TableRow,
        of table: NamedTable,
        _ order: DateOrder,
        _ todo: inout ImportedTask
    ) {
        todo.completedAt = self.stamp(.completed, row, of: table, order, &todo)
        if todo.completedAt != nil { todo.status = .completed }
        if let text = table.field(.percent, of: row) {
            todo.percent = OutlookShare.percent(text)
            if todo.percent == nil { self.keep(unknown: text, program: "TABLE", as: "percent", &todo) }
            if todo.percent == 100 { todo.status = .completed }
        }
        guard let text = table.field(.status, of: row) else { return }
        switch FieldName.normal(text) {
        case "done", "completed", "complete", "yes", "y", "true", "1", "x", "closed", "finished", "checked":
            todo.status = .completed
        case "cancelled", "canceled", "wontdo": todo.status = .cancelled
        case "inprogress", "inprocess", "started", "doing": todo.status = .inProgress
        case "pending", "open", "todo", "no", "n", "false", "0", "notstarted", "needsaction", "new", "incomplete":
            break
        case "" where ["✓", "✔", "☑", "✅"].contains(text): todo.status = .completed
        case "" where ["☐", "-"].contains(text): break
        default:
            // Some programs write the time of the completion into this column.
            if let moment = self.moment(text, order) {
                todo.completedAt = todo.completedAt ?? self.instant(moment)
                todo.status = .completed
            } else {
                self.keep(unknown: text, program: "TABLE", as: "status", &todo)
                todo.cannotReadState()
            }
        }
    }
}
