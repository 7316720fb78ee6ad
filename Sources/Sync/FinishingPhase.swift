import ICalendar
import Reminders
import Resources
import Store

/// The last phase: deletes items on the server that were deleted here, and saves the token for the next sync.
struct FinishingPhase: SyncPhase {
    var recorder: SyncRecorder
    let learned: LearnedChanges
    /// UIDs of items that are not deleted yet: they were moved to another list and have not arrived there.
    let keeping: Set<ByteExactString>
    /// Whether nothing else is left to do for the list; otherwise the next sync does it again.
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
        // Read again: items that were moved on the server since are no deletions.
        guard !planned.isEmpty, let state = try self.context.state() else { return }
        let overrides = Dictionary(grouping: state.overrides, by: \.uid.exact)
        var tags = self.learned.deletionTags
        // If no version is known and not every text arrived, another program may have changed the item.
        var tombstones = state.tombstones.filter { tombstone in
            planned.contains(tombstone.uid.exact)
                && (self.learned.isComplete || (tags[tombstone.uid.exact] ?? tombstone.etag) != nil)
        }
        let unnamed = tombstones.filter { tombstone in
            (tags[tombstone.uid.exact] ?? tombstone.etag) == nil && overrides[tombstone.uid.exact] == nil
        }
        if !unnamed.isEmpty {
            let (named, changed) = try await self.versions(of: unnamed)
            tags.merge(named) { _, new in new }
            self.recorder.changedDuringSync.formUnion(changed)
            tombstones.removeAll { changed.contains($0.uid.exact) }
        }
        let writer = self.context.writer
        try await forEachConcurrently(tombstones, limit: SendingPhase.parallelRequests) {
            [tags] tombstone async throws(RemoteError) in
            // The series goes last, so that an interrupted sync starts again before it.
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

    /// Requests the versions of items to delete without a known version: otherwise the deletion would remove later
    /// changes by other programs.
    ///
    /// - Returns: the versions, and the UIDs of items that changed since or could not be read, for the next sync.
    private mutating func versions(
        of tombstones: [Tombstone]
    ) async throws -> (named: [ByteExactString: EntityTag], changed: Set<ByteExactString>) {
        var named: [ByteExactString: EntityTag] = [:]
        var changed: Set<ByteExactString> = []
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
                let key = self.context.key(of: tombstone.href)
                guard !missing.contains(key) else { continue }
                let uid = tombstone.uid.exact
                if let object = found[key], object.uid.exact == uid, try self.recorder.isAsDeleted(object) {
                    named[uid] = object.etag
                } else {
                    changed.insert(uid)
                }
            }
        }
        return (named, changed)
    }

    private mutating func record(
        deletionOf tombstone: Tombstone,
        _ overrides: [OverrideResource],
        _ result: Result<Bool, RemoteError>
    ) throws {
        let (context, list) = (self.context, self.context.list)
        if case .failure(let error) = result {
            guard error.kind != .stopped, error.kind != .vanished else { throw error }
            // After a conflict the next sync sees the change of the other program, which overrides the deletion.
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
        // A resource that was set aside because it had the same UID may be the only one now.
        let unreadable = try context.store.read { try $0.unreadable(in: list) }
        if unreadable.contains(where: { $0.reason == UnreadableItem.doubledUID }) {
            try self.recorder.listAgain(for: tombstone.uid)
        }
        self.recorder.report.deletedRemotely += 1
        self.recorder.reportProgress()
    }

    /// Keeps the tombstone of a moved item that was missing on the server for one more sync, without its version.
    ///
    /// Another program may have renamed the resource since the listing: the next sync finds it by its UID, and would
    /// treat it as new without the tombstone.
    private func staysForNow(_ tombstone: Tombstone) throws(DatabaseError) -> Bool {
        guard tombstone.etag != nil else { return false }
        let context = self.context
        return try context.record { transaction throws(DatabaseError) in
            guard try !context.movedWithinAccount([tombstone], in: transaction).isEmpty else { return false }
            try transaction.setVersion(nil, of: tombstone, in: context.list)
            return true
        }
    }

    /// Items that are deleted on the server go to the trash with the server's text.
    private func journal(_ tombstone: Tombstone, in transaction: StoreTransaction) throws(DatabaseError) {
        guard self.context.run != nil,
            let texts = try transaction.textsOfTombstone(in: self.context.list, uid: tombstone.uid)
        else { return }
        let text = texts.base ?? texts.source
        let (id, uid, title) = (tombstone.object, tombstone.uid, Reminder(ICalendarDocument(text))?.title ?? "")
        let note = ChangeNote(object: id, uid: uid, title: title, side: .remote, kind: .deleted, before: text)
        try self.context.journal(note, in: transaction)
    }

    /// Deletes the resources of overrides that the resource of the series contains now.
    ///
    /// Only after an edit has been sent, because reading a list changes nothing on the server. A resource that another
    /// program changed since stays, and the next sync reads it.
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

    /// Keeps the token if items with an unknown version on the server were not deleted: the next delta would not mention
    /// their versions, and they would never be deleted.
    private mutating func askAgainForUnnamed() throws(DatabaseError) {
        let unnamed = self.recorder.unnamedDeletions
        guard !unnamed.isEmpty, let state = try self.context.state() else { return }
        self.recorder.changedDuringSync.formUnion(unnamed.intersection(state.tombstones.map(\.uid.exact)))
    }

    private func saveToken() throws(DatabaseError) {
        let (context, list, learned) = (self.context, self.learned.state.list, self.learned)
        let (hasCutTexts, holdsDeletions) = (self.recorder.hasCutTexts, learned.plan.holdsLocalDeletions)
        // Until the user confirms held deletions, each sync lists everything, and the store shows that it is not in step.
        // If a text was cut off, perhaps only the full listing reported it.
        let isListedAgain = hasCutTexts && learned.isVerified && (list.syncToken != nil || list.ctag != nil)
        if holdsDeletions || isListedAgain {
            return try context.record { transaction throws(DatabaseError) in
                try transaction.saveToken(nil, ctag: nil, holdsDeletions: holdsDeletions, of: context.list)
            }
        }
        // The token was read before the listing it belongs to: later changes are seen again, and recognized.
        guard self.isCompleted, learned.isComplete, self.recorder.changedDuringSync.isEmpty, !hasCutTexts,
            learned.token != list.syncToken || context.ctag != list.ctag || learned.isVerified || list.isMadeHere
        else { return }
        let (token, ctag, verifiedAt) = (learned.token, context.ctag, learned.isVerified ? context.now : nil)
        try context.record { transaction throws(DatabaseError) in
            try transaction.saveToken(token, ctag: ctag, verifiedAt: verifiedAt, isCompleted: true, of: context.list)
        }
    }
}
