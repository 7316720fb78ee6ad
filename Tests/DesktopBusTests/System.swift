import Glibc

/// A socket that accepts connections and sends nothing.
final class Listener {
    private let socket: Int32

    init?(path: String) {
        self.socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(self.socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(self.socket, 8) == 0 else { return nil }
    }

    deinit { close(self.socket) }
}

/// The bus threads of this process.
enum BusThreads {
    /// The number of context switches, by thread; `nil` without a bus thread.
    static func switches() -> [String: String]? {
        var found: [String: String] = [:]
        for task in names("/proc/self/task") {
            guard fileText("/proc/self/task/\(task)/comm") == "desktop-bus\n" else { continue }
            let status = fileText("/proc/self/task/\(task)/status")
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            found[task] = line.map(String.init)
        }
        return found.isEmpty ? nil : found
    }

    private static func names(_ path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}

/// Returns the first 64 KiB of a file; the result is empty if the file cannot be read.
func fileText(_ path: String) -> String {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}
