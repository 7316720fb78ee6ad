import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavSync

extension UseCases {
    /// The runs in the journal, newest first.
    package func log(limit: Int, includingDismissals: Bool = true) throws -> [RunView] {
        try self.store.read { snapshot throws(DatabaseError) in
            let runs = try snapshot.runs(limit: limit, includingDismissals: includingDismissals)
            return try runs.map { (run) throws(DatabaseError) in try snapshot.view(of: run) }
        }
    }

    /// The changes of one run, with the names of the changed fields.
    package func log(run number: Int64) throws -> RunDetails {
        let reader = self.reader
        let details = try self.store.read { snapshot throws(DatabaseError) -> RunDetails? in
            guard let run = try snapshot.run(RunID(number)) else { return nil }
            let names = try snapshot.listNames()
            var changes: [ChangeView] = []
            for change in try snapshot.changes(.run(run.id)) {
                let full = try snapshot.change(change.id) ?? change
                var view = ChangeView(full, list: names[change.list], isOperation: run.isOperation)
                let list = view.list ?? ""
                if let old = full.note.before.flatMap({ reader.view(ofText: $0, list: list) }),
                    let new = full.note.after.flatMap({ reader.view(ofText: $0, list: list) })
                {
                    view.values = ChangedValues(old: old, new: new)
                }
                changes.append(view)
            }
            let labels = try snapshot.stateChanges(of: run.id, LabelState.self).map { StateChangeView($0) }
            let lists = try snapshot.stateChanges(of: run.id, ListAppearance.self).map { StateChangeView($0) }
            return RunDetails(run: try snapshot.view(of: run), changes: changes, labels: labels, lists: lists)
        }
        guard let details else { throw UseCaseError(.runNotFound, subject: String(number)) }
        return details
    }

    /// The deleted reminders that can be restored, the last deletion first.
    package func trash() throws -> [TrashView] {
        let since = self.seconds - journalSeconds
        return try self.store.read { snapshot throws(DatabaseError) in
            let names = try snapshot.listNames()
            var views: [TrashView] = []
            var operations: [RunID: Bool] = [:]
            for change in try snapshot.changes(.trash(since: since)) {
                let isOperation =
                    if let known = operations[change.run] { known } else { try snapshot.run(change.run)?.isOperation }
                operations[change.run] = isOperation
                views.append(TrashView(change, list: names[change.list], isOperation: isOperation ?? true))
            }
            return views
        }
    }

    /// Undoes a sync or an operation in one transaction; `mayEmpty` permits making a list on a server empty.
    ///
    /// The undo of a sync reverts the changes that the sync received. The changes that it sent are the user's own edits,
    /// and stay; their numbers in ``UndoSelection/changes(_:)`` revert them.
    package func undo(
        _ selection: UndoSelection,
        isDryRun: Bool = false,
        mayEmpty: Bool = false
    ) throws -> UndoSummary {
        let summary = try self.undo(isDryRun: isDryRun, mayEmpty: mayEmpty) {
            snapshot,
            earlier throws(DatabaseError) in
            switch selection {
            case .changes(let numbers): return UndoTarget(changes: numbers.map { ChangeID($0) })
            case .run(let number): return try snapshot.target(of: RunID(number))
            case .last:
                guard let run = try snapshot.lastRunToUndo(before: earlier) else { return UndoTarget(changes: []) }
                var target = try snapshot.target(of: run)
                target.continues = true
                return target
            }
        }
        if !isDryRun, !mayEmpty, let list = summary.emptied.first {
            throw UseCaseError(.undoEmptiesList, subject: list)
        }
        return summary
    }

    /// Restores the deleted reminders with these numbers into `list`; `nil` means their former lists.
    package func restore(_ numbers: [Int64], list: String? = nil) throws -> UndoSummary {
        let target = try list.map { try self.writableList($0).id }
        let since = self.seconds - journalSeconds
        return try self.undo(isDryRun: false, list: target) { snapshot, _ throws(DatabaseError) in
            var found = UndoTarget(changes: [])
            let deletions = try snapshot.changes(.trash(since: since)).map { ($0.note.object.rawValue, $0.id) }
            // `changes` returns the newest deletion first.
            let changes = Dictionary(deletions, uniquingKeysWith: { newest, _ in newest })
            for number in numbers {
                if let change = changes[number] {
                    found.changes.append(change)
                } else {
                    found.missing.append(UseCaseError(.notInTrash, subject: String(number)))
                }
            }
            return found
        }
    }

    /// - Parameter select: returns the changes to undo. Its second argument is `nil` in the first call. In a later
    ///   call, it is the run of the previous call, in which nothing could be undone.
    private func undo(
        isDryRun: Bool,
        mayEmpty: Bool = true,
        list: ListID? = nil,
        _ select: (StoreSnapshot, RunID?) throws(DatabaseError) -> UndoTarget
    ) throws -> UndoSummary {
        let reader = self.reader
        let context = self.editing
        let now = context.now
        let executor = UndoExecutor(stored: { reader.stored($0) }, context: context)
        return try self.store.write { transaction throws(DatabaseError) in
            // The undo may delete lists, so the names of all lists are read before it.
            let former = try transaction.listNames()
            func attempt(_ target: UndoTarget) throws(DatabaseError) -> UndoAttempt {
                var attempt = UndoAttempt(target: target, runBefore: try transaction.view(of: target))
                if let undone = target.run {
                    attempt.lists = try transaction.restoreLists(of: undone, as: &attempt.run, at: now)
                }
                (attempt.run, attempt.results) = try executor.undo(
                    target.changes,
                    in: transaction,
                    list: list,
                    as: attempt.run
                )
                guard let undone = target.run else { return attempt }
                attempt.labels = try transaction.undoLabels(of: undone, as: &attempt.run, at: now)
                attempt.lists += try transaction.undoLists(of: undone, as: &attempt.run, at: now)
                return attempt
            }
            var last = try attempt(select(transaction, nil))
            var skippedRuns: [UndoAttempt] = []
            while last.target.continues, let undone = last.target.run, !last.isDone {
                if last.isRefused { skippedRuns.append(last) }
                last = try attempt(select(transaction, undone))
            }
            // If no run can be undone, the errors of the newest run are reported.
            if !last.isDone, let first = skippedRuns.first { (last, skippedRuns) = (first, []) }
            let (target, run, results) = (last.target, last.run, last.results)
            let names = former.merging(try transaction.listNames()) { $1 }
            var summary = UndoSummary(
                undone: target.run?.rawValue,
                undoneRun: last.runBefore,
                run: run?.rawValue,
                changes: [],
                labels: last.labels,
                lists: last.lists,
                missing: target.missing
            )
            summary.sentChanges = target.sentChanges
            func view(_ result: UndoResult) throws(DatabaseError) -> UndoView {
                let isOperation = try transaction.run(result.change.run)?.isOperation ?? false
                return UndoView(
                    result,
                    ChangeView(result.change, list: names[result.change.list], isOperation: isOperation)
                )
            }
            for result in results { summary.changes.append(try view(result)) }
            for attempt in skippedRuns {
                guard let run = attempt.runBefore else { continue }
                let refused = try attempt.results.first(where: \.isRefused).map(view)
                summary.skippedRuns.append(SkippedRun(run, refused, attempt))
            }
            let known = Set(results.map(\.change.id))
            for id in target.changes where target.run == nil && !known.contains(id) {
                summary.missing.append(UseCaseError(.changeNotFound, subject: String(id.rawValue)))
            }
            try summary.countDeletions(results, in: transaction)
            if isDryRun || !mayEmpty && !summary.emptied.isEmpty { transaction.discard() }
            return summary
        }
    }
}

private struct UndoAttempt {
    let target: UndoTarget
    /// The run to undo, as it was before the undo.
    let runBefore: RunView?
    /// The run that records the undo; `nil` when the undo changed nothing.
    var run: RunID?
    var results: [UndoResult] = []
    var labels: [StateUndoView] = []
    var lists: [StateUndoView] = []

    var isDone: Bool {
        self.results.contains(where: \.isDone) || self.labels.contains { $0.outcome == .undone }
            || self.lists.contains { $0.outcome == .undone }
    }

    /// Whether a change could not be undone; changes of lists are examined only if the run changed nothing else.
    var isRefused: Bool {
        self.results.contains(where: \.isRefused) || self.labels.contains { $0.outcome == .changedSince }
            || self.results.isEmpty && self.labels.isEmpty && self.lists.contains { $0.outcome == .changedSince }
    }
}

extension UndoResult {
    fileprivate var isDone: Bool { if case .undone = self.outcome { true } else { false } }
    fileprivate var isRefused: Bool { if case .impossible = self.outcome { true } else { false } }
}

extension SkippedRun {
    /// - Parameter refused: the first change of a reminder that could not be undone; `nil` for a label or a list.
    fileprivate init(_ run: RunView, _ refused: UndoView?, _ attempt: UndoAttempt) {
        self.run = run
        if case .impossible(let error)? = refused?.outcome {
            self.error = error
        } else if let label = attempt.labels.first(where: { $0.outcome == .changedSince }) {
            self.error = UseCaseError(labelChange: label)
        } else {
            let list = attempt.lists.first { $0.outcome == .changedSince }
            self.error = UseCaseError(.listChangedSince, subject: list?.name)
        }
    }
}

extension UseCaseError {
    package init(labelChange kept: StateUndoView) {
        self.init(.labelChangedSince, subject: kept.change.newName ?? kept.change.oldName)
    }

    package init(listChange kept: StateUndoView) { self.init(.listChangedSince, subject: kept.name) }
}

extension UndoSummary {
    /// Counts the reminders that the next sync deletes on a server.
    fileprivate mutating func countDeletions(
        _ results: [UndoResult],
        in snapshot: StoreSnapshot
    ) throws(DatabaseError) {
        var lists: [ListID] = []
        for result in results {
            guard case .undone = result.outcome, result.change.note.kind == .added,
                try snapshot.textsOfTombstone(in: result.change.list, uid: result.change.note.uid) != nil
            else { continue }
            self.deletesOnServer += 1
            if !lists.contains(result.change.list) { lists.append(result.change.list) }
        }
        for id in lists where try snapshot.objectCount(in: id) == 0 {
            if let list = try snapshot.list(id), list.state == .synced { self.emptied.append(list.name) }
        }
    }
}

private struct UndoTarget: Sendable {
    var run: RunID?
    var changes: [ChangeID]
    var missing: [UseCaseError] = []
    /// Whether to try an earlier run if nothing in this run can be undone.
    var continues = false
    /// The number of the changes of the run that it sent, and that are not undone.
    var sentChanges = 0
}

extension StoreSnapshot {
    /// The run to undo, as it is before the undo; `nil` for single changes.
    fileprivate func view(of target: UndoTarget) throws(DatabaseError) -> RunView? {
        guard let id = target.run, let run = try self.run(id) else { return nil }
        return try self.view(of: run)
    }

    fileprivate func target(of run: RunID) throws(DatabaseError) -> UndoTarget {
        guard try self.run(run) != nil else {
            return UndoTarget(changes: [], missing: [UseCaseError(.runNotFound, subject: String(run.rawValue))])
        }
        let all = try self.changes(.run(run))
        let changes = UndoExecutor.changesToUndo(of: all).map(\.id)
        let chosen = Set(changes)
        var target = UndoTarget(run: run, changes: changes)
        target.sentChanges = all.count { $0.undoneAt == nil && !chosen.contains($0.id) }
        if changes.isEmpty, target.sentChanges > 0 {
            target.missing = [UseCaseError(.runOnlySent, subject: String(run.rawValue))]
        }
        return target
    }
}

extension StoreSnapshot {
    fileprivate func view(of run: RunRecord) throws(DatabaseError) -> RunView {
        let counts = try self.changeCounts(of: run.id)
        let labels = try self.stateChanges(of: run.id, LabelState.self)
        let lists = try self.stateChanges(of: run.id, ListAppearance.self)
        let subject = run.operation == nil ? nil : try self.subject(of: run.id)
        let titles = run.isOperation ? [] : try self.titles(of: run.id, limit: RunView.maximumTitles + 1)
        return RunView(
            id: run.id.rawValue,
            account: run.isOperation ? nil : run.account,
            operation: run.operation?.rawValue,
            title: subject?.title ?? "",
            reminders: subject?.count ?? 0,
            titles: Array(titles.prefix(RunView.maximumTitles)),
            hasMoreTitles: titles.count > RunView.maximumTitles,
            startedAt: Instant(secondsSince1970: run.startedAt),
            finishedAt: run.finishedAt.map { Instant(secondsSince1970: $0) },
            requests: run.requests,
            error: run.error,
            isUndoing: counts.contains { $0.reversals > 0 } || labels.contains { $0.reverses != nil }
                || lists.contains { $0.reverses != nil },
            counts: ChangeCounts(counts, labels, lists)
        )
    }
}

extension ChangeCounts {
    fileprivate init(
        _ counts: [ChangeCount],
        _ labels: [StateChangeRecord<LabelState>],
        _ lists: [StateChangeRecord<ListAppearance>]
    ) {
        self.init()
        self.labels = labels.count
        self.listsMade = lists.count { $0.change.before == nil }
        self.listsDeleted = lists.count { $0.change.after == nil }
        self.listsChanged = lists.count - self.listsMade - self.listsDeleted
        self.undone = labels.count { $0.undoneAt != nil } + lists.count { $0.undoneAt != nil }
        for entry in counts {
            self.undone += entry.undone
            switch (entry.kind, entry.side) {
            case (.deleted, .local): self.deletedHere += entry.count
            case (.deleted, .remote): self.deletedOnServer += entry.count
            case (.merged, _): self.merged += entry.count
            case (.moved, _): self.moved += entry.count
            case (.added, .local):
                self.received += entry.count
                self.addedHere += entry.count
            case (.changed, .local): self.received += entry.count
            case (.added, .remote), (.changed, .remote): self.sent += entry.count
            }
        }
    }
}

extension TrashView {
    fileprivate init(_ change: ChangeRecord, list: String?, isOperation: Bool) {
        self.init(
            id: change.note.object.rawValue,
            title: change.note.title,
            list: list,
            wasDeletedOnServer: change.note.side == .local && !isOperation,
            deletedAt: Instant(secondsSince1970: change.at),
            expiresAt: Instant(secondsSince1970: change.at + journalSeconds)
        )
    }
}

extension UndoView {
    fileprivate init(_ result: UndoResult, _ change: ChangeView) {
        self.change = change
        self.reminder = result.object.rawValue
        switch result.outcome {
        case .undone(let kept, let isMerged):
            self.outcome = .undone(kept: kept.map { PropertyDisplayName.word(for: $0.property) }, isMerged: isMerged)
        case .alreadyApplied: self.outcome = .alreadyApplied
        case .undoneBefore: self.outcome = .undoneBefore
        case .impossible(let obstacle): self.outcome = .impossible(UseCaseError(obstacle, change))
        }
    }
}

extension UseCaseError {
    fileprivate init(_ obstacle: UndoObstacle, _ change: ChangeView) {
        let code: Code =
            switch obstacle {
            case .listGone: .listOfChangeGone
            case .listReadOnly: .listIsReadOnly
            case .changedSince: .changedSince
            case .changedAgain: .changedAgain
            case .reminderGone: .changedReminderGone
            case .textUnknown: .textUnknown
            case .uidTaken: .duplicateUIDInOrigin
            case .thereBefore: .thereBefore
            }
        switch obstacle {
        case .listReadOnly, .thereBefore: self.init(code, subject: change.list)
        // The message of this error contains the number of the change instead of the number of the reminder.
        case .listGone: self.init(code, subject: "\(change.id): \(change.title)")
        default: self.init(code, subject: "\(change.reminder): \(change.title)")
        }
    }
}
