/// Why a server could not be started.
package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Sendable {
        /// Another program listens on the port.
        case portInUse = "another program already listens on this port"
        /// The system refuses the port: below 1024 without the right to it.
        case portForbidden = "this program may not listen on this port"
        /// libmicrohttpd is not installed.
        case noLibrary = "GNU libmicrohttpd (libmicrohttpd.so.12), which serves feeds, is not installed here"
        /// Anything else.
        case notStarted = "the server could not be started"
    }

    package let code: Code
    /// The port that was asked for.
    package let port: UInt16

    /// The port and the failure.
    package var description: String { "port \(self.port): \(self.code.rawValue)" }
}
