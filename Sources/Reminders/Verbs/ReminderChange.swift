public import ICalendar
public import Recurrence

/// The change of one field.
public enum FieldChange<Value: Sendable>: Sendable {
    /// Leaves the value as it is.
    case keep
    /// Removes the value.
    case clear
    case set(Value)
}

extension FieldChange {
    /// The same change with the value converted.
    public func map<Other: Sendable>(_ transform: (Value) -> Other) -> FieldChange<Other> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let value): .set(transform(value))
        }
    }

    /// The value after the change; `nil` when the field is kept.
    func value(clear: Value) -> Value? {
        switch self {
        case .keep: nil
        case .clear: clear
        case .set(let value): value
        }
    }
}

extension FieldChange: Equatable where Value: Equatable {}
extension FieldChange: Hashable where Value: Hashable {}

/// The change of a reminder; a field without a value in it stays untouched to the byte.
public struct ReminderChange: Hashable, Sendable {
    /// The new value of each changed field by its name; `nil` removes the value.
    private var values: [String: FieldValue?] = [:]

    /// A change of the given fields only.
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

    /// The change of a field; an empty value removes the value.
    package subscript(field: ReminderField) -> FieldChange<FieldValue> {
        get { self[field.name] }
        set { self[field.name] = newValue }
    }

    private subscript(name: String) -> FieldChange<FieldValue> {
        get {
            switch self.values[name] {
            case nil: .keep
            case .some(nil): .clear
            case .some(let value?): .set(value)
            }
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

    /// The change of a field of the kind ``ReminderField/Kind/line``.
    subscript(line name: String) -> FieldChange<String> { self.change(of: name, \.text) }

    /// The new text of a field that every reminder has; empty for one that cannot be removed, `nil` to keep it.
    private func text(of name: String) -> String? {
        switch self[name] {
        case .keep: nil
        case .clear: ""
        case .set(let value): value.text
        }
    }

    /// The fields that change, in the order of ``ReminderField/all``.
    package var fields: [ReminderField] { ReminderField.settable.filter { self.values[$0.name] != nil } }

    /// Whether no field changes.
    public var isEmpty: Bool { self.values.isEmpty }

    /// The new title without white space at its ends; `nil` to keep it.
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

    /// The change of RRULE.
    public var recurrenceRule: FieldChange<RecurrenceRule> {
        get { self.change(of: ReminderField.repeats.name, \.rule) }
        set { self[.repeats] = newValue.map(FieldValue.rule) }
    }

    /// All labels: `set` replaces the present ones.
    public var labels: FieldChange<[String]> {
        get { self.change(of: ReminderField.labels.name, \.labels) }
        set { self[.labels] = newValue.map(FieldValue.labels) }
    }

    /// The change of PRIORITY.
    public var priority: FieldChange<Priority> {
        get { self.change(of: ReminderField.priority.name, \.priority) }
        set { self[.priority] = newValue.map(FieldValue.priority) }
    }

    /// The name of the list that the reminder moves to; `nil` to keep the list.
    public var list: String? {
        get { self.text(of: ReminderField.list.name) }
        set { self[.list] = newValue.map { .set(.text($0)) } ?? .keep }
    }

    /// The alarms of this reminder: `set` replaces the present ones.
    public var alarms: FieldChange<[AlarmChoice]> {
        get { self.change(of: ReminderField.alarms.name, \.alarms) }
        set { self[.alarms] = newValue.map(FieldValue.alarms) }
    }
}

/// The surroundings of an edit.
public struct EditingContext: Sendable {
    /// Written to the stamps.
    public var now: Instant
    /// The time of day at which the alarm of a whole day is, by the clock on the wall.
    public var dayTime = AlarmSettings.standardDayTime
    /// The unfolded lines of a VTIMEZONE for the name of a zone, `nil` when the zone is not known.
    public var timeZoneLines: @Sendable (String) -> [String]?

    /// A context of that moment.
    public init(now: Instant, timeZoneLines: @escaping @Sendable (String) -> [String]?) {
        self.now = now
        self.timeZoneLines = timeZoneLines
    }
}

extension Reminder {
    /// The reminder with those changes; the same object when they change nothing.
    ///
    /// Only the lines of the changed fields are written, and the stamps. Of one that is read at an occurrence
    /// (``current(zones:)``) that is changed which describes it: an override alone, or the whole series. Another rule
    /// begins with that occurrence.
    ///
    /// - Parameter zones: for alarms that go along when it is due at another time; without them they stay.
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
        switch change {
        case .keep: false
        case .clear: true
        case .set(let rule): rule != self.recurrenceRule
        }
    }

    /// The occurrence by itself, for another rule or none: the exceptions of the old rule have no meaning any more.
    private func alone(_ focus: Focus, in context: EditingContext) -> Reminder {
        let todo = self.todo
        var editor = ComponentEditor(todo)
        editor.removeRecurrence()
        editor.remove(.recurrenceID)
        editor.write(dates: focus)
        if todo.first(.summary) == nil { editor.set(ContentLine(.summary, text: self.title)) }
        todo.removeSnoozeProperties(&editor)
        editor.moveAlarms(bySeconds: focus.shift)
        editor.set(stampsOf: context.now)
        let others = self.object.todos.filter { $0.range != todo.range }
        return Reminder(self.object.document.applying(editor.edits + others.map { Edit($0.range, []) })) ?? self
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

    /// The due time after a change.
    package func due(after change: FieldChange<CalendarDateOrDateTime>) -> CalendarDateOrDateTime? {
        switch change {
        case .keep: self.due
        case .clear: nil
        case .set(let moment): moment
        }
    }

    /// The same with the dates that its component has.
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

    /// When its component is due, for the occurrence to be due at the date that is asked for: the series moves as far as
    /// the occurrence does.
    private func translated(_ due: FieldChange<CalendarDateOrDateTime>) -> FieldChange<CalendarDateOrDateTime> {
        guard case .set(let moment) = due, let shown = self.due, let written = self.todo.due, shown != written else {
            return due
        }
        if moment == shown { return .keep }
        let days = Int64(written.day.dayNumber - shown.day.dayNumber) * Int64(ClockTime.secondsPerDay)
        return .set(moment.moved(bySeconds: days))
    }

    /// Runs an edit of a to-do, then writes the stamps and the zones that it newly needs.
    func edit(
        _ todo: Component,
        in context: EditingContext,
        _ body: (inout ComponentEditor) -> Void
    ) -> Reminder {
        self.edit(in: context) { $0.edit(todo, body) }
    }

    /// Runs edits of its to-dos, then writes the stamps and the zones that they newly need.
    func edit(in context: EditingContext, _ body: (inout ObjectEditor) -> Void) -> Reminder {
        var editor = ObjectEditor(self.object, now: context.now)
        body(&editor)
        guard !editor.edits.isEmpty else { return Reminder(self, focus: nil) }
        return self.finishing(editor.edits, in: context)
    }

    /// The reminder as a person's edit that was made some other way leaves it: with the stamps and the zones.
    ///
    /// - Parameter former: the replaced object; SEQUENCE becomes higher than its SEQUENCE.
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

/// Collects the edits of an object's to-dos.
struct ObjectEditor {
    private let object: CalendarObject
    private let now: Instant
    private(set) var edits: [Edit] = []

    init(_ object: CalendarObject, now: Instant) {
        self.object = object
        self.now = now
    }

    /// Runs an edit of a to-do, and writes its stamps where that changes anything.
    mutating func edit(_ todo: Component, _ body: (inout ComponentEditor) -> Void) {
        var editor = ComponentEditor(todo)
        body(&editor)
        guard !editor.edits.isEmpty else { return }
        editor.stamp(self.now)
        self.edits += editor.edits
    }

    mutating func remove(_ todo: Component) { self.edits.append(Edit(todo.range, [])) }

    /// Adds a to-do after the others.
    mutating func add(_ lines: [UInt8]) {
        guard let last = self.object.todos.last else { return }
        self.edits.append(self.object.document.insertion(of: lines, at: last.range.upperBound))
    }
}

extension ComponentEditor {
    /// DTSTAMP and LAST-MODIFIED are `now`; SEQUENCE is raised where there is one (RFC 5545 §3.8.7).
    mutating func stamp(_ now: Instant, formerSequence: Int? = nil) {
        let wire = CalendarDateTime(utc: now).wire
        self.set(ContentLine(.dtstamp, value: wire))
        self.set(ContentLine(.lastModified, value: wire))
        let sequences = [self.component.first(.sequence)?.integer, formerSequence].compactMap { $0 }
        if let sequence = sequences.max(), sequence >= 0, sequence < Int(Int32.max) {
            self.set(ContentLine(.sequence, value: String(sequence + 1)))
        }
    }
}
