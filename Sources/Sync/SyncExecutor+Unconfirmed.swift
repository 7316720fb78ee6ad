import ICalendar
import Store

// What the server said that it took, and whether it has it.
//
// The token of a run is older than what the run sends, so that the next one is told of it. A server that is silent about
// it is asked: it may have dropped it.
extension SyncExecutor {
    /// So many are asked for, in one request; a server that keeps silent about more is compared with once a week.
    static let unconfirmedAtMost = ListFilling.minimumItems - 1

    /// What the last run sent and the server does not tell of, by key.
    func findUnconfirmed(_ state: SyncState, _ told: RemoteChanges) throws(DatabaseError) -> [String: SyncItem] {
        guard let run = self.run, !told.isComplete else { return [:] }
        let sent = try self.store.read { snapshot throws(DatabaseError) in
            try snapshot.sentUnasked(in: self.list, before: run)
        }
        guard !sent.isEmpty, sent.count <= Self.unconfirmedAtMost else { return [:] }
        let heard = Set((told.changed.map(\.href) + told.removed).map { self.remote.key(of: $0) })
        let objects = Set(sent)
        var silent: [String: SyncItem] = [:]
        for item in state.items where !item.isDirty && objects.contains(item.id) {
            if let href = item.href, !heard.contains(self.remote.key(of: href)) {
                silent[self.remote.key(of: href)] = item
            }
        }
        return silent
    }

    /// Sends again what the server said that it took as new, and has not got.
    ///
    /// - Returns: the state afterwards.
    mutating func sendAgain(
        _ state: SyncState,
        _ changes: RemoteChanges,
        missing: [Href]
    ) throws(DatabaseError) -> SyncState {
        let present = changes.isComplete ? Set(changes.changed.map { self.remote.key(of: $0.href) }) : nil
        let gone = Set(missing.map { self.remote.key(of: $0) })
        let dropped = self.unconfirmed.filter { key, _ in
            gone.contains(key) || present.map { !$0.contains(key) } ?? false
        }
        guard !dropped.isEmpty else { return state }
        try self.inBatches(dropped.values.sorted { $0.id < $1.id }) {
            executor,
            item,
            transaction throws(DatabaseError) in
            let sendings = try transaction.sendings(of: item.id, in: executor.list)
            // Of what was there before, somebody may have thrown it away; and so of what the server gave a version, since
            // nobody gives one to what he drops. On a server whose states are made of what it holds (Xandikos), a new
            // item that somebody has thrown away since is not told of.
            guard sendings.first?.note.kind == .added, item.etag == nil else { return }
            try transaction.forgetRemote(item.id, in: executor.list)
            if sendings.count > 1 { executor.report.failures.append(.dropped(item)) }
        }
        return try self.state() ?? state
    }

    /// Records what the server has of an item that it was sent and said nothing of.
    ///
    /// - Returns: whether there is nothing more to do; not for what somebody else has written.
    mutating func confirm(
        _ remote: RemoteObject,
        _ item: SyncItem,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> Bool {
        guard self.unconfirmed[self.remote.key(of: remote.href)] != nil, let texts = try transaction.texts(of: item.id),
            let local = CalendarObject(ICalendarDocument(texts.source))
        else { return false }
        let read = ReadObject(item.id, revision: item.revision)
        let bytes = remote.object.document.bytes
        guard bytes != texts.source else {
            _ = try transaction.recordPushed(read, in: self.list, href: remote.href, etag: remote.etag, base: bytes)
            return true
        }
        // What it had before we sent it: it was dropped, and goes again on the version that is there.
        let sendings = try transaction.sendings(of: item.id, in: self.list)
        guard let before = sendings.first?.note.before, sendings.first?.note.after == texts.source,
            CalendarObject(ICalendarDocument(before))?.meaning == remote.object.meaning
        else { return false }
        let pulled = self.pulled(remote, text: local)
        if case .recorded = try transaction.recordMerged(pulled, in: self.list, replacing: read, base: bytes) {
            if sendings.dropFirst().first?.note.after == texts.source { self.report.failures.append(.dropped(item)) }
        } else {
            self.unsettled.insert(remote.uid.exact)
        }
        return true
    }
}

extension RemoteChanges {
    /// The same, and of those items the text is wanted too.
    func asking(for items: [String: SyncItem]) -> Self {
        guard !items.isEmpty else { return self }
        return Self(
            changed: self.changed + items.values.compactMap(\.href).map { Member(href: $0, etag: nil) },
            removed: self.removed,
            items: self.items,
            token: self.token,
            isComplete: self.isComplete
        )
    }
}

extension SyncReport.Failure {
    fileprivate static func dropped(_ item: SyncItem) -> Self {
        Self(id: item.id, href: item.href, error: RemoteError(.refused, DroppedItem()))
    }
}

/// The server says again and again that it takes an item, and does not keep it.
package struct DroppedItem: Error, CustomStringConvertible {
    /// One sentence.
    package var description: String { "the server says that it takes the item, and does not keep it" }
}
