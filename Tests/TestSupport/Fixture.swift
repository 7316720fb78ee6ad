import Glibc

/// Where a fixture could not be read.
public struct FixtureError: Error, CustomStringConvertible {
    /// The file's path.
    public let path: String
    /// The sentence in the output of the tests.
    public var description: String { "\(self.path) cannot be read" }
}

/// The files under `Fixtures/`, found from this file's own place.
public enum Fixture {
    /// The folder `Fixtures/`, without a slash at the end.
    public static let folder: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/") + "/Fixtures"
    }()

    /// The bytes of `Fixtures/‹path›`.
    public static func bytes(_ path: String) throws -> [UInt8] {
        try self.file("\(self.folder)/\(path)")
    }

    /// The bytes of any file.
    public static func file(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw FixtureError(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// The text of `Fixtures/‹path›`.
    public static func text(_ path: String) throws -> String {
        String(decoding: try self.bytes(path), as: UTF8.self)
    }

    /// The rows of a table in `Fixtures/‹path›`: fields with a tab between; lines that begin with `#` are comments.
    public static func rows(_ path: String) throws -> [[String]] {
        try self.text(path).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The names in `Fixtures/‹folder›` that end with `suffix`, sorted.
    public static func names(in folder: String, endingWith suffix: String) throws -> [String] {
        guard let directory = opendir("\(self.folder)/\(folder)") else { throw FixtureError(path: folder) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(suffix) { names.append(name) }
        }
        return names.sorted()
    }
}
