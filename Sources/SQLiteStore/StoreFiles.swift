import Glibc
import Store

/// The folder of a store and the files in it.
///
/// What is made here is for its owner alone, whatever the umask: the folder 0700, the files 0600. SQLite gives its
/// `-wal` and `-shm` files the mode of the database.
package struct StoreFiles {
    /// Without a slash at the end.
    package let folder: String

    package var database: String { "\(self.folder)/reminders.db" }
    var lock: String { "\(self.folder)/lock" }
    /// The delivery state of the daemon.
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

    /// Whether the folder cannot be written and no unfinished log lies beside the database.
    ///
    /// Only then may the database be read without looking at its log.
    var isOnReadOnlyMedia: Bool {
        access(self.folder, W_OK) != 0 && !self.hasUnfinishedLog
    }

    /// Whether the log beside the database holds something that the database does not.
    var hasUnfinishedLog: Bool { self.logBytes > 0 }

    /// The size of the log beside the database, 0 when there is none.
    package var logBytes: Int { Self.size(self.writeAheadLog) ?? 0 }

    /// The bytes of a file; `nil` when there is none.
    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Whether there is certainly no database.
    var isMissing: Bool {
        var status = stat()
        return stat(self.database, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Whether there is a database file without a byte: one that a full disk or a broken copy has cut off.
    ///
    /// SQLite would take it for a new one, and throw the log beside it away.
    var isCutOff: Bool {
        var status = stat()
        return stat(self.database, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }

    /// Makes the folder, with those above it, where it is missing.
    func createFolder() throws(DatabaseError) { try Self.createFolder(self.folder) }

    /// Makes the database where there is none: under another name, so that it has its name only when it is whole, whenever
    /// this process is killed.
    ///
    /// - Parameter fill: makes a store of the empty file with this path, and closes it; nothing of it may be in its log
    ///   then.
    func createDatabase(_ fill: (String) throws(DatabaseError) -> Void) throws(DatabaseError) {
        var status = stat()
        if stat(self.database, &status) == 0 {
            // A copy brought back from a backup may be open to everybody. By path, since closing a second descriptor
            // of an open database would drop this process's locks on it.
            if status.st_mode & 0o077 != 0 { chmod(self.database, 0o600) }
            return
        }
        let new = "\(self.database).new"
        self.remove(new)
        guard let file = try Self.openPrivate(new, flags: O_CREAT | O_EXCL | O_RDWR) else { return }
        close(file)
        defer { self.remove(new) }
        try fill(new)
        // Without locks another process may have been faster, and use its log.
        if stat(self.database, &status) == 0 { return }
        // SQLite would take the log of a database that is gone for the new one's.
        if self.logBytes > 0 { try self.setLogAside() }
        unlink("\(self.database)-shm")
        // A second name takes nobody's place, be it that another process was faster. Where a file has only one, there
        // are no locks either, and whoever opens a store for the first time is alone.
        if link(new, self.database) != 0, errno != EEXIST, rename(new, self.database) != 0 {
            throw DatabaseError(system: errno)
        }
        self.flushFolder()
    }

    /// Gives the log a name that nothing has: `reminders.db-wal.lost`, `reminders.db-wal.lost-2`.
    private func setLogAside() throws(DatabaseError) {
        var number = 1
        var status = stat()
        while lstat(self.lostLog(number), &status) == 0 { number += 1 }
        if rename(self.writeAheadLog, self.lostLog(number)) != 0 { throw DatabaseError(system: errno) }
    }

    private func lostLog(_ number: Int) -> String {
        "\(self.writeAheadLog).lost" + (number == 1 ? "" : "-\(number)")
    }

    /// The names of logs that were set aside, sorted; none where the folder cannot be read.
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

    /// Removes a database with what SQLite puts beside it.
    private func remove(_ path: String) {
        for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) }
    }

    /// The right to open the store, which one process at a time has for the moment that it takes.
    ///
    /// - Returns: the right, given up with the last reference; `nil` where the file system has no such locks.
    func waitForTurn() -> OpeningTurn? { OpeningTurn(folder: self.folder) }

    /// Opens a file for its owner alone.
    ///
    /// A link, a file with a second name, another kind of file and another user's file are refused: in a folder that
    /// others may write to, each of them would have a file changed that is not the store's.
    ///
    /// - Returns: the descriptor; `nil` when `O_EXCL` was asked for and somebody else has just made the file.
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
        // The umask may have taken bits away from the owner.
        if flags & O_EXCL != 0, fchmod(file, 0o600) != 0 {
            let error = DatabaseError(system: errno)
            close(file)
            throw error
        }
        return file
    }

    /// Whether an open file is a plain one of this user's, with one name; root may use the files of other users.
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
