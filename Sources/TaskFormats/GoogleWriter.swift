import ICalendar
import JSON
import Reminders

extension RecordForm {
    /// The file `Tasks.json` of Google Takeout.
    static let google = Self(.googleJSON) { reminders in
        let identifiers = Dictionary(
            reminders.map { ($0.reminder.uid, $0.googleTask?["id"]?.scalar ?? $0.reminder.uid) },
            uniquingKeysWith: { first, _ in first }
        )
        let known = Dictionary(
            reminders.compactMap { GoogleField.formerList($0) }.map { (LabelKey($0["title"]?.scalar ?? ""), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var lists: [(list: JSONObject, tasks: [JSONValue])] = []
        var places: [String: Int] = [:]
        for reminder in reminders {
            let list = GoogleField.list(reminder, known)
            let key = JSONValue.object(list).text
            let place = places[key, default: lists.count]
            if place == lists.count {
                places[key] = place
                lists.append((list, []))
            }
            let former = reminder.googleTask
            let empty = JSONObject(members: [])
            var task = reminder.updated(former ?? empty, GoogleField.all, isNew: former == nil)
            if former == nil {
                task = task.setting("id", to: .string(reminder.reminder.uid))
                    .setting(TaskRecord.uidMember, to: .string(reminder.reminder.uid))
            }
            if former == nil || reminder.isEdited([.relatedTo]) {
                let parent = reminder.reminder.parent.map { identifiers[$0] ?? $0 }
                task = task.setting("parent", to: parent.map { .string($0) })
            }
            lists[place].tasks.append(.object(task.sorted))
        }
        let items = lists.map { JSONValue.object($0.list.setting("items", to: .array($0.tasks))) }
        let file: JSONValue = ["kind": .string("tasks#taskLists"), "items": .array(items)]
        return file.json + [0x0A]
    }
}

extension RecordedReminder {
    /// The task in the record; `nil` if this reminder has no record or the copy of a record.
    fileprivate var googleTask: JSONObject? {
        guard let task = self.record?.objects.first else { return nil }
        return task["id"] == nil || self.ownsRecord(["id"]) ? task : nil
    }
}

/// The fields of Google's tasks: developers.google.com/tasks/reference/rest/v1/tasks.
private enum GoogleField {
    static let all: [RecordField] = [
        RecordField("kind", [.uid]) { _, former in former ?? .string("tasks#task") },
        RecordField("title", [.summary], text: \.title),
        RecordField(
            "notes",
            [.description],
            text: { reminder in
                let links = GoogleLink.links(Self.links(reminder)?.compactMap(\.object) ?? [])
                return reminder.notes(besides: links.map(\.note), of: "Google Tasks").text
            }
        ),
        RecordField("status", [.status], text: { $0.reminder.isClosed ? "completed" : "needsAction" }),
        RecordField(
            "completed",
            [.status, .completed],
            text: { reminder in
                reminder.reminder.isClosed
                    ? (reminder.instant(reminder.reminder.completedAt) ?? reminder.changedAt).map(Self.stamp) : nil
            }
        ),
        RecordField(
            "due",
            [.due],
            text: { reminder in reminder.day(.due).map { "\($0)T00:00:00.000Z" } }
        ),
        RecordField("created", [.created], text: { $0.instant($0.reminder.createdAt).map(Self.stamp) }),
        RecordField("updated", [.lastModified], text: { $0.changedAt.map(Self.stamp) }),
        RecordField("links", [.url]) { reminder, _ in
            guard let address = reminder.todo?.first(.url)?.value else { return nil }
            if let links = Self.links(reminder), links.first?["link"]?.scalar == address { return .array(links) }
            return .array([["type": .string("generic"), "link": .string(address)]])
        },
    ]

    /// The links in the record; `nil` if there are none.
    private static func links(_ reminder: RecordedReminder) -> [JSONValue]? {
        reminder.record?.objects.first?["links"]?.array
    }

    /// The list in the record.
    static func formerList(_ reminder: RecordedReminder) -> JSONObject? {
        reminder.record.flatMap { $0.objects.count > 1 ? $0.objects[1] : nil }
    }

    private static func stamp(_ instant: Instant) -> String {
        String(RFC3339.string(from: instant).dropLast()) + ".000Z"
    }

    /// The list of a task without its tasks; a list without a title has the tasks that belong to no list.
    ///
    /// - Parameter known: the lists in the records of the export.
    static func list(_ reminder: RecordedReminder, _ known: [LabelKey: JSONObject]) -> JSONObject {
        let former = self.formerList(reminder)
        let name = reminder.project(former?["title"]?.scalar)
        if let former, name == former["title"]?.scalar { return former }
        if let list = name.flatMap({ known[LabelKey($0)] }) { return list }
        let kind = JSONObject.Member("kind", .string(name == nil ? "tasks#tasks" : "tasks#taskList"))
        return JSONObject(members: [kind] + (name.map { [JSONObject.Member("title", .string($0))] } ?? []))
    }
}
