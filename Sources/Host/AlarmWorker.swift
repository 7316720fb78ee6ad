import RemindavHosting
import RemindavPlatform
import RemindavPostgresStore
import RemindavStore

/// Runs the due alarms of all tenants.
///
/// Like ``Worker``, it knows only what is in the database.
struct AlarmWorker: Sendable {
    /// The maximum number of tenants whose alarms one process handles at the same time; each may wait for a mail server.
    static let places = 8

    let works: WorkDirectory
    let executor: BlockingExecutor
    let metrics: HostMetrics
    let random: @Sendable () -> Double
    let report: @Sendable (HostEvent) -> Void
    let execute: @Sendable (DueAlarms, LeaseClock) async -> AlarmRunEnd

    /// Works until the task is cancelled, and then waits until the running messages are sent.
    func run() async {
        let state = AlarmWorkerState(generation: self.works.generation)
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let free = Self.places - state.count
                let due = await self.onExecutor { self.begin(free, state) }
                for alarms in due {
                    let clock = LeaseClock(extended: state.lastBegin)
                    state.add(alarms.fence, clock)
                    // The cancellation of this group must not interrupt a message.
                    let run = Task(executorPreference: self.executor) { await self.handle(alarms, clock) }
                    group.addTask {
                        await run.value
                        state.remove(alarms.fence)
                    }
                }
                // With a full answer, more tenants may be due.
                if due.count < free || due.isEmpty {
                    try? await Task.sleep(for: .seconds(LeaseTerms.searchSeconds * (0.8 + 0.4 * self.random())))
                }
                await self.onExecutor { self.extend(state) }
            }
            for clock in state.clocks { clock.end() }
        }
    }

    private func onExecutor<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await Task(executorPreference: self.executor) { body() }.value
    }

    private func begin(_ places: Int, _ state: AlarmWorkerState) -> [DueAlarms] {
        state.noteBegin(at: .now)
        do throws(DatabaseError) {
            let due = try self.works.beginAlarms(limit: places)
            self.metrics.noteAlarmStep(at: .now)
            if state.setDatabase(works: true) { self.report(.databaseWorks) }
            return due
        } catch {
            self.metrics.count(error)
            if state.setDatabase(works: false) { self.report(.databaseFailed(error)) }
            return []
        }
    }

    private func extend(_ state: AlarmWorkerState) {
        let now = ContinuousClock.now
        let generation = self.works.generation
        // After a failure, the next extension is early enough.
        guard let fences = state.fencesToExtend(at: now, generation: generation), !fences.isEmpty,
            let result = try? self.works.extend(servers: [], runs: fences)
        else { return }
        state.noteExtension(lost: Set(result.lostRuns), delayed: Set(result.delayedRuns), at: now)
        if !result.lostRuns.isEmpty { self.metrics.countLostLeases(result.lostRuns.count) }
    }

    private func handle(_ due: DueAlarms, _ clock: LeaseClock) async {
        var end = AlarmRunEnd.held
        if due.fence.tries < HostSchedule.heldTry {
            end = await self.execute(due, clock)
            if case .done = end { self.metrics.countAlarmRun(delay: due.lateSeconds) }
        } else {
            self.report(.held)
        }
        // If the end cannot be stored, the lease ends by itself, and the run is repeated.
        for attempt in 0..<Self.storingAttempts {
            if attempt > 0 { try? await Task.sleep(for: .seconds(LeaseTerms.repetitionSeconds)) }
            do throws(DatabaseError) { return try self.works.end(due.fence, end) } catch { self.metrics.count(error) }
        }
    }

    /// The attempts to store the end of a run; a restart of the database takes a few seconds.
    private static let storingAttempts = 4
}
