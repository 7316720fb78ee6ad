public import ICalendar

/// What to do with one field of a reminder.
public enum FieldChange<Value: Sendable>: Sendable {
    /// Leave it as it is.
    case keep
    /// Take it away.
    case clear
    /// Give it a value.
    case set(Value)
}

extension FieldChange {
    /// The same with the value, where there is one, as another.
    public func map<Other: Sendable>(_ transform: (Value) -> Other) -> FieldChange<Other> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let value): .set(transform(value))
        }
    }
}

extension FieldChange: Equatable where Value: Equatable {}
extension FieldChange: Hashable where Value: Hashable {}

/// A draft of changes to a reminder; what is `keep` stays untouched to the byte.
public struct ReminderChange: Sendable {
    /// The new title, `nil` to keep it.
    ///
    /// Trimmed by whoever asks for it.
    public var title: String?
    /// The notes.
    public var notes: FieldChange<String> = .keep
    /// When it is due.
    public var due: FieldChange<CalendarMoment> = .keep
    /// The rule by which it comes again.
    public var recurrenceRule: FieldChange<RecurrenceRule> = .keep
    /// How urgent it is, `nil` to keep it.
    public var priority: Priority?
    /// All labels, `nil` to keep them.
    ///
    /// Empty takes them away.
    public var labels: [String]?

    /// A draft that changes nothing.
    public init() {}
}

/// What an edit needs and cannot know by itself.
public struct EditingContext: Sendable {
    /// Written to the stamps.
    public var now: Instant
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
    /// Only the lines of the changed fields are written, and the stamps.
    public func applying(_ change: ReminderChange, in context: EditingContext) -> Reminder {
        self.edit(in: context) { editor in
            if let title = change.title { self.write(title: title, to: &editor) }
            self.write(notes: change.notes, to: &editor)
            self.write(due: change.due, rule: change.recurrenceRule, to: &editor)
            if let priority = change.priority { self.write(priority: priority, to: &editor) }
            if let labels = change.labels { self.write(labels: labels, to: &editor) }
        }
    }

    /// Runs an edit of the to-do, then writes the stamps and the zones that it newly needs.
    func edit(in context: EditingContext, _ body: (inout ComponentEditor) -> Void) -> Reminder {
        var editor = ComponentEditor(self.todo)
        body(&editor)
        guard !editor.edits.isEmpty else { return self }
        self.stamp(context.now, &editor)
        let edited = self.object.document.applying(editor.edits)
        let lineEnd = self.todo.lineEnd
        let complete = edited.addingMissingTimeZones { name in
            context.timeZoneLines(name)?.flatMap { ContentLine.fold(Array($0.utf8), lineEnd: lineEnd) }
        }
        return Reminder(complete) ?? self
    }

    /// DTSTAMP and LAST-MODIFIED are `now`; SEQUENCE is raised where there is one (RFC 5545 §3.8.7).
    private func stamp(_ now: Instant, _ editor: inout ComponentEditor) {
        let wire = CalendarDateTime(localSeconds: now.secondsSince1970, zone: .utc).wire
        editor.set(ContentLine(.dtstamp, value: wire))
        editor.set(ContentLine(.lastModified, value: wire))
        if let sequence = self.todo.first(.sequence)?.integer, sequence >= 0, sequence < Int(Int32.max) {
            editor.set(ContentLine(.sequence, value: String(sequence + 1)))
        }
    }
}
