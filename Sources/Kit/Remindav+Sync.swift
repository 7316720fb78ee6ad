import RemindavBridge
import RemindavSync

/// The result of a sync.
public struct SyncResult: Sendable {
    /// The result of one list.
    public struct List: Sendable {
        /// The name of the list.
        public let name: String
        /// The name of the account.
        public let account: String
        /// The number of new or changed reminders that the server sent.
        public let received: Int
        /// The number of new or changed reminders that were sent to the server.
        public let sent: Int
        /// The number of reminders whose changes of both sides were merged.
        public let merged: Int
        /// The number of fields that both sides had changed; ``Remindav/conflicts()`` returns the other values.
        public let conflicts: Int
        /// The number of reminders that moved to the trash, because the server deleted them.
        public let deletedHere: Int
        /// The number of reminders that were deleted on the server.
        public let deletedOnServer: Int
        /// The reminders that could not be synced.
        ///
        /// The next sync tries again, but sends a text that the server refused only after an edit or after a week.
        public let failures: [Failure]
        /// The deletions that wait for a confirmation, because a sync never deletes many reminders at once.
        public let heldDeletions: [HeldDeletion]
        /// The error of the list or of its first failed reminder; `nil` when there was none.
        public let error: RemindavError?
    }

    /// A reminder that could not be synced.
    public struct Failure: Hashable, Sendable {
        /// The number of the reminder; `nil` if only the server has it.
        public let reminder: Int64?
        /// The reason.
        public let error: RemindavError
    }

    /// A deletion that waits for ``SyncOptions/confirmedDeletions``.
    public struct HeldDeletion: Hashable, Sendable {
        /// The number of the reminder, before its deletion.
        public let reminder: Int64
        /// The title of the reminder.
        public let title: String
        /// Whether the server no longer has the reminder; otherwise, it was deleted in the store.
        public let wasDeletedOnServer: Bool
    }

    /// The results of the lists, by account.
    public let lists: [List]
    /// The errors of accounts whose lists could not be synced, by the name of the account.
    public let failedAccounts: [String: RemindavError]

    init(_ summary: SyncSummary) {
        self.lists = summary.lists.map { List($0) }
        self.failedAccounts = Dictionary(
            summary.failedAccounts.map { ($0.account, RemindavError($0.error)) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

extension SyncResult.List {
    init(_ report: ListSyncReport) {
        (self.name, self.account) = (report.list, report.account)
        (self.received, self.sent) = (report.sync.pulled, report.sync.pushed)
        (self.merged, self.conflicts) = (report.sync.merged, report.sync.conflicts)
        (self.deletedHere, self.deletedOnServer) = (report.sync.deletedLocally, report.sync.deletedRemotely)
        self.failures = report.leftOut.map { left in
            SyncResult.Failure(
                reminder: left.id,
                error: left.error.map { RemindavError($0) } ?? RemindavError(.textRefused, left.reason)
            )
        }
        self.heldDeletions = report.held.map { held in
            SyncResult.HeldDeletion(
                reminder: held.id,
                title: held.title,
                wasDeletedOnServer: held.wasDeletedOnServer
            )
        }
        self.error = report.error.map { RemindavError($0) }
    }
}

/// The choices for a sync.
public struct SyncOptions: Hashable, Sendable {
    /// The name of the account to sync; `nil` for all accounts.
    public var account: String?
    /// Whether the sync only computes its result, and changes neither the store nor a server.
    public var isDryRun = false
    /// The numbers of reminders whose deletion the user has confirmed.
    public var confirmedDeletions: Set<Int64> = []

    /// Creates the choices for a sync of all accounts.
    public init() {}
}

/// The progress of a sync in one list.
public struct ListProgress: Hashable, Sendable {
    /// The name of the list; the name of the account before the lists of the account are known.
    public let list: String
    /// The number of processed reminders.
    public let done: Int
    /// The number of sent reminders.
    public let sent: Int
    /// The number of reminders to send, including those already sent; 0 until the sending begins.
    public let toSend: Int
}

extension Remindav {
    /// Syncs the lists of all accounts, in parallel.
    ///
    /// The cancellation of the task ends the sync between two reminders, and the next sync does the remaining steps. The
    /// unfinished lists and accounts then have the code ``RemindavError/Code/cancelled``. An error of one list or one
    /// account stops no other.
    ///
    /// - Parameters:
    ///   - options: the choices; without any, all accounts are synced.
    ///   - progress: called on any thread.
    public func sync(
        _ options: SyncOptions = SyncOptions(),
        progress: @escaping @Sendable (ListProgress) -> Void = { _ in }
    ) async throws(RemindavError) -> SyncResult {
        var request = SyncRequest()
        (request.account, request.isDryRun) = (options.account, options.isDryRun)
        request.confirmedDeletions = options.confirmedDeletions
        let fixed = request
        return try await self.perform { useCases in
            SyncResult(
                try await useCases.sync(fixed) { step in
                    progress(
                        ListProgress(list: step.list, done: step.done, sent: step.sent, toSend: step.toSend)
                    )
                }
            )
        }
    }
}
