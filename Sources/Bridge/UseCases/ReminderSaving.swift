import RemindavICalendar
import RemindavReminders
import RemindavStore

// Writes changed reminders to the store, with a record of each change in the journal.

extension UseCases {
    /// The result of a change of a reminder, before it is written.
    struct Outcome {
        let reminder: Reminder
        /// The completed occurrence, which becomes a reminder of its own; `nil` for none.
        var copy: Reminder?
    }

    /// Reads, changes and writes a reminder in one transaction, so that no edit of another process is lost.
    ///
    /// - Parameter run: the journal run of the command; on success, it contains this change too.
    @discardableResult
    func changing(
        _ id: Int64,
        _ operation: Operation,
        as run: inout OperationScope,
        _ body: (Reminder) throws -> Outcome
    ) throws -> CompletionResult {
        try self.changing(as: &run) { scope, transaction in
            try self.changing(id, operation, in: &scope, transaction) { reminder, _ in try body(reminder) }
        }
    }

    /// Performs steps of one operation in one transaction; on success, `run` contains their changes too.
    func changing(
        as run: inout OperationScope,
        _ body: (inout OperationScope, StoreTransaction) throws -> CompletionResult
    ) throws -> CompletionResult {
        let (result, scope) = try self.store.write { [run] transaction in
            var scope = run
            return (try body(&scope, transaction), scope)
        }
        run = scope
        return result
    }

    func changing(
        _ id: Int64,
        _ operation: Operation,
        in scope: inout OperationScope,
        _ transaction: StoreTransaction,
        _ body: (Reminder, ListRecord) throws -> Outcome
    ) throws -> CompletionResult {
        let (record, list) = try transaction.reminder(id)
        return try self.change(record, of: list, operation, in: &scope, transaction) { try body($0, list) }
    }

    /// - Parameter target: the new list of the reminder; `nil` to keep the list.
    func change(
        _ record: ObjectRecord,
        of list: ListRecord,
        _ operation: Operation,
        in scope: inout OperationScope,
        to target: ListRecord? = nil,
        _ transaction: StoreTransaction,
        _ body: (Reminder) throws -> Outcome
    ) throws -> CompletionResult {
        guard !list.isReadOnly else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
        guard let reminder = Reminder(ICalendarDocument(record.source)) else {
            throw UseCaseError(.reminderNotFound, subject: String(record.id.rawValue))
        }
        let now = self.seconds
        var entry = JournalEntry(operation, in: scope, at: now)
        let outcome = try body(reminder)
        let bytes = outcome.reminder.object.document.bytes
        // A completion within the second of the former one can leave the same date and the same stamps.
        let isChanged = bytes != record.source || outcome.copy != nil
        var copy: ObjectID?
        if isChanged {
            try transaction.update(record.id, self.reader.stored(outcome.reminder.object))
            try entry.changed(record, to: bytes, transaction)
            if let part = outcome.copy { copy = try self.insert(copy: part, into: record.list, &entry, transaction) }
        }
        if let target, target.id != record.list {
            try transaction.checkRoom(for: record, in: target)
            try transaction.move(record.id, to: target.id, at: now)
            try entry.moved(record, to: target.id, transaction)
        }
        entry.kept(&scope)
        guard let written = try transaction.object(record.id) else { throw DatabaseError(.notFound) }
        let view = try self.single(written, of: outcome.reminder, in: (target ?? list).name, transaction)
        return CompletionResult(reminder: view, isChanged: isChanged, copy: copy?.rawValue)
    }

    /// Stores the completed occurrence as a reminder, if an earlier attempt did not store it already.
    private func insert(
        copy: Reminder,
        into list: ListID,
        _ entry: inout JournalEntry,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) -> ObjectID {
        if let former = try transaction.object(in: list, uid: copy.uid) { return former.id }
        let stored = self.reader.stored(copy.object)
        let id = try transaction.insert(into: list, uid: copy.uid, stored)
        try entry.added(id, uid: copy.uid, stored, to: list, transaction)
        return id
    }
}

extension StoreTransaction {
    /// - Throws: ``UseCaseError/Code/duplicateUIDInTarget`` when the new list contains another reminder with the UID.
    func checkRoom(for record: ObjectRecord, in list: ListRecord) throws {
        guard let twin = try self.object(in: list.id, uid: record.uid), twin.id != record.id else { return }
        throw UseCaseError(.duplicateUIDInTarget, subject: "\(twin.id.rawValue) in \(list.name)")
    }
}
