import Bridge
import DatePhrases
import HTML
import HTTP
import ICalendar
import Reminders

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
        return .list(filter + (run.map { [(name: "did", value: String($0))] } ?? []))
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
        if let change = fields["change"].flatMap({ Int64($0) }) {
            selection = .changes([change])
        } else if let run = fields["run"].flatMap({ Int64($0) }) {
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

/// The choices for a snooze, in the order of the menu.
enum SnoozeChoice: String, CaseIterable, Sendable {
    case fiveMinutes = "5m"
    case fifteenMinutes = "15m"
    case thirtyMinutes = "30m"
    case hour = "1h"
    case tomorrow = "tomorrow 09:00"

    var name: String {
        switch self {
        case .fiveMinutes: Words.fiveMinutes.rawValue
        case .fifteenMinutes: Words.fifteenMinutes.rawValue
        case .thirtyMinutes: Words.thirtyMinutes.rawValue
        case .hour: Words.hour.rawValue
        case .tomorrow: "Tomorrow 09:00"
        }
    }
}

/// The question before a deletion.
struct DeletionQuestion: Part {
    let reminder: ReminderView
    let token: String

    init(_ reminder: ReminderView, _ token: String) {
        self.reminder = reminder
        self.token = token
    }

    var body: some HTML {
        h1 { Words.deleteReminderQuestion }
        p {
            Words.deletionOfReminder.with(self.reminder.shownTitle)
            " It stays in the trash for 30 days."
        }
        form(.class("bar"), .action(.act), .isPosted) {
            TokenField(self.token)
            a(.class("button"), .href(.list), .hasFocus) { Words.cancel }
            button(.class("button danger-button"), .name("do"), .value("delete \(self.reminder.id)")) { Words.delete }
        }
    }
}

/// The operations on a reminder, as a page of their own.
struct ActionMenu: Part {
    let reminder: ReminderView
    let token: String
    let dueText: DueText
    /// Whether the list of the reminder permits no changes.
    let isReadOnly: Bool

    init(_ reminder: ReminderView, _ token: String, _ dueText: DueText, isReadOnly: Bool) {
        self.reminder = reminder
        self.token = token
        self.dueText = dueText
        self.isReadOnly = isReadOnly
    }

    private var isDone: Bool { self.reminder.section == .completed }

    var body: some HTML {
        let id = self.reminder.id
        h1 { bdi { self.reminder.shownTitle } }
        if let due = self.dueText.words(self.reminder) { p { due } }
        if self.isReadOnly {
            p { "The list of this reminder is read-only. Edit offers another list." }
        } else {
            self.operations
        }
        p(.class("bar")) {
            a(.class("button"), .href(.reminder(id))) { Words.edit }
            if !self.isReadOnly { a(.class("button danger-button"), .href(.deletion(id))) { Words.delete } }
        }
    }

    @HTMLBuilder private var operations: some HTML {
        let id = self.reminder.id
        form(.action(.act), .isPosted) {
            TokenField(self.token)
            p(.class("bar")) {
                button(.class("button"), .name("do"), .value(self.reminder.toggle)) {
                    self.isDone ? Words.markIncomplete : Words.markComplete
                }
                if !self.isDone, self.reminder.repeatRule != nil {
                    button(.class("button"), .name("do"), .value(self.reminder.occurrence("skip"))) {
                        "Skip this date"
                    }
                }
                if !self.isDone, self.reminder.overdue {
                    button(.class("button"), .name("do"), .value("acknowledge \(id)")) { "Clear its alarms" }
                }
            }
            if !self.isDone {
                h2 { Words.snooze }
                p(.class("bar")) {
                    Each(SnoozeChoice.allCases) { choice in
                        button(.class("button"), .name("do"), .value("snooze \(id) \(choice.rawValue)")) {
                            choice.name
                        }
                    }
                    a(.class("button"), .href(.snooze(id))) { "Other…" }
                }
            }
        }
    }
}

/// The form for another end of a snooze.
struct SnoozeForm: Part {
    let reminder: ReminderView
    let typed: String
    let problem: String?
    let token: String

    var body: some HTML {
        h1 { Words.snooze }
        p { bdi { self.reminder.shownTitle } }
        form(.class("card form"), .action(.act), .isPosted, .isUnchecked) {
            TokenField(self.token)
            TextField(
                "until",
                "End or duration",
                value: self.typed,
                note: "Such as friday 9am, 2026-12-01 or 2h",
                problem: self.problem,
                hasFocus: true
            )
            p(.class("bar")) {
                a(.class("button"), .href(.actions(self.reminder.id))) { Words.cancel }
                button(.class("button main-button"), .name("do"), .value("snooze \(self.reminder.id)")) {
                    Words.snooze
                }
            }
        }
    }
}

/// The question before an undo that makes a list on a server empty.
struct EmptyingQuestion: Part {
    let list: String
    let fields: [(name: String, value: String)]

    var body: some HTML {
        h1 { "Undo?" }
        p {
            "The next sync would then delete all reminders of the list '"
            bdi { self.list }
            "' on the server, for all its users. Nothing was changed yet."
        }
        form(.class("bar"), .action(.undo), .isPosted) {
            HiddenFields(self.fields)
            a(.class("button"), .href(.log), .hasFocus) { Words.cancel }
            button(.class("button danger-button"), .name("empty"), .value("1")) { "Undo" }
        }
    }
}

extension String {
    /// The title, or words for an empty one.
    var shownTitle: String { self.isEmpty ? Reminder.untitled : self }
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
