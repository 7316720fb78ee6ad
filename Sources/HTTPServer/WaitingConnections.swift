import Glibc

/// The connections of a server, with the deadlines for their requests and answers.
struct WaitingConnections: Sendable {
    /// The address of libmicrohttpd's connection object.
    typealias ID = UInt
    typealias Span = Swift.Duration
    typealias Moment = ContinuousClock.Instant

    private struct State: Sendable {
        let socket: Int32
        /// `nil` for an answer that may take any time.
        var deadline: Moment?
        /// When the wait for a request began; `nil` while a request is answered.
        var waitsSince: Moment?
        /// Whether the server has shut down the socket; libmicrohttpd detects this and closes the connection.
        var isEnded = false
    }

    private var states: [ID: State] = [:]
    /// When the last connection was closed; `nil` while there are connections.
    private(set) var idleSince: Moment? = .now

    mutating func opened(_ id: ID, socket: Int32, within time: Span, limit: Int = .max, at now: Moment = .now) {
        self.states[id] = State(socket: socket, deadline: now.advanced(by: time), waitsSince: now)
        self.idleSince = nil
        guard self.states.count(where: { !$0.value.isEnded }) > limit else { return }
        let waiting = self.states.filter { !$0.value.isEnded && $0.value.waitsSince != nil && $0.key != id }
        let longest = waiting.min { ($0.value.waitsSince ?? now) < ($1.value.waitsSince ?? now) }
        if let longest { self.end(longest.key) }
    }

    mutating func waits(_ id: ID, within time: Span, at now: Moment = .now) {
        self.states[id]?.deadline = now.advanced(by: time)
        self.states[id]?.waitsSince = now
    }

    mutating func arrived(_ id: ID, answerWithin time: Span, at now: Moment = .now) {
        self.states[id]?.deadline = now.advanced(by: time)
        self.states[id]?.waitsSince = nil
    }

    /// For an answer that is written over time.
    mutating func hasNoDeadline(_ id: ID) { self.states[id]?.deadline = nil }

    var hasDeadlines: Bool { self.states.values.contains { $0.deadline != nil && !$0.isEnded } }

    /// Must be called before libmicrohttpd closes the socket; later, a new connection may have the same socket number.
    mutating func closed(_ id: ID, at now: Moment = .now) {
        self.states[id] = nil
        if self.states.isEmpty { self.idleSince = now }
    }

    mutating func end(at now: Moment) {
        for (id, state) in self.states where !state.isEnded {
            if let deadline = state.deadline, deadline <= now { self.end(id) }
        }
    }

    private mutating func end(_ id: ID) {
        guard let state = self.states[id] else { return }
        self.states[id]?.isEnded = true
        shutdown(state.socket, Int32(SHUT_RDWR))
    }
}
