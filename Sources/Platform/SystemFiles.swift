import Glibc

package struct SystemError: Error, Sendable, CustomStringConvertible {
    package let number: Int32
    /// The file or the program.
    package let subject: String
    package var description: String { "\(self.subject): \(unsafe String(cString: strerror(self.number)))" }

    package init(number: Int32, subject: String) {
        self.number = number
        self.subject = subject
    }

    package static func last(_ subject: String) -> Self { Self(number: errno, subject: subject) }
    /// Every name that could be used belongs to an existing file.
    package static func allTaken(_ subject: String) -> Self { Self(number: EEXIST, subject: subject) }
}

/// A file by its number on its device.
package struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
}

/// Small files, read and written whole.
package enum SystemFiles {
    /// `nil` when the file is missing, cannot be read, or has more bytes than `limit`.
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

    /// Replaces a file atomically by one that only its owner can read.
    package static func writePrivate(_ bytes: [UInt8], to path: String) throws(SystemError) {
        try self.replace(bytes, at: path, mode: 0o600)
    }

    /// Replaces a file atomically; `mode` does not depend on the umask.
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

    /// Only its owner can enter the folder; an existing one is left unchanged.
    package static func makePrivateFolder(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last(path) }
    }

    /// Also creates missing parents.
    package static func makePrivateFolders(_ path: String) throws(SystemError) {
        if path.isEmpty || self.exists(path) { return }
        if let slash = path.lastIndex(of: "/") { try self.makePrivateFolders(String(path[..<slash])) }
        try self.makePrivateFolder(path)
    }

    /// Whether a user other than root and this one owns the file or folder, or may write to it.
    package static func isWritableByOthers(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        let isOwn = status.st_uid == geteuid() || status.st_uid == 0
        return !isOwn || status.st_mode & 0o022 != 0
    }

    package static func remove(_ path: String) { unsafe unlink(path) }
    package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// `nil` when the file is missing.
    package static func identity(_ path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }

    package enum Kind: Sendable {
        case file, folder
        /// A device, a pipe or a socket.
        case other
    }

    /// Links are followed; `nil` when the file is missing or hidden by permissions.
    package static func kind(_ path: String) -> Kind? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// `nil` when the path is no link.
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
