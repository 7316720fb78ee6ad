import Glibc

/// The connections of a server and their deadlines: the moment by which its request must have arrived, or its answer
/// have been taken.
struct WaitingConnections: Sendable {
    /// A connection, by its address in the library.
    typealias ID = UInt
    /// A length of time.
    typealias Span = Swift.Duration
    typealias Moment = ContinuousClock.Instant

    private struct State: Sendable {
        let socket: Int32
        var deadline: Moment
        /// Since when a request is waited for; `nil` while one is answered.
        var waitsSince: Moment?
        /// Whether it was ended here; the library notices and closes it.
        var isEnded = false
    }

    private var states: [ID: State] = [:]

    /// A connection was accepted.
    ///
    /// When there are more than `limit`, the one ends that has waited longest for a request.
    mutating func opened(_ id: ID, socket: Int32, within time: Span, limit: Int = .max, at now: Moment = .now) {
        self.states[id] = State(socket: socket, deadline: now.advanced(by: time), waitsSince: now)
        guard self.states.count(where: { !$0.value.isEnded }) > limit else { return }
        let waiting = self.states.filter { !$0.value.isEnded && $0.value.waitsSince != nil && $0.key != id }
        let longest = waiting.min { ($0.value.waitsSince ?? now) < ($1.value.waitsSince ?? now) }
        if let longest { self.end(longest.key) }
    }

    /// A request is over, and the next one is waited for.
    mutating func waits(_ id: ID, within time: Span, at now: Moment = .now) {
        self.states[id]?.deadline = now.advanced(by: time)
        self.states[id]?.waitsSince = now
    }

    /// A request has arrived whole, and is being answered.
    mutating func arrived(_ id: ID, answerWithin time: Span, at now: Moment = .now) {
        self.states[id]?.deadline = now.advanced(by: time)
        self.states[id]?.waitsSince = nil
    }

    /// Called before the library closes the socket, so that no number in here can mean another connection's.
    mutating func closed(_ id: ID) { self.states[id] = nil }

    /// Ends the connections with an expired deadline.
    mutating func end(at now: Moment) {
        for (id, state) in self.states where state.deadline <= now && !state.isEnded { self.end(id) }
    }

    private mutating func end(_ id: ID) {
        guard let state = self.states[id] else { return }
        self.states[id]?.isEnded = true
        shutdown(state.socket, Int32(SHUT_RDWR))
    }
}
