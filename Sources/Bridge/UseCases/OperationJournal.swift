import Reminders
import Store

// What a person does to reminders is in the journal, with the texts before and after, in the transaction that does it.

/// The run in the journal of what one command does, to however many reminders.
package struct OperationScope: Sendable {
    /// Its number; `nil` before the first change.
    fileprivate(set) var id: RunID?

    /// One in which nothing is yet.
    package init() {}
}

/// Writes what one operation does to a reminder into the journal.
struct JournalEntry {
    private let operation: Operation
    private var run: RunID?
    private let now: Int64

    /// - Parameter run: what the same command did before is in.
    init(_ operation: Operation, in run: OperationScope, at now: Int64) {
        self.operation = operation
        self.run = run.id
        self.now = now
    }

    /// The run as it is when all of it is kept.
    func kept(_ run: inout OperationScope) { run.id = self.run }

    /// A reminder that there was not.
    mutating func added(
        _ id: ObjectID,
        uid: String,
        title: String,
        source: [UInt8],
        to list: ListID,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        let note = ChangeNote(object: id, uid: uid, title: title, side: .local, kind: .added, after: source)
        try self.record(note, in: list, transaction)
    }

    /// A reminder that has another text.
    mutating func changed(
        _ object: ObjectRecord,
        to source: [UInt8],
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        var note = Self.note(object, .changed)
        note.before = object.source
        note.after = source
        try self.record(note, in: object.list, transaction)
    }

    /// A reminder that is in another list.
    ///
    /// - Parameter origin: where it was; `nil` for the list of the record.
    mutating func moved(
        _ object: ObjectRecord,
        from origin: ListID? = nil,
        to list: ListID,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        var note = Self.note(object, .moved)
        note.origin = origin ?? object.list
        try self.record(note, in: list, transaction)
    }

    /// A reminder that is no more.
    mutating func deleted(_ object: ObjectRecord, _ transaction: StoreTransaction) throws(DatabaseError) {
        var note = Self.note(object, .deleted)
        note.before = object.source
        try self.record(note, in: object.list, transaction)
    }

    /// The title is the one that the reminder had until then, which is the one that undoing gives it.
    private static func note(_ object: ObjectRecord, _ kind: ChangeKind) -> ChangeNote {
        ChangeNote(object: object.id, uid: object.uid, title: object.index.title, side: .local, kind: kind)
    }

    private mutating func record(
        _ note: ChangeNote,
        in list: ListID,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        let run = if let run = self.run { run } else { try transaction.beginOperation(self.operation, at: self.now) }
        self.run = run
        try transaction.recordChange(note, in: list, of: run, at: self.now)
    }
}
