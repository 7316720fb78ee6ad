import RemindavICalendar
import RemindavJSON
import RemindavReminders

extension TaskFormat {
    /// The tasks of Google Tasks, in the file `Tasks.json` of Google Takeout or in a response of its interface.
    package static let googleJSON = Self(
        "google-json",
        properties: [.url],
        relations: ["PARENT"],
        .json(
            detect: { names in
                let members: Set = ["updated", "selflink", "status"]
                // The tasks that belong to no list are in an object without a title.
                return names.isSuperset(of: ["kind", "items"])
                    || names.isSuperset(of: ["kind", "title"]) && !names.isDisjoint(with: members)
            },
            read: { $0.readGoogle($1) }
        )
    )
}

// Reads Google's JSON: developers.google.com/tasks/reference/rest/v1/tasks. In Takeout, a list has its tasks as `items`.
extension ImportedTaskBuilder {
    mutating func readGoogle(_ nodes: [JSONValue]) {
        var tasks: [JSONObject] = []
        for node in nodes.flatMap({ $0.object?["items"]?.array ?? $0.array ?? [$0] }) {
            guard let object = node.object else {
                self.leaveOut(.badRow, line: 1)
                continue
            }
            if Self.isList(object) {
                self.readGoogle(list: object)
            } else {
                tasks.append(object)
            }
        }
        self.readGoogle(tasks, list: nil)
    }

    private static func isList(_ object: JSONObject) -> Bool {
        object["kind"]?.scalar.map { $0.hasSuffix("#taskList") || $0.hasSuffix("#tasks") } ?? (object["items"] != nil)
    }

    private mutating func readGoogle(list object: JSONObject) {
        var tasks: [JSONObject] = []
        for element in object["items"]?.array ?? [] {
            if let task = element.object { tasks.append(task) } else { self.leaveOut(.badRow, line: object.line) }
        }
        let list = self.context.limits.group(object["title"]?.scalar, object.setting("items", to: nil))
        self.readGoogle(tasks, list: list)
    }

    /// Reads the tasks of a list in the order of `position`, which is a text.
    private mutating func readGoogle(_ tasks: [JSONObject], list: TaskGroup?) {
        let positions = tasks.map { $0["position"]?.scalar ?? "" }
        let order = tasks.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        let parents = Set(tasks.compactMap { $0["parent"]?.scalar })
        var uids: [String: String] = [:]
        for task in tasks {
            var members = Members(task)
            if let id = members.text("id"), let uid = self.ownUID(&members) { uids[id] = uid }
        }
        for index in order {
            let isParent = tasks[index]["id"]?.scalar.map { parents.contains($0) } ?? false
            self.readGoogleTask(tasks[index], list: list, isParent: isParent, uids)
        }
    }

    /// Reads a task.
    ///
    /// - Parameter uids: the UIDs of the tasks that did not come from Google, by their identifiers.
    private mutating func readGoogleTask(
        _ object: JSONObject,
        list group: TaskGroup?,
        isParent: Bool,
        _ uids: [String: String]
    ) {
        let list = group?.name
        var members = Members(object)
        if members.isTrue("deleted") {
            self.leftOut += 1
            return
        }
        let hasContent = isParent || ["notes", "due", "scheduled_time", "links"].contains { object[$0] != nil }
        guard let title = self.title(members.text("title"), hasContent: hasContent, line: object.line) else { return }
        let uid = members.text("id").map { self.uid($0) } ?? self.uid(ofText: "\(self.short(list ?? ""))\n\(title)")
        var todo = ImportedTask(line: object.line, uid: self.ownUID(&members) ?? uid, title: title)
        todo.record = [object] + (group?.record ?? [])
        // Google Tasks has none of these properties, so an import leaves them unchanged.
        todo.cannotRead(.priority, .categories, .duration)
        if let list { self.place(list, &todo) }
        todo.add(note: members.text("notes") ?? "")
        todo.parent = members.text("parent").map { uids[$0] ?? self.uid($0) }
        todo.createdAt = self.stamp("created", &members, &todo)
        todo.updatedAt = self.stamp("updated", &members, &todo)
        todo.completedAt = self.stamp("completed", &members, &todo)
        switch members.text("status") {
        case "completed": todo.status = .completed
        case "needsAction", nil: break
        case let other?:
            self.keep(unknown: other, program: "GOOGLE", as: "status", &todo)
            todo.cannotReadState()
        }
        self.readDue(&members, &todo)
        for link in GoogleLink.links(members.objects("links")) {
            if link.isFirst { todo.lines[.url] = link.address }
            todo.add(note: link.note)
        }
        members.pass("kind", "etag", "selfLink", "position", "hidden", "task_type", "webViewLink")
        for (name, text) in members.others { todo.keep(text, program: "GOOGLE", as: name) }
        self.add(todo)
    }

    /// Reads `scheduled_time` and `due`.
    ///
    /// Takeout has the time of day in `scheduled_time`. Google's interface lacks this member, and its `due` is always
    /// midnight in UTC.
    private mutating func readDue(_ members: inout Members, _ todo: inout ImportedTask) {
        let start = self.start(members)
        todo.due = start.flatMap { self.moment($0) }
        if todo.due != nil { members.pass("scheduled_time") }
        guard let due = members.text("due") else { return }
        guard let moment = self.moment(due) else {
            self.findings.add(.badDate, of: todo, "due", words: due)
            if todo.due == nil { todo.cannotRead(.due) }
            todo.add(note: "Google Tasks, due: \(due)")
            return
        }
        guard let scheduled = todo.due else {
            todo.due = moment
            return
        }
        // `due` may have the date of the time in UTC.
        if moment.day == scheduled.day || due.prefix(10) == start?.prefix(10) { return }
        self.findings.add(.deadlineBesideDate, of: todo, "due", words: moment.day.description)
        todo.add(note: "Google Tasks, due: \(moment.day)")
    }

    /// The text of the present time in `scheduled_time`, which is an array of all times for which the task was scheduled.
    private func start(_ members: Members) -> String? {
        var members = members
        let times = members.objects("scheduled_time")
        return (times.first { $0["current"] == .bool(true) } ?? times.first)?["start"]?.string
    }

    /// The date or time of a text; an all-day task has midnight in UTC, or in old files midnight in the local zone.
    private func moment(_ text: String) -> CalendarDateOrDateTime? {
        guard let instant = self.context.instant(text) else { return nil }
        let utc = CalendarDateTime(utc: instant)
        return utc.time.secondsOfDay == 0 ? .date(utc.date) : self.context.dayOrTime(instant)
    }

    private mutating func stamp(_ name: String, _ members: inout Members, _ todo: inout ImportedTask) -> Instant? {
        guard let text = members.text(name) else { return nil }
        if let instant = self.context.instant(text) { return instant }
        self.findings.add(.badDate, of: todo, name, words: text)
        todo.add(note: "Google Tasks, \(name): \(text)")
        return nil
    }
}

/// A link of a task; the address of the first one becomes the link of the reminder.
struct GoogleLink {
    let address: String?
    let isFirst: Bool
    /// The text for the notes; empty if there is none.
    let note: String

    private init(_ object: JSONObject, isFirst: Bool) {
        var link = Members(object)
        let address = link.text("link")
        self.address = address
        self.isFirst = isFirst
        let words = [link.text("description", "desc"), isFirst ? nil : address]
        self.note = words.compactMap { $0 }.joined(separator: " ")
    }

    static func links(_ objects: [JSONObject]) -> [Self] {
        objects.enumerated().map { Self($1, isFirst: $0 == 0) }
    }
}
