import ICalendar
import JSON
import Reminders

extension TaskFormat {
    /// The output of Taskwarrior's command `task export`.
    package static let taskwarrior = Self(
        "taskwarrior",
        properties: [.rrule, .dtstart],
        relations: ["DEPENDS-ON"],
        .json(
            detect: { names in
                names.contains("description") && (names.contains("uuid") || names.isSuperset(of: ["entry", "status"]))
            },
            read: { $0.readTaskwarrior($1) }
        )
    )
}

// Reads Taskwarrior's JSON: taskwarrior.org/docs/design/task.
extension ImportedTaskBuilder {
    /// Reads the tasks of an export.
    ///
    /// A template with the status `recurring` is a series, and its occurrences are tasks that name it as `parent`. If
    /// all open occurrences of a series have one title, they are left out, because the rule generates them. The series
    /// is due with its first open occurrence.
    mutating func readTaskwarrior(_ nodes: [JSONValue]) {
        var tasks: [TaskwarriorTask] = []
        for object in nodes.flatMap({ $0.array ?? [$0] }).map(\.object) {
            guard let object else {
                self.leaveOut(.badRow, line: 1)
                continue
            }
            if let task = self.taskwarriorTask(object) { tasks.append(task) }
        }
        var series: [String: OpenOccurrences] = [:]
        for (index, task) in tasks.enumerated() where !task.todo.status.isClosed {
            if let parent = task.parent { series[parent, default: OpenOccurrences()].add(task, at: index) }
        }
        let templates = Set(tasks.filter(\.isTemplate).map(\.id))
        for index in tasks.indices where tasks[index].isTemplate {
            // The series gets the dependencies of its first open occurrence.
            guard let first = series[tasks[index].id]?.first else { continue }
            tasks[index].todo.dependencies += tasks[first].todo.dependencies
        }
        self.name(dependenciesOf: &tasks, series, templates)
        for (index, task) in tasks.enumerated() {
            if task.isTemplate {
                self.add(self.series(task, series[task.id]))
            } else if let parent = task.parent, !task.todo.status.isClosed, let open = series[parent] {
                let isSeries = !templates.contains(parent) && open.first == index
                self.add(occurrence: task, of: open, asSeries: isSeries)
            } else if task.parent == nil, !task.todo.status.isClosed {
                // The task belongs to no series.
                self.add(task.todo)
            } else {
                self.add(self.withoutRule(task.todo))
            }
        }
    }

    /// In dependencies, replaces the UID of each occurrence that is not added itself by the UID of its series.
    private func name(
        dependenciesOf tasks: inout [TaskwarriorTask],
        _ series: [String: OpenOccurrences],
        _ templates: Set<String>
    ) {
        var names: [String: String] = [:]
        for (index, task) in tasks.enumerated() where !task.isTemplate && !task.todo.status.isClosed {
            guard let parent = task.parent, let open = series[parent] else { continue }
            let isSeries = !templates.contains(parent) && open.first == index
            if isSeries || open.titles.count == 1 { names[task.todo.uid] = self.uid(parent) }
        }
        for index in tasks.indices where tasks[index].todo.dependencies.contains(where: { names[$0] != nil }) {
            let own = names[tasks[index].todo.uid] ?? tasks[index].todo.uid
            var seen: Set = [own]
            tasks[index].todo.dependencies = tasks[index].todo.dependencies.map { names[$0] ?? $0 }
                .filter { seen.insert($0).inserted }
        }
    }

    /// The template as a pending task that is due with its first open occurrence.
    private func series(_ template: TaskwarriorTask, _ open: OpenOccurrences?) -> ImportedTask {
        var todo = template.todo
        todo.status = .pending
        if let due = open?.due { todo.due = due }
        return todo
    }

    /// Adds an open occurrence as the series if the file lacks the template (`isSeries`); otherwise leaves it out.
    ///
    /// But if the titles of the open occurrences differ, the occurrence is added as a task without a rule.
    private mutating func add(occurrence task: TaskwarriorTask, of open: OpenOccurrences, asSeries isSeries: Bool) {
        if isSeries, let parent = task.parent {
            var todo = task.todo.named(self.uid(parent))
            todo.status = task.todo.status
            return self.add(todo)
        }
        if open.titles.count == 1 {
            self.leftOut += 1
        } else {
            self.findings.add(.standsAlone, line: task.todo.line)
            self.add(self.withoutRule(task.todo))
        }
    }

    private func withoutRule(_ todo: ImportedTask) -> ImportedTask {
        var todo = todo
        todo.rule = nil
        return todo
    }

    private mutating func taskwarriorTask(_ object: JSONObject) -> TaskwarriorTask? {
        var members = Members(object)
        let line = object.line
        let status = members.text("status") ?? "pending"
        if status == "deleted" {
            self.leftOut += 1
            return nil
        }
        guard let description = members.text("description"), let title = ImportedTask.title(description) else {
            self.leaveOut(.missingTitle, line: line)
            return nil
        }
        let uuid = members.text("uuid")
        let id = uuid ?? "\(members.text("entry") ?? "")\n\(title)"
        var todo = ImportedTask(line: line, uid: uuid == nil ? self.uid(ofText: id) : self.uid(id), title: title)
        self.readDates(&members, &todo)
        self.readWords(&members, &todo)
        switch status {
        case "completed": todo.status = .completed
        case _ where todo.extra.contains { $0.name.canonical == "X-TASKWARRIOR-START" }: todo.status = .inProgress
        default: todo.status = .pending
        }
        let task = TaskwarriorTask(
            id: id,
            parent: members.text("parent"),
            isTemplate: status == "recurring",
            todo: todo
        )
        // Taskwarrior computes these values or counts occurrences with them, so they are not stored.
        members.pass("id", "urgency", "mask", "imask", "rtype", "template", "last")
        var kept = task
        for (name, text) in members.others { kept.todo.keep(text, program: "TASKWARRIOR", as: name) }
        return kept
    }

    private mutating func readDates(_ members: inout Members, _ todo: inout ImportedTask) {
        todo.createdAt = self.stamp("entry", &members, &todo)
        todo.updatedAt = self.stamp("modified", &members, &todo) ?? todo.createdAt
        todo.completedAt = self.stamp("end", &members, &todo)
        let due = self.stamp("due", &members, &todo)
        todo.due = due.map { self.context.dayOrTime($0) }
        let scheduled = self.stamp("scheduled", &members, &todo)
        let wait = self.stamp("wait", &members, &todo)
        todo.start = (scheduled ?? wait).map { self.context.dayOrTime($0) }
        if scheduled != nil, let wait { todo.keep(wait.wire, program: "TASKWARRIOR", as: "WAIT") }
        if let start = self.stamp("start", &members, &todo) {
            todo.keep(start.wire, program: "TASKWARRIOR", as: "START")
        }
        let until = self.stamp("until", &members, &todo)
        if let recur = members.text("recur") {
            if let rule = TaskwarriorRecurrence.rule(recur) {
                todo.rule = rule
                todo.rule?.until = until.map { .dateTime(CalendarDateTime(utc: $0)) }
                // An hourly rule needs a time, even if the due time is midnight.
                if rule.frequency < .daily { todo.due = due.map { self.context.time($0) } }
                return
            }
            // Each occurrence repeats `recur` of its series, so only the series gets the finding.
            if members.text("parent") == nil { self.findings.add(.badRepeat, of: todo, "recur", words: recur) }
            todo.cannotRead(.rrule)
            todo.add(note: "Taskwarrior, recur: \(recur)")
        }
        if let until { todo.keep(until.wire, program: "TASKWARRIOR", as: "UNTIL") }
    }

    private mutating func stamp(_ name: String, _ members: inout Members, _ todo: inout ImportedTask) -> Instant? {
        guard let text = members.text(name) else { return nil }
        // Versions before 1.9 wrote the seconds since 1970.
        if let seconds = text.utf8.count > 8 ? NumberText.seconds(text) : nil {
            return Instant(secondsSince1970: seconds)
        }
        if let instant = self.context.instant(text) { return instant }
        self.findings.add(.badDate, line: todo.line, name)
        switch name {
        case "due": todo.cannotRead(.due)
        case "scheduled", "wait": todo.cannotRead(.dtstart)
        default: break
        }
        todo.add(note: "Taskwarrior, \(name): \(text)")
        return nil
    }

    private mutating func readWords(_ members: inout Members, _ todo: inout ImportedTask) {
        for tag in members.texts("tags") { todo.add(label: tag) }
        if let project = members.text("project") { self.place(project, &todo) }
        switch members.text("priority")?.uppercased() {
        case "H": todo.priority = .high
        case "M": todo.priority = .medium
        case "L": todo.priority = .low
        case let other?: todo.keep(other, program: "TASKWARRIOR", as: "PRIORITY")
        case nil: break
        }
        var annotations: [String] = []
        for annotation in members.objects("annotations") {
            guard let text = annotation["description"]?.scalar else { continue }
            let day = annotation["entry"]?.scalar.flatMap { self.context.instant($0) }
                .map { CalendarDateTime(utc: $0).date.description + ": " }
            annotations.append("\(day ?? "")\(text)")
        }
        todo.add(note: annotations.joined(separator: "\n"))
        // `depends` is an array since version 2.6, and was a text with commas before.
        let listed = members.texts("depends")
        let depends = listed.isEmpty ? members.text("depends")?.split(separator: ",").map(String.init) ?? [] : listed
        todo.dependencies = depends.map { self.uid($0.trimmingWhiteSpace) }
    }
}

/// A task with the Taskwarrior identifiers of the task and of its template.
private struct TaskwarriorTask {
    let id: String
    let parent: String?
    let isTemplate: Bool
    var todo: ImportedTask
}

/// The open occurrences of one series: the earliest one, its due time, and all titles.
private struct OpenOccurrences {
    private(set) var first: Int?
    private(set) var due: CalendarDateOrDateTime?
    private(set) var titles: Set<String> = []

    mutating func add(_ task: TaskwarriorTask, at index: Int) {
        self.titles.insert(task.todo.title)
        let isEarlier = (task.todo.due?.localSeconds ?? .max) < (self.due?.localSeconds ?? .max)
        guard self.first == nil || isEarlier else { return }
        self.first = index
        self.due = task.todo.due
    }
}

extension ImportedTask {
    fileprivate func named(_ uid: String) -> ImportedTask {
        var todo = ImportedTask(line: self.line, uid: uid, title: self.title)
        for name in self.unread { todo.cannotRead(name) }
        todo.list = self.list
        todo.notes = self.notes
        todo.due = self.due
        todo.start = self.start
        todo.rule = self.rule
        for label in self.labels { todo.add(label: label) }
        todo.priority = self.priority
        todo.createdAt = self.createdAt
        todo.updatedAt = self.updatedAt
        todo.dependencies = self.dependencies
        todo.extra = self.extra
        return todo
    }
}

extension NumberText {
    /// The number in nine to eleven digits, in seconds since 1970; `nil` for any other text.
    fileprivate static func seconds(_ text: String) -> Int64? {
        (9...11).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDecimalDigit) ? Int64(text) : nil
    }
}

/// Converts the recurrence periods of Taskwarrior: taskwarrior.org/docs/durations.
enum TaskwarriorRecurrence {
    /// The rule of a text such as `weekly` or `P2W`; `nil` for an unknown text.
    static func rule(_ text: String) -> RecurrenceRule? {
        let text = text.trimmingWhiteSpace.lowercased()
        if text == "weekdays" {
            var rule = RecurrenceRule(frequency: .weekly)
            rule.byDay = [.monday, .tuesday, .wednesday, .thursday, .friday].map { .init(weekday: $0) }
            return rule
        }
        if let (frequency, interval) = self.words[text] {
            return RecurrenceRule(frequency: frequency, interval: interval)
        }
        if text.hasPrefix("p") { return self.iso(text.uppercased()) }
        let digits = text.prefix { ("0"..."9").contains($0) }
        let unit = String(text.dropFirst(digits.count)).trimmingWhiteSpace
        guard let (frequency, interval) = self.units[unit] else { return nil }
        let count = digits.isEmpty ? 1 : NumberText.digits(digits) ?? 0
        guard (1...self.maximumCount).contains(count) else { return nil }
        return RecurrenceRule(frequency: frequency, interval: count * interval)
    }

    /// The maximum interval in any unit.
    private static let maximumCount = 10_000

    private static let words: [String: (RecurrenceRule.Frequency, Int)] = [
        "hourly": (.hourly, 1), "daily": (.daily, 1), "weekly": (.weekly, 1), "biweekly": (.weekly, 2),
        "fortnight": (.weekly, 2), "monthly": (.monthly, 1), "bimonthly": (.monthly, 2), "quarterly": (.monthly, 3),
        "semiannual": (.monthly, 6), "annual": (.yearly, 1), "yearly": (.yearly, 1), "biannual": (.yearly, 2),
        "biyearly": (.yearly, 2),
    ]

    private static let units: [String: (RecurrenceRule.Frequency, Int)] = {
        let rows: [(RecurrenceRule.Frequency, Int, String)] = [
            (.minutely, 1, "minutes minute mins min"), (.hourly, 1, "hours hour hrs hr h"),
            (.daily, 1, "days day d"), (.weekly, 1, "weeks week wks wk w"),
            (.weekly, 2, "fortnights fortnight"), (.monthly, 1, "months month mnths mths mth mos mo m"),
            (.monthly, 3, "quarters quarter qrtrs qtrs qtr q"), (.yearly, 1, "years year yrs yr y"),
        ]
        return Dictionary(
            uniqueKeysWithValues: rows.flatMap { row in
                row.2.split(separator: " ").map { (String($0), (row.0, row.1)) }
            }
        )
    }()

    /// Converts `P2W`, `P3M` or `PT12H`, which have one number and one unit.
    private static func iso(_ text: String) -> RecurrenceRule? {
        let isTime = text.hasPrefix("PT")
        let body = text.dropFirst(isTime ? 2 : 1)
        guard let unit = body.last, let count = NumberText.digits(body.dropLast()),
            (1...self.maximumCount).contains(count)
        else { return nil }
        let frequency: RecurrenceRule.Frequency? =
            switch (unit, isTime) {
            case ("D", false): .daily
            case ("W", false): .weekly
            case ("M", false): .monthly
            case ("Y", false): .yearly
            case ("H", true): .hourly
            case ("M", true): .minutely
            default: nil
            }
        return frequency.map { RecurrenceRule(frequency: $0, interval: count) }
    }
}
