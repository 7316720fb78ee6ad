import RemindavICalendar
import RemindavJSON
import RemindavReminders

extension TaskFormat {
    /// The tasks in the JSON of Todoist's Sync or REST interface.
    package static let todoistJSON = Self(
        "todoist-json",
        properties: [.rrule, .repeatFrom],
        relations: ["PARENT"],
        .json(
            detect: { names in
                names.contains("content")
                    && !names.isDisjoint(with: ["projectid", "iscompleted", "checked", "priority"])
            },
            read: { $0.readTodoist($1) }
        )
    )
}

// Reads Todoist's JSON: developer.todoist.com, the items of Sync and the tasks of REST (versions 2 and 1).
extension ImportedTaskBuilder {
    mutating func readTodoist(_ nodes: [JSONValue]) {
        var tasks: [JSONValue] = []
        var around = TodoistContext()
        for node in nodes {
            guard let object = node.object else {
                tasks += node.array ?? []
                continue
            }
            let lists = ["items", "results", "tasks"].compactMap { object[$0]?.array }
            tasks += lists.isEmpty ? [node] : Array(lists.joined())
            around.add(object)
        }
        for task in tasks {
            guard let object = task.object else {
                self.leaveOut(.badRow, line: 1)
                continue
            }
            self.readTodoistTask(object, &around)
        }
    }

    private mutating func readTodoistTask(_ object: JSONObject, _ around: inout TodoistContext) {
        var members = Members(object)
        if members.isTrue("is_deleted") {
            self.leftOut += 1
            return
        }
        guard let content = members.text("content"), let title = ImportedTask.title(content) else {
            return self.leaveOut(.missingTitle, line: object.line)
        }
        let id = members.text("id")
        var todo = ImportedTask(
            line: object.line,
            uid: id.map { self.uid($0) } ?? self.uid(ofText: title),
            title: title
        )
        todo.add(note: members.text("description") ?? "")
        for label in members.texts("labels") { todo.add(label: label) }
        for (kind, names) in [("section", around.sections), ("project", around.projects)] {
            guard let own = members.text("\(kind)_id") else { continue }
            // The inbox contains tasks without a project. `TodoistContext` gives it an empty name, so it adds no label.
            if let name = names[own] {
                if kind == "project" { self.place(name, &todo) } else { todo.add(label: name) }
            } else {
                todo.keep(own, program: "TODOIST", as: "\(kind)-id")
            }
        }
        switch members.text("priority") {
        case "4": todo.priority = .high
        case "3": todo.priority = .medium
        case "2": todo.priority = .low
        case "1", nil: break
        case let other?:
            self.keep(unknown: other, program: "TODOIST", as: "priority", &todo)
            todo.cannotRead(.priority)
        }
        todo.parent = members.text("parent_id").map { self.uid($0) }
        self.readState(&members, &todo)
        self.readDue(&members, &todo)
        // The comments are removed from the context, so a second task with the same identifier does not get them again.
        for comment in id.flatMap({ around.comments.removeValue(forKey: $0) }) ?? [] { todo.add(note: comment) }
        if let id, let reminders = around.reminders.removeValue(forKey: id) { self.read(reminders, &todo) }
        todo.lines[.url] = members.text("url")
        members.pass(
            "user_id",
            "creator_id",
            "added_by_uid",
            "child_order",
            "order",
            "day_order",
            "comment_count",
            "note_count",
            "v2_id",
            "v2_project_id",
            "v2_section_id",
            "v2_parent_id",
            "sync_id",
            "in_history",
            "has_more_notes"
        )
        for (name, text) in members.others { todo.keep(text, program: "TODOIST", as: name) }
        self.add(todo)
    }

    private mutating func readState(_ members: inout Members, _ todo: inout ImportedTask) {
        let done = self.stamp(members.text("completed_at", "date_completed"), "completed_at", &todo)
        if members.isTrue("checked", "is_completed", "is_archived") || done != nil { todo.status = .completed }
        todo.completedAt = done
        todo.createdAt = self.stamp(members.text("added_at", "created_at", "date_added"), "added_at", &todo)
        let updated = self.stamp(members.text("updated_at"), "updated_at", &todo)
        // An older API states no modification time, so the later of the completion and the creation is used.
        todo.updatedAt = updated ?? [done, todo.createdAt].compactMap { $0 }.max()
    }

    private mutating func stamp(_ text: String?, _ name: String, _ todo: inout ImportedTask) -> Instant? {
        guard let text else { return nil }
        if let instant = self.context.instant(text) { return instant }
        self.findings.add(.badDate, line: todo.line, name)
        todo.add(note: "Todoist, \(name): \(text)")
        return nil
    }

    private mutating func readDue(_ members: inout Members, _ todo: inout ImportedTask) {
        let deadline = members.members("deadline").flatMap { deadline -> String? in
            var deadline = deadline
            return deadline.text("date")
        }
        guard var due = members.members("due") else {
            if let deadline { self.read(deadline, "deadline", language: "en", zone: nil, &todo) }
            return
        }
        let zone = due.text("timezone")
        let words = due.text("string")
        let language = due.text("lang")
        if let date = due.text("datetime", "date") {
            self.read(date, "due", language: "none", zone: zone, &todo)
        } else if let words {
            self.read(words, "due", language: language, zone: zone, &todo)
        }
        if let deadline {
            if todo.due == nil {
                self.read(deadline, "deadline", language: "en", zone: nil, &todo)
            } else {
                self.add(deadline: deadline, "deadline", to: &todo)
            }
        }
        guard due.isTrue("is_recurring"), todo.rule == nil else { return }
        // The date was read above, but the rule is only in the text.
        let isEnglish = language.map { $0.lowercased().hasPrefix("en") } ?? true
        if isEnglish, let words, let rule = self.phrase(words, &todo)?.rule {
            todo.rule = rule
        } else {
            self.findings.add(.phraseNotUnderstood, of: todo, "due", words: words)
            todo.cannotRead(.rrule)
            todo.add(note: "Todoist, due: \(words ?? "")")
        }
    }

    private mutating func read(_ reminders: [JSONObject], _ todo: inout ImportedTask) {
        todo.alarms = []
        for object in reminders {
            var reminder = Members(object)
            if reminder.isTrue("is_deleted") { continue }
            if let minutes = reminder.text("minute_offset", "mm_offset").flatMap(NumberText.digits) {
                todo.alarms?.append(.relative(CalendarDuration(days: 0, seconds: -60 * minutes), to: .end))
            } else if var due = reminder.members("due"), let text = due.text("datetime", "date"),
                let instant = self.context.instant(
                    text,
                    zone: due.text("timezone").flatMap { self.context.zone($0) } ?? self.context.localZone
                )
            {
                todo.alarms?.append(.absolute(instant))
            } else {
                self.findings.add(.badReminder, line: object.line)
                todo.cannotRead(.valarm)
                todo.add(note: "Todoist, reminder: \(JSONValue.object(object).text)")
            }
        }
    }
}

/// The data of a Sync response besides the tasks; the keys are Todoist's identifiers.
private struct TodoistContext {
    var projects: [String: String] = [:]
    var sections: [String: String] = [:]
    /// The comments of each task in the order of the response.
    var comments: [String: [String]] = [:]
    var reminders: [String: [JSONObject]] = [:]

    mutating func add(_ object: JSONObject) {
        for project in object["projects"]?.array?.compactMap(\.object) ?? [] {
            var project = Members(project)
            let isInbox = project.isTrue("inbox_project", "is_inbox_project")
            if let id = project.text("id"), let name = project.text("name") { self.projects[id] = isInbox ? "" : name }
        }
        for section in object["sections"]?.array?.compactMap(\.object) ?? [] {
            var section = Members(section)
            if let id = section.text("id"), let name = section.text("name") { self.sections[id] = name }
        }
        for note in (object["notes"]?.array ?? object["comments"]?.array ?? []).compactMap(\.object) {
            var note = Members(note)
            guard let id = note.text("item_id", "task_id"), let text = note.text("content") else { continue }
            self.comments[id, default: []].append(text)
        }
        for reminder in object["reminders"]?.array?.compactMap(\.object) ?? [] {
            var members = Members(reminder)
            if let id = members.text("item_id", "task_id") { self.reminders[id, default: []].append(reminder) }
        }
    }
}
