import Glibc

/// A temporary file without a name; it stores bytes that arrive slowly and are read later in one go.
package final class SpoolFile: Sendable {
    private let file: Descriptor
    private let folder: String

    /// Creates the file in `folder`, which determines the disk, and removes its name at once.
    package init(in folder: String, name: String) throws(SystemError) {
        let path = "\(folder)/\(name)"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last(folder) }
        unsafe unlink(path)
        self.file = Descriptor(descriptor)
        self.folder = folder
    }

    /// Opens a file for reading, such as that of another object by its ``path``.
    package init(path: String) throws(SystemError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last(path) }
        self.file = Descriptor(descriptor)
        self.folder = path
    }

    /// A path under which this process can open the file while this object exists.
    package var path: String { "/proc/self/fd/\(self.file.number)" }

    package func write(_ bytes: [UInt8]) throws(SystemError) {
        guard writeBytes(bytes, to: self.file.number) else { throw .last(self.folder) }
    }

    package func rewind() throws(SystemError) {
        guard lseek(self.file.number, 0, SEEK_SET) == 0 else { throw .last(self.folder) }
    }

    /// Returns at most `limit` bytes; an empty array at the end of the file.
    package func read(_ limit: Int) throws(SystemError) -> [UInt8] {
        guard let bytes = readBytes(limit, from: self.file.number) else { throw .last(self.folder) }
        return bytes
    }
}

/// Writes all bytes to a file descriptor, and returns `false` for an error, whose reason is in `errno`.
package func writeBytes(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { return false }
        rest = rest.dropFirst(max(count, 0))
    }
    return true
}

/// Reads at most `limit` bytes: none at the end of the file, and `nil` for an error, whose reason is in `errno`.
package func readBytes(_ limit: Int, from descriptor: Int32) -> [UInt8]? {
    while true {
        var isFailed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let result = unsafe read(descriptor, buffer.baseAddress, limit)
            isFailed = result < 0
            count = max(result, 0)
        }
        guard isFailed else { return bytes }
        if errno != EINTR { return nil }
    }
}
