import RemindavBridge
import RemindavDatePhrases
import RemindavHTML
import RemindavICalendar
import RemindavReminders

/// The form for a new or an existing reminder.
struct FormScreen: Part {
    /// The sentences above the form.
    struct Notice: Sendable {
        var sentences: [String] = []
        /// Whether the title of the page begins with `Error: `.
        var isProblem = true
    }

    /// The choices in the fields, and the other values of the reminder.
    struct Surroundings: Sendable {
        var labels: [(name: String, color: LabelColor)] = []
        var lists: [String] = []
        /// The fields of the reminder that the form cannot change.
        var others: [(name: String, values: [String])] = []
        var zone = ""
        /// The local date, which is the first possible date of a new reminder.
        var today = ""
        var repeats = false
        /// Whether a reminder without an alarm fires when it is due (setting `notify-when-due`).
        var notifiesWhenDue = true
        var isOpen = true
    }

    let values: ReminderForm
    let mode: Mode
    let token: String
    let surroundings: Surroundings
    var was: FormDigests?
    var problems: [ReminderForm.Field: String] = [:]
    /// The present texts of the fields that were changed elsewhere while the form was open.
    var others: [ReminderForm.Field: String] = [:]
    var notice = Notice()

    enum Mode: Sendable {
        /// A new reminder; the key makes a second answer to the same form find the first reminder.
        case new(key: String)
        case edit(Int64)
        /// A reminder that was deleted while its form was open.
        case vanished(key: String)
    }

    var title: String {
        switch self.mode {
        case .new: Words.newReminder.rawValue
        case .edit: Words.editReminder.rawValue
        case .vanished: Words.reminderNotFound.rawValue
        }
    }

    /// Whether this is the answer to a form that was not saved.
    var isRefused: Bool {
        let hasProblemOfPage = !self.notice.sentences.isEmpty && self.notice.isProblem
        return !self.problems.isEmpty || !self.others.isEmpty || hasProblemOfPage
    }

    private var heading: Words {
        switch self.mode {
        case .new: .newReminder
        case .edit: .editReminder
        case .vanished: .reminderNotFound
        }
    }

    private var id: Int64? { if case .edit(let id) = self.mode { id } else { nil } }
    private var key: String? {
        switch self.mode {
        case .new(let key), .vanished(let key): key
        case .edit: nil
        }
    }

    private var wrong: [ReminderForm.Field] {
        ReminderForm.Field.allCases.filter { self.problems[$0] != nil || self.others[$0] != nil }
    }

    /// The attributes that the state of a field determines.
    private func focus(_ field: ReminderForm.Field) -> Attribute? { self.wrong.first == field ? .hasFocus : nil }
    private func invalid(_ field: ReminderForm.Field) -> Attribute? { self.problems[field] == nil ? nil : .isInvalid }

    private func field<Control: HTML>(
        _ field: ReminderForm.Field,
        _ name: String,
        note: String? = nil,
        @HTMLBuilder control: () -> Control
    ) -> Field<Control> {
        Field(
            field.rawValue,
            name,
            note: note,
            problem: self.problems[field],
            other: self.others[field],
            takes: field.rawValue,
            control: control
        )
    }

    /// A field with one line of text.
    private func line(
        _ field: ReminderForm.Field,
        _ name: String,
        _ value: String,
        note: String? = nil
    ) -> Field<VoidElement> {
        self.field(field, name, note: note) {
            input(
                .type(.text),
                .id(field.rawValue),
                .fieldName(field),
                .value(value),
                .autocomplete("off"),
                .describedBy("\(field.rawValue)-note"),
                self.invalid(field),
                self.focus(field)
            )
        }
    }

    private var target: Address { (self.id.map { .reminder($0) } ?? Address.add).saving(again: self.isRefused) }

    var body: some HTML {
        let isNew = self.id == nil
        h1(.id("heading"), .tabIndex(-1), isNew || !self.wrong.isEmpty ? nil : .hasFocus) { self.heading }
        if !self.notice.sentences.isEmpty {
            div(.class("notice"), .role(.alert)) { Each(self.notice.sentences) { sentence in p { sentence } } }
        }
        form(.class("card form rise"), .action(self.target), .isPosted, .isUnchecked) {
            TokenField(self.token)
            // Enter in a field activates the first button of a form, which must save it.
            if !self.others.isEmpty { button(.class("hint"), .tabIndex(-1), .isHidden) { Words.save } }
            if let was = self.was { input(.type(.hidden), .name("was"), .value(was.text)) }
            if let key = self.key { input(.type(.hidden), .name("uid"), .value(key)) }
            self.texts
            self.schedule
            self.repetition
            self.labelsAndList
            self.more
            FormButtons(cancel: .list, save: self.saving)
        }
        if let id = self.id {
            p(.class("bar")) {
                a(.class("button"), .href(.actions(id))) { "More actions" }
                a(.class("button danger-button"), .href(.deletion(id)), .describedBy("delete-note")) {
                    Words.deleteReminder
                }
                small(.id("delete-note"), .class("choice")) { "Asks for confirmation" }
            }
        }
        if !self.surroundings.others.isEmpty {
            h2 { "Other data" }
            dl(.class("card")) {
                Each(self.surroundings.others) { field in
                    dt { field.name }
                    Each(field.values) { value in dd { bdi { value } } }
                }
            }
        }
    }

    private var saving: String {
        if case .vanished = self.mode { return "Save as a new reminder" }
        return Words.save.rawValue
    }

    @HTMLBuilder private var texts: some HTML {
        self.field(.title, Words.reminderTitle.rawValue, note: Words.whatToRemember.rawValue) {
            input(
                .type(.text),
                .id("title"),
                .name("title"),
                .value(self.values.title),
                .placeholder(Words.title.rawValue),
                .autocomplete("off"),
                .enterKeyHint("done"),
                .describedBy("title-note"),
                .isRequired,
                self.invalid(.title),
                self.wrong.isEmpty && self.id == nil ? .hasFocus : self.focus(.title)
            )
        }
        self.field(.notes, Words.notes.rawValue) {
            TextArea(
                self.values.notes,
                .id("notes"),
                .name("notes"),
                .rows(3),
                .describedBy("notes-note"),
                self.focus(.notes)
            )
        }
    }

    @HTMLBuilder private var schedule: some HTML {
        fieldset {
            legend { Words.schedule }
            self.field(.schedule, Words.date.rawValue) {
                input(
                    .type(.date),
                    .id("schedule"),
                    .name("date"),
                    .label("Select date"),
                    .value(self.values.date),
                    self.id == nil ? .min(self.surroundings.today) : nil,
                    .describedBy("schedule-note"),
                    self.invalid(.schedule),
                    self.focus(.schedule)
                )
            }
            div(.class("field")) {
                label(.for("time")) { Words.time }
                input(
                    .type(.time),
                    .id("time"),
                    .name("time"),
                    .label("Select time"),
                    .value(self.values.time),
                    .describedBy("time-note")
                )
                small(.id("time-note")) {
                    "Times are those of \(self.surroundings.zone). Without a time, it is due on the whole day."
                }
            }
            div(.class("field")) {
                label(.for("words")) { "or in words, such as friday 9am" }
                input(.type(.text), .id("words"), .name("words"), .value(self.values.words), .autocomplete("off"))
            }
            if self.surroundings.repeats {
                CheckBox(
                    "this-date",
                    "Change only this date of the repetition",
                    isOn: self.values.changesOnlyThisDate
                )
            }
            self.line(
                .alarms,
                "Alarms, such as due, 15m or 1d",
                self.values.alarms,
                note: self.alarmNote
            )
        }
    }

    private var alarmNote: String {
        if self.id == nil { return "Empty means the usual alarm. Write none for no alarm." }
        return self.surroundings.notifiesWhenDue ? "Empty means one alarm when it is due." : "Empty means no alarm."
    }

    @HTMLBuilder private var repetition: some HTML {
        let values = self.values
        fieldset {
            legend { Words.repetition }
            self.field(.recurrence, Words.recurrence.rawValue) {
                select(
                    .id("recurrence"),
                    .name("recurrence"),
                    .describedBy("recurrence-note"),
                    self.invalid(.recurrence),
                    self.focus(.recurrence)
                ) {
                    Each(RuleOption.all(of: values)) { choice in
                        option(.value(choice.value), choice.isChosen ? .isSelected : nil) { choice.name }
                    }
                }
            }
            if values.rule == .keep { input(.type(.hidden), .name("rule"), .value(values.customRule)) }
            div(.class("field")) {
                label(.for("rule-words")) { "or in words, such as every last friday" }
                input(
                    .type(.text),
                    .id("rule-words"),
                    .name("rule-words"),
                    .value(values.ruleWords),
                    .autocomplete("off")
                )
            }
        }
    }

    @HTMLBuilder private var labelsAndList: some HTML {
        let (values, surroundings) = (self.values, self.surroundings)
        let chosen = Set(values.labels.map { LabelKey($0) })
        details(self.wrong.contains(where: \.isDetail) ? .isOpen : nil) {
            summary { "Labels, priority, list" }
            fieldset {
                legend { Words.labels }
                if !surroundings.labels.isEmpty {
                    div(.class("choices")) {
                        Each(surroundings.labels) { one in
                            label(.class("choice")) {
                                input(
                                    .type(.checkbox),
                                    .name("label"),
                                    .value(one.name),
                                    chosen.contains(LabelKey(one.name)) ? .isChecked : nil
                                )
                                Dot(one.color)
                                bdi { one.name }
                            }
                        }
                    }
                }
                self.field(.labels, "New labels, with commas between them") {
                    input(
                        .type(.text),
                        .id("labels"),
                        .name("labels"),
                        .value(values.newLabels),
                        .autocomplete("off"),
                        .describedBy("labels-note"),
                        self.invalid(.labels),
                        self.focus(.labels)
                    )
                }
            }
            self.field(.priority, "Priority") {
                select(.id("priority"), .name("priority"), .describedBy("priority-note"), self.focus(.priority)) {
                    Each(Priority.allCases.map(\.rawValue)) { value in
                        option(.value(value), value == values.priority ? .isSelected : nil) { value }
                    }
                }
            }
            if !surroundings.lists.isEmpty {
                self.field(.list, "List") {
                    select(.id("list"), .name("list"), .describedBy("list-note"), self.focus(.list)) {
                        if values.list.isEmpty { option(.value("")) { "Default list" } }
                        Each(surroundings.lists) { name in
                            option(.value(name), name == values.list ? .isSelected : nil) { name }
                        }
                    }
                }
            }
        }
    }

    @HTMLBuilder private var more: some HTML {
        details(self.wrong.contains(where: \.isMore) ? .isOpen : nil) {
            summary { "Start, location, link, related reminders" }
            self.line(.start, "Start, such as monday", self.values.start, note: "The list hides it until then.")
            self.line(.location, "Location", self.values.location)
            self.line(.link, "Link", self.values.link)
            self.line(.parent, "Subtask of the reminder with the number", self.values.parent)
            self.line(.dependencies, "Depends on the reminders with the numbers", self.values.dependencies)
            if self.id != nil, self.surroundings.isOpen {
                CheckBox("status", "In progress", isOn: self.values.isInProgress)
            }
        }
    }
}

/// An option of the field for the repetition.
private struct RuleOption: Sendable {
    let value: String
    let name: String
    let isChosen: Bool

    static func all(of values: ReminderForm) -> [Self] {
        let custom = values.rule == .keep ? [(ReminderForm.Rule.keep, "Custom: \(values.customRule)")] : []
        let usual: [(ReminderForm.Rule, String)] = [
            (.never, Words.never.rawValue), (.daily, Words.daily.rawValue), (.weekly, Words.weekly.rawValue),
            (.monthly, Words.monthly.rawValue),
        ]
        return (custom + usual).map { Self(value: $0.0.rawValue, name: $0.1, isChosen: $0.0 == values.rule) }
    }
}

extension Attribute {
    /// The names of the fields with one line of text.
    fileprivate static func fieldName(_ field: ReminderForm.Field) -> Self? {
        switch field {
        case .alarms: .name("alarms")
        case .start: .name("start")
        case .location: .name("location")
        case .link: .name("link")
        case .parent: .name("parent")
        case .dependencies: .name("dependencies")
        default: nil
        }
    }
}
