import RemindavICalendar
import RemindavJSON
import RemindavRecurrence
import RemindavReminders

/// Collects reminders and writes them in the format of another program.
///
/// A reminder that was imported from this format gives its ``TaskRecord`` again, with the new values of its edited
/// fields. Any other reminder gives the fields that the format can express.
struct RecordWriter: Sendable {
    private let form: RecordForm
    private let surroundings: RecordSurroundings
    private(set) var reminders: [RecordedReminder] = []
    private(set) var losses: [ExportLoss: [String]] = [:]
    /// The lists of the reminders, in the order of the output.
    private var lists: [String] = []
    /// The depths of those ancestors of the next reminder that the format cannot contain.
    private var missing: [Int] = []

    init(_ form: RecordForm, in surroundings: RecordSurroundings) {
        self.form = form
        self.surroundings = surroundings
    }

    /// Adds a reminder, unless the format cannot contain it.
    mutating func add(_ reminder: ExportedReminder, depth: Int) {
        self.missing.removeAll { $0 >= depth }
        guard self.form.contains(reminder) else { return self.missing.append(depth) }
        let place = depth - self.missing.count
        let recorded = RecordedReminder(reminder, depth: place, self.form.format, in: self.surroundings)
        for loss in self.form.losses(recorded) {
            let text = loss == .keptRule ? reminder.titleAndRule(self.surroundings.words) : recorded.title
            self.losses[loss, default: []].append(text)
        }
        self.reminders.append(recorded)
        guard self.form.isOneProject, !self.lists.contains(reminder.list) else { return }
        self.lists.append(reminder.list)
        if self.lists.count > 1 { self.losses[.severalLists] = self.lists }
    }

    var bytes: [UInt8] { self.form.write(self.reminders) }
}

/// The data outside of a reminder that its values depend on.
struct RecordSurroundings: Sendable {
    let context: ImportContext
    /// The name of a list that is not written as a project; `nil` if there is none.
    let firstList: String?
    /// Formats an RRULE value as text for users.
    let words: @Sendable (_ rule: String) -> String
}

/// A format that can be exported with the records of its tasks.
struct RecordForm: Sendable {
    let format: TaskFormat
    /// Whether the file has no names of lists.
    let isOneProject: Bool
    /// Whether the format can contain a reminder.
    let contains: @Sendable (ExportedReminder) -> Bool
    /// The data of a reminder that the user may expect in the file, and that the format cannot express.
    let losses: @Sendable (RecordedReminder) -> [ExportLoss]
    /// Writes the whole file.
    let write: @Sendable ([RecordedReminder]) -> [UInt8]

    init(
        _ format: TaskFormat,
        isOneProject: Bool = false,
        contains: @escaping @Sendable (ExportedReminder) -> Bool = { _ in true },
        losses: @escaping @Sendable (RecordedReminder) -> [ExportLoss],
        write: @escaping @Sendable ([RecordedReminder]) -> [UInt8]
    ) {
        self.format = format
        self.isOneProject = isOneProject
        self.contains = contains
        self.losses = losses
        self.write = write
    }
}

/// A field of another program's task, for an export.
struct RecordField: Sendable {
    let name: String
    /// The properties on which the value depends; the value of a record is replaced if one of them was edited.
    let properties: [Name]
    /// The member whose value ``value`` may use.
    let original: String
    /// Whether the value also depends on the list.
    let isOfList: Bool
    /// The value of the field, which may use a value in the record; `nil` if the task has no such field.
    let value: @Sendable (RecordedReminder, _ original: JSONValue?) -> JSONValue?

    init(
        _ name: String,
        _ properties: [Name],
        from original: String? = nil,
        isOfList: Bool = false,
        _ value: @escaping @Sendable (RecordedReminder, _ original: JSONValue?) -> JSONValue?
    ) {
        self.name = name
        self.properties = properties
        self.original = original ?? name
        self.isOfList = isOfList
        self.value = value
    }

    /// A field whose value is a text, which does not depend on the record.
    init(_ name: String, _ properties: [Name], text: @escaping @Sendable (RecordedReminder) -> String?) {
        self.init(name, properties) { reminder, _ in text(reminder).map { .string($0) } }
    }
}

/// A reminder of an export with its record.
struct RecordedReminder: Sendable {
    let reminder: ExportedReminder
    /// The number of its ancestors in the output.
    let depth: Int
    /// The main component; `nil` if the stored text is not UTF-8.
    let todo: Component?
    /// The record of the task that became this reminder; `nil` if the reminder did not come from this format.
    let record: TaskRecord?
    /// The section of Todoist's file that contains the reminder; `nil` if there is none.
    var section: JSONObject?
    private let surroundings: RecordSurroundings

    init(_ reminder: ExportedReminder, depth: Int, _ format: TaskFormat, in surroundings: RecordSurroundings) {
        self.reminder = reminder
        self.depth = depth
        self.surroundings = surroundings
        self.todo = reminder.main
        self.record = self.todo.flatMap { TaskRecord(of: $0, format) }
    }

    var context: ImportContext { self.surroundings.context }

    /// Whether the record belongs to this reminder; a completed occurrence of a series has a copy of its record.
    ///
    /// - Parameter names: the members from which an import computes the UID.
    func ownsRecord(_ names: [String]) -> Bool {
        guard let record = self.record, let first = record.objects.first else { return false }
        let uids = names.compactMap { first[$0]?.scalar }.map { NameUUID.make("\(record.format)\n\($0)") }
        let uid = self.reminder.uid
        return uids.contains(uid) || first[TaskRecord.uidMember]?.string == uid
    }

    /// Whether one of the properties has another value than after the import; `true` without a record.
    func isEdited(_ names: [Name]) -> Bool {
        guard let record = self.record, let todo = self.todo else { return true }
        return record.isEdited(names, in: todo)
    }

    /// The object with new values of the edited fields.
    ///
    /// - Parameter isNew: whether all fields get new values, because the object belongs to another task.
    func updated(_ object: JSONObject, _ fields: [RecordField], isNew: Bool = false) -> JSONObject {
        fields.reduce(object) { object, field in
            let isEdited = self.isEdited(field.properties) || field.isOfList && self.isMoved
            guard isNew || isEdited else { return object }
            return object.setting(field.name, to: field.value(self, object[field.original]))
        }
    }

    var title: String { ImportedTask.title(self.reminder.title) ?? Reminder.untitled }

    func moment(_ name: Name) -> CalendarDateOrDateTime? { self.todo?.first(name)?.moment }

    /// The date of a property in the form `2026-12-01`, without its time.
    func day(_ name: Name) -> String? { self.moment(name)?.day.description }

    func localTime(_ instant: Instant) -> CalendarDateTime {
        self.context.zones.dateTime(of: instant, in: self.context.localZone) ?? CalendarDateTime(utc: instant)
    }

    /// The instant of an RFC 3339 text.
    func instant(_ text: String?) -> Instant? { text.flatMap { self.context.instant($0) } }

    /// The time of the last change; without one, the time of the creation or of the stored text.
    var changedAt: Instant? {
        self.instant(self.reminder.updatedAt) ?? self.instant(self.reminder.createdAt)
            ?? self.moment(.dtstamp).flatMap { self.context.instant(of: $0) }
    }

    /// Whether further occurrences follow.
    var repeats: Bool { self.reminder.repeatRule != nil && !self.reminder.isClosed }

    /// Whether an open reminder is due at a time of day.
    var hasTime: Bool { !self.reminder.isClosed && self.moment(.due).map { !$0.isDate } ?? false }

    var rule: RecurrenceRule? {
        guard let rule = self.reminder.repeatRule.flatMap({ try? RecurrenceRule(wire: $0) }) else { return nil }
        return self.reminder.repeatsFromCompletion ? rule.countedFromCompletion() ?? rule : rule
    }

    /// Whether the reminder is in another list than after the import.
    private var isMoved: Bool { self.record?.list.map { LabelKey($0) != LabelKey(self.reminder.list) } ?? false }

    /// The name of the project or list: the former one as long as the reminder has it as its list or label.
    ///
    /// After a move, and for a reminder without a record, it is the list, except the list `firstList`. A label that
    /// replaced the label of the project is the new project.
    func project(_ former: String?) -> String? {
        let list = self.reminder.list == self.surroundings.firstList ? nil : self.reminder.list
        guard self.record != nil else { return list }
        if let former, self.has(former) { return former }
        return self.isMoved ? list : former.flatMap { self.label(insteadOf: $0) ?? list }
    }

    private func has(_ project: String) -> Bool {
        (self.reminder.labels + [self.reminder.list]).contains { LabelKey($0) == LabelKey(project) }
    }

    /// The only new label of a reminder that lost the label of its project; `nil` if there are more or none.
    func label(insteadOf project: String) -> String? {
        guard let former = self.record?.labels, !self.isMoved, !self.has(project),
            former.contains(TaskRecord.digest(label: project))
        else { return nil }
        let new = self.reminder.labels.filter { !former.contains(TaskRecord.digest(label: $0)) }
        return new.count == 1 ? new[0] : nil
    }

    /// The labels that are written as labels, in the order of the former ones.
    ///
    /// - Parameter places: the names of the project and the section, which an import makes labels too.
    func labels(_ former: [String], besides places: [String?]) -> [String] {
        let own = Set(self.reminder.labels.map { LabelKey($0) })
        let places = places.compactMap { $0.map { LabelKey($0) } }
        let kept = former.filter { own.contains(LabelKey($0)) }
        let known = Set(kept.map { LabelKey($0) } + places)
        return kept + self.reminder.labels.filter { !known.contains(LabelKey($0)) }
    }

    /// The notes without the parts that an import adds to them.
    ///
    /// - Parameters:
    ///   - parts: the texts of the record that an import adds behind the notes, such as comments.
    ///   - program: the name in front of values that could not be read.
    func notes(besides parts: [String], of program: String) -> RecordedNotes {
        RecordedNotes(self.reminder.notes ?? "", parts: parts, program: program)
    }
}
