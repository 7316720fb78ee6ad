import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore

/// The last phase: deletes locally deleted reminders on the server, and saves the sync token for the next sync.
struct FinishingPhase: SyncPhase {
    var recorder: SyncRecorder
    let learned: LearnedChanges
    /// UIDs of reminders not to delete yet: they were moved to another list, but the server lacks them in that list.
    let keeping: Set<ByteExactString>
    /// Whether no work is left for the list; if `false`, the sync token is not saved, and the next sync continues.
    let isCompleted: Bool
    private var context: SyncContext { self.recorder.context }

    mutating func run() async throws -> LearnedChanges? {
        try await self.deleteItems()
        try await self.deleteJoinedOverrides()
        let list = self.context.list
        let arrived = self.learned.plan.movedAway.filter { !self.keeping.contains($0.uid.exact) }
        try self.recorder.inBatches(arrived) { _, tombstone, transaction throws(DatabaseError) in
            try transaction.forget(tombstone, in: list)
        }
        try self.askAgainForUnnamed()
        try self.saveToken()
        return nil
    }

    // MARK: Deletions

    private mutating func deleteItems() async throws {
        let uids = self.learned.plan.remoteDeletions.map(\.uid.exact)
        let planned = Set(uids).subtracting(self.keeping).subtracting(self.recorder.changedDuringSync)
        // The state is read again, because a reminder that was moved on the server meanwhile must not be deleted.
        guard !planned.isEmpty, let state = try self.context.state() else { return }
        let overrides = Dictionary(grouping: state.overrides, by: \.uid.exact)
        var tags = self.learned.deletionTags
        // If no entity tag is known and this sync did not receive all texts from the server, the reminder is not
        // deleted now: a text that did not arrive may be its newer version.
        var tombstones = state.tombstones.filter { tombstone in
            planned.contains(tombstone.uid.exact)
                && (self.learned.isComplete || (tags[tombstone.uid.exact] ?? tombstone.etag) != nil)
        }
        let unnamed = tombstones.filter { tombstone in
            (tags[tombstone.uid.exact] ?? tombstone.etag) == nil && overrides[tombstone.uid.exact] == nil
        }
        if !unnamed.isEmpty {
            let (named, changed, absent) = try await self.versions(of: unnamed)
            tags.merge(named) { _, new in new }
            self.recorder.changedDuringSync.formUnion(changed)
            tombstones.removeAll { changed.contains($0.uid.exact) || absent.contains($0.uid.exact) }
            // No DELETE is sent: without an entity tag, it could remove a resource that was created since the answer.
            for tombstone in unnamed where absent.contains(tombstone.uid.exact) {
                try self.record(absenceOf: tombstone)
            }
        }
        let writer = self.context.writer
        try await forEachConcurrently(tombstones, limit: SendingPhase.parallelRequests) {
            [tags] tombstone async throws(RemoteError) in
            // The resource of the series is deleted last: if a deletion fails, the next sync repeats all deletions.
            for override in overrides[tombstone.uid.exact] ?? [] {
                _ = try await writer.delete(override.href, ifMatch: override.etag)
            }
            let etag = tags[tombstone.uid.exact] ?? tombstone.etag
            return try await writer.delete(tombstone.href, ifMatch: etag)
        } receive: { tombstone, result in
            try self.record(deletionOf: tombstone, overrides[tombstone.uid.exact] ?? [], result)
            return true
        }
    }

    /// Requests the unknown entity tags of reminders that have to be deleted on the server.
    ///
    /// A deletion without an entity tag could remove another program's later change.
    /// - Returns: the tags, the UIDs of reminders that have changed or could not be read, and the UIDs of those that the
    ///   server does not have.
    private mutating func versions(
        of tombstones: [Tombstone]
    ) async throws -> (
        named: [ByteExactString: EntityTag], changed: Set<ByteExactString>, absent: Set<ByteExactString>
    ) {
        var named: [ByteExactString: EntityTag] = [:]
        var (changed, absent) = (Set<ByteExactString>(), Set<ByteExactString>())
        var rest = tombstones[...]
        while !rest.isEmpty {
            let part = rest.prefix(LearningPhase.textsAtOnce)
            rest = rest.dropFirst(LearningPhase.textsAtOnce)
            let fetched = try await self.context.fetch(part.map(\.href))
            self.recorder.noteFailures(of: fetched)
            let (objects, _) = await self.context.read(fetched.result.texts)
            let found = Dictionary(objects.map { (self.context.key(of: $0.href), $0) }) { first, _ in first }
            let missing = Set(fetched.result.missing.map(self.context.key))
            for tombstone in part {
                let (key, uid) = (self.context.key(of: tombstone.href), tombstone.uid.exact)
                if missing.contains(key) {
                    absent.insert(uid)
                } else if let object = found[key], object.uid.exact == uid, try self.recorder.isAsDeleted(object) {
                    named[uid] = object.etag
                } else {
                    changed.insert(uid)
                }
            }
        }
        return (named, changed, absent)
    }

    private mutating func record(
        deletionOf tombstone: Tombstone,
        _ overrides: [OverrideResource],
        _ result: Result<Bool, RemoteError>
    ) throws {
        let (context, list) = (self.context, self.context.list)
        if case .failure(let error) = result {
            guard error.kind != .stopped, error.kind != .vanished else { throw error }
            // If another program has changed the object on the server, the deletion fails. The next sync reads the
            // change, and the reminder is restored.
            let text = try context.store.read { try $0.textsOfTombstone(in: list, uid: tombstone.uid)?.source }
            let title = text.flatMap { Reminder(ICalendarDocument($0))?.title } ?? ""
            let failure = SyncReport.Failure(id: nil, href: tombstone.href, error: error, titleOfDeleted: title)
            self.recorder.report.failures.append(failure)
            return
        }
        if case .success(false) = result, try self.staysForNow(tombstone) { return }
        try context.record { transaction throws(DatabaseError) in
            try self.journal(tombstone, in: transaction)
            for override in overrides { try transaction.forgetOverride(override, in: list) }
            try transaction.forget(tombstone, in: list)
        }
        // Another resource may have counted as unreadable because it has the deleted UID. It may now be the only one
        // with this UID, so the next sync reads it again.
        let unreadable = try context.store.read { try $0.unreadable(in: list) }
        if unreadable.contains(where: { $0.reason == UnreadableItem.doubledUID }) {
            try self.recorder.listAgain(for: tombstone.uid)
        }
        self.recorder.report.deletedRemotely += 1
        self.recorder.reportProgress()
    }

    /// Records that the server does not have a reminder that was deleted locally.
    ///
    /// Without a base, the server never accepted the reminder, so nothing was deleted there.
    private mutating func record(absenceOf tombstone: Tombstone) throws {
        let list = self.context.list
        let texts = try self.context.store.read { try $0.textsOfTombstone(in: list, uid: tombstone.uid) }
        guard texts?.base == nil else { return try self.record(deletionOf: tombstone, [], .success(false)) }
        try self.context.record { transaction throws(DatabaseError) in try transaction.forget(tombstone, in: list) }
    }

    /// Keeps the tombstone for one more sync, without its entity tag, if the reminder was moved to another list.
    ///
    /// The server has no resource at the address, but another program may have changed the address since the listing.
    /// The next sync then finds the resource by its UID. Without the tombstone, the resource would count as new.
    /// - Returns: whether the tombstone stays.
    private func staysForNow(_ tombstone: Tombstone) throws(DatabaseError) -> Bool {
        guard tombstone.etag != nil else { return false }
        let context = self.context
        return try context.record { transaction throws(DatabaseError) in
            guard try !context.movedWithinAccount([tombstone], in: transaction).isEmpty else { return false }
            try transaction.setVersion(nil, of: tombstone, in: context.list)
            return true
        }
    }

    /// Writes the journal entry of a deletion on the server, with the server's text, which an undo restores.
    private func journal(_ tombstone: Tombstone, in transaction: StoreTransaction) throws(DatabaseError) {
        guard self.context.run != nil,
            let texts = try transaction.textsOfTombstone(in: self.context.list, uid: tombstone.uid)
        else { return }
        let text = texts.base ?? texts.source
        let (id, uid, title) = (tombstone.object, tombstone.uid, Reminder(ICalendarDocument(text))?.title ?? "")
        let note = ChangeNote(object: id, uid: uid, title: title, side: .remote, kind: .deleted, before: text)
        try self.context.journal(note, in: transaction)
    }

    /// Deletes resources that contain only overrides, if the resource of the series now contains these overrides.
    ///
    /// This happens only after an edit was sent, because reading a list must not change the server. A resource that
    /// another program has changed is not deleted, and the next sync reads it.
    private mutating func deleteJoinedOverrides() async throws {
        guard self.recorder.knowsOverrides else { return }
        let overrides = try self.context.state()?.overrides.filter { $0.state == .joined && $0.etag != nil } ?? []
        let writer = self.context.writer
        let list = self.context.list
        try await forEachConcurrently(overrides, limit: SendingPhase.parallelRequests) {
            override async throws(RemoteError) in
            _ = try await writer.delete(override.href, ifMatch: override.etag)
        } receive: { override, result in
            if case .failure(let error) = result {
                guard error.kind != .stopped, error.kind != .vanished else { throw error }
                self.recorder.report.failures.append(.init(id: nil, href: override.href, error: error))
                return true
            }
            try self.context.record { transaction throws(DatabaseError) in
                try transaction.forgetOverride(override, in: list)
            }
            return true
        }
    }

    // MARK: The token

    /// Prevents saving the token if deletions on the server were left out because the entity tags are unknown.
    ///
    /// After a new token, the server would not report these reminders again, and they would never be deleted.
    private mutating func askAgainForUnnamed() throws(DatabaseError) {
        let unnamed = self.recorder.unnamedDeletions
        guard !unnamed.isEmpty, let state = try self.context.state() else { return }
        self.recorder.changedDuringSync.formUnion(unnamed.intersection(state.tombstones.map(\.uid.exact)))
    }

    private func saveToken() throws(DatabaseError) {
        let (context, list, learned) = (self.context, self.learned.state.list, self.learned)
        let (hasCutTexts, hold) = (self.recorder.hasCutTexts, learned.plan.hold)
        // In two cases, the stored token is removed, so that the next sync lists everything: while local deletions wait
        // for confirmation, and if a text was incomplete after a full listing. The server may never report that the
        // resource with the incomplete text has changed.
        let isListedAgain = hasCutTexts && learned.isVerified && (list.syncToken != nil || list.ctag != nil)
        if hold != nil || isListedAgain {
            return try context.record { transaction throws(DatabaseError) in
                try transaction.saveToken(nil, ctag: nil, hold: hold, of: context.list)
            }
        }
        // The server made the token before the full listing, so the next sync may get some resources of that listing
        // again. It recognizes them by their entity tags.
        guard self.isCompleted, learned.isComplete, self.recorder.changedDuringSync.isEmpty, !hasCutTexts,
            learned.token != list.syncToken || context.ctag != list.ctag || learned.isVerified || list.isMadeHere
        else { return }
        let (token, ctag, verifiedAt) = (learned.token, context.ctag, learned.isVerified ? context.now : nil)
        try context.record { transaction throws(DatabaseError) in
            try transaction.saveToken(token, ctag: ctag, verifiedAt: verifiedAt, isCompleted: true, of: context.list)
        }
    }
}
