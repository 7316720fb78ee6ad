import Glibc
package import Store

/// The lock of the process that delivers the alarms of a store.
///
/// It is held until it is released or the process ends. The content of the file counts only while the lock is held.
package final class DaemonLock: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// Another process has it: its number, `nil` when that is not written yet.
        case held(by: Int32?)
        case store(DatabaseError)
    }

    private let descriptor: Int32

    /// A process number and a line end.
    private static let maximumBytes = 32

    /// Acquires the lock without waiting and records this process; creates a missing folder.
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
        // For information only: the lock holds without it.
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, line, line.count, 0) }
        self.descriptor = descriptor
    }

    /// Whether a process delivers the alarms of a store, without a change of its files.
    package static func isHeld(folder: String) -> Bool {
        let path = StoreFiles(folder: folder).daemonLock
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard StoreFiles.isOwn(descriptor) else { return false }
        // If the last holder no longer runs, the lock is free: an attempt to acquire it could disturb a process that
        // begins at this moment.
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

    deinit { close(self.descriptor) }
}
