import RemindavICalendar
import RemindavResources
import RemindavStore

/// The results of one sync, and the functions that record remote objects in the store.
struct SyncRecorder: Sendable {
    let context: SyncContext
    var report = SyncReport()
    /// UIDs of reminders that changed locally during the sync, or about which this sync could not decide.
    ///
    /// This sync neither sends nor deletes them, nor saves the token, so that the next sync sees both versions.
    var changedDuringSync: Set<ByteExactString> = []
    /// UIDs of locally deleted reminders whose version on the server was read without an entity tag.
    var unnamedDeletions: Set<ByteExactString> = []
    /// Whether texts arrived incompletely, so that the token must not be saved.
    var hasCutTexts = false
    /// Whether a series in the list has overrides in resources of their own.
    var knowsOverrides = false

    init(_ context: SyncContext) { self.context = context }

    static let recordsAtOnce = 500

    /// Calls the body for each element, in a transaction per batch; a batch that fails has no effect on `self`.
    mutating func inBatches<Element>(
        _ elements: [Element],
        _ body: (inout Self, Element, StoreTransaction) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        var rest = elements[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.recordsAtOnce)
            rest = rest.dropFirst(Self.recordsAtOnce)
            var copy = self
            try self.context.store.write(.survivesKill) { transaction throws(DatabaseError) in
                for element in batch { try body(&copy, element, transaction) }
            }
            self = copy
            self.reportProgress()
        }
    }

    func reportProgress() { self.context.progress(self.report) }

    /// Adds the failed and the incomplete texts of a fetch to the report.
    ///
    /// This sync does not send the reminders of incomplete texts; the next sync fetches the texts again.
    mutating func noteFailures(of fetched: CheckedTexts) {
        for (href, error) in fetched.result.failures {
            self.report.failures.append(.init(id: nil, href: href, error: error))
        }
        for item in fetched.cut {
            self.hasCutTexts = true
            let error = RemoteError(.refused, ItemError.cutShort(item.href))
            self.report.failures.append(.init(id: nil, href: item.href, error: error))
            if let uid = CalendarObject(item.text)?.uid { self.changedDuringSync.insert(uid.exact) }
        }
    }

    /// - Returns: whether the step was recorded; it is not recorded if the object has changed since it was read.
    mutating func accept(
        _ outcome: SyncStepOutcome,
        of remote: RemoteObject,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> Bool {
        guard case .recorded = outcome else {
            self.changedDuringSync.insert(remote.uid.exact)
            return false
        }
        try self.recordOverrides(of: remote, in: transaction)
        return true
    }

    func recordOverrides(of remote: RemoteObject, in transaction: StoreTransaction) throws(DatabaseError) {
        guard self.knowsOverrides else { return }
        try transaction.setOverrides(remote.overrides, of: remote.uid, at: remote.href, in: self.context.list)
    }

    mutating func record(
        _ conflicts: [PropertyConflict],
        of object: ObjectID,
        uid: String,
        in list: ListID,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        for conflict in conflicts {
            let note = ConflictNote(conflict, of: object, uid: uid)
            try transaction.recordConflict(note, in: list, at: self.context.now)
            self.report.conflicts += 1
        }
    }

    /// - Returns: whether the reminder was deleted; it is not deleted if it has changed since it was read.
    func deleteHere(_ item: SyncItem, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        let before = try transaction.object(item.id)
        guard case .recorded = try transaction.recordRemoteDeletion(item.read, in: self.context.list) else {
            return false
        }
        if self.knowsOverrides { try transaction.forgetOverrides(of: item.uid, in: self.context.list) }
        let title = before?.index.title ?? ""
        var note = ChangeNote(object: item.id, uid: item.uid, title: title, side: .local, kind: .deleted)
        note.before = before?.source
        try self.context.journal(note, in: transaction)
        return true
    }

    /// Makes the next sync request a full listing and read unreadable resources again; one of them may have this UID.
    mutating func listAgain(for uid: String) throws(DatabaseError) {
        self.changedDuringSync.insert(uid.exact)
        let list = self.context.list
        try self.context.record { transaction throws(DatabaseError) in
            for other in try transaction.unreadable(in: list) { try transaction.clearUnreadable(other.href, in: list) }
            try transaction.saveToken(nil, ctag: nil, of: list)
        }
    }

    /// Stores a remote object in place of the local one; if `text` is not `nil`, it is stored as the local text.
    /// - Parameter recordsOverrides: `false` if `remote` was read without the override resources of its series.
    /// - Returns: `nil` when the local object has changed since it was read.
    mutating func write(
        _ remote: RemoteObject,
        keeping text: CalendarObject? = nil,
        isToBeSent: Bool = true,
        recordsOverrides: Bool = true,
        over item: SyncItem?,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> (id: ObjectID, text: PulledObject)? {
        let (list, base) = (self.context.list, remote.object.document.bytes)
        let pulled = PulledObject(
            uid: remote.uid,
            href: remote.href,
            etag: remote.etag,
            text.map(self.context.stored) ?? remote.stored ?? self.context.stored(remote.object)
        )
        let outcome =
            if text != nil, let read = item?.read {
                try transaction.recordMerged(pulled, in: list, replacing: read, base: base, isToBeSent: isToBeSent)
            } else {
                try transaction.recordPulled(pulled, in: list, replacing: item?.read)
            }
        guard case .recorded(let id) = outcome else {
            self.changedDuringSync.insert(remote.uid.exact)
            return nil
        }
        if recordsOverrides { try self.recordOverrides(of: remote, in: transaction) }
        return (id, pulled)
    }

    /// Whether the server's object has the same meaning as the locally deleted one with its UID; `false` without one.
    ///
    /// An interrupted sync may have sent the last local text without recording it. So the server's object may equal
    /// this text or the base.
    func isAsDeleted(_ object: RemoteObject) throws(DatabaseError) -> Bool {
        try self.context.store.read { snapshot throws(DatabaseError) in
            guard let texts = try snapshot.textsOfTombstone(in: self.context.list, uid: object.uid) else {
                return false
            }
            return [texts.base, texts.source].compactMap { $0 }.contains { text in
                CalendarObject(text)?.meaning == object.object.meaning
            }
        }
    }
}

extension SyncItem {
    var read: ReadObject { ReadObject(self.id, revision: self.revision) }
}

extension ConflictNote {
    init(_ conflict: PropertyConflict, of object: ObjectID, uid: String) {
        let isLocalWinner = conflict.winner == .local
        let losing = isLocalWinner ? conflict.remote : conflict.local
        self.init(
            object: object,
            uid: uid,
            property: conflict.property,
            losingText: losing.text,
            winningText: (isLocalWinner ? conflict.local : conflict.remote).text,
            losingSide: isLocalWinner ? .remote : .local,
            component: conflict.component.keys,
            losingLines: losing.lines
        )
    }
}
