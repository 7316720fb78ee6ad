package import ICalendar
package import JSON

/// A run in the journal, as `log` shows it: a sync of one account, or a operation of the person.
package struct RunView: Hashable, Sendable {
    /// The number by which `log` and `undo` name it.
    package let id: Int64
    /// The account's name; `nil` for a person's operation.
    package let account: String?
    /// What a person did, in a word for programs; `nil` for a sync, and for a operation that its counts tell.
    package let operation: String?
    /// The title of the reminder that it was done to, the first one of several; empty without ``operation``.
    package let title: String
    /// To how many reminders it was done; 0 without ``operation``.
    package let reminders: Int
    /// When it began.
    package let startedAt: Instant
    /// When it ended; `nil` when it was broken off, or goes on still.
    package let finishedAt: Instant?
    /// HTTP requests.
    package let requests: Int
    /// Why it did not do all, as a code for programs; `nil` when it did.
    package let error: String?
    /// Whether it took back what another run did.
    package let isUndoing: Bool
    /// What it changed.
    package let counts: ChangeCounts
}

/// How much a run changed.
package struct ChangeCounts: Hashable, Sendable {
    /// Reminders that came here, new or changed.
    package var received = 0
    /// Those of them that are new here.
    package var addedHere = 0
    /// Reminders that went to the server, new or changed.
    package var sent = 0
    /// Reminders of which both sides' changes were put together.
    package var merged = 0
    /// Reminders moved to another list.
    package var moved = 0
    /// Reminders deleted here.
    package var deletedHere = 0
    /// Reminders deleted on the server.
    package var deletedOnServer = 0
    /// Labels that were made, renamed, recoloured or deleted.
    package var labels = 0
    /// Lists that a person, or an import, made.
    package var listsMade = 0
    /// Lists that a person deleted, and those that undoing took away.
    package var listsDeleted = 0
    /// Lists that got another name or colour.
    package var listsChanged = 0
    /// How many of all these changes were undone.
    package var undone = 0

    /// All changes.
    package var total: Int {
        self.received + self.sent + self.merged + self.moved + self.deletedHere + self.deletedOnServer + self.labels
            + self.lists
    }

    /// All that was done to lists.
    package var lists: Int { self.listsMade + self.listsDeleted + self.listsChanged }

    /// Nothing.
    package init() {}
}

/// A run with all that it changed.
package struct RunDetails: Hashable, Sendable {
    /// The run.
    package let run: RunView
    /// In the order in which it was done.
    package let changes: [ChangeView]
    /// What it did to labels, likewise.
    package let labels: [StateChangeView]
    /// And to lists of this machine.
    package let lists: [StateChangeView]
}

/// A deleted reminder that can be put back.
package struct TrashView: Hashable, Sendable {
    /// The number of its deletion, by which `trash restore` names it.
    package let id: Int64
    /// What it was called.
    package let title: String
    /// Its list's name; `nil` when the list is gone.
    package let list: String?
    /// Whether the server's deletion came first: somebody else's, or another machine's.
    package let wasDeletedOnServer: Bool
    /// When it was deleted here.
    package let deletedAt: Instant
    /// When the journal will have forgotten it.
    package let expiresAt: Instant
}

/// What is to be undone.
package enum UndoSelection: Hashable, Sendable {
    /// Single changes, by their numbers.
    case changes([Int64])
    /// All that a run changed.
    case run(Int64)
    /// All that the last run changed of which something can be undone and is not; an undoing is no such run.
    case last
}

/// What came of undoing.
package struct UndoSummary: Sendable {
    /// The run that was undone; `nil` for single changes, and when there is none.
    package var undone: Int64?
    /// The same run as the log shows it.
    package var undoneRun: RunView?
    /// The run that did it, by which it can be undone itself; `nil` when nothing was changed.
    package var run: Int64?
    /// What became of each change, the newest first.
    package var changes: [UndoView]
    /// What became of each change of a label, likewise.
    package var labels: [StateUndoView] = []
    /// And of each change of a list.
    package var lists: [StateUndoView] = []
    /// Later runs of which nothing can be undone.
    package var passedOver: [SkippedRun] = []
    /// Numbers that the journal does not have, as errors.
    package var missing: [UseCaseError]
    /// Lists that stay as they are, though the run was about nothing else.
    package var keptLists: [StateUndoView] {
        self.changes.isEmpty && self.labels.isEmpty ? self.lists.filter { $0.outcome == .changedSince } : []
    }
    /// Reminders that the next sync deletes on a server, since they are deleted here by this.
    package var deletesOnServer = 0
    /// Names of lists on servers in which nothing is left by this.
    package var emptied: [String] = []
}

/// A run of which nothing can be undone, so that it is an earlier one's turn.
package struct SkippedRun: Sendable {
    /// The run.
    package let run: RunView
    /// Why, of the first of its changes that cannot be.
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

/// What became of one change that was to be undone.
package struct UndoView: Sendable {
    /// What became of it.
    package enum Outcome: Sendable {
        /// It is undone, but for these fields, which were changed again since.
        ///
        /// - `isMerged`: whether something else was changed since, and stays.
        case undone(kept: [String], isMerged: Bool)
        /// The reminder is as it was before already.
        case alreadyApplied
        /// It was undone before.
        case undoneBefore
        /// It was left as it is.
        case impossible(UseCaseError)
    }

    /// The change.
    package let change: ChangeView
    /// The number that its reminder has now, or had last.
    package let reminder: Int64
    /// What became of it.
    package let outcome: Outcome
}

/// A change in the journal, with the values that need the texts.
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

    /// The keys of a change, for a list of changes and for undoing.
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

/// What came of undoing one change.
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
