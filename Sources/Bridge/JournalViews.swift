package import ICalendar
package import JSON

/// A run in the journal: a sync of one account, or an operation of the user.
package struct RunView: Hashable, Sendable {
    /// The number by which `log` and `undo` name it.
    package let id: Int64
    /// `nil` for an operation of the user.
    package let account: String?
    /// A code for programs; `nil` for a sync, and for an operation that follows from its counts.
    package let operation: String?
    /// The title of the first reminder of the operation; empty without ``operation``.
    package let title: String
    /// The number of reminders of the operation; 0 without ``operation``.
    package let reminders: Int
    package let startedAt: Instant
    /// `nil` when it goes on or was interrupted.
    package let finishedAt: Instant?
    /// HTTP requests.
    package let requests: Int
    /// The reason for an incomplete run, as a code for programs; `nil` for a complete one.
    package let error: String?
    package let isUndoing: Bool
    package let counts: ChangeCounts
}

/// The numbers of changes of a run.
package struct ChangeCounts: Hashable, Sendable {
    /// Reminders that came here, new or changed.
    package var received = 0
    /// Those of them that are new here.
    package var addedHere = 0
    /// Reminders that went to the server, new or changed.
    package var sent = 0
    package var merged = 0
    package var moved = 0
    package var deletedHere = 0
    package var deletedOnServer = 0
    /// Labels that were created, renamed, recoloured or deleted.
    package var labels = 0
    package var listsMade = 0
    /// Including those that an undo deleted.
    package var listsDeleted = 0
    /// Lists that were renamed or recoloured.
    package var listsChanged = 0
    /// All changes that were undone.
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
    /// In the order of the run; likewise labels and lists.
    package let changes: [ChangeView]
    package let labels: [StateChangeView]
    package let lists: [StateChangeView]
}

/// A deleted reminder that can be restored.
package struct TrashView: Hashable, Sendable {
    /// The number of its deletion, which is the argument of `trash restore`.
    package let id: Int64
    package let title: String
    /// `nil` when the list is deleted.
    package let list: String?
    /// Whether the server's deletion came first.
    package let wasDeletedOnServer: Bool
    package let deletedAt: Instant
    /// When the journal deletes it.
    package let expiresAt: Instant
}

package enum UndoSelection: Hashable, Sendable {
    /// Single changes, by their numbers.
    case changes([Int64])
    case run(Int64)
    /// The last run with a change that can be undone, except runs that undo.
    case last
}

package struct UndoSummary: Sendable {
    /// `nil` for single changes, and when there is none.
    package var undone: Int64?
    /// The same run before the undo.
    package var undoneRun: RunView?
    /// The run that records the undo; `nil` when nothing was changed.
    package var run: Int64?
    /// Newest first; likewise labels and lists.
    package var changes: [UndoView]
    package var labels: [StateUndoView] = []
    package var lists: [StateUndoView] = []
    /// Later runs of which no change can be undone.
    package var passedOver: [SkippedRun] = []
    /// Numbers that the journal does not have, as errors.
    package var missing: [UseCaseError]
    /// Lists that stay, in a run about nothing else.
    package var keptLists: [StateUndoView] {
        self.changes.isEmpty && self.labels.isEmpty ? self.lists.filter { $0.outcome == .changedSince } : []
    }
    /// Reminders that the next sync deletes on a server because of this undo.
    package var deletesOnServer = 0
    /// The names of lists on servers that become empty.
    package var emptied: [String] = []
}

package struct SkippedRun: Sendable {
    package let run: RunView
    /// The reason for the first of its changes that cannot be undone.
    package let error: UseCaseError
}

/// A change of a label or a local list.
package struct StateChangeView: Hashable, Sendable {
    /// The former name; `nil` when it did not exist.
    package let oldName: String?
    /// The former colour, `#RRGGBB`; `nil` likewise, and for a list without one.
    package let oldColor: String?
    /// The new name; `nil` when it was deleted.
    package let newName: String?
    /// The new colour; `nil` likewise.
    package let newColor: String?
    package let isUndone: Bool
}

/// The result of undoing a change of a label or a local list.
package struct StateUndoView: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable {
        case undone, alreadyApplied, undoneBefore
        /// It was changed again, the list is not empty, or its former name is taken; it stays.
        case changedSince
    }

    package let change: StateChangeView
    package let outcome: Outcome

    /// The last name.
    package var name: String { self.change.newName ?? self.change.oldName ?? "" }
}

package struct UndoView: Sendable {
    package enum Outcome: Sendable {
        /// The undo left these fields, which were changed again since.
        ///
        /// - `isMerged`: whether other fields were changed since, and stay.
        case undone(kept: [String], isMerged: Bool)
        case alreadyApplied
        case undoneBefore
        case impossible(UseCaseError)
    }

    package let change: ChangeView
    /// The current or last number of its reminder.
    package let reminder: Int64
    package let outcome: Outcome
}

/// A change in the journal with values from its texts.
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

    /// The keys of a change, for a list of changes and for undo.
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

/// The result of undoing one change.
package struct UndoneChange: JSONRecord {
    /// - Parameter sentence: the sentence of an error.
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
