import Glibc
import RemindavHosting
import RemindavStore
import RemindavStoreSupport
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavHost
@testable import RemindavPostgresStore

/// Random histories of workers that claim, freeze, go on, release and are killed, while time passes.
///
/// The statements are those of the host, on PostgreSQL; a script shifts all times in the tables, so nothing waits. A
/// worker of the model makes the same calls as the loop of a real one.
@Suite(
    "random histories of leases",
    .serialized,
    .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server")
)
struct LeaseHistoriesTests {
    @Test("no account has two runs that write, and no due work is forgotten", arguments: 0..<UInt64(Cases.count(15)))
    func steadyClocks(seed: UInt64) throws {
        let history = try LeaseHistory(seed: seed)
        for _ in 0..<80 { try history.step() }
        #expect(history.failures.isEmpty)
        #expect(try history.forgotten(in: 600).isEmpty)
        #expect(history.beginnings > 0)
    }

    @Test("when clocks step, no account has two runs that change its store", arguments: 0..<UInt64(Cases.count(5)))
    func steppedClocks(seed: UInt64) throws {
        let history = try LeaseHistory(seed: seed)
        for place in 0..<80 {
            if place % 8 == 7 { try history.stepClock() }
            try history.step()
        }
        #expect(history.failures.filter { $0.hasPrefix("store") }.isEmpty)
        // The clock of the database may have been set back ten times.
        #expect(try history.forgotten(in: 2400).isEmpty)
    }
}

/// The seconds by which the clocks differ from the clock of the computer.
private final class ModelTime: Sendable {
    private let state = Mutex(Int64(0))
    var shift: Int64 { self.state.withLock { $0 } }
    func pass(_ seconds: Int64) { self.state.withLock { $0 += seconds } }
    var now: ContinuousClock.Instant { .now.advanced(by: .seconds(self.shift)) }
}

private final class LeaseHistory {
    private struct Run {
        let fence: WorkFence
        let clock: LeaseClock
        let store: ReminderStore
        let server: Int64
    }

    private final class ModelWorker {
        let clock: ModelTime
        var isFrozen = false
        var servers: [Int64: ServerLease] = [:]
        var runs: [WorkKey: Run] = [:]
        var mark: Int64?
        var lastFullSearch: ContinuousClock.Instant?
        var lastExtension: ContinuousClock.Instant

        init(_ clock: ModelTime) {
            self.clock = clock
            self.lastExtension = clock.now
        }
    }

    /// A request that may change something on a server.
    private struct Change {
        let key: WorkKey
        let fence: Int64
        let began: ContinuousClock.Instant
    }

    private var random: SeededGenerator
    private let pool: PostgresPool
    private let works: WorkDirectory
    private let owner: PostgresConnection
    /// The time by a clock without steps.
    private let time = ModelTime()
    private var workers: [ModelWorker] = []
    private var tenants: [(id: TenantID, store: ReminderStore)] = []
    private let origins: [String]
    /// The last begun run of each account.
    private var newest: [WorkKey: Int64] = [:]
    private var changes: [Change] = []
    private(set) var beginnings = 0
    private(set) var failures: [String] = []

    /// The longest time of a request.
    private static let requestSeconds = LeaseTerms.writeSeconds
    /// The database counts whole seconds, so a lease may be a second shorter.
    private static let roundingSeconds = 1

    init(seed: UInt64) throws {
        self.random = SeededGenerator(seed)
        self.pool = try TestStores.pool.get()
        self.works = WorkDirectory(self.pool)
        self.owner = try PostgresConnection(to: TestStores.place ?? DatabasePlace(""))
        let number = TestStores.uniqueNumber()
        self.origins = (0..<2).map { "https://history\(number)-\($0).example.org" }
        // The servers of other tests are not due.
        _ = try self.owner.runScript(
            """
            UPDATE work SET next_at = never(), requested_at = never(), leased_until = 0;
            UPDATE server SET wanted_at = never(), rests_until = 0, leased_until = 0
            """
        )
        for _ in 0..<3 {
            let tenant = try TestStores.addTenant()
            let store = self.open(tenant, CurrentRuns())
            try store.write { [origins] transaction throws(DatabaseError) in
                for (number, origin) in origins.enumerated() {
                    _ = try transaction.insertAccount(
                        named: "account \(number)",
                        url: "\(origin)/",
                        user: "ada",
                        principal: nil,
                        homeSets: [],
                        secret: SecretReference(kind: "file", reference: "\(number)"),
                        settings: AccountSettings(),
                        at: 0
                    )
                }
            }
            self.tenants.append((tenant, store))
        }
        for _ in 0..<3 { self.workers.append(self.newWorker()) }
    }

    private func open(_ tenant: TenantID, _ runs: CurrentRuns) -> ReminderStore {
        ReminderStore.tenant(tenant, in: self.pool, runs: runs) { () throws(DatabaseError) in
            throw DatabaseError(.other)
        }
    }

    private func newWorker() -> ModelWorker {
        let clock = ModelTime()
        clock.pass(self.time.shift)
        return ModelWorker(clock)
    }

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self.random) < percent }

    // MARK: Time

    private func pass(_ seconds: Int64) throws {
        self.time.pass(seconds)
        for worker in self.workers { worker.clock.pass(seconds) }
        try self.shiftDatabase(seconds)
    }

    /// Sets the clock of the database forward; all times in the tables are earlier then.
    private func shiftDatabase(_ seconds: Int64) throws {
        let tenants = self.tenants.map { "\($0.id.rawValue)" }.joined(separator: ", ")
        let origins = self.origins.map { "'\($0)'" }.joined(separator: ", ")
        _ = try self.owner.runScript(
            """
            UPDATE work SET next_at = next_at - \(seconds), leased_until = leased_until - \(seconds),
                requested_at = requested_at - \(seconds), started = started - \(seconds)
                WHERE tenant IN (\(tenants));
            UPDATE server SET wanted_at = wanted_at - \(seconds), leased_until = leased_until - \(seconds),
                rests_until = rests_until - \(seconds) WHERE origin IN (\(origins))
            """
        )
        // The marks are times too.
        for worker in self.workers { worker.mark = worker.mark.map { $0 - seconds } }
    }

    /// A clock is set, or a worker's clock stands still while its computer does.
    func stepClock() throws {
        let seconds = Int64.random(in: -150...150, using: &self.random)
        if self.chance(50) {
            try self.shiftDatabase(seconds)
        } else {
            self.workers.randomElement(using: &self.random)?.clock.pass(seconds)
        }
    }

    // MARK: Steps

    func step() throws {
        guard let place = self.workers.indices.randomElement(using: &self.random) else { return }
        let worker = self.workers[place]
        switch Int.random(in: 0..<100, using: &self.random) {
        case 0..<18:
            let end = LeaseTerms.seconds + 5
            try self.pass(Int64(self.chance(20) ? end : Int.random(in: 1...45, using: &self.random)))
        case 18..<25 where worker.isFrozen:
            // The runs go on before the loop of the worker does.
            worker.isFrozen = false
            self.change(worker)
            try self.write(worker)
        case 18..<25: worker.isFrozen = true
        case 25..<28: self.workers[place] = self.newWorker()
        case 28..<36: try self.tenants.randomElement(using: &self.random).map { try self.edit($0.store) }
        case _ where worker.isFrozen: break
        case 36..<60: try self.withLocks { try self.loop(worker) }
        case 60..<70: try self.write(worker)
        case 70..<85: self.change(worker)
        default: try self.withLocks { try self.finish(worker) }
        }
    }

    private func edit(_ store: ReminderStore) throws {
        try store.write { transaction throws(DatabaseError) in
            _ = try transaction.insertList(named: "list \(try transaction.lists().count)", at: 0)
        }
    }

    /// Runs `body`, sometimes while another transaction has locked a part of the rows.
    private func withLocks(_ body: () throws -> Void) throws {
        guard self.chance(60) else { return try body() }
        let parts = self.chance(50) ? 1 : 3
        let part = "% \(parts) = \(Int.random(in: 0..<parts, using: &self.random))"
        let tenants = self.tenants.map { "\($0.id.rawValue)" }.joined(separator: ", ")
        let origins = self.origins.map { "'\($0)'" }.joined(separator: ", ")
        _ = try self.owner.runScript(
            """
            BEGIN; SELECT 1 FROM work WHERE tenant IN (\(tenants)) AND (tenant + item) \(part) FOR UPDATE;
            SELECT 1 FROM server WHERE origin IN (\(origins)) AND id \(part) FOR UPDATE
            """
        )
        defer { self.owner.rollBack() }
        try body()
    }

    /// The calls of one step of a real worker.
    private func loop(_ worker: ModelWorker) throws {
        let now = worker.clock.now
        if worker.lastExtension.duration(to: now) >= .seconds(LeaseTerms.extensionSeconds) {
            let runs = worker.runs.values.map(\.fence)
            let result = try self.works.extend(servers: Array(worker.servers.values), runs: runs)
            let isDelayed = !result.delayedServers.isEmpty || !result.delayedRuns.isEmpty
            let pause = LeaseTerms.extensionSeconds - LeaseTerms.repetitionSeconds
            worker.lastExtension = isDelayed ? now.advanced(by: .seconds(-pause)) : now
            for server in result.lostServers { worker.servers[server.id] = nil }
            for fence in result.lostRuns { worker.runs.removeValue(forKey: fence.key)?.clock.end() }
            for run in worker.runs.values where !result.delayedRuns.contains(run.fence) { run.clock.extend(at: now) }
        }
        let isFull = worker.lastFullSearch.map { $0.duration(to: now) > .seconds(LeaseTerms.fullSearchSeconds) } ?? true
        if isFull { worker.lastFullSearch = now }
        let found = try self.works.claim(2, after: isFull ? nil : worker.mark)
        worker.mark = found.mark ?? worker.mark
        for lease in found.servers { worker.servers[lease.id] = lease }
        let due = try self.works.due(worker.servers.keys.map { ($0, 2) })
        let asked = worker.clock.now
        for fence in try self.works.begin(due.filter { worker.runs[$0.key] == nil }) {
            self.noteBeginning(fence)
            let clock = worker.clock
            let runs = CurrentRuns([fence])
            worker.runs[fence.key] = Run(
                fence: fence,
                clock: LeaseClock(extended: asked) { clock.now },
                store: self.open(fence.key.tenant, runs),
                server: due.first { $0.key == fence.key }?.server ?? 0
            )
        }
        let idle = worker.servers.values.filter { server in !worker.runs.values.contains { $0.server == server.id } }
        let locked = try self.works.release(idle)
        for server in idle where !locked.contains(server) { worker.servers[server.id] = nil }
    }

    private func noteBeginning(_ fence: WorkFence) {
        self.beginnings += 1
        let now = self.time.now
        if let last = self.newest[fence.key], last >= fence.number {
            self.failures.append("store: a fence is used twice")
        }
        self.newest[fence.key] = fence.number
        let longest = Duration.seconds(Self.requestSeconds - Self.roundingSeconds)
        for change in self.changes where change.key == fence.key && change.began.duration(to: now) < longest {
            self.failures.append("server: a request of run \(change.fence) is late for run \(fence.number)")
        }
    }

    /// A write of a run to its store.
    private func write(_ worker: ModelWorker) throws {
        guard let run = worker.runs.values.min(by: { $0.fence.key < $1.fence.key }) else { return }
        let isNewest = self.newest[run.fence.key] == run.fence.number
        do {
            try run.store.write { transaction throws(DatabaseError) in
                _ = try transaction.insertList(named: "list \(try transaction.lists().count)", at: 0)
            }
            if !isNewest { self.failures.append("store: run \(run.fence.number) writes after a newer one has begun") }
        } catch {
            if error.code != .leaseLost || isNewest { self.failures.append("store: \(error)") }
            worker.runs[run.fence.key] = nil
        }
    }

    /// A request of a run that changes something on a server.
    private func change(_ worker: ModelWorker) {
        for run in worker.runs.values where run.clock.mayWrite && !run.clock.isEnded {
            let (key, number) = (run.fence.key, run.fence.number)
            if self.newest[key] != number {
                self.failures.append("server: run \(number) sends after a newer one has begun")
            }
            self.changes.removeAll { $0.key == key && $0.fence == number }
            self.changes.append(Change(key: key, fence: number, began: self.time.now))
        }
    }

    private func finish(_ worker: ModelWorker) throws {
        guard let run = worker.runs.values.max(by: { $0.fence.key < $1.fence.key }) else { return }
        // A run ends after its requests.
        self.changes.removeAll { $0.key == run.fence.key && $0.fence == run.fence.number }
        let seconds = self.chance(30) ? 0 : Int.random(in: 60...300, using: &self.random)
        let end = (run.fence, NextRun(seconds: seconds, succeeded: true))
        if try self.works.end([end]).isEmpty { worker.runs[run.fence.key] = nil }
    }

    // MARK: The end

    /// The accounts that one worker does not run in so many seconds, or not within two minutes of an edit.
    func forgotten(in seconds: Int) throws -> [WorkKey] {
        let all = self.tenants.flatMap { tenant in
            (1...2).map { WorkKey(tenant: tenant.id, kind: .sync, item: $0) }
        }
        // A worker that was not killed has a mark of its own.
        let worker = self.workers[0]
        self.workers = [worker]
        var forgotten: [WorkKey] = []
        for seconds in [seconds, 120] {
            let before = self.newest
            for _ in 0..<(seconds / 20) {
                try self.pass(20)
                try self.loop(worker)
                while !worker.runs.isEmpty { try self.finish(worker) }
            }
            forgotten += all.filter { self.newest[$0] == before[$0] }
            for tenant in self.tenants { try self.edit(tenant.store) }
        }
        return forgotten
    }
}
