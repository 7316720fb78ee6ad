import ICalendar
import Reminders
import Store

// Items that another program, or a person here, moved between two lists of the account while they were edited.

/// The result for an item that was changed here and that the server no longer has in this list.
enum RecreateDecision {
    /// It is sent as a new item: an edit overrides a deletion.
    case sendAsNew
    /// It was moved to another list: the edit is merged into the copy there, and the item here is deleted.
    case mergeIntoMovedCopy(MergeResult)

    /// - Parameters:
    ///   - base: the agreed text.
    ///   - copy: the text of the copy in another list; `nil` when there is none.
    init(local: [UInt8]?, base: [UInt8]?, copy: [UInt8]?, policy: ConflictPolicy) {
        guard let local = CalendarObject(local), let copy = CalendarObject(copy) else {
            self = .sendAsNew
            return
        }
        let base = CalendarObject(base)
        self = .mergeIntoMovedCopy(ThreeWayMerge.merge(base: base, local: local, remote: copy, policy: policy))
    }
}

/// The result for an item that was moved from here to another list, while another program changed it on the server.
enum MovedCopyDecision {
    /// The change is merged into the copy in the other list.
    case merge(MergeResult)
    /// The next sync decides.
    case postpone

    /// - Parameters:
    ///   - copy: the text of the object in the other list; `nil` when it was deleted there since.
    ///   - isCopyUnrecorded: whether an interrupted sync may have sent the copy. It is then compared with the server
    ///     first: the server's copy has no later local changes, which would look as if another program had removed them.
    ///   - base: the agreed text of the item before the move.
    ///   - remote: the changed item.
    init(
        copy: [UInt8]?,
        isCopyUnrecorded: Bool,
        base: [UInt8]?,
        remote: CalendarObject,
        policy: ConflictPolicy
    ) {
        guard let local = CalendarObject(copy), !isCopyUnrecorded else {
            self = .postpone
            return
        }
        let base = CalendarObject(base)
        self = .merge(ThreeWayMerge.merge(base: base, local: local, remote: remote, policy: policy))
    }
}

/// Facts about an item that is new to the server in this list, for the decision whether another list has it already.
struct NewItemFacts {
    /// The UID of the series from which the item was completed; `nil` for every other item.
    var series: ByteExactString?
    /// Whether another list of the account has an item with this UID, and from which series that one was completed.
    var copy: Copy?
    /// Whether the item was synchronized in this list before it was deleted on the server.
    var wasSynchronized = false
    /// Whether this list has the series.
    var isSeriesHere = false

    /// An item of another list with the same UID.
    struct Copy {
        var series: ByteExactString?
        /// Whether that list has the series.
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

    /// The UID of the series from which a completed occurrence was taken.
    static func seriesOfCompleted(_ source: [UInt8]) -> ByteExactString? {
        guard let todo = CalendarObject(ICalendarDocument(source))?.main, todo.status == .completed else { return nil }
        let relation = todo.all(.relatedTo).first { $0.parameter(.reltype)?.uppercased() == "SIBLING" }
        return relation?.text.exact
    }
}

extension SyncContext {
    /// The new items that another list of the account has from the server.
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
                let facts = try self.facts(about: item, readsSeries: !mayLeave && !leaving.isEmpty, in: snapshot)
                if facts.isKeptElsewhere(leaving: leaving, mayLeave: mayLeave) { found.append(item) }
            }
            return found
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
    /// Prepares an item that was changed here and that the server no longer has: for sending, or in its other list.
    ///
    /// - Returns: whether it is sent as new.
    @discardableResult
    mutating func recreate(_ item: SyncItem, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        let copy = try self.context.movedObject(item, in: transaction)
        let texts = copy == nil ? nil : try transaction.texts(of: item.id)
        let policy = self.context.policy
        let decision =
            RecreateDecision(local: texts?.source, base: texts?.base, copy: copy?.source, policy: policy)
        switch (decision, copy) {
        case (.mergeIntoMovedCopy(let result), let copy?):
            guard try self.deleteHere(item, in: transaction) else { return false }
            try self.write(result, into: copy, in: transaction)
            return false
        default:
            try transaction.forgetRemote(item.id, in: self.context.list)
            return true
        }
    }

    /// Applies a change on the server to the copy of the item in the list to which it was moved here.
    mutating func applyToMovedCopy(
        _ remote: RemoteObject,
        from tombstone: Tombstone,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let copy = try transaction.object(tombstone.object)
        let isUnrecorded =
            if let copy, copy.href != nil, copy.etag == nil { try transaction.texts(of: copy.id)?.base == nil } else {
                false
            }
        let decision = MovedCopyDecision(
            copy: copy?.source,
            isCopyUnrecorded: isUnrecorded,
            base: try transaction.textsOfTombstone(in: self.context.list, uid: tombstone.uid)?.base,
            remote: remote.object,
            policy: self.context.policy
        )
        guard case .merge(let result) = decision, let copy else {
            self.changedDuringSync.insert(remote.uid.exact)
            return
        }
        try self.write(result, into: copy, in: transaction)
        try self.recordOverrides(of: remote, in: transaction)
        // The tombstone now stands for this version.
        _ = try transaction.recordPushed(
            ReadObject(tombstone.object, revision: copy.revision),
            in: self.context.list,
            href: remote.href,
            etag: remote.etag,
            base: remote.object.document.bytes
        )
    }

    /// Writes a merged text into an object of another list, including changes around the to-do.
    private mutating func write(
        _ result: MergeResult,
        into copy: ObjectRecord,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard let merged = CalendarObject(result.document) else { return }
        if result.document.bytes != copy.source {
            let index = self.context.index(merged)
            try transaction.update(copy.id, source: result.document.bytes, index: index)
            self.report.merged += 1
            try self.context.journal(
                ChangeNote(
                    object: copy.id,
                    uid: copy.uid,
                    title: index.title,
                    side: .local,
                    kind: .merged,
                    before: copy.source,
                    after: result.document.bytes
                ),
                in: transaction
            )
        }
        try self.record(result.conflicts, of: copy.id, uid: copy.uid, in: copy.list, transaction)
    }
}
