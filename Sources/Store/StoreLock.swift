#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The right to sync a store, which one process at a time has.
///
/// Reading and editing need no lock: SQLite keeps them apart. Held until it is released or the process ends, however
/// it ends; the file stays and means nothing by itself.
public final class StoreLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock without waiting; the folder is made when it is missing.
    ///
    /// - Throws: ``DatabaseError/Code/syncIsRunning`` when another process, or another lock of this one, has it.
    public init(folder: String) throws(DatabaseError) {
        let files = StoreFiles(folder: folder)
        try files.createFolder()
        guard let descriptor = try StoreFiles.openPrivate(files.lock, flags: O_CREAT | O_RDWR) else {
            throw DatabaseError(.cannotOpen, detail: EEXIST)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            close(descriptor)
            throw error == EWOULDBLOCK ? DatabaseError(.syncIsRunning, detail: error) : DatabaseError(system: error)
        }
        fchmod(descriptor, 0o600)
        self.descriptor = descriptor
    }

    deinit { close(self.descriptor) }
}
