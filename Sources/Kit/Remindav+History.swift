import RemindavBridge
public import RemindavICalendar

/// A recorded sync of one account, or a recorded operation.
public struct HistoryRun: Hashable, Sendable, Identifiable {
    /// The number for ``Remindav/undo(run:)``.
    public let id: Int64
    /// The name of the synced account; `nil` for an operation.
    public let account: String?
    /// The start of the run.
    public let startedAt: Instant
    /// The end; `nil` while the run is going on, and after an interruption.
    public let finishedAt: Instant?
    /// The number of changes of reminders, labels and lists.
    public let changeCount: Int
    /// Whether the run is itself an undo.
    public let isUndo: Bool

    init(_ view: RunView) {
        (self.id, self.account) = (view.id, view.account)
        (self.startedAt, self.finishedAt) = (view.startedAt, view.finishedAt)
        (self.changeCount, self.isUndo) = (view.counts.total, view.isUndoing)
    }
}

/// The result of an undo.
public struct UndoResult: Hashable, Sendable {
    /// The number of the run that was reverted; `nil` when no run could be reverted.
    public let undoneRun: Int64?
    /// The number of the run that records the undo; `nil` when the undo changed nothing.
    public let run: Int64?
    /// The numbers of the reminders that the undo reverted or that already had the earlier state.
    public let reverted: [Int64]
    /// The reminders that the undo left, with the reasons.
    public let kept: [Int64: RemindavError]

    init(_ summary: UndoSummary) {
        (self.undoneRun, self.run) = (summary.undone, summary.run)
        var (reverted, kept): ([Int64], [Int64: RemindavError]) = ([], [:])
        for change in summary.changes {
            switch change.outcome {
            case .undone, .alreadyApplied, .undoneBefore: reverted.append(change.reminder)
            case .impossible(let error): kept[change.reminder] = RemindavError(error)
            }
        }
        (self.reverted, self.kept) = (reverted, kept)
    }
}

/// A deleted reminder.
public struct DeletedReminder: Hashable, Sendable, Identifiable {
    /// The number that the reminder had.
    public let id: Int64
    /// The title that the reminder had.
    public let title: String
    /// The name of its list; `nil` when the list was deleted too.
    public let list: String?
    /// The time of the deletion.
    public let deletedAt: Instant
    /// The time after which it cannot be restored.
    public let expiresAt: Instant

    init(_ view: TrashView) {
        (self.id, self.title, self.list) = (view.id, view.title, view.list)
        (self.deletedAt, self.expiresAt) = (view.deletedAt, view.expiresAt)
    }
}

extension Remindav {
    /// Returns the last runs, newest first; `limit` is the maximum number.
    public func history(limit: Int = 100) throws(RemindavError) -> [HistoryRun] {
        try self.perform { try self.useCases.log(limit: limit).map { HistoryRun($0) } }
    }

    /// Reverts a run, and keeps later edits; `nil` reverts the last run that can be reverted.
    ///
    /// The undo of a sync reverts the changes that the sync received.
    ///
    /// - Throws: ``RemindavError/Code/runNotFound`` if there is no run with this number.
    @discardableResult
    public func undo(run: Int64? = nil) throws(RemindavError) -> UndoResult {
        try self.perform {
            let summary = try self.useCases.undo(run.map { .run($0) } ?? .last)
            if let missing = summary.missing.first { throw missing }
            return UndoResult(summary)
        }
    }

    /// Returns the deleted reminders, newest deletion first.
    public func trash() throws(RemindavError) -> [DeletedReminder] {
        try self.perform { try self.useCases.trash().map { DeletedReminder($0) } }
    }

    /// Restores deleted reminders with these numbers.
    ///
    /// - Parameters:
    ///   - reminders: the numbers of the deleted reminders.
    ///   - list: the list that gets them; `nil` for their former lists.
    /// - Throws: ``RemindavError/Code/notInTrash`` if one of them is not in the trash; the others are restored.
    @discardableResult
    public func restore(_ reminders: [Int64], to list: String? = nil) throws(RemindavError) -> UndoResult {
        try self.perform {
            let summary = try self.useCases.restore(reminders, list: list)
            if let missing = summary.missing.first { throw missing }
            return UndoResult(summary)
        }
    }
}
