import Glibc
package import RemindavStore

extension ReminderStore {
    /// Creates the store of a new folder; until the store is complete, the folder has another name.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder, whose parent exists.
    ///   - fill: writes the content to the empty database.
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when there is a file or folder with this path.
    package static func create(
        folder: String,
        _ fill: (any Database) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let target = StoreFiles(folder: folder)
        guard !target.folderExists else { throw DatabaseError(.alreadyExists) }
        let new = StoreFiles(folder: "\(target.folder).\(getpid()).part")
        guard mkdir(new.folder, 0o700) == 0 else { throw DatabaseError(system: errno) }
        do throws(DatabaseError) {
            try new.createDatabase { (path) throws(DatabaseError) in
                let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeoutMilliseconds: 0)
                try Schema.bringUpToDate(connection, canWaitMilliseconds: 0)
                try connection.useStoreSettings()
                try fill(connection)
                try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try new.rename(to: target)
        } catch {
            new.removeFolder()
            throw error
        }
    }

    /// Calls `body` with the content of a store, in a transaction; the store is not changed.
    ///
    /// If the store has an older schema, `body` gets a migrated copy in memory. While `body` runs, no process can sync
    /// the store.
    /// - Throws: ``DatabaseError/Code/corrupt`` when the store is damaged; ``DatabaseError/Code/syncIsRunning``.
    package static func withContent<Outcome>(
        of folder: String,
        _ body: (any Database) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        let files = StoreFiles(folder: folder)
        if files.isCutOff { throw DatabaseError(.cutOff) }
        let lease = files.isOnReadOnlyMedia ? nil : try StoreLock(folder: folder)
        defer { withExtendedLifetime(lease) {} }
        let stored = try SQLiteConnection(
            path: files.database,
            access: files.isOnReadOnlyMedia ? .immutable : .readOnly,
            busyTimeoutMilliseconds: self.standardBusyTimeoutMilliseconds
        )
        let database = try self.current(stored)
        return try database.transaction(.read) { () throws(DatabaseError) in
            guard try database.damage(limit: 1).isEmpty else { throw DatabaseError(.corrupt) }
            return try body(database)
        }
    }

    /// A database with this content and the current schema.
    private static func current(_ stored: SQLiteConnection) throws(DatabaseError) -> SQLiteConnection {
        guard try stored.schemaVersion() < migrations.count else {
            try Schema.bringUpToDate(stored, canWaitMilliseconds: 0)
            return stored
        }
        let copy = try SQLiteConnection(path: "", access: .inMemory, busyTimeoutMilliseconds: 0)
        try stored.copy(to: copy)
        try Schema.bringUpToDate(copy, canWaitMilliseconds: 0)
        return copy
    }
}

extension StoreFiles {
    /// Whether the path of the folder is in use, also by a file or a broken link.
    fileprivate var folderExists: Bool {
        var status = stat()
        return lstat(self.folder, &status) == 0
    }

    fileprivate func rename(to target: StoreFiles) throws(DatabaseError) {
        // `rename` replaces an empty folder, but no file and no other folder.
        if Glibc.rename(self.folder, target.folder) != 0 {
            throw errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR
                ? DatabaseError(.alreadyExists) : DatabaseError(system: errno)
        }
        Self.flush("\(target.folder)/..")
    }

    /// Deletes the folder and its database.
    fileprivate func removeFolder() {
        self.remove(self.database)
        rmdir(self.folder)
    }
}
