import Glibc

/// A failed call of the operating system.
package struct SystemError: Error, Sendable, CustomStringConvertible {
    /// The `errno`.
    package let number: Int32
    /// The file or the program.
    package let subject: String

    /// The subject and the text of the operating system.
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
    /// The bytes of a file; `nil` when it is missing or cannot be read.
    ///
    /// - Parameter limit: a file with more bytes counts as unreadable.
    package static func read(_ path: String, limit: Int) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit + 1, 1 << 16))
        while bytes.count <= limit {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe readBytes(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        return nil
    }

    /// Replaces a file atomically by one that only its owner can read.
    package static func writePrivate(_ bytes: [UInt8], to path: String) throws(SystemError) {
        try self.replace(bytes, at: path, mode: 0o600)
    }

    /// Replaces a file atomically: writes another one, flushes it, and renames it.
    ///
    /// - Parameter mode: its permissions, independent of the umask.
    package static func replace(_ bytes: [UInt8], at path: String, mode: UInt32) throws(SystemError) {
        let temporary = "\(path).new"
        unsafe unlink(temporary)
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last(path) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                let error = SystemError.last(path)
                close(file)
                unsafe unlink(temporary)
                throw error
            }
            rest = rest.dropFirst(count)
        }
        let isSynced = fchmod(file, mode) == 0 && fsync(file) == 0
        guard close(file) == 0, isSynced, unsafe rename(temporary, path) == 0 else {
            let error = SystemError.last(path)
            unsafe unlink(temporary)
            throw error
        }
    }

    /// Creates a folder that only its owner can enter; an existing one is left unchanged.
    package static func makePrivateFolder(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last(path) }
    }

    /// Creates a folder and its missing parents, which only their owner can enter.
    package static func makePrivateFolders(_ path: String) throws(SystemError) {
        if path.isEmpty || self.exists(path) { return }
        if let slash = path.lastIndex(of: "/") { try self.makePrivateFolders(String(path[..<slash])) }
        try self.makePrivateFolder(path)
    }

    /// Whether another user owns a file or folder, or may write to it; `false` when it is missing.
    ///
    /// Root does not count as another user.
    package static func isWritableByOthers(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        let isOwn = status.st_uid == geteuid() || status.st_uid == 0
        return !isOwn || status.st_mode & 0o022 != 0
    }

    /// Removes a file, if it exists.
    package static func remove(_ path: String) { unsafe unlink(path) }

    package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Tells the file at a path from others that had or will have the path; `nil` when it is missing.
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

    /// The kind of a file, links followed; `nil` when it is missing or hidden by permissions.
    package static func kind(_ path: String) -> Kind? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The target of a symbolic link; `nil` when the path is no link.
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

/// `read(2)`, which ``SystemFiles/read(_:limit:)`` hides.
private func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(file, buffer, count)
}
