package import ICalendar
package import Store

/// Synchronises one list, both ways.
///
/// First everything is read and planned, and nothing has happened. Then each step is done on the server and recorded
/// here, one short transaction each, and none is open while the network is waited for. A run that breaks off anywhere is
/// completed by the next: what was recorded is not done twice, and what was not recorded is seen as changed on both sides
/// with the same content, which is no conflict, only a record to be written. The token is saved last.
package struct SyncExecutor: Sendable {
    /// The text of an object → what the store keeps beside it.
    package typealias Indexing = @Sendable (CalendarObject) -> ObjectIndex

    let store: ReminderStore
    let list: ListID
    let remote: any RemoteCollection
    let index: Indexing
    let now: Int64
    let deletionGuard: DeletionGuard
    let ctag: String?
    let progress: @Sendable (SyncReport) -> Void
    var report = SyncReport()
    var error: (any Error)?
    var pending: Pending?
    /// UIDs of items that were changed here while they were about to be recorded: the next run sees both versions.
    var unsettled: Set<String> = []
    /// Items whose resource on the server was not as expected, with the number of attempts made so far.
    var contested: [(push: Push, error: RemoteError, attempt: Int)] = []

    /// Requests of one list under way at the same time.
    ///
    /// More do not help any server we have measured, and annoy some.
    static let parallelRequests = 4
    /// How often an item is merged anew because somebody else was faster.
    static let attempts = 3
    /// Records written in one transaction while nothing waits for the network.
    static let recordsAtOnce = 200

    /// - Parameters:
    ///   - now: for the journal; seconds since 1970.
    ///   - ctag: the collection's state as it was listed before this run, saved with the token.
    ///   - progress: called after each step.
    package init(
        store: ReminderStore,
        list: ListID,
        remote: any RemoteCollection,
        index: @escaping Indexing,
        now: Int64,
        guard deletionGuard: DeletionGuard = .standard,
        ctag: String? = nil,
        progress: @escaping @Sendable (SyncReport) -> Void = { _ in }
    ) {
        self.store = store
        self.list = list
        self.remote = remote
        self.index = index
        self.now = now
        self.deletionGuard = deletionGuard
        self.ctag = ctag
        self.progress = progress
    }

    /// Synchronises.
    ///
    /// - Parameter dryRun: only says what would be done; nothing is written on either side.
    /// - Returns: what was done, and the error that ended the run early, if one did: a `RemoteError`'s cause when nothing
    ///   more can be done, a `DatabaseError` when the store fails. What was done until then is recorded.
    package mutating func run(dryRun: Bool = false) async -> (report: SyncReport, error: (any Error)?) {
        await self.begin(dryRun: dryRun)
        return await self.complete()
    }

    /// The first half: asks the server, plans, and takes over what has changed there.
    ///
    /// Whoever synchronises several lists begins them all before the first is completed: a reminder that was moved from
    /// one list to another is then known in its new place before its absence in the old one is acted on.
    package mutating func begin(dryRun: Bool = false) async {
        do {
            self.pending = try await self.plan(dryRun: dryRun)
        } catch {
            self.error = (error as? RemoteError)?.underlying ?? error
        }
    }

    /// The second half: sends what has changed here.
    ///
    /// - Parameter mayRevive: whether an item that was changed here and is gone there may be sent anew; not when another
    ///   list of the account, to which it may have been moved, could not be read.
    /// - Returns: as ``run(dryRun:)``.
    package mutating func complete(mayRevive: Bool = true) async -> (report: SyncReport, error: (any Error)?) {
        do {
            if let pending = self.pending.take() { try await self.send(pending, mayRevive: mayRevive) }
        } catch {
            self.error = (error as? RemoteError)?.underlying ?? error
        }
        return (self.report, self.error)
    }

    /// What the first half leaves to the second.
    struct Pending: Sendable {
        let plan: SyncPlan
        let state: SyncState
        let token: SyncToken?
        /// Whether every text that was asked for came.
        let isComplete: Bool
    }

    /// - Returns: `nil` when there is nothing to send, or nothing may be.
    mutating func plan(dryRun: Bool) async throws -> Pending? {
        guard
            let state = try self.store.read({ snapshot throws(DatabaseError) in try snapshot.syncState(of: self.list) })
        else { return nil }
        let changes = try await self.remote.changes(since: state.list.syncToken)
        let remote = self.remote
        let needed = SyncPlan.hrefsToFetch(state, changes) { remote.key(of: $0) }
        let fetched = needed.isEmpty ? RemoteFetch(items: [], missing: []) : try await remote.fetch(needed)
        let (objects, rejected) = Self.read(fetched.items)
        let plan = SyncPlan(
            state: state,
            changes: changes,
            objects: objects,
            rejected: rejected,
            missing: fetched.missing,
            sameAsDeleted: try self.sameAsDeleted(objects, state),
            guard: self.deletionGuard,
            key: { remote.key(of: $0) }
        )
        self.report.held = plan.held
        self.report.unreadable = plan.unreadable.count
        for failure in fetched.failures {
            self.report.failures.append(.init(id: nil, href: failure.href, error: failure.error))
        }
        guard !dryRun else {
            self.report = self.forecast(plan)
            return nil
        }
        try self.recordRemoteChanges(plan)
        return Pending(plan: plan, state: state, token: changes.token, isComplete: fetched.failures.isEmpty)
    }

    /// Whether the first half learned everything that it asked for.
    package var isWhole: Bool { self.error == nil && self.pending?.isComplete ?? true }

    mutating func send(_ pending: Pending, mayRevive: Bool) async throws {
        let plan = pending.plan
        if mayRevive {
            try self.inBatches(plan.revivals) { executor, item, transaction throws(DatabaseError) in
                try executor.revive(item, in: transaction)
            }
        } else {
            // They are neither sent nor forgotten, and the token stays, so that the next run sees them again.
            self.unsettled.formUnion(plan.revivals.map(\.uid))
        }
        // What could not be fetched may be the same reminder as one that is new here.
        try await self.push(plan, mayCreate: pending.isComplete)
        try await self.deleteRemote(plan)
        if plan.holdsLocalDeletions {
            // Until the person has spoken each run lists everything, and the store can tell that it is not in step.
            return try self.record { transaction throws(DatabaseError) in
                try transaction.saveToken(nil, ctag: nil, of: self.list)
            }
        }
        // The token was read before the listing it belongs to: what was written since is seen again, and recognised.
        guard pending.isComplete, self.unsettled.isEmpty,
            pending.token != pending.state.list.syncToken || self.ctag != pending.state.list.ctag
        else { return }
        try self.record { transaction throws(DatabaseError) in
            try transaction.saveToken(pending.token, ctag: self.ctag, of: self.list)
        }
    }

    /// The items that were deleted here and that the server still has as they were then.
    func sameAsDeleted(_ objects: [RemoteObject], _ state: SyncState) throws(DatabaseError) -> Set<String> {
        guard !state.tombstones.isEmpty else { return [] }
        let deleted = Set(state.tombstones.map(\.uid))
        let candidates = objects.filter { deleted.contains($0.uid) }
        return try self.store.read { snapshot throws(DatabaseError) in
            var same: Set<String> = []
            for object in candidates {
                guard let texts = try snapshot.textsOfTombstone(in: self.list, uid: object.uid) else { continue }
                let last = CalendarObject(ICalendarDocument(texts.base ?? texts.source))
                if last?.meaning == object.object.meaning { same.insert(object.uid) }
            }
            return same
        }
    }

    func forecast(_ plan: SyncPlan) -> SyncReport {
        var report = self.report
        report.pulled = plan.pulls.count
        report.merged = plan.merges.count
        report.pushed = plan.pushes.count
        report.deletedLocally = plan.localDeletions.count
        report.deletedRemotely = plan.remoteDeletions.count
        return report
    }

    /// Texts → to-dos, and what is none.
    static func read(_ items: [RemoteItem]) -> (objects: [RemoteObject], rejected: [UnreadableItem]) {
        var objects: [RemoteObject] = []
        var rejected: [UnreadableItem] = []
        for item in items {
            if let object = CalendarObject(ICalendarDocument(item.text)), let uid = object.uid {
                objects.append(RemoteObject(href: item.href, etag: item.etag, uid: uid, object: object))
            } else {
                let reason = "it holds no to-do with a UID"
                rejected.append(UnreadableItem(href: item.href, etag: item.etag, reason: reason))
            }
        }
        return (objects, rejected)
    }

    /// A record can be made again from the server's answer, so it need not wait for the disk.
    func record<Outcome: Sendable>(
        _ body: (StoreTransaction) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.store.write(.survivesKill, body)
    }

    mutating func inBatches<Element>(
        _ elements: [Element],
        _ body: (inout Self, Element, StoreTransaction) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        var rest = elements[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.recordsAtOnce)
            rest = rest.dropFirst(Self.recordsAtOnce)
            var copy = self
            try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
                for element in batch { try body(&copy, element, transaction) }
            }
            self = copy
            self.progress(self.report)
        }
    }
}
