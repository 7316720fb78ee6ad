import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavSync

// Discards or moves unsent changes in a list that became read-only on the server.
extension UseCases {
    /// Discards the unsent changes of a list, and returns the number of changed reminders.
    package func discardEdits(in name: String) throws -> Int {
        let read = self.textReading
        let now = self.seconds
        return try self.store.write { transaction in
            let list = try transaction.list(named: name)
            guard list.state == .synced else { throw UseCaseError(.listHasNoServer, subject: list.name) }
            return try transaction.discardEdits(in: list.id, reading: read, at: now)
        }
    }

    /// Moves a reminder with unsent changes out of a read-only list.
    ///
    /// If the server has the reminder, its version stays in the read-only list, and the moved reminder gets a new UID.
    /// An undo works only if the read-only list is writable again.
    ///
    /// - Throws: `listIsReadOnly` when the reminder has no unsent change.
    func moveUnsent(
        _ record: ObjectRecord,
        from list: ListRecord,
        to target: ListRecord,
        in scope: inout OperationScope,
        _ transaction: StoreTransaction
    ) throws -> ObjectID {
        let now = self.seconds
        var entry = JournalEntry(.move, in: scope, at: now)
        defer { entry.kept(&scope) }
        guard record.isDirty else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
        guard let texts = try transaction.texts(of: record.id) else {
            throw UseCaseError(.reminderNotFound, subject: String(record.id.rawValue))
        }
        guard texts.base != nil else {
            try transaction.checkRoom(for: record, in: target)
            try transaction.move(record.id, to: target.id, at: now)
            try transaction.forgetTombstone(in: list.id, uid: record.uid)
            try entry.moved(record, to: target.id, transaction)
            return record.id
        }
        let read = self.textReading
        let uid = self.newUID()
        // Servers such as Cyrus accept a UID in one list only, so the moved reminder gets a new UID.
        let source = ICalendarDocument(texts.source).replacing(uid: uid).bytes
        let copy = try transaction.insert(into: target.id, uid: uid, read(source))
        try transaction.discardEdit(of: record.id, reading: read)
        if let moved = try transaction.object(copy) {
            try entry.moved(moved, from: list.id, to: target.id, transaction)
        }
        return copy
    }

    var textReading: TextReading {
        let reader = self.reader
        return { source in
            CalendarObject(ICalendarDocument(source)).map { reader.stored($0) }
                ?? StoredObject(source: source, index: ObjectIndex(title: ""))
        }
    }
}
