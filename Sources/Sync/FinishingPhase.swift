import ICalendar
import Reminders
import Resources
import Store

/// The last phase: deletes items on the server that were deleted here, and saves the token for the next sync.
struct FinishingPhase {
    var recorder: SyncRecorder
    private let learned: LearnedChanges

    private var context: SyncContext { self.recorder.context }

    init(_ recorder: SyncRecorder, _ learned: LearnedChanges) {
        self.recorder = recorder
        self.learned = learned
    }

    /// - Parameters:
    ///   - keeping: UIDs of items that are not deleted yet: they were moved to another list and have not arrived there.
    ///   - isCompleted: whether nothing else is left to do for the list; otherwise the next sync does it again.
    mutating func run(keeping: Set<ByteExactString>, isCompleted: Bool) async throws {
        try await self.deleteItems(keeping: keeping)
        try await self.deleteJoinedOverrides()
        let list = self.context.list
        try self.recorder.inBatches(self.learned.plan.movedAway) { _, tombstone, transaction throws(DatabaseError) in
            guard !keeping.contains(tombstone.uid.exact) else { return }
            try transaction.forget(tombstone, in: list)
        }
        try self.askAgainForUnnamed()
        try self.saveToken(isCompleted: isCompleted)
    }

    // MARK: Deletions

    private mutating func deleteItems(keeping: Set<ByteExactString>) async throws {
        let uids = self.learned.plan.remoteDeletions.map(\.uid.exact)
        let planned = Set(uids).subtracting(keeping).subtracting(self.recorder.changedDuringSync)
        // Read again: items that were moved on the server since are no deletions any more.
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
        var failure: (any Error)?
        await forEachConcurrently(tombstones, limit: SendingPhase.parallelRequests) {
            [tags] tombstone -> Result<Bool, RemoteError> in
            do throws(RemoteError) {
                // The series goes last: an interrupted sync starts again before it.
                for override in overrides[tombstone.uid.exact] ?? [] {
                    _ = try await writer.delete(override.href, ifMatch: override.etag)
                }
                let etag = tags[tombstone.uid.exact] ?? tombstone.etag
                return .success(try await writer.delete(tombstone.href, ifMatch: etag))
            } catch {
                return .failure(error)
            }
        } take: { tombstone, result in
            do {
                try self.record(deletionOf: tombstone, overrides[tombstone.uid.exact] ?? [], result)
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw failure }
    }

    /// Requests the versions of items that are to be deleted and of which no version is known: without one, the deletion
    /// would remove later changes by other programs.
    ///
    /// - Returns: the versions, and the UIDs of items that changed since they were deleted here or could not be read; the
    ///   next sync handles these.
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
            let text = try context.store.read { snapshot throws(DatabaseError) in
                try snapshot.textsOfTombstone(in: list, uid: tombstone.uid)?.source
            }
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
        let unreadable = try context.store.read { snapshot throws(DatabaseError) in try snapshot.unreadable(in: list) }
        if unreadable.contains(where: { $0.reason == UnreadableItem.doubledUID }) {
            try self.recorder.listAgain(for: tombstone.uid)
        }
        self.recorder.report.deletedRemotely += 1
        self.recorder.reportProgress()
    }

    /// Keeps the tombstone of a moved item that was not there any more for one more sync, without its version.
    ///
    /// Another program may have renamed the resource since the list was read: the next sync finds it by its UID, and
    /// would take it for a new item without the tombstone.
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
        try self.context.journal(
            ChangeNote(
                object: tombstone.object,
                uid: tombstone.uid,
                title: Reminder(ICalendarDocument(text))?.title ?? "",
                side: .remote,
                kind: .deleted,
                before: text
            ),
            in: transaction
        )
    }

    /// Deletes the resources of overrides that the resource of the series contains now.
    ///
    /// Only after an edit has been sent, because reading a list changes nothing on the server. A resource that another
    /// program changed since stays, and the next sync reads it.
    private mutating func deleteJoinedOverrides() async throws {
        guard self.recorder.knowsOverrides else { return }
        let overrides = try self.context.state()?.overrides.filter { $0.state == .joined && $0.etag != nil } ?? []
        let writer = self.context.writer
        var failure: (any Error)?
        await forEachConcurrently(overrides, limit: SendingPhase.parallelRequests) {
            override -> Result<Void, RemoteError> in
            do throws(RemoteError) {
                _ = try await writer.delete(override.href, ifMatch: override.etag)
                return .success(())
            } catch {
                return .failure(error)
            }
        } take: { override, result in
            do {
                try self.record(deletionOf: override, result)
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw failure }
    }

    private mutating func record(deletionOf override: OverrideResource, _ result: Result<Void, RemoteError>) throws {
        if case .failure(let error) = result {
            guard error.kind != .stopped, error.kind != .vanished else { throw error }
            return self.recorder.report.failures.append(.init(id: nil, href: override.href, error: error))
        }
        let list = self.context.list
        try self.context.record { transaction throws(DatabaseError) in
            try transaction.forgetOverride(override, in: list)
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

    private func saveToken(isCompleted: Bool) throws(DatabaseError) {
        let (context, list, learned) = (self.context, self.learned.state.list, self.learned)
        if learned.plan.holdsLocalDeletions {
            // Until the person confirms, each sync lists everything, and the store shows that it is not in step.
            return try context.record { transaction throws(DatabaseError) in
                try transaction.saveToken(nil, ctag: nil, holdsDeletions: true, of: context.list)
            }
        }
        if self.recorder.hasCutTexts, learned.isVerified, list.syncToken != nil || list.ctag != nil {
            // Perhaps only the full listing reported the text that was cut off.
            return try context.record { transaction throws(DatabaseError) in
                try transaction.saveToken(nil, ctag: nil, of: context.list)
            }
        }
        // The token was read before the listing it belongs to: later changes are seen again, and recognized.
        guard isCompleted, learned.isComplete, self.recorder.changedDuringSync.isEmpty, !self.recorder.hasCutTexts,
            learned.token != list.syncToken || context.ctag != list.ctag || learned.isVerified || list.isMadeHere
        else { return }
        try context.record { transaction throws(DatabaseError) in
            try transaction.saveToken(
                learned.token,
                ctag: context.ctag,
                verifiedAt: learned.isVerified ? context.now : nil,
                isCompleted: true,
                of: context.list
            )
        }
    }
}
