import ICalendar
import Reminders
import Resources
import Store

// Remote changes, recorded in the store.
extension SyncRecorder {
    /// Records a remote object that replaces an unchanged local item, or is new here.
    mutating func record(
        pull remote: RemoteObject,
        replacing item: SyncItem?,
        _ evidence: UploadEvidence,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        if let item, try self.confirmUpload(of: item, remote, evidence, in: transaction) { return }
        let list = self.context.list
        var kept: CalendarObject?
        var before: [UInt8]?
        if let item, let texts = try transaction.texts(of: item.id) {
            before = texts.source
            kept = try self.keptText(texts, of: item, over: remote, in: transaction)
            try self.recordDropped(from: texts.base ?? texts.source, of: item, in: remote, transaction)
        }
        let pulled = self.pulled(remote, text: kept)
        let read = item.map { ReadObject($0.id, revision: $0.revision) }
        let outcome =
            if kept != nil, let read {
                try transaction.recordMerged(
                    pulled,
                    in: list,
                    replacing: read,
                    base: remote.object.document.bytes,
                    isToBeSent: false
                )
            } else {
                try transaction.recordPulled(pulled, in: list, replacing: read)
            }
        guard try self.accept(outcome, of: remote, in: transaction), case .recorded(let id) = outcome else { return }
        // A new version with the same meaning, as after a move, is no change.
        let known = CalendarObject(before)
        guard known == nil || known?.meaning != (kept ?? remote.object).meaning else { return }
        self.report.pulled += 1
        let kind: ChangeKind = before == nil ? .added : .changed
        let after = before == nil ? nil : pulled.source
        var note = ChangeNote(local: pulled, id, kind, before: before, after: after)
        if kind == .added, evidence.isFirstComparison { note.origin = list }
        try self.context.journal(note, in: transaction)
    }

    /// Records an item that was changed on both sides: decides, then writes.
    mutating func record(
        merge remote: RemoteObject,
        with item: SyncItem,
        _ evidence: UploadEvidence,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let texts = try transaction.texts(of: item.id),
            let local = CalendarObject(texts.source)
        else {
            // Deleted here during the sync: its tombstone does not know this version of the server.
            self.changedDuringSync.insert(remote.uid.exact)
            return
        }
        let read = ReadObject(item.id, revision: item.revision)
        switch MergeDecision.withoutMerge(local, base: texts.base, of: item, over: remote, evidence) {
        case .confirmSent(let kept):
            return try self.confirmSent(item, as: remote, keeping: kept, texts, evidence, in: transaction)
        case .some:
            let bytes = remote.object.document.bytes
            let pulled = self.pulled(remote, text: local)
            let outcome = try transaction.recordMerged(pulled, in: self.context.list, replacing: read, base: bytes)
            _ = try self.accept(outcome, of: remote, in: transaction)
            return
        case nil: break
        }
        try self.recordDropped(from: texts.base, of: item, in: remote, transaction)
        // Both sides had an item that another program moved here in the list from which it came.
        var agreed = texts.base
        if agreed == nil {
            agreed = try transaction.baseBeforeMove(of: item.id, to: self.context.list, uid: item.uid)
        }
        let base = CalendarObject(agreed)
        let pulled: PulledObject
        let conflicts: [PropertyConflict]
        let outcome: SyncStepOutcome
        switch MergeDecision.merging(local, base: base, remote: remote.object, policy: self.context.policy) {
        case .takeRemote(let found):
            (pulled, conflicts) = (self.pulled(remote), found)
            outcome = try transaction.recordPulled(pulled, in: self.context.list, replacing: read)
        case .writeMerged(let merged, let found):
            (pulled, conflicts) = (self.pulled(remote, text: merged), found)
            let bytes = remote.object.document.bytes
            outcome = try transaction.recordMerged(pulled, in: self.context.list, replacing: read, base: bytes)
        case .postpone, .confirmSent, .keepLocal:
            self.changedDuringSync.insert(remote.uid.exact)
            return
        }
        guard try self.accept(outcome, of: remote, in: transaction) else { return }
        // A server that failed and still has the agreed text has changed nothing.
        if base?.meaning != remote.object.meaning {
            self.report.merged += 1
            let note = ChangeNote(local: pulled, item.id, .merged, before: texts.source, after: pulled.source)
            try self.context.journal(note, in: transaction)
        }
        try self.record(conflicts, of: item.id, uid: item.uid, in: self.context.list, transaction)
    }

    /// Records that the server has the local text, and writes the journal entry that the interrupted sync did not write.
    ///
    /// Another program may have written data around the to-do since.
    private mutating func confirmSent(
        _ item: SyncItem,
        as remote: RemoteObject,
        keeping kept: CalendarObject?,
        _ texts: ObjectTexts,
        _ evidence: UploadEvidence,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let list = self.context.list
        let read = ReadObject(item.id, revision: item.revision)
        let place = try transaction.object(item.id)?.href
        let bytes = remote.object.document.bytes
        let outcome =
            if bytes == texts.source {
                try transaction.recordPushed(read, in: list, href: remote.href, etag: remote.etag, base: bytes)
            } else if let kept {
                try transaction.recordMerged(
                    self.pulled(remote, text: kept),
                    in: list,
                    replacing: read,
                    base: bytes,
                    isToBeSent: false
                )
            } else {
                try transaction.recordPulled(self.pulled(remote), in: list, replacing: read)
            }
        _ = try self.accept(outcome, of: remote, in: transaction)
        if let base = texts.base {
            guard CalendarObject(base)?.meaning != remote.object.meaning else { return }
            try self.context.journalChange(of: item, from: base, to: bytes, in: transaction)
        } else {
            // A new item was sent from here if it is at the address that was reserved for it.
            let isThere = place.map { self.context.key(of: $0) == self.context.key(of: remote.href) } ?? false
            guard evidence.uploadedInBulk.contains(remote.uid.exact) || isThere else { return }
            try self.context.journalAddition(of: item, in: transaction)
        }
        self.report.pushed += 1
    }

    // MARK: Own texts that the server altered while it stored them

    /// The text to keep for an item without local changes, where the server's version has altered own values.
    ///
    /// Radicale shortens some values in every write. The next version of such a text is merged with the kept text, and
    /// is not sent: the server would alter it again.
    ///
    /// - Returns: `nil` to take the server's text.
    private func keptText(
        _ texts: ObjectTexts,
        of item: SyncItem,
        over remote: RemoteObject,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> CalendarObject? {
        guard !item.isDirty, item.wasThere, let own = CalendarObject(texts.source) else {
            return nil
        }
        if let base = texts.base, base != texts.source, let agreed = CalendarObject(base) {
            let merged = ThreeWayMerge.merge(base: agreed, local: own, remote: remote.object, policy: .server)
            return CalendarObject(merged.document)
        }
        guard item.etag == nil, try self.isOwn(texts.source, own, item, remote, in: transaction) else { return nil }
        return OwnValues.put(from: own, into: remote.object)
    }

    /// Whether the server's version is derived from a text that was sent from here.
    private func isOwn(
        _ sent: [UInt8],
        _ own: CalendarObject,
        _ item: SyncItem,
        _ remote: RemoteObject,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> Bool {
        guard own.main.lastChange == remote.object.main.lastChange,
            let sending = try transaction.sendings(of: item.id, in: self.context.list).first?.note
        else { return false }
        return sending.kind == .added || sending.after == sent
    }

    /// Keeps properties that the server dropped from a local text as conflicts, and remembers their names.
    ///
    /// - Parameters:
    ///   - sent: the text that was sent, without a version from the server.
    ///   - remote: the text that the server stored.
    private mutating func recordDropped(
        from sent: [UInt8]?,
        of item: SyncItem,
        in remote: RemoteObject,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard item.etag == nil, item.wasThere, let sent, let own = CalendarObject(ICalendarDocument(sent)),
            try self.isOwn(sent, own, item, remote, in: transaction)
        else { return }
        let dropped = DroppedProperties.conflicts(sent: own, stored: remote.object)
        try self.record(dropped, of: item.id, uid: item.uid, in: self.context.list, transaction)
        self.report.notKept.formUnion(dropped.map(\.property))
    }
}
