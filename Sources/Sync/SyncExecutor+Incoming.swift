import ICalendar
import Store

// What the server has changed, recorded here.
extension SyncExecutor {
    mutating func recordRemoteChanges(_ plan: SyncPlan) throws {
        try self.inBatches(plan.pulls) { executor, pull, transaction throws(DatabaseError) in
            try executor.record(pull: pull.remote, replacing: pull.local, in: transaction)
        }
        try self.inBatches(plan.merges) { executor, merge, transaction throws(DatabaseError) in
            try executor.record(merge: merge.remote, with: merge.local, in: transaction)
        }
        try self.inBatches(plan.localDeletions) { executor, item, transaction throws(DatabaseError) in
            let read = ReadObject(item.id, revision: item.revision)
            if case .recorded = try transaction.recordRemoteDeletion(read, in: executor.list) {
                executor.report.deletedLocally += 1
            }
        }
        try self.inBatches(plan.forgotten) { executor, tombstone, transaction throws(DatabaseError) in
            try transaction.forgetTombstone(in: executor.list, uid: tombstone.uid)
        }
        try self.inBatches(plan.unreadable) { executor, item, transaction throws(DatabaseError) in
            try transaction.setUnreadable(item, in: executor.list)
        }
        try self.inBatches(plan.vanishedUnreadable) { executor, href, transaction throws(DatabaseError) in
            try transaction.clearUnreadable(href, in: executor.list)
        }
    }

    mutating func record(
        pull remote: RemoteObject,
        replacing item: SyncItem?,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let pulled = self.pulled(remote, text: remote.object)
        let read = item.map { ReadObject($0.id, revision: $0.revision) }
        if case .recorded = try transaction.recordPulled(pulled, in: self.list, replacing: read) {
            self.report.pulled += 1
        } else {
            self.unsettled.insert(remote.uid)
        }
        try transaction.clearUnreadable(remote.href, in: self.list)
    }

    /// Both versions in one, and what was overruled in the journal.
    mutating func record(
        merge remote: RemoteObject,
        with item: SyncItem,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let texts = try transaction.texts(of: item.id),
            let local = CalendarObject(ICalendarDocument(texts.source))
        else { return }
        let read = ReadObject(item.id, revision: item.revision)
        if local.meaning == remote.object.meaning {
            // The server has it already: a run was broken off between sending and recording.
            let outcome = try transaction.recordPushed(
                read,
                in: self.list,
                href: remote.href,
                etag: remote.etag,
                base: remote.object.document.bytes
            )
            if case .recorded = outcome {} else { self.unsettled.insert(remote.uid) }
            return
        }
        let base = texts.base.flatMap { CalendarObject(ICalendarDocument($0)) }
        let result = ThreeWayMerge.merge(base: base, local: local, remote: remote.object)
        guard let merged = CalendarObject(result.document) else { return }
        let pulled = self.pulled(remote, text: merged)
        let outcome =
            if merged.meaning == remote.object.meaning {
                try transaction.recordPulled(pulled, in: self.list, replacing: read)
            } else {
                try transaction.recordMerged(
                    pulled,
                    in: self.list,
                    replacing: read,
                    base: remote.object.document.bytes
                )
            }
        guard case .recorded = outcome else {
            self.unsettled.insert(remote.uid)
            return
        }
        self.report.merged += 1
        for clash in result.clashes {
            try transaction.recordConflict(self.note(clash, item.id, uid: item.uid), in: self.list, at: self.now)
            self.report.conflicts += 1
        }
    }

    func note(_ clash: Clash, _ object: ObjectID, uid: String) -> ConflictNote {
        let isLocalWinner = clash.winner == .local
        return ConflictNote(
            object: object,
            uid: uid,
            property: clash.property,
            losingText: isLocalWinner ? clash.remoteValue : clash.localValue,
            winningText: isLocalWinner ? clash.localValue : clash.remoteValue,
            losingSide: isLocalWinner ? .remote : .local
        )
    }

    func pulled(_ remote: RemoteObject, text: CalendarObject) -> PulledObject {
        PulledObject(
            uid: remote.uid,
            href: remote.href,
            etag: remote.etag,
            source: text.document.bytes,
            index: self.index(text)
        )
    }

    /// Sees to an item that was changed here and that the server no longer has in this list.
    ///
    /// Where somebody has moved it to another list of the account, the change goes there; otherwise it is sent as a new
    /// item, since an edit beats a deletion.
    mutating func revive(_ item: SyncItem, in transaction: StoreTransaction) throws(DatabaseError) {
        guard let moved = try self.movedObject(item.uid, in: transaction),
            let texts = try transaction.texts(of: item.id),
            let local = CalendarObject(ICalendarDocument(texts.source)),
            let other = CalendarObject(ICalendarDocument(moved.source))
        else { return try transaction.forgetRemote(item.id, in: self.list) }
        let base = texts.base.flatMap { CalendarObject(ICalendarDocument($0)) }
        let result = ThreeWayMerge.merge(base: base, local: local, remote: other)
        guard let merged = CalendarObject(result.document) else { return }
        let read = ReadObject(item.id, revision: item.revision)
        guard case .recorded = try transaction.recordRemoteDeletion(read, in: self.list) else { return }
        if merged.meaning != other.meaning {
            try transaction.update(moved.id, source: result.document.bytes, index: self.index(merged))
        }
        self.report.merged += 1
        for clash in result.clashes {
            try transaction.recordConflict(self.note(clash, moved.id, uid: item.uid), in: moved.list, at: self.now)
            self.report.conflicts += 1
        }
    }

    /// The object of that UID in another list of the same account.
    func movedObject(_ uid: String, in transaction: StoreTransaction) throws(DatabaseError) -> ObjectRecord? {
        let account = try transaction.list(self.list)?.account
        for list in try transaction.lists() where list.account == account && list.id != self.list {
            guard list.state == .synced, !list.isReadOnly else { continue }
            if let object = try transaction.object(in: list.id, uid: uid), object.etag != nil { return object }
        }
        return nil
    }
}
