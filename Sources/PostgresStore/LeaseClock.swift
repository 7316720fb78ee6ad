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

    /// - Parameter extended: when the lease was asked for.
    package init(extended: ContinuousClock.Instant, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.state = Mutex(State(extended: extended))
        self.now = now
    }

    /// - Parameter moment: when the extension was asked for.
    package func extend(at moment: ContinuousClock.Instant) { self.state.withLock { $0.extended = moment } }

    /// Lets the run send no further request.
    package func end() { self.state.withLock { $0.isEnded = true } }

    /// Whether the run is lost, or the process stops.
    package var isEnded: Bool { self.state.withLock { $0.isEnded } }

    /// Whether a request that changes something may begin now.
    package var mayWrite: Bool {
        let now = self.now()
        return self.state.withLock { LeaseTerms.mayWrite(at: now, extended: $0.extended) }
    }
}

extension LeaseClock {
    /// Extends the leases of runs in the database, and then this clock; ends the clock if one of the leases is lost.
    ///
    /// - Returns: whether the clock was extended; otherwise the caller tries again, unless the clock has ended.
    package func extend(_ runs: [WorkFence], of tenant: TenantID, in works: WorkDirectory) -> Bool {
        let asked = self.now()
        // If the database fails, the next attempt is early enough.
        guard let result = try? works.extend(runs: runs, of: tenant) else { return false }
        let generation = works.generation
        guard result.lostRuns.isEmpty, runs.allSatisfy({ $0.generation == generation }) else {
            self.end()
            return false
        }
        guard result.delayedRuns.isEmpty else { return false }
        self.extend(at: asked)
        return true
    }
}
