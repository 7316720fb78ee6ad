public import Store

extension ReminderStore {
    /// The time that a statement waits for another process: longer than any transaction, except an import of 100 MB.
    public static let standardBusyTimeoutMilliseconds: Int32 = 5000
    /// The time that a read for the completion of a command line waits: the user has pressed a key.
    static let glanceMilliseconds: Int32 = 100

    /// Opens the store in `folder`, creates it when it is missing, and migrates its schema.
    ///
    /// On read-only media an existing store is opened for reading.
    ///
    /// - Parameters:
    ///   - folder: an absolute path, or one from the working directory.
    ///   - readOnly: opens an existing store without the right to write.
    ///   - busyTimeoutMilliseconds: the time to wait for another process.
    /// - Throws: ``DatabaseError/Code/cutOff`` for an empty file, which stays as it is.
    public static func open(
        folder: String,
        readOnly: Bool = false,
        busyTimeoutMilliseconds: Int32 = ReminderStore.standardBusyTimeoutMilliseconds
    ) throws(DatabaseError) -> ReminderStore {
        let files = StoreFiles(folder: folder)
        if !readOnly { try files.createFolder() }
        // Two processes that both find a new store would create its tables and enable its log at the same time.
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

    /// Whether there is a store in `folder`; also true where that cannot be determined.
    package static func exists(in folder: String) -> Bool { !StoreFiles(folder: folder).isMissing }

    /// Opens the store in `folder` for reading, without creating or changing a file.
    ///
    /// While another process writes, the content may be an older state or inconsistent, unless locks are used: read it
    /// again with locks before reporting damage.
    ///
    /// - Parameter withLocks: whether to use locks; SQLite may then leave an empty log and its index.
    /// - Throws: ``DatabaseError/Code/cannotOpen`` when there is no store; ``DatabaseError/Code/readOnly`` when its
    ///   schema is older than this program's.
    package static func openReadOnly(folder: String, withLocks: Bool = false) throws(DatabaseError) -> ReminderStore {
        let files = StoreFiles(folder: folder)
        if files.isCutOff { throw DatabaseError(.cutOff) }
        // Without a log SQLite has no state to share with other processes, and creates no files for it.
        let access: SQLiteConnection.Access = withLocks || files.hasUnfinishedLog ? .readOnly : .immutable
        return try self.connect(files, access, self.glanceMilliseconds)
    }

    /// An empty store that ends with its last reference.
    public static func inMemory() throws(DatabaseError) -> ReminderStore {
        let connection = try SQLiteConnection(path: "", access: .inMemory, busyTimeoutMilliseconds: 0)
        try Schema.bringUpToDate(connection, canWaitMilliseconds: 0)
        try connection.useStoreSettings()
        return ReminderStore(database: connection)
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

    func acquire(account: AccountID?) throws(DatabaseError) -> any SyncLease {
        try StoreLock(folder: self.folder, account: account)
    }
}
