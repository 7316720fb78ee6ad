import ICalendar
import Resources
import Store

// Uploads that the server accepted but does not mention in its next changes. It may have dropped them, so it is asked.
// The token of a sync is older than its uploads; a correct server mentions them in the next changes.

/// The result for an upload that the server does not have.
enum MissingUploadDecision: Hashable {
    /// It may have been deleted by another client, and is not sent again.
    case keep
    case sendAgain
    /// The server has dropped it before.
    case sendAgainAndReport

    /// - Parameters:
    ///   - etag: the entity tag that the server returned for the upload. A server that returns one has stored the item.
    ///   - sendings: the last two uploads of the item, the latest first. An item that existed before may have been
    ///     deleted by another client. Xandikos derives its tokens from its content, and does not mention a new item
    ///     that was deleted since.
    init(etag: EntityTag?, sendings: [ChangeNote]) {
        guard sendings.first?.kind == .added, etag == nil else {
            self = .keep
            return
        }
        self = sendings.count > 1 ? .sendAgainAndReport : .sendAgain
    }
}

/// The result for an upload that the server did not mention, from its fetched text.
enum UploadConfirmation: Hashable {
    case confirmed
    /// The server has the text from before the upload: the upload was dropped, and is sent again on this version.
    case dropped(isRepeated: Bool)
    /// Another program changed it.
    case changed

    /// - Parameter sendings: the last two uploads of the item, the latest first.
    init(local: [UInt8], remote: CalendarObject, sendings: [ChangeNote]) {
        guard remote.document.bytes != local else {
            self = .confirmed
            return
        }
        guard let before = sendings.first?.before, sendings.first?.after == local,
            CalendarObject(before)?.meaning == remote.meaning
        else {
            self = .changed
            return
        }
        self = .dropped(isRepeated: sendings.dropFirst().first?.after == local)
    }
}

extension SyncState {
    /// Uploads that the changes do not mention, by key of the address.
    func unmentioned(_ sent: Set<ObjectID>, in changes: ResourceChanges, key: (Href) -> String) -> [String: SyncItem] {
        guard !changes.isComplete, !sent.isEmpty else { return [:] }
        let mentioned = Set((changes.changed.map(\.href) + changes.removed).map(key))
        var items: [String: SyncItem] = [:]
        for item in self.items where !item.isDirty && sent.contains(item.id) {
            if let key = item.href.map(key), !mentioned.contains(key) { items[key] = item }
        }
        return items
    }
}

extension SyncRecorder {
    /// Marks uploads that the server does not have as new, so that they are sent again.
    mutating func sendAgain(_ dropped: [SyncItem]) throws(DatabaseError) {
        try self.inBatches(dropped.sorted { $0.id < $1.id }) { recorder, item, transaction throws(DatabaseError) in
            let list = recorder.context.list
            let sendings = try transaction.sendings(of: item.id, in: list).map(\.note)
            let decision = MissingUploadDecision(etag: item.etag, sendings: sendings)
            guard decision != .keep else { return }
            try transaction.forgetRemote(item.id, in: list)
            if decision == .sendAgainAndReport { recorder.reportDropped(item) }
        }
    }

    private mutating func reportDropped(_ item: SyncItem) {
        let error = RemoteError(.refused, ItemError.dropped)
        self.report.failures.append(.init(id: item.id, href: item.href, error: error))
    }

    /// Records the server's text of an upload that it did not mention.
    ///
    /// - Returns: `false` for a change by another program, which is still to be recorded.
    mutating func confirmUpload(
        of item: SyncItem,
        _ remote: RemoteObject,
        _ evidence: UploadEvidence,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> Bool {
        let list = self.context.list
        guard evidence.unconfirmed[self.context.key(of: remote.href)] != nil,
            let texts = try transaction.texts(of: item.id),
            let local = CalendarObject(texts.source)
        else { return false }
        let bytes = remote.object.document.bytes
        let sendings = try transaction.sendings(of: item.id, in: list).map(\.note)
        switch UploadConfirmation(local: texts.source, remote: remote.object, sendings: sendings) {
        case .confirmed:
            _ = try transaction.recordPushed(item.read, in: list, href: remote.href, etag: remote.etag, base: bytes)
        case .dropped(let isRepeated):
            let written = try self.write(
                remote,
                keeping: local,
                recordsOverrides: false,
                over: item,
                in: transaction
            )
            if written != nil, isRepeated { self.reportDropped(item) }
        case .changed: return false
        }
        return true
    }
}
