import Glibc

package struct SystemError: Error, Sendable, CustomStringConvertible {
    package let number: Int32
    /// The path of the file, or the program.
    package let subject: String
    package var description: String { "\(self.subject): \(self.reason)" }
    /// The words of the system for the number.
    package var reason: String { unsafe String(cString: strerror(self.number)) }

    package init(number: Int32, subject: String) {
        self.number = number
        self.subject = subject
    }

    package static func last(_ subject: String) -> Self { Self(number: errno, subject: subject) }
    /// The error when every name that was tried for a new file is the name of an existing file.
    package static func allTaken(_ subject: String) -> Self { Self(number: EEXIST, subject: subject) }
}

/// Identifies a file by its inode number and its device.
package struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
}

/// Reads and writes small files as a whole.
package enum SystemFiles {
    /// Returns the bytes of a file; `nil` when the file is missing, not readable, or longer than `limit` bytes.
    package static func read(_ path: String, limit: Int) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            guard let chunk = readBytes(min(limit + 1, 1 << 16), from: file) else { return nil }
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
        return nil
    }

    /// Replaces a file atomically; only its owner can read the new file.
    package static func writePrivate(_ bytes: [UInt8], to path: String) throws(SystemError) {
        try self.replace(bytes, at: path, mode: 0o600)
    }

    /// Replaces a file atomically; the new file has `mode`, regardless of the umask.
    package static func replace(_ bytes: [UInt8], at path: String, mode: UInt32) throws(SystemError) {
        let temporary = "\(path).new"
        unsafe unlink(temporary)
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last(path) }
        let isWritten = writeBytes(bytes, to: file) && fchmod(file, mode) == 0 && fsync(file) == 0
        var error = SystemError.last(path)
        let isClosed = close(file) == 0
        if isWritten, isClosed, unsafe rename(temporary, path) == 0 { return }
        if isWritten { error = SystemError.last(path) }
        unsafe unlink(temporary)
        throw error
    }

    /// Creates a folder that only its owner can enter; an existing folder stays unchanged.
    package static func makePrivateFolder(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last(path) }
    }

    /// Creates a folder and its missing parents; only their owner can enter the new folders.
    package static func makePrivateFolders(_ path: String) throws(SystemError) {
        if path.isEmpty || self.exists(path) { return }
        if let slash = path.lastIndex(of: "/") { try self.makePrivateFolders(String(path[..<slash])) }
        try self.makePrivateFolder(path)
    }

    /// Whether a user other than this user and root owns the file or folder, or may write to it.
    package static func isWritableByOthers(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        let isOwn = status.st_uid == geteuid() || status.st_uid == 0
        return !isOwn || status.st_mode & 0o022 != 0
    }

    package static func remove(_ path: String) { unsafe unlink(path) }
    package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Returns the identity of a file; `nil` when the file is missing.
    package static func identity(_ path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }

    package enum Kind: Sendable {
        case file, folder
        /// A device, a named pipe or a socket.
        case other
    }

    /// Returns the kind of a file, after following links; `nil` when the file is missing or not accessible.
    package static func kind(_ path: String) -> Kind? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Returns the target of a symbolic link; `nil` when the path is not a symbolic link.
    package static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe $0.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return 0 }
                return unsafe readlink(path, start, text.count)
            }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
