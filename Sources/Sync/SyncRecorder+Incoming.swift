import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore

extension SyncRecorder {
    /// Records a remote object that is new in the store, or that replaces a reminder without local changes.
    mutating func record(
        pull remote: RemoteObject,
        replacing item: SyncItem?,
        _ evidence: UploadEvidence,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        if let item, try self.confirmUpload(of: item, remote, evidence, in: transaction) { return }
        var (kept, before) = (CalendarObject?.none, [UInt8]?.none)
        if let item, let texts = try transaction.texts(of: item.id) {
            before = texts.source
            kept = try self.keptText(texts, of: item, over: remote, in: transaction)
            try self.recordDropped(from: texts.base ?? texts.source, of: item, in: remote, transaction)
        }
        let written = try self.write(remote, keeping: kept, isToBeSent: false, over: item, in: transaction)
        guard let (id, pulled) = written else { return }
        // A new entity tag with the same content, for example after a move, is no change for the user.
        let known = CalendarObject(before)
        guard known == nil || known?.meaning != (kept ?? remote.object).meaning else { return }
        self.report.pulled += 1
        var note = ChangeNote(object: id, uid: pulled.uid, title: pulled.object.index.title, side: .local, kind: .added)
        if before != nil { (note.kind, note.before, note.after) = (.changed, before, pulled.object.source) }
        if before == nil, evidence.isFirstComparison { note.origin = self.context.list }
        try self.context.journal(note, in: transaction)
    }

    mutating func record(
        merge remote: RemoteObject,
        with item: SyncItem,
        _ evidence: UploadEvidence,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let texts = try transaction.texts(of: item.id),
            let local = CalendarObject(texts.source)
        else {
            // The reminder was deleted locally during the sync. Its tombstone has an older version from the server, so
            // the next sync decides.
            self.changedDuringSync.insert(remote.uid.exact)
            return
        }
        switch MergeDecision.withoutMerge(local, base: texts.base, of: item, over: remote, evidence) {
        case .confirmSent(let kept):
            return try self.confirmSent(item, as: remote, keeping: kept, texts, evidence, in: transaction)
        case .some:
            _ = try self.write(remote, keeping: local, over: item, in: transaction)
            return
        case nil: break
        }
        try self.recordDropped(from: texts.base, of: item, in: remote, transaction)
        // If the reminder was moved to this list locally, the tombstone in the former list has its base.
        let list = self.context.list
        var agreed = texts.base
        if agreed == nil { agreed = try transaction.baseBeforeMove(of: item.id, to: list, uid: item.uid) }
        let base = CalendarObject(agreed)
        let (merged, conflicts): (CalendarObject?, [PropertyConflict])
        switch MergeDecision.merging(local, base: base, remote: remote.object, policy: self.context.policy) {
        case .acceptRemote(let found): (merged, conflicts) = (nil, found)
        case .writeMerged(let text, let found): (merged, conflicts) = (text, found)
        case .postpone, .confirmSent, .keepLocal:
            self.changedDuringSync.insert(remote.uid.exact)
            return
        }
        guard let (_, pulled) = try self.write(remote, keeping: merged, over: item, in: transaction) else { return }
        // If the server still has the base, its version has not changed, and there is nothing to report.
        if base?.meaning != remote.object.meaning {
            self.report.merged += 1
            let title = pulled.object.index.title
            var note = ChangeNote(object: item.id, uid: pulled.uid, title: title, side: .local, kind: .merged)
            (note.before, note.after) = (texts.source, pulled.object.source)
            try self.context.journal(note, in: transaction)
        }
        try self.record(conflicts, of: item.id, uid: item.uid, in: list, transaction)
    }

    /// Records that the server has the local text, and writes the journal entry that an interrupted sync did not write.
    ///
    /// Another program may have changed the calendar around the to-do, so the server's bytes may differ.
    private mutating func confirmSent(
        _ item: SyncItem,
        as remote: RemoteObject,
        keeping kept: CalendarObject?,
        _ texts: ObjectTexts,
        _ evidence: UploadEvidence,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let place = try transaction.object(item.id)?.href
        let (list, bytes) = (self.context.list, remote.object.document.bytes)
        if bytes == texts.source {
            let (href, etag) = (remote.href, remote.etag)
            let outcome = try transaction.recordPushed(item.read, in: list, href: href, etag: etag, base: bytes)
            _ = try self.accept(outcome, of: remote, in: transaction)
        } else {
            _ = try self.write(remote, keeping: kept, isToBeSent: false, over: item, in: transaction)
        }
        if let base = texts.base {
            guard CalendarObject(base)?.meaning != remote.object.meaning else { return }
            try self.context.journalUpload(of: item, replacing: base, by: bytes, in: transaction)
        } else {
            // If a new reminder is at the address that was reserved for it, this program sent it.
            let isThere = place.map { self.context.key(of: $0) == self.context.key(of: remote.href) } ?? false
            guard evidence.uploadedInBulk.contains(remote.uid.exact) || isThere else { return }
            try self.context.journalUpload(of: item, in: transaction)
        }
        self.report.pushed += 1
    }

    // MARK: Sent texts that the server altered

    /// The text to store for a reminder without local changes if the server shortened values of the sent text.
    ///
    /// Radicale shortens some values in every write. So the server's next version is merged with the stored text, which
    /// still has the full values. The result is not sent, because the server would shorten it again.
    /// - Returns: `nil` means that the server's text is stored.
    private func keptText(
        _ texts: ObjectTexts,
        of item: SyncItem,
        over remote: RemoteObject,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> CalendarObject? {
        guard !item.isDirty, item.wasThere, let own = CalendarObject(texts.source) else { return nil }
        if let base = texts.base, base != texts.source, let agreed = CalendarObject(base) {
            let merged = ThreeWayMerge.merge(base: agreed, local: own, remote: remote.object, policy: .server)
            return CalendarObject(merged.document)
        }
        guard item.etag == nil, try self.isOwn(texts.source, own, item, remote, in: transaction) else { return nil }
        return OwnValues.put(from: own, into: remote.object)
    }

    /// Whether the server's version comes from a text that this program sent.
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

    /// Records the properties that the server dropped from `sent` as conflicts.
    ///
    /// The server can have altered the text only if it answered the upload without an entity tag.
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
