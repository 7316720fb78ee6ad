import Reminders
import Synchronization

/// How much an acknowledged write withstands.
///
/// In both cases the file stays whole, and what is lost is always the newest: a write never survives without those
/// before it.
public enum Durability: Sendable {
    /// On the disk when `write` returns (`synchronous=FULL`: one flush). For everything that a person did.
    case survivesPowerLoss
    /// Handed to the system when `write` returns (`synchronous=NORMAL`). For the steps of a sync, which the next run
    /// repeats; a flush for each of thousands would take longer than the network.
    case survivesKill
}

/// The reminders of one person and what sync knows about them, in one SQLite file.
///
/// Each calendar object is kept as its iCalendar text, exactly as received or edited; the columns beside it are an
/// index, brought along by the caller. Several processes may use one store at the same time.
///
/// ```swift
/// let store = try ReminderStore.open(folder: folder)
/// let list = try store.write { try $0.insertList(named: "Home", color: nil, at: now) }
/// try store.write { try $0.insert(into: list, uid: uid, source: bytes, index: index) }
/// let rows = try store.read { try $0.rows(in: list) }
/// ```
public final class ReminderStore: @unchecked Sendable {
    /// How long a statement waits for another process: longer than any transaction here but an import of 100 MB takes.
    public static let standardBusyTimeoutMilliseconds: Int32 = 5000

    /// The folder that holds the store, `nil` for a store in memory.
    public let folder: String?

    // Who only reads walks over most pages once: half a MiB, which the processor's cache holds, is a tenth quicker than
    // SQLite's own 2 MiB, each page of which is touched for the first time.
    private static let readingCache = "PRAGMA cache_size = -512"
    // The pages of an import's UID index.
    private static let writingCache = "PRAGMA cache_size = -16384"

    // What is below is touched only while `lock` is held: that makes this class Sendable.
    private let connection: Connection
    private let lock = Mutex(())
    private var isFlushing = true
    private var hasWritten = false
    private let signer = SearchSigner()
    private var beforeCommit: @Sendable () throws(DatabaseError) -> Void = {}

    private init(folder: String?, connection: Connection) throws(DatabaseError) {
        self.folder = folder
        self.connection = connection
        try connection.execute(Self.settings)
        try connection.execute(Self.readingCache)
    }

    // Temporary data stay in memory, since a person's reminders have no business in /tmp. The log is written back after
    // 32 MiB, not after 4: a first sync of 10,000 reminders waits for the disk once where it would nine times, and pages
    // that all of them change are written once. After that, it is cut back to 8 MiB.
    private static let settings = """
        PRAGMA synchronous = FULL;
        PRAGMA temp_store = MEMORY;
        PRAGMA wal_autocheckpoint = 8192;
        PRAGMA journal_size_limit = 8388608;
        """

    /// Opens the store in `folder`, which is made when it is missing, and brings its schema up to date.
    ///
    /// On media that cannot be written an existing store is opened for reading.
    ///
    /// - Parameters:
    ///   - folder: an absolute path, or one from the working directory.
    ///   - readOnly: opens an existing store so that nothing can be written, as a dry run wants it.
    ///   - busyTimeoutMilliseconds: how long to wait for another process.
    /// - Throws: ``DatabaseError/Code/cutOff`` for a file of no bytes, which is left as it is.
    public static func open(
        folder: String,
        readOnly: Bool = false,
        busyTimeoutMilliseconds: Int32 = ReminderStore.standardBusyTimeoutMilliseconds
    ) throws(DatabaseError) -> ReminderStore {
        let files = StoreFiles(folder: folder)
        if !readOnly { try files.createFolder() }
        // Two processes that both find a new store would make its tables, and turn its log on, at the same time.
        let turn = readOnly ? nil : files.waitForTurn()
        defer { withExtendedLifetime(turn) {} }
        if !readOnly {
            try files.createDatabase { (path) throws(DatabaseError) in
                let new = try Connection(
                    path: path,
                    access: .readWrite,
                    busyTimeoutMilliseconds: busyTimeoutMilliseconds
                )
                try Schema.bringUpToDate(new, canWaitMilliseconds: busyTimeoutMilliseconds)
                try new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        if files.isCutOff { throw DatabaseError(.cutOff) }
        let connection: Connection
        do throws(DatabaseError) {
            connection = try Self.connect(files, readOnly ? .readOnly : .readWrite, busyTimeoutMilliseconds)
        } catch {
            guard error.code == .cannotOpen || error.code == .readOnly, files.isOnReadOnlyMedia else { throw error }
            connection = try Self.connect(files, .immutable, busyTimeoutMilliseconds)
        }
        return try ReminderStore(folder: files.folder, connection: connection)
    }

    /// Whether there is a store in `folder`; also true where that cannot be found out.
    package static func exists(in folder: String) -> Bool { !StoreFiles(folder: folder).isMissing }

    /// Opens the store in `folder` for a look that makes no file and changes none.
    ///
    /// A look beside a process that writes may see what was there before, or a muddle of both: what it finds wrong has to be
    /// looked at again with locks.
    ///
    /// - Parameter withLocks: whether to agree with other processes about what is read; SQLite may leave an empty log and
    ///   an index of it for that.
    /// - Throws: ``DatabaseError/Code/cannotOpen`` when there is no store; ``DatabaseError/Code/readOnly`` when its schema
    ///   is older than this program's.
    package static func glance(folder: String, withLocks: Bool = false) throws(DatabaseError) -> ReminderStore {
        let files = StoreFiles(folder: folder)
        if files.isCutOff { throw DatabaseError(.cutOff) }
        // Without a log there is nothing to agree about with other processes, and SQLite makes no files for that.
        let access: Connection.Access = withLocks || files.hasUnfinishedLog ? .readOnly : .immutable
        return try ReminderStore(folder: files.folder, connection: Self.connect(files, access, Self.glanceMilliseconds))
    }

    /// How long a look waits for another process: a person has pressed a key.
    static let glanceMilliseconds: Int32 = 100

    private static func connect(
        _ files: StoreFiles,
        _ access: Connection.Access,
        _ busyTimeoutMilliseconds: Int32
    ) throws(DatabaseError) -> Connection {
        let connection = try Connection(
            path: files.database,
            access: access,
            busyTimeoutMilliseconds: busyTimeoutMilliseconds
        )
        try Schema.bringUpToDate(connection, canWaitMilliseconds: busyTimeoutMilliseconds)
        return connection
    }

    /// An empty store that is gone with its last reference, for tests and for trying things out.
    public static func inMemory() throws(DatabaseError) -> ReminderStore {
        let connection = try Connection(path: "", access: .inMemory, busyTimeoutMilliseconds: 0)
        try Schema.bringUpToDate(connection, canWaitMilliseconds: 0)
        return try ReminderStore(folder: nil, connection: connection)
    }

    /// A copy in memory of the store as it is now: what is written there is gone with its last reference.
    package func inMemoryCopy() throws(DatabaseError) -> ReminderStore {
        let copy = try Connection(path: "", access: .inMemory, busyTimeoutMilliseconds: 0)
        try self.lock.withLock { _ throws(DatabaseError) in try self.connection.copy(to: copy) }
        return try ReminderStore(folder: nil, connection: copy)
    }

    /// Makes the store as empty as a new one, without an observer.
    ///
    /// For tests that need a new one thousands of times: most of what it costs is the preparing of statements, which stay.
    package func removeEverything() throws(DatabaseError) {
        self.lock.withLock { _ in self.beforeCommit = {} }
        try self.write(.survivesKill) { transaction throws(DatabaseError) in try transaction.removeEverything() }
    }

    /// Reads from one unchanging view of the store.
    ///
    /// `body` must not keep the snapshot, nor call `read` or `write` of the same store.
    public func read<Outcome: Sendable>(
        _ body: (StoreSnapshot) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.lock.withLock { _ throws(DatabaseError) in
            let snapshot = StoreSnapshot(self.connection)
            // Nobody else can write to what is in memory.
            if self.folder == nil { return try body(snapshot) }
            return try self.connection.transaction(.read) { () throws(DatabaseError) in try body(snapshot) }
        }
    }

    /// Changes the store in one transaction: all of it when `body` returns, nothing of it when `body` throws.
    ///
    /// Reading something in order to change it belongs into one `write`, or another process may change it in between.
    /// `body` must not keep the transaction, nor call `read` or `write` of the same store.
    public func write<Outcome: Sendable>(
        _ durability: Durability = .survivesPowerLoss,
        _ body: (StoreTransaction) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.lock.withLock { _ throws(DatabaseError) in
            try self.prepare(durability)
            let transaction = StoreTransaction(self.connection, self.signer)
            return try self.connection.transaction(.write, keep: { !transaction.isDiscarded }) {
                () throws(DatabaseError) in
                let outcome = try body(transaction)
                try self.beforeCommit()
                return outcome
            }
        }
    }

    /// Calls `observer` in each write before it is kept; when it throws, nothing of the write is.
    ///
    /// For tests, which find out in this way what a process leaves behind that is killed there.
    package func observeWrites(_ observer: @escaping @Sendable () throws(DatabaseError) -> Void) {
        self.lock.withLock { _ in self.beforeCommit = observer }
    }

    /// Reads from one unchanging view of the store, where `body` may throw what it likes.
    ///
    /// A closure whose error type is not written out arrives here; one that says `throws(DatabaseError)` does not.
    @_disfavoredOverload
    public func read<Outcome: Sendable>(_ body: (StoreSnapshot) throws -> Outcome) throws -> Outcome {
        let result = try self.read { (snapshot) throws(DatabaseError) in Result { try body(snapshot) } }
        return try result.get()
    }

    /// Changes the store in one transaction, where `body` may throw what it likes and nothing is changed then.
    ///
    /// A closure whose error type is not written out arrives here; one that says `throws(DatabaseError)` does not.
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

    private func prepare(_ durability: Durability) throws(DatabaseError) {
        if !self.hasWritten {
            try self.connection.execute(Self.writingCache)
            self.hasWritten = true
        }
        let shouldFlush = durability == .survivesPowerLoss
        guard shouldFlush != self.isFlushing, self.folder != nil else { return }
        try self.connection.execute(shouldFlush ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        self.isFlushing = shouldFlush
    }
}

/// One unchanging view of a store, for the time of a ``ReminderStore/read(_:)``.
///
/// What can be read of each kind of record stands in that record's file.
public class StoreSnapshot {
    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }
}

/// A change of a store, for the time of a ``ReminderStore/write(_:_:)``.
///
/// It sees what it has changed.
public final class StoreTransaction: StoreSnapshot {
    private(set) var isDiscarded = false
    /// Signs each text that is written.
    let signer: SearchSigner

    init(_ connection: Connection, _ signer: SearchSigner) {
        self.signer = signer
        super.init(connection)
    }

    /// Makes the end of the `write` roll everything back, without an error: a trial run, or an import that broke off.
    public func discard() { self.isDiscarded = true }

    /// Removes every row, and starts the numbers anew.
    func removeEverything() throws(DatabaseError) {
        // What refers to another table was made after it.
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid DESC"
        for table in try self.connection.rows(sql, [], { $0.text(0) }) {
            try self.connection.run("DELETE FROM \(table)")
        }
        try self.connection.run("DELETE FROM sqlite_sequence")
    }
}
