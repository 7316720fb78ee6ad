import RemindavBridge
import RemindavDatePhrases
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import RemindavStore

extension Visit {
    // MARK: Showing

    /// - Parameter problem: the reason why the title cannot be used as a line; `nil` for an empty form.
    func newForm(_ title: String = "", problem: String? = nil, key: String? = nil, status: Int = 422) throws -> Response
    {
        let preferences = self.site.preferences
        let due = preferences.standardDue.resolved(now: self.useCases.now, zone: preferences.zone)
        var form = ReminderForm(due: due, zone: preferences.zone)
        form.title = title
        var screen = self.screen(form, .new(key: key ?? self.useCases.newUID()))
        if let problem { screen.problems[.title] = problem }
        return try self.response(screen, status: problem == nil ? 200 : status)
    }

    func editForm(_ id: Int64) throws -> Response {
        let reminder: ReminderView
        do {
            reminder = try self.useCases.reminder(id)
        } catch let error as UseCaseError where error.code == .reminderNotFound {
            return try self.missing(id)
        }
        let form = self.form(of: reminder)
        var screen = self.screen(form, .edit(id), reminder)
        screen.was = FormDigests(form)
        return try self.response(screen, status: 200)
    }

    private func form(of reminder: ReminderView) -> ReminderForm {
        ReminderForm(reminder, zone: self.site.preferences.zone, now: self.useCases.now)
    }

    /// The page for a reminder that does not exist; with its title and Restore if it is in the trash.
    func missing(_ id: Int64) throws -> Response {
        let deleted = try self.useCases.trash().first { $0.id == id }
        let screen = MissingReminder(deleted: deleted, token: self.token)
        return try self.show(screen, Words.reminderNotFound.rawValue, status: 404)
    }

    private func screen(_ form: ReminderForm, _ mode: FormScreen.Mode, _ reminder: ReminderView? = nil) -> FormScreen {
        FormScreen(
            values: form,
            mode: mode,
            token: self.token,
            surroundings: self.surroundings(of: form, reminder)
        )
    }

    /// The maximum number of labels with check boxes; the others are typed, and a form has at most 40 kB.
    private static let shownLabels = 60

    /// Reads the choices of the form; a store that cannot be read leaves them out, so that the typed text is not lost.
    private func surroundings(of form: ReminderForm, _ reminder: ReminderView?) -> FormScreen.Surroundings {
        let zone = self.site.preferences.zone
        var found = FormScreen.Surroundings()
        found.zone = zone.name
        found.today = zone.wallClock(at: self.useCases.now).date.description
        found.repeats = reminder?.repeatRule != nil
        found.notifiesWhenDue = self.site.preferences.alarms.notifiesWhenDue
        found.isOpen = reminder.map { !$0.status.isClosed } ?? true
        let colors = (try? self.useCases.labelColors()) ?? [:]
        let known = (try? self.useCases.labels()) ?? []
        let own = Set(form.labels.map { LabelKey($0) })
        let names =
            form.labels
            + known.filter { !own.contains(LabelKey($0.name)) }.sorted { $0.open > $1.open }.map(\.name)
        found.labels = names.prefix(max(Self.shownLabels, form.labels.count))
            .map { (name: $0, color: colors[LabelKey($0)] ?? .standard) }
            .sorted { LabelKey($0.name).text < LabelKey($1.name).text }
        let lists = (try? self.useCases.listHeads()) ?? []
        found.lists = lists.filter { !$0.isReadOnly || $0.name == form.list }.map(\.name)
        if found.lists.isEmpty, !form.list.isEmpty { found.lists = [form.list] }
        if let reminder { found.others = (try? self.otherFields(of: reminder)) ?? [] }
        return found
    }

    /// The values of the reminder that the form has no field for, as the command `show` prints them.
    private func otherFields(of reminder: ReminderView) throws -> [(name: String, values: [String])] {
        let text = LocalText(zone: self.site.preferences.zone, now: self.useCases.now)
        let inForm: Set = [
            "List", "Due", "Start", "Repeats", "Priority", "Labels", "Location", "Link", "Depends on",
        ]
        return DetailsText(text).fields(try self.useCases.details(reminder.id))
            .filter { !inForm.contains($0.name) }
            .map { (name: $0.name, values: $0.values.filter { !$0.isEmpty }) }
            .filter { !$0.values.isEmpty }
    }

    private func response(_ screen: FormScreen, status: Int) throws -> Response {
        try self.show(screen, screen.title, isRefused: screen.isRefused, status: status)
    }

    /// The form again after a failure of the store, with all typed texts.
    private func failure(_ error: DatabaseError, _ screen: FormScreen) throws -> Response {
        var screen = screen
        screen.notice.sentences = Message(error).sentences
        return try self.response(screen, status: error.pageStatus)
    }

    // MARK: Adding

    func add(_ fields: FormFields) throws -> Response {
        let form = ReminderForm(fields)
        let key = fields["uid"].flatMap { try? ReminderKey($0) }
        var screen = self.screen(form, .new(key: key?.text ?? self.useCases.newUID()))
        do {
            let reading = self.reading(form, Set(ReminderForm.Field.allCases), of: nil)
            guard reading.problems.isEmpty else {
                // A second answer to the same form finds the reminder, also if its date has passed since.
                if let key, let there = try self.useCases.reminder(with: key) {
                    let isSame = form.title.trimmingWhiteSpace == there.title && form.notes == there.notes ?? ""
                    return try self.added(there, form, isSame: isSame)
                }
                screen.problems = reading.problems
                return try self.response(screen, status: 422)
            }
            var draft = ReminderDraft(title: "")
            draft.change = reading.change
            guard let key = key ?? (try? ReminderKey(self.useCases.newUID())) else { return try self.newForm() }
            var run = OperationScope()
            let addition = try self.useCases.add(draft, once: key, as: &run)
            guard addition.isNew else {
                return try self.added(addition.reminder, form, isSame: addition.differing.isEmpty)
            }
            return .see(Address.list.with(run: run.number))
        } catch let error as DatabaseError {
            return try self.failure(error, screen)
        } catch let error as UseCaseError {
            screen.show(error)
            return try self.response(screen, status: 422)
        }
    }

    /// The answer to a form that was saved before: the list, or the form again if it has other texts now.
    private func added(_ reminder: ReminderView, _ form: ReminderForm, isSame: Bool) throws -> Response {
        if isSame { return .see(Address.list([(name: "there", value: String(reminder.id))])) }
        let now = self.form(of: reminder)
        var form = form
        // Fields that were left empty have the default values of the first answer.
        for field in [ReminderForm.Field.alarms, .list, .schedule] where form.text(of: field).isEmpty {
            form.copy(field, from: now)
        }
        var screen = self.screen(form, .edit(reminder.id), reminder)
        screen.was = FormDigests(now)
        screen.notice.sentences = ["This form added the reminder before. Save again to replace its values by these."]
        return try self.response(screen, status: 409)
    }

    // MARK: Editing

    /// Saves the fields that the form changed; a field that was also changed elsewhere meanwhile is not overwritten.
    func edit(_ id: Int64, _ fields: FormFields) throws -> Response {
        let form = ReminderForm(fields)
        guard let digests = FormDigests(fields) else {
            return self.site.message(.noBase, status: 400)
        }
        var screen = self.screen(form, .edit(id))
        screen.was = digests
        do {
            return try self.edit(id, form, digests, taking: fields["take"].flatMap(ReminderForm.Field.init))
        } catch let error as DatabaseError {
            return try self.failure(error, screen)
        }
    }

    private func edit(
        _ id: Int64,
        _ form: ReminderForm,
        _ digests: FormDigests,
        taking taken: ReminderForm.Field?
    ) throws -> Response {
        let reminder: ReminderView
        do {
            reminder = try self.useCases.reminder(id)
        } catch let error as UseCaseError where error.code == .reminderNotFound {
            return try self.vanished(form)
        }
        let now = self.form(of: reminder)
        var changed = ReminderForm.Field.allCases.filter { !digests.match($0, of: form) }
        var screen = self.screen(form, .edit(id), reminder)
        screen.was = digests
        let clashes = changed.filter {
            $0 != taken && !digests.match($0, of: now) && now.text(of: $0) != form.text(of: $0)
        }
        guard clashes.isEmpty, taken == nil else {
            // The other fields get their present values, because the new digests are those of the present values.
            var merged = now
            changed.removeAll { $0 == taken }
            for field in changed { merged.copy(field, from: form) }
            merged.changesOnlyThisDate = form.changesOnlyThisDate
            screen = self.screen(merged, .edit(id), reminder)
            screen.was = FormDigests(now)
            screen.others = Dictionary(uniqueKeysWithValues: clashes.map { ($0, now.text(of: $0)) })
            if taken != nil, clashes.isEmpty { screen.notice.sentences = ["Nothing is saved yet. Save the form now."] }
            return try self.response(screen, status: 409)
        }
        let reading = self.reading(form, Set(changed), of: reminder)
        guard reading.problems.isEmpty else {
            screen.problems = reading.problems
            return try self.response(screen, status: 422)
        }
        if reading.change.isEmpty { return .see(.list) }
        var run = OperationScope()
        let (change, written) = (reading.change, changed)
        let action = ReminderAction.edit { present in
            let present = self.form(of: present)
            let isChanged = written.contains {
                !digests.match($0, of: present) && present.text(of: $0) != form.text(of: $0)
            }
            // Another program has saved one of these fields since they were compared above.
            if isChanged { throw ChangedMeanwhile() }
            return change
        }
        do {
            for result in try self.useCases.perform(action, on: [id], as: &run) {
                _ = try result.outcome.get()
            }
        } catch is ChangedMeanwhile {
            return try self.edit(id, form, digests, taking: taken)
        } catch let error as UseCaseError where error.code == .reminderNotFound && error.subject == String(id) {
            return try self.vanished(form)
        } catch let error as UseCaseError {
            screen.show(error)
            return try self.response(screen, status: 422)
        }
        return .see(Address.list.with(run: run.number))
    }

    private struct ChangedMeanwhile: Error {}

    /// The typed values of a reminder that was deleted meanwhile, for a new one.
    private func vanished(_ form: ReminderForm) throws -> Response {
        var screen = self.screen(form, .vanished(key: self.useCases.newUID()))
        screen.notice.sentences = [
            "The reminder was deleted while this form was open, so nothing was changed. Your text is still here."
        ]
        screen.notice.isProblem = false
        return try self.response(screen, status: 404)
    }

    private func reading(
        _ form: ReminderForm,
        _ fields: Set<ReminderForm.Field>,
        of reminder: ReminderView?
    ) -> FormReading {
        let preferences = self.site.preferences
        return FormReading(
            form,
            fields: fields,
            of: reminder,
            in: FormReading.Surroundings(
                now: self.useCases.now,
                zone: preferences.zone,
                standard: preferences.standardDue,
                dayTime: self.useCases.configuration.defaults.dayTime
            )
        )
    }

    /// The form with the texts that came with an old token; nothing is saved.
    func formAgain(_ target: Target, _ fields: FormFields) throws -> Response? {
        var screen: FormScreen
        let form = ReminderForm(fields)
        switch target.path {
        case ["add"]: screen = self.screen(form, .new(key: fields["uid"] ?? self.useCases.newUID()))
        case ["quick"]:
            return try self.newForm(
                fields["text"] ?? "",
                problem: "The line belongs to an earlier sign-in, so nothing was added. Save it here.",
                key: fields["uid"],
                status: 403
            )
        default:
            guard target.path.count == 2, target.path[0] == "r", let id = Int64(target.path[1]),
                let digests = FormDigests(fields)
            else { return nil }
            screen = self.screen(form, .edit(id))
            screen.was = digests
        }
        screen.notice.sentences = [
            "This form belongs to an earlier sign-in, so nothing was saved. Your text is still here. Save again."
        ]
        return try self.response(screen, status: 403)
    }
}

extension FormScreen {
    /// Shows an error at its field, or above the form.
    fileprivate mutating func show(_ error: UseCaseError) {
        if let field = ReminderForm.Field(error) {
            let isPast = error.code == .mustBeInFuture
            self.problems[field] = isPast ? Words.mustBeInFuture.rawValue : Message(error).sentences[0]
        } else {
            self.notice.sentences = Message(error).sentences
        }
    }
}

/// The page of an address with the number of a reminder that does not exist.
struct MissingReminder: Part {
    /// The reminder in the trash; `nil` if it is not there.
    let deleted: TrashView?
    let token: String

    var body: some HTML {
        h1 { Words.reminderNotFound }
        if let deleted = self.deleted {
            p {
                "'"
                bdi { deleted.title }
                "' is in the trash."
            }
            form(.action(.trash), .isPosted) {
                TokenField(self.token)
                button(.class("button main-button"), .name("id"), .value(String(deleted.id))) { "Restore" }
            }
        } else {
            p { "There is no reminder with this number. It may be deleted permanently." }
        }
        p { a(.class("button"), .href(.list)) { Words.reminders } }
    }
}
