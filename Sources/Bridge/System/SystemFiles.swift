import Glibc

/// Why something of the operating system could not be had.
package struct SystemError: Error, Sendable, CustomStringConvertible {
    /// `errno` at that moment.
    package let number: Int32
    /// The file or the program that it was about.
    package let subject: String

    /// The operating system's own words.
    package var description: String { "\(self.subject): \(unsafe String(cString: strerror(self.number)))" }

    static func last(_ subject: String) -> Self { Self(number: errno, subject: subject) }
    /// There is a file already, which must stay.
    static func allTaken(_ subject: String) -> Self { Self(number: EEXIST, subject: subject) }
}

/// A file by its number on its device.
struct FileIdentity: Hashable {
    let device: UInt64
    let number: UInt64
}

/// Small files, whole.
enum SystemFiles {
    /// The bytes of a file, `nil` when there is none that can be read.
    ///
    /// - Parameter limit: a file with more bytes counts as unreadable.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
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

    /// Writes a file that only its owner can read: under another name first, then in its place.
    static func writePrivate(_ bytes: [UInt8], to path: String) throws(SystemError) {
        try self.put(bytes, at: path, mode: 0o600)
    }

    /// Writes a file whole: under another name first, then in its place.
    ///
    /// - Parameter mode: who may do what with it, whatever the umask.
    static func put(_ bytes: [UInt8], at path: String, mode: mode_t) throws(SystemError) {
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

    /// Makes a folder that only its owner can enter; one that exists stays as it is.
    static func makePrivateFolder(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last(path) }
    }

    /// Makes a folder, and those that it is in, so that only its owner can enter them; what exists stays as it is.
    static func makePrivateFolders(_ path: String) throws(SystemError) {
        if path.isEmpty || self.exists(path) { return }
        if let slash = path.lastIndex(of: "/") { try self.makePrivateFolders(String(path[..<slash])) }
        try self.makePrivateFolder(path)
    }

    /// Whether other users may write to a file or folder, or it belongs to one of them; `false` when it is not there.
    ///
    /// Files and folders of root count as this user's own.
    static func isOthers(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        let isOwn = status.st_uid == geteuid() || status.st_uid == 0
        return !isOwn || status.st_mode & 0o022 != 0
    }

    /// Removes a file; one that is not there is no error.
    static func remove(_ path: String) { unsafe unlink(path) }

    /// Whether there is something at a path.
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Which file is at a path, and no other that was or will be there; `nil` when there is none.
    static func identity(_ path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }

    /// What is at a path, links followed.
    enum Kind {
        case file, folder, other
    }

    /// What is at a path, links followed; `nil` when nothing is, or nobody may look.
    static func kind(_ path: String) -> Kind? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Where a symbolic link leads, `nil` when it is none.
    static func linkTarget(_ path: String) -> String? {
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

/// `read(2)`, which inside of ``SystemFiles`` is hidden by a function of the same name.
private func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(file, buffer, count)
}
