import ICalendar
import Resources
import Store

/// The items of one sync with UIDs that the server refuses to store.
struct RefusedUIDs: Sendable {
    /// Whether the server's trash could not be read, so that no item gets another UID.
    var isTrashUnknown = false
    var askedOfTrash: Set<ByteExactString> = []
    /// How often each item got another UID.
    var changes: [ObjectID: Int] = [:]
    /// Items that refer to an item with a new UID, and are still to be sent.
    var relinked: Set<ObjectID> = []
}

/// The result for a new item that the server refused, possibly because of its UID.
///
/// A UID is permanent (docs/decisions/0031): it changes only when the server has proved that it cannot store it.
enum RefusedUIDDecision: Hashable {
    /// The server restored it from its trash: the local text is sent over it.
    case overwriteRestored
    case changeUID
    case sendAgain

    /// `attempt` counts from 1; one refusal proves nothing, and the trash is searched after the first.
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
    /// Handles new items that the server refused, possibly because of their UID.
    ///
    /// An item in the server's trash is restored, and then overwritten with our text under a condition. An item gets
    /// another UID when the trash has it and does not give it back, or when the server names the uniqueness of UIDs
    /// twice, nothing is at the address of the item, and no trash has it. Every other item stays among the contested
    /// ones and is sent again with its UID.
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
                // Counted also when the store refuses the new UID: the loop has to end.
                self.uids.changes[upload.item.id, default: 0] += 1
                try self.changeUID(of: upload)
                // The trash may hold the new UID as well: that attempt is the first one with it.
                try await self.resend(upload, attempt: 1)
            } else if let object = found[uid] {
                try self.record(restored: object, for: upload)
                try await self.resend(upload, attempt: contested.attempt + 1)
            } else {
                // The next sync finds it by its UID.
                self.recorder.changedDuringSync.insert(uid)
                self.fail(upload, contested.error)
            }
        }
    }

    /// Asks the trash once for each UID.
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

    /// The restored items as they are in the list now, by UID: a delta since the start of this sync names them.
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

    /// Records that the server has restored a deleted item; the local text replaces a different one of the server.
    ///
    /// The texts are not merged: the server's text is from before the deletion, and the local item was restored after it.
    private mutating func record(restored object: RemoteObject, for upload: Upload) throws(DatabaseError) {
        try self.recorder.inBatches([upload.item]) { recorder, item, transaction throws(DatabaseError) in
            let local = CalendarObject(upload.text)
            // An undo changes time stamps at most, which are no reason to send the item.
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

    /// Gives an item another UID, and changes every reference to the old one in the account.
    private mutating func changeUID(of upload: Upload) throws(DatabaseError) {
        let old = upload.item.uid
        let isFirst = self.uids.changes[upload.item.id] == 1
        var relinked: Set<ObjectID> = []
        try self.recorder.inBatches([upload.item]) { recorder, item, transaction throws(DatabaseError) in
            let list = recorder.context.list
            // The list may have an item with the next UID of the chain already.
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

    /// Sends the items that were changed because another one got a new UID, after everything else.
    mutating func sendRelinked() async throws {
        guard !self.uids.relinked.isEmpty else { return }
        let items = try self.context.unsentItems().filter { self.uids.relinked.contains($0.id) && $0.wasThere }
        self.uids.relinked = []
        try await self.send(try self.prepare(items))
    }
}
