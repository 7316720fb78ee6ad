import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// Prints runs of the journal and the results of an undo.
struct JournalPrinter {
    let output: Output

    func print(_ runs: [RunView], in text: LocalText) throws(OutputError) {
        guard !runs.isEmpty else { return try self.output.print("The log is empty") }
        try self.output.print(
            Table.text(
                runs.map { run in
                    [
                        "\(run.id)", text.short(run.startedAt), run.account ?? "by hand",
                        self.words(run, naming: run.titles),
                    ]
                }
            )
        )
    }

    /// Prints the headline of a run, and a line for each of its changes.
    func print(_ details: RunDetails, in text: LocalText) throws(OutputError) {
        try self.output.print(StyledText(self.headline(details.run, in: text), .heading))
        for change in details.labels {
            try self.output.print(StyledText("  \(change.labelWords)\(change.isUndone ? ", undone" : "")"))
        }
        for change in details.lists {
            try self.output.print(StyledText("  \(change.listWords)\(change.isUndone ? ", undone" : "")"))
        }
        guard !details.changes.isEmpty else { return }
        try self.output.print(
            Table.text(
                details.changes.map { change in
                    ["  \(change.id)", change.words, self.subject(change) + self.remarks(change, in: text)]
                }
            )
        )
    }

    /// The headline of a run, such as `Run 12, 2026-11-20 17:05, by hand: 5 added`.
    func headline(_ run: RunView, in text: LocalText) -> String {
        let who = Sanitizer.line(run.account ?? "by hand")
        return "Run \(run.id), \(text.short(run.startedAt)), \(who): \(self.words(run))"
    }

    /// The operation of a command in words; `nil` for a run that is described by numbers of changes.
    static func operation(_ run: RunView) -> String? {
        let words: String
        switch run.operation {
        case "add": words = "added"
        case "edit": words = "edited"
        case "complete": words = "completed"
        case "skip": words = "skipped a date of"
        case "reopen": words = "reopened"
        case "snooze": words = "snoozed"
        case "acknowledge": words = "cleared the alarms of"
        case "dismiss": words = "dismissed the notification of"
        case "move": words = "moved"
        case "delete": words = "deleted"
        default: return nil
        }
        return "\(words) \(run.reminders == 1 ? Sanitizer.excerpt(run.title) : "\(run.reminders) reminders")"
    }

    /// - Parameter titles: the titles of the reminders that a sync changed, for its counts.
    private func words(_ run: RunView, naming titles: [String] = []) -> String {
        let counts = run.counts
        let isOwnOperation = run.account == nil && !run.isUndoing
        let (added, others) =
            isOwnOperation ? (counts.addedHere, counts.received - counts.addedHere) : (0, counts.received)
        let pairs = [
            (added, "added"),
            (others, isOwnOperation ? "changed" : run.account == nil ? "changed or restored" : "received"),
            (counts.sent, "sent"),
            (counts.merged, "merged"), (counts.moved, "moved"), (counts.deletedHere, "deleted locally"),
            (counts.deletedOnServer, "deleted on the server"),
            (counts.labels, counts.labels == 1 ? "label changed" : "labels changed"),
        ]
        var words = Self.operation(run).map { [$0] } ?? pairs.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        for (count, operation) in [
            (counts.listsMade, "created"), (counts.listsChanged, "changed"), (counts.listsDeleted, "deleted"),
        ] where count > 0 {
            words.append("\(count) \(count == 1 ? "list" : "lists") \(operation)")
        }
        // A sync that was interrupted may have sent changes that it did not record.
        let isComplete = run.error.map { $0 == "deletionsHeld" } ?? (run.finishedAt != nil)
        if words.isEmpty, isComplete { words = ["nothing changed"] }
        if !titles.isEmpty, !words.isEmpty {
            let names = titles.map { DisplayWidth.fit(Sanitizer.title($0), into: Self.titleColumns) }
            words[words.count - 1] += " (\((names + (run.hasMoreTitles ? ["and more"] : [])).joined(separator: ", ")))"
        }
        if run.isUndoing { words.append("by undo") }
        if counts.undone > 0 { words.append(counts.undone == counts.total ? "undone" : "\(counts.undone) undone") }
        if let error = run.error {
            words.append("not finished (\(ErrorCategoryName.shown(error)))")
        } else if run.finishedAt == nil {
            words.append("interrupted, or still running")
        }
        return words.joined(separator: ", ")
    }

    /// The maximum number of columns of a title in the line of a sync.
    private static let titleColumns = 30

    private func subject(_ change: ChangeView) -> String {
        let list = change.list.map { " (\($0))" } ?? " (deleted list)"
        return change.title + list
    }

    /// The changed fields with their values; fields without a short value have only their names.
    private func remarks(_ change: ChangeView, in text: LocalText) -> String {
        let lines = change.values.map { EditSummary.forTerminal(text).lines(from: $0.old, to: $0.new) } ?? []
        // A field of alarms, such as 'alarm time', is a part of the line of all alarms.
        let names = Set(lines.map { String($0.prefix { $0 != ":" }) })
        let others = change.fields.filter { field in
            !names.contains(field) && !(field.hasPrefix("alarm") && names.contains("alarms"))
        }
        let all = lines + others
        return (all.isEmpty ? "" : ": \(all.joined(separator: ", "))") + (change.undoneAt == nil ? "" : ", undone")
    }

    /// Prints a line for each undone or planned change; errors go to standard error.
    ///
    /// - Returns: `.success` if all changes are undone, `.partial` if some are, else the status of the first failure.
    func print(_ summary: UndoSummary, isDone: Bool = true) throws(OutputError) -> ExitStatus {
        var errors = summary.missing
        var done = 0
        for view in summary.changes {
            if case .impossible(let error) = view.outcome {
                errors.append(error)
                continue
            }
            done += 1
            try self.output.note(StyledText(Self.plan(view, isDone: isDone)))
            if case .undone(let kept, _) = view.outcome, !kept.isEmpty {
                let title = "\(view.reminder): \(Sanitizer.line(view.change.title))"
                self.output.remark("\(title): changed again later, so it stays: \(kept.joined(separator: ", ")).")
            }
        }
        for view in summary.labels {
            let sentence = Self.plan(label: view, isDone: isDone)
            if view.outcome == .changedSince {
                errors.append(UseCaseError(labelChange: view))
            } else {
                done += 1
                try self.output.note(StyledText(sentence))
            }
        }
        for view in summary.lists {
            guard let sentence = Self.plan(list: view, isDone: isDone) else { continue }
            if view.outcome == .undone {
                done += 1
                try self.output.note(StyledText(sentence))
            } else if summary.keptLists.isEmpty {
                self.output.remark(StyledText("\(sentence)."))
            }
        }
        errors += summary.keptLists.map { UseCaseError(listChange: $0) }
        // Changes in the same list have the same error, which is printed once.
        var said: Set<Explanation> = []
        for problem in errors.map({ ErrorMessages.explain($0) }) where said.insert(problem).inserted {
            self.output.complain(problem)
        }
        if let remark = summary.sentRemark { self.output.remark(StyledText(remark)) }
        if let warning = summary.warning { self.output.remark(StyledText(warning)) }
        if let run = summary.run, isDone {
            self.output.remark("'remindav undo --run \(run)' reverts this.")
        }
        guard let first = errors.first else { return .success }
        return done > 0 ? .partial : ErrorMessages.explain(first).status
    }

    private static let rest = "; later changes stay"

    /// A line about the planned or done undo of a list's change; `nil` if the undo has no effect.
    static func plan(list view: StateUndoView, isDone: Bool = false) -> String? {
        let change = view.change
        let (old, new) = (change.oldName.map(Sanitizer.line), change.newName.map(Sanitizer.line))
        switch (view.outcome, old, new) {
        case (.undone, let old?, let new?):
            let target = old == new ? change.oldColor ?? "no colour" : old
            return "\(isDone ? "Changed" : "Change") the list \(new) back to \(target)"
        case (.undone, nil, let new): return "\(isDone ? "Deleted" : "Delete") the list \(new ?? "")"
        case (.undone, let old?, nil): return "\(isDone ? "Restored" : "Restore") the list \(old)"
        case (.changedSince, nil, let new): return "The list \(new ?? "") stays: it is not empty, or was changed later"
        case (.changedSince, let old?, nil): return "The list \(old) is not restored: another list has this name"
        case (.changedSince, _, let new?): return "The list \(new) stays unchanged: it was changed later"
        case (.alreadyApplied, _, _), (.undoneBefore, _, _): return nil
        }
    }

    /// Prints the newest of the skipped runs, which cannot be undone, and the number of the others.
    func printSkippedRuns(_ summary: UndoSummary, in text: LocalText) {
        for passed in summary.skippedRuns.prefix(Self.shownSkippedRuns) {
            let reason = ErrorMessages.explain(passed.error).sentence
            self.output.remark(StyledText("Skipped: \(self.headline(passed.run, in: text)). \(reason)"))
        }
        let more = summary.skippedRuns.count - Self.shownSkippedRuns
        if more > 0 {
            self.output.remark("\(more) more \(more == 1 ? "run" : "runs") cannot be undone.")
        }
    }

    private static let shownSkippedRuns = 3

    static func label(_ color: String) -> String { LabelColor(color).map(\.words) ?? color }

    static func plan(_ view: UndoView, isDone: Bool = false) -> String {
        let title = "\(view.reminder): \(Sanitizer.line(view.change.title))"
        switch view.outcome {
        case .undone(let kept, let isMerged):
            let operation = self.operation(view.change, without: kept, isDone: isDone)
            return "\(operation) \(title)\(isMerged && kept.isEmpty ? self.rest : "")"
        case .alreadyApplied:
            switch view.change.kind {
            case "added": return "Already deleted \(title)"
            case "deleted": return "Already restored \(title)"
            case "moved": return "Already moved back \(title)"
            default: return "Already changed back \(title)"
            }
        case .undoneBefore: return "Already undone \(title)"
        case .impossible(let error): return ErrorMessages.explain(error).sentence
        }
    }

    static func plan(label view: StateUndoView, isDone: Bool = false) -> String {
        switch view.outcome {
        case .undone:
            let (change, since) = (view.change, Sanitizer.line(view.change.newName ?? ""))
            guard let name = change.oldName.map(Sanitizer.line) else {
                return "\(isDone ? "Deleted" : "Delete") the label \(since)"
            }
            guard change.newName != nil else { return "\(isDone ? "Restored" : "Restore") the label \(name)" }
            let color = change.oldColor == change.newColor ? nil : change.oldColor.map(Self.label)
            let target = [name == since ? nil : name, color].compactMap { $0 }.joined(separator: ", ")
            return "\(isDone ? "Changed" : "Change") the label \(since) back\(target.isEmpty ? "" : " to \(target)")"
        case .alreadyApplied: return "No longer in effect: the \(view.change.labelWords)"
        case .undoneBefore: return "Already undone: the \(view.change.labelWords)"
        case .changedSince: return ErrorMessages.explain(UseCaseError(labelChange: view)).sentence
        }
    }

    private static func operation(_ change: ChangeView, without kept: [String], isDone: Bool) -> String {
        switch change.kind {
        case "added": return isDone ? "Deleted" : "Delete"
        case "deleted": return isDone ? "Restored" : "Restore"
        case "moved": return isDone ? "Moved back" : "Move back"
        default:
            let fields = change.fields.filter { !kept.contains($0) }
            let words = isDone ? "Changed back" : "Change back"
            return fields.isEmpty ? words : "\(words) (\(fields.joined(separator: ", ")))"
        }
    }
}

extension StateChangeView {
    /// The change of a label in words, such as `label Work recoloured: #FF5722 deep orange to #4CAF50 green`.
    var labelWords: String { self.words("label", none: "", JournalPrinter.label) }

    /// The change of a list in words, such as `list Work renamed to Office`.
    var listWords: String { self.words("list", none: "no colour") { $0 } }

    private func words(_ kind: String, none: String, _ color: (String) -> String) -> String {
        let (old, new) = (self.oldName.map(Sanitizer.line), self.newName.map(Sanitizer.line))
        let newColor = self.newColor.map(color)
        guard let old else { return "\(kind) \(new ?? "") created\(kind == "label" ? ", \(newColor ?? "")" : "")" }
        guard let new else { return "\(kind) \(old) deleted" }
        guard self.oldColor != self.newColor else { return "\(kind) \(old) renamed to \(new)" }
        let change = "\(self.oldColor.map(color) ?? none) to \(newColor ?? (none.isEmpty ? "" : "none"))"
        return old == new ? "\(kind) \(new) recoloured: \(change)" : "\(kind) \(old) renamed to \(new): \(change)"
    }
}

extension UndoSummary {
    /// The warning that the undo deletes reminders on a server; `nil` if it deletes none there.
    var warning: String? {
        guard self.deletesOnServer > 0 else { return nil }
        let what = self.deletesOnServer == 1 ? "1 reminder" : "\(self.deletesOnServer) reminders"
        let empty = self.emptied.map { "'\(Sanitizer.line($0))'" }.joined(separator: ", ")
        let lists = self.emptied.count == 1 ? "The list \(empty) is" : "The lists \(empty) are"
        let rest = empty.isEmpty ? "" : " \(lists) then empty."
        return "The next sync deletes \(what) on the server, for all users.\(rest)"
    }

    /// The remark that the undo of a sync leaves the changes that the sync sent; `nil` if there are none.
    var sentRemark: String? {
        guard self.sentChanges > 0, !self.changes.isEmpty else { return nil }
        return self.sentChanges == 1
            ? "The change that this sync sent to the server is your own edit, and stays."
            : "The \(self.sentChanges) changes that this sync sent to the server are your own edits, and stay."
    }

    var deletesHere: Int {
        self.changes.count { view in
            if case .undone = view.outcome { view.change.kind == "added" } else { false }
        }
    }

    /// Whether at least one change is undone, or would be undone in a dry run.
    var isPossible: Bool {
        self.lists.contains { $0.outcome == .undone }
            || self.labels.contains { $0.outcome == .undone || $0.outcome == .alreadyApplied }
            || self.changes.contains(where: \.isDone)
    }

    /// Whether at least one change was not undone before, even if its undo is impossible.
    var hasWork: Bool {
        self.lists.contains { $0.outcome == .undone } || !self.keptLists.isEmpty
            || self.labels.contains { $0.outcome != .undoneBefore }
            || self.changes.contains { if case .undoneBefore = $0.outcome { false } else { true } }
    }
}

extension UndoView {
    fileprivate var isDone: Bool {
        switch self.outcome {
        case .undone, .alreadyApplied: true
        case .undoneBefore, .impossible: false
        }
    }
}

extension UndoSummary: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("run") { $0.run },
        JSONMember("changes") { $0.changes.map { UndoneChange($0) { ErrorMessages.explain($0).sentence } } },
        JSONMember("labelChanges") { $0.labels },
        JSONMember("listChanges") { $0.lists },
        JSONMember("skippedRuns") { $0.skippedRuns.map(\.run.id) },
        JSONMember("sentChanges") { $0.sentChanges },
        JSONMember("deletesOnServer") { $0.deletesOnServer },
        JSONMember("emptied") { $0.emptied },
    ]
}
