import Glibc
package import Store

/// The lock of the one process that delivers the alarms of a store.
///
/// The lock is held until it is released or the process ends. The file stays; its content counts only while the lock is
/// held.
package final class DaemonLock: Sendable {
    /// Why it could not be had.
    package enum Failure: Error, Hashable, Sendable {
        /// Another process has it: its number, `nil` when it has not written it down yet.
        case held(by: Int32?)
        case store(DatabaseError)
    }

    private let descriptor: Int32

    /// A number of a process and a line end.
    private static let maximumBytes = 32

    /// Takes the lock without waiting and records this process; a missing folder is created.
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
        // Where the process is gone that was the last to have it, nobody has: who tried would be in the way of one that
        // begins just now.
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
