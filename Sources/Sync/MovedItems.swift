import RemindavICalendar
import RemindavReminders
import RemindavStore

// Reminders that were edited, and that another program or this user moved between two lists of the account.

extension ThreeWayMerge {
    /// Merges the edit in one list with the change in the other list; `nil` if a text is missing or cannot be parsed.
    /// - Parameter isUnrecorded: whether an interrupted sync may have sent the local text to the new list. Then the
    ///   result is `nil`: a sync has to compare the new list first, because the server's copy in it may lack later
    ///   local changes.
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

/// The facts about a reminder that would be sent as new, to decide whether the server has it in another list.
struct NewItemFacts {
    /// The UID of the series from which a completed occurrence was copied; `nil` for any other reminder.
    var series: ByteExactString?
    /// The reminder with the same UID in another list of the account; `nil` when there is none.
    var copy: Copy?
    /// Whether this list and the server both had the reminder before the server deleted it.
    var wasSynchronized = false
    /// Whether this list has the series.
    var isSeriesHere = false

    struct Copy {
        /// The UID of the series from which the copy was made; `nil` for any other reminder.
        var series: ByteExactString?
        /// Whether the other list has the series.
        var isSeriesThere = false
        /// Whether an operation of the user, for example an import, added one of the two reminders without the series.
        var isWanted = false
    }

    /// Whether the reminder must not be sent as new, because the server has it in another list.
    ///
    /// There are two cases. In the first, two machines completed the same occurrence while the series was moved between
    /// the lists, so each machine made a copy of the occurrence. In the second, a reminder was deleted on the server.
    /// This machine and another one had edited it, so both kept it, and the other machine moved it. If a user wants one
    /// reminder in two lists, the result is `false`: ``wasSynchronized`` is `false`, and both lists have the series, or
    /// ``Copy/isWanted`` is `true`.
    /// - Parameters:
    ///   - leaving: UIDs of series that the server no longer has in this list, so that a sync removes them locally.
    ///   - mayLeave: whether this sync may remove these series. If not, copies of their occurrences are not sent.
    func isKeptElsewhere(leaving: Set<ByteExactString>, mayLeave: Bool) -> Bool {
        if !mayLeave, let series, leaving.contains(series) { return true }
        guard let copy else { return false }
        if self.wasSynchronized { return true }
        guard let series, series == copy.series, !copy.isWanted else { return false }
        return (self.isSeriesHere && !leaving.contains(series)) != copy.isSeriesThere
    }

    /// The UID of the series from which a completed occurrence was copied; `nil` for any other text.
    static func seriesOfCompleted(_ source: [UInt8]) -> ByteExactString? {
        guard let todo = CalendarObject(ICalendarDocument(source))?.main, todo.status == .completed else { return nil }
        let relation = todo.all(.relatedTo).first { $0.parameter(.reltype)?.uppercased() == "SIBLING" }
        return relation?.text.exact
    }
}

extension SyncContext {
    /// The reminders that are new in this list, but that the server has in another list of the account.
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

    /// - Parameter readsSeries: whether to read the series even if no other list has the reminder.
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
            copy.isWanted = try snapshot.wasAdded(item.id, uid: item.uid, to: self.list, without: series.text)
            if !copy.isWanted {
                copy.isWanted = try snapshot.wasAdded(other.id, uid: other.uid, to: other.list, without: series.text)
            }
        }
        facts.copy = copy
        return facts
    }
}

extension SyncRecorder {
    /// Prepares an edited reminder that the server lacks: it is sent again, or merged into its copy in another list.
    /// - Returns: whether the reminder will be sent as new.
    @discardableResult
    mutating func recreate(_ item: SyncItem, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        let copy = try self.context.movedObject(item, in: transaction)
        let texts = copy == nil ? nil : try transaction.texts(of: item.id)
        let (base, local, policy) = (texts?.base, texts?.source, self.context.policy)
        // An edit overrides a deletion. If the reminder was moved, the edit is merged into the copy in the other list.
        guard let copy,
            let result = ThreeWayMerge.acrossLists(base: base, local: local, remote: copy.source, policy: policy)
        else {
            try transaction.forgetRemote(item.id, in: self.context.list)
            return true
        }
        if try self.deleteHere(item, in: transaction) { try self.write(result, into: copy, in: transaction) }
        return false
    }

    /// Merges a remote change into the copy of a reminder that was moved to another list locally.
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
        // The server's version is now the base of the tombstone.
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
