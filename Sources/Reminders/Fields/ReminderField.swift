package import ICalendar
import Recurrence

/// The definition of one field of a reminder.
///
/// ``all`` is the only list of the fields. Drafts, changes, the options of `add` and `edit`, the editor form, summaries,
/// conflicts and the display names of properties follow from its rows.
package struct ReminderField: Sendable {
    /// The form of a value: it selects how an argument is parsed and how a value is shown.
    package enum Kind: Sendable {
        case title
        /// One line; it can be absent.
        case line
        /// Any number of lines.
        case notes
        case due, rule, alarms, priority, labels
        /// The list is no property of the to-do.
        case list
        /// Shown, and not settable.
        case readOnly
    }

    /// The display name, which is also the key in JSON.
    package let name: String
    /// The name at the beginning of a line of a form or a page.
    package var heading: String { self.name.prefix(1).uppercased() + self.name.dropFirst() }
    /// The kind of its values.
    package let kind: Kind
    /// The option of `add` and `edit` without the hyphens, the placeholder of its value and its help.
    package let option: (name: String, value: String, help: String)?
    /// The iCalendar properties that hold the value, in capitals.
    package let properties: [String]
    /// Its value in the occurrence that the reminder is read at; `nil` for no value.
    package let read: (@Sendable (Reminder) -> FieldValue?)?
    /// Writes the change of this field; a row without it is written by the row of another field, or is not written.
    let write: (@Sendable (Reminder, ReminderChange, FieldContext, inout ComponentEditor) -> Void)?

    private init(
        _ name: String,
        _ kind: Kind = .readOnly,
        _ properties: [String],
        option: (name: String, value: String, help: String)? = nil,
        read: (@Sendable (Reminder) -> FieldValue?)? = nil,
        write: (@Sendable (Reminder, ReminderChange, FieldContext, inout ComponentEditor) -> Void)? = nil
    ) {
        self.name = name
        self.kind = kind
        self.properties = properties
        self.option = option
        self.read = read
        self.write = write
    }

    /// A field with one line of text in one property.
    ///
    /// - Parameters:
    ///   - help: the help of its option; `nil` for a field that is shown and not settable.
    ///   - others: further properties with the same display name.
    private init(line name: String, _ property: Name, help: String? = nil, others: [String] = []) {
        self.init(
            name,
            .line,
            [property.canonical] + others,
            option: help.map { (name, "TEXT", $0) },
            // The value of a URI has no escapes.
            read: { reminder in
                (property == .url ? reminder.link : reminder.text(of: property)).map(FieldValue.text)
            },
            write: { reminder, change, _, editor in
                reminder.write(name, property, change, to: &editor)
            }
        )
    }
}

extension ReminderField: Hashable {
    /// Two rows are the same when their names are.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(self.name) }
}

/// The value of a field.
package enum FieldValue: Hashable, Sendable {
    case text(String)
    case moment(CalendarDateOrDateTime)
    case rule(RecurrenceRule)
    case priority(Priority)
    /// In their order.
    case labels([String])
    case alarms([AlarmChoice])

    package var text: String? { if case .text(let value) = self { value } else { nil } }
    var moment: CalendarDateOrDateTime? { if case .moment(let value) = self { value } else { nil } }
    var rule: RecurrenceRule? { if case .rule(let value) = self { value } else { nil } }
    var priority: Priority? { if case .priority(let value) = self { value } else { nil } }
    var labels: [String]? { if case .labels(let value) = self { value } else { nil } }
    var alarms: [AlarmChoice]? { if case .alarms(let value) = self { value } else { nil } }

    /// Whether a reminder with this value reads as one without a value.
    var isEmpty: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .priority(let priority): priority == .undefined
        case .labels(let labels): labels.isEmpty
        case .alarms(let alarms): alarms.isEmpty
        case .moment, .rule: false
        }
    }
}

/// The surroundings of a change that rows need in order to write a value.
struct FieldContext: Sendable {
    let dayTime: ClockTime
    /// `nil`: alarms stay as they are.
    let zones: TimeZoneResolver?
}

extension ReminderField {
    package static let title = Self(
        "title",
        .title,
        ["SUMMARY"],
        option: ("title", "TEXT", "The title"),
        read: { .text($0.title) },
        write: { reminder, change, _, editor in
            if let title = change.title { reminder.write(title: title, to: &editor) }
        }
    )

    package static let notes = Self(
        "notes",
        .notes,
        ["DESCRIPTION", "X-ALT-DESC"],
        option: ("notes", "TEXT", "More about it; '-' reads the notes from standard input"),
        read: { $0.notes.map(FieldValue.text) },
        write: { reminder, change, _, editor in reminder.write(notes: change.notes, to: &editor) }
    )

    /// Its row also writes the rule: DUE, DTSTART and RRULE must agree.
    package static let due = Self(
        "due",
        .due,
        ["DUE"],
        option: ("due", "WHEN", "When it is due"),
        read: { $0.due.map(FieldValue.moment) },
        write: { reminder, change, context, editor in
            reminder.write(due: change.due, rule: change.recurrenceRule, context.zones, to: &editor)
        }
    )

    package static let repeats = Self(
        "repeat",
        .rule,
        ["RRULE"],
        option: ("repeat", "HOW", "How it repeats, such as daily or 'every 2 weeks on mon,thu'"),
        read: { $0.recurrenceRule.map(FieldValue.rule) ?? $0.recurrenceText.map(FieldValue.text) }
    )

    /// Not read: the choices are resolved to times when they are written.
    package static let alarms = Self(
        "alarms",
        .alarms,
        [],
        option: ("alarm", "WHEN", "An alarm"),
        write: { reminder, change, context, editor in
            let due = reminder.due(after: change.due)
            reminder.write(
                alarms: change.alarms,
                due: due,
                isDueChanged: due != reminder.due,
                dayTime: context.dayTime,
                context.zones,
                to: &editor
            )
        }
    )

    package static let priority = Self(
        "priority",
        .priority,
        ["PRIORITY"],
        option: ("priority", "HOW", "low, medium or high"),
        read: { $0.priority == .undefined ? nil : .priority($0.priority) },
        write: { reminder, change, _, editor in
            if let priority = change.priority.value(clear: .undefined) {
                reminder.write(priority: priority, to: &editor)
            }
        }
    )

    package static let labels = Self(
        "labels",
        .labels,
        ["CATEGORIES"],
        option: ("label", "NAME", "A label"),
        read: { $0.labels.isEmpty ? nil : .labels($0.labels) },
        write: { reminder, change, _, editor in
            if let labels = change.labels.value(clear: []) { reminder.write(labels: labels, to: &editor) }
        }
    )

    package static let list = Self("list", .list, [], option: ("list", "NAME", "The list"))

    /// All fields, in the order in which they are written, listed and summarized.
    // swift-format-ignore
    package static let all: [Self] = [
        .title, .notes, .due, .repeats, .alarms, .priority, .labels,
        Self(line: "location", .location, help: "The place", others: ["GEO"]),
        Self(line: "link", .url),
        .list,
        Self("start", ["DTSTART"]),
        Self("length", ["DURATION"]),
        Self("status", ["STATUS"]),
        Self("completion", ["COMPLETED"]),
        Self("progress", ["PERCENT-COMPLETE"]),
        Self("left-out dates", ["EXDATE"]),
        Self("added dates", ["RDATE"]),
        Self("occurrence", ["RECURRENCE-ID"]),
        Self("snooze", ["X-MOZ-SNOOZE-TIME", "X-MOZ-LASTACK", "ACKNOWLEDGED"]),
        Self("alarm time", ["TRIGGER", "X-REMINDAV-DUE-ALARM"]),
        Self("alarm kind", ["ACTION"]),
        Self("alarm repetition", ["REPEAT"]),
        Self("attachments", ["ATTACH"]),
        Self("related reminders", ["RELATED-TO"]),
        Self("privacy", ["CLASS"]),
        Self("color", ["COLOR"]),
        Self("comments", ["COMMENT"]),
        Self("contact", ["CONTACT"]),
        Self("organizer", ["ORGANIZER"]),
        Self("people", ["ATTENDEE"]),
    ]

    /// The fields that a draft or a change can set.
    package static let settable: [Self] = all.filter { $0.option != nil }

    /// The fields with one line of text.
    package static let lines: [Self] = all.filter { $0.kind == .line }

    private init(_ name: String, _ properties: [String]) { self.init(name, .readOnly, properties) }
}

extension Reminder {
    /// The text of a property of the occurrence, else of the series; `nil` for a blank one.
    func text(of property: Name) -> String? {
        (self.todo.first(property) ?? self.main.first(property))?.text.nonBlank
    }

    /// Writes one line of text; the parameter LANGUAGE stays.
    fileprivate func write(
        _ name: String,
        _ property: Name,
        _ change: ReminderChange,
        to editor: inout ComponentEditor
    ) {
        guard let text = change[line: name].value(clear: ""), text != self.text(of: property) ?? "" else { return }
        // An override without the property has the text of the series, so that only an empty property clears it.
        let isInherited = self.todo.recurrenceID != nil && self.main.first(property) != nil
        if text.isEmpty, !isInherited { return editor.remove(property) }
        let language = self.todo.first(property)?.parameters.filter { $0.name == .language } ?? []
        editor.set(ContentLine(property, language, text: text))
    }
}
