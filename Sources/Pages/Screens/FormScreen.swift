import Bridge
import DatePhrases
import HTML
import HTTP
import ICalendar
import Reminders

extension Visit {
    // MARK: Showing

    /// - Parameter problem: the reason why the title cannot be used as a line; `nil` for an empty form.
    func newForm(_ title: String = "", problem: String? = nil) throws -> Response {
        let preferences = self.site.preferences
        let due = preferences.standardDue.resolved(now: self.useCases.now, zone: preferences.zone)
        var form = ReminderForm(due: due, zone: preferences.zone)
        form.title = title
        let problems = problem.map { [ReminderForm.Field.title: $0] } ?? [:]
        return try self.response(form, of: nil, problems: problems, status: problem == nil ? 200 : 422)
    }

    func editForm(_ reminder: ReminderView) throws -> Response {
        try self.response(ReminderForm(reminder, zone: self.site.preferences.zone), of: reminder)
    }

    private func response(
        _ form: ReminderForm,
        of reminder: ReminderView?,
        was digests: FormDigests? = nil,
        problems: [ReminderForm.Field: String] = [:],
        others: [ReminderForm.Field: String] = [:],
        status: Int = 200
    ) throws -> Response {
        let lists = try self.useCases.lists().filter { !$0.isReadOnly }.map(\.name)
        let screen = FormScreen(
            values: form,
            id: reminder?.id,
            was: digests ?? FormDigests(form),
            problems: problems,
            others: others,
            lists: lists,
            zone: self.site.preferences.zone.name,
            token: self.token
        )
        let name = reminder == nil ? "New Reminder" : "Edit Reminder"
        let isWrong = !problems.isEmpty || !others.isEmpty
        return .page(
            try self.frame(isWrong ? "Error: \(name)" : name) { screen },
            status: status
        )
    }

    // MARK: Saving

    func add(_ fields: FormFields) throws -> Response {
        let form = ReminderForm(fields)
        let reading = self.reading(form, Set(ReminderForm.Field.allCases))
        guard reading.problems.isEmpty else {
            return try self.response(form, of: nil, problems: reading.problems, status: 422)
        }
        var draft = ReminderDraft(title: "")
        draft.change = reading.change
        do {
            _ = try self.useCases.add(draft)
        } catch let error as UseCaseError {
            return try self.response(form, of: nil, problems: [.title: Message(error).text], status: 422)
        }
        return .see(.list(afterRun: try self.useCases.log(limit: 1).first?.id))
    }

    /// Saves the fields that the form changed; a field that was also changed elsewhere meanwhile is not overwritten.
    func edit(_ id: Int64, _ fields: FormFields) throws -> Response {
        let reminder = try self.useCases.reminder(id)
        let form = ReminderForm(fields)
        let now = ReminderForm(reminder, zone: self.site.preferences.zone)
        guard let digests = fields["was"].flatMap(FormDigests.init) else {
            return self.site.message(.oldForm, status: 400)
        }
        let changed = ReminderForm.Field.allCases.filter { !digests.match($0, of: form) }
        let clashes = changed.filter { !digests.match($0, of: now) && now.text(of: $0) != form.text(of: $0) }
        guard clashes.isEmpty else {
            let others = Dictionary(uniqueKeysWithValues: clashes.map { ($0, now.text(of: $0)) })
            // The other fields get their present values, because the new digests are those of the present values.
            var merged = now
            for field in changed { merged.copy(field, from: form) }
            return try self.response(merged, of: reminder, was: FormDigests(now), others: others, status: 409)
        }
        let reading = self.reading(form, Set(changed))
        guard reading.problems.isEmpty else {
            return try self.response(form, of: reminder, was: digests, problems: reading.problems, status: 422)
        }
        if reading.change.isEmpty { return .see(.list) }
        var run = OperationScope()
        let change = reading.change
        do {
            for result in try self.useCases.perform(.edit { _ in change }, on: [id], as: &run) {
                _ = try result.outcome.get()
            }
        } catch let error as UseCaseError where error.code != .reminderNotFound {
            return try self.response(
                form,
                of: reminder,
                was: digests,
                problems: [.title: Message(error).text],
                status: 422
            )
        }
        return .see(.list(afterRun: run.number))
    }

    private func reading(_ form: ReminderForm, _ fields: Set<ReminderForm.Field>) -> FormReading {
        let preferences = self.site.preferences
        return FormReading(
            form,
            fields: fields,
            now: self.useCases.now,
            zone: preferences.zone,
            standard: preferences.standardDue
        )
    }
}

/// The form for a new or an existing reminder.
struct FormScreen: Part {
    let values: ReminderForm
    /// The number of the edited reminder; `nil` for a new one.
    let id: Int64?
    let was: FormDigests
    let problems: [ReminderForm.Field: String]
    /// The present texts of the fields that were changed elsewhere while the form was open.
    let others: [ReminderForm.Field: String]
    let lists: [String]
    let zone: String
    let token: String

    private var firstWrong: ReminderForm.Field? {
        ReminderForm.Field.allCases.first { self.problems[$0] != nil || self.others[$0] != nil }
    }

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
            control: control
        )
    }

    var body: some HTML {
        let (values, chosen, firstWrong) = (self.values, self.values.list, self.firstWrong)
        h1 { self.id == nil ? "New Reminder" : "Edit Reminder" }
        form(.class("card form"), .action(self.id.map { .reminder($0) } ?? .add), .isPosted, .isUnchecked) {
            TokenField(self.token)
            input(.type(.hidden), .name("was"), .value(self.was.text))
            self.field(.title, "Reminder title", note: "What do you need to remember?") {
                input(
                    .type(.text),
                    .id("title"),
                    .name("title"),
                    .value(values.title),
                    .placeholder("Title"),
                    .autocomplete("off"),
                    .describedBy("title-note"),
                    .isRequired,
                    self.problems[.title] == nil ? nil : .isInvalid,
                    firstWrong == .title || firstWrong == nil && self.id == nil ? .hasFocus : nil
                )
            }
            self.field(.notes, "Notes (optional)") {
                TextArea(values.notes, .id("notes"), .name("notes"), .describedBy("notes-note"))
            }
            fieldset {
                legend { "Schedule" }
                self.field(.schedule, "Date") {
                    input(
                        .type(.date),
                        .id("schedule"),
                        .name("date"),
                        .value(values.date),
                        .describedBy("schedule-note"),
                        self.problems[.schedule] == nil ? nil : .isInvalid,
                        firstWrong == .schedule ? .hasFocus : nil
                    )
                }
                label(.for("time")) { "Time" }
                input(.type(.time), .id("time"), .name("time"), .value(values.time), .describedBy("time-note"))
                small(.id("time-note")) {
                    "Times are those of \(self.zone). Without a time, it is due on the whole day."
                }
                label(.for("words")) { "or in words, such as \"friday 9am\"" }
                input(.type(.text), .id("words"), .name("words"), .value(values.words), .autocomplete("off"))
            }
            self.field(.recurrence, "Recurrence") {
                input(
                    .type(.text),
                    .id("recurrence"),
                    .name("recurrence"),
                    .value(values.recurrence),
                    .placeholder("Never"),
                    .autocomplete("off"),
                    .describedBy("recurrence-note"),
                    self.problems[.recurrence] == nil ? nil : .isInvalid,
                    firstWrong == .recurrence ? .hasFocus : nil
                )
            }
            self.field(.labels, "Labels, with commas between them") {
                input(
                    .type(.text),
                    .id("labels"),
                    .name("labels"),
                    .value(values.labels),
                    .autocomplete("off"),
                    .describedBy("labels-note")
                )
            }
            self.field(.priority, "Priority") {
                select(.id("priority"), .name("priority"), .describedBy("priority-note")) {
                    Each(Priority.allCases.map(\.rawValue)) { value in
                        option(.value(value), value == values.priority ? .isSelected : nil) { value }
                    }
                }
            }
            if !self.lists.isEmpty {
                self.field(.list, "List") {
                    select(.id("list"), .name("list"), .describedBy("list-note")) {
                        if chosen.isEmpty { option(.value("")) { "Default list" } }
                        Each(self.lists) { name in
                            option(.value(name), name == chosen ? .isSelected : nil) { name }
                        }
                    }
                }
            }
            p(.class("bar")) {
                a(.class("button"), .href(.list)) { "Cancel" }
                button(.class("button main-button")) { "Save" }
            }
        }
        if let id = self.id {
            p { a(.class("button danger-button"), .href(.deletion(id))) { "Delete Reminder" } }
        }
    }
}
