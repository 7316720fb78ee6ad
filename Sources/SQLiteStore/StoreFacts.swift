import Glibc
package import Store

/// What can be seen of a store's folder from outside, without opening the database.
package struct StoreFacts: Hashable, Sendable {
    /// The folder, without a slash at the end.
    package var folder: String
    /// Whether there is a database in it.
    package var exists: Bool
    /// The lower nine bits of the folder's mode; `nil` when there is no folder.
    package var folderMode: UInt32?
    /// Whether this user may write in the folder and, where there is one, to the database.
    package var isWritable = true
    /// The names of files that others may read or write, sorted.
    package var exposed: [String] = []
    /// The size of the database.
    package var databaseBytes = 0
    /// The size of the log beside it, which the next write shortens.
    package var logBytes = 0
    /// The names of logs that were set aside since their database was gone, sorted.
    package var lostLogs: [String] = []
    /// What this user may still write on its disk; `nil` when the system does not say.
    package var freeBytes: Int64?

    /// A folder of which nothing is known yet.
    package init(folder: String, exists: Bool) {
        self.folder = folder
        self.exists = exists
    }

    /// Looks; makes and changes nothing.
    package init(lookingAt folder: String) {
        let files = StoreFiles(folder: folder)
        var status = stat()
        self.init(folder: files.folder, exists: stat(files.database, &status) == 0)
        self.databaseBytes = self.exists ? Int(status.st_size) : 0
        self.logBytes = files.logBytes
        self.lostLogs = files.lostLogs
        guard stat(files.folder, &status) == 0 else { return }
        self.folderMode = UInt32(status.st_mode & 0o777)
        self.isWritable =
            access(files.folder, W_OK | X_OK) == 0 && (!self.exists || access(files.database, W_OK) == 0)
        let own = [
            "reminders.db", "reminders.db-wal", "reminders.db-shm", "lock", "secrets", "rings.db", "rings.db-wal",
            "rings.db-shm", "daemon.lock",
        ]
        self.exposed = own.filter { name in
            stat("\(files.folder)/\(name)", &status) == 0 && status.st_mode & 0o077 != 0
        }
        var disk = statvfs()
        if statvfs(files.folder, &disk) == 0 {
            // Some disks of a network name numbers that nothing can hold.
            let (bytes, isTooMany) = Int64(clamping: disk.f_bavail)
                .multipliedReportingOverflow(by: Int64(clamping: disk.f_frsize))
            self.freeBytes = isTooMany ? .max : bytes
        }
    }
}

extension StoreSnapshot {
    /// What SQLite finds damaged in the file, in its words, which quote nothing that people wrote; empty when all is well.
    ///
    /// Reads the whole file.
    ///
    /// - Parameter limit: so many findings at most.
    package func damage(limit: Int) throws(DatabaseError) -> [String] {
        let found: [String]
        do throws(DatabaseError) {
            found = try self.database.rows("PRAGMA integrity_check(\(limit))") { $0.textIfPresent(at: 0) ?? "" }
        } catch {
            // Some damage keeps it from looking at all.
            guard error.code == .corrupt else { throw error }
            return ["a page cannot be read"]
        }
        // In what is damaged, rows that belong together cannot be found.
        guard found == ["ok"] else { return found }
        let orphans = try self.database.rows("PRAGMA foreign_key_check") { $0.textIfPresent(at: 0) ?? "" }
        return Set(orphans).sorted().map { "a row of \($0) belongs to nothing" }
    }
}
