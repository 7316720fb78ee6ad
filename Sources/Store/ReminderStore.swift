import Synchronization

/// The kinds of failure after which a finished `write` is still in the store.
///
/// With both values, the file stays consistent. If writes are lost, the newest are lost first.
package enum Durability: Sendable {
    /// The data is on the disk when `write` returns (`synchronous=FULL`, one flush): for all changes of users.
    case survivesPowerLoss
    /// The operating system has the data when `write` returns (`synchronous=NORMAL`): for the steps of a sync.
    ///
    /// The next sync repeats lost steps. A flush for each step would take longer than the network requests.
    case survivesKill
}

/// The purpose for which a process acquires the right to sync.
package enum SyncLeasePurpose: Sendable {
    /// A sync; its writes request no further sync.
    case sync
    /// Another change during which no account may be synced; each write of content requests a sync on a host.
    case change
}

/// Grants the right to sync a store, or one account of it, to one process at a time.
package protocol SyncLeases: Sendable {
    /// - Throws: ``DatabaseError/Code/syncIsRunning`` when another process has the right.
    func acquire(account: AccountID?, for purpose: SyncLeasePurpose) throws(DatabaseError) -> any SyncLease
}

/// The right to sync; the right ends when the last reference to this object is released.
package protocol SyncLease: AnyObject, Sendable {
    /// Notes that the syncs of these accounts were complete, for the schedule of a host.
    func noteSuccess(of accounts: [AccountID])
}

extension SyncLease {
    package func noteSuccess(of accounts: [AccountID]) {}
}

/// The reminders and the sync state of one user, in one database.
///
/// The store keeps each calendar object as iCalendar text, exactly as the server sent it or a user edited it. Index
/// columns with derived values accompany the text. Several processes may use one store at the same time.
///
/// ```swift
/// let store = try ReminderStore.open(folder: folder)
/// let list = try store.write { try $0.insertList(named: "Home", color: nil, at: now) }
/// try store.write { try $0.insert(into: list, uid: uid, StoredObject(object, zones: zones)) }
/// let rows = try store.read { try $0.rows(in: list) }
/// ```
package final class ReminderStore: @unchecked Sendable {
    /// The folder of the store; `nil` for a store in memory.
    package let folder: String?

    private let leases: (any SyncLeases)?
    // The following properties are used only while `lock` is held. This makes the class Sendable.
    private let database: any Database
    private let lock = Mutex(())
    private var beforeCommit: @Sendable () throws(DatabaseError) -> Void = {}

    /// Creates a store on an open database whose schema is current.
    /// - Parameter leases: `nil` when no other process can sync the store.
    package init(database: any Database, folder: String? = nil, leases: (any SyncLeases)? = nil) {
        self.database = database
        self.folder = folder
        self.leases = leases
    }

    /// Acquires the right to sync the store, without waiting; `nil` means that no right is needed.
    /// - Parameters:
    ///   - account: the only account to sync; `nil` for the whole store.
    ///   - purpose: whether the holder syncs; otherwise its writes request a sync on a host.
    /// - Throws: ``DatabaseError/Code/syncIsRunning`` when another process has the right.
    package func acquireSyncLease(
        account: AccountID? = nil,
        for purpose: SyncLeasePurpose
    ) throws(DatabaseError) -> (any SyncLease)? {
        try self.leases?.acquire(account: account, for: purpose)
    }

    /// Copies the current content into a store in memory; the copy is deleted with its last reference.
    package func inMemoryCopy() throws(DatabaseError) -> ReminderStore {
        let copy = try self.lock.withLock { _ throws(DatabaseError) in try self.database.inMemoryCopy() }
        return ReminderStore(database: copy)
    }

    /// Deletes the content of the store and removes the observer of writes.
    ///
    /// Tests use this instead of thousands of new stores, because it keeps the prepared statements.
    package func removeEverything() throws(DatabaseError) {
        self.lock.withLock { _ in self.beforeCommit = {} }
        try self.write(.survivesKill) { transaction throws(DatabaseError) in
            try transaction.database.removeEverything()
        }
    }

    /// Runs `body` on a snapshot of the store; writes during the call do not change the snapshot.
    ///
    /// `body` must not store the snapshot elsewhere, and must not call `read` or `write` of the same store.
    package func read<Outcome: Sendable>(
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
    /// Read the values that a change depends on in the same `write`, since another process may change them in between.
    /// `body` must not store the transaction elsewhere, and must not call `read` or `write` of the same store.
    package func write<Outcome: Sendable>(
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

    /// Calls `observer` before the commit of each write; if `observer` throws, the write is discarded.
    ///
    /// Tests use this to examine the store after a process was killed.
    package func observeWrites(_ observer: @escaping @Sendable () throws(DatabaseError) -> Void) {
        self.lock.withLock { _ in self.beforeCommit = observer }
    }

    /// Runs `body` on a snapshot of the store; `body` may throw errors of any type.
    @_disfavoredOverload
    package func read<Outcome: Sendable>(_ body: (StoreSnapshot) throws -> Outcome) throws -> Outcome {
        let result = try self.read { (snapshot) throws(DatabaseError) in Result { try body(snapshot) } }
        return try result.get()
    }

    /// Changes the store in one transaction; `body` may throw errors of any type.
    @_disfavoredOverload
    package func write<Outcome: Sendable>(
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
