package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case portInUse = "another program already listens on this port"
        case portForbidden = "the system does not allow this user to listen on this port"
        case noLibrary = "GNU libmicrohttpd (libmicrohttpd.so.12), which serves feeds, is not installed"
        case notStarted = "the server could not be started"
    }

    package let code: Code
    package let port: UInt16
    package var description: String { "port \(self.port): \(self.code.rawValue)" }
}
