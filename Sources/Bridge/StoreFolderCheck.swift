import Glibc
import RemindavSQLiteStore
import RemindavStore

/// The condition of a store's folder, determined without opening the database.
package struct StoreFolderCheck: Hashable, Sendable {
    package var folder: String
    package var exists = false
    /// The permission bits of the folder; `nil` when the folder is missing.
    package var folderMode: UInt32?
    /// Whether this user may write to the folder and the database.
    package var isWritable = true
    /// The sorted names of files that other users may read or write.
    package var exposed: [String] = []
    package var databaseBytes = 0
    /// The size of the write-ahead log, which the next write transaction shortens.
    package var logBytes = 0
    /// The sorted names of write-ahead logs that were renamed because their database was missing.
    package var lostLogs: [String] = []
    /// The bytes that this user can still write to the disk; `nil` when the system does not report them.
    package var freeBytes: Int64?
    package init(folder: String) { self.folder = folder }

    package init(checking folder: String) {
        let files = StoreFiles(folder: folder)
        var status = stat()
        self.init(folder: files.folder)
        self.exists = unsafe stat(files.database, &status) == 0
        self.databaseBytes = self.exists ? Int(status.st_size) : 0
        self.logBytes = files.logBytes
        self.lostLogs = files.lostLogs
        guard unsafe stat(files.folder, &status) == 0 else { return }
        self.folderMode = UInt32(status.st_mode & 0o777)
        self.isWritable =
            unsafe (access(files.folder, W_OK | X_OK) == 0 && (!self.exists || access(files.database, W_OK) == 0))
        self.exposed = Self.privateFiles.filter { name in
            unsafe stat("\(files.folder)/\(name)", &status) == 0 && status.st_mode & 0o077 != 0
        }
        var disk = statvfs()
        if unsafe statvfs(files.folder, &disk) == 0 {
            // Some network file systems report numbers with a product beyond 64 bits.
            let (bytes, isTooMany) = Int64(clamping: disk.f_bavail)
                .multipliedReportingOverflow(by: Int64(clamping: disk.f_frsize))
            self.freeBytes = isTooMany ? .max : bytes
        }
    }

    private static let privateFiles: [String] = {
        let databases = ["reminders.db", "delivery.db", "delivery.db.damaged", "rings.db", "rings.db.damaged"]
        let files = databases.flatMap { name in ["", "-wal", "-shm"].map { name + $0 } }
        return (files + ["daemon.lock", "lock", "secrets"]).sorted()
    }()
}
