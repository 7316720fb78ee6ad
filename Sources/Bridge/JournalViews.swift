package import RemindavICalendar
package import RemindavJSON

/// A run in the journal: a sync of one account, or an operation of the user.
package struct RunView: Hashable, Sendable {
    /// The number of the run as an argument of `log` and `undo`.
    package let id: Int64
    /// The name of the synced account; `nil` for an operation of the user.
    package let account: String?
    /// The identifier of the operation; `nil` for a sync, and for an operation that `log` describes by its ``counts``.
    package let operation: String?
    /// The title of the operation's first reminder; empty if ``operation`` is `nil`.
    package let title: String
    /// The number of the operation's reminders; 0 if ``operation`` is `nil`.
    package let reminders: Int
    /// The titles of the first ``maximumTitles`` reminders that a sync changed; empty for an operation of the user.
    package let titles: [String]
    /// Whether a sync changed more reminders than ``titles`` names.
    package let hasMoreTitles: Bool
    package let startedAt: Instant
    /// The end of the run; `nil` when the run is still going on or was interrupted.
    package let finishedAt: Instant?
    /// The number of HTTP requests.
    package let requests: Int
    /// The identifier of the error that made the run incomplete; `nil` for a complete run.
    package let error: String?
    package let isUndoing: Bool
    package let counts: ChangeCounts

    /// The maximum number of titles in the line of a sync, so that the line stays short.
    package static let maximumTitles = 3
}

/// The number of changes in a run, by their kind.
package struct ChangeCounts: Hashable, Sendable {
    /// Reminders that the server sent, new or changed.
    package var received = 0
    /// The number of ``received`` reminders that are new in the store.
    package var addedHere = 0
    /// Reminders that were sent to the server, new or changed.
    package var sent = 0
    package var merged = 0
    package var moved = 0
    package var deletedHere = 0
    package var deletedOnServer = 0
    /// Labels that were created, renamed, recoloured or deleted.
    package var labels = 0
    package var listsMade = 0
    /// Deleted lists, including lists that an undo deleted.
    package var listsDeleted = 0
    /// Lists that were renamed or recoloured.
    package var listsChanged = 0
    /// All changes that an undo reverted.
    package var undone = 0

    package var total: Int {
        self.received + self.sent + self.merged + self.moved + self.deletedHere + self.deletedOnServer + self.labels
            + self.lists
    }

    package var lists: Int { self.listsMade + self.listsDeleted + self.listsChanged }

    package init() {}
}

package struct RunDetails: Hashable, Sendable {
    package let run: RunView
    /// The changes of reminders, first change of the run first; ``labels`` and ``lists`` are also in this order.
    package let changes: [ChangeView]
    package let labels: [StateChangeView]
    package let lists: [StateChangeView]
}

/// A deleted reminder that can be restored.
package struct TrashView: Hashable, Sendable {
    /// The number that the reminder had, which is the argument of `trash restore`; a store never uses a number again.
    package let id: Int64
    package let title: String
    /// The name of the reminder's list; `nil` when that list was deleted too.
    package let list: String?
    package let wasDeletedOnServer: Bool
    package let deletedAt: Instant
    /// The time at which the journal deletes the reminder for good.
    package let expiresAt: Instant
}

package enum UndoSelection: Hashable, Sendable {
    case changes([Int64])
    case run(Int64)
    /// The last run that has a change to undo; a run that is itself an undo does not count.
    case last
}

package struct UndoSummary: Sendable {
    /// The number of the undone run; `nil` for single changes, and when no run can be undone.
    package var undone: Int64?
    /// The undone run, as it was before the undo.
    package var undoneRun: RunView?
    /// The number of the run that records the undo; `nil` when the undo changed nothing.
    package var run: Int64?
    /// The changes of reminders, newest first; ``labels`` and ``lists`` are also in this order.
    package var changes: [UndoView]
    package var labels: [StateUndoView] = []
    package var lists: [StateUndoView] = []
    /// The later runs that `undo` skipped because none of their changes can be undone.
    package var skippedRuns: [SkippedRun] = []
    /// Errors for the numbers that the journal does not contain.
    package var missing: [UseCaseError]
    /// The lists that the undo could not change; empty if the run also changed reminders or labels.
    package var keptLists: [StateUndoView] {
        self.changes.isEmpty && self.labels.isEmpty ? self.lists.filter { $0.outcome == .changedSince } : []
    }
    /// The number of changes that the undone sync had sent to a server, and that the undo leaves.
    package var sentChanges = 0
    /// The number of reminders that the next sync deletes on a server because of this undo.
    package var deletesOnServer = 0
    /// The names of lists on servers that this undo makes empty.
    package var emptied: [String] = []
}

package struct SkippedRun: Sendable {
    package let run: RunView
    /// The error of the first change in the run that cannot be undone.
    package let error: UseCaseError
}

/// A change of a label or of a local list.
package struct StateChangeView: Hashable, Sendable {
    /// The name before the change; `nil` when the label or list did not exist.
    package let oldName: String?
    /// The colour before the change as `#RRGGBB`; `nil` when there was none.
    package let oldColor: String?
    /// The name after the change; `nil` when the label or list was deleted.
    package let newName: String?
    /// The colour after the change as `#RRGGBB`; `nil` when there is none.
    package let newColor: String?
    package let isUndone: Bool
}

package struct StateUndoView: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable {
        case undone, alreadyApplied, undoneBefore
        /// Undo is not possible: a later change exists, the list is not empty, or the former name is taken.
        case changedSince
    }

    package let change: StateChangeView
    package let outcome: Outcome

    /// The name after the change, or the last name of a deleted label or list.
    package var name: String { self.change.newName ?? self.change.oldName ?? "" }
}

package struct UndoView: Sendable {
    package enum Outcome: Sendable {
        /// The fields `kept` were changed again later, so the undo did not restore them. `isMerged` means that other
        /// fields also have later changes, which the undo did not revert.
        case undone(kept: [String], isMerged: Bool)
        case alreadyApplied
        case undoneBefore
        case impossible(UseCaseError)
    }

    package let change: ChangeView
    /// The number of the reminder; for a deleted reminder, the number before the deletion.
    package let reminder: Int64
    package let outcome: Outcome
}

private struct LoggedChange: JSONRecord {
    let change: ChangeView

    static let jsonMembers =
        JSONMember<Self>.all { $0.change } + [
            JSONMember("fields") { $0.change.fields },
            JSONMember("reverses") { $0.change.reverses },
        ]
}

extension RunView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id },
        JSONMember("account") { $0.account },
        JSONMember("operation") { $0.operation },
        JSONMember("startedAt") { $0.startedAt },
        JSONMember("finishedAt") { $0.finishedAt },
        JSONMember("requests") { $0.requests },
        JSONMember("error") { $0.error },
        JSONMember("received") { $0.counts.received },
        JSONMember("sent") { $0.counts.sent },
        JSONMember("merged") { $0.counts.merged },
        JSONMember("moved") { $0.counts.moved },
        JSONMember("deletedHere") { $0.counts.deletedHere },
        JSONMember("deletedOnServer") { $0.counts.deletedOnServer },
        JSONMember("labels") { $0.counts.labels },
        JSONMember("lists") { $0.counts.lists },
        JSONMember("undone") { $0.counts.undone },
        JSONMember("titles") { $0.titles },
    ]
}

extension RunDetails: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all { $0.run } + [
            JSONMember("changes") { $0.changes.map { LoggedChange(change: $0) } },
            JSONMember("labelChanges") { $0.labels },
            JSONMember("listChanges") { $0.lists },
        ]
}

extension TrashView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id },
        JSONMember("title") { $0.title },
        JSONMember("list") { $0.list },
        JSONMember("deletedOn") { $0.wasDeletedOnServer ? "server" : "here" },
        JSONMember("deletedAt") { $0.deletedAt },
        JSONMember("expiresAt") { $0.expiresAt },
    ]
}

extension StateChangeView: JSONRecord {
    package static let jsonMembers = Self.values + [JSONMember("undone") { $0.isUndone }]

    /// The JSON members of a change, which lists of changes and results of undo share.
    static let values: [JSONMember<Self>] = [
        JSONMember("oldName") { $0.oldName },
        JSONMember("oldColor") { $0.oldColor },
        JSONMember("newName") { $0.newName },
        JSONMember("newColor") { $0.newColor },
    ]
}

extension StateUndoView: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all(StateChangeView.values) { $0.change } + [JSONMember("outcome") { $0.outcome.rawValue }]
}

package struct UndoneChange: JSONRecord {
    package init(_ view: UndoView, sentence: (UseCaseError) -> String) {
        self.change = LoggedChange(change: view.change)
        (self.outcome, self.kept, self.error) =
            switch view.outcome {
            case .undone(let kept, _): ("undone", kept, nil)
            case .alreadyApplied: ("alreadyApplied", [], nil)
            case .undoneBefore: ("undoneBefore", [], nil)
            case .impossible(let error): ("impossible", [], sentence(error))
            }
    }

    private let change: LoggedChange
    private let outcome: String
    private let kept: [String]
    private let error: String?

    package static let jsonMembers =
        JSONMember<Self>.all { $0.change } + [
            JSONMember("outcome") { $0.outcome },
            JSONMember("kept") { $0.kept },
            JSONMember("error") { $0.error },
        ]
}
