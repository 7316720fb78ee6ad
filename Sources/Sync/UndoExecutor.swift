import RemindavICalendar
package import RemindavReminders
package import RemindavStore

package struct UndoResult: Sendable {
    package enum Outcome: Sendable {
        /// The change was undone, except for the properties in `kept`, which were changed again later.
        ///
        /// `isMerged` states whether properties that the change did not touch were changed later; these keep their
        /// values.
        case undone(kept: [PropertyConflict], isMerged: Bool)
        /// The reminder already has its state from before the change.
        case alreadyApplied
        case undoneBefore
        case impossible(UndoObstacle)
    }

    package let change: ChangeRecord
    package let outcome: Outcome
    /// The id of the reminder; for a deleted reminder, the id that it had.
    package let object: ObjectID
}

/// Undoes changes in the journal, in a transaction that the caller has begun.
///
/// The undo is recorded in the journal as an operation of the user, so it can be undone too.
package struct UndoExecutor: Sendable {
    private let stored: SyncContext.Storing
    private let context: EditingContext

    /// - Parameter context: contains the time for all time stamps.
    package init(stored: @escaping SyncContext.Storing, context: EditingContext) {
        self.stored = stored
        self.context = context
    }

    private var now: Int64 { self.context.now.secondsSince1970 }

    /// Undoes changes, the newest first.
    ///
    /// If a sync merged both sides and sent the result, the journal has two changes. Undoing the merge restores the
    /// local version; the record of the sending is then marked as undone, too.
    /// - Parameters:
    ///   - list: the list in which deleted reminders are restored; `nil` means their former lists.
    ///   - operation: the run that records the undo; `nil` begins one if it is needed.
    /// - Returns: the results in the order of the undo, without ids that the journal does not have, and the run that
    ///   records the undo; the run is `nil` when none was given and nothing was changed.
    package func undo(
        _ changes: some Collection<ChangeID>,
        in transaction: StoreTransaction,
        list: ListID? = nil,
        as operation: RunID? = nil
    ) throws(DatabaseError) -> (run: RunID?, results: [UndoResult]) {
        var results: [UndoResult] = []
        var run = operation
        var records: [ChangeRecord] = []
        for id in Set(changes).sorted(by: >) {
            if let record = try transaction.change(id) { records.append(record) }
        }
        let localChanges = Self.localChanges(records)
        for record in records {
            // The sending of a local change that this call also undoes needs no undo of its own.
            let isConsequence = Self.isSending(record, of: localChanges)
            guard record.undoneAt == nil else {
                if !isConsequence { results.append(Self.undoneBefore(record)) }
                continue
            }
            if isConsequence {
                try transaction.markUndone(record.id, at: self.now)
                continue
            }
            var object = record.note.object
            let outcome = try self.undo(record, in: transaction, list: list, run: &run, object: &object)
            results.append(UndoResult(change: record, outcome: outcome, object: object))
        }
        return (run, results)
    }

    private static func undoneBefore(_ record: ChangeRecord) -> UndoResult {
        UndoResult(change: record, outcome: .undoneBefore, object: record.note.object)
    }

    /// Returns the changes of a run that an undo of the run reverts: those that the run made in the store, and their
    /// sending by the same run.
    ///
    /// The other changes of a sync are edits of the user that the sync sent to the server.
    package static func changesToUndo(of run: [ChangeRecord]) -> [ChangeRecord] {
        let localChanges = self.localChanges(run)
        return run.filter { $0.note.side == .local || self.isSending($0, of: localChanges) }
    }

    private static func localChanges(_ records: [ChangeRecord]) -> Set<Place> {
        let changes = records.filter {
            $0.note.side == .local && ($0.note.kind == .changed || $0.note.kind == .merged)
        }
        return Set(changes.map(self.place))
    }

    private static func isSending(_ record: ChangeRecord, of localChanges: Set<Place>) -> Bool {
        record.note.side == .remote && record.note.kind == .changed && localChanges.contains(self.place(record))
    }

    private struct Place: Hashable {
        let run: RunID
        let object: ObjectID
    }

    private static func place(_ record: ChangeRecord) -> Place { Place(run: record.run, object: record.note.object) }

    private func undo(
        _ record: ChangeRecord,
        in transaction: StoreTransaction,
        list: ListID?,
        run: inout RunID?,
        object number: inout ObjectID
    ) throws(DatabaseError) -> UndoResult.Outcome {
        let target = record.note.kind == .deleted ? list ?? record.list : record.list
        let object = try self.current(record, in: target, transaction)
        let agreed = try self.agreed(record, object, in: target, transaction)
        // A user has moved the new reminder to another list, so it is not removed.
        if record.note.kind == .added, let object, object.list != record.list { return .impossible(.changedSince) }
        let undo = Undo(
            change: record.note,
            added: record.note.kind == .added ? try transaction.textAsAdded(record) : nil,
            current: object?.source,
            list: try transaction.list(object?.list ?? target),
            origin: try record.note.origin.flatMap { origin throws(DatabaseError) in try transaction.list(origin) },
            agreed: agreed,
            wasDeletedThere: try transaction.wasDeletedThere(record)
        )
        let step = undo.step(in: self.context)
        if case .move = step, let origin = record.note.origin,
            try transaction.object(in: origin, uid: object?.uid ?? "") != nil
        {
            return .impossible(.uidTaken)
        }
        switch step {
        case .impossible(let obstacle): return .impossible(obstacle)
        case .alreadyApplied:
            try self.markUndone(record, in: transaction)
            return .alreadyApplied
        case .rewrite, .delete, .restore, .move: break
        }
        let operation = if let run { run } else { try transaction.beginOperation(at: self.now) }
        run = operation
        let (note, place) = try self.perform(step, on: record, object, in: transaction, target: target)
        number = note.object
        let text = note.after ?? object?.source
        try transaction.markSentIfReverted(note.object, isAgreed: Self.isShortened(agreed, from: text))
        try transaction.recordChange(note, in: place, of: operation, reversing: record.id, at: self.now)
        try self.markUndone(record, in: transaction)
        if case .rewrite(_, let kept, let isMerged) = step { return .undone(kept: kept, isMerged: isMerged) }
        return .undone(kept: [], isMerged: false)
    }

    /// Whether the server's version differs from a text only by shortened values.
    private static func isShortened(_ agreed: [UInt8]?, from text: [UInt8]?) -> Bool {
        guard let agreed = agreed.flatMap({ CalendarObject(ICalendarDocument($0)) }),
            let text = text.flatMap({ CalendarObject(ICalendarDocument($0)) })
        else { return false }
        return OwnValues.isShortened(agreed, from: text)
    }

    /// The present reminder to which a change belongs; `nil` when there is none.
    ///
    /// A deleted reminder exists again if its list contains its UID. A moved reminder has kept its id.
    private func current(
        _ record: ChangeRecord,
        in list: ListID,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) -> ObjectRecord? {
        if record.note.kind != .deleted, let object = try transaction.object(record.note.object) { return object }
        return try transaction.object(in: list, uid: record.note.uid)
    }

    /// The base of the reminder; `nil` when there is none.
    private func agreed(
        _ record: ChangeRecord,
        _ object: ObjectRecord?,
        in list: ListID,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) -> [UInt8]? {
        guard let object else { return try transaction.textsOfTombstone(in: list, uid: record.note.uid)?.base }
        if let base = try transaction.texts(of: object.id)?.base { return base }
        // A moved reminder that was not sent to its new list is still in its former list on the server.
        return try transaction.baseBeforeMove(of: object.id, to: object.list, uid: object.uid)
    }

    /// Marks a change as undone; if a user and then the server deleted a reminder, marks both deletions.
    private func markUndone(_ record: ChangeRecord, in transaction: StoreTransaction) throws(DatabaseError) {
        try transaction.markUndone(record.id, at: self.now)
        guard record.note.kind == .deleted else { return }
        for id in try transaction.deletions(of: record.note.object, in: record.list, uid: record.note.uid) {
            try transaction.markUndone(id, at: self.now)
        }
    }

    private func perform(
        _ step: UndoStep,
        on record: ChangeRecord,
        _ object: ObjectRecord?,
        in transaction: StoreTransaction,
        target: ListID
    ) throws(DatabaseError) -> (ChangeNote, ListID) {
        var note = record.note
        note.side = .local
        note.before = object?.source
        note.after = nil
        note.origin = nil
        switch (step, object) {
        case (.rewrite(let reminder, _, _), let object?):
            note.kind = .changed
            note.after = reminder.object.document.bytes
            let stored = self.stored(reminder.object)
            note.title = stored.index.title
            try transaction.update(object.id, stored)
        case (.delete, let object?):
            note.kind = .deleted
            try transaction.delete(object.id, at: self.now)
        case (.move, let object?):
            guard let origin = record.note.origin else { break }
            note.kind = .moved
            note.before = nil
            note.origin = object.list
            try transaction.move(object.id, to: origin, at: self.now)
            return (note, origin)
        case (.restore(let reminder), _):
            note.kind = .added
            note.after = reminder.object.document.bytes
            note.object = try transaction.restore(
                record.note.object,
                into: target,
                uid: record.note.uid,
                self.stored(reminder.object),
                at: self.now
            )
        default: break
        }
        if let object { note.object = object.id }
        return (note, object?.list ?? target)
    }
}
