import RemindavICalendar
import RemindavJSON
import RemindavReminders

extension TaskFormat {
    private static let ownProperties = Set(
        [.rrule, .repeatFrom, .dtstart] + ReminderField.lineProperties.map(\.property)
    )

    /// The output of `remindav export --format json` and `remindav list --json`.
    package static let json = Self(
        "json",
        properties: ownProperties,
        relations: ["PARENT"],
        .json(
            // An export without reminders contains lists and labels, but no task to recognise.
            detect: {
                $0.isSuperset(of: ["uid", "title", "labels"]) || $0.isSuperset(of: ["lists", "labels", "reminders"])
            },
            read: { $0.readOwn($1) }
        )
    )

    /// The output of `remindav export --format csv`.
    package static let csv = Self(
        "csv",
        properties: ownProperties,
        relations: ["PARENT"],
        .table(detect: { $0.isSuperset(of: ["uid", "title", "status", "labels"]) }, read: { $0.readOwn($1) })
    )
}

extension ImportedTaskBuilder {
    /// The JSON members and columns with a single text.
    private static let ownNames =
        [
            "uid", "list", "title", "notes", "due", "dueZone", "start", "repeat", "repeatFrom", "status",
            "completedAt", "snoozedUntil", "priority", "parent", "createdAt", "updatedAt",
        ] + ReminderField.lines.map(\.name)

    mutating func readOwn(_ nodes: [JSONValue]) {
        for node in nodes.flatMap({ self.ownReminders($0) }) {
            guard let object = node.object else {
                self.leaveOut(.badRow, line: 1)
                continue
            }
            var members = Members(object)
            if let text = members.text("icalendar") {
                let list = Self.listName(members.text("list"))
                self.items.append(.calendar(Array(text.utf8), line: object.line, list: list))
                continue
            }
            var fields: [String: String] = [:]
            for name in Self.ownNames { fields[name] = members.text(name) }
            self.addOwn(fields, members.texts("labels"), members.texts("alarms"), line: object.line)
        }
    }

    /// The reminders of an export, an array or a single reminder; lists and labels of an export are read too.
    private mutating func ownReminders(_ node: JSONValue) -> [JSONValue] {
        guard let object = node.object, let reminders = object["reminders"]?.array else { return node.array ?? [node] }
        var members = Members(object)
        self.readLists(members.objects("lists"))
        self.readLabels(members.objects("labels"))
        return reminders
    }

    mutating func readOwn(_ table: Table) {
        // A rule needs a date, so without the column `due` the column `repeat` is ignored.
        let hasRules = table.has("due")
        for row in table.rows {
            func text(_ name: String) -> String? { table.field(name, of: row).map(TableText.restored) }
            var fields: [String: String] = [:]
            for name in Self.ownNames { fields[name] = text(name) }
            if !hasRules { fields["repeat"] = nil }
            let labels = text("labels").map { TextValue.split($0) } ?? []
            let alarms = text("alarms").map { TextValue.split($0) } ?? []
            self.addOwn(fields, labels, alarms, line: row.line)
        }
    }

    private mutating func addOwn(_ fields: [String: String], _ labels: [String], _ alarms: [String], line: Int) {
        // The title of our own export is used unchanged, including line ends.
        guard let title = fields["title"], ImportedTask.title(title) != nil else {
            return self.leaveOut(.missingTitle, line: line)
        }
        var todo = ImportedTask(
            line: line,
            uid: fields["uid"].flatMap(ImportedTask.word) ?? self.uid(ofText: title),
            title: title
        )
        todo.list = Self.listName(fields["list"])
        todo.add(note: fields["notes"] ?? "")
        for label in labels { todo.add(label: label) }
        let priority = fields["priority"].map(Priority.init(rawValue:))
        todo.priority = (priority ?? nil) ?? .undefined
        todo.status = fields["status"].flatMap(Status.init(rawValue:)) ?? .pending
        if let text = fields["priority"], case .some(.none) = priority {
            self.keep(unknown: text, program: "REMINDAV", as: "priority", &todo)
            todo.cannotRead(.priority)
        }
        if let text = fields["status"], Status(rawValue: text) == nil {
            self.keep(unknown: text, program: "REMINDAV", as: "status", &todo)
            todo.cannotReadState()
        }
        todo.parent = fields["parent"].flatMap(ImportedTask.word)
        for (name, property) in ReminderField.lineProperties { todo.lines[property] = fields[name] }
        todo.createdAt = self.ownStamp("createdAt", fields, &todo)
        todo.updatedAt = self.ownStamp("updatedAt", fields, &todo)
        todo.completedAt = self.ownStamp("completedAt", fields, &todo)
        if let snoozed = self.ownStamp("snoozedUntil", fields, &todo), let name = Name("X-MOZ-SNOOZE-TIME") {
            todo.extra.append(ContentLine(name, value: snoozed.wire))
        }
        self.readOwnDates(fields, &todo)
        todo.alarms = []
        for text in alarms {
            if let instant = self.context.instant(text) {
                todo.alarms?.append(.absolute(instant))
            } else if let trigger = Trigger(wire: text.trimmingWhiteSpace, related: "END") {
                todo.alarms?.append(trigger)
            } else {
                self.findings.add(.badReminder, line: line, "alarms")
                todo.cannotRead(.valarm)
                todo.add(note: "alarms: \(text)")
            }
        }
        self.add(todo)
    }

    private mutating func readOwnDates(_ fields: [String: String], _ todo: inout ImportedTask) {
        var zone = ZoneReference.floating
        if let name = fields["dueZone"] {
            zone = self.context.zone(name) ?? .floating
            if zone == .floating { self.findings.add(.unknownZone, line: todo.line, "dueZone") }
        }
        for name in ["due", "start"] {
            guard let text = fields[name] else { continue }
            guard let moment = self.context.moment(text, zone: zone) else {
                self.findings.add(.badDate, line: todo.line, name)
                todo.cannotRead(name == "due" ? .due : .dtstart)
                todo.add(note: "\(name): \(text)")
                continue
            }
            if name == "due" { todo.due = moment } else { todo.start = moment }
        }
        guard let text = fields["repeat"] else { return }
        if let rule = try? RecurrenceRule(wire: text) {
            let isCounted = fields["repeatFrom"]?.lowercased() == RecurrenceRule.completionWord
            todo.rule = isCounted ? rule.countedFromCompletion() ?? rule : rule
        } else {
            self.findings.add(.badRepeat, line: todo.line, "repeat")
            todo.cannotRead(.rrule)
            todo.add(note: "repeat: \(text)")
        }
    }

    private mutating func ownStamp(_ name: String, _ fields: [String: String], _ todo: inout ImportedTask) -> Instant? {
        guard let text = fields[name] else { return nil }
        if let instant = self.context.instant(text) { return instant }
        self.findings.add(.badDate, line: todo.line, name)
        todo.add(note: "\(name): \(text)")
        return nil
    }
}
