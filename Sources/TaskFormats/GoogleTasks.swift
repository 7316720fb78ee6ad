import ICalendar
import JSON
import Reminders

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
        for index in order { self.readGoogleTask(tasks[index], list: list) }
    }

    private mutating func readGoogleTask(_ object: JSONObject, list group: TaskGroup?) {
        let list = group?.name
        var members = Members(object)
        if members.isTrue("deleted") {
            self.leftOut += 1
            return
        }
        guard let text = members.text("title"), let title = ImportedTask.title(text) else {
            return self.leaveOut(.missingTitle, line: object.line)
        }
        let uid = members.text("id").map { self.uid($0) } ?? self.uid(ofText: "\(self.short(list ?? ""))\n\(title)")
        var todo = ImportedTask(line: object.line, uid: self.ownUID(&members) ?? uid, title: title)
        todo.record = [object] + (group?.record ?? [])
        // Google Tasks has none of these properties, so an import leaves them unchanged.
        todo.cannotRead(.priority, .categories, .duration)
        if let list { self.place(list, &todo) }
        todo.add(note: members.text("notes") ?? "")
        todo.parent = members.text("parent").map { self.uid($0) }
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

    /// Reads the date of `due`; its time is always midnight in UTC and has no meaning.
    private mutating func readDue(_ members: inout Members, _ todo: inout ImportedTask) {
        guard let due = members.text("due") else { return }
        if let date = ImportContext.date(String(due.prefix(10))) {
            todo.due = .date(date)
        } else {
            self.findings.add(.badDate, of: todo, "due", words: due)
            todo.cannotRead(.due)
            todo.add(note: "Google Tasks, due: \(due)")
        }
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
