import ICalendar
import JSON
import Reminders

/// Collects reminders and writes them in the format of another program.
///
/// A reminder that was imported from this format gives its ``TaskRecord`` again, with the new values of its edited
/// fields. Any other reminder gives the fields that the format can express.
struct RecordWriter: Sendable {
    private let form: RecordForm
    private let context: ImportContext
    private let defaultList: String?
    private var reminders: [RecordedReminder] = []

    /// - Parameter defaultList: the name of the default list, which is not written as a project; `nil` if there is none.
    init(_ form: RecordForm, in context: ImportContext, defaultList: String?) {
        self.form = form
        self.context = context
        self.defaultList = defaultList
    }

    mutating func add(_ reminder: ExportedReminder) {
        self.reminders.append(
            RecordedReminder(reminder, self.form.format, in: self.context, defaultList: self.defaultList)
        )
    }

    var bytes: [UInt8] { self.form.write(self.reminders) }
}

/// A format that can be exported with the records of its tasks.
struct RecordForm: Sendable {
    let format: TaskFormat
    /// Writes the whole file.
    let write: @Sendable ([RecordedReminder]) -> [UInt8]
}

/// A field of another program's task, for an export.
struct RecordField: Sendable {
    let name: String
    /// The properties on which the value depends; the value of a record is replaced if one of them was edited.
    let properties: [Name]
    /// The value of the field, which may use the value in the record; `nil` if the task has no such field.
    let value: @Sendable (RecordedReminder, _ original: JSONValue?) -> JSONValue?

    init(
        _ name: String,
        _ properties: [Name],
        _ value: @escaping @Sendable (RecordedReminder, _ original: JSONValue?) -> JSONValue?
    ) {
        self.name = name
        self.properties = properties
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
    let context: ImportContext
    let defaultList: String?
    /// The main component; `nil` if the stored text is not UTF-8.
    let todo: Component?
    /// The record of the task that became this reminder; `nil` if the reminder did not come from this format.
    let record: TaskRecord?

    init(_ reminder: ExportedReminder, _ format: TaskFormat, in context: ImportContext, defaultList: String?) {
        self.reminder = reminder
        self.context = context
        self.defaultList = defaultList
        self.todo = reminder.main
        self.record = self.todo.flatMap { TaskRecord(of: $0, format) }
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
            guard isNew || self.isEdited(field.properties) else { return object }
            return object.setting(field.name, to: field.value(self, object[field.name]))
        }
    }

    var title: String { ImportedTask.title(self.reminder.title) ?? Reminder.untitled }

    func moment(_ name: Name) -> CalendarDateOrDateTime? { self.todo?.first(name)?.moment }

    /// The instant of an RFC 3339 text.
    func instant(_ text: String?) -> Instant? { text.flatMap { self.context.instant($0) } }

    /// The time of the last change; without one, the time of the creation or of the stored text.
    var changedAt: Instant? {
        self.instant(self.reminder.updatedAt) ?? self.instant(self.reminder.createdAt)
            ?? self.moment(.dtstamp).flatMap { self.context.instant(of: $0) }
    }

    var rule: RecurrenceRule? { self.reminder.repeatRule.flatMap { try? RecurrenceRule(wire: $0) } }

    /// The name of the project or list: the former one as long as the reminder has it as its list or label.
    ///
    /// A reminder without a record takes its list, except the default list.
    func project(_ former: String?) -> String? {
        let list = self.reminder.list == self.defaultList ? nil : self.reminder.list
        guard self.record != nil else { return list }
        guard let former else { return nil }
        let names = Set((self.reminder.labels + [self.reminder.list]).map { LabelKey($0) })
        return names.contains(LabelKey(former)) ? former : list
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
}
