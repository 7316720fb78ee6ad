import Glibc
import Store

/// The folder of a store and the files in it.
///
/// New files are private whatever the umask: the folder has mode 0700, the files 0600. SQLite gives its `-wal` and
/// `-shm` files the mode of the database.
package struct StoreFiles {
    /// Without a slash at the end.
    package let folder: String

    package var database: String { "\(self.folder)/reminders.db" }
    var lock: String { "\(self.folder)/lock" }
    var delivery: String { "\(self.folder)/delivery.db" }
    /// The delivery state of a version before `delivery.db`.
    var oldDelivery: String { "\(self.folder)/rings.db" }
    var daemonLock: String { "\(self.folder)/daemon.lock" }
    private var writeAheadLog: String { "\(self.database)-wal" }

    package init(folder: String) {
        var path = Substring(folder)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.folder = String(path)
    }

    /// Whether the folder cannot be written and no unfinished log is beside the database: only then may the database be
    /// read without its log.
    var isOnReadOnlyMedia: Bool {
        access(self.folder, W_OK) != 0 && !self.hasUnfinishedLog
    }

    /// Whether the log beside the database has changes that the database does not have.
    var hasUnfinishedLog: Bool { self.logBytes > 0 }

    /// The size of the log beside the database, 0 when there is none.
    package var logBytes: Int { Self.size(self.writeAheadLog) ?? 0 }

    /// In bytes; `nil` when there is no file.
    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Whether there is certainly no database.
    var isMissing: Bool {
        var status = stat()
        return stat(self.database, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Whether the database file is empty, after a full disk or an incomplete copy.
    ///
    /// SQLite would treat it as a new one and delete its log.
    var isCutOff: Bool {
        var status = stat()
        return stat(self.database, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }

    /// Creates the folder and its missing parents.
    func createFolder() throws(DatabaseError) { try Self.createFolder(self.folder) }

    /// Creates a missing database under another name first, so that it never exists incomplete.
    ///
    /// - Parameter fill: creates a store in the empty file with this path and closes it, leaving nothing in the log.
    func createDatabase(_ fill: (String) throws(DatabaseError) -> Void) throws(DatabaseError) {
        var status = stat()
        if stat(self.database, &status) == 0 {
            // A copy from a backup may have more permissions. By path, since closing a second descriptor of an open
            // database would release this process's locks on it.
            if status.st_mode & 0o077 != 0 { chmod(self.database, 0o600) }
            return
        }
        let new = "\(self.database).new"
        self.remove(new)
        guard let file = try Self.openPrivate(new, flags: O_CREAT | O_EXCL | O_RDWR) else { return }
        close(file)
        defer { self.remove(new) }
        try fill(new)
        // Without locks another process may have been faster and use its log.
        if stat(self.database, &status) == 0 { return }
        // SQLite would use the log of a lost database for the new one.
        if self.logBytes > 0 { try self.setLogAside() }
        unlink("\(self.database)-shm")
        // A second name replaces no file, even if another process was faster. A file system without second names has no
        // locks either; there, the first process to open a store is alone.
        if link(new, self.database) != 0, errno != EEXIST, rename(new, self.database) != 0 {
            throw DatabaseError(system: errno)
        }
        self.flushFolder()
    }

    /// Renames the log to an unused name: `reminders.db-wal.lost`, `reminders.db-wal.lost-2`.
    private func setLogAside() throws(DatabaseError) {
        var number = 1
        var status = stat()
        while lstat(self.lostLog(number), &status) == 0 { number += 1 }
        if rename(self.writeAheadLog, self.lostLog(number)) != 0 { throw DatabaseError(system: errno) }
    }

    private func lostLog(_ number: Int) -> String {
        "\(self.writeAheadLog).lost" + (number == 1 ? "" : "-\(number)")
    }

    /// The names of such logs, sorted; none where the folder cannot be read.
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

    /// Deletes a database with the files that SQLite puts beside it.
    private func remove(_ path: String) {
        for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) }
    }

    /// Waits for the right to open the store, which one process at a time has.
    ///
    /// - Returns: the right, released with the last reference; `nil` where the file system has no such locks.
    func waitForTurn() -> OpeningTurn? { OpeningTurn(folder: self.folder) }

    /// Opens a file for its owner alone.
    ///
    /// A symbolic link, a file with a second name, another kind of file and another user's file are refused: in a
    /// folder that others may write to, each of them could lead to a file outside the store.
    ///
    /// - Returns: the descriptor; `nil` when `O_EXCL` was requested and another process has just created the file.
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
        // The umask may have removed permissions of the owner.
        if flags & O_EXCL != 0, fchmod(file, 0o600) != 0 {
            let error = DatabaseError(system: errno)
            close(file)
            throw error
        }
        return file
    }

    /// Whether an open file is a regular one of this user, with one name; root may use the files of other users.
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

    /// Makes the new file's name survive a power loss, as its first transaction will.
    private func flushFolder() {
        let descriptor = open(self.folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// A lock on the folder itself, so that no file is needed for it.
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

    deinit { close(self.descriptor) }
}
