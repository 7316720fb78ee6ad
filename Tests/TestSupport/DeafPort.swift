import Glibc

/// A port of this machine with a listener that accepts nothing, and with so many waiting connections that the system
/// refuses further ones.
public final class DeafPort: Sendable {
    /// The port.
    public let number: UInt16
    private let files: [Int32]

    /// Listens, and fills the line.
    public init() throws {
        let kind = Int32(SOCK_STREAM.rawValue)
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else {
            let error = FolderError(errno: errno)
            close(listener)
            throw error
        }
        self.number = UInt16(bigEndian: address.sin_port)
        // Of these one is let in, and the others knock until the end.
        let callers = (0..<4).map { _ in
            let caller = socket(AF_INET, kind, 0)
            _ = fcntl(caller, F_SETFL, fcntl(caller, F_GETFL) | O_NONBLOCK)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(caller, $0, length) }
            }
            return caller
        }
        self.files = [listener] + callers
    }

    deinit { for file in self.files { close(file) } }
}
