/// The reason why a server cannot start.
package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason in words.
    package enum Code: String, Sendable {
        case portInUse = "another program already listens on this port"
        case portForbidden = "the system does not allow this user to listen on this port"
        case noLibrary = "GNU libmicrohttpd (libmicrohttpd.so.12), which serves feeds, is not installed"
        case notStarted = "the server could not be started"
    }

    package let code: Code
    /// Whether another port could be used.
    package var isAboutPort: Bool { self.code == .portInUse || self.code == .portForbidden }
    /// The port that was requested; 0 for an open socket, and for any port.
    package let port: UInt16
    package var description: String { "port \(self.port): \(self.code.rawValue)" }
}
