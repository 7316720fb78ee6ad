import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore

// A sync token is older than the uploads of its sync, so a correct server mentions the uploads in its next changes. If
// an upload is not mentioned, the server may have dropped it, and the sync requests the object.

/// The decision for an upload that the server does not have.
enum MissingUploadDecision: Hashable {
    /// The object is not sent again, because another program may have deleted it.
    case keep
    case sendAgain
    /// The server has dropped the upload at least twice, so the user is told.
    case sendAgainAndReport

    /// Decides that the object is sent again, unless the server is known to have had it before or after the upload.
    ///
    /// If the server had the object, another program may have deleted it. Xandikos does not mention the deletion of a
    /// new object, because it computes sync tokens from the content.
    /// - Parameters:
    ///   - etag: the entity tag in the upload's answer; a server that returns an entity tag has stored the object.
    ///   - sendings: the last two uploads of the object, the latest first.
    init(etag: EntityTag?, sendings: [ChangeNote]) {
        guard sendings.first?.kind == .added, etag == nil else {
            self = .keep
            return
        }
        self = sendings.count > 1 ? .sendAgainAndReport : .sendAgain
    }
}

/// The decision for an upload that the server did not mention, after its text was fetched.
enum UploadConfirmation: Hashable {
    /// The server has the upload, or its own form of it.
    case confirmed
    /// The server has the text from before the upload, so the upload was dropped; it is sent again.
    case dropped(isRepeated: Bool)
    /// Another program has changed the object.
    case changed

    /// - Parameter sendings: the last two uploads of the object, the latest first.
    init(local: [UInt8], remote: CalendarObject, sendings: [ChangeNote]) {
        guard remote.document.bytes != local else {
            self = .confirmed
            return
        }
        guard let before = sendings.first?.before.flatMap(CalendarObject.init), sendings.first?.after == local,
            before.meaning == remote.meaning
        else {
            self = .changed
            return
        }
        let isRepeated = sendings.dropFirst().first?.after == local
        // If the upload only restored values that the server had altered, both texts have the same time stamp. A server
        // that has the altered text after two uploads alters every upload in the same way.
        if isRepeated, let stamp = before.main.lastChange, stamp == CalendarObject(local)?.main.lastChange {
            self = .confirmed
        } else {
            self = .dropped(isRepeated: isRepeated)
        }
    }
}

extension SyncState {
    /// The uploads that the changes do not mention, by the key of their address.
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

    /// Records the server's text of an upload that the server did not mention.
    /// - Returns: `false` if another program has changed the object; the caller then has to record the change.
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
