public import RemindavICalendar
public import RemindavRecurrence

/// The change of one field.
public enum FieldChange<Value: Sendable>: Sendable {
    /// The field stays as it is.
    case keep
    /// The field is removed.
    case clear
    /// The field gets this value.
    case set(Value)
}

extension FieldChange {
    /// The same change with its new value converted.
    public func map<Other: Sendable>(_ transform: (Value) -> Other) -> FieldChange<Other> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let value): .set(transform(value))
        }
    }

    func value(clear: Value) -> Value? { if case .clear = self { clear } else { self.value } }
}

extension FieldChange: Equatable where Value: Equatable {}
extension FieldChange: Hashable where Value: Hashable {}

/// A change of some fields of a reminder; the lines of all other fields keep their bytes.
public struct ReminderChange: Hashable, Sendable {
    /// The new values by field name; a `nil` value clears the field.
    private var values: [String: FieldValue?] = [:]
    /// Whether the user states a past due time on purpose; otherwise, the use cases refuse a past due time.
    package var allowsPastDue = false
    /// Whether the change applies to the current occurrence of a series only, so that its other dates stay.
    package var changesOnlyThisDate = false

    /// Creates a change of the given fields.
    public init(
        title: String? = nil,
        notes: FieldChange<String> = .keep,
        due: FieldChange<CalendarDateOrDateTime> = .keep,
        recurrenceRule: FieldChange<RecurrenceRule> = .keep,
        labels: FieldChange<[String]> = .keep,
        priority: FieldChange<Priority> = .keep,
        list: String? = nil,
        alarms: FieldChange<[AlarmChoice]> = .keep
    ) {
        self.title = title
        self.notes = notes
        self.due = due
        self.recurrenceRule = recurrenceRule
        self.labels = labels
        self.priority = priority
        self.list = list
        self.alarms = alarms
    }

    /// The change of a field; to set an empty value clears the field.
    package subscript(field: ReminderField) -> FieldChange<FieldValue> {
        get { self[field.name] }
        set { self[field.name] = newValue }
    }

    private subscript(name: String) -> FieldChange<FieldValue> {
        get {
            self.values[name].map { $0.map(FieldChange.set) ?? .clear } ?? .keep
        }
        set {
            switch newValue {
            case .keep: self.values[name] = nil
            case .clear: self.values[name] = .some(nil)
            case .set(let value): self.values[name] = .some(value.isEmpty ? nil : value)
            }
        }
    }

    private func change<Value>(of name: String, _ value: (FieldValue) -> Value?) -> FieldChange<Value> {
        switch self[name] {
        case .keep: .keep
        case .clear: .clear
        case .set(let field): value(field).map { .set($0) } ?? .keep
        }
    }

    subscript(line name: String) -> FieldChange<String> { self.change(of: name, \.text) }

    /// The new text of a field; empty clears the field, and `nil` keeps it.
    private func text(of name: String) -> String? { self[name] == .clear ? "" : self[name].value?.text }

    package var fields: [ReminderField] { ReminderField.settable.filter { self.values[$0.name] != nil } }

    /// Whether the change contains no field.
    public var isEmpty: Bool { self.values.isEmpty }

    /// The new title; `nil` keeps the title.
    public var title: String? {
        get { self.text(of: ReminderField.title.name) }
        set { self[.title] = newValue.map { .set(.text($0)) } ?? .keep }
    }

    /// The change of DESCRIPTION.
    public var notes: FieldChange<String> {
        get { self.change(of: ReminderField.notes.name, \.text) }
        set { self[.notes] = newValue.map(FieldValue.text) }
    }

    /// The change of DUE.
    public var due: FieldChange<CalendarDateOrDateTime> {
        get { self.change(of: ReminderField.due.name, \.moment) }
        set { self[.due] = newValue.map(FieldValue.moment) }
    }

    /// The shift of DUE; a use case replaces it by the new ``due``.
    package var dueShift: DueShift? {
        get { if case .set(.shift(let value)) = self[.due] { value } else { nil } }
        set { self[.due] = newValue.map { .set(.shift($0)) } ?? .keep }
    }

    /// The change of DTSTART; a reminder that repeats has no start of its own.
    public var start: FieldChange<CalendarDateOrDateTime> {
        get { self.change(of: ReminderField.start.name, \.moment) }
        set { self[.start] = newValue.map(FieldValue.moment) }
    }

    /// The change of the parent (RELATED-TO).
    public var parent: FieldChange<ReminderReference> {
        get { self.change(of: ReminderField.parent.name, \.parent) }
        set { self[.parent] = newValue.map(FieldValue.parent) }
    }

    /// The change of the reminders on which the reminder depends.
    public var dependencies: FieldChange<DependencyEdit> {
        get { self.change(of: ReminderField.dependencies.name, \.dependencies) }
        set { self[.dependencies] = newValue.map(FieldValue.dependencies) }
    }

    /// The change of STATUS of an open reminder to ``Status/pending`` or ``Status/inProgress``.
    public var status: FieldChange<Status> {
        get { self.change(of: ReminderField.status.name, \.status) }
        set { self[.status] = newValue.map(FieldValue.status) }
    }

    /// The change of RRULE.
    public var recurrenceRule: FieldChange<RecurrenceRule> {
        get { self.change(of: ReminderField.repeats.name, \.rule) }
        set { self[.repeats] = newValue.map(FieldValue.rule) }
    }

    /// The change of the labels; `set` replaces all present labels.
    public var labels: FieldChange<[String]> {
        get { self.change(of: ReminderField.labels.name, \.labels) }
        set { self[.labels] = newValue.map(FieldValue.labels) }
    }

    /// The single labels to add and to remove; `nil` if ``labels`` replaces or keeps all labels.
    public var labelEdit: LabelEdit? {
        get { self[.labels].value?.labelEdit }
        set { self[.labels] = newValue.flatMap { $0.isEmpty ? nil : .set(.labelEdit($0)) } ?? .keep }
    }

    /// The labels after the change of a reminder with the labels `present`; `nil` keeps them.
    func labels(after present: [String]) -> [String]? {
        self.labelEdit.map { $0.applied(to: present) } ?? self.labels.value(clear: [])
    }

    /// The change of PRIORITY.
    public var priority: FieldChange<Priority> {
        get { self.change(of: ReminderField.priority.name, \.priority) }
        set { self[.priority] = newValue.map(FieldValue.priority) }
    }

    /// The name of the list to which the reminder moves; `nil` keeps the list.
    public var list: String? {
        get { self.text(of: ReminderField.list.name) }
        set { self[.list] = newValue.map { .set(.text($0)) } ?? .keep }
    }

    /// The change of the alarms; `set` replaces all present alarms.
    public var alarms: FieldChange<[AlarmChoice]> {
        get { self.change(of: ReminderField.alarms.name, \.alarms) }
        set { self[.alarms] = newValue.map(FieldValue.alarms) }
    }
}

/// Single labels to add to a reminder and to remove from it; its other labels stay.
public struct LabelEdit: Hashable, Sendable {
    /// The labels to add, in order; a label that the reminder has already keeps its spelling.
    public var added: [String]
    /// The labels to remove, ignoring case; a label that the reminder does not have is ignored.
    public var removed: [String]

    /// Creates an edit.
    public init(added: [String] = [], removed: [String] = []) {
        self.added = added
        self.removed = removed
    }

    /// Whether the edit contains no label.
    public var isEmpty: Bool { self.added.isEmpty && self.removed.isEmpty }

    func applied(to labels: [String]) -> [String] {
        let removed = Set(self.removed.map { LabelKey($0) })
        return (labels + self.added).filter { !removed.contains(LabelKey($0)) }
    }
}

/// Alarms to add to those of a reminder, and alarms to remove from them.
public struct AlarmAdjustment: Hashable, Sendable {
    /// The alarms that the reminder gets, unless it has them already.
    public var added: [AlarmChoice]
    /// The alarms that the reminder loses; others that it does not have are ignored.
    public var removed: [AlarmChoice]

    /// Creates an adjustment.
    public init(added: [AlarmChoice] = [], removed: [AlarmChoice] = []) {
        self.added = added
        self.removed = removed
    }
}

extension ReminderChange {
    /// The change of single alarms; `nil` if the alarms stay, or if ``alarms`` replaces them.
    public var alarmAdjustment: AlarmAdjustment? {
        get { if case .set(.alarmAdjustment(let value)) = self[.alarms] { value } else { nil } }
        set { self[.alarms] = newValue.map { .set(.alarmAdjustment($0)) } ?? .keep }
    }

    /// The alarms that the change sets or adds.
    package var newAlarms: [AlarmChoice] { self.alarms.value ?? self.alarmAdjustment?.added ?? [] }
}

/// The values besides the change that an edit needs.
public struct EditingContext: Sendable {
    /// The present moment, which is written to DTSTAMP and LAST-MODIFIED.
    public var now: Instant
    /// The local time of day at which alarms of all-day reminders fire.
    public var dayTime = AlarmSettings.standardDayTime
    /// Returns the unfolded lines of the VTIMEZONE with this TZID; `nil` when the zone is unknown.
    public var timeZoneLines: @Sendable (String) -> [String]?

    /// Creates a context with the standard ``dayTime``.
    public init(now: Instant, timeZoneLines: @escaping @Sendable (String) -> [String]?) {
        self.now = now
        self.timeZoneLines = timeZoneLines
    }
}

extension Reminder {
    /// The reminder with the change applied; the same object when nothing changes.
    ///
    /// Only the lines of the changed fields and the time stamps are written. If an occurrence is chosen
    /// (``current(zones:)``), its override changes, or the whole series if the occurrence has no override; a new rule
    /// begins with this occurrence. Without `zones`, alarms do not change.
    public func applying(
        _ change: ReminderChange,
        in context: EditingContext,
        zones: TimeZoneResolver? = nil
    ) -> Reminder {
        guard let focus else { return self.applyingHere(change, in: context, zones) }
        if self.isOtherRule(change.recurrenceRule) {
            return self.alone(focus, in: context).applyingHere(change, in: context, zones)
        }
        var own = change
        own.recurrenceRule = .keep
        own.due = self.translated(change.due)
        return (self.todo.isSingle ? self : self.unshifted).applyingHere(own, in: context, zones)
    }

    private func isOtherRule(_ change: FieldChange<RecurrenceRule>) -> Bool {
        change != .keep && (change == .clear || change.value != self.recurrenceRule)
    }

    /// The occurrence as a reminder of its own, for a new or removed rule; EXDATE, RDATE and overrides are removed.
    private func alone(_ focus: Focus, in context: EditingContext) -> Reminder {
        let todo = self.todo
        var editor = ComponentEditor(todo)
        editor.makeSingle(focus)
        if todo.first(.summary) == nil { editor.set(ContentLine(.summary, text: self.title)) }
        editor.moveAlarms(bySeconds: focus.shift)
        editor.set(stampsOf: context.now)
        return self.object.keeping(todo, editor.edits) ?? self
    }

    private func applyingHere(
        _ change: ReminderChange,
        in context: EditingContext,
        _ zones: TimeZoneResolver?
    ) -> Reminder {
        let fields = FieldContext(dayTime: context.dayTime, zones: zones)
        return self.edit(self.todo, in: context) { editor in
            for field in ReminderField.settable { field.write?(self, change, fields, &editor) }
        }
    }

    package func due(after change: FieldChange<CalendarDateOrDateTime>) -> CalendarDateOrDateTime? {
        change == .keep ? self.due : change.value
    }

    /// The reminder with the dates of its component, not those of the occurrence.
    private var unshifted: Reminder {
        guard let focus, focus.occurrence.isOverride else { return Reminder(self, focus: nil) }
        let todo = self.todo
        let own = Focus(
            occurrence: focus.occurrence,
            start: todo.first(.dtstart)?.moment,
            due: todo.due,
            shift: 0,
            stamp: focus.stamp
        )
        return Reminder(self, focus: own)
    }

    /// The new due time of the component: the series moves by as many days as the occurrence moves.
    private func translated(_ due: FieldChange<CalendarDateOrDateTime>) -> FieldChange<CalendarDateOrDateTime> {
        guard case .set(let moment) = due, let shown = self.due, let written = self.todo.due, shown != written else {
            return due
        }
        if moment == shown { return .keep }
        let days = Int64(written.day.dayNumber - shown.day.dayNumber) * Int64(ClockTime.secondsPerDay)
        return .set(moment.moved(bySeconds: days))
    }

    func edit(_ todo: Component, in context: EditingContext, _ body: (inout ComponentEditor) -> Void) -> Reminder {
        self.edit(in: context) { $0.edit(todo, body) }
    }

    /// Applies edits, updates the time stamps of the edited to-dos, and adds missing time zones.
    func edit(in context: EditingContext, _ body: (inout ObjectEditor) -> Void) -> Reminder {
        var editor = ObjectEditor(self.object, now: context.now)
        body(&editor)
        guard !editor.edits.isEmpty else { return Reminder(self, focus: nil) }
        return self.finishing(editor.edits, in: context)
    }

    /// The reminder with new time stamps, for a text that was merged or restored; SEQUENCE exceeds that of `former`.
    package func restamped(in context: EditingContext, over former: CalendarObject? = nil) -> Reminder {
        var editor = ComponentEditor(self.main)
        editor.stamp(context.now, formerSequence: former?.main.first(.sequence)?.integer)
        return self.finishing(editor.edits, in: context)
    }

    private func finishing(_ edits: [Edit], in context: EditingContext) -> Reminder {
        let edited = self.object.document.applying(edits)
        let lineEnd = self.main.lineEnd
        let complete = edited.addingMissingTimeZones { name in
            context.timeZoneLines(name)?.flatMap { ContentLine.fold(Array($0.utf8), lineEnd: lineEnd) }
        }
        return Reminder(complete) ?? self
    }
}

struct ObjectEditor {
    private let object: CalendarObject
    private let now: Instant
    private(set) var edits: [Edit] = []

    init(_ object: CalendarObject, now: Instant) {
        self.object = object
        self.now = now
    }

    /// - Parameter isAlwaysStamped: whether the time stamps change even if the body edits nothing.
    mutating func edit(
        _ todo: Component,
        isAlwaysStamped: Bool = false,
        _ body: (inout ComponentEditor) -> Void
    ) {
        var editor = ComponentEditor(todo)
        body(&editor)
        guard isAlwaysStamped || !editor.edits.isEmpty else { return }
        editor.stamp(self.now)
        self.edits += editor.edits
    }

    mutating func remove(_ todo: Component) { self.edits.append(Edit(todo.range, [])) }

    mutating func add(_ lines: [UInt8]) {
        guard let last = self.object.todos.last else { return }
        self.edits.append(self.object.document.insertion(of: lines, at: last.range.upperBound))
    }
}

extension ComponentEditor {
    /// Sets DTSTAMP and LAST-MODIFIED to `now`, and increments an existing SEQUENCE (RFC 5545 §3.8.7).
    mutating func stamp(_ now: Instant, formerSequence: Int? = nil) {
        self.set(stampsOf: now)
        let sequences = [self.component.first(.sequence)?.integer, formerSequence].compactMap { $0 }
        if let sequence = sequences.max(), sequence >= 0, sequence < Int(Int32.max) {
            self.set(ContentLine(.sequence, value: String(sequence + 1)))
        }
    }
}
