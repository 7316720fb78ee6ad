import ICalendar
import Reminders
import Store

// What was changed here, sent to the server.
extension SyncExecutor {
    /// An item on its way to the server.
    struct Push: Sendable {
        let item: SyncItem
        let href: Href
        let text: [UInt8]
        /// What the server has until then, as far as we know; `nil` when it has nothing.
        let base: [UInt8]?
    }

    /// Sends every item that was changed here, several at a time.
    ///
    /// - Parameter mayCreate: whether items that the server has not got may be sent.
    mutating func push(_ plan: SyncPlan, mayCreate: Bool) async throws {
        let unsent = try self.unsentItems().filter { item in
            !plan.waiting.contains(item.id) && !self.unsettled.contains(item.uid.exact) && (mayCreate || item.wasThere)
        }
        let items = try self.leavingOutRefused(unsent)
        self.report.toSend = self.report.pushed + items.count
        var waiting = items[...]
        while !waiting.isEmpty {
            let next = waiting.prefix(Self.recordsAtOnce)
            waiting = waiting.dropFirst(Self.recordsAtOnce)
            try await self.send(try self.prepare(next))
            guard self.duplicates.isEmpty else {
                let isComplete = try await self.compareDuplicates()
                return try await self.push(plan, mayCreate: mayCreate && isComplete)
            }
        }
        try await self.sendRelinked()
    }

    func unsentItems() throws(DatabaseError) -> [SyncItem] {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.unsentItems(in: self.list) }
    }

    /// Sends the items of a list that we have just made all at once, where the server can, and learns what came of it.
    ///
    /// - Returns: what is left to be sent; `nil` when nothing was sent.
    mutating func fill(_ pending: Pending) async throws -> Pending? {
        let items = pending.plan.pushes
        guard pending.isEmptyThere, pending.state.list.isMadeHere, items.count >= ListFilling.minimumItems,
            pending.state.items.allSatisfy({ $0.etag == nil })
        else { return nil }
        let texts = try self.store.read { snapshot throws(DatabaseError) in
            var texts: [[UInt8]] = []
            for item in items {
                if let text = try snapshot.texts(of: item.id)?.source { texts.append(text) }
            }
            return texts
        }
        let filling = ListFilling(texts, name: pending.state.list.name, isKnownZone: self.isKnownZone)
        guard filling.uids.count >= ListFilling.minimumItems else { return nil }
        try self.record { transaction throws(DatabaseError) in try transaction.markFillingBegun(self.list) }
        self.report.toSend = items.count
        self.progress(self.report)
        var outcome = RemoteFilling.filled
        do throws(RemoteError) {
            outcome = try await self.remote.fill(filling.text)
        } catch {
            // It may have been done all the same: what is listed tells. And what is refused together may go by itself.
            guard error.kind == .unknownOutcome || error.kind == .refused else { throw error }
        }
        guard outcome != .notOffered else {
            // A request of an earlier run may still have been done.
            if !pending.state.list.isFillingBegun {
                try self.record { transaction throws(DatabaseError) in try transaction.markMadeHere(self.list) }
            }
            return nil
        }
        self.filled = filling.uids
        self.filledStamps = Self.stamps(of: texts)
        let changes = try await self.remote.changes(since: nil, wantsTexts: true)
        guard let state = try self.state(), let rest = try await self.learn(changes, state) else { return nil }
        self.pending = rest
        return rest
    }

    /// Sets names aside before they are used, so that a run that breaks off knows them.
    func prepare(_ items: some Collection<SyncItem>) throws(DatabaseError) -> [Push] {
        guard !items.isEmpty else { return [] }
        return try self.record { transaction throws(DatabaseError) in
            var pushes: [Push] = []
            for item in items {
                let proposed = item.href ?? self.remote.newHref()
                guard let href = try transaction.reserveHref(proposed, for: item.id, in: self.list),
                    let texts = try transaction.texts(of: item.id)
                else { continue }
                if self.knowsOverrides { try transaction.markOverridesSending(of: item.uid, in: self.list) }
                pushes.append(Push(item: item, href: href, text: texts.source, base: texts.base))
            }
            return pushes
        }
    }

    mutating func send(_ batch: [Push]) async throws {
        let remote = self.remote
        var failure: RemoteError?
        // Of what the server is known to have in no version that could be named, it has to be looked at first: sent as
        // new, it would be there twice if somebody has just moved it.
        let unnamed = batch.filter { $0.item.wasThere && $0.item.etag == nil }
        self.contested += unnamed.map { ($0, RemoteError(.conflict, ContestedItem()), 1) }
        var executor = self
        let ready = batch.filter { !$0.item.wasThere || $0.item.etag != nil }
        await forEachConcurrently(ready, limit: Self.parallelRequests) { push in
            await Self.put(push, to: remote)
        } take: { push, result in
            if case .failure(let error) = result, error.kind == .stopped || error.kind == .vanished {
                failure = error
                return false
            }
            // Recorded at once: a run may be killed at any moment.
            do throws(DatabaseError) {
                try executor.record(push, result)
            } catch {
                failure = RemoteError(.stopped, error)
            }
            // The first duplicate ends the batch: where there is one, a request of an earlier run may have sent them all.
            return failure == nil && executor.duplicates.isEmpty
        }
        self = executor
        if let failure { throw failure }
        try await self.retryContested()
    }

    static func put(_ push: Push, to remote: any RemoteCollection) async -> Result<EntityTag?, RemoteError> {
        do throws(RemoteError) {
            let etag =
                if let old = push.item.etag {
                    try await remote.update(push.text, at: push.href, ifMatch: old)
                } else {
                    try await remote.create(push.text, at: push.href)
                }
            return .success(etag)
        } catch {
            return .failure(error)
        }
    }

    mutating func record(_ push: Push, _ result: Result<EntityTag?, RemoteError>) throws(DatabaseError) {
        switch result {
        case .success(let etag):
            let read = ReadObject(push.item.id, revision: push.item.revision)
            try self.record { transaction throws(DatabaseError) in
                _ = try transaction.recordPushed(read, in: self.list, href: push.href, etag: etag, base: push.text)
                if self.knowsOverrides { try transaction.markOverridesJoined(of: push.item.uid, in: self.list) }
                try self.journal(push, in: transaction)
            }
            self.report.pushed += 1
            self.progress(self.report)
        case .failure(let error) where error.kind == .conflict || error.kind == .unknownOutcome:
            self.contested.append((push, error, 1))
        case .failure(let error) where error.kind == .duplicateUID && !self.hasListedAgain:
            self.duplicates.append(push)
        case .failure(let error):
            if error.kind == .duplicateUID { try self.listAgain(for: push.item.uid) }
            try self.remember(error, of: push)
            self.report.failures.append(.init(id: push.item.id, href: push.href, error: error))
        }
    }

    /// Makes the next run list everything, and read what was set aside: one of them may have the UID.
    mutating func listAgain(for uid: String) throws(DatabaseError) {
        self.unsettled.insert(uid.exact)
        try self.record { transaction throws(DatabaseError) in
            for other in try transaction.unreadable(in: self.list) {
                try transaction.clearUnreadable(other.href, in: self.list)
            }
            try transaction.saveToken(nil, ctag: nil, of: self.list)
        }
    }

    func journal(_ push: Push, in transaction: StoreTransaction) throws(DatabaseError) {
        // A whole-list request that damaged an item and the request that repairs it are one addition.
        guard push.item.etag != nil, !self.filled.contains(push.item.uid.exact) else {
            return try self.journalAddition(of: push.item, in: transaction)
        }
        try self.journal(
            ChangeNote(
                object: push.item.id,
                uid: push.item.uid,
                title: try transaction.title(of: push.item.id) ?? "",
                side: .remote,
                kind: .changed,
                before: push.base,
                after: push.text
            ),
            in: transaction
        )
    }

    func journalAddition(of item: SyncItem, in transaction: StoreTransaction) throws(DatabaseError) {
        let title = try transaction.title(of: item.id) ?? ""
        let note = ChangeNote(object: item.id, uid: item.uid, title: title, side: .remote, kind: .added)
        try self.journal(note, in: transaction)
    }

    /// Fetches what is there, merges, and sends the result; at most ``attempts`` times.
    mutating func retryContested() async throws {
        while !self.contested.isEmpty {
            try await self.resolveRefusedUIDs()
            guard let (push, error, attempt) = self.contested.popLast() else { break }
            let fetched = try await push.item.wasThere ? self.fetch([push.href]) : self.look(at: push.href)
            let remote = try await self.read(fetched.items).objects.first.map(self.joiningKnownOverrides)
            // A partial text proves neither the presence nor the absence of the item.
            let cut = fetched.cut.first.map { RemoteError(.refused, CutText($0.href)) }
            let unread = fetched.failures.first?.error ?? cut
            guard attempt <= Self.attempts, unread == nil else {
                self.fail(push, unread ?? error)
                continue
            }
            if let remote {
                try self.record { transaction throws(DatabaseError) in
                    try self.record(merge: remote, with: push.item, in: transaction)
                }
            } else if push.item.wasThere, !fetched.missing.isEmpty, try self.hasOtherLists() {
                // It may have been moved to one of them a moment ago: the next run asks them all before it is sent anew.
                try self.record { transaction throws(DatabaseError) in
                    if push.item.etag == nil {
                        // That it is gone may never be told, only be seen where everything is listed.
                        try transaction.saveToken(nil, ctag: nil, of: self.list)
                    } else {
                        try transaction.forgetVersion(of: push.item.id, in: self.list)
                    }
                }
                self.unsettled.insert(push.item.uid.exact)
                self.fail(push, error)
                continue
            } else if error.isGivenUp {
                self.fail(push, error)
                continue
            } else {
                try self.forget(push, after: error)
            }
            if error.isGivenUp {
                // The server may have done the write in spite of its answer.
                if try self.unsentItems().contains(where: { $0.id == push.item.id }) { self.fail(push, error) }
                continue
            }
            try await self.resend(push, attempt: attempt + 1)
        }
    }

    /// Whether the account has lists to which somebody may have moved something.
    private func hasOtherLists() throws(DatabaseError) -> Bool {
        try self.store.read { snapshot throws(DatabaseError) in
            let lists = try snapshot.lists().filter { $0.state == .synced && !$0.isReadOnly }
            let account = lists.first { $0.id == self.list }?.account
            return lists.contains { $0.account == account && $0.id != self.list }
        }
    }

    /// Prepares an item that the server has not got to be sent again, with its UID.
    ///
    /// Only an item that the server once had can have been moved to another list. A new item with the same UID as an
    /// item of another list is a separate item and stays. It is sent under the same name, so that a late success of the
    /// first attempt is noticed; under another one when the name is refused although it is unused.
    mutating func forget(_ push: Push, after error: RemoteError) throws(DatabaseError) {
        try self.inBatches([push.item]) { executor, item, transaction throws(DatabaseError) in
            let wasSynchronized = try transaction.wasSynchronized(item.id, uid: item.uid, in: executor.list)
            if item.wasThere || wasSynchronized {
                try executor.revive(item, in: transaction)
            } else if error.kind == .conflict {
                try transaction.forgetRemote(item.id, in: executor.list)
            }
        }
    }

    mutating func resend(_ push: Push, attempt: Int) async throws {
        guard let item = try self.unsentItems().first(where: { $0.id == push.item.id }),
            let next = try self.prepare(CollectionOfOne(item)).first
        else { return }
        let result = await Self.put(next, to: self.remote)
        if case .failure(let error) = result, error.kind == .conflict || error.kind == .unknownOutcome {
            self.contested.append((next, error, attempt))
        } else if case .failure(let error) = result, error.kind == .stopped || error.kind == .vanished {
            throw error
        } else {
            try self.record(next, result)
        }
    }

    mutating func fail(_ push: Push, _ error: RemoteError) {
        let error = error.kind == .conflict ? RemoteError(.conflict, ContestedItem()) : error
        self.report.failures.append(.init(id: push.item.id, href: push.href, error: error))
    }

    mutating func deleteRemote(_ pending: Pending, keeping: Set<ByteExactString>) async throws {
        let uids = pending.plan.remoteDeletions.map(\.uid.exact)
        let planned = Set(uids).subtracting(keeping).subtracting(self.unsettled)
        guard !planned.isEmpty else { return }
        // Read again: what was moved on the server meanwhile is none any more. Where no version is known and not every
        // text came, somebody may have changed it.
        guard let state = try self.state() else { return }
        let overrides = Dictionary(grouping: state.overrides, by: \.uid.exact)
        var tags = pending.deletionTags
        var tombstones = state.tombstones.filter { tombstone in
            planned.contains(tombstone.uid.exact)
                && (pending.isComplete || (tags[tombstone.uid.exact] ?? tombstone.etag) != nil)
        }
        let unnamed = tombstones.filter { tombstone in
            (tags[tombstone.uid.exact] ?? tombstone.etag) == nil && overrides[tombstone.uid.exact] == nil
        }
        if !unnamed.isEmpty {
            let (named, changed) = try await self.versions(of: unnamed)
            tags.merge(named) { _, new in new }
            self.unsettled.formUnion(changed)
            tombstones.removeAll { changed.contains($0.uid.exact) }
        }
        let remote = self.remote
        var failure: (any Error)?
        var executor = self
        await forEachConcurrently(tombstones, limit: Self.parallelRequests) {
            [tags] tombstone -> Result<Bool, RemoteError> in
            do throws(RemoteError) {
                // The series goes last: a run that breaks off before that begins anew.
                for override in overrides[tombstone.uid.exact] ?? [] {
                    _ = try await remote.delete(override.href, ifMatch: override.etag)
                }
                let etag = tags[tombstone.uid.exact] ?? tombstone.etag
                return .success(try await remote.delete(tombstone.href, ifMatch: etag))
            } catch {
                return .failure(error)
            }
        } take: { tombstone, result in
            do {
                try executor.record(deletionOf: tombstone, overrides[tombstone.uid.exact] ?? [], result)
            } catch {
                failure = error
            }
            return failure == nil
        }
        self = executor
        if let failure { throw failure }
    }

    /// Asks for the versions of what is to be deleted and of which none is known: without one, what somebody has written
    /// there since would go with it.
    ///
    /// - Returns: the versions, as far as the server names them, and the UIDs of what says something else than it did when
    ///   it was deleted here, or could not be had: the next run sees to them.
    private mutating func versions(
        of tombstones: [Tombstone]
    ) async throws -> (named: [ByteExactString: EntityTag], changed: Set<ByteExactString>) {
        var named: [ByteExactString: EntityTag] = [:]
        var changed: Set<ByteExactString> = []
        var rest = tombstones[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.textsAtOnce)
            rest = rest.dropFirst(Self.textsAtOnce)
            let fetched = try await self.fetch(part.map(\.href))
            for failure in fetched.failures {
                self.report.failures.append(.init(id: nil, href: failure.href, error: failure.error))
            }
            self.note(cut: fetched.cut)
            let (objects, _) = await self.read(fetched.items)
            let found = Dictionary(objects.map { (self.remote.key(of: $0.href), $0) }) { first, _ in first }
            let missing = Set(fetched.missing.map(self.remote.key))
            for tombstone in part {
                let key = self.remote.key(of: tombstone.href)
                guard !missing.contains(key) else { continue }
                if let object = found[key], object.uid.exact == tombstone.uid.exact, try self.isAsDeleted(object) {
                    named[tombstone.uid.exact] = object.etag
                } else {
                    changed.insert(tombstone.uid.exact)
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
        if case .failure(let error) = result {
            guard error.kind != .stopped, error.kind != .vanished else { throw error }
            // Somebody has just changed it: the next run sees the change, and an edit beats a deletion.
            let text = try self.store.read { snapshot throws(DatabaseError) in
                try snapshot.textsOfTombstone(in: self.list, uid: tombstone.uid)?.source
            }
            let title = text.flatMap { Reminder(ICalendarDocument($0))?.title } ?? ""
            let failure = SyncReport.Failure(id: nil, href: tombstone.href, error: error, titleOfDeleted: title)
            self.report.failures.append(failure)
            return
        }
        if case .success(false) = result, try self.staysForNow(tombstone) { return }
        try self.record { transaction throws(DatabaseError) in
            try self.journal(tombstone, in: transaction)
            for override in overrides { try transaction.forgetOverride(override, in: self.list) }
            try transaction.forget(tombstone, in: self.list)
        }
        // What was set aside as a double may be the only one of its UID now.
        let unreadable = try self.store.read { snapshot throws(DatabaseError) in
            try snapshot.unreadable(in: self.list)
        }
        if unreadable.contains(where: { $0.reason == UnreadableItem.doubledUID }) {
            try self.listAgain(for: tombstone.uid)
        }
        self.report.deletedRemotely += 1
        self.progress(self.report)
    }
}

extension SyncExecutor {
    /// Keeps the tombstone of a moved item that was not there any more for one more run, without its version.
    ///
    /// Somebody may have given it another name since the list was asked: the next run finds that by its UID, and would
    /// take it for a new item otherwise.
    private func staysForNow(_ tombstone: Tombstone) throws(DatabaseError) -> Bool {
        guard tombstone.etag != nil else { return false }
        return try self.record { transaction throws(DatabaseError) in
            guard try !self.movedWithinAccount([tombstone], in: transaction).isEmpty else { return false }
            try transaction.setVersion(nil, of: tombstone, in: self.list)
            return true
        }
    }

    /// What is deleted on the server goes into the trash with the server's text.
    func journal(_ tombstone: Tombstone, in transaction: StoreTransaction) throws(DatabaseError) {
        guard self.run != nil, let texts = try transaction.textsOfTombstone(in: self.list, uid: tombstone.uid) else {
            return
        }
        let text = texts.base ?? texts.source
        try self.journal(
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
}

/// Somebody else changes an item again and again while we try to.
package struct ContestedItem: Error, CustomStringConvertible {
    /// One sentence.
    package var description: String { "somebody else keeps changing the item at the same time" }
}
