import ICalendar
import Resources
import Store

/// The findings of one sync, and the functions that record remote objects on this side.
struct SyncRecorder: Sendable {
    let context: SyncContext
    var report = SyncReport()
    /// UIDs of items that changed here while the sync recorded them, or that could not be decided.
    ///
    /// They are not sent or deleted by this sync, and they keep its token, so that the next sync sees both versions.
    var changedDuringSync: Set<ByteExactString> = []
    /// UIDs of items that were deleted here, and of which the server has a version without an entity tag.
    var unnamedDeletions: Set<ByteExactString> = []
    /// Whether texts arrived incompletely, so that the token must not be saved.
    var hasCutTexts = false
    /// Whether a series of the list has overrides in resources of their own.
    var knowsOverrides = false

    init(_ context: SyncContext) { self.context = context }

    /// Records written in one transaction while no request is pending.
    static let recordsAtOnce = 500

    /// Calls the body for each element, many of them in one transaction.
    ///
    /// A transaction that fails leaves the recorder as it was before it.
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

    /// Adds the failures of a request for texts to the report, and those texts that arrived incompletely.
    ///
    /// Items with the UIDs of incomplete texts are not sent by this sync; the next sync fetches them again.
    mutating func noteFailures(of fetched: CheckedTexts) {
        for (href, error) in fetched.result.failures {
            self.report.failures.append(.init(id: nil, href: href, error: error))
        }
        for item in fetched.cut {
            self.hasCutTexts = true
            let error = RemoteError(.refused, CutText(item.href))
            self.report.failures.append(.init(id: nil, href: item.href, error: error))
            if let uid = CalendarObject(item.text)?.uid { self.changedDuringSync.insert(uid.exact) }
        }
    }

    /// Records the outcome of a step; the object may have changed since it was read.
    ///
    /// - Returns: whether the step was recorded.
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

    /// Remembers the resources that are part of a reminder, in the transaction that records it.
    func recordOverrides(of remote: RemoteObject, in transaction: StoreTransaction) throws(DatabaseError) {
        guard self.knowsOverrides else { return }
        try transaction.setOverrides(remote.overrides, of: remote.uid, at: remote.href, in: self.context.list)
    }

    /// Records conflicts of an object.
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

    /// Deletes an item that the server no longer has.
    ///
    /// - Returns: whether the item was unchanged since it was read, and is deleted now.
    func deleteHere(_ item: SyncItem, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        let before = try transaction.object(item.id)
        let read = ReadObject(item.id, revision: item.revision)
        guard case .recorded = try transaction.recordRemoteDeletion(read, in: self.context.list) else { return false }
        if self.knowsOverrides { try transaction.forgetOverrides(of: item.uid, in: self.context.list) }
        try self.context.journal(
            ChangeNote(
                object: item.id,
                uid: item.uid,
                title: before?.index.title ?? "",
                side: .local,
                kind: .deleted,
                before: before?.source
            ),
            in: transaction
        )
        return true
    }

    /// Makes the next sync list everything and read set-aside resources again: one of them may have the UID.
    mutating func listAgain(for uid: String) throws(DatabaseError) {
        self.changedDuringSync.insert(uid.exact)
        let list = self.context.list
        try self.context.record { transaction throws(DatabaseError) in
            for other in try transaction.unreadable(in: list) { try transaction.clearUnreadable(other.href, in: list) }
            try transaction.saveToken(nil, ctag: nil, of: list)
        }
    }

    /// The store's record of a remote object, with another text if one is given.
    func pulled(_ remote: RemoteObject, text: CalendarObject? = nil) -> PulledObject {
        PulledObject(
            uid: remote.uid,
            href: remote.href,
            etag: remote.etag,
            source: (text ?? remote.object).document.bytes,
            index: text.map(self.context.index) ?? remote.index ?? self.context.index(remote.object)
        )
    }

    /// Whether an item of the server has the same meaning as when it was deleted here; `false` if it was not deleted.
    ///
    /// An interrupted sync may have sent the last local text without recording it, so both texts count.
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

extension ChangeNote {
    init(local pulled: PulledObject, _ id: ObjectID, _ kind: ChangeKind, before: [UInt8]?, after: [UInt8]?) {
        self.init(
            object: id,
            uid: pulled.uid,
            title: pulled.index.title,
            side: .local,
            kind: kind,
            before: before,
            after: after
        )
    }
}

extension ConflictNote {
    /// A conflict of one property, with the value that lost.
    init(_ conflict: PropertyConflict, of object: ObjectID, uid: String) {
        let isLocalWinner = conflict.winner == .local
        self.init(
            object: object,
            uid: uid,
            property: conflict.property,
            losingText: isLocalWinner ? conflict.remoteValue : conflict.localValue,
            winningText: isLocalWinner ? conflict.localValue : conflict.remoteValue,
            losingSide: isLocalWinner ? .remote : .local,
            component: conflict.component.keys,
            losingLines: isLocalWinner ? conflict.remoteLines : conflict.localLines
        )
    }
}
