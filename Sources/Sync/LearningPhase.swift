import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore

/// The result of the first phase: the plan for the other phases, and the local state from which the plan was made.
struct LearnedChanges: Sendable {
    var plan: SyncPlan
    let state: SyncState
    /// The new sync token; `nil` when the server sends none.
    let token: SyncToken?
    /// Whether every requested text arrived.
    let isComplete: Bool
    /// Entity tags of reminders that have to be deleted on the server, by UID; only tags that the store lacks.
    let deletionTags: [ByteExactString: EntityTag]
    /// Whether the local state was compared with a full listing.
    let isVerified: Bool
    let isEmptyOnServer: Bool
    let isServerReset: Bool
    let evidence: UploadEvidence

    func isInSeveralResources(_ uid: String) -> Bool {
        let read = self.plan.movedCopies.map(\.remote) + self.plan.refreshed.map(\.remote)
        return self.state.overrides.contains { $0.uid.exact == uid.exact }
            || read.contains { $0.uid.exact == uid.exact && !$0.overrides.isEmpty }
    }
}

/// The first phase: requests the server's changes, makes the plan, and records the changes locally; it sends nothing.
struct LearningPhase: SyncPhase {
    var recorder: SyncRecorder
    var evidence = UploadEvidence()
    /// Whether the server seems to have lost its history, for example because it was restored from a backup.
    ///
    /// The signs are a full listing instead of changes, a lower CTag, and changes that contradict a full listing.
    var isServerReset = false
    /// Whether this sync compares everything, and therefore also fetches resources that were unreadable before.
    var rereadsSetAside = false
    /// Whether the server reported a removal that a second request could not confirm.
    var hasOpenRemovals = false
    private var context: SyncContext { self.recorder.context }

    /// The number of texts in a batch: a batch limits the memory, and an interrupted sync keeps its recorded batches.
    static let textsAtOnce = 5000
    /// If the last sync sent at most this number of texts, the server is asked to include texts in its changes.
    ///
    /// The answer then repeats the sent texts (about 70 kB), which costs most servers less than a separate request.
    static let ownTextsAtMost = 100
    /// If the last sync sent at most this number of texts, this sync requests those that the changes do not mention.
    ///
    /// Otherwise, only the weekly listing checks them.
    static let unconfirmedAtMost = ListFilling.minimumItems - 1

    /// - Returns: `nil` when the list no longer exists locally.
    mutating func run() async throws -> LearnedChanges? {
        guard let state = try self.context.state() else { return nil }
        if state.list.isFillingBegun {
            // An interrupted sync has sent all new reminders in one request, which the server may have completed.
            self.evidence.uploadedInBulk = Set(state.items.filter { $0.isDirty && !$0.wasThere }.map(\.uid.exact))
        }
        return try await self.record(try await self.changes(since: state), state)
    }

    // MARK: The changes of the server

    private mutating func changes(since state: SyncState) async throws -> ResourceChanges {
        let (list, context) = (state.list, self.context)
        if context.isUnchangedOnServer { return ResourceChanges(token: list.syncToken, isComplete: false) }
        let delta = try await self.delta(since: state)
        let isDue = list.verifiedAt.map { context.now - $0 >= SyncContext.secondsBetweenListings } ?? true
        let isListed = !delta.isComplete && (context.verifies || isDue)
        // If a full listing follows, it confirms the removals, so a second request for them is not needed.
        var changes = isListed ? delta : try await self.confirmingRemovals(delta)
        let couldSendDelta = list.supportsSyncCollection || Self.isEarlier(context.ctag, than: list.ctag)
        self.isServerReset = changes.isComplete && couldSendDelta
        self.evidence.unconfirmed = try self.unconfirmed(state, delta)
        self.rereadsSetAside = context.verifies || isDue
        guard isListed else {
            // Uploads that the server does not mention are fetched together with the changes.
            let hrefs = self.evidence.unconfirmed.values.compactMap(\.href)
            changes.changed += hrefs.map { ResourceVersion(href: $0, etag: nil) }
            return changes
        }
        let all = try await context.reader.listing()
        self.recorder.report.repaired = SyncPlan.unreported(state, reported: changes, all: all, key: context.key)
        // If the changes and the full listing contradict each other, a missing reminder does not prove a deletion.
        self.isServerReset = self.isServerReset || self.recorder.report.repaired > 0
        // The token is older than the listing, so the next sync also gets the changes made between the two requests.
        return ResourceChanges(changed: all.changed, token: changes.token, isComplete: true)
    }

    private func delta(since state: SyncState) async throws -> ResourceChanges {
        // The first sync compares every object on the server. In later syncs, the changes contain the edits of other
        // programs and the uploads of this program's last sync.
        let isFirst = !state.items.contains { $0.etag != nil }
        if isFirst, state.list.syncToken == nil { return try await self.context.reader.everything() }
        let wantsTexts =
            try isFirst || self.context.store.read { try $0.sentLast(in: self.context.list) } <= Self.ownTextsAtMost
        return try await self.context.reader.changes(since: state.list.syncToken, wantsTexts: wantsTexts)
    }

    /// Whether the list's CTag is a lower number than before: the list was created again or restored from a backup.
    private static func isEarlier(_ ctag: String?, than known: String?) -> Bool {
        guard let number = ctag.flatMap(Int64.init), let knownNumber = known.flatMap(Int64.init) else { return false }
        return number < knownNumber
    }

    /// Requests every resource that was reported as removed; returns the changes, corrected by the answers.
    ///
    /// The report of a removal may be wrong. If several operations changed an address, Nextcloud does not report the
    /// last one; it reports the deletion if there was any. So it reports an object that was deleted and restored, or
    /// moved away and back, as removed. Unknown addresses are also requested, because an object may have been deleted
    /// locally and then restored on the server.
    ///
    /// A resource that still exists counts as changed. A resource that cannot be read counts as unchanged; then the
    /// token is not saved, so that the next sync requests it again.
    private mutating func confirmingRemovals(_ delta: ResourceChanges) async throws -> ResourceChanges {
        guard !delta.removed.isEmpty else { return delta }
        let found = try await self.context.reader.fetch(delta.removed, .removed)
        self.recorder.noteFailures(of: CheckedTexts(result: found))
        self.hasOpenRemovals = !found.failures.isEmpty
        let missing = Set(found.missing.map(self.context.key))
        var confirmed = delta
        confirmed.changed += found.texts.map(\.version)
        confirmed.removed.removeAll { !missing.contains(self.context.key(of: $0)) }
        confirmed.texts += found.texts
        return confirmed
    }

    private func unconfirmed(_ state: SyncState, _ changes: ResourceChanges) throws -> [String: SyncItem] {
        guard let run = self.context.run, !changes.isComplete else { return [:] }
        let sent = try self.context.store.read { try $0.sentUnasked(in: self.context.list, before: run) }
        guard sent.count <= Self.unconfirmedAtMost else { return [:] }
        return state.unmentioned(Set(sent), in: changes, key: self.context.key)
    }

    // MARK: Recording

    /// Fetches the texts of the changes in batches and records them; returns the plan of the last batch.
    mutating func record(_ changes: ResourceChanges, _ known: SyncState) async throws -> LearnedChanges? {
        var state = known
        self.evidence.isFirstComparison = known.list.verifiedAt == nil
        let reader = self.context.reader
        let key: @Sendable (Href) -> String = { reader.key(of: $0) }
        let texts = Dictionary(changes.texts.filter { !$0.isCutShort }.map { (key($0.href), $0) }) { first, _ in first }
        var needed = SyncPlan.hrefsToFetch(state, changes, rereadsSetAside: self.rereadsSetAside, key: key)[...]
        var missing: [Href] = []
        var isComplete = !self.hasOpenRemovals
        var tags: [ByteExactString: EntityTag] = [:]
        while true {
            let part = needed.prefix(Self.textsAtOnce)
            needed = needed.dropFirst(Self.textsAtOnce)
            let fetched = try await self.context.texts(of: part.filter { texts[key($0)] == nil }, listed: changes)
            self.recorder.noteFailures(of: fetched)
            missing += fetched.result.missing
            if needed.isEmpty { state = try self.sendingAgain(state, changes, missing: missing) }
            let (objects, rejected) = await self.context.read(part.compactMap { texts[key($0)] } + fetched.result.texts)
            let reading = try await self.recorder.joiningSeries(
                SeriesReading(objects: objects, rejected: rejected, missing: missing),
                changes,
                state
            )
            missing = reading.missing
            isComplete = isComplete && fetched.result.failures.isEmpty && reading.isComplete
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
            self.recorder.report.note(plan.unreadable, besides: state.unreadable)
            try self.record(plan)
            guard needed.isEmpty else {
                guard let next = try self.context.state() else { return nil }
                state = next
                continue
            }
            return LearnedChanges(
                plan: plan,
                state: state,
                token: changes.token,
                isComplete: isComplete,
                deletionTags: tags,
                isVerified: changes.isComplete,
                isEmptyOnServer: changes.isComplete && changes.changed.isEmpty,
                isServerReset: self.isServerReset,
                evidence: self.evidence
            )
        }
    }

    private mutating func record(_ plan: SyncPlan) throws {
        let evidence = self.evidence
        try self.recorder.inBatches(plan.pulls) { recorder, pull, transaction throws(DatabaseError) in
            let before = recorder.report.pulled
            try recorder.record(pull: pull.remote, replacing: pull.local, evidence, in: transaction)
            let isPulled = recorder.report.pulled > before
            if isPulled, plan.returned.contains(pull.remote.uid.exact) { recorder.report.returned += 1 }
        }
        try self.recorder.inBatches(plan.merges) { recorder, merge, transaction throws(DatabaseError) in
            try recorder.record(merge: merge.remote, with: merge.local, evidence, in: transaction)
        }
        try self.recorder.inBatches(plan.movedCopies) { recorder, item, transaction throws(DatabaseError) in
            try recorder.applyToMovedCopy(item.remote, from: item.tombstone, in: transaction)
        }
        try self.recorder.inBatches(plan.refreshed) { recorder, item, transaction throws(DatabaseError) in
            try recorder.recordOverrides(of: item.remote, in: transaction)
            // The entity tag is stored, because the server does not report it again and the deletion may have to wait.
            if let etag = item.remote.etag {
                try transaction.setVersion(etag, of: item.tombstone, in: recorder.context.list)
            } else {
                recorder.unnamedDeletions.insert(item.remote.uid.exact)
            }
        }
        try self.recorder.inBatches(plan.unreadable) { recorder, item, transaction throws(DatabaseError) in
            try transaction.setUnreadable(item, in: recorder.context.list)
        }
    }

    /// Marks uploads that the server does not have, so that they are sent again; returns the new state.
    private mutating func sendingAgain(
        _ state: SyncState,
        _ changes: ResourceChanges,
        missing: [Href]
    ) throws(DatabaseError) -> SyncState {
        guard !self.evidence.unconfirmed.isEmpty else { return state }
        let present = changes.isComplete ? Set(changes.changed.map { self.context.key(of: $0.href) }) : nil
        let gone = Set(missing.map(self.context.key))
        let dropped = self.evidence.unconfirmed.filter { key, _ in
            gone.contains(key) || present.map { !$0.contains(key) } ?? false
        }
        guard !dropped.isEmpty else { return state }
        try self.recorder.sendAgain(Array(dropped.values))
        return try self.context.state() ?? state
    }

    /// UIDs of locally deleted reminders of which the server still has the last local version.
    private func sameAsDeleted(_ objects: [RemoteObject], _ state: SyncState) throws -> Set<ByteExactString> {
        let deleted = Set(state.tombstones.map(\.uid.exact))
        let same = try objects.filter { try deleted.contains($0.uid.exact) && self.recorder.isAsDeleted($0) }
        return Set(same.map(\.uid.exact))
    }

    /// UIDs of tombstones that exist because the reminder was moved to another list.
    private func moved(_ state: SyncState) throws -> Set<ByteExactString> {
        guard !state.tombstones.isEmpty else { return [] }
        let moved = try self.context.store.read { snapshot in
            try state.tombstones.filter { try snapshot.object($0.object)?.uid.exact == $0.uid.exact }
        }
        return Set(moved.map(\.uid.exact))
    }
}
