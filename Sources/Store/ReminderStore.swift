import Synchronization

/// The failures that an acknowledged write survives.
///
/// In both cases the file stays consistent, and the newest writes are lost first.
public enum Durability: Sendable {
    /// On the disk when `write` returns (`synchronous=FULL`: one flush). For all changes of users.
    case survivesPowerLoss
    /// Handed to the system when `write` returns (`synchronous=NORMAL`). For the steps of a sync, which the next run
    /// repeats; thousands of flushes would take longer than the network.
    case survivesKill
}

/// Grants the right to sync a store, or one account of it, to one process at a time.
package protocol SyncLeases: Sendable {
    /// - Throws: ``DatabaseError/Code/syncIsRunning`` when it is held.
    func acquire(account: AccountID?) throws(DatabaseError) -> any SyncLease
}

/// The right to sync, held until its last reference is released.
package protocol SyncLease: AnyObject, Sendable {}

/// The reminders and the sync state of one user, in one database.
///
/// Each calendar object is stored as its iCalendar text, exactly as received or edited, with an index beside it.
/// Several processes may use one store at the same time.
///
/// ```swift
/// let store = try ReminderStore.open(folder: folder)
/// let list = try store.write { try $0.insertList(named: "Home", color: nil, at: now) }
/// try store.write { try $0.insert(into: list, uid: uid, StoredObject(object, zones: zones)) }
/// let rows = try store.read { try $0.rows(in: list) }
/// ```
public final class ReminderStore: @unchecked Sendable {
    /// The folder of the store; `nil` for a store in memory.
    public let folder: String?

    private let leases: (any SyncLeases)?
    // These properties are used only while `lock` is held; that makes this class Sendable.
    private let database: any Database
    private let lock = Mutex(())
    private var beforeCommit: @Sendable () throws(DatabaseError) -> Void = {}

    /// A store on an open database with the current schema.
    ///
    /// - Parameter leases: `nil` when no other process can sync the store.
    package init(database: any Database, folder: String? = nil, leases: (any SyncLeases)? = nil) {
        self.database = database
        self.folder = folder
        self.leases = leases
    }

    /// Acquires the right to sync the store without waiting; `nil` when none is needed.
    ///
    /// - Parameter account: the only account to sync; `nil` for the whole store.
    /// - Throws: ``DatabaseError/Code/syncIsRunning`` when another process has the right.
    package func acquireSyncLease(account: AccountID? = nil) throws(DatabaseError) -> (any SyncLease)? {
        try self.leases?.acquire(account: account)
    }

    /// A copy in memory of the current content, which ends with its last reference.
    package func inMemoryCopy() throws(DatabaseError) -> ReminderStore {
        let copy = try self.lock.withLock { _ throws(DatabaseError) in try self.database.inMemoryCopy() }
        return ReminderStore(database: copy)
    }

    /// Makes the store as empty as a new one, without an observer.
    ///
    /// For tests that need thousands of new stores: most of their time would go to preparing statements, which stay.
    package func removeEverything() throws(DatabaseError) {
        self.lock.withLock { _ in self.beforeCommit = {} }
        try self.write(.survivesKill) { transaction throws(DatabaseError) in
            try transaction.database.removeEverything()
        }
    }

    /// Reads one unchanging state of the store.
    ///
    /// `body` must not keep the snapshot, nor call `read` or `write` of the same store.
    public func read<Outcome: Sendable>(
        _ body: (StoreSnapshot) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.lock.withLock { _ throws(DatabaseError) in
            let snapshot = StoreSnapshot(self.database)
            if self.database.isPrivate { return try body(snapshot) }
            return try self.database.transaction(.read) { () throws(DatabaseError) in try body(snapshot) }
        }
    }

    /// Changes the store in one transaction, which is discarded when `body` throws.
    ///
    /// Values on which a change depends must be read in the same `write`, since another process may change them in
    /// between. `body` must not keep the transaction, nor call `read` or `write` of the same store.
    public func write<Outcome: Sendable>(
        _ durability: Durability = .survivesPowerLoss,
        _ body: (StoreTransaction) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.lock.withLock { _ throws(DatabaseError) in
            let transaction = StoreTransaction(self.database)
            return try self.database.transaction(.write(durability), keep: { !transaction.isDiscarded }) {
                () throws(DatabaseError) in
                let outcome = try body(transaction)
                if !transaction.isDiscarded { try self.beforeCommit() }
                return outcome
            }
        }
    }

    /// Calls `observer` in each write before the commit; an error of it discards the write.
    ///
    /// For tests that examine the state after a killed process.
    package func observeWrites(_ observer: @escaping @Sendable () throws(DatabaseError) -> Void) {
        self.lock.withLock { _ in self.beforeCommit = observer }
    }

    /// Reads one unchanging state of the store, for a `body` that throws errors of any type.
    @_disfavoredOverload
    public func read<Outcome: Sendable>(_ body: (StoreSnapshot) throws -> Outcome) throws -> Outcome {
        let result = try self.read { (snapshot) throws(DatabaseError) in Result { try body(snapshot) } }
        return try result.get()
    }

    /// Changes the store in one transaction, for a `body` that throws errors of any type.
    @_disfavoredOverload
    public func write<Outcome: Sendable>(
        _ durability: Durability = .survivesPowerLoss,
        _ body: (StoreTransaction) throws -> Outcome
    ) throws -> Outcome {
        let result = try self.write(durability) { (transaction) throws(DatabaseError) in
            let result = Result { try body(transaction) }
            if case .failure = result { transaction.discard() }
            return result
        }
        return try result.get()
    }
}
