package import RemindavStore

extension ReminderStore {
    /// How long a statement waits for another process, in milliseconds; only an import of about 100 MB writes longer.
    package static let standardBusyTimeoutMilliseconds: Int32 = 5000
    /// How long shell completion, `doctor` and ``DeliveryStateFile/failure(folder:)`` wait, in milliseconds.
    static let shortBusyTimeoutMilliseconds: Int32 = 100

    /// Opens the store in `folder`, creates it when it is missing, and runs missing migrations.
    ///
    /// If the folder is on read-only media, an existing store is opened for reading.
    ///
    /// - Parameters:
    ///   - folder: an absolute path, or a path relative to the working directory.
    ///   - readOnly: whether to open an existing store without the right to write.
    ///   - busyTimeoutMilliseconds: how long to wait for another process.
    /// - Throws: ``DatabaseError``; its code is ``DatabaseError/Code/cutOff`` for an empty file, which stays unchanged.
    package static func open(
        folder: String,
        readOnly: Bool = false,
        busyTimeoutMilliseconds: Int32 = ReminderStore.standardBusyTimeoutMilliseconds
    ) throws(DatabaseError) -> ReminderStore {
        let files = StoreFiles(folder: folder)
        if !readOnly { try files.createFolder() }
        // Without this lock, two processes could create the tables of a new store at the same time.
        let turn = readOnly ? nil : files.waitForTurn()
        defer { withExtendedLifetime(turn) {} }
        if !readOnly {
            try files.createDatabase { (path) throws(DatabaseError) in
                let new = try SQLiteConnection(
                    path: path,
                    access: .readWrite,
                    busyTimeoutMilliseconds: busyTimeoutMilliseconds
                )
                try Schema.bringUpToDate(new, canWaitMilliseconds: busyTimeoutMilliseconds)
                try new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        if files.isCutOff { throw DatabaseError(.cutOff) }
        do throws(DatabaseError) {
            return try self.connect(files, readOnly ? .readOnly : .readWrite, busyTimeoutMilliseconds)
        } catch {
            guard error.code == .cannotOpen || error.code == .readOnly, files.isOnReadOnlyMedia else { throw error }
            return try self.connect(files, .immutable, busyTimeoutMilliseconds)
        }
    }

    /// Whether `folder` contains a store; the result is also true when this cannot be determined.
    package static func exists(in folder: String) -> Bool { !StoreFiles(folder: folder).isMissing }

    /// Opens the store in `folder` for reading, without creating or changing a file.
    ///
    /// Without locks, the content can be inconsistent while another process writes. A caller that finds damage must
    /// read again with locks before it reports the damage.
    /// - Parameter withLocks: whether to use locks. SQLite may then leave an empty `-wal` file and a `-shm` file.
    /// - Throws: ``DatabaseError/Code/cannotOpen`` when there is no store; ``DatabaseError/Code/readOnly`` when the
    ///   store needs a migration.
    package static func openReadOnly(folder: String, withLocks: Bool = false) throws(DatabaseError) -> ReminderStore {
        let files = StoreFiles(folder: folder)
        if files.isCutOff { throw DatabaseError(.cutOff) }
        // If the write-ahead log is empty or missing, SQLite can read the database without locks and creates no files.
        let access: SQLiteConnection.Access = withLocks || files.hasUnfinishedLog ? .readOnly : .immutable
        return try self.connect(files, access, self.shortBusyTimeoutMilliseconds)
    }

    /// Creates an empty store in memory, which is deleted with its last reference.
    package static func inMemory() throws(DatabaseError) -> ReminderStore {
        ReminderStore(database: try self.emptyDatabase())
    }

    /// Creates the database of ``inMemory()``.
    package static func emptyDatabase() throws(DatabaseError) -> any Database {
        let connection = try SQLiteConnection(path: "", access: .inMemory, busyTimeoutMilliseconds: 0)
        try Schema.bringUpToDate(connection, canWaitMilliseconds: 0)
        try connection.useStoreSettings()
        return connection
    }

    private static func connect(
        _ files: StoreFiles,
        _ access: SQLiteConnection.Access,
        _ busyTimeoutMilliseconds: Int32
    ) throws(DatabaseError) -> ReminderStore {
        let connection = try SQLiteConnection(
            path: files.database,
            access: access,
            busyTimeoutMilliseconds: busyTimeoutMilliseconds
        )
        try Schema.bringUpToDate(connection, canWaitMilliseconds: busyTimeoutMilliseconds)
        try connection.useStoreSettings()
        return ReminderStore(database: connection, folder: files.folder, leases: FolderLeases(folder: files.folder))
    }
}

private struct FolderLeases: SyncLeases {
    let folder: String

    func acquire(account: AccountID?, for purpose: SyncLeasePurpose) throws(DatabaseError) -> any SyncLease {
        try StoreLock(folder: self.folder, account: account)
    }
}
