#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The connections on which a request is being waited for, and until when.
///
/// A connection enters when it opens and each time a request is over; it leaves when a request has arrived whole and
/// when it closes.
struct WaitingConnections: Sendable {
    /// A connection, by its address in the library.
    typealias ID = UInt

    private var sockets: [ID: Int32] = [:]
    private var deadlines: [ID: ContinuousClock.Instant] = [:]

    mutating func opened(_ id: ID, socket: Int32, until deadline: ContinuousClock.Instant) {
        self.sockets[id] = socket
        self.deadlines[id] = deadline
    }

    mutating func waits(_ id: ID, until deadline: ContinuousClock.Instant) {
        guard self.sockets[id] != nil else { return }
        self.deadlines[id] = deadline
    }

    mutating func arrived(_ id: ID) {
        self.deadlines[id] = nil
    }

    /// Called before the library closes the socket, so that no number in here can mean another connection's.
    mutating func closed(_ id: ID) {
        self.sockets[id] = nil
        self.deadlines[id] = nil
    }

    /// Ends the connections whose time is up; the library notices and closes them.
    mutating func end(at now: ContinuousClock.Instant) {
        for (id, deadline) in self.deadlines where deadline <= now {
            self.deadlines[id] = nil
            if let socket = self.sockets[id] { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }
}
