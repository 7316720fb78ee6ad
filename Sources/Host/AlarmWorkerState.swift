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
        var generation: Int
    }

    private let state: Mutex<State>

    /// - Parameter generation: the present history of the database.
    init(generation: Int) { self.state = Mutex(State(generation: generation)) }

    var count: Int { self.state.withLock { $0.clocks.count } }
    var clocks: [LeaseClock] { self.state.withLock { Array($0.clocks.values) } }
    /// The time before the last search, from which its leases count.
    var lastBegin: ContinuousClock.Instant { self.state.withLock { $0.lastBegin } }

    func noteBegin(at now: ContinuousClock.Instant) { self.state.withLock { $0.lastBegin = now } }
    func add(_ fence: WorkFence, _ clock: LeaseClock) { self.state.withLock { $0.clocks[fence] = clock } }
    func remove(_ fence: WorkFence) { self.state.withLock { _ = $0.clocks.removeValue(forKey: fence) } }

    /// The runs whose leases must be extended now; `nil` while no extension is due.
    ///
    /// - Parameter generation: the present history of the database; with another one, all runs end.
    func fencesToExtend(at now: ContinuousClock.Instant, generation: Int) -> [WorkFence]? {
        self.state.withLock { state in
            if state.generation != generation {
                state.generation = generation
                for (fence, clock) in state.clocks where fence.generation != generation { clock.end() }
            }
            guard state.lastExtension.duration(to: now) >= .seconds(LeaseTerms.extensionSeconds) else { return nil }
            state.lastExtension = now
            return state.clocks.filter { !$0.value.isEnded }.map(\.key)
        }
    }

    /// - Parameters:
    ///   - lost: the runs that other processes may have begun again.
    ///   - delayed: the runs whose leases were not extended, because another transaction has locked their rows.
    ///   - now: the time before the extension.
    func noteExtension(lost: Set<WorkFence>, delayed: Set<WorkFence>, at now: ContinuousClock.Instant) {
        self.state.withLock { state in
            for (fence, clock) in state.clocks {
                if lost.contains(fence) { clock.end() } else if !delayed.contains(fence) { clock.extend(at: now) }
            }
            guard !delayed.isEmpty else { return }
            let pause = LeaseTerms.extensionSeconds - LeaseTerms.repetitionSeconds
            state.lastExtension = now.advanced(by: .seconds(-pause))
        }
    }

    /// Notes whether the database can be used, and returns whether this is news.
    func setDatabase(works: Bool) -> Bool {
        self.state.withLock { state in
            defer { state.hasDatabase = works }
            return state.hasDatabase != works
        }
    }
}
