import Glibc
import RemindavStore

/// The folder of a store and the files in it.
///
/// New files are private regardless of the umask: the folder has mode 0700, the files have mode 0600. SQLite gives the
/// `-wal` and `-shm` files the mode of the database.
package struct StoreFiles {
    /// The path of the folder, without a slash at the end.
    package let folder: String

    package var database: String { "\(self.folder)/reminders.db" }
    var lock: String { "\(self.folder)/lock" }
    var delivery: String { "\(self.folder)/delivery.db" }
    /// The file with the delivery state in older versions, which `delivery.db` has replaced.
    var oldDelivery: String { "\(self.folder)/rings.db" }
    /// The sign-ins to the web pages; a file of its own, because each write to the database wakes the daemon.
    var signIns: String { "\(self.folder)/web.db" }
    var daemonLock: String { "\(self.folder)/daemon.lock" }
    private var writeAheadLog: String { "\(self.database)-wal" }

    package init(folder: String) {
        var path = Substring(folder)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.folder = String(path)
    }

    /// Whether SQLite may read without the log: the folder is not writable, and the log is empty or missing.
    var isOnReadOnlyMedia: Bool {
        access(self.folder, W_OK) != 0 && !self.hasUnfinishedLog
    }

    /// Whether the write-ahead log contains data that may be missing in the database.
    var hasUnfinishedLog: Bool { self.logBytes > 0 }

    /// The size of the write-ahead log in bytes; 0 when there is none.
    package var logBytes: Int { Self.size(self.writeAheadLog) ?? 0 }

    /// Returns the size of a file in bytes; `nil` when the file is missing.
    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Whether the database file certainly does not exist.
    var isMissing: Bool {
        var status = stat()
        return stat(self.database, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Whether the database file is empty, as after a full disk or an incomplete copy.
    ///
    /// SQLite would treat an empty file as a new database and delete its write-ahead log.
    var isCutOff: Bool {
        var status = stat()
        return stat(self.database, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }

    /// Creates the folder and its missing parents.
    func createFolder() throws(DatabaseError) { try Self.createFolder(self.folder) }

    /// Creates a missing database under another name and then renames it, so that the database is never incomplete.
    /// - Parameter fill: creates the tables in the empty file with this path, closes it and leaves an empty log.
    func createDatabase(_ fill: (String) throws(DatabaseError) -> Void) throws(DatabaseError) {
        var status = stat()
        if stat(self.database, &status) == 0 {
            // A file from a backup may be readable by others. The mode is changed by path: closing another descriptor
            // of the file would release the SQLite locks of this process.
            if status.st_mode & 0o077 != 0 { chmod(self.database, 0o600) }
            return
        }
        let new = "\(self.database).new"
        self.remove(new)
        guard let file = try Self.openPrivate(new, flags: O_CREAT | O_EXCL | O_RDWR) else { return }
        close(file)
        defer { self.remove(new) }
        try fill(new)
        // On a file system without locks, another process may have created the database. Then its log is needed.
        if stat(self.database, &status) == 0 { return }
        // A write-ahead log without its database is renamed, because SQLite would apply it to the new database.
        if self.logBytes > 0 { try self.setLogAside() }
        unlink("\(self.database)-shm")
        // `link` never replaces a file that another process has just created. On a file system without hard links,
        // `rename` could replace such a file, but two processes rarely create a store at the same time.
        if link(new, self.database) != 0, errno != EEXIST, rename(new, self.database) != 0 {
            throw DatabaseError(system: errno)
        }
        self.flushFolder()
    }

    /// Renames the write-ahead log to `reminders.db-wal.lost`, or, if that exists, to `….lost-2`, `….lost-3` and so on.
    private func setLogAside() throws(DatabaseError) {
        var number = 1
        var status = stat()
        while lstat(self.lostLog(number), &status) == 0 { number += 1 }
        if rename(self.writeAheadLog, self.lostLog(number)) != 0 { throw DatabaseError(system: errno) }
    }

    private func lostLog(_ number: Int) -> String {
        "\(self.writeAheadLog).lost" + (number == 1 ? "" : "-\(number)")
    }

    /// The names of the renamed write-ahead logs, sorted; empty when the folder is not readable.
    package var lostLogs: [String] {
        guard let directory = opendir(self.folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("reminders.db-wal.lost") { names.append(name) }
        }
        return names.sorted()
    }

    /// Deletes a database with the files that SQLite creates beside it.
    func remove(_ path: String) {
        for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) }
    }

    /// Waits for the lock that allows one process at a time to open or create the store.
    /// - Returns: the lock, released with its last reference; `nil` when the file system does not support it.
    func waitForTurn() -> OpeningTurn? { OpeningTurn(folder: self.folder) }

    /// Opens a file that only its owner may read and write.
    ///
    /// Symbolic links, files with several hard links, files other than regular files, and files of other users are
    /// refused. In a folder that other users may write to, such a path could lead to a file outside the store.
    /// - Returns: the descriptor; `nil` when `flags` has `O_EXCL` and the file exists.
    static func openPrivate(_ path: String, flags: Int32) throws(DatabaseError) -> Int32? {
        let file = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode_t(0o600))
        guard file >= 0 else {
            if errno == EEXIST { return nil }
            throw DatabaseError(system: errno)
        }
        guard Self.isOwn(file) else {
            close(file)
            throw DatabaseError(system: EPERM)
        }
        // The umask may have removed permissions from the mode that `open` received.
        if flags & O_EXCL != 0, fchmod(file, 0o600) != 0 {
            let error = DatabaseError(system: errno)
            close(file)
            throw error
        }
        return file
    }

    /// Whether an open file is a regular file with one hard link that belongs to this user; root may use every file.
    static func isOwn(_ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink <= 1
            && (status.st_uid == geteuid() || geteuid() == 0)
    }

    private static func createFolder(_ path: String) throws(DatabaseError) {
        var status = stat()
        if path.isEmpty || stat(path, &status) == 0 { return }
        if let slash = path.lastIndex(of: "/") { try self.createFolder(String(path[..<slash])) }
        if mkdir(path, 0o700) != 0 {
            if errno == EEXIST { return }
            throw DatabaseError(system: errno)
        }
        chmod(path, 0o700)
    }

    /// Makes the database's directory entry durable, so that it survives a power loss like the first transaction.
    private func flushFolder() { Self.flush(self.folder) }

    /// Makes the entries of a folder durable.
    static func flush(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// A lock on the folder itself, so that no lock file is needed.
final class OpeningTurn {
    private let descriptor: Int32

    fileprivate init?(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var result = flock(descriptor, LOCK_EX)
        while result != 0, errno == EINTR { result = flock(descriptor, LOCK_EX) }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { releaseLock(self.descriptor) }
}
