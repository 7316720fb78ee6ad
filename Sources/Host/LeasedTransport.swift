package import RemindavHTTP
import RemindavHosting
import Synchronization

/// The time for which a run may change something on a server.
package final class LeaseClock: Sendable {
    private struct State {
        var extended: ContinuousClock.Instant
        var isEnded = false
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter extended: when the worker asked for the lease.
    package init(extended: ContinuousClock.Instant, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.state = Mutex(State(extended: extended))
        self.now = now
    }

    func extend(at moment: ContinuousClock.Instant) { self.state.withLock { $0.extended = moment } }

    /// Lets the run send no further request.
    func end() { self.state.withLock { $0.isEnded = true } }

    var isEnded: Bool { self.state.withLock { $0.isEnded } }

    var mayWrite: Bool {
        let now = self.now()
        return self.state.withLock { LeaseTerms.mayWrite(at: now, extended: $0.extended) }
    }
}

/// Sends the requests of a run, as long as its lease allows them.
package struct LeasedTransport: Transport {
    let base: any Transport
    let lease: LeaseClock

    /// The methods that change nothing on a server.
    package static let readingMethods: Set = ["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT"]

    package init(base: any Transport, lease: LeaseClock) {
        self.base = base
        self.lease = lease
    }

    package func send(_ request: Request) async throws(TransportError) -> Response {
        let isReading = Self.readingMethods.contains(request.method)
        guard !self.lease.isEnded, isReading || self.lease.mayWrite else {
            throw TransportError(.cancelled, host: URL(request.url)?.host ?? "")
        }
        var request = request
        // The limits for other requests are longer than ``LeaseTerms/writeSeconds``.
        if !isReading { request.isSmall = true }
        return try await self.base.send(request)
    }
}
