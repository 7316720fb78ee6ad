import Glibc
package import RemindavStore

// F_OFD_SETLK, a lock that belongs to the open file and not to the process (POSIX.1-2024). The C library declares it
// only with _GNU_SOURCE, which Swift does not define.
private let ownLock: Int32 = 37
private let unlocked = Glibc.flock()

/// The right of one process at a time to sync a store, or one account of the store.
///
/// Several processes may each sync a different account. The right to the whole store excludes all other rights. Reading
/// and editing need no right, because SQLite serializes transactions. The right ends with this object or the process.
package final class StoreLock: SyncLease {
    private let descriptor: Int32

    /// Acquires the right without waiting; creates a missing folder.
    ///
    /// - Parameter account: the only account to sync; `nil` for the whole store.
    /// - Throws: ``DatabaseError/Code/syncIsRunning`` when another process, or another ``StoreLock``, has the right.
    package init(folder: String, account: AccountID? = nil) throws(DatabaseError) {
        let files = StoreFiles(folder: folder)
        try files.createFolder()
        guard let descriptor = try StoreFiles.openPrivate(files.lock, flags: O_CREAT | O_RDWR) else {
            throw DatabaseError(system: EEXIST)
        }
        guard flock(descriptor, (account == nil ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0,
            account.map({ Self.lock($0, descriptor) }) ?? true
        else {
            let error = errno
            close(descriptor)
            let isTaken = error == EWOULDBLOCK || error == EACCES
            throw isTaken ? DatabaseError(.syncIsRunning, detail: error) : DatabaseError(system: error)
        }
        fchmod(descriptor, 0o600)
        self.descriptor = descriptor
    }

    /// Locks the byte of the file whose offset is the account's number; the offset may be beyond the end of the file.
    private static func lock(_ account: AccountID, _ descriptor: Int32) -> Bool {
        setRangeLock(descriptor, F_WRLCK, start: off_t(account.rawValue), length: 1)
    }

    deinit {
        // A length of 0 means all bytes of the file.
        _ = setRangeLock(self.descriptor, F_UNLCK, start: 0, length: 0)
        releaseLock(self.descriptor)
    }
}

private func setRangeLock(_ descriptor: Int32, _ type: Int32, start: off_t, length: off_t) -> Bool {
    var range = unlocked
    range.l_type = Int16(type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = start
    range.l_len = length
    return withUnsafeMutablePointer(to: &range) { fcntl(descriptor, ownLock, UnsafeMutableRawPointer($0)) } == 0
}

/// Releases the lock of `flock` on an open file, and closes the file.
///
/// `close` alone is not enough: a process that another thread starts has a copy of the descriptor until its `exec`, and
/// a copy keeps the lock.
func releaseLock(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
}
