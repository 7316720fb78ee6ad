package import RemindavBridge
import RemindavHosting
import RemindavPlatform
import RemindavPostgresStore
package import RemindavStore
import Synchronization

/// The result of a run, with the setting that decides about the next one.
struct RunResult: Sendable {
    var outcome: RunOutcome
    /// The code of the first error of the sync, without a text of a tenant or a server; `nil` if there is none.
    var reason: String?
    /// The interval of the account in seconds; `nil` for the standard.
    var interval: Int?
    /// Whether the account has the interval `never`.
    var isOff = false
    /// Whether the process of the run ended without a result.
    var crashed = false

    /// - Parameter failures: the failed runs in a row before this one.
    func next(failures: Int, random: Double) -> NextRun {
        if self.crashed {
            var next = HostSchedule.next(after: .failed, interval: nil, failures: failures, random: random)
            next.endsTries = false
            return next
        }
        if self.isOff, self.outcome != .interrupted {
            return NextRun(seconds: nil, stopReason: .off, succeeded: self.outcome == .done)
        }
        return HostSchedule.next(after: self.outcome, interval: self.interval, failures: failures, random: random)
    }
}

/// An event in the log of a process; it names no tenant and no CalDAV server.
package enum HostEvent: Hashable, Sendable {
    case started(places: Int)
    /// The key of the host does not open the passwords of all tenants.
    case keyFailed(UseCaseError)
    /// Messages about alarms cannot be sent over a channel.
    case messageFailed(MessageAttempt)
    case databaseFailed(DatabaseError)
    case databaseWorks
    /// The work of an account, or the alarms of a tenant, are held after several runs that ended their process.
    case held
    /// The number of syncs that failed for a reason since the last event with it.
    ///
    /// The reason is the code of an error. A partial sync has left out some lists.
    case syncsFailed(Int, reason: String, isPartial: Bool)
    case lostLeases(Int)
    case stopping
}

/// Syncs the accounts of a host: leases servers, and runs their due accounts.
///
/// Everything that the worker knows is in the database. When a worker ends, or is killed, another one goes on.
struct Worker: Sendable {
    /// The maximum number of accounts that one process syncs at the same time.
    static let standardPlaces = 32
    /// The maximum number of runs of one tenant at the same time, so that one tenant cannot use all places.
    static let runsOfTenant = 2
    /// The seconds for runs to end by themselves when the process stops; then their requests are cancelled.
    static let graceSeconds = 20.0

    let works: WorkDirectory
    let places: Int
    let executor: BlockingExecutor
    let metrics: HostMetrics
    let random: @Sendable () -> Double
    let report: @Sendable (HostEvent) -> Void
    /// After this time, a run is cancelled.
    var maximumRun = Duration.seconds(HostSchedule.maximumRunSeconds)
    /// Runs an account; a run with ``WorkFence/tries`` above one may have ended its process before.
    let execute: @Sendable (WorkFence, LeaseClock) async -> RunResult

    /// Works until the task is cancelled, and then ends the runs and returns all leases.
    func run() async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let stop = StopFlag()
        let ticking = Task {
            while !Task.isCancelled {
                wake.yield()
                try? await Task.sleep(for: .seconds(LeaseTerms.searchSeconds * (0.8 + 0.4 * self.random())))
            }
        }
        self.report(.started(places: self.places))
        await withTaskCancellationHandler {
            // The loop must go on after the cancellation, so it is a task of its own.
            await Task(executorPreference: self.executor) {
                var loop = WorkerLoop(self, wake: { wake.yield() })
                for await _ in wakes {
                    loop.step(isStopping: stop.isSet)
                    if loop.hasEnded { break }
                }
            }.value
        } onCancel: {
            stop.set()
            wake.yield()
        }
        ticking.cancel()
    }
}

private final class StopFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { self.flag.load(ordering: .sequentiallyConsistent) }
    func set() { self.flag.store(true, ordering: .sequentiallyConsistent) }
}

/// Decides which failed syncs get a line in the log: a server that is away must not fill it.
struct FailureReports {
    /// A reason gets a line at most once in this time.
    static let pause = Duration.seconds(600)

    private struct Kind: Hashable {
        let reason: String
        let isPartial: Bool
    }

    private var kinds: [Kind: (last: ContinuousClock.Instant, count: Int)] = [:]

    /// Counts a failed sync.
    ///
    /// - Returns: the number of failed syncs since the last line; `nil` for no line.
    mutating func add(_ reason: String, isPartial: Bool, at now: ContinuousClock.Instant) -> Int? {
        let kind = Kind(reason: reason, isPartial: isPartial)
        let known = self.kinds[kind]
        let count = (known?.count ?? 0) + 1
        if let last = known?.last, last.duration(to: now) < Self.pause {
            self.kinds[kind] = (last, count)
            return nil
        }
        self.kinds[kind] = (now, 0)
        return count
    }
}

/// The state of a worker; ``step(isStopping:)`` is called each second, and when a run has ended.
private struct WorkerLoop {
    private struct Server {
        let lease: ServerLease
        var health: ServerHealth
        /// The rest in the database.
        var storedRest: ServerRest?
        /// When the worker asked for the last extension.
        var extended: ContinuousClock.Instant
        var runs = 0
        /// Whether the last search found no due account, not even one that waits for a place.
        var isEmpty = false
        /// Whether another worker may have the server now.
        var isLost = false
        var mayBegin: Bool { !self.isEmpty && !self.isLost && !self.health.isResting }
    }

    private struct Run {
        let fence: WorkFence
        let server: Int64
        let failures: Int
        let clock: LeaseClock
        let task: Task<Void, Never>
        let started: ContinuousClock.Instant
        /// Whether the run was cancelled because of its duration.
        var isOverdue = false
    }

    /// The results that runs have delivered since the last step.
    private final class Inbox: Sendable {
        private let results = Mutex<[(WorkFence, RunResult)]>([])
        func add(_ fence: WorkFence, _ result: RunResult) { self.results.withLock { $0.append((fence, result)) } }
        func take() -> [(WorkFence, RunResult)] {
            self.results.withLock { results in
                defer { results = [] }
                return results
            }
        }
    }

    private let worker: Worker
    private let wake: @Sendable () -> Void
    private let inbox = Inbox()
    private var servers: [Int64: Server] = [:]
    private var runs: [WorkKey: Run] = [:]
    /// Ended runs that are not stored yet.
    private var ended: [(fence: WorkFence, plan: NextRun)] = []
    private var mark: Int64?
    private var lastFullSearch: ContinuousClock.Instant?
    private var lastCleaning: ContinuousClock.Instant?
    private var lastExtension: ContinuousClock.Instant
    private var lastSearch: ContinuousClock.Instant?
    /// Whether the last step left no free place.
    private var wasFull = false
    private var generation: Int
    private var stopTime: ContinuousClock.Instant?
    private var hasDatabase = true
    private var failures = FailureReports()
    /// Whether the process stops and holds nothing.
    private(set) var hasEnded = false

    init(_ worker: Worker, wake: @escaping @Sendable () -> Void) {
        self.worker = worker
        self.wake = wake
        self.lastExtension = .now
        self.generation = worker.works.generation
    }

    private var free: Int { self.worker.places - self.runs.count }

    mutating func step(isStopping: Bool) {
        let now = ContinuousClock.now
        self.receive(at: now)
        self.cancelOverdueRuns(at: now)
        if isStopping { self.stop(at: now) }
        do throws(DatabaseError) {
            self.ended = try self.storedEnds()
            try self.storeRests()
            try self.extend(at: now)
            if !isStopping {
                // With the new servers, the oldest work begins first, and not always that of the same servers.
                try self.claim(at: now)
                try self.beginRuns(at: now)
            }
            self.wasFull = self.free <= 0
            try self.removeUnusedServers(at: now)
            try self.release(isStopping: isStopping)
            if !self.hasDatabase, !isStopping { self.worker.report(.databaseWorks) }
            self.hasDatabase = true
            self.worker.metrics.step(at: now)
            self.hasEnded = isStopping && self.runs.isEmpty && self.servers.isEmpty && self.ended.isEmpty
        } catch {
            self.worker.metrics.count(error)
            if self.hasDatabase { self.worker.report(.databaseFailed(error)) }
            self.hasDatabase = false
            // Without the database, the leases end by themselves.
            self.hasEnded = isStopping && self.runs.isEmpty
        }
        self.worker.metrics.setActive(servers: self.servers.count, runs: self.runs.count)
    }

    private mutating func stop(at now: ContinuousClock.Instant) {
        if self.stopTime == nil {
            self.stopTime = now
            self.worker.report(.stopping)
            for run in self.runs.values { run.clock.end() }
        }
        if let stopTime, stopTime.duration(to: now) > .seconds(Worker.graceSeconds) {
            for run in self.runs.values { run.task.cancel() }
        }
    }

    // MARK: Ends of runs

    private mutating func cancelOverdueRuns(at now: ContinuousClock.Instant) {
        for (key, run) in self.runs where !run.isOverdue && run.started.duration(to: now) > self.worker.maximumRun {
            self.runs[key]?.isOverdue = true
            // The lease is not extended any more, so a run that does not end cannot keep its account.
            run.clock.end()
            run.task.cancel()
        }
    }

    private mutating func receive(at now: ContinuousClock.Instant) {
        for (fence, received) in self.inbox.take() {
            guard let run = self.runs[fence.key], run.fence == fence else { continue }
            var result = received
            if run.isOverdue, result.outcome != .done { (result.outcome, result.reason) = (.failed, "runTooLong") }
            self.runs[fence.key] = nil
            self.servers[run.server]?.runs -= 1
            // The end may have made another account of this tenant runnable.
            self.servers[run.server]?.isEmpty = false
            self.servers[run.server]?.health.ended(result.outcome)
            let reason = result.outcome.isFailure ? result.reason ?? "other" : nil
            if let reason { self.reportFailure(reason, isPartial: result.outcome == .partlyDone, at: now) }
            let seconds = run.started.duration(to: now) / .seconds(1)
            self.worker.metrics.count(result.outcome, seconds: seconds)
            var next = result.next(failures: run.failures, random: self.worker.random())
            next.reason = reason
            self.ended.append((fence, next))
        }
    }

    private mutating func reportFailure(_ reason: String, isPartial: Bool, at now: ContinuousClock.Instant) {
        guard let count = self.failures.add(reason, isPartial: isPartial, at: now) else { return }
        self.worker.report(.syncsFailed(count, reason: reason, isPartial: isPartial))
    }

    /// Stores the ends of runs, and returns those that could not be stored yet.
    private func storedEnds() throws(DatabaseError) -> [(fence: WorkFence, plan: NextRun)] {
        guard !self.ended.isEmpty else { return [] }
        let locked = Set(try self.worker.works.end(self.ended))
        return self.ended.filter { locked.contains($0.fence) }
    }

    /// Stores new rests at once, because other processes may have other parts of the origin.
    private mutating func storeRests() throws(DatabaseError) {
        let new = self.servers.values.compactMap { server in
            server.health.rest.flatMap { $0 == server.storedRest ? nil : (server: server.lease, rest: $0) }
        }
        let locked = Set(try self.worker.works.rest(new))
        for (lease, rest) in new where !locked.contains(lease) { self.servers[lease.id]?.storedRest = rest }
    }

    // MARK: Leases

    private mutating func extend(at now: ContinuousClock.Instant) throws(DatabaseError) {
        let isDue = self.lastExtension.duration(to: now) >= .seconds(LeaseTerms.extensionSeconds)
        let hasNewHistory = self.worker.works.generation != self.generation
        if hasNewHistory {
            self.generation = self.worker.works.generation
            self.lose(self.servers.values.map(\.lease), self.runs.values.map(\.fence))
        }
        guard isDue else { return }
        let result = try self.worker.works.extend(
            servers: self.servers.values.filter { !$0.isLost }.map(\.lease),
            runs: self.runs.values.filter { !$0.clock.isEnded || self.stopTime != nil }.map(\.fence)
        )
        self.lose(result.lostServers, result.lostRuns)
        // A lease that is not extended in the database must not be longer on the clock of this process.
        let (servers, runs) = (Set(result.delayedServers.map(\.id)), Set(result.delayedRuns))
        for id in self.servers.keys where !servers.contains(id) { self.servers[id]?.extended = now }
        for run in self.runs.values where !runs.contains(run.fence) { run.clock.extend(at: now) }
        let pause = LeaseTerms.extensionSeconds - LeaseTerms.repetitionSeconds
        self.lastExtension = servers.isEmpty && runs.isEmpty ? now : now.advanced(by: .seconds(-pause))
    }

    private mutating func lose(_ servers: [ServerLease], _ runs: [WorkFence]) {
        for fence in runs {
            self.runs[fence.key]?.clock.end()
            self.runs[fence.key]?.task.cancel()
        }
        for server in servers { self.servers[server.id]?.isLost = true }
        guard !servers.isEmpty || !runs.isEmpty else { return }
        self.worker.metrics.countLostLeases(servers.count + runs.count)
        self.worker.report(.lostLeases(servers.count + runs.count))
    }

    private mutating func claim(at now: ContinuousClock.Instant) throws(DatabaseError) {
        // One search in a second is enough: an edit waits for five seconds anyway. But if all places were used, the first
        // free one is for the oldest work of all servers, and not only of the leased ones.
        let isEarly = self.lastSearch.map { $0.duration(to: now) < .milliseconds(500) } ?? false
        guard !isEarly || self.wasFull else { return }
        self.lastSearch = now
        // An edit may have made another account of a leased server due.
        for (id, server) in self.servers where server.runs > 0 { self.servers[id]?.isEmpty = false }
        let (free, last) = (self.free, self.lastFullSearch)
        guard free > 0 else { return }
        let isFull = last.map { $0.duration(to: now) > .seconds(LeaseTerms.fullSearchSeconds) } ?? true
        if isFull { self.lastFullSearch = now }
        let found = try self.worker.works.claim(free, after: isFull ? nil : self.mark)
        self.mark = found.mark ?? self.mark
        for lease in found.servers {
            // After a loss, runs of an earlier lease may not have ended yet.
            let runs = self.runs.values.count { $0.server == lease.id }
            self.servers[lease.id] = Server(
                lease: lease,
                health: ServerHealth(failures: lease.failures),
                extended: now,
                runs: runs
            )
        }
    }

    private mutating func removeUnusedServers(at now: ContinuousClock.Instant) throws(DatabaseError) {
        guard self.lastCleaning.map({ $0.duration(to: now) > .seconds(LeaseTerms.cleaningSeconds) }) ?? true else {
            return
        }
        self.lastCleaning = now
        try self.worker.works.removeUnusedServers()
    }

    private mutating func release(isStopping: Bool) throws(DatabaseError) {
        // Without a free place, another process may have one.
        let mayWait = !isStopping && self.free > 0
        let idle = self.servers.values.filter { $0.runs == 0 && !($0.mayBegin && mayWait) }
        let stored = idle.filter { $0.health.rest == $0.storedRest }
        guard !stored.isEmpty else { return }
        // The fence of a lost server is another one now, so its row does not change.
        let locked = Set(try self.worker.works.release(stored.map(\.lease)))
        for server in stored where !locked.contains(server.lease) { self.servers[server.lease.id] = nil }
    }

    // MARK: Beginnings of runs

    private mutating func beginRuns(at now: ContinuousClock.Instant) throws(DatabaseError) {
        let free = self.free
        guard free > 0 else { return }
        let wanted = self.servers.compactMap { id, server in
            let limit = min(server.lease.connections - server.runs, free)
            let mayBegin = server.mayBegin && LeaseTerms.mayWrite(at: now, extended: server.extended)
            return mayBegin && limit > 0 ? (server: id, limit: limit) : nil
        }
        guard !wanted.isEmpty else { return }
        var running: [TenantID: Int] = [:]
        for run in self.runs.values { running[run.fence.key.tenant, default: 0] += 1 }
        let works = self.worker.works
        let due = try works.due(wanted, running: running, runsOfTenant: Worker.runsOfTenant)
        let choice = RunChoice.divide(
            // After a loss, the earlier run may not have ended.
            due.filter { self.runs[$0.key] == nil },
            places: free,
            running: running,
            limit: Worker.runsOfTenant,
            tenant: \.key.tenant
        )
        let found = Dictionary(grouping: due) { $0.server ?? 0 }
        let full = running.filter { $0.value >= Worker.runsOfTenant }.map(\.key)
        let short = wanted.filter { (found[$0.server]?.count ?? 0) < $0.limit }.map(\.server)
        let waiting = try works.servers(short, withDueWorkOf: full).union(choice.waiting.compactMap(\.server))
        for server in short where !waiting.contains(server) { self.servers[server]?.isEmpty = true }
        let chosen = choice.beginning
        guard !chosen.isEmpty else { return }
        let asked = ContinuousClock.now
        let details = Dictionary(chosen.map { ($0.key, ($0.failures, $0.server ?? 0)) }) { first, _ in first }
        for fence in try self.worker.works.begin(chosen) {
            let (failures, server) = details[fence.key] ?? (0, 0)
            self.begin(fence, of: server, failures: failures, asked: asked)
        }
    }

    private mutating func begin(
        _ fence: WorkFence,
        of server: Int64,
        failures: Int,
        asked: ContinuousClock.Instant
    ) {
        guard fence.tries < HostSchedule.heldTry else {
            self.worker.report(.held)
            self.ended.append(
                (fence, NextRun(seconds: nil, failures: failures, stopReason: .held, reason: "processEnded"))
            )
            return
        }
        let clock = LeaseClock(extended: asked)
        let (execute, inbox, wake) = (self.worker.execute, self.inbox, self.wake)
        let task = Task(executorPreference: self.worker.executor) {
            inbox.add(fence, await execute(fence, clock))
            wake()
        }
        self.servers[server]?.runs += 1
        self.runs[fence.key] = Run(
            fence: fence,
            server: server,
            failures: failures,
            clock: clock,
            task: task,
            started: asked
        )
    }
}
