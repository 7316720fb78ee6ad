import ICalendar
import Reminders
import Store

// Items that another program, or a person here, moved between two lists of the account while they were edited.

extension ThreeWayMerge {
    /// Merges an edit and a change of one item that is in two lists; `nil` when there is nothing to merge yet.
    ///
    /// - Parameter isUnrecorded: whether an interrupted sync may have sent the local text to its list. It is then compared
    ///   with the server first: that copy has no later local changes, which would look like removals.
    static func acrossLists(
        base: [UInt8]?,
        local: [UInt8]?,
        remote: [UInt8]?,
        isUnrecorded: Bool = false,
        policy: ConflictPolicy
    ) -> MergeResult? {
        guard !isUnrecorded, let local = CalendarObject(local), let remote = CalendarObject(remote) else { return nil }
        return self.merge(base: CalendarObject(base), local: local, remote: remote, policy: policy)
    }
}

/// Facts about an item that is new to the server in this list, for the decision whether another list has it already.
struct NewItemFacts {
    /// The UID of the series of a completed occurrence; `nil` for every other item.
    var series: ByteExactString?
    /// The item with the same UID in another list of the account.
    var copy: Copy?
    /// Whether the item was synchronized in this list before it was deleted on the server.
    var wasSynchronized = false
    var isSeriesHere = false

    struct Copy {
        var series: ByteExactString?
        var isSeriesThere = false
    }

    /// Whether the item must not be sent as new, because another list has it from the server.
    ///
    /// Two cases: a copy of a completed occurrence, completed on two machines while the series was moved between these
    /// lists; and an item that an edit kept here after its deletion, which another machine kept and moved likewise. A
    /// person with a reminder in two lists has the series in both, and no journal has the item.
    ///
    /// - Parameters:
    ///   - leaving: UIDs of series that the server no longer has in this list, and that are about to leave it here.
    ///   - mayLeave: whether they leave it in this sync; otherwise their copies wait with them.
    func isKeptElsewhere(leaving: Set<ByteExactString>, mayLeave: Bool) -> Bool {
        if !mayLeave, let series, leaving.contains(series) { return true }
        guard let copy else { return false }
        if self.wasSynchronized { return true }
        guard let series, series == copy.series else { return false }
        return (self.isSeriesHere && !leaving.contains(series)) != copy.isSeriesThere
    }

    /// The UID of the series of a completed occurrence.
    static func seriesOfCompleted(_ source: [UInt8]) -> ByteExactString? {
        guard let todo = CalendarObject(ICalendarDocument(source))?.main, todo.status == .completed else { return nil }
        let relation = todo.all(.relatedTo).first { $0.parameter(.reltype)?.uppercased() == "SIBLING" }
        return relation?.text.exact
    }
}

extension SyncContext {
    /// New items that another list of the account has from the server.
    func keptElsewhere(_ items: [SyncItem], leaving: Set<ByteExactString>, mayLeave: Bool) throws -> [SyncItem] {
        let new = items.filter { !$0.wasThere }
        guard !new.isEmpty else { return [] }
        return try self.store.read { snapshot in
            try new.filter { item in
                let facts = try self.facts(about: item, readsSeries: !mayLeave && !leaving.isEmpty, in: snapshot)
                return facts.isKeptElsewhere(leaving: leaving, mayLeave: mayLeave)
            }
        }
    }

    /// - Parameter readsSeries: whether the series is needed although no other list has the item.
    private func facts(
        about item: SyncItem,
        readsSeries: Bool,
        in snapshot: StoreSnapshot
    ) throws(DatabaseError) -> NewItemFacts {
        var facts = NewItemFacts()
        let other = try self.movedObject(item, in: snapshot)
        guard other != nil || readsSeries else { return facts }
        facts.series = try snapshot.texts(of: item.id).flatMap { NewItemFacts.seriesOfCompleted($0.source) }
        guard let other else { return facts }
        facts.wasSynchronized = try snapshot.wasSynchronized(item.id, uid: item.uid, in: self.list)
        var copy = NewItemFacts.Copy(series: NewItemFacts.seriesOfCompleted(other.source))
        if let series = facts.series {
            facts.isSeriesHere = try snapshot.object(in: self.list, uid: series.text) != nil
            copy.isSeriesThere = try snapshot.object(in: other.list, uid: series.text) != nil
        }
        facts.copy = copy
        return facts
    }
}

extension SyncRecorder {
    /// Prepares an edited item that the server no longer has: for sending, or in its other list.
    ///
    /// - Returns: whether it is sent as new.
    @discardableResult
    mutating func recreate(_ item: SyncItem, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        let copy = try self.context.movedObject(item, in: transaction)
        let texts = copy == nil ? nil : try transaction.texts(of: item.id)
        let (base, local, policy) = (texts?.base, texts?.source, self.context.policy)
        // An edit overrides a deletion; the edit of a moved item belongs to its copy.
        guard let copy,
            let result = ThreeWayMerge.acrossLists(base: base, local: local, remote: copy.source, policy: policy)
        else {
            try transaction.forgetRemote(item.id, in: self.context.list)
            return true
        }
        if try self.deleteHere(item, in: transaction) { try self.write(result, into: copy, in: transaction) }
        return false
    }

    /// Merges a remote change into the copy of an item that was moved to another list here.
    mutating func applyToMovedCopy(
        _ remote: RemoteObject,
        from tombstone: Tombstone,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let (list, copy) = (self.context.list, try transaction.object(tombstone.object))
        var isUnrecorded = false
        if let copy, copy.href != nil, copy.etag == nil {
            isUnrecorded = try transaction.texts(of: copy.id)?.base == nil
        }
        let result = ThreeWayMerge.acrossLists(
            base: try transaction.textsOfTombstone(in: list, uid: tombstone.uid)?.base,
            local: copy?.source,
            remote: remote.object.document.bytes,
            isUnrecorded: isUnrecorded,
            policy: self.context.policy
        )
        guard let result, let copy else {
            self.changedDuringSync.insert(remote.uid.exact)
            return
        }
        try self.write(result, into: copy, in: transaction)
        try self.recordOverrides(of: remote, in: transaction)
        // The tombstone now stands for this version.
        let read = ReadObject(tombstone.object, revision: copy.revision)
        let base = remote.object.document.bytes
        _ = try transaction.recordPushed(read, in: list, href: remote.href, etag: remote.etag, base: base)
    }

    private mutating func write(
        _ result: MergeResult,
        into copy: ObjectRecord,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let merged = CalendarObject(result.document) else { return }
        let bytes = result.document.bytes
        if bytes != copy.source {
            let stored = self.context.stored(merged)
            try transaction.update(copy.id, stored)
            self.report.merged += 1
            let title = stored.index.title
            var note = ChangeNote(object: copy.id, uid: copy.uid, title: title, side: .local, kind: .merged)
            (note.before, note.after) = (copy.source, bytes)
            try self.context.journal(note, in: transaction)
        }
        try self.record(result.conflicts, of: copy.id, uid: copy.uid, in: copy.list, transaction)
    }
}
