import RemindavICalendar
import RemindavReminders

extension TaskFormat {
    /// The tasks of Outlook in its export to a file with comma separated values.
    package static let outlookCSV = Self(
        "outlook-csv",
        properties: [.dtstart, .percentComplete],
        .table(detect: { $0.isSuperset(of: ["subject", "duedate", "priority"]) }, read: { $0.readOutlook($1) })
    )
}

// Reads an Outlook export with English column names.
extension ImportedTaskBuilder {
    private static let outlookColumns: Set = [
        "subject", "startdate", "duedate", "reminderonoff", "reminderdate", "remindertime", "datecompleted", "complete",
        "categories", "notes", "priority", "status",
    ]

    mutating func readOutlook(_ table: Table) {
        let dateColumns = OutlookField.dateColumns
        let dates = table.rows.flatMap { row in
            dateColumns.compactMap { name in table.field(name, of: row).map { (line: row.line, text: $0) } }
        }
        guard let order = self.dateOrder(of: dates) else { return }
        let header = table.header(spelledAs: OutlookField.columns)
        for row in table.rows {
            let hasContent = ["Notes", "Due Date", "Start Date"].contains { table.field($0, of: row) != nil }
            guard let title = self.title(table.field("Subject", of: row), hasContent: hasContent, line: row.line)
            else { continue }
            let dates = dateColumns.prefix(2).map { table.field($0, of: row) ?? "" }
            let uid = self.uid(ofText: ([title] + dates).joined(separator: "\n"))
            var todo = ImportedTask(line: row.line, uid: uid, title: title)
            todo.record = [table.object(row, header)]
            self.add(self.outlookTask(row, of: table, todo, order))
        }
    }

    private mutating func outlookTask(
        _ row: TableRow,
        of table: Table,
        _ empty: ImportedTask,
        _ order: DateOrder
    ) -> ImportedTask {
        var todo = empty
        todo.add(note: table.field("Notes", of: row) ?? "")
        let categories = table.field("Categories", of: row) ?? ""
        for category in categories.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            todo.add(label: String(category))
        }
        switch table.field("Priority", of: row)?.trimmingWhiteSpace.lowercased() {
        case "high": todo.priority = .high
        case "low": todo.priority = .low
        case "normal", nil: break
        case let other?: self.keep(unknown: other, program: "OUTLOOK", as: "Priority", &todo)
        }
        func date(_ column: String) -> CalendarDate? {
            guard let text = table.field(column, of: row) else { return nil }
            if let date = order.date(text) { return date }
            self.findings.add(.badDate, line: row.line, column)
            todo.add(note: "Outlook, \(column): \(text)")
            return nil
        }
        todo.due = date("Due Date").map { .date($0) }
        todo.start = date("Start Date").map { .date($0) }
        let zone = self.context.localZone
        todo.completedAt = date("Date Completed").flatMap { day in
            self.context.instant(day, ClockTime(secondsOfDay: 12 * 3600), zone: zone)
        }
        let share = OutlookShare.percent(table.field("% Complete", of: row) ?? "")
        let status = table.field("Status", of: row)?.trimmingWhiteSpace.lowercased() ?? ""
        if todo.completedAt != nil || share == 100 || ["completed", "complete"].contains(status) {
            todo.status = .completed
        } else if status == "in progress" || share.map({ $0 > 0 }) ?? false {
            todo.status = .inProgress
        } else if ["waiting on someone else", "deferred"].contains(status) {
            todo.keep(status, program: "OUTLOOK", as: "STATUS")
        } else if !["", "not started", "0", "2"].contains(status) {
            self.keep(unknown: status, program: "OUTLOOK", as: "Status", &todo)
        }
        todo.percent = share
        if share == nil, let text = table.field("% Complete", of: row) {
            self.keep(unknown: text, program: "OUTLOOK", as: "Complete", &todo)
        }
        todo.alarms = []
        let isOn = table.field("Reminder On/Off", of: row)?.trimmingWhiteSpace.lowercased() ?? ""
        if ["true", "1", "yes", "on"].contains(isOn), let day = date("Reminder Date") {
            let text = table.field("Reminder Time", of: row)
            if let time = text.map({ ImportContext.time($0) }) ?? ClockTime(secondsOfDay: 0),
                let instant = self.context.instant(day, time, zone: zone)
            {
                todo.alarms = [.absolute(instant)]
            } else {
                self.findings.add(.badReminder, line: row.line, "Reminder Time")
                todo.add(note: "Outlook, reminder: \(day) \(text ?? "")")
            }
        }
        for (name, text) in table.others(row, than: Self.outlookColumns)
        where !["false", "0", "normal"].contains(text.trimmingWhiteSpace.lowercased()) {
            todo.keep(text, program: "OUTLOOK", as: name)
        }
        return todo
    }
}

enum OutlookShare {
    /// The percentage from 0 to 100 of `0.5` or `50`; `nil` for any other text.
    static func percent(_ text: String) -> Int? {
        let clean = text.trimmingWhiteSpace.replacing("%", with: "").replacing(",", with: ".")
        guard clean.utf8.count <= 16, clean.utf8.allSatisfy({ $0.isDecimalDigit || $0 == UInt8(ascii: ".") }),
            let number = Double(clean), number <= 100
        else { return nil }
        return Int((number <= 1 ? number * 100 : number).rounded())
    }
}
