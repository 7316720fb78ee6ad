package import RemindavICalendar
import RemindavRecurrence

/// The definition of one field of a reminder; ``all`` is the only list of the fields.
///
/// Drafts, changes, the options of `add` and `edit`, the editor form, summaries, details, conflicts, search, exports,
/// imports of exports and the display names of properties all use this list.
package struct ReminderField: Sendable {
    /// The kind of the value, which determines how an argument is parsed and how a value is shown.
    package enum Kind: Hashable, Sendable {
        case title
        case line(Name)
        case notes
        case due, start, rule, alarms, priority, labels, parent, dependencies, status
        /// The list of the reminder, which is no property of the to-do.
        case list
        /// A field that the program shows but cannot set.
        case readOnly
    }

    /// The display name, which is also the key in JSON.
    package let name: String
    package var heading: String { self.name.prefix(1).uppercased() + self.name.dropFirst() }
    package var kind = Kind.readOnly
    /// The option of `add` and `edit`: its name without the leading `--`, the placeholder for its value, and its help.
    package var option: (name: String, value: String, help: String)?
    package let properties: [String]
    /// Reads the value at the reminder's current occurrence; the result is `nil` when the field has no value.
    package var read: (@Sendable (Reminder) -> FieldValue?)?
    /// Returns a new text in the form in which it is stored; throws when the field cannot have it.
    package var check: @Sendable (String) throws(LinkError) -> String = { text throws(LinkError) in text }
    /// Writes a changed value; `nil` for read-only fields, for ``list``, and for ``start`` and ``repeats``, which
    /// ``due`` writes.
    var write: (@Sendable (Reminder, ReminderChange, FieldContext, inout ComponentEditor) -> Void)?
}

extension ReminderField: Hashable {
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(self.name) }
}

package enum FieldValue: Hashable, Sendable {
    case text(String)
    case moment(CalendarDateOrDateTime)
    /// A due time relative to the present one, beside ``moment(_:)``.
    case shift(DueShift)
    case rule(RecurrenceRule)
    case priority(Priority)
    case labels([String])
    case labelEdit(LabelEdit)
    case alarms([AlarmChoice])
    /// A change of single alarms, beside ``alarms(_:)`` as the new set of all.
    case alarmAdjustment(AlarmAdjustment)
    case parent(ReminderReference)
    case dependencies(DependencyEdit)
    case status(Status)
    package var text: String? { if case .text(let value) = self { value } else { nil } }
    var moment: CalendarDateOrDateTime? { if case .moment(let value) = self { value } else { nil } }
    var rule: RecurrenceRule? { if case .rule(let value) = self { value } else { nil } }
    var priority: Priority? { if case .priority(let value) = self { value } else { nil } }
    var labels: [String]? { if case .labels(let value) = self { value } else { nil } }
    var labelEdit: LabelEdit? { if case .labelEdit(let value) = self { value } else { nil } }
    var alarms: [AlarmChoice]? { if case .alarms(let value) = self { value } else { nil } }
    var parent: ReminderReference? { if case .parent(let value) = self { value } else { nil } }
    var dependencies: DependencyEdit? { if case .dependencies(let value) = self { value } else { nil } }
    var status: Status? { if case .status(let value) = self { value } else { nil } }

    var isEmpty: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .priority(let priority): priority == .undefined
        case .labels(let labels): labels.isEmpty
        case .labelEdit(let edit): edit.isEmpty
        case .alarms(let alarms): alarms.isEmpty
        case .moment, .shift, .rule, .parent, .dependencies, .status, .alarmAdjustment: false
        }
    }
}

/// The values that a field needs, besides the change, to write its value.
struct FieldContext: Sendable {
    let dayTime: ClockTime
    /// The time zones; `nil` leaves the alarms unchanged.
    let zones: TimeZoneResolver?
}

extension ReminderField {
    package static let title = Self(
        name: "title",
        kind: .title,
        option: ("title", "TEXT", "The title"),
        properties: ["SUMMARY"],
        read: { .text($0.title) },
        write: { reminder, change, _, editor in
            if let title = change.title { reminder.write(title: title, to: &editor) }
        }
    )

    package static let notes = Self(
        name: "notes",
        kind: .notes,
        option: ("notes", "TEXT", "More about it; '-' reads the notes from standard input"),
        properties: ["DESCRIPTION", "X-ALT-DESC"],
        read: { $0.notes.map(FieldValue.text) },
        write: { reminder, change, _, editor in reminder.write(notes: change.notes, to: &editor) }
    )

    /// The due time; its `write` also writes the start and the rule, because DUE, DTSTART and RRULE must agree.
    package static let due = Self(
        name: "due",
        kind: .due,
        option: ("due", "WHEN", "When it is due"),
        properties: ["DUE"],
        read: { $0.due.map(FieldValue.moment) },
        write: { reminder, change, context, editor in
            reminder.write(
                due: change.due,
                start: change.start,
                rule: change.recurrenceRule,
                context.zones,
                to: &editor
            )
        }
    )

    package static let start = Self(
        name: "start",
        kind: .start,
        option: ("start", "WHEN", "When to begin with it; not after the due time"),
        properties: ["DTSTART"],
        read: { $0.start.map(FieldValue.moment) }
    )

    package static let repeats = Self(
        name: "repeat",
        kind: .rule,
        option: ("repeat", "HOW", "How it repeats, such as daily or 'every 2 weeks on mon,thu'"),
        properties: ["RRULE", Name.repeatFrom.canonical],
        read: { $0.recurrenceRule.map(FieldValue.rule) ?? $0.recurrenceText.map(FieldValue.text) }
    )

    /// The alarms; `read` is `nil`, because the to-do contains only times, and not the ``AlarmChoice`` of each alarm.
    package static let alarms = Self(
        name: "alarms",
        kind: .alarms,
        option: ("alarm", "WHEN", "An alarm"),
        properties: [],
        write: { reminder, change, context, editor in
            let alarms = reminder.alarms(after: change, context)
            reminder.write(alarms: alarms, due: reminder.due(after: change.due), context, to: &editor)
        }
    )

    package static let priority = Self(
        name: "priority",
        kind: .priority,
        option: ("priority", "HOW", "low, medium or high"),
        properties: ["PRIORITY"],
        read: { $0.priority == .undefined ? nil : .priority($0.priority) },
        write: { reminder, change, _, editor in
            if let priority = change.priority.value(clear: .undefined) {
                reminder.write(priority: priority, to: &editor)
            }
        }
    )

    package static let labels = Self(
        name: "labels",
        kind: .labels,
        option: ("label", "NAME", "A label"),
        properties: ["CATEGORIES"],
        read: { $0.labels.isEmpty ? nil : .labels($0.labels) },
        write: { reminder, change, _, editor in
            if let labels = change.labels(after: reminder.labels) { reminder.write(labels: labels, to: &editor) }
        }
    )

    /// The reminder that contains this one as a subtask.
    package static let parent = Self(
        name: "parent",
        kind: .parent,
        option: ("parent", "ID", "The number of the reminder of which this is a subtask"),
        properties: ["RELATED-TO"],
        read: { $0.parentUID.map { .parent(.uid($0)) } },
        write: { reminder, change, _, editor in reminder.write(parent: change.parent, to: &editor) }
    )

    /// The reminders that must be completed before this one; `read` is `nil`, because a change contains single ones.
    package static let dependencies = Self(
        name: "depends on",
        kind: .dependencies,
        option: ("depends", "ID", "A reminder to complete first; -ID removes it"),
        properties: [],
        write: { reminder, change, _, editor in reminder.write(dependencies: change.dependencies, to: &editor) }
    )

    /// The progress of an open reminder; other operations complete and reopen it.
    package static let status = Self(
        name: "status",
        kind: .status,
        option: ("status", "STATUS", "in-progress, or pending"),
        properties: ["STATUS"],
        read: { .status($0.status) },
        write: { reminder, change, _, editor in reminder.write(status: change.status, to: &editor) }
    )

    package static let list = Self(name: "list", kind: .list, option: ("list", "NAME", "The list"), properties: [])

    /// All fields, in the order in which the program writes, lists and summarizes them.
    // swift-format-ignore
    package static let all: [Self] = [
        .title, .notes, .due, .start, .repeats, .alarms, .priority, .labels,
        Self(line: "location", .location, help: "The place", others: ["GEO"]),
        Self(line: "link", .url, value: "URL", help: "The address of a page about it", check: Link.checked),
        .parent, .dependencies, .status, .list,
        Self("length", ["DURATION"]),
        Self("completion", ["COMPLETED"]), Self("progress", ["PERCENT-COMPLETE"]), Self("left-out dates", ["EXDATE"]),
        Self("added dates", ["RDATE"]), Self("occurrence", ["RECURRENCE-ID"]),
        Self("snooze", ["X-MOZ-SNOOZE-TIME", "X-MOZ-LASTACK", "ACKNOWLEDGED"]),
        Self("alarm time", ["TRIGGER", "X-REMINDAV-DUE-ALARM"]), Self("alarm kind", ["ACTION"]),
        Self("alarm repetition", ["REPEAT"]), Self("attachments", ["ATTACH"]),
        Self("privacy", ["CLASS"]), Self("color", ["COLOR"]),
        Self("comments", ["COMMENT"]), Self("contact", ["CONTACT"]), Self("organizer", ["ORGANIZER"]),
        Self("people", ["ATTENDEE"]),
    ]

    /// The read-only fields that `show` lists by their names; it shows the others in a form of their own.
    package static let shown: [Self] = all.filter {
        ["progress", "privacy", "color", "comments", "contact"].contains($0.name)
    }
    package static let settable: [Self] = all.filter { $0.option != nil }
    package static let lines: [Self] = all.filter { if case .line = $0.kind { true } else { false } }
    package static let lineProperties: [(name: String, property: Name)] = lines.compactMap { field in
        if case .line(let property) = field.kind { (field.name, property) } else { nil }
    }

    /// A field with one line of text in one property; without `help`, it cannot be set.
    private init(
        line name: String,
        _ property: Name,
        value: String = "TEXT",
        help: String? = nil,
        others: [String] = [],
        check: @escaping @Sendable (String) throws(LinkError) -> String = { text throws(LinkError) in text }
    ) {
        self.init(
            name: name,
            kind: .line(property),
            option: help.map { (name, value, $0) },
            properties: [property.canonical] + others,
            read: { $0.text(of: property).map(FieldValue.text) },
            check: check,
            write: { reminder, change, _, editor in reminder.write(name, property, change, to: &editor) }
        )
    }

    private init(_ name: String, _ properties: [String]) { self.init(name: name, properties: properties) }
}

extension Component {
    /// The text of a property; URL is of type URI, which has no escapes.
    package func text(of property: Name) -> String? {
        self.first(property).map { property == .url ? $0.value : $0.text }
    }
}

extension Reminder {
    /// The texts in which a search looks besides the title and the labels, each with the name of its field.
    package var searchTexts: [(field: String, text: String)] {
        (ReminderField.lines + [.notes]).compactMap { field in field.read?(self)?.text.map { (field.name, $0) } }
    }

    /// A text of the occurrence, or of the series if the occurrence has none; `nil` when it is blank.
    func text(of property: Name) -> String? {
        (self.todo.text(of: property) ?? self.main.text(of: property))?.nonBlank
    }

    /// A content line with a new text, and with the LANGUAGE parameter of the present property; URL has no escapes.
    func line(_ property: Name, _ text: String) -> ContentLine {
        if property == .url { return ContentLine(.url, value: text) }
        let language = self.todo.first(property)?.parameters.filter { $0.name == .language } ?? []
        return ContentLine(property, language, text: text)
    }

    fileprivate func write(
        _ name: String,
        _ property: Name,
        _ change: ReminderChange,
        to editor: inout ComponentEditor
    ) {
        guard let text = change[line: name].value(clear: ""), text != self.text(of: property) ?? "" else { return }
        // An override without the property inherits the text of the series, so only an empty property clears it.
        let isInherited = self.todo.recurrenceID != nil && self.main.first(property) != nil
        if text.isEmpty, !isInherited { return editor.remove(property) }
        editor.set(self.line(property, text))
    }
}
