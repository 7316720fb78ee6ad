import RemindavICalendar
import RemindavJSON
import RemindavReminders

extension TaskFormat {
    /// The tasks of Microsoft To Do in the JSON of Microsoft Graph (`todoTask`).
    package static let microsoftJSON = Self(
        "microsoft-json",
        properties: [.rrule, .repeatFrom, .dtstart, .url],
        .json(
            detect: { names in
                let members = ["importance", "lastmodifieddatetime", "checklistitems", "isreminderon"]
                return names.contains("title") && !names.isDisjoint(with: members)
                    || names.isSuperset(of: ["displayname", "tasks"])
            },
            read: { $0.readMicrosoft($1) }
        )
    )
}

// Reads the JSON of Microsoft To Do: learn.microsoft.com/graph/api/resources/todotask.
extension ImportedTaskBuilder {
    /// Reads an API response (`{"value": […]}`), an array of tasks, or an array of lists with their tasks in `tasks`.
    mutating func readMicrosoft(_ nodes: [JSONValue]) {
        for node in nodes { self.readMicrosoft(node, list: nil, depth: 0) }
    }

    private mutating func readMicrosoft(_ node: JSONValue, list: TaskGroup?, depth: Int) {
        if let elements = node.array {
            for element in elements { self.readMicrosoft(element, list: list, depth: depth) }
            return
        }
        guard let object = node.object else { return self.leaveOut(.badRow, line: 1) }
        let inner = object["value"] ?? object["tasks"] ?? object["lists"]
        // The three possible levels are the response, a list in the response, and the response with the list's tasks.
        if let inner, inner.array != nil, depth < 3 {
            let own = object["displayName"].map { name in
                self.context.limits.group(name.scalar, object.removing(["value", "tasks", "lists"]))
            }
            self.readMicrosoft(inner, list: own ?? list, depth: depth + 1)
        } else {
            self.readMicrosoftTask(object, list: list)
        }
    }

    private mutating func readMicrosoftTask(_ object: JSONObject, list: TaskGroup?) {
        var members = Members(object)
        guard let text = members.text("title"), let title = ImportedTask.title(text) else {
            return self.leaveOut(.missingTitle, line: object.line)
        }
        let id = members.text("id")
        var todo = ImportedTask(
            line: object.line,
            uid: id.map { self.uid($0) } ?? self.uid(ofText: title),
            title: title
        )
        todo.record = [object] + (list?.record ?? [])
        for category in members.texts("categories") { todo.add(label: category) }
        if let name = list?.name { self.place(name, &todo) }
        switch members.text("importance") {
        case "high": todo.priority = .high
        case "low": todo.priority = .low
        case "normal", nil: break
        case let other?:
            self.keep(unknown: other, program: "MICROSOFT", as: "importance", &todo)
            todo.cannotRead(.priority)
        }
        self.readBody(&members, &todo)
        self.readDates(&members, &todo)
        self.readState(&members, &todo)
        for (index, link) in members.objects("linkedResources").enumerated() {
            var link = Members(link)
            let address = link.text("webUrl")
            if index == 0 { todo.lines[.url] = address }
            todo.add(
                note: [link.text("displayName"), index == 0 ? nil : address].compactMap { $0 }.joined(separator: " ")
            )
        }
        let steps = members.objects("checklistItems")
        members.pass("bodyLastModifiedDateTime", "@odata.etag", "@odata.type")
        for (name, text) in members.others { todo.keep(text, program: "MICROSOFT", as: name) }
        self.add(todo)
        let name = self.short(id ?? title)
        for step in steps { self.read(step, of: todo, id: name) }
    }

    private func readBody(_ members: inout Members, _ todo: inout ImportedTask) {
        guard var body = members.members("body"), let content = body.text("content") else { return }
        if body.text("contentType")?.lowercased() == "html" {
            todo.add(note: HTMLText.plain(content))
            if let name = Name("X-ALT-DESC"), let type = Name("FMTTYPE") {
                todo.extra.append(ContentLine(name, [Parameter(type, "text/html")], text: content))
            }
        } else {
            todo.add(note: content)
        }
    }

    private mutating func readDates(_ members: inout Members, _ todo: inout ImportedTask) {
        todo.createdAt = members.text("createdDateTime").flatMap { self.context.instant($0) }
        todo.updatedAt = members.text("lastModifiedDateTime").flatMap { self.context.instant($0) } ?? todo.createdAt
        todo.due = self.moment("dueDateTime", &members, &todo)
        todo.start = self.moment("startDateTime", &members, &todo)
        let completed = self.moment("completedDateTime", &members, &todo)
        todo.completedAt = completed.flatMap { moment in
            switch moment {
            case .date(let date): self.context.instant(date, ClockTime(secondsOfDay: 0), zone: self.context.localZone)
            case .dateTime(let time): self.context.instant(of: time)
            }
        }
        let isOn = members.isTrue("isReminderOn")
        todo.alarms = []
        if var reminder = members.members("reminderDateTime"), let text = reminder.text("dateTime") {
            let zone = self.zone(reminder.text("timeZone"), &todo)
            if let instant = self.context.instant(text, zone: zone) {
                if isOn {
                    todo.alarms = [.absolute(instant)]
                } else {
                    todo.keep(instant.wire, program: "MICROSOFT", as: "REMINDER-OFF")
                }
            } else {
                self.findings.add(.badReminder, line: todo.line, "reminderDateTime")
                todo.cannotRead(.valarm)
                todo.add(note: "Microsoft To Do, reminder: \(text)")
            }
        }
        self.readRecurrence(&members, &todo)
    }

    /// Parses a `dateTimeTimeZone`.
    ///
    /// An all-day date is given as a midnight. The stated zone is the zone that the export requested, often UTC, but
    /// the midnight may be that of the local zone. So a UTC time that is midnight in the local zone is a date too.
    private mutating func moment(_ name: String, _ members: inout Members, _ todo: inout ImportedTask)
        -> CalendarDateOrDateTime?
    {
        guard var value = members.members(name), let text = value.text("dateTime") else { return nil }
        let zone = self.zone(value.text("timeZone"), &todo)
        guard let moment = self.context.moment(text, zone: zone) else {
            self.findings.add(.badDate, line: todo.line, name)
            switch name {
            case "dueDateTime": todo.cannotRead(.due)
            case "startDateTime": todo.cannotRead(.dtstart)
            default: todo.cannotRead(.completed)
            }
            todo.add(note: "Microsoft To Do, \(name): \(text)")
            return nil
        }
        guard case .dateTime(let time) = moment else { return moment }
        if time.time.secondsOfDay == 0 { return .date(time.date) }
        guard zone == .utc, let instant = self.context.instant(of: time) else { return moment }
        return self.context.dayOrTime(instant)
    }

    private mutating func zone(_ name: String?, _ todo: inout ImportedTask) -> ZoneReference {
        guard let name else { return .utc }
        if let zone = self.context.zone(name) { return zone }
        self.findings.add(.unknownZone, line: todo.line, "timeZone")
        return self.context.localZone
    }

    private mutating func readState(_ members: inout Members, _ todo: inout ImportedTask) {
        switch members.text("status") {
        case "completed": todo.status = .completed
        case "inProgress": todo.status = .inProgress
        case "waitingOnOthers": todo.keep("waitingOnOthers", program: "MICROSOFT", as: "STATUS")
        case "deferred": todo.keep("deferred", program: "MICROSOFT", as: "STATUS")
        case "notStarted", nil: if todo.completedAt != nil { todo.status = .completed }
        case let other?:
            if todo.completedAt != nil { todo.status = .completed } else { todo.cannotReadState() }
            self.keep(unknown: other, program: "MICROSOFT", as: "status", &todo)
        }
    }

    private mutating func readRecurrence(_ members: inout Members, _ todo: inout ImportedTask) {
        guard let node = members.node("recurrence"), let recurrence = node.object else { return }
        let range = recurrence["range"]?.object
        if let rule = MicrosoftRecurrence.rule(recurrence) {
            todo.rule = rule
            if todo.due == nil, let text = range?["startDate"]?.scalar, let date = ImportContext.date(text) {
                todo.due = .date(date)
            }
        } else {
            self.findings.add(.badRepeat, line: todo.line, "recurrence")
            todo.cannotRead(.rrule)
            todo.add(note: "Microsoft To Do, recurrence: \(node.text)")
        }
    }

    /// Reads an element of `checklistItems` as a subtask.
    private mutating func read(_ step: JSONObject, of parent: ImportedTask, id: String) {
        var members = Members(step)
        guard let text = members.text("displayName"), let title = ImportedTask.title(text) else {
            return self.leaveOut(.missingTitle, line: step.line, "checklistItems")
        }
        let name = members.text("id")
        let uid = name.map { self.uid("\(id)\n\($0)") } ?? self.uid(ofText: "\(id)\n\(title)")
        var todo = ImportedTask(line: step.line, uid: uid, title: title)
        todo.parent = parent.uid
        todo.list = parent.list
        // A checklist item has only a title, a state and times, so an import leaves all other properties unchanged.
        todo.cannotRead(.due, .dtstart, .duration, .rrule, .description, .categories, .priority, .url)
        todo.createdAt = members.text("createdDateTime").flatMap { self.context.instant($0) }
        todo.completedAt = members.text("checkedDateTime").flatMap { self.context.instant($0) }
        if members.isTrue("isChecked") { todo.status = .completed }
        todo.updatedAt = [todo.completedAt, todo.createdAt, parent.updatedAt].compactMap { $0 }.max()
        self.add(todo)
    }
}

enum MicrosoftRecurrence {
    /// Converts a `patternedRecurrence` to a rule.
    ///
    /// - Returns: `nil` if the type of its pattern is unknown, or if a required member is missing. A rule has no end if
    ///   the type of its range is not `endDate` or `numbered`.
    static func rule(_ recurrence: JSONObject) -> RecurrenceRule? {
        guard let pattern = recurrence["pattern"]?.object, var rule = self.rule(pattern: pattern) else { return nil }
        guard let range = recurrence["range"]?.object else { return rule }
        switch range["type"]?.scalar {
        case "endDate":
            guard let date = range["endDate"]?.scalar.flatMap(ImportContext.date) else { return nil }
            rule.until = .date(date)
        case "numbered":
            guard let count = range["numberOfOccurrences"]?.scalar.flatMap(NumberText.digits), count > 0 else {
                return nil
            }
            rule.count = count
        default: break
        }
        return rule
    }

    private static func rule(pattern: JSONObject) -> RecurrenceRule? {
        let interval = pattern["interval"]?.scalar.flatMap(NumberText.digits) ?? 1
        let days = (pattern["daysOfWeek"]?.array ?? []).compactMap { $0.scalar.flatMap(self.weekday) }
        let month = pattern["month"]?.scalar.flatMap(NumberText.digits).flatMap { (1...12).contains($0) ? $0 : nil }
        let day = pattern["dayOfMonth"]?.scalar.flatMap(NumberText.digits).flatMap { (1...31).contains($0) ? $0 : nil }
        guard (1...self.maximumInterval).contains(interval) else { return nil }
        switch pattern["type"]?.scalar {
        case "daily": return RecurrenceRule(frequency: .daily, interval: interval)
        case "weekly":
            var rule = RecurrenceRule(frequency: .weekly, interval: interval)
            rule.byDay = days.map { .init(weekday: $0) }
            if let first = pattern["firstDayOfWeek"]?.scalar.flatMap(self.weekday), interval > 1 {
                rule.weekStart = first
            }
            return rule
        case "absoluteMonthly": return day.map { self.monthly(.monthly, interval, day: $0, month: nil) }
        case "absoluteYearly":
            guard let day, let month else { return nil }
            return self.monthly(.yearly, interval, day: day, month: month)
        case "relativeMonthly": return self.relative(.monthly, interval, days, pattern, month: nil)
        case "relativeYearly":
            return month.flatMap { self.relative(.yearly, interval, days, pattern, month: $0) }
        default: return nil
        }
    }

    /// The maximum interval, which is a thousand years in the largest unit.
    private static let maximumInterval = 1000

    private static func monthly(
        _ frequency: RecurrenceRule.Frequency,
        _ interval: Int,
        day: Int,
        month: Int?
    ) -> RecurrenceRule {
        var rule = RecurrenceRule(frequency: frequency, interval: interval)
        rule.byMonthDay = [day]
        rule.byMonth = month.map { [$0] } ?? []
        return rule
    }

    /// The rule for the first to fourth or last of some weekdays, as `BYDAY=2MO` or with BYSETPOS.
    private static func relative(
        _ frequency: RecurrenceRule.Frequency,
        _ interval: Int,
        _ days: [Weekday],
        _ pattern: JSONObject,
        month: Int?
    ) -> RecurrenceRule? {
        let words = ["first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1]
        guard let index = words[pattern["index"]?.scalar ?? "first"], let first = days.first else { return nil }
        var rule = RecurrenceRule(frequency: frequency, interval: interval)
        rule.byMonth = month.map { [$0] } ?? []
        if days.count == 1 {
            rule.byDay = [.init(ordinal: index, weekday: first)]
        } else {
            rule.byDay = days.map { .init(weekday: $0) }
            rule.bySetPosition = [index]
        }
        return rule
    }

    private static func weekday(_ word: String) -> Weekday? {
        let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        return names.firstIndex(of: word.lowercased()).flatMap(Weekday.init(rawValue:))
    }
}

/// Extracts the readable text from HTML.
enum HTMLText {
    /// The text without tags and with the most common entities decoded; each block element ends a line.
    static func plain(_ html: String) -> String {
        var text = ""
        var rest = html[...]
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ">") else { break }
            let tag = rest[start..<end].dropFirst().lowercased()
            if tag.hasPrefix("br") || tag.hasPrefix("/p") || tag.hasPrefix("/div") || tag.hasPrefix("/li") {
                text += "\n"
            }
            rest = rest[rest.index(after: end)...]
        }
        if !rest.contains("<") { text += rest }
        let entities = [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ]
        for (entity, letter) in entities { text = text.replacing(entity, with: letter) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).trimmingWhiteSpace }
        return lines.joined(separator: "\n").trimmingWhiteSpace
    }
}
