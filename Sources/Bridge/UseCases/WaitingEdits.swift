import ICalendar
import Reminders
import Store

// What was changed here in a list that its server lets nobody change any more.
extension UseCases {
    /// Gives up everything in a list that was changed here and that its server has not got.
    ///
    /// - Returns: how many reminders that were.
    package func discardEdits(in name: String) throws -> Int {
        let index = self.indexing
        let now = self.seconds
        return try self.store.write { transaction in
            let list = try transaction.list(named: name)
            guard list.state == .synced else { throw UseCaseError(.listHasNoServer, subject: list.name) }
            return try transaction.discardEdits(in: list.id, index: index, at: now)
        }
    }

    /// Moves a reminder that was changed here out of a list that nobody may change.
    ///
    /// The server keeps what it has, and so does the list here; the changed reminder is another one from now on.
    ///
    /// - Parameter run: the run in the journal that has it; it cannot be undone while nobody may change the list.
    /// - Returns: its number.
    /// - Throws: `listIsReadOnly` when nothing of it waits: then there is nothing to save.
    func takeOut(_ id: Int64, to target: ListRecord, as run: inout OperationScope) throws -> Int64 {
        let index = self.indexing
        let uid = self.newUID()
        let now = self.seconds
        let (copy, entry) = try self.store.write { [run] transaction in
            var entry = JournalEntry(.move, in: run, at: now)
            guard let record = try transaction.object(ObjectID(id)),
                let list = try transaction.list(record.list),
                let texts = try transaction.texts(of: record.id)
            else { throw UseCaseError(.reminderNotFound, subject: String(id)) }
            guard record.isDirty else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
            guard texts.base != nil else {
                try transaction.checkRoom(for: record, in: target)
                try transaction.move(record.id, to: target.id, at: now)
                try transaction.forgetTombstone(in: list.id, uid: record.uid)
                try entry.moved(record, to: target.id, transaction)
                return (id, entry)
            }
            let source = Self.renamed(texts.source, uid: uid)
            let copy = try transaction.insert(into: target.id, uid: uid, source: source, index: index(source))
            try transaction.discardEdit(of: record.id, index: index)
            if let moved = try transaction.object(copy) {
                try entry.moved(moved, from: list.id, to: target.id, transaction)
            }
            return (copy.rawValue, entry)
        }
        entry.kept(&run)
        return copy
    }

    /// The same reminder under another UID: servers such as Cyrus take one UID in one list only.
    private static func renamed(_ source: [UInt8], uid: String) -> [UInt8] {
        let text = ICalendarDocument(source)
        let edits = text.all(.vtodo).flatMap { todo in
            var editor = ComponentEditor(todo)
            editor.set(ContentLine(.uid, text: uid))
            return editor.edits
        }
        return text.applying(edits).bytes
    }

    var indexing: TextIndexing {
        let reader = self.reader
        return { source in
            CalendarObject(ICalendarDocument(source)).map { reader.index($0) } ?? ObjectIndex(title: "")
        }
    }
}
