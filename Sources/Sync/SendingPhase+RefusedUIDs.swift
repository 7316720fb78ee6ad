import RemindavICalendar
import RemindavResources
import RemindavStore

/// The state of one sync that concerns reminders with UIDs that the server refuses to store.
struct RefusedUIDs: Sendable {
    /// Whether the server's trash bin could not be read; then no reminder gets another UID.
    var isTrashUnknown = false
    var askedOfTrash: Set<ByteExactString> = []
    /// The number of new UIDs that each reminder got in this sync.
    var changes: [ObjectID: Int] = [:]
    /// Reminders that refer to a reminder with a new UID, and that have to be sent for this reason.
    var relinked: Set<ObjectID> = []
}

/// The decision for a new reminder that the server refused, possibly because of its UID.
///
/// A UID is permanent (docs/decisions/0031). It changes only if the server has proved that it cannot store the UID.
enum RefusedUIDDecision: Hashable {
    /// The server restored the object from its trash bin, so the local text replaces it.
    case overwriteRestored
    case changeUID
    case sendAgain

    /// `attempt` counts from 1; one answer that the UID is in use is no proof, so it changes after two such answers.
    init(
        _ uid: ByteExactString,
        _ error: RemoteError,
        attempt: Int,
        trash: RemoteRestoration,
        isTrashUnknown: Bool,
        changes: Int
    ) {
        if trash.restored.contains(uid) {
            self = .overwriteRestored
        } else if trash.refused.contains(uid) || error.isUIDTaken && attempt > 1 && !isTrashUnknown,
            changes < SuccessorUID.longestChain
        {
            self = .changeUID
        } else {
            self = .sendAgain
        }
    }
}

extension SendingPhase {
    /// Repeats the upload of new reminders that the server refused, possibly because of their UIDs.
    ///
    /// If the server's trash bin contains the UID, the server restores the object, and a conditional PUT overwrites it.
    /// A reminder gets another UID in two cases. Either the server does not restore the object, or it reports twice
    /// that the UID is in use, although no object at the address or in the trash bin has the UID. Every other reminder
    /// stays in ``contested`` and is sent again with its UID.
    mutating func resolveRefusedUIDs() async throws {
        let refused = self.contested.filter { contested in
            let error = contested.error
            return !contested.upload.item.wasThere && (error.isUIDTaken || error.mayConcernUID && contested.attempt > 1)
        }
        guard !refused.isEmpty else { return }
        let outcome = try await self.restoreFromTrash(Set(refused.map(\.upload.item.uid.exact)))
        let found = outcome.restored.isEmpty ? [:] : try await self.restoredObjects(outcome.restored)
        for contested in refused {
            let (upload, uid) = (contested.upload, contested.upload.item.uid.exact)
            let decision = RefusedUIDDecision(
                uid,
                contested.error,
                attempt: contested.attempt,
                trash: outcome,
                isTrashUnknown: self.uids.isTrashUnknown,
                changes: self.uids.changes[upload.item.id, default: 0]
            )
            guard decision != .sendAgain else { continue }
            self.contested.removeAll { $0.upload.item.id == upload.item.id }
            if decision == .changeUID {
                // The change is counted even if the store refuses the new UID, so that the loop ends.
                self.uids.changes[upload.item.id, default: 0] += 1
                try self.changeUID(of: upload)
                // The trash bin may contain the new UID too, so the next attempt counts as the first one with this UID.
                try await self.resend(upload, attempt: 1)
            } else if let object = found[uid] {
                try self.record(restored: object, for: upload)
                try await self.resend(upload, attempt: contested.attempt + 1)
            } else {
                // The next sync finds the restored object by its UID.
                self.recorder.changedDuringSync.insert(uid)
                self.fail(upload, contested.error)
            }
        }
    }

    /// Restores objects from the trash bin, which is searched only once for each UID.
    private mutating func restoreFromTrash(_ uids: Set<ByteExactString>) async throws -> RemoteRestoration {
        let asked = uids.subtracting(self.uids.askedOfTrash)
        guard !asked.isEmpty else { return RemoteRestoration() }
        self.uids.askedOfTrash.formUnion(asked)
        do throws(RemoteError) {
            return try await self.context.writer.restore(asked)
        } catch {
            guard error.kind != .stopped, error.kind != .vanished else { throw error }
            self.uids.isTrashUnknown = true
            return RemoteRestoration()
        }
    }

    /// The restored objects by UID, read from the changes in the list since the start of this sync.
    private func restoredObjects(_ uids: Set<ByteExactString>) async throws -> [ByteExactString: RemoteObject] {
        guard let state = try self.context.state() else { return [:] }
        let context = self.context
        let token = self.learned.token ?? state.list.syncToken
        let changes = try await context.reader.changes(since: token, wantsTexts: true)
        let known = Set(state.items.filter { $0.etag != nil }.compactMap(\.href).map(context.key))
        let brought = Set(changes.texts.map { context.key(of: $0.href) })
        let others = changes.changed.map(\.href).filter { href in
            !brought.contains(context.key(of: href)) && !known.contains(context.key(of: href))
        }
        let fetched = others.isEmpty ? [] : try await context.reader.fetch(others, .changed).texts
        let objects = await context.read(changes.texts + fetched).objects.filter { uids.contains($0.uid.exact) }
        return Dictionary(objects.map { ($0.uid.exact, $0) }) { first, _ in first }
    }

    /// Records that the server has restored a deleted object; if the texts differ, the local text is sent.
    ///
    /// The texts are not merged: the server's text is older than the deletion, and the local text is newer.
    private mutating func record(restored object: RemoteObject, for upload: Upload) throws(DatabaseError) {
        try self.recorder.inBatches([upload.item]) { recorder, item, transaction throws(DatabaseError) in
            let local = CalendarObject(upload.text)
            // If only time stamps differ, for example after an undo, the reminder is not sent.
            let isSame = local?.unstampedMeaning == object.object.unstampedMeaning
            let kept = isSame ? nil : local ?? object.object
            let written = try recorder.write(
                object,
                keeping: kept,
                recordsOverrides: false,
                over: item,
                in: transaction
            )
            guard written != nil else { return }
            if isSame { recorder.report.pushed += 1 }
            try recorder.context.journalUpload(of: item, in: transaction)
        }
    }

    /// Gives a reminder another UID, and changes every reference to the old UID in the account.
    private mutating func changeUID(of upload: Upload) throws(DatabaseError) {
        let old = upload.item.uid
        let isFirst = self.uids.changes[upload.item.id] == 1
        var relinked: Set<ObjectID> = []
        try self.recorder.inBatches([upload.item]) { recorder, item, transaction throws(DatabaseError) in
            let list = recorder.context.list
            // The list may already have a reminder with the next UID of the chain.
            var given: String?
            for candidate in SuccessorUID.chain(after: old) where given == nil {
                let renamed = CalendarObject(ICalendarDocument(upload.text).replacing(uid: candidate))
                guard let stored = renamed.map(recorder.context.stored) else { break }
                if try transaction.recordNewUID(candidate, of: item.read, in: list, stored) {
                    given = candidate
                }
            }
            guard let new = given else { return }
            if isFirst { recorder.report.newUIDs += 1 }
            for object in try transaction.objects(naming: old, around: list) {
                guard let text = ICalendarDocument(object.source).relinking(old, to: new),
                    let calendar = CalendarObject(text)
                else { continue }
                try transaction.update(object.id, recorder.context.stored(calendar))
                if object.list == list { relinked.insert(object.id) }
            }
        }
        self.uids.relinked.formUnion(relinked)
    }

    /// Sends the reminders whose references were changed to new UIDs, after all other reminders.
    mutating func sendRelinked() async throws {
        guard !self.uids.relinked.isEmpty else { return }
        let items = try self.context.unsentItems().filter { self.uids.relinked.contains($0.id) && $0.wasThere }
        self.uids.relinked = []
        try await self.send(try self.prepare(items))
    }
}
