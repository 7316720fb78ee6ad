import RemindavICalendar
import RemindavReminders

extension TaskFormat {
    /// The text of todo.txt programs (github.com/todotxt/todo.txt), with one task per line.
    package static let todoTxt = Self(
        "todotxt",
        properties: [.rrule, .repeatFrom, .dtstart],
        .lines(
            detect: { beginning in
                let name = beginning.name?.lowercased() ?? ""
                if name.hasSuffix("todo.txt") || name.hasSuffix("done.txt") { return !beginning.lines.isEmpty }
                // A text without a name must begin with a mark; in a file .txt, any of the first lines may have one.
                let lines = beginning.name == nil ? beginning.lines.prefix(1) : beginning.lines[...]
                guard beginning.name == nil || beginning.suffix == "txt" else { return false }
                return lines.contains { TodoTxtLine(String($0)).hasMarkAtItsBeginning }
            },
            read: { $0.readTodoTxt($1) }
        )
    )
}

extension ImportedTaskBuilder {
    /// The name of the property with the original line, from which an export of an unchanged reminder is made.
    static let todoTxtLine = "LINE"

    mutating func readTodoTxt(_ lines: [TextLine]) {
        for line in lines { self.readTodoTxt(line) }
    }

    private mutating func readTodoTxt(_ line: TextLine) {
        guard line.text.utf8.count <= self.context.limits.fieldBytes else {
            return self.leaveOut(.fieldTooLong, line: line.line)
        }
        let parts = TodoTxtLine(line.text)
        guard let title = ImportedTask.title(parts.title) else { return self.leaveOut(.missingTitle, line: line.line) }
        // A completed occurrence of a repeated task differs from the open one only by its dates.
        let dates = [parts.createdOn, parts.completedOn].map { $0?.description ?? "" }
        let uid = self.uid(ofText: ([self.short(title)] + dates).joined(separator: "\n"))
        var todo = ImportedTask(line: line.line, uid: uid, title: title)
        todo.todoTxt = parts
        if parts.isCompleted {
            todo.uidWhenOpen = self.uid(ofFirst: [self.short(title), dates[0], ""].joined(separator: "\n"))
        }
        // A reminder has one list, so further projects are labels in any case.
        if let project = parts.projects.first { self.place(project, &todo) }
        for project in parts.projects.dropFirst() { todo.add(label: project) }
        for context in parts.contexts { todo.add(label: context) }
        todo.priority = TodoTxtLine.priority(parts.priority)
        todo.status = parts.isCompleted ? .completed : .pending
        todo.completedAt = parts.completedOn.flatMap { self.instant(.date($0)) }
        todo.createdAt = parts.createdOn.flatMap { self.instant(.date($0)) }
        if let text = parts.values[.due] {
            todo.due = self.moment(text, .due, &todo)
            if todo.due == nil { todo.cannotRead(.due) }
        }
        if let text = parts.values[.threshold] {
            todo.start = self.moment(text, .threshold, &todo)
            if todo.start == nil { todo.cannotRead(.dtstart) }
        }
        if let text = parts.values[.recurrence] {
            self.readRecurrence(text, &todo)
        } else {
            todo.rule = parts.values[.rule].flatMap { try? RecurrenceRule(wire: $0) }
        }
        todo.keep(line.text.trimmingWhiteSpace, program: "TODOTXT", as: Self.todoTxtLine)
        self.add(todo)
    }

    private mutating func moment(_ text: String, _ key: TodoTxtLine.Key, _ todo: inout ImportedTask)
        -> CalendarDateOrDateTime?
    {
        if let moment = self.context.moment(text, zone: self.context.localZone) { return moment }
        self.findings.add(.badDate, of: todo, key.rawValue, words: text)
        todo.add(note: "todo.txt, \(key.rawValue): \(text)")
        return nil
    }

    private mutating func readRecurrence(_ text: String, _ todo: inout ImportedTask) {
        let isStrict = text.hasPrefix("+")
        guard let rule = TodoTxtRecurrence.rule(isStrict ? String(text.dropFirst()) : text) else {
            self.findings.add(.badRepeat, of: todo, "rec", words: text)
            todo.cannotRead(.rrule)
            return todo.add(note: "todo.txt, rec: \(text)")
        }
        todo.rule = isStrict ? rule : rule.countedFromCompletion() ?? rule
        if !isStrict, todo.rule == rule { self.findings.add(.repeatsAfterCompletion, of: todo, "rec", words: text) }
    }
}

/// Converts the periods of the key `rec`: a number and one of d, b (business days), w, m and y.
enum TodoTxtRecurrence {
    private static let units: [(letter: Character, frequency: RecurrenceRule.Frequency)] = [
        ("d", .daily), ("w", .weekly), ("m", .monthly), ("y", .yearly),
    ]
    /// The maximum number of units.
    private static let maximumCount = 1000

    /// The rule of a text without a plus sign; `nil` for an unknown text.
    static func rule(_ text: String) -> RecurrenceRule? {
        guard let letter = text.last else { return nil }
        let digits = text.dropLast()
        let count = digits.isEmpty ? 1 : NumberText.digits(digits) ?? 0
        guard (1...self.maximumCount).contains(count) else { return nil }
        if letter == "b", count == 1 {
            var rule = RecurrenceRule(frequency: .daily)
            rule.byDay = Weekday.workdays.map { .init(weekday: $0) }
            return rule
        }
        let unit = self.units.first { $0.letter == letter }
        return unit.map { RecurrenceRule(frequency: $0.frequency, interval: count) }
    }

    /// The text of a rule, such as `+1w`, or `1w` from the completion; `nil` if the format cannot express the rule.
    static func text(_ rule: RecurrenceRule, fromCompletion: Bool) -> String? {
        let plain = RecurrenceRule(frequency: rule.frequency, interval: rule.interval)
        if let unit = self.units.first(where: { $0.frequency == rule.frequency }), rule.wire == plain.wire {
            return "\(fromCompletion ? "" : "+")\(rule.interval)\(unit.letter)"
        }
        return rule.wire == self.rule("1b")?.wire ? "+1b" : nil
    }
}
