import RemindavBridge
import RemindavDatePhrases
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

// Operations on a reminder: `complete 12`, `complete 12 20261124T090000Z`, `skip 12`, `reopen 12`, `snooze 12 15m`,
// `acknowledge 12` and `delete 12`. One address takes all of them, so that one form encloses the list.

extension Visit {
    func act(_ fields: FormFields) throws -> Response {
        let parts = (fields["do"] ?? "").split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count >= 2, let id = Int64(parts[1]) else { return self.site.message(.notFound, status: 404) }
        let rest = parts.count == 3 ? parts[2] : nil
        let action: ReminderAction
        switch (parts[0], rest) {
        case ("complete", _), ("skip", _):
            // The due time of a series names the date that the page shows, so that two clicks complete one date.
            let shown = rest.flatMap { Instant(wire: $0) }
            guard rest == nil || shown != nil else { return self.site.message(.notFound, status: 404) }
            action = .complete(withMissed: false, skips: parts[0] == "skip", shown: shown)
        case ("reopen", nil): action = .reopen
        case ("delete", nil): action = .delete
        case ("acknowledge", nil):
            action = .acknowledge(AlarmSettings(dayTime: self.useCases.configuration.defaults.dayTime))
        case ("snooze", _):
            let typed = (rest ?? fields["until"] ?? "").trimmingWhiteSpace
            do throws(PhraseError) {
                action = .snooze(until: try self.endOfSnooze(typed))
            } catch {
                return try self.snoozeForm(id, typed: typed, problem: error.sentence)
            }
        default: return self.site.message(.notFound, status: 404)
        }
        var run = OperationScope()
        do {
            for result in try self.useCases.perform(action, on: [id], as: &run) { _ = try result.outcome.get() }
        } catch let error as UseCaseError where error.code == .reminderNotFound {
            return try self.missing(id)
        }
        let query = FormFields(fields["back"] ?? "")?.pairs ?? []
        // The second of two clicks changes nothing, and its answer shows the result of the first.
        let number = try run.number ?? self.lastRun(of: id)
        return .see(Self.listAddress(query, run: number))
    }

    /// The list with a filter, and with the status of a run.
    static func listAddress(_ query: [(name: String, value: String)], run: Int64?) -> Address {
        let filter = query.filter { !["did", "there", "token"].contains($0.name) }
        return Address.list(filter).with(run: run)
    }

    /// The newest run in the log, if it concerns the reminder.
    private func lastRun(of id: Int64) throws -> Int64? {
        guard let run = try self.useCases.log(limit: 1, includingDismissals: false).first else { return nil }
        return try self.useCases.log(run: run.id).changes.contains { $0.reminder == id } ? run.id : nil
    }

    private func endOfSnooze(_ text: String) throws(PhraseError) -> Instant {
        guard !text.isEmpty else {
            throw PhraseError(.badWhen, "Write a duration or a time, such as 2h or friday 9am.")
        }
        return try When(text).endOfSnooze(
            now: self.useCases.now,
            zone: self.site.preferences.zone,
            dayTime: self.useCases.configuration.defaults.dayTime,
            longest: UseCases.longestSnooze
        )
    }

    // MARK: Pages

    /// The pages below `/r/ID`; `nil` for an unknown one.
    func reminderPage(_ id: Int64, _ name: String) throws -> Response? {
        guard ["delete", "actions", "snooze"].contains(name) else { return nil }
        guard let reminder = try self.useCases.reminders([id]).first else { return try self.missing(id) }
        switch name {
        case "delete":
            let question = DeletionQuestion(reminder, self.token)
            return try self.show(question, Words.deleteReminderQuestion.rawValue)
        case "actions":
            let isReadOnly = try self.readOnlyLists().contains(reminder.list)
            let menu = ActionMenu(reminder, self.token, self.dueText, isReadOnly: isReadOnly)
            return try self.show(menu, "Actions")
        default: return try self.snoozeForm(id)
        }
    }

    func readOnlyLists() throws -> Set<String> { Set(try self.useCases.listHeads().filter(\.isReadOnly).map(\.name)) }

    private func snoozeForm(_ id: Int64, typed: String = "", problem: String? = nil) throws -> Response {
        guard let reminder = try self.useCases.reminders([id]).first else { return try self.missing(id) }
        // A completed reminder cannot be snoozed; the use case has the sentence.
        if reminder.status.isClosed {
            return self.site.message(Message(UseCaseError(.alreadyCompleted, subject: String(id))), status: 422)
        }
        let screen = SnoozeForm(reminder: reminder, typed: typed, problem: problem, token: self.token)
        return try self.show(screen, Words.snooze.rawValue, isRefused: problem != nil)
    }

    // MARK: Undo

    /// Undoes a run, or one change of it.
    func undo(_ fields: FormFields) throws -> Response {
        let selection: UndoSelection
        if let change = fields.number("change") {
            selection = .changes([change])
        } else if let run = fields.number("run") {
            selection = .run(run)
        } else {
            return self.site.message(.notFound, status: 404)
        }
        do {
            let summary = try self.useCases.undo(selection, mayEmpty: fields["empty"] != nil)
            if let run = summary.run {
                return .see(Self.listAddress(FormFields(fields["back"] ?? "")?.pairs ?? [], run: run))
            }
            if let error = summary.problem { return self.site.message(Message(error), status: 422) }
            return self.site.message(Message.undoneBefore, status: 422)
        } catch let error as UseCaseError where error.code == .undoEmptiesList {
            let screen = EmptyingQuestion(list: error.subject ?? "", fields: fields.pairs)
            return try self.show(screen, "Undo?", status: 422)
        }
    }
}

extension UndoSummary {
    /// The reason why nothing was undone; `nil` if everything was undone before.
    fileprivate var problem: UseCaseError? {
        for view in self.changes { if case .impossible(let error) = view.outcome { return error } }
        if let label = self.labels.first(where: { $0.outcome == .changedSince }) {
            return UseCaseError(labelChange: label)
        }
        return self.keptLists.first.map { UseCaseError(listChange: $0) } ?? self.missing.first
    }
}

extension ReminderView {
    /// The title, or words for an empty one.
    var shownTitle: String { self.title.shownTitle }

    /// The operation of the round button.
    var toggle: String { self.section == .completed ? "reopen \(self.id)" : self.occurrence("complete") }

    /// An operation on the present date; for a series it names the due time.
    func occurrence(_ verb: String) -> String {
        guard self.repeatRule != nil, let due = self.dueInstant else { return "\(verb) \(self.id)" }
        return "\(verb) \(self.id) \(due.wire)"
    }
}
