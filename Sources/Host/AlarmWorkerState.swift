import RemindavHosting
import RemindavPostgresStore
import Synchronization

/// The running alarms of a process.
final class AlarmWorkerState: Sendable {
    private struct State {
        var clocks: [WorkFence: LeaseClock] = [:]
        var lastBegin = ContinuousClock.now
        var lastExtension = ContinuousClock.now
        var hasDatabase = true
    }

    private let state = Mutex(State())

    var count: Int { self.state.withLock { $0.clocks.count } }
    var clocks: [LeaseClock] { self.state.withLock { Array($0.clocks.values) } }
    /// The time before the last search, from which its leases count.
    var lastBegin: ContinuousClock.Instant { self.state.withLock { $0.lastBegin } }

    func noteBegin(at now: ContinuousClock.Instant) { self.state.withLock { $0.lastBegin = now } }
    func add(_ fence: WorkFence, _ clock: LeaseClock) { self.state.withLock { $0.clocks[fence] = clock } }
    func remove(_ fence: WorkFence) { self.state.withLock { _ = $0.clocks.removeValue(forKey: fence) } }

    /// The runs whose leases must be extended now; `nil` while no extension is due.
    func fencesToExtend(at now: ContinuousClock.Instant) -> [WorkFence]? {
        self.state.withLock { state in
            guard state.lastExtension.duration(to: now) >= .seconds(LeaseTerms.extensionSeconds) else { return nil }
            state.lastExtension = now
            return Array(state.clocks.keys)
        }
    }

    /// - Parameters:
    ///   - lost: the runs that other processes may have begun again.
    ///   - delayed: the runs whose leases were not extended, because another transaction has locked their rows.
    ///   - now: the time before the extension.
    func extended(lost: Set<WorkFence>, delayed: Set<WorkFence>, at now: ContinuousClock.Instant) {
        self.state.withLock { state in
            for (fence, clock) in state.clocks {
                if lost.contains(fence) { clock.end() } else if !delayed.contains(fence) { clock.extend(at: now) }
            }
        }
    }

    /// - Returns: whether the database could not be used before.
    func databaseWorks() -> Bool { self.setDatabase(true) }

    /// - Returns: whether the database could be used before.
    func databaseFailed() -> Bool { self.setDatabase(false) }

    private func setDatabase(_ works: Bool) -> Bool {
        self.state.withLock { state in
            defer { state.hasDatabase = works }
            return state.hasDatabase != works
        }
    }
}
