package import ICalendar
package import Store

/// Synchronises one list, both ways.
///
/// First what has changed there is read, planned and taken over here, part by part; nothing has been sent by then. After
/// that each step is done on the server and recorded here, one short transaction each, and none is open while the network
/// is waited for. A run that breaks off anywhere is
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
    let policy: ConflictPolicy
    let ctag: String?
    let run: RunID?
    let verifies: Bool
    /// Whether the collection is known to be as the last sync left it, so that it is not asked.
    package let isUnchangedThere: Bool
    let isKnownZone: @Sendable (String) -> Bool
    let refusalRule: RefusalRule
    let progress: @Sendable (SyncReport) -> Void
    var report = SyncReport()
    var error: (any Error)?
    var pending: Pending?
    /// Whether the list was never compared as a whole: it has never been here.
    var isNewHere = false
    /// Whether the server has begun anew: it listed everything although it could have told what has changed, or counts
    /// its changes from the start.
    var isUnusual = false
    /// UIDs of items that were sent all at once, and of which the answer does not tell what became.
    var filled: Set<ByteExactString> = []
    /// What the last run sent and the server does not tell of, by key.
    var unconfirmed: [String: SyncItem] = [:]
    /// UIDs of items that were changed here while they were about to be recorded: the next run sees both versions.
    var unsettled: Set<ByteExactString> = []
    /// UIDs of items that were deleted here, and of which the server has a version that it has not named.
    var unnamed: Set<ByteExactString> = []
    /// Whether texts came cut off, so that the token must not be saved.
    var hasCutTexts = false
    /// Whether this run compares everything, and therefore reads unreadable texts again.
    var rereadsSetAside = false
    /// Whether the list was listed once more in this run because the server had a UID that was sent as new.
    var hasListedAgain = false
    /// New items that the server refused because it has their UIDs.
    var duplicates: [Push] = []
    /// When the items that were sent all at once say that they were last changed, by UID.
    var filledStamps: [ByteExactString: Instant] = [:]
    /// Whether any series of the list lies in several resources.
    var knowsOverrides = false
    /// Whether a removal in a delta could not be confirmed.
    var hasOpenRemovals = false
    /// Whether the server's trash could not be read in this run, so that no item gets another UID.
    var hasUnknownTrash = false
    /// UIDs that were looked for in the server's trash.
    var askedOfTrash: Set<ByteExactString> = []
    /// How often an item got another UID in this run.
    var newUIDs: [ObjectID: Int] = [:]
    /// Items that got another reference to an item with a new UID, and are still to be sent.
    var relinked: Set<ObjectID> = []
    /// Items whose resource on the server was not as expected, with the number of attempts made so far.
    var contested: [(push: Push, error: RemoteError, attempt: Int)] = []

    /// Requests of one list under way at the same time, at the most.
    ///
    /// More do not help any server we have measured, and annoy some. How many of them go out at once decides the pace of
    /// the account, which all its lists share (RequestGate).
    static let parallelRequests = 4
    /// How often an item is merged anew because somebody else was faster.
    static let attempts = 3
    /// Records written in one transaction while nothing waits for the network.
    static let recordsAtOnce = 500

    /// A server that never tells of some changes is found out after a week.
    package static let secondsBetweenListings: Int64 = 7 * Int64(ClockTime.secondsPerDay)
    /// Texts that are asked for, read and recorded before the next are: a run that breaks off has what was recorded, and
    /// no more to-dos than these are in memory as such.
    static let textsAtOnce = 5000

    /// So many of our own texts may come back for the sake of what others have changed.
    ///
    /// Some 70 kB, a tenth of that when compressed: less work for most servers than one more request.
    static let ownTextsAtMost = 100

    /// - Parameters:
    ///   - now: for the journal; seconds since 1970.
    ///   - policy: who wins where both sides changed one property.
    ///   - ctag: the collection's state as it was listed before this run, saved with the token.
    ///   - run: where the journal tells what was changed; `nil` for nowhere.
    ///   - verifies: whether a full listing is compared whatever the server says has changed; it is once in
    ///     ``secondsBetweenListings`` anyway.
    ///   - isUnchangedThere: whether the collection is known to be in the state that the last sync left, so that it
    ///     need not be asked.
    ///   - isKnownZone: whether a time zone's name means the same everywhere.
    ///   - refusalRule: when a refused text is sent again.
    ///   - progress: called after each step.
    package init(
        store: ReminderStore,
        list: ListID,
        remote: any RemoteCollection,
        index: @escaping Indexing,
        now: Int64,
        guard deletionGuard: DeletionGuard = .standard,
        policy: ConflictPolicy = .lastModifiedWins,
        ctag: String? = nil,
        run: RunID? = nil,
        verifies: Bool = false,
        isUnchangedThere: Bool = false,
        isKnownZone: @escaping @Sendable (String) -> Bool = { _ in false },
        refusalRule: RefusalRule = .standard,
        progress: @escaping @Sendable (SyncReport) -> Void = { _ in }
    ) {
        self.store = store
        self.list = list
        self.remote = remote
        self.index = index
        self.now = now
        self.deletionGuard = deletionGuard
        self.policy = policy
        self.ctag = ctag
        self.run = run
        self.verifies = verifies
        self.isUnchangedThere = isUnchangedThere
        self.isKnownZone = isKnownZone
        self.refusalRule = refusalRule
        self.progress = progress
    }

    /// Synchronises.
    ///
    /// - Returns: what was done, and the error that ended the run early, if one did: a `RemoteError`'s cause when nothing
    ///   more can be done, a `DatabaseError` when the store fails. What was done until then is recorded.
    package mutating func run() async -> (report: SyncReport, error: (any Error)?) {
        await self.begin()
        return await self.complete()
    }

    /// The first part: asks the server, plans, and takes over what has changed there.
    ///
    /// Whoever synchronises several lists begins them all before the first of them sends anything: a reminder that was moved from
    /// one list to another is then known in its new place before its absence in the old one is acted on.
    package mutating func begin() async {
        do {
            self.pending = try await self.plan()
        } catch {
            self.error = (error as? RemoteError)?.underlying ?? error
        }
    }

    /// The second part: accepts what is there no more, as far as nobody has to be asked.
    ///
    /// Only when all lists of the account have begun is it known what was not deleted there but moved.
    package mutating func settle() {
        guard self.error == nil, var pending = self.pending else { return }
        do throws(DatabaseError) {
            let gone = pending.plan.localDeletions + pending.plan.revivals
            let deletions = pending.plan.remoteDeletions
            let (elsewhere, moved) = try self.store.read { snapshot throws(DatabaseError) in
                var elsewhere: Set<ByteExactString> = []
                for item in gone where try self.movedObject(item, in: snapshot) != nil {
                    elsewhere.insert(item.uid.exact)
                }
                return (elsewhere, try self.movedWithinAccount(deletions, in: snapshot))
            }
            pending.plan.hold(
                self.deletionGuard,
                isUnusual: self.isUnusual,
                elsewhere: elsewhere,
                movedFromHere: moved
            )
            self.pending = pending
            self.report.held = pending.plan.held
            try self.acceptAbsence(pending.plan)
        } catch {
            self.error = error
        }
    }

    /// The third part: sends what has changed here.
    ///
    /// - Parameter mayRevive: whether an item that was changed here and is gone there may be sent anew; not when another
    ///   list of the account, to which it may have been moved, could not be read.
    package mutating func push(mayRevive: Bool = true) async {
        await self.whilePending { executor, pending in
            try await executor.send(pending, mayRevive: mayRevive)
        }
    }

    /// The last part: deletes there what was deleted here, and remembers how far this sync came.
    ///
    /// - Parameter keeping: UIDs of items that are not deleted yet: they were moved to another list, and have not
    ///   arrived there.
    /// - Parameter isCompleted: whether nothing else is left to do for the list; otherwise the next run does it again.
    /// - Returns: as ``run()``.
    package mutating func finish(
        keeping: Set<ByteExactString> = [],
        isCompleted: Bool = true
    ) async -> (report: SyncReport, error: (any Error)?) {
        await self.whilePending { executor, pending in
            try await executor.deleteRemote(pending, keeping: keeping)
            try await executor.deleteJoinedOverrides()
            try executor.inBatches(pending.plan.vacated) { executor, tombstone, transaction throws(DatabaseError) in
                guard !keeping.contains(tombstone.uid.exact) else { return }
                try transaction.forget(tombstone, in: executor.list)
            }
            try executor.askAgainForUnnamed()
            try executor.saveToken(pending, isCompleted: isCompleted)
        }
        self.pending = nil
        return (self.report, self.error)
    }

    /// ``settle()``, ``push(mayRevive:)`` and ``finish(keeping:)``.
    package mutating func complete(mayRevive: Bool = true) async -> (report: SyncReport, error: (any Error)?) {
        self.settle()
        await self.push(mayRevive: mayRevive)
        return await self.finish()
    }

    private mutating func whilePending(_ step: (inout Self, Pending) async throws -> Void) async {
        guard self.error == nil, let pending = self.pending else { return }
        do {
            try await step(&self, pending)
        } catch {
            self.error = (error as? RemoteError)?.underlying ?? error
        }
    }

    /// What the first part leaves to the others.
    struct Pending: Sendable {
        var plan: SyncPlan
        let state: SyncState
        let token: SyncToken?
        /// Whether every text that was asked for came.
        let isComplete: Bool
        /// The entity tags to delete with, by UID, where the server's is newer than the one that was known here.
        let deletionTags: [ByteExactString: EntityTag]
        /// Whether a full listing was compared.
        let isVerified: Bool
        /// Whether that listing named nothing.
        let isEmptyThere: Bool

        /// Whether overrides of a series are known in resources of their own.
        func isInSeveralResources(_ uid: String) -> Bool {
            let read = self.plan.carried.map(\.remote) + self.plan.refreshed.map(\.remote)
            return self.state.overrides.contains { $0.uid.exact == uid.exact }
                || read.contains { $0.uid.exact == uid.exact && !$0.overrides.isEmpty }
        }
    }

    /// - Returns: `nil` when there is nothing to send, or nothing may be.
    mutating func plan() async throws -> Pending? {
        guard let state = try self.state() else { return nil }
        if state.list.isFillingBegun {
            // The server may have completed the request after the run that sent it was interrupted.
            self.filled = Set(state.items.filter { $0.isDirty && !$0.wasThere }.map(\.uid.exact))
        }
        return try await self.learn(try await self.changes(state), state)
    }

    /// Takes over what has changed there, part by part.
    mutating func learn(_ changes: RemoteChanges, _ known: SyncState) async throws -> Pending? {
        var state = known
        self.isNewHere = known.list.verifiedAt == nil
        let remote = self.remote
        let key: @Sendable (Href) -> String = { remote.key(of: $0) }
        let texts = Dictionary(changes.items.filter { !$0.isCutShort }.map { (key($0.href), $0) }) { first, _ in first }
        var needed = SyncPlan.hrefsToFetch(state, changes, rereadsSetAside: self.rereadsSetAside, key: key)[...]
        var missing: [Href] = []
        var isComplete = true
        var tags: [ByteExactString: EntityTag] = [:]
        while true {
            let part = needed.prefix(Self.textsAtOnce)
            needed = needed.dropFirst(Self.textsAtOnce)
            let asked = part.filter { texts[key($0)] == nil }
            let fetched = try await self.texts(of: asked, listed: changes)
            for failure in fetched.failures {
                self.report.failures.append(.init(id: nil, href: failure.href, error: failure.error))
            }
            self.note(cut: fetched.cut)
            if needed.isEmpty { state = try self.sendAgain(state, changes, missing: missing + fetched.missing) }
            let (objects, rejected) = await self.read(part.compactMap { texts[key($0)] } + fetched.items)
            let reading = try await self.joiningSeries(
                Reading(objects: objects, rejected: rejected, missing: missing + fetched.missing),
                changes,
                state
            )
            missing = reading.missing
            isComplete = isComplete && fetched.failures.isEmpty && reading.isComplete && !self.hasOpenRemovals
            let plan = SyncPlan(
                state: state,
                changes: changes,
                objects: reading.objects,
                rejected: reading.rejected,
                missing: needed.isEmpty ? missing : [],
                sameAsDeleted: try self.sameAsDeleted(reading.objects, state),
                moved: try self.moved(state),
                key: key
            )
            tags.merge(plan.deletionTags) { _, new in new }
            self.report.note(plan.unreadable, besides: state.unreadable)
            try self.takeOver(plan)
            guard needed.isEmpty else {
                guard let next = try self.state() else { return nil }
                state = next
                continue
            }
            return Pending(
                plan: plan,
                state: state,
                token: changes.token,
                isComplete: isComplete,
                deletionTags: tags,
                isVerified: changes.isComplete,
                isEmptyThere: changes.isComplete && changes.changed.isEmpty
            )
        }
    }

    /// The texts of those resources.
    ///
    /// What the server has just listed and then denies is asked for once more: were it there, nothing would tell of it
    /// again before it is changed.
    private func texts(of hrefs: [Href], listed: RemoteChanges) async throws(RemoteError) -> RemoteFetch {
        guard !hrefs.isEmpty else { return RemoteFetch(items: [], missing: []) }
        let first = try await self.fetch(hrefs)
        guard !first.missing.isEmpty else { return first }
        let listed = Set(listed.changed.map { self.remote.key(of: $0.href) })
        let denied = first.missing.filter { listed.contains(self.remote.key(of: $0)) }
        guard !denied.isEmpty else { return first }
        let second = try await self.fetch(denied)
        let others = first.missing.filter { !listed.contains(self.remote.key(of: $0)) }
        return RemoteFetch(
            items: first.items + second.items,
            missing: others + second.missing,
            failures: first.failures + second.failures,
            cut: first.cut + second.cut
        )
    }

    func state() throws(DatabaseError) -> SyncState? {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.syncState(of: self.list) }
    }

    /// What the server says has changed, and now and then what it has.
    private mutating func changes(_ state: SyncState) async throws -> RemoteChanges {
        let list = state.list
        if self.isUnchangedThere {
            return RemoteChanges(changed: [], removed: [], token: list.syncToken, isComplete: false)
        }
        // What was never agreed on is compared with everything that is there; otherwise the answer brings what others
        // have changed, and what the last run sent.
        let isFirst = !state.items.contains { $0.etag != nil }
        let wantsTexts =
            try isFirst
            || self.store.read { snapshot throws(DatabaseError) in
                try snapshot.sentLast(in: self.list) <= Self.ownTextsAtMost
            }
        let said =
            isFirst && list.syncToken == nil
            ? try await self.remote.everything()
            : try await self.remote.changes(since: list.syncToken, wantsTexts: wantsTexts)
        let isDue = list.verifiedAt.map { self.now - $0 >= Self.secondsBetweenListings } ?? true
        let isListed = !said.isComplete && (self.verifies || isDue)
        // A listing, where one follows, is the second statement.
        let told = isListed ? said : try await self.confirmingRemovals(said)
        let beganAnew = list.supportsSyncCollection || Self.isEarlier(self.ctag, than: list.ctag)
        self.isUnusual = told.isComplete && beganAnew
        self.unconfirmed = try self.findUnconfirmed(state, said)
        self.rereadsSetAside = self.verifies || isDue
        guard isListed else { return told.asking(for: self.unconfirmed) }
        let all = try await self.remote.listing()
        self.report.repaired = SyncPlan.untold(state, told: told, all: all) { self.remote.key(of: $0) }
        // Of two answers that contradict each other neither is believed to have emptied the list.
        self.isUnusual = self.isUnusual || self.report.repaired > 0
        // The token was read before the listing: what was written in between is seen again.
        return RemoteChanges(changed: all.changed, removed: [], token: told.token, isComplete: true)
    }

    /// Whether a list that numbers its changes has fewer of them than it had: it was made anew, or restored from a backup.
    private static func isEarlier(_ ctag: String?, than known: String?) -> Bool {
        guard let number = ctag.flatMap(Int64.init), let knownNumber = known.flatMap(Int64.init) else { return false }
        return number < knownNumber
    }

    /// Whether something that was changed here is gone there: it may have been moved to another list, which was asked
    /// before that, or not at all since nothing had changed in it.
    package var missesEdited: Bool { !(self.pending?.plan.revivals.isEmpty ?? true) }

    /// Whether the first part learned everything that it asked for.
    package var isWhole: Bool { self.error == nil && self.pending?.isComplete ?? true }

    mutating func send(_ pending: Pending, mayRevive: Bool) async throws {
        let plan = pending.plan
        let leaving = Set(plan.revivals.map(\.uid.exact))
        let kept = try self.keptElsewhere(plan.pushes, leaving: leaving, mayLeave: mayRevive)
        if mayRevive {
            try self.inBatches(plan.revivals + kept) { executor, item, transaction throws(DatabaseError) in
                let isSentAnew = try executor.revive(item, in: transaction)
                if isSentAnew, leaving.contains(item.uid.exact) { executor.report.kept += 1 }
            }
        } else {
            // They are neither sent nor forgotten, and the token stays, so that the next run sees them again.
            self.unsettled.formUnion((plan.revivals + kept).map(\.uid.exact))
        }
        let filled = try await self.fill(pending) ?? pending
        // What could not be fetched may be the same reminder as one that is new here.
        try await self.push(filled.plan, mayCreate: filled.isComplete)
    }

    /// Makes the next run hear once more of versions that were not named, unless the items have been deleted: by the
    /// versions that were known before they never would be.
    private mutating func askAgainForUnnamed() throws(DatabaseError) {
        guard !self.unnamed.isEmpty, let state = try self.state() else { return }
        self.unsettled.formUnion(self.unnamed.intersection(state.tombstones.map(\.uid.exact)))
    }

    private func saveToken(_ pending: Pending, isCompleted: Bool) throws(DatabaseError) {
        if pending.plan.holdsLocalDeletions {
            // Until the person has spoken each run lists everything, and the store can tell that it is not in step.
            return try self.record { transaction throws(DatabaseError) in
                try transaction.saveToken(nil, ctag: nil, holdsDeletions: true, of: self.list)
            }
        }
        // The token was read before the listing it belongs to: what was written since is seen again, and recognised.
        let list = pending.state.list
        if self.hasCutTexts, pending.isVerified, list.syncToken != nil || list.ctag != nil {
            // Perhaps only the full listing reported the text that was cut off.
            return try self.record { transaction throws(DatabaseError) in
                try transaction.saveToken(nil, ctag: nil, of: self.list)
            }
        }
        guard isCompleted, pending.isComplete, self.unsettled.isEmpty, !self.hasCutTexts,
            pending.token != list.syncToken || self.ctag != list.ctag || pending.isVerified || list.isMadeHere
        else { return }
        let verifiedAt = pending.isVerified ? self.now : nil
        try self.record { transaction throws(DatabaseError) in
            try transaction.saveToken(
                pending.token,
                ctag: self.ctag,
                verifiedAt: verifiedAt,
                isCompleted: true,
                of: self.list
            )
        }
    }

    /// The items that were deleted here and that the server still has as they were then.
    func sameAsDeleted(_ objects: [RemoteObject], _ state: SyncState) throws(DatabaseError) -> Set<ByteExactString> {
        guard !state.tombstones.isEmpty else { return [] }
        let deleted = Set(state.tombstones.map(\.uid.exact))
        var same: Set<ByteExactString> = []
        for object in objects where deleted.contains(object.uid.exact) {
            if try self.isAsDeleted(object) { same.insert(object.uid.exact) }
        }
        return same
    }

    /// Whether an item of the server says what it said when it was deleted here; false if it was not.
    func isAsDeleted(_ object: RemoteObject) throws(DatabaseError) -> Bool {
        try self.store.read { snapshot throws(DatabaseError) in
            guard let texts = try snapshot.textsOfTombstone(in: self.list, uid: object.uid) else { return false }
            // A run that broke off may have sent the one and not have recorded it.
            let own = [texts.base, texts.source].compactMap { $0 }.map { CalendarObject(ICalendarDocument($0)) }
            return own.contains { $0?.meaning == object.object.meaning }
        }
    }

    /// The items that are gone from here since they are in another list.
    func moved(_ state: SyncState) throws(DatabaseError) -> Set<ByteExactString> {
        guard !state.tombstones.isEmpty else { return [] }
        return try self.store.read { snapshot throws(DatabaseError) in
            var moved: Set<ByteExactString> = []
            for tombstone in state.tombstones {
                let uid = tombstone.uid.exact
                if try snapshot.object(tombstone.object)?.uid.exact == uid { moved.insert(uid) }
            }
            return moved
        }
    }

    /// Those of the deletions that leave nothing out: what was deleted is in another list of the account.
    func movedWithinAccount(
        _ deletions: [Tombstone],
        in snapshot: StoreSnapshot
    ) throws(DatabaseError) -> Set<ByteExactString> {
        guard !deletions.isEmpty else { return [] }
        let account = try snapshot.list(self.list)?.account
        let others = try snapshot.lists().filter { $0.account == account && $0.state == .synced }.map(\.id)
        var moved: Set<ByteExactString> = []
        for tombstone in deletions {
            let uid = tombstone.uid.exact
            guard let object = try snapshot.object(tombstone.object), object.uid.exact == uid else { continue }
            if others.contains(object.list) { moved.insert(uid) }
        }
        return moved
    }

    /// A record can be made again from the server's answer, so it need not wait for the disk.
    func record<Outcome: Sendable>(
        _ body: (StoreTransaction) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.store.write(.survivesKill, body)
    }

    /// Tells the journal, in the step that makes the change.
    func journal(_ note: ChangeNote, in transaction: StoreTransaction) throws(DatabaseError) {
        guard let run = self.run else { return }
        try transaction.recordChange(note, in: self.list, of: run, at: self.now)
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
