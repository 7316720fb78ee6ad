import Glibc
package import RemindavStore

/// The file lock that the daemon of a store holds, so that only one process delivers the store's alarms.
///
/// The lock ends with this object or with the process. The process number in the file is valid only during that time.
package final class DaemonLock: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// Another process holds the lock: its process number, or `nil` when the file does not contain the number yet.
        case held(by: Int32?)
        case store(DatabaseError)
    }

    private let descriptor: Int32

    /// The maximum size of the file's content: a process number and a line feed.
    private static let maximumBytes = 32

    /// Acquires the lock without waiting, and writes this process's number to the file; creates a missing folder.
    package init(folder: String) throws(Failure) {
        let files = StoreFiles(folder: folder)
        let descriptor: Int32?
        do throws(DatabaseError) {
            try files.createFolder()
            descriptor = try StoreFiles.openPrivate(files.daemonLock, flags: O_CREAT | O_RDWR)
        } catch {
            throw .store(error)
        }
        guard let descriptor else { throw .store(DatabaseError(system: EEXIST)) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            let holder = Self.holder(descriptor)
            close(descriptor)
            throw error == EWOULDBLOCK ? .held(by: holder) : .store(DatabaseError(system: error))
        }
        fchmod(descriptor, 0o600)
        let line = Array("\(getpid())\n".utf8)
        // The process number is information for other processes. The lock is valid without it, so an error is ignored.
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, line, line.count, 0) }
        self.descriptor = descriptor
    }

    /// Whether another process delivers the alarms of a store; the method changes no file.
    package static func isHeld(folder: String) -> Bool {
        let path = StoreFiles(folder: folder).daemonLock
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard StoreFiles.isOwn(descriptor) else { return false }
        // If the process in the file no longer runs, the lock is free, and `flock` is not called. `flock` would hold
        // the lock for a moment, and a daemon that starts at that moment would fail.
        guard let holder = self.holder(descriptor), kill(holder, 0) == 0 || errno == EPERM else { return false }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func holder(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: self.maximumBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let line = bytes[..<count].prefix { $0 != 0x0A }
        return Int32(String(decoding: line, as: UTF8.self))
    }

    deinit { releaseLock(self.descriptor) }
}
