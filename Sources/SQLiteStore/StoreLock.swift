import Glibc
public import Store

// A lock that belongs to the open file, as that of `flock` does, and not to the process (POSIX.1-2024). The C library names
// it only when asked for everything of GNU, and Swift does not ask.
private let ownLock: Int32 = 37
private let unlocked = Glibc.flock()

/// The right to sync a store, or one account of it, that one process at a time has.
///
/// Several accounts may be synced at one time, each by one process; who has the right to the whole store has that to each
/// of them. Reading and editing need no lock: SQLite keeps them apart. Held until it is released or the process ends, however
/// it ends; the file stays and means nothing by itself.
public final class StoreLock: SyncLease {
    private let descriptor: Int32

    /// Takes the lock without waiting; the folder is made when it is missing.
    ///
    /// - Parameter account: the only one that is to be synced; `nil` for the whole store.
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

    /// Each account is one byte of the file, be it there or not.
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
