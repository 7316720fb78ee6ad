import Glibc

/// An unlinked temporary file: it buffers bytes that arrive slowly and are read later in one go.
package final class SpoolFile: Sendable {
    private let file: Descriptor
    private let folder: String

    /// - Parameters:
    ///   - folder: the folder that determines the disk.
    ///   - name: the temporary name of the file, until it is unlinked.
    package init(in folder: String, name: String) throws(SystemError) {
        let path = "\(folder)/\(name)"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last(folder) }
        unsafe unlink(path)
        self.file = Descriptor(descriptor)
        self.folder = folder
    }

    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe putBytes(self.file.number, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .last(self.folder)
            }
        }
    }

    /// Goes back to the first byte.
    package func rewind() throws(SystemError) {
        guard lseek(self.file.number, 0, SEEK_SET) == 0 else { throw .last(self.folder) }
    }

    /// Reads at most `limit` more bytes; none at the end.
    package func read(_ limit: Int) throws(SystemError) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: limit)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe takeBytes(self.file.number, $0.baseAddress, $0.count)
            }
            if count >= 0 { return Array(chunk[..<count]) }
            if errno != EINTR { throw .last(self.folder) }
        }
    }
}

/// `write(2)` and `read(2)`, which the methods of ``SpoolFile`` hide.
private func putBytes(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(file, buffer, count)
}

private func takeBytes(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(file, buffer, count)
}
