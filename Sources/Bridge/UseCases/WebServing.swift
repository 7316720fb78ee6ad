import Glibc
import RemindavCurlTransport
package import RemindavHTTP
import RemindavHTTPServer

extension UseCases {
    /// The first descriptor that systemd passes (sd_listen_fds(3)).
    private static let firstSocket: Int32 = 3

    /// The listening socket that systemd has passed to this process; `nil` if there is none.
    package static func givenSocket(_ environment: [String: String]) -> Int32? {
        guard environment["LISTEN_PID"] == String(getpid()), environment["LISTEN_FDS"].flatMap({ Int($0) }) == 1 else {
            return nil
        }
        // Programs that this process starts must not keep the socket.
        return fcntl(self.firstSocket, F_SETFD, FD_CLOEXEC) == 0 ? self.firstSocket : nil
    }

    /// Whether the client of a request is a process of the user of this process.
    ///
    /// The kernel reports the user 0 for a socket that its process has closed. So if this process runs as root, a
    /// program of another user can pass this check, and only the sign-in protects the pages.
    package static let isOwnProcess: @Sendable (Request) -> Bool = { $0.peer?.userID == getuid() }

    /// Whether a process of this user listens on a port of 127.0.0.1; `nil` if no process listens.
    package static func isOwnServer(onPort port: UInt16) -> Bool? {
        Peer.userID(listeningOn: port).map { $0 == getuid() }
    }

    /// The timeout for the server on this computer, in seconds; a service that systemd starts needs a moment.
    private static let ownServerSeconds = 5.0

    /// Whether the server on a port of 127.0.0.1 refuses a ticket of this store, because it serves another one.
    package static func isRefused(_ ticket: String, onPort port: UInt16) async -> Bool {
        var limits = TransportLimits.standard
        limits.firstByteSeconds = self.ownServerSeconds
        let request = Request(method: "HEAD", url: "http://127.0.0.1:\(port)/in/\(ticket)")
        return (try? await CurlSession(limits: limits).send(request))?.status == 403
    }
}
