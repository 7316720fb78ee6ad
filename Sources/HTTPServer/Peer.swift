import Glibc
import RemindavCSocketDiagnostics
package import RemindavHTTP

extension Request {
    /// Whether the client used a name of this computer, not the public name of a reverse proxy.
    package var isForThisComputer: Bool { RequestRules.isLoopback(self.headers) }
}

extension Peer {
    /// The client of a connected socket; `nil` if its addresses are not IPv4 addresses.
    init?(socket: Int32) {
        guard let port = Self.port(of: socket, getpeername), let serverPort = Self.port(of: socket, getsockname) else {
            return nil
        }
        self.init(port: port, serverPort: serverPort)
    }

    private static func port(
        of socket: Int32,
        _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(socket, $0, &size) }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// The user of the process that connected to a Unix socket (unix(7), SO_PEERCRED); `nil` for another socket.
    static func userID(ofUnixSocket socket: Int32) -> UInt32? {
        var family: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0, family == AF_UNIX else { return nil }
        var client = RemindavSocketUser()
        size = socklen_t(MemoryLayout<RemindavSocketUser>.size)
        return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &client, &size) == 0 ? client.user : nil
    }

    /// The user of the process that opened the client's socket, as the kernel reports it; `nil` if the kernel does not
    /// answer, or if the socket is closed.
    ///
    /// The kernel reports the user 0 for a socket that its process has closed, so another user can cause the result 0.
    package var userID: UInt32? {
        SocketDiagnostics.userID(ofSocketOn: self.port, connectedTo: self.serverPort)
    }

    /// The user of the process that listens on a port of 127.0.0.1; `nil` as in ``userID``.
    package static func userID(listeningOn port: UInt16) -> UInt32? {
        SocketDiagnostics.userID(ofSocketOn: port, connectedTo: nil)
    }
}

/// Questions about sockets for the kernel (sock_diag(7)).
private enum SocketDiagnostics {
    /// The milliseconds to wait for an answer; the kernel answers within microseconds.
    private static let patience = 1000
    /// A bit for each state of a socket (include/net/tcp_states.h).
    private static let anyState: UInt32 = 0xFFF

    static func userID(ofSocketOn port: UInt16, connectedTo other: UInt16?) -> UInt32? {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_NETLINK, kind, NETLINK_SOCK_DIAG)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var time = timeval(tv_sec: self.patience / 1000, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var question = self.question(port, other)
        guard send(descriptor, &question, MemoryLayout.size(ofValue: question), 0) > 0 else { return nil }
        var answer = RemindavSocketAnswer()
        let size = recv(descriptor, &answer, MemoryLayout.size(ofValue: answer), 0)
        guard size >= MemoryLayout.size(ofValue: answer), answer.header.nlmsg_type == SOCK_DIAG_BY_FAMILY,
            answer.socket.id.idiag_sport == port.bigEndian
        else { return nil }
        return answer.socket.idiag_uid
    }

    private static func question(_ port: UInt16, _ other: UInt16?) -> RemindavSocketQuestion {
        var question = RemindavSocketQuestion()
        question.header.nlmsg_len = UInt32(MemoryLayout.size(ofValue: question))
        question.header.nlmsg_type = UInt16(SOCK_DIAG_BY_FAMILY)
        question.header.nlmsg_flags = UInt16(NLM_F_REQUEST)
        question.request.sdiag_family = UInt8(AF_INET)
        question.request.sdiag_protocol = UInt8(IPPROTO_TCP)
        question.request.idiag_states = self.anyState
        question.request.id.idiag_sport = port.bigEndian
        question.request.id.idiag_dport = (other ?? 0).bigEndian
        let loopback = UInt32(0x7F00_0001).bigEndian
        question.request.id.idiag_src.0 = loopback
        if other != nil { question.request.id.idiag_dst.0 = loopback }
        // The kernel then does not compare the cookie of the socket.
        question.request.id.idiag_cookie = (.max, .max)
        return question
    }
}
