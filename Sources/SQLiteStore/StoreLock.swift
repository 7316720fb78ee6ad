import Glibc
public import Store

// A lock of the open file, as with `flock`, and not of the process (POSIX.1-2024). The C library declares it only with
// all GNU extensions, which Swift does not enable.
private let ownLock: Int32 = 37
private let unlocked = Glibc.flock()

/// The right of one process at a time to synchronize a store, or one account of it.
///
/// Several processes may synchronize one account each; the right to the whole store includes all accounts. Reading and
/// editing need no lock: SQLite keeps them apart. It is held until it is released or the process ends; the file stays.
public final class StoreLock: SyncLease {
    private let descriptor: Int32

    /// Acquires the lock without waiting; creates a missing folder.
    ///
    /// - Parameter account: the only account to synchronize; `nil` for the whole store.
    /// - Throws: ``DatabaseError/Code/syncIsRunning`` when another process, or another lock of this one, has it.
    public init(folder: String, account: AccountID? = nil) throws(DatabaseError) {
        let files = StoreFiles(folder: folder)
        try files.createFolder()
        guard let descriptor = try StoreFiles.openPrivate(files.lock, flags: O_CREAT | O_RDWR) else {
            throw DatabaseError(system: EEXIST)
        }
        guard flock(descriptor, (account == nil ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0,
            account.map({ Self.take($0, descriptor) }) ?? true
        else {
            let error = errno
            close(descriptor)
            let isTaken = error == EWOULDBLOCK || error == EACCES
            throw isTaken ? DatabaseError(.syncIsRunning, detail: error) : DatabaseError(system: error)
        }
        fchmod(descriptor, 0o600)
        self.descriptor = descriptor
    }

    /// Each account is one byte of the file, which may lie beyond its end.
    private static func take(_ account: AccountID, _ descriptor: Int32) -> Bool {
        var range = unlocked
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(account.rawValue)
        range.l_len = 1
        return withUnsafeMutablePointer(to: &range) { fcntl(descriptor, ownLock, UnsafeMutableRawPointer($0)) } == 0
    }

    deinit { close(self.descriptor) }
}
