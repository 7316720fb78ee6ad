import Glibc

/// The compiled time zones of this machine.
enum SystemZoneFiles {
    private static let folder = "/usr/share/zoneinfo"

    static var exist: Bool { (try? self.bytes("Europe/Berlin")) != nil }

    struct Unreadable: Error {}

    static func bytes(_ name: String) throws -> [UInt8] {
        guard let file = fopen("\(self.folder)/\(name)", "r") else { throw Unreadable() }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    /// Returns the names of all zones, also old ones, without the copies below `posix` and `right`.
    static func names() throws -> [String] {
        var found: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            guard let directory = opendir("\(self.folder)/\(folder)") else { throw Unreadable() }
            defer { closedir(directory) }
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard !name.hasPrefix("."), !["posix", "right", "localtime", "posixrules"].contains(name) else {
                    continue
                }
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                var status = stat()
                guard stat("\(self.folder)/\(path)", &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    folders.append(path)
                } else if let bytes = try? self.bytes(path), bytes.starts(with: "TZif".utf8), name != "Factory" {
                    found.append(path)
                }
            }
        }
        return found.sorted()
    }
}
