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
    }

    /// Sends every item that was changed here, several at a time.
    ///
    /// - Parameter mayCreate: whether items that the server has not got may be sent.
    mutating func push(_ plan: SyncPlan, mayCreate: Bool) async throws {
        guard
            let state = try self.store.read({ snapshot throws(DatabaseError) in try snapshot.syncState(of: self.list) })
        else { return }
        let planned = Set(plan.pushes.map(\.id) + plan.merges.map(\.local.id))
        let items = state.items.filter { item in
            item.isDirty && planned.contains(item.id) && !self.unsettled.contains(item.uid)
                && (mayCreate || item.etag != nil)
        }
        var waiting = items[...]
        while !waiting.isEmpty {
            var batch: [Push] = []
            for item in waiting.prefix(Self.recordsAtOnce) {
                if let push = try self.prepare(item) { batch.append(push) }
            }
            waiting = waiting.dropFirst(Self.recordsAtOnce)
            try await self.send(batch)
        }
    }

    /// Sets a name aside before it is used, so that a run that breaks off knows it.
    func prepare(_ item: SyncItem) throws(DatabaseError) -> Push? {
        let proposed = self.remote.newHref()
        return try self.record { transaction throws(DatabaseError) -> Push? in
            guard let href = try transaction.reserveHref(proposed, for: item.id, in: self.list),
                let texts = try transaction.texts(of: item.id)
            else { return nil }
            return Push(item: item, href: href, text: texts.source)
        }
    }

    mutating func send(_ batch: [Push]) async throws {
        let remote = self.remote
        var waiting = batch[...]
        var failure: RemoteError?
        await withTaskGroup(of: (Push, Result<EntityTag?, RemoteError>).self) { group in
            for push in waiting.prefix(Self.parallelRequests) { group.addTask { await Self.put(push, to: remote) } }
            waiting = waiting.dropFirst(Self.parallelRequests)
            var outcomes: [(Push, Result<EntityTag?, RemoteError>)] = []
            for await outcome in group {
                if case .failure(let error) = outcome.1, error.kind == .stopped || error.kind == .vanished {
                    failure = error
                } else {
                    outcomes.append(outcome)
                }
                // Recorded at once: a run may be killed at any moment.
                do {
                    for (push, result) in outcomes { try self.record(push, result) }
                    outcomes = []
                } catch {
                    failure = RemoteError(.stopped, error)
                }
                if failure == nil, let next = waiting.popFirst() {
                    group.addTask { await Self.put(next, to: remote) }
                }
            }
        }
        if let failure { throw failure }
        try await self.retryContested()
    }

    static func put(
        _ push: Push,
        to remote: any RemoteCollection
    ) async -> (Push, Result<EntityTag?, RemoteError>) {
        do throws(RemoteError) {
            let etag =
                if let old = push.item.etag {
                    try await remote.update(push.text, at: push.href, ifMatch: old)
                } else {
                    try await remote.create(push.text, at: push.href)
                }
            return (push, .success(etag))
        } catch {
            return (push, .failure(error))
        }
    }

    mutating func record(_ push: Push, _ result: Result<EntityTag?, RemoteError>) throws(DatabaseError) {
        switch result {
        case .success(let etag):
            let read = ReadObject(push.item.id, revision: push.item.revision)
            try self.record { transaction throws(DatabaseError) in
                _ = try transaction.recordPushed(read, in: self.list, href: push.href, etag: etag, base: push.text)
            }
            self.report.pushed += 1
            self.progress(self.report)
        case .failure(let error) where error.kind == .conflict || error.kind == .unknownOutcome:
            self.contested.append((push, error, 1))
        case .failure(let error):
            self.report.failures.append(.init(id: push.item.id, href: push.href, error: error))
        }
    }

    /// Fetches what is there, merges, and sends the result; at most ``attempts`` times.
    mutating func retryContested() async throws {
        while let (push, error, attempt) = self.contested.popLast() {
            let fetched = try await self.remote.fetch([push.href])
            let remote = Self.read(fetched.items).objects.first
            guard attempt <= Self.attempts, fetched.failures.isEmpty else {
                self.fail(push, fetched.failures.first?.error ?? error)
                continue
            }
            if let remote {
                try self.record { transaction throws(DatabaseError) in
                    try self.record(merge: remote, with: push.item, in: transaction)
                }
            } else {
                try self.forget(push, after: error, attempt: attempt)
            }
            try await self.resend(push, attempt: attempt + 1)
        }
    }

    /// Prepares an item that the server has not got to be sent as a new one.
    ///
    /// When the server failed at that twice, it gets another UID: Nextcloud keeps the UID of what lies in its trash, and
    /// fails whenever it comes again, under whatever name.
    mutating func forget(_ push: Push, after error: RemoteError, attempt: Int) throws(DatabaseError) {
        let text = ICalendarDocument(push.text)
        let uid = NameUUID.make("\(push.item.uid)\n\(push.href.wire)")
        let renamed = text.applying(
            text.all(.vtodo).flatMap { todo in
                var editor = ComponentEditor(todo)
                editor.set(ContentLine(.uid, text: uid))
                return editor.edits
            }
        )
        try self.record { transaction throws(DatabaseError) in
            let read = ReadObject(push.item.id, revision: push.item.revision)
            if attempt > 1, error.kind == .unknownOutcome,
                try transaction.recordNewUID(uid, of: read, in: self.list, source: renamed.bytes)
            {
                return
            }
            try transaction.forgetRemote(push.item.id, in: self.list)
        }
    }

    mutating func resend(_ push: Push, attempt: Int) async throws {
        let state = try self.store.read { snapshot throws(DatabaseError) in try snapshot.syncState(of: self.list) }
        guard let item = state?.items.first(where: { $0.id == push.item.id }), item.isDirty,
            let next = try self.prepare(item)
        else { return }
        let (_, result) = await Self.put(next, to: self.remote)
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

    mutating func deleteRemote(_ plan: SyncPlan) async throws {
        for tombstone in plan.remoteDeletions {
            do throws(RemoteError) {
                let etag = plan.deletionTags[tombstone.uid] ?? tombstone.etag
                try await self.remote.delete(tombstone.href, ifMatch: etag)
            } catch {
                guard error.kind != .stopped, error.kind != .vanished else { throw error }
                // Somebody has just changed it: the next run sees the change, and an edit beats a deletion.
                self.report.failures.append(.init(id: nil, href: tombstone.href, error: error))
                continue
            }
            try self.record { transaction throws(DatabaseError) in
                try transaction.forgetTombstone(in: self.list, uid: tombstone.uid)
            }
            self.report.deletedRemotely += 1
            self.progress(self.report)
        }
    }
}

/// Somebody else changes an item again and again while we try to.
package struct ContestedItem: Error, CustomStringConvertible {
    /// One sentence.
    package var description: String { "somebody else keeps changing the item at the same time" }
}
