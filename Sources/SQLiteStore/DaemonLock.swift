import Glibc
package import Store

/// The right to ring for a store, which one process at a time has.
///
/// Held until it is released or the process ends, however it ends. The file stays; what it says counts only while
/// somebody holds it.
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

    /// Takes the lock without waiting, and writes down who has it; the folder is made when it is missing.
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
        // Only for who asks: without it the lock holds as well.
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, line, line.count, 0) }
        self.descriptor = descriptor
    }

    /// Whether a process rings for a store, for who only wants to know: nothing is made or changed.
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
