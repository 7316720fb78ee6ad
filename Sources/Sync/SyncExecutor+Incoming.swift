import ICalendar
import Reminders
import Store

// What the server has changed, recorded here.
extension SyncExecutor {
    /// What is there and could be read.
    mutating func takeOver(_ plan: SyncPlan) throws {
        try self.inBatches(plan.pulls) { executor, pull, transaction throws(DatabaseError) in
            let before = executor.report.pulled
            try executor.record(pull: pull.remote, replacing: pull.local, in: transaction)
            let isTaken = executor.report.pulled > before
            if isTaken, plan.returned.contains(pull.remote.uid.exact) { executor.report.returned += 1 }
        }
        try self.inBatches(plan.merges) { executor, merge, transaction throws(DatabaseError) in
            try executor.record(merge: merge.remote, with: merge.local, in: transaction)
        }
        try self.inBatches(plan.carried) { executor, item, transaction throws(DatabaseError) in
            try executor.carry(item.remote, from: item.tombstone, in: transaction)
        }
        try self.inBatches(plan.refreshed) { executor, item, transaction throws(DatabaseError) in
            try executor.recordOverrides(of: item.remote, in: transaction)
            // The server does not tell of it again, and the deletion may have to wait.
            if let etag = item.remote.etag {
                try transaction.setVersion(etag, of: item.tombstone, in: executor.list)
            } else {
                executor.unnamed.insert(item.remote.uid.exact)
            }
        }
        try self.inBatches(plan.unreadable) { executor, item, transaction throws(DatabaseError) in
            try transaction.setUnreadable(item, in: executor.list)
        }
    }

    /// What is there no more; said by the plan that has seen everything.
    mutating func acceptAbsence(_ plan: SyncPlan) throws(DatabaseError) {
        try self.inBatches(plan.localDeletions) { executor, item, transaction throws(DatabaseError) in
            if try executor.deleteHere(item, in: transaction) { executor.report.deletedLocally += 1 }
        }
        try self.inBatches(plan.forgotten) { executor, tombstone, transaction throws(DatabaseError) in
            try transaction.forget(tombstone, in: executor.list)
        }
        try self.inBatches(plan.vanishedUnreadable) { executor, href, transaction throws(DatabaseError) in
            try transaction.clearUnreadable(href, in: executor.list)
        }
        try self.inBatches(plan.vanishedOverrides) { executor, override, transaction throws(DatabaseError) in
            try transaction.forgetOverride(override, in: executor.list)
        }
        self.unsettled.formUnion(plan.postponed)
    }

    mutating func record(
        pull remote: RemoteObject,
        replacing item: SyncItem?,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        if let item, try self.confirm(remote, item, in: transaction) { return }
        var kept: CalendarObject?
        if let item, let texts = try transaction.texts(of: item.id) {
            kept = try self.ownText(texts, of: item, over: remote, in: transaction)
            try self.keepDropped(from: texts.base ?? texts.source, of: item, in: remote, transaction)
        }
        let pulled = kept.map { self.pulled(remote, text: $0) } ?? self.pulled(remote)
        let read = item.map { ReadObject($0.id, revision: $0.revision) }
        let before = if let item { try transaction.texts(of: item.id)?.source } else { [UInt8]?.none }
        let outcome =
            if kept != nil, let read {
                try transaction.recordMerged(
                    pulled,
                    in: self.list,
                    replacing: read,
                    base: remote.object.document.bytes,
                    isToBeSent: false
                )
            } else {
                try transaction.recordPulled(pulled, in: self.list, replacing: read)
            }
        if case .recorded(let id) = outcome {
            try self.recordOverrides(of: remote, in: transaction)
            // A new version that says the same, as after a move: nobody has changed anything.
            let known = before.flatMap { CalendarObject(ICalendarDocument($0)) }
            guard known == nil || known?.meaning != (kept ?? remote.object).meaning else { return }
            self.report.pulled += 1
            let kind: ChangeKind = before == nil ? .added : .changed
            let after = before == nil ? nil : pulled.source
            var note = Self.note(pulled, id, kind, before: before, after: after)
            if kind == .added, self.isNewHere { note.origin = self.list }
            try self.journal(note, in: transaction)
        } else {
            self.unsettled.insert(remote.uid.exact)
        }
    }

    /// Both versions in one, and what was overruled in the journal.
    mutating func record(
        merge remote: RemoteObject,
        with item: SyncItem,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let texts = try transaction.texts(of: item.id),
            let local = CalendarObject(ICalendarDocument(texts.source))
        else {
            // Deleted here meanwhile: its tombstone has not seen this version of the server.
            self.unsettled.insert(remote.uid.exact)
            return
        }
        let read = ReadObject(item.id, revision: item.revision)
        let own = OwnValues.put(from: local, into: remote.object)
        if local.meaning == remote.object.meaning || self.isStoredShortened(local, own, texts.base, as: remote) {
            let place = try transaction.object(item.id)?.href
            // The server has it already: a run was broken off between sending and recording. Around the to-do there may
            // be what somebody else has written since.
            let bytes = remote.object.document.bytes
            let outcome =
                if bytes == texts.source {
                    try transaction.recordPushed(
                        read,
                        in: self.list,
                        href: remote.href,
                        etag: remote.etag,
                        base: bytes
                    )
                } else if let own {
                    try transaction.recordMerged(
                        self.pulled(remote, text: own),
                        in: self.list,
                        replacing: read,
                        base: bytes,
                        isToBeSent: false
                    )
                } else {
                    try transaction.recordPulled(
                        self.pulled(remote),
                        in: self.list,
                        replacing: read
                    )
                }
            if case .recorded = outcome {
                try self.recordOverrides(of: remote, in: transaction)
            } else {
                self.unsettled.insert(remote.uid.exact)
            }
            try self.journalUnrecorded(item, sentTo: place, as: remote, texts.base, in: transaction)
            return
        }
        if try self.keepOwnText(local, texts.base, of: item, over: remote, in: transaction) { return }
        try self.keepDropped(from: texts.base, of: item, in: remote, transaction)
        // What somebody else has moved here, too, both sides had in the list from which it came.
        let agreed =
            if let base = texts.base { base } else {
                try transaction.baseBeforeMove(of: item.id, to: self.list, uid: item.uid)
            }
        let base = agreed.flatMap { CalendarObject(ICalendarDocument($0)) }
        let result = ThreeWayMerge.merge(base: base, local: local, remote: remote.object, policy: self.policy)
        guard let merged = CalendarObject(result.document) else {
            self.unsettled.insert(remote.uid.exact)
            return
        }
        // Where nothing but stamps is left of what was changed here, there is nothing to send.
        let isTheirs = merged.unstampedMeaning == remote.object.unstampedMeaning
        let pulled = isTheirs ? self.pulled(remote) : self.pulled(remote, text: merged)
        let outcome =
            if isTheirs {
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
            self.unsettled.insert(remote.uid.exact)
            return
        }
        try self.recordOverrides(of: remote, in: transaction)
        // A server that failed and has what it had is no second side.
        if base?.meaning != remote.object.meaning {
            self.report.merged += 1
            try self.journal(
                Self.note(pulled, item.id, .merged, before: texts.source, after: pulled.source),
                in: transaction
            )
        }
        for clash in result.clashes {
            try transaction.recordConflict(self.note(clash, item.id, uid: item.uid), in: self.list, at: self.now)
            self.report.conflicts += 1
        }
    }

    /// Whether the server has the local text with shortened values: a run sent it and ended before it recorded that.
    ///
    /// - Parameters:
    ///   - own: the server's version with the values of this side.
    ///   - base: the agreed version; while the server has it, the local edit has not been sent.
    private func isStoredShortened(
        _ local: CalendarObject,
        _ own: CalendarObject?,
        _ base: [UInt8]?,
        as remote: RemoteObject
    ) -> Bool {
        // Items that a whole-list request shortened are sent again, one by one.
        guard !self.filled.contains(remote.uid.exact), let own, own.meaning == local.meaning else { return false }
        guard let base else { return true }
        return CalendarObject(ICalendarDocument(base))?.meaning != remote.object.meaning
    }

    /// Tells the journal of what was sent and not recorded: by a run that was broken off, or with a whole list at once.
    ///
    /// A new item was sent from here if it lies where it was to be sent to; a change, if it says the same to the second.
    private mutating func journalUnrecorded(
        _ item: SyncItem,
        sentTo place: Href?,
        as remote: RemoteObject,
        _ base: [UInt8]?,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        if let base {
            guard CalendarObject(ICalendarDocument(base))?.meaning != remote.object.meaning else { return }
            try self.journal(
                ChangeNote(
                    object: item.id,
                    uid: item.uid,
                    title: try transaction.title(of: item.id) ?? "",
                    side: .remote,
                    kind: .changed,
                    before: base,
                    after: remote.object.document.bytes
                ),
                in: transaction
            )
        } else {
            let isThere = place.map { self.remote.key(of: $0) == self.remote.key(of: remote.href) } ?? false
            guard self.filled.contains(remote.uid.exact) || isThere else { return }
            try self.journalAddition(of: item, in: transaction)
        }
        self.report.pushed += 1
    }

    /// - Returns: whether it was as it had been read, and is gone now.
    func deleteHere(_ item: SyncItem, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        let before = try transaction.object(item.id)
        let read = ReadObject(item.id, revision: item.revision)
        guard case .recorded = try transaction.recordRemoteDeletion(read, in: self.list) else { return false }
        if self.knowsOverrides { try transaction.forgetOverrides(of: item.uid, in: self.list) }
        try self.journal(
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

    static func note(
        _ pulled: PulledObject,
        _ id: ObjectID,
        _ kind: ChangeKind,
        before: [UInt8]?,
        after: [UInt8]?
    ) -> ChangeNote {
        ChangeNote(
            object: id,
            uid: pulled.uid,
            title: pulled.index.title,
            side: .local,
            kind: kind,
            before: before,
            after: after
        )
    }

    func note(_ clash: PropertyConflict, _ object: ObjectID, uid: String) -> ConflictNote {
        let isLocalWinner = clash.winner == .local
        return ConflictNote(
            object: object,
            uid: uid,
            property: clash.property,
            losingText: isLocalWinner ? clash.remoteValue : clash.localValue,
            winningText: isLocalWinner ? clash.localValue : clash.remoteValue,
            losingSide: isLocalWinner ? .remote : .local,
            component: clash.component.keys,
            losingLines: isLocalWinner ? clash.remoteLines : clash.localLines
        )
    }

    /// What is recorded of it as it is there.
    func pulled(_ remote: RemoteObject) -> PulledObject { self.pulled(remote, remote.object, index: remote.index) }

    /// What is recorded where it is there, with another text.
    func pulled(_ remote: RemoteObject, text: CalendarObject) -> PulledObject { self.pulled(remote, text, index: nil) }

    private func pulled(_ remote: RemoteObject, _ text: CalendarObject, index: ObjectIndex?) -> PulledObject {
        PulledObject(
            uid: remote.uid,
            href: remote.href,
            etag: remote.etag,
            source: text.document.bytes,
            index: index ?? self.index(text)
        )
    }

    /// Takes what somebody has changed in an item where it was to where it has been moved.
    mutating func carry(
        _ remote: RemoteObject,
        from tombstone: Tombstone,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let moved = try transaction.object(tombstone.object),
            let local = CalendarObject(ICalendarDocument(moved.source))
        else {
            // Deleted meanwhile where it was moved to, too; what somebody has changed is for the next run to see.
            self.unsettled.insert(remote.uid.exact)
            return
        }
        // Where it may have been sent already, by a run that did not come to record it, what lies there is compared first:
        // it knows nothing of what was changed here since, which would look as if somebody had taken it away.
        let sent = try transaction.texts(of: moved.id)?.base
        guard moved.href == nil || moved.etag != nil || sent != nil else {
            self.unsettled.insert(remote.uid.exact)
            return
        }
        let texts = try transaction.textsOfTombstone(in: self.list, uid: tombstone.uid)
        let base = texts?.base.flatMap { CalendarObject(ICalendarDocument($0)) }
        let result = ThreeWayMerge.merge(base: base, local: local, remote: remote.object, policy: self.policy)
        try self.take(result, into: moved, in: transaction)
        try self.recordOverrides(of: remote, in: transaction)
        // The tombstone now stands for this version.
        _ = try transaction.recordPushed(
            ReadObject(tombstone.object, revision: moved.revision),
            in: self.list,
            href: remote.href,
            etag: remote.etag,
            base: remote.object.document.bytes
        )
    }

    /// Sees to an item that was changed here and that the server no longer has in this list.
    ///
    /// Where somebody has moved it to another list of the account, the change goes there; otherwise it is sent as a new
    /// item, since an edit beats a deletion.
    ///
    /// - Returns: whether it is sent as a new one.
    @discardableResult
    mutating func revive(_ item: SyncItem, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        guard let moved = try self.movedObject(item, in: transaction),
            let texts = try transaction.texts(of: item.id),
            let local = CalendarObject(ICalendarDocument(texts.source)),
            let other = CalendarObject(ICalendarDocument(moved.source))
        else {
            try transaction.forgetRemote(item.id, in: self.list)
            return true
        }
        let base = texts.base.flatMap { CalendarObject(ICalendarDocument($0)) }
        let result = ThreeWayMerge.merge(base: base, local: local, remote: other, policy: self.policy)
        guard try self.deleteHere(item, in: transaction) else { return false }
        try self.take(result, into: moved, in: transaction)
        return false
    }

    /// Items that are new to the server in this list, and are the same as what another list has from it.
    ///
    /// Copies of occurrences that were completed here, where the same one was completed there as well: the series has been
    /// moved between these lists. And what this list had before it was deleted there, while an edit kept it here: another
    /// machine has kept it likewise, and moved it.
    ///
    /// Whoever puts a reminder into two lists himself puts the series, too, and is known to no journal.
    ///
    /// - Parameters:
    ///   - leaving: UIDs of series that are gone from this list there, and are about to leave it here.
    ///   - mayLeave: whether they do; else their copies wait with them.
    func keptElsewhere(
        _ items: [SyncItem],
        leaving: Set<ByteExactString>,
        mayLeave: Bool
    ) throws(DatabaseError) -> [SyncItem] {
        let new = items.filter { !$0.wasThere }
        guard !new.isEmpty else { return [] }
        return try self.store.read { snapshot throws(DatabaseError) in
            var found: [SyncItem] = []
            for item in new {
                if !mayLeave, try self.isCompleted(item, of: leaving, in: snapshot) {
                    found.append(item)
                } else if let other = try self.movedObject(item, in: snapshot) {
                    let isKept = try snapshot.wasSynchronized(item.id, uid: item.uid, in: self.list)
                    if try isKept ? true : self.isMadeElsewhere(item, as: other, leaving: leaving, in: snapshot) {
                        found.append(item)
                    }
                }
            }
            return found
        }
    }

    private func isCompleted(
        _ item: SyncItem,
        of leaving: Set<ByteExactString>,
        in transaction: StoreSnapshot
    ) throws(DatabaseError) -> Bool {
        guard !leaving.isEmpty, let copy = try transaction.texts(of: item.id)?.source else { return false }
        return Self.seriesOfCompleted(copy).map(leaving.contains) ?? false
    }

    private func isMadeElsewhere(
        _ item: SyncItem,
        as other: ObjectRecord,
        leaving: Set<ByteExactString>,
        in transaction: StoreSnapshot
    ) throws(DatabaseError) -> Bool {
        guard let copy = try transaction.texts(of: item.id)?.source,
            let series = Self.seriesOfCompleted(copy),
            series == Self.seriesOfCompleted(other.source)
        else { return false }
        let isStaying = !leaving.contains(series)
        let isSeriesHere = isStaying ? try transaction.object(in: self.list, uid: series.text) != nil : false
        let isSeriesThere = try transaction.object(in: other.list, uid: series.text) != nil
        return isSeriesHere != isSeriesThere
    }

    /// The UID of the series that a completed occurrence was taken out of.
    private static func seriesOfCompleted(_ source: [UInt8]) -> ByteExactString? {
        guard let todo = CalendarObject(ICalendarDocument(source))?.main, todo.status == .completed else { return nil }
        let relation = todo.all(.relatedTo).first { $0.parameter(.reltype)?.uppercased() == "SIBLING" }
        return relation?.text.exact
    }

    /// Writes both versions in one to where the item has been moved, and tells the journal.
    private mutating func take(
        _ result: MergeResult,
        into moved: ObjectRecord,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let merged = CalendarObject(result.document) else { return }
        // Also what is around the to-do, such as the name of its calendar, goes along.
        if result.document.bytes != moved.source {
            let index = self.index(merged)
            try transaction.update(moved.id, source: result.document.bytes, index: index)
            self.report.merged += 1
            try self.journal(
                ChangeNote(
                    object: moved.id,
                    uid: moved.uid,
                    title: index.title,
                    side: .local,
                    kind: .merged,
                    before: moved.source,
                    after: result.document.bytes
                ),
                in: transaction
            )
        }
        for clash in result.clashes {
            try transaction.recordConflict(self.note(clash, moved.id, uid: moved.uid), in: moved.list, at: self.now)
            self.report.conflicts += 1
        }
    }

    /// The object of another list of the same account with the UID of this item, after a move.
    ///
    /// An object that the server had beside the item is another one with the same UID: both stay.
    func movedObject(_ item: SyncItem, in transaction: StoreSnapshot) throws(DatabaseError) -> ObjectRecord? {
        let account = try transaction.list(self.list)?.account
        for list in try transaction.lists() where list.account == account && list.id != self.list {
            guard list.state == .synced, !list.isReadOnly else { continue }
            // What is clean, or has a base, is there, be it that the server told no version.
            guard let object = try transaction.object(in: list.id, uid: item.uid) else { continue }
            if object.etag == nil, object.isDirty, try transaction.texts(of: object.id)?.base == nil { continue }
            if try transaction.wereBeside(item, in: self.list, object, before: self.run) { continue }
            return object
        }
        return nil
    }
}
