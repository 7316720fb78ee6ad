import Glibc

/// Files that only their owner can read.
package enum PrivateFile {
    package enum Content: Hashable, Sendable {
        case bytes([UInt8])
        /// Another user than this one and root owns the file, or others may read or write it.
        case openToOthers
        /// The file is missing, not a regular file, not readable, or longer than the limit; with the reason in words.
        case notReadable(String)
    }

    /// Reads a file of at most `limit` bytes.
    package static func read(_ path: String, limit: Int) -> Content {
        // A pipe would block the call.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return .notReadable(SystemError.last(path).reason) }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .notReadable("not a regular file")
        }
        let isOwn = status.st_uid == geteuid() || status.st_uid == 0
        guard isOwn, status.st_mode & 0o077 == 0 else { return .openToOthers }
        guard let bytes = readBytes(limit + 1, from: file) else { return .notReadable(SystemError.last(path).reason) }
        guard bytes.count <= limit else { return .notReadable("more than \(limit) bytes") }
        return .bytes(bytes)
    }

    /// Creates a file that only this user can read.
    ///
    /// - Throws: `SystemError` with EEXIST if there is a file.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last(path) }
        let isWritten = writeBytes(bytes, to: file) && fchmod(file, 0o600) == 0 && fsync(file) == 0
        let error = SystemError.last(path)
        guard close(file) == 0, isWritten else {
            unsafe unlink(path)
            throw error
        }
    }
}
