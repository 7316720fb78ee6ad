import Glibc

/// Opens sockets in the file system, which only the user and the group may connect to.
package enum UnixListener {
    /// The connections that wait until the server accepts them; the limit of the server is 64.
    private static let backlog: Int32 = 64
    private static let mode: mode_t = 0o660

    /// Opens a socket that listens at a path; a socket that no process uses any more is replaced.
    ///
    /// - Returns: the file descriptor.
    package static func open(_ path: String) throws(SystemError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte is zero.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(number: ENAMETOOLONG, subject: path)
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .last(path) }
        do throws(SystemError) {
            try self.removeUnused(path, address)
            // The file gets the mode of the socket, so that there is no moment with another mode.
            guard fchmod(descriptor, self.mode) == 0, unsafe self.call(bind, descriptor, address) == 0,
                unsafe chmod(path, self.mode) == 0, listen(descriptor, self.backlog) == 0
            else { throw .last(path) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Removes the socket of a process that has ended; throws if a process listens, or if the file is no socket.
    private static func removeUnused(_ path: String, _ address: sockaddr_un) throws(SystemError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .allTaken(path) }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { throw .last(path) }
        defer { close(probe) }
        if unsafe self.call(connect, probe, address) == 0 { throw SystemError(number: EADDRINUSE, subject: path) }
        unsafe unlink(path)
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
        _ descriptor: Int32,
        _ address: sockaddr_un
    ) -> Int32 {
        var address = address
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe function(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
