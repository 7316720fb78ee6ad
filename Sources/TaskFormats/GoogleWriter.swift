import RemindavICalendar
import RemindavJSON
import RemindavReminders

extension RecordForm {
    /// The file `Tasks.json` of Google Takeout.
    static let google = Self(.googleJSON, losses: GoogleField.losses) { reminders in
        let ancestors = GoogleAncestors(reminders)
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
            // A subtask of Google is always in the list of its parent.
            let list = GoogleField.list(ancestors.first(of: reminder), known)
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

/// Finds the ancestors of the reminders of an export.
private struct GoogleAncestors {
    private struct Key: Hashable {
        let list: String
        let uid: String
    }

    private let reminders: [Key: RecordedReminder]

    init(_ reminders: [RecordedReminder]) {
        self.reminders = Dictionary(
            reminders.map { (Key(list: $0.reminder.list, uid: $0.reminder.uid), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The outermost ancestor that the export contains; the reminder itself without one.
    func first(of reminder: RecordedReminder) -> RecordedReminder {
        var (first, seen) = (reminder, Set<String>())
        while let uid = first.reminder.parent, seen.insert(uid).inserted,
            let parent = self.reminders[Key(list: first.reminder.list, uid: uid)]
        {
            first = parent
        }
        return first
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
                return reminder.notes(besides: links.map(\.note), of: "Google Tasks").withoutParts
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
        RecordField("scheduled_time", [.due]) { reminder, former in
            guard let instant = Self.start(reminder) else { return nil }
            let others = former?.array?.filter { $0["current"] != .bool(true) } ?? []
            let current: JSONValue = ["current": .bool(true), "start": .string(Self.stamp(instant))]
            return .array(others + [current])
        },
        RecordField("created", [.created], text: { $0.instant($0.reminder.createdAt).map(Self.stamp) }),
        RecordField("updated", [.lastModified], text: { $0.changedAt.map(Self.stamp) }),
        RecordField("links", [.url]) { reminder, _ in
            guard let address = reminder.todo?.first(.url)?.value else { return nil }
            if let links = Self.links(reminder), links.first?["link"]?.scalar == address { return .array(links) }
            return .array([["type": .string("generic"), "link": .string(address)]])
        },
    ]

    @Sendable
    static func losses(_ reminder: RecordedReminder) -> [ExportLoss] {
        var losses: [ExportLoss] = reminder.repeats ? [.rule] : []
        // An import reads midnight in UTC, and in the local zone, as an all-day date.
        if reminder.hasTime, let start = Self.start(reminder) {
            let times = [CalendarDateTime(utc: start), reminder.localTime(start)]
            if times.contains(where: { $0.time.secondsOfDay == 0 }) { losses.append(.timeOfDay) }
        }
        return losses
    }

    /// The instant of a due time that is not a date.
    private static func start(_ reminder: RecordedReminder) -> Instant? {
        guard case .dateTime(let time)? = reminder.moment(.due) else { return nil }
        return reminder.context.instant(of: time)
    }

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

    /// The list of a task without its tasks; only an imported list can lack a title.
    ///
    /// - Parameter known: the lists in the records of the export.
    static func list(_ reminder: RecordedReminder, _ known: [LabelKey: JSONObject]) -> JSONObject {
        let former = self.formerList(reminder)
        let project = reminder.project(former?["title"]?.scalar)
        if let former, project == former["title"]?.scalar { return former }
        let name = project ?? reminder.reminder.list
        return known[LabelKey(name)]
            ?? JSONObject(members: [.init("kind", .string("tasks#taskList")), .init("title", .string(name))])
    }
}
