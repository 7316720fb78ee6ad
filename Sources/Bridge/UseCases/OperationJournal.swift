import RemindavReminders
import RemindavStore

// Each operation on reminders is recorded in its own transaction, with the texts before and after.

/// The journal run of one command, for all reminders that the command changes.
package struct OperationScope: Sendable {
    /// The run; `nil` before the first change.
    fileprivate(set) var id: RunID?
    /// The number of the run in the log; `nil` before the first change.
    package var number: Int64? { self.id?.rawValue }

    package init() {}
}

/// Records the changes of one operation on reminders.
struct JournalEntry {
    private let operation: Operation
    private var run: RunID?
    private let now: Int64

    /// - Parameter run: contains the earlier changes of the same command.
    init(_ operation: Operation, in run: OperationScope, at now: Int64) {
        self.operation = operation
        self.run = run.id
        self.now = now
    }

    /// Copies the run to `run`; to be called after the transaction succeeded.
    func kept(_ run: inout OperationScope) { run.id = self.run }

    mutating func added(
        _ id: ObjectID,
        uid: String,
        _ object: StoredObject,
        to list: ListID,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        let (title, source) = (object.index.title, object.source)
        let note = ChangeNote(object: id, uid: uid, title: title, side: .local, kind: .added, after: source)
        try self.record(note, in: list, transaction)
    }

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

    /// - Parameter origin: the former list; `nil` if the record names it.
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

    mutating func deleted(_ object: ObjectRecord, _ transaction: StoreTransaction) throws(DatabaseError) {
        var note = Self.note(object, .deleted)
        note.before = object.source
        try self.record(note, in: object.list, transaction)
    }

    /// The note has the former title, because an undo restores that title.
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
