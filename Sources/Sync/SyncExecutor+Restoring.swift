import ICalendar
import Store

// Items with a UID that the server refuses to store. A UID stays for life: the item is brought back from the server's
// trash, and gets another UID only when the server has proved that it cannot take the old one.
extension SyncExecutor {
    /// Handles new items that the server refused, possibly because of their UID.
    ///
    /// An item in the server's trash is restored, and then overwritten with our text under a condition. An item gets
    /// another UID when the trash has it and does not give it back, or when the server names the uniqueness of UIDs
    /// twice, nothing is at the address of the item, and no trash has it. Every other item stays among the contested ones and is
    /// sent again with its UID.
    mutating func resolveRefusedUIDs() async throws {
        let refused = self.contested.filter { push, error, attempt in
            !push.item.wasThere && (error.isUIDTaken || error.mayConcernUID && attempt > 1)
        }
        guard !refused.isEmpty else { return }
        let asked = Set(refused.map(\.push.item.uid.exact)).subtracting(self.askedOfTrash)
        var outcome = RemoteRestoration()
        if !asked.isEmpty {
            self.askedOfTrash.formUnion(asked)
            do throws(RemoteError) {
                outcome = try await self.remote.restore(asked)
            } catch {
                guard error.kind != .stopped, error.kind != .vanished else { throw error }
                self.hasUnknownTrash = true
            }
        }
        let found = outcome.restored.isEmpty ? [:] : try await self.restoredObjects(outcome.restored)
        for (push, error, attempt) in refused {
            let uid = push.item.uid.exact
            if outcome.restored.contains(uid) {
                self.contested.removeAll { $0.push.item.id == push.item.id }
                guard let object = found[uid] else {
                    // The next run finds it by its UID.
                    self.unsettled.insert(uid)
                    self.fail(push, error)
                    continue
                }
                try self.record(restored: object, for: push)
            } else if outcome.refused.contains(uid) || error.isUIDTaken && attempt > 1 && !self.hasUnknownTrash,
                self.newUIDs[push.item.id, default: 0] < SuccessorUID.longestChain
            {
                self.contested.removeAll { $0.push.item.id == push.item.id }
                // Counted also when the store refuses the new UID: the loop has to end.
                self.newUIDs[push.item.id, default: 0] += 1
                try self.giveAnotherUID(push)
                // The trash may hold the new UID as well: that attempt is the first one with it.
                try await self.resend(push, attempt: 1)
                continue
            } else {
                continue
            }
            try await self.resend(push, attempt: attempt + 1)
        }
    }

    /// The restored items as they are in the list now, by UID: a delta since the begin of this run names them.
    private mutating func restoredObjects(_ uids: Set<ByteExactString>) async throws -> [ByteExactString: RemoteObject]
    {
        guard let state = try self.state() else { return [:] }
        let remote = self.remote
        let changes = try await remote.changes(since: self.pending?.token ?? state.list.syncToken, wantsTexts: true)
        let known = Set(state.items.filter { $0.etag != nil }.compactMap(\.href).map { remote.key(of: $0) })
        let brought = Set(changes.items.map { remote.key(of: $0.href) })
        let others = changes.changed.map(\.href).filter { href in
            !brought.contains(remote.key(of: href)) && !known.contains(remote.key(of: href))
        }
        let fetched = others.isEmpty ? [] : try await remote.fetch(others).items
        let (objects, _) = await self.read(changes.items + fetched)
        return Dictionary(objects.filter { uids.contains($0.uid.exact) }.map { ($0.uid.exact, $0) }) { first, _ in first
        }
    }

    /// Records that the server has a restored item; our text is sent over it where it differs.
    ///
    /// There is nothing to merge: the server's text belonged to a deletion, and the item here overrides that deletion.
    private mutating func record(restored object: RemoteObject, for push: Push) throws(DatabaseError) {
        try self.inBatches([push.item]) { executor, item, transaction throws(DatabaseError) in
            let read = ReadObject(item.id, revision: item.revision)
            let local = CalendarObject(ICalendarDocument(push.text))
            // An undoing changes stamps at most, which are no reason to send it.
            let isSame = local?.unstampedMeaning == object.object.unstampedMeaning
            let outcome =
                if isSame {
                    try transaction.recordPulled(executor.pulled(object), in: executor.list, replacing: read)
                } else {
                    try transaction.recordMerged(
                        executor.pulled(object, text: local ?? object.object),
                        in: executor.list,
                        replacing: read,
                        base: object.object.document.bytes
                    )
                }
            guard case .recorded = outcome else {
                executor.unsettled.insert(object.uid.exact)
                return
            }
            if isSame { executor.report.pushed += 1 }
            try executor.journalAddition(of: item, in: transaction)
        }
    }

    /// Gives an item another UID, and makes everything in the account that names the old one follow.
    private mutating func giveAnotherUID(_ push: Push) throws(DatabaseError) {
        let old = push.item.uid
        try self.inBatches([push.item]) { executor, item, transaction throws(DatabaseError) in
            let read = ReadObject(item.id, revision: item.revision)
            // The list may have an item with the next UID of the chain already.
            var given: String?
            for candidate in SuccessorUID.chain(after: old) where given == nil {
                let source = ICalendarDocument(push.text).replacing(uid: candidate).bytes
                let isGiven = try transaction.recordNewUID(candidate, of: read, in: executor.list, source: source)
                if isGiven { given = candidate }
            }
            guard let new = given else { return }
            if executor.newUIDs[item.id] == 1 { executor.report.newUIDs += 1 }
            for object in try transaction.objects(naming: old, around: executor.list) {
                guard let text = ICalendarDocument(object.source).relinking(old, to: new),
                    let calendar = CalendarObject(text)
                else { continue }
                try transaction.update(object.id, source: text.bytes, index: executor.index(calendar))
                if object.list == executor.list { executor.relinked.insert(object.id) }
            }
        }
    }

    /// Sends the items that were changed because another one got a new UID, after everything else.
    mutating func sendRelinked() async throws {
        guard !self.relinked.isEmpty else { return }
        let items = try self.unsentItems().filter { self.relinked.contains($0.id) && $0.wasThere }
        self.relinked = []
        try await self.send(try self.prepare(items))
    }
}
