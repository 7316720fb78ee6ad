import RemindavICalendar
import RemindavJSON
import RemindavReminders

extension RecordForm {
    /// The file that `task import` reads.
    static let taskwarrior = Self(
        .taskwarrior,
        losses: TaskwarriorField.losses,
        write: { reminders in
            var writer = TaskwarriorWriter(reminders)
            return writer.bytes()
        }
    )
}

private struct TaskwarriorWriter {
    private let reminders: [RecordedReminder]
    /// The Taskwarrior identifiers by the UIDs of the reminders.
    private var identifiers: [String: String] = [:]
    /// The names of the projects that the import of any of the tasks made labels.
    private var projects: [LabelKey: String] = [:]
    /// The identifiers of occurrences that were completed here and became reminders of their own.
    private var completed: Set<String> = []
    /// The due times of the occurrences that were completed here and are not in the record, by their templates.
    private var made: [String: Set<String>] = [:]

    init(_ reminders: [RecordedReminder]) { self.reminders = reminders }

    mutating func bytes() -> [UInt8] {
        for reminder in self.reminders {
            let object = reminder.ownObjects.first
            let occurrence = reminder.completedOccurrence
            let id = (object ?? occurrence)?["uuid"]?.string ?? TaskwarriorField.identifier(of: reminder)
            self.identifiers[reminder.reminder.uid] = id
            if let project = reminder.record?.objects.first?["project"]?.scalar {
                self.projects[LabelKey(project)] = project
            }
            guard let occurrence else { continue }
            self.completed.insert(id)
            if let (template, due) = TaskwarriorField.made(occurrence) { self.made[template, default: []].insert(due) }
        }
        let objects = self.reminders.flatMap { reminder in
            let objects = self.objects(reminder).map { self.inKnownProject($0, reminder) }
            return reminder.isUnchanged ? objects : Self.withBase(objects, reminder)
        }
        var writer = JSONWriter()
        writer.array(objects, open: "[\n", separator: ",\n", close: objects.isEmpty ? "]\n" : "\n]\n") {
            $1.sorted.write(to: &$0)
        }
        return writer.bytes
    }

    /// The objects with the state of the reminder in the first one; an import of the changed file starts from this state.
    private static func withBase(_ objects: [JSONObject], _ reminder: RecordedReminder) -> [JSONObject] {
        var builder = ImportedTaskBuilder(.taskwarrior, reminder.context)
        builder.read(objects.map { .object($0) })
        for case .todo(let task) in builder.items where task.uid == reminder.reminder.uid {
            let list = reminder.reminder.list
            let named = reminder.todo.map { task.naming(dependenciesOf: $0, .taskwarrior) } ?? task
            let placed = named.placed(inList: list, formerly: nil, .taskwarrior)
            let base = TaskRecord(placed.record, of: placed, .taskwarrior, list: list)
            return [objects[0].setting(TaskRecord.baseMember, to: .string(base.baseText))] + objects.dropFirst()
        }
        return objects
    }

    /// The object with a new label as its project, if it has no project and another task has a project of this name.
    private func inKnownProject(_ object: JSONObject, _ reminder: RecordedReminder) -> JSONObject {
        // A completed occurrence of a series has the record of the series.
        let former = Set(reminder.record?.objects.first?["tags"]?.texts ?? [])
        let tags = object["tags"]?.texts ?? []
        let found = tags.filter { !former.contains($0) && self.projects[LabelKey($0)] != nil }
        guard object["project"] == nil, found.count == 1, let project = self.projects[LabelKey(found[0])] else {
            return object
        }
        let others = tags.filter { $0 != found[0] }.map { JSONValue.string($0) }
        return object.setting("project", to: .string(project)).setting(
            "tags",
            to: others.isEmpty ? nil : .array(others)
        )
    }

    private func objects(_ reminder: RecordedReminder) -> [JSONObject] {
        let own = reminder.ownObjects
        guard let first = own.first else { return TaskwarriorSeriesWriter.new(self.newObject(reminder)) }
        let isSeries = own.count > 1 || first["status"]?.string == TaskwarriorTask.template
        let made = self.made[first["uuid"]?.string ?? "", default: []]
        let writer = TaskwarriorSeriesWriter(reminder: reminder, completed: self.completed, made: made)
        return (isSeries ? writer.objects(first, own.dropFirst()) : writer.single(first)).map(self.resolved)
    }

    /// The object of a reminder that is no task of Taskwarrior.
    private func newObject(_ reminder: RecordedReminder) -> JSONObject {
        let uid = reminder.reminder.uid
        let occurrence = reminder.completedOccurrence
        // A completed occurrence of a series is a task of its own. It keeps the other data of the series.
        let former = occurrence ?? reminder.record?.objects.first?.removing(TaskwarriorField.ofSeries)
        let fields = TaskwarriorField.all.filter { occurrence == nil || !TaskwarriorField.ofSeries.contains($0.name) }
        var object = reminder.updated(former ?? JSONObject(members: []), fields, isNew: true)
        if let (template, due) = occurrence.flatMap(TaskwarriorField.made) {
            let first = reminder.record?.objects.first
            let grid = first.flatMap { TaskwarriorGrid($0, reminder.context) }
            let mask = first?["mask"]?.string ?? ""
            let behind = self.made[template, default: []].sorted().firstIndex(of: due) ?? 0
            let place = reminder.moment(.due).flatMap { grid?.place(of: $0) } ?? mask.utf8.count + behind
            object = object.setting("imask", to: .integer(place))
        }
        object = object.setting("uuid", to: self.identifiers[uid].map { .string($0) })
            .setting(TaskRecord.uidMember, to: .string(uid))
        return self.resolved(object)
    }

    /// Replaces the UIDs in edited dependencies by identifiers.
    private func resolved(_ object: JSONObject) -> JSONObject {
        guard let uids = object["depends"]?.array else { return object }
        // A dependency outside the export has an identifier too.
        let ids = uids.map { uid in
            uid.string.map { JSONValue.string(self.identifiers[$0] ?? TaskwarriorIdentifier.task($0)) } ?? uid
        }
        return object.setting("depends", to: .array(ids))
    }
}

extension RecordedReminder {
    /// The objects of the record, if they are those of this reminder.
    fileprivate var ownObjects: [JSONObject] {
        self.ownsRecord(["uuid", "parent"]) ? self.record?.objects ?? [] : []
    }

    /// Whether the file has the task as the last import read it.
    fileprivate var isUnchanged: Bool {
        !self.ownObjects.isEmpty && !self.isEdited(ImportedTask.names.filter { $0 != .dtstamp } + [.relatedTo])
    }

    /// The occurrence of the series that this completed reminder was: that of the record, or else a new one.
    fileprivate var completedOccurrence: JSONObject? {
        guard self.ownObjects.isEmpty, self.reminder.isClosed, let due = TaskwarriorField.due(self) else { return nil }
        // Without the template, the identifier of the first occurrence stays with the reminder of the series.
        guard let objects = self.record?.objects, let template = objects.first,
            template["status"]?.string == TaskwarriorTask.template
        else { return nil }
        return objects.first { $0["parent"] != nil && $0["due"]?.string == due }
            ?? TaskwarriorField.occurrence(of: template, due)
    }
}

/// The fields of Taskwarrior's tasks: taskwarrior.org/docs/design/task.
enum TaskwarriorField {
    /// The fields that all occurrences of a series have in common.
    static let ofWords: [RecordField] = [
        RecordField("description", [.summary], text: \.title),
        RecordField("priority", [.priority], text: Self.priority),
        RecordField("tags", [.categories]) { reminder, former in
            let project = reminder.record?.objects.first?["project"]?.string
            let places = [project, project.flatMap { reminder.label(insteadOf: $0) }]
            let labels = reminder.labels(former?.texts ?? [], besides: places)
            return labels.isEmpty ? nil : .array(labels.map { .string($0) })
        },
        RecordField("project", [.categories], isOfList: true) { reminder, former in
            reminder.project(former?.string).map { .string($0) }
        },
        // This field is before the annotations, because it depends on the former ones of the same task.
        RecordField(TaskRecord.undatedMember, [.description], from: "annotations") { reminder, former in
            WrittenAnnotations(reminder, former).undated.map { .string($0) }
        },
        RecordField("annotations", [.description]) { WrittenAnnotations($0, $1).value },
        RecordField("modified", [.lastModified], text: \.changedAt?.wire),
    ]

    /// The identifier of a reminder that is no task of Taskwarrior.
    ///
    /// Taskwarrior refuses a file that removes `recur` from a task, so a repeating reminder has another identifier.
    static func identifier(of reminder: RecordedReminder) -> String {
        let uid = reminder.reminder.uid
        let isSeries = self.recur(reminder) != nil && !reminder.reminder.isClosed
        return isSeries ? TaskwarriorIdentifier.series(uid) : TaskwarriorIdentifier.task(uid)
    }

    static let all: [RecordField] =
        ofWords + ofDates + ofRule + [
            RecordField("status", [.status, .dtstart] + rule) { reminder, former in
                let status = Self.status(reminder)
                let isWaiting = status == "pending" && former?.string == "waiting" && Self.wait(reminder) != nil
                return isWaiting ? former : status.map { .string($0) }
            },
            RecordField("start", [.status]) { reminder, former in
                let isStarted = reminder.reminder.status == Status.inProgress.rawValue
                return isStarted ? former ?? Self.stamp(reminder.changedAt) : nil
            },
            RecordField("depends", [.relatedTo]) { reminder, _ in
                let uids = (reminder.todo?.all(.relatedTo) ?? []).filter {
                    $0.parameter(.reltype)?.uppercased() == "DEPENDS-ON"
                }.map(\.text)
                return uids.isEmpty ? nil : .array(uids.map { .string($0) })
            },
            RecordField(TaskRecord.parentMember, [.relatedTo], text: \.reminder.parent),
        ]

    private static let ofDates: [RecordField] = [
        RecordField(
            "end",
            [.status, .completed],
            text: { reminder in
                let done = reminder.instant(reminder.reminder.completedAt) ?? reminder.changedAt
                return reminder.reminder.isClosed ? done?.wire : nil
            }
        ),
        RecordField("entry", [.created], text: { Self.created($0)?.wire }),
        RecordField("due", [.due], text: Self.due),
        RecordField("scheduled", [.dtstart]) { reminder, former in
            Self.startIsWait(reminder) ? nil : Self.start(reminder, former)
        },
        RecordField("wait", [.dtstart]) { reminder, _ in Self.wait(reminder) },
    ]

    /// The fields of the rule.
    static let ofRule: [RecordField] = [
        RecordField("recur", rule) { reminder, former in
            let text = Self.recur(reminder)
            // A period keeps its former spelling, such as `quarterly` instead of `3m`.
            let rules = [former?.scalar, text].map { $0.flatMap(TaskwarriorRecurrence.rule)?.wire }
            return text == nil || rules[0] != rules[1] ? text.map { .string($0) } : former
        },
        RecordField("until", rule) { reminder, former in
            // Without a repetition, Taskwarrior deletes a task at this time.
            if Self.recur(reminder) == nil { return reminder.record?.objects.first?["recur"] == nil ? former : nil }
            return Self.stamp(reminder.rule?.until.flatMap(reminder.context.instant(of:)))
        },
        RecordField(
            TaskRecord.repeatMember,
            rule,
            text: { Self.recur($0) == nil && !$0.reminder.isClosed ? $0.rule?.wire : nil }
        ),
        RecordField(
            TaskRecord.repeatFromMember,
            rule,
            text: { reminder in
                let counts = !reminder.reminder.isClosed && reminder.rule?.countsFromCompletion ?? false
                return counts ? RecurrenceRule.completionWord : nil
            }
        ),
    ]

    /// The properties of a rule; Taskwarrior repeats only tasks with a due time.
    static let rule: [Name] = [.rrule, .repeatFrom]

    @Sendable
    static func losses(_ reminder: RecordedReminder) -> [ExportLoss] {
        let isKnown = reminder.record?.objects.first?["recur"] != nil && !reminder.isEdited(self.rule)
        let losesRule = reminder.repeats && !isKnown && self.recur(reminder) == nil
        return (losesRule ? [.keptRule] : []) + (reminder.reminder.parent == nil ? [] : [.keptParent])
    }

    /// Whether the start of the reminder is `wait`, because the task has no other start.
    private static func startIsWait(_ reminder: RecordedReminder) -> Bool {
        guard let task = reminder.record?.objects.first else { return false }
        return task["wait"] != nil && task["scheduled"] == nil
    }

    /// The time until which the task is hidden.
    private static func wait(_ reminder: RecordedReminder) -> JSONValue? {
        let former = reminder.record?.objects.first?["wait"]
        if self.startIsWait(reminder) { return self.start(reminder, former) }
        // A task with both is hidden as long as it has a start.
        return self.start(reminder, former) == nil ? nil : former
    }

    /// The start of the reminder; a repeating reminder without a start of its own keeps the distance to the due time.
    private static func start(_ reminder: RecordedReminder, _ former: JSONValue?) -> JSONValue? {
        if let start = reminder.moment(.dtstart), start != reminder.moment(.due) {
            return self.stamp(reminder.context.instant(of: start))
        }
        // An import of a repeating task keeps the start in an X- property.
        guard reminder.todo?.first(ImportedTask.startProperty) != nil else { return nil }
        let (from, to) = (reminder.record?.objects.first?["due"]?.scalar, self.due(reminder))
        guard let from, let to else { return former }
        return self.moved(former, from: from, to: to) ?? former
    }

    /// The occurrence with another due time; Taskwarrior moves `wait` and `scheduled` by the same number of seconds.
    static func moved(_ occurrence: JSONObject, to due: String) -> JSONObject {
        let former = occurrence["due"]?.scalar ?? due
        let moved = ["wait", "scheduled"].reduce(occurrence) { object, name in
            self.moved(object[name], from: former, to: due).map { object.setting(name, to: $0) } ?? object
        }
        return moved.setting("due", to: .string(due))
    }

    /// A time that is moved by the distance of two others; `nil` if one of them is unreadable.
    private static func moved(_ time: JSONValue?, from former: String, to due: String) -> JSONValue? {
        guard let time = time?.scalar.flatMap({ Instant(wire: $0) }), let from = Instant(wire: former),
            let to = Instant(wire: due)
        else { return nil }
        return self.stamp(time.adding(seconds: Int(to.secondsSince1970 - from.secondsSince1970)))
    }

    /// The members that identify a task or its series.
    static let ofSeries: Set = [
        "uuid", "parent", "mask", "imask", "rtype", "template", "last", "recur", "until", TaskRecord.uidMember,
        TaskRecord.baseMember, TaskRecord.repeatMember, TaskRecord.repeatFromMember,
    ]
    /// The members of a template that its occurrences lack.
    static let ofTemplate: Set = ["mask", "last"]

    /// An occurrence that Taskwarrior does not have; the template and the due time determine its identifier.
    static func occurrence(of template: JSONObject, _ due: String) -> JSONObject {
        let id = template["uuid"]?.string ?? ""
        return self.moved(template, to: due).removing(self.ofTemplate).setting("parent", to: .string(id))
            .setting("uuid", to: .string(NameUUID.make("\(id)\n\(due)"))).setting("status", to: .string("pending"))
    }

    /// The template and the due time of an object that ``occurrence(of:_:)`` made; `nil` for any other object.
    static func made(_ object: JSONObject) -> (template: String, due: String)? {
        guard let template = object["parent"]?.string, let due = object["due"]?.string,
            object["imask"] == nil, object["uuid"]?.string == NameUUID.make("\(template)\n\(due)")
        else { return nil }
        return (template, due)
    }

    static func due(_ reminder: RecordedReminder) -> String? {
        reminder.moment(.due).flatMap { reminder.context.instant(of: $0) }?.wire
    }

    private static func priority(_ reminder: RecordedReminder) -> String? {
        switch Priority(rawValue: reminder.reminder.priority) {
        case .high: "H"
        case .medium: "M"
        case .low: "L"
        case .undefined, nil: nil
        }
    }

    private static func status(_ reminder: RecordedReminder) -> String? {
        switch Status(rawValue: reminder.reminder.status) {
        case .completed: "completed"
        case .cancelled: "deleted"
        case .pending, .inProgress, nil:
            self.recur(reminder) == nil || reminder.record?.objects.first?["parent"] != nil
                ? "pending" : TaskwarriorTask.template
        }
    }

    /// The time of the creation, which each task of Taskwarrior has.
    static func created(_ reminder: RecordedReminder) -> Instant? {
        reminder.instant(reminder.reminder.createdAt) ?? reminder.changedAt
    }

    private static func stamp(_ instant: Instant?) -> JSONValue? { instant.map { .string($0.wire) } }

    static func recur(_ reminder: RecordedReminder) -> String? {
        guard reminder.moment(.due) != nil else { return nil }
        // Taskwarrior counts each repetition from the due time.
        return reminder.rule.flatMap { $0.countsFromCompletion ? nil : TaskwarriorRecurrence.text($0) }
    }
}

extension JSONValue {
    /// The texts of an array.
    fileprivate var texts: [String] { self.array?.compactMap(\.scalar) ?? [] }
}
