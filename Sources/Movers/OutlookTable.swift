import ICalendar
import Reminders

// Outlook's tasks, exported as comma separated values; the columns are those of its English form.
extension MoverBuilder {
    private static let outlookColumns: Set = [
        "subject", "startdate", "duedate", "reminderonoff", "reminderdate", "remindertime", "datecompleted", "complete",
        "categories", "notes", "priority", "status",
    ]

    mutating func readOutlook(_ table: Table) {
        let dateColumns = ["Start Date", "Due Date", "Reminder Date", "Date Completed"]
        let texts = table.rows.flatMap { row in dateColumns.compactMap { table.field($0, of: row) } }
        let order = DateOrder(texts)
        if order.isGuess, let first = table.rows.first { self.findings.add(.datesAmbiguous, line: first.line) }
        for row in table.rows {
            guard let subject = table.field("Subject", of: row), let title = MovedTodo.title(subject) else {
                self.leaveOut(.missingTitle, line: row.line)
                continue
            }
            let dates = dateColumns.prefix(2).map { table.field($0, of: row) ?? "" }
            let uid = self.uid(ofText: ([title] + dates).joined(separator: "\n"))
            self.add(self.outlookTask(row, of: table, MovedTodo(line: row.line, uid: uid, title: title), order))
        }
    }

    private mutating func outlookTask(
        _ row: TableRow,
        of table: Table,
        _ empty: MovedTodo,
        _ order: DateOrder
    ) -> MovedTodo {
        var todo = empty
        todo.add(note: table.field("Notes", of: row) ?? "")
        let categories = table.field("Categories", of: row) ?? ""
        for category in categories.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            todo.add(label: String(category))
        }
        switch table.field("Priority", of: row)?.trimmed.lowercased() {
        case "high": todo.priority = .high
        case "low": todo.priority = .low
        default: break
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
        let status = table.field("Status", of: row)?.trimmed.lowercased() ?? ""
        if todo.completedAt != nil || share == 100 || status == "completed" {
            todo.status = .completed
        } else if status == "in progress" || share.map({ $0 > 0 }) ?? false {
            todo.status = .inProgress
        } else if !["", "not started", "0", "2"].contains(status) {
            todo.keep(status, program: "OUTLOOK", as: "STATUS")
        }
        todo.percent = share
        todo.alarms = []
        if ["true", "1", "yes", "on"].contains(table.field("Reminder On/Off", of: row)?.trimmed.lowercased() ?? ""),
            let day = date("Reminder Date")
        {
            let text = table.field("Reminder Time", of: row)
            if let time = text.map({ MoverContext.time($0) }) ?? ClockTime(secondsOfDay: 0),
                let instant = self.context.instant(day, time, zone: zone)
            {
                todo.alarms = [.absolute(instant)]
            } else {
                self.findings.add(.badReminder, line: row.line, "Reminder Time")
                todo.add(note: "Outlook, reminder: \(day) \(text ?? "")")
            }
        }
        for (name, text) in table.others(row, than: Self.outlookColumns)
        where !["false", "0", "normal"].contains(text.trimmed.lowercased()) {
            todo.keep(text, program: "OUTLOOK", as: name)
        }
        return todo
    }
}

/// In which order a file writes day, month and year.
struct DateOrder: Hashable, Sendable {
    private let isDayFirst: Bool
    /// Whether nothing in the file says which is which.
    let isGuess: Bool

    /// Tells it by all dates of a file: 13 and more are days, and dots stand in countries that begin with the day.
    init(_ texts: [String]) {
        let parts = texts.compactMap(Self.numbers)
        let isDotted = texts.contains { $0.contains(".") }
        let isDayFirst = parts.contains { $0[0] > 12 && $0[0] <= 31 }
        let isMonthFirst = parts.contains { $0[1] > 12 && $0[0] <= 12 }
        self.isDayFirst = !isMonthFirst && (isDayFirst || isDotted)
        let isOpen = parts.contains { $0[0] <= 31 && $0[0] != $0[1] }
        self.isGuess = isOpen && !isDayFirst && !isMonthFirst && !isDotted
    }

    /// The day; `nil` when it is none.
    func date(_ text: String) -> CalendarDate? {
        guard let numbers = Self.numbers(text) else { return nil }
        if numbers[0] > 31 { return CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]) }
        let year = numbers[2] < 100 ? 2000 + numbers[2] : numbers[2]
        let (month, day) = self.isDayFirst ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
        return CalendarDate(year: year, month: month, day: day)
    }

    /// Three numbers with slashes, dots or hyphens between; a time behind them does not count.
    private static func numbers(_ text: String) -> [Int]? {
        let day = text.trimmed.prefix { $0 != " " && $0 != "T" }
        let parts = day.split { $0 == "/" || $0 == "." || $0 == "-" }
        let numbers = parts.compactMap { NumberText.digits($0) }
        return numbers.count == 3 && parts.count == 3 ? numbers : nil
    }
}

/// How much is done: Outlook writes `0.5` or `50`.
enum OutlookShare {
    /// 0 to 100; `nil` for what is no number.
    static func percent(_ text: String) -> Int? {
        let clean = text.trimmed.replacing("%", with: "").replacing(",", with: ".")
        guard clean.utf8.count <= 16, clean.utf8.allSatisfy({ $0.isDecimalDigit || $0 == UInt8(ascii: ".") }),
            let number = Double(clean), number <= 100
        else { return nil }
        return Int((number <= 1 ? number * 100 : number).rounded())
    }
}
