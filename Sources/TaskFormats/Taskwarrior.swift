import RemindavICalendar
import RemindavJSON
import RemindavReminders

extension TaskFormat {
    /// The output of Taskwarrior's command `task export`.
    package static let taskwarrior = Self(
        "taskwarrior",
        properties: [.rrule, .repeatFrom, .dtstart],
        relations: ["DEPENDS-ON", "PARENT"],
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
    /// Reads the tasks of an export; ``TaskwarriorSeries`` assigns the tasks to reminders.
    mutating func readTaskwarrior(_ nodes: [JSONValue]) {
        var tasks: [TaskwarriorTask] = []
        for object in nodes.flatMap({ $0.array ?? [$0] }).map(\.object) {
            guard let object else {
                self.leaveOut(.badRow, line: 1)
                continue
            }
            if let task = self.taskwarriorTask(object) { tasks.append(task) }
        }
        self.add(tasks)
    }

    private mutating func taskwarriorTask(_ object: JSONObject) -> TaskwarriorTask? {
        var members = Members(object)
        let line = object.line
        let status = members.text("status") ?? "pending"
        let isDeleted = status == TaskwarriorTask.deleted
        let known = isDeleted ? self.findings : nil
        // Of a deleted task, only the identifier and the time of the deletion are used.
        defer { if let known { self.findings = known } }
        guard let description = members.text("description"), let title = ImportedTask.title(description) else {
            self.leaveOut(.missingTitle, line: line)
            return nil
        }
        let uuid = members.text("uuid")
        let id = uuid ?? "\(members.text("entry") ?? "")\n\(title)"
        let uid = self.ownUID(&members)
        var todo = ImportedTask(
            line: line,
            uid: uid ?? (uuid == nil ? self.uid(ofText: id) : self.uid(id)),
            title: title
        )
        todo.record = [object.removing(TaskwarriorTask.computed)]
        todo.exported = members.text(TaskRecord.baseMember).flatMap { TaskRecord(base: $0, self.format) }
        self.readDates(&members, &todo)
        self.readWords(&members, &todo)
        switch status {
        case "completed": todo.status = .completed
        case _ where todo.extra.contains { $0.name == TaskwarriorTask.startProperty }: todo.status = .inProgress
        default: todo.status = .pending
        }
        let task = TaskwarriorTask(
            id: id,
            parent: members.text("parent"),
            isTemplate: status == TaskwarriorTask.template,
            isDeleted: isDeleted,
            place: members.text("imask").flatMap(TaskwarriorTask.place),
            mask: members.text("mask") ?? "",
            todo: todo
        )
        // Taskwarrior computes these values or counts occurrences with them, so they are not stored.
        members.pass("id", "urgency", "rtype", "template", "last")
        members.pass(TaskRecord.repeatMember, TaskRecord.repeatFromMember)
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
        } else if let rule = self.ownRule(&members) {
            todo.rule = rule
            todo.isOneDate = true
            if rule.frequency < .daily { todo.due = due.map { self.context.time($0) } }
        }
        guard let until else { return }
        if todo.completedAt == nil {
            self.findings.add(.endsThere, of: todo, "until", words: self.context.dayOrTime(until).day.description)
        }
        todo.keep(until.wire, program: "TASKWARRIOR", as: "UNTIL")
    }

    /// The rule that an export wrote because `recur` cannot express it; `nil` if there is none.
    private func ownRule(_ members: inout Members) -> RecurrenceRule? {
        let counts = members.text(TaskRecord.repeatFromMember)?.lowercased() == RecurrenceRule.completionWord
        guard let rule = members.text(TaskRecord.repeatMember).flatMap({ try? RecurrenceRule(wire: $0) }) else {
            return nil
        }
        return counts ? rule.countedFromCompletion() ?? rule : rule
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
        let created = todo.createdAt
        let undated = TaskwarriorAnnotation.undated(members.text(TaskRecord.undatedMember))
        let annotations = members.objects("annotations").compactMap {
            TaskwarriorAnnotation($0, self.context)?.note(ofTask: created, undated: undated)
        }
        todo.add(note: annotations.joined(separator: "\n"))
        // `depends` is an array since version 2.6, and was a text with commas before.
        let listed = members.texts("depends")
        let depends = listed.isEmpty ? members.text("depends")?.split(separator: ",").map(String.init) ?? [] : listed
        todo.dependencies = depends.map { self.uid($0.trimmingWhiteSpace) }
        todo.parent = members.text(TaskRecord.parentMember).flatMap(ImportedTask.word)
    }
}

/// A task with the Taskwarrior identifiers of the task and of its template.
struct TaskwarriorTask {
    let id: String
    let parent: String?
    let isTemplate: Bool
    let isDeleted: Bool
    /// The place of the occurrence in its series, counted from 0; `nil` if the file does not state it.
    let place: Int?
    /// A character for each occurrence that Taskwarrior made of the template, such as `-` for an open one.
    let mask: String
    var todo: ImportedTask

    /// The place in `imask`; Taskwarrior writes `2.000000` after an import.
    static func place(_ text: String) -> Int? { NumberText.digits(text.prefix { $0 != "." }) }

    /// The property with the time since which the task is in progress.
    static let startProperty = Name("X-TASKWARRIOR-START") ?? .comment
    /// The status of the template of a series.
    static let template = "recurring"
    static let deleted = "deleted"
    /// The characters in ``mask`` of a completed and of a deleted occurrence.
    static let closedMarks: Set = [UInt8(ascii: "+"), UInt8(ascii: "X")]
    /// The members that Taskwarrior computes for each export.
    static let computed: Set = ["id", "urgency"]
}

struct TaskwarriorAnnotation {
    /// The time in Taskwarrior's form; `nil` if the file does not state it.
    let entry: String?
    let text: String
    let instant: Instant?

    init?(_ object: JSONObject, _ context: ImportContext) {
        guard let text = object["description"]?.scalar else { return nil }
        self.text = text
        self.entry = object["entry"]?.scalar
        self.instant = self.entry.flatMap { context.instant($0) }
    }

    /// The seconds after the creation of a task in which its annotations have no date in the notes.
    ///
    /// An export of an older version wrote notes without dates as annotations of these seconds.
    private static let undatedSeconds = 60

    /// The times of the annotations without a date in the notes, from a text that an export wrote.
    static func undated(_ text: String?) -> Set<Instant> {
        Set((text ?? "").split(separator: ",").compactMap { Instant(wire: String($0)) })
    }

    /// The text for the notes.
    func note(ofTask created: Instant?, undated: Set<Instant>) -> String {
        guard let instant = self.instant, !undated.contains(instant) else { return self.text }
        let age = created.map { instant.secondsSince1970 - $0.secondsSince1970 } ?? -1
        if (0..<Int64(Self.undatedSeconds)).contains(age) { return self.text }
        return "\(CalendarDateTime(utc: instant).date): \(self.text)"
    }
}

extension NumberText {
    /// The number in nine to eleven digits, in seconds since 1970; `nil` for any other text.
    fileprivate static func seconds(_ text: String) -> Int64? {
        (9...11).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDecimalDigit) ? Int64(text) : nil
    }
}
