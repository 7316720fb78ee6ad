import Glibc

/// A folder of a test's own, gone with its last reference.
public final class TemporaryFolder: Sendable {
    /// Without a slash at the end.
    public let path: String

    /// Makes an empty folder.
    public init() throws {
        var template = Array("/tmp/remindav-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw FolderError(errno: errno) }
        self.path = String(cString: made)
    }

    deinit { Self.remove(self.path) }

    /// The names in it, sorted.
    public var names: [String] { Self.names(in: self.path) }

    /// The lower twelve bits of a file's mode, `nil` when there is no such file.
    public static func mode(of path: String) -> UInt32? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt32(status.st_mode & 0o7777) : nil
    }

    /// Writes a whole file.
    public static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "wb") else { throw FolderError(errno: errno) }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw FolderError(errno: errno) }
    }

    /// Overwrites a part of a file with the letter x.
    public static func damage(_ path: String, from offset: Int, count: Int) throws {
        guard let file = fopen(path, "r+b") else { throw FolderError(errno: errno) }
        defer { fclose(file) }
        fseek(file, offset, SEEK_SET)
        fwrite([UInt8](repeating: UInt8(ascii: "x"), count: count), 1, count, file)
    }

    /// The names in any folder, sorted.
    public static func names(below path: String) -> [String] { self.names(in: path) }

    private static func remove(_ path: String) {
        for name in self.names(in: path) { self.remove("\(path)/\(name)") }
        removeEntry(path)
    }

    /// None for something that is no folder.
    private static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// Why a test's folder could not be used.
public struct FolderError: Error {
    /// The operating system's number.
    public let errno: Int32
}

// Outside the class, where the name means the system's function.
private func removeEntry(_ path: String) { _ = remove(path) }
