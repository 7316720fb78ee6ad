import Glibc
import RemindavBridge
import RemindavCurlTransport
import RemindavHTTP
import RemindavHosting
import RemindavPlatform
import RemindavStore
import RemindavStoreSupport
import Synchronization
import Testing

@testable import RemindavHost
@testable import RemindavPostgresStore

@Suite("workers", .serialized, .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server"))
struct WorkerTests {
    private let pool: PostgresPool
    private let works: WorkDirectory
    private let origin: String

    init() throws {
        self.pool = try TestStores.pool.get()
        self.works = WorkDirectory(self.pool)
        self.origin = "https://worker\(TestStores.uniqueNumber()).example.org"
        // The servers of other tests are not due.
        try self.asOwner(
            """
            UPDATE work SET next_at = never(), requested_at = never(), leased_until = 0;
            UPDATE server SET wanted_at = never(), leased_until = 0
            """
        )
    }

    @discardableResult
    private func asOwner(_ script: String) throws -> [[[String?]]] {
        try PostgresConnection(to: TestStores.place ?? DatabasePlace("")).runScript(script)
    }

    /// Adds a tenant with accounts of one server.
    ///
    /// - Parameter origin: `nil` for the server of this test.
    private func addTenant(accounts: Int, at origin: String? = nil) throws -> TenantID {
        let tenant = try TenantDirectory(self.pool).add("worker \(getpid()) \(TestStores.uniqueNumber())")
        let store = ReminderStore.tenant(tenant, in: self.pool) { () throws(DatabaseError) in
            throw DatabaseError(.other)
        }
        try store.write { transaction throws(DatabaseError) in
            for number in 0..<accounts {
                _ = try transaction.insertAccount(
                    named: "account \(number)",
                    url: "\(origin ?? self.origin)/",
                    user: "ada",
                    principal: nil,
                    homeSets: [],
                    secret: SecretReference(kind: "file", reference: "\(number)"),
                    settings: AccountSettings(),
                    at: 0
                )
            }
        }
        return tenant
    }

    /// The runs of all workers of a test.
    private final class Record: Sendable {
        private struct State {
            var running: [WorkKey: Int] = [:]
            var begun = 0
            var most = 0
            var mostOfTenant = 0
            var mostOfAccount = 0
            var ended: [WorkFence] = []
            var events: [HostEvent] = []
        }

        private let state = Mutex(State())
        var begun: Int { self.state.withLock { $0.begun } }
        var most: Int { self.state.withLock { $0.most } }
        var mostOfTenant: Int { self.state.withLock { $0.mostOfTenant } }
        var mostOfAccount: Int { self.state.withLock { $0.mostOfAccount } }
        var ended: [WorkFence] { self.state.withLock { $0.ended } }
        var running: Int { self.state.withLock { $0.running.values.reduce(0, +) } }
        var events: [HostEvent] { self.state.withLock { $0.events } }

        func begin(_ fence: WorkFence) {
            self.state.withLock { state in
                state.begun += 1
                state.running[fence.key, default: 0] += 1
                state.most = max(state.most, state.running.values.reduce(0, +))
                state.mostOfAccount = max(state.mostOfAccount, state.running.values.max() ?? 0)
                let ofTenants = Dictionary(grouping: state.running.filter { $0.value > 0 }) { $0.key.tenant }
                state.mostOfTenant = max(state.mostOfTenant, ofTenants.values.map(\.count).max() ?? 0)
            }
        }

        func end(_ fence: WorkFence) {
            self.state.withLock { state in
                state.running[fence.key, default: 0] -= 1
                state.ended.append(fence)
            }
        }

        func report(_ event: HostEvent) { self.state.withLock { $0.events.append(event) } }
    }

    private func worker(
        _ record: Record,
        places: Int = 8,
        random: @escaping @Sendable () -> Double = { 0.5 },
        execute: @escaping @Sendable (WorkFence, LeaseClock) async -> RunResult
    ) -> Worker {
        Worker(
            works: self.works,
            places: places,
            executor: BlockingExecutor(threads: 4),
            metrics: HostMetrics(),
            random: random,
            report: { record.report($0) },
            execute: { fence, clock in
                record.begin(fence)
                defer { record.end(fence) }
                return await execute(fence, clock)
            }
        )
    }

    /// Runs workers until `isDone` returns `true`.
    private func run(_ workers: [Worker], until isDone: @Sendable () throws -> Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { await worker.run() } }
            let end = ContinuousClock.now.advanced(by: .seconds(30))
            while try !isDone(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(50)) }
            group.cancelAll()
        }
        #expect(try isDone())
    }

    /// The rows of the accounts of this test's server.
    private func rows(_ columns: String) throws -> [[String?]] {
        try self.asOwner(
            """
            SELECT \(columns) FROM work JOIN server ON server.id = work.server WHERE origin = '\(self.origin)'
            ORDER BY work.tenant, item
            """
        )[0]
    }

    @Test("two workers run each account once, and never more than the server and a tenant allow")
    func politeness() async throws {
        _ = try self.addTenant(accounts: 5)
        for _ in 0..<10 { _ = try self.addTenant(accounts: 1) }
        let record = Record()
        let workers = (0..<2).map { _ in
            self.worker(record) { _, _ in
                try? await Task.sleep(for: .milliseconds(30))
                return RunResult(outcome: .done)
            }
        }
        try await self.run(workers) { record.ended.count >= 15 }
        #expect(Set(record.ended.map(\.key)).count == 15 && record.ended.count == 15)
        #expect(record.most <= 4 && record.mostOfTenant <= Worker.runsOfTenant && record.mostOfAccount == 1)
        let rows = try self.rows("work.next_at - moment(), work.leased_until, tries, succeeded IS NOT NULL")
        #expect(
            rows.allSatisfy { row in
                row[0].flatMap { Int($0) }.map { (800...900).contains($0) } ?? false && row[1...] == ["0", "0", "t"]
            }
        )
        #expect(try self.rows("server.leased_until").allSatisfy { $0 == ["0"] })
    }

    /// Lets the accounts of an origin be due for so many seconds.
    private func setDue(_ seconds: Int, at origin: String) throws {
        let servers = "(SELECT id FROM server WHERE origin = '\(origin)')"
        try self.asOwner(
            """
            UPDATE work SET next_at = moment() - \(seconds) WHERE server IN \(servers);
            UPDATE server SET wanted_at = moment() - \(seconds) WHERE id IN \(servers)
            """
        )
    }

    @Test("a tenant with many due accounts lets no other tenant of the server wait")
    func fairness() async throws {
        let many = try self.addTenant(accounts: 10)
        try self.setDue(100, at: self.origin)
        let other = try self.addTenant(accounts: 1)
        let record = Record()
        let worker = self.worker(record) { fence, clock in
            // The runs of the first tenant last until the other one had its turn.
            while fence.key.tenant == many, !clock.isEnded, !record.ended.contains(where: { $0.key.tenant == other }) {
                try? await Task.sleep(for: .milliseconds(20))
            }
            return RunResult(outcome: clock.isEnded ? .interrupted : .done)
        }
        try await self.run([worker]) { record.ended.contains { $0.key.tenant == other } }
        #expect(record.mostOfTenant <= Worker.runsOfTenant)
    }

    @Test("the oldest work begins first, and a server without a free place is returned")
    func oldestFirst() async throws {
        let origins = (0..<4).map { "\(self.origin):80\($0)" }
        for (number, origin) in origins.enumerated() {
            for _ in 0..<2 { _ = try self.addTenant(accounts: 1, at: origin) }
            try self.setDue(number == 2 ? 100 : 50, at: origin)
        }
        let record = Record()
        let worker = self.worker(record, places: 2) { _, clock in
            while !clock.isEnded { try? await Task.sleep(for: .milliseconds(20)) }
            return RunResult(outcome: .interrupted)
        }
        let leased = "SELECT origin FROM server WHERE leased_until > moment()"
        let wasSeen = Atomic(false)
        try await self.run([worker]) {
            if try record.running == 2 && self.asOwner(leased)[0] == [[origins[2]]] {
                wasSeen.store(true, ordering: .sequentiallyConsistent)
            }
            return wasSeen.load(ordering: .sequentiallyConsistent)
        }
    }

    @Test("a server whose account waits for another run of its tenant stays leased")
    func waitingServers() async throws {
        let origins = (0..<3).map { "\(self.origin):80\($0)" }
        let tenant = try self.addTenant(accounts: 0)
        let store = ReminderStore.tenant(tenant, in: self.pool) { () throws(DatabaseError) in
            throw DatabaseError(.other)
        }
        try store.write { transaction throws(DatabaseError) in
            for origin in origins {
                _ = try transaction.insertAccount(
                    named: origin,
                    url: "\(origin)/",
                    user: "ada",
                    principal: nil,
                    homeSets: [],
                    secret: SecretReference(kind: "file", reference: origin),
                    settings: AccountSettings(),
                    at: 0
                )
            }
        }
        let record = Record()
        // A worker asks for a random number before each search.
        let searches = Atomic(0)
        let worker = self.worker(record) {
            searches.add(1, ordering: .sequentiallyConsistent)
            return 0.5
        } execute: { _, clock in
            // The first two runs last for several searches.
            let last = searches.load(ordering: .sequentiallyConsistent) + 3
            while record.ended.isEmpty, !clock.isEnded, searches.load(ordering: .sequentiallyConsistent) < last {
                try? await Task.sleep(for: .milliseconds(20))
            }
            return RunResult(outcome: .done)
        }
        try await self.run([worker]) { record.ended.count == 3 }
        let fences = try self.asOwner("SELECT sum(fence) FROM server WHERE origin LIKE '\(self.origin):80%'")[0]
        #expect(fences == [["3"]] && record.mostOfTenant == Worker.runsOfTenant)
    }

    @Test("a run of more than the maximum duration is cancelled, and counts as failed")
    func maximumDuration() async throws {
        _ = try self.addTenant(accounts: 1)
        let record = Record()
        var worker = self.worker(record) { _, _ in
            while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
            return RunResult(outcome: .interrupted)
        }
        worker.maximumRun = .milliseconds(1)
        try await self.run([worker]) {
            try self.rows("work.failures, work.next_at > moment() + 1000, work.reason") == [["1", "t", "runTooLong"]]
        }
    }

    @Test("parts of a server let more accounts run at the same time, and each account still runs once")
    func parts() async throws {
        for _ in 0..<12 { _ = try self.addTenant(accounts: 1) }
        #expect(try self.works.setServer(self.origin, connections: 2, parts: 3))
        #expect(try !self.works.setServer("https://unknown.example.org", connections: 2, parts: nil))
        let record = Record()
        let workers = (0..<2).map { _ in
            self.worker(record) { _, _ in
                try? await Task.sleep(for: .milliseconds(200))
                return RunResult(outcome: .done)
            }
        }
        try await self.run(workers) { record.ended.count >= 12 }
        #expect(record.most > 2 && record.most <= 6 && record.mostOfAccount == 1)
        #expect(try self.works.setServer(self.origin, connections: nil, parts: 1))
        #expect(try self.works.queue(origin: self.origin).map(\.accounts) == [12])
    }

    @Test("a worker that stops lets its runs end, and returns its leases")
    func stopping() async throws {
        for _ in 0..<3 { _ = try self.addTenant(accounts: 1) }
        let record = Record()
        let worker = self.worker(record) { _, clock in
            // A run ends soon after its transport refuses requests.
            while !clock.isEnded { try? await Task.sleep(for: .milliseconds(20)) }
            return RunResult(outcome: .interrupted)
        }
        try await self.run([worker]) { record.running == 3 || record.ended.count == 3 }
        #expect(record.ended.count == 3)
        let rows = try self.rows("work.due_at <= moment(), tries, server.next_at <= moment()")
        #expect(rows == Array(repeating: ["t", "0", "t"], count: 3))
        #expect(record.events.last == .stopping)
    }

    @Test("a worker takes over the accounts of a killed one, and holds an account that ends its processes")
    func heldAccounts() async throws {
        _ = try self.addTenant(accounts: 1)
        for number in 1..<HostSchedule.heldTry {
            // A worker begins the run, and is killed. Its leases end.
            let server = try self.works.claim(1, after: nil).servers[0]
            let runs = try self.works.begin(self.works.due([(server.id, 1)]))
            #expect(runs.map(\.tries) == [number])
            try self.asOwner("UPDATE work SET leased_until = 0; UPDATE server SET leased_until = 0")
        }
        let record = Record()
        try await self.run([self.worker(record) { _, _ in RunResult(outcome: .done) }]) {
            try self.rows("stop_reason") == [["held"]]
        }
        #expect(record.ended.isEmpty && record.events.contains(.held))
        #expect(try self.works.queue(origin: self.origin).map(\.held) == [1])
        #expect(try self.works.releaseHeld() == 1)
        try await self.run([self.worker(record) { _, _ in RunResult(outcome: .done) }]) { record.ended.count == 1 }
    }

    @Test("a worker that was frozen stops its runs, and its server belongs to the other one")
    func frozen() async throws {
        _ = try self.addTenant(accounts: 1)
        let record = Record()
        let origin = self.origin
        let worker = self.worker(record) { fence, clock in
            if fence.number == 1 {
                // Another worker takes over in the meantime.
                _ = try? PostgresConnection(to: TestStores.place ?? DatabasePlace("")).runScript(
                    """
                    UPDATE work SET fence = fence + 1, leased_until = moment() + 120 WHERE server IN
                        (SELECT id FROM server WHERE origin = '\(origin)');
                    UPDATE server SET fence = fence + 1, leased_until = moment() + 120 WHERE origin = '\(origin)'
                    """
                )
            }
            return RunResult(outcome: .done)
        }
        try await self.run([worker]) { record.ended.count == 1 }
        // The late end changed nothing.
        #expect(
            try self.rows("work.fence, work.leased_until > moment(), succeeded, server.leased_until > moment()")
                == [["2", "t", nil, "t"]]
        )
    }

    @Test("an unreachable server rests after three accounts")
    func rests() async throws {
        for _ in 0..<8 { _ = try self.addTenant(accounts: 1) }
        #expect(try self.works.setServer(self.origin, connections: 1, parts: nil))
        let record = Record()
        try await self.run([self.worker(record) { _, _ in RunResult(outcome: .unreachable) }]) {
            try self.rows("server.rests_until > moment() + 55").contains(["t"])
        }
        #expect(record.ended.count == ServerHealth.unreachableAccounts)
        #expect(try self.works.queue(origin: self.origin).first.map { (50...60).contains($0.restSeconds) } == true)
    }

    private final class Flag: Sendable {
        private let state: Mutex<Bool>
        init(_ value: Bool) { self.state = Mutex(value) }
        var isSet: Bool { self.state.withLock { $0 } }
        @discardableResult
        func exchange(_ value: Bool) -> Bool {
            self.state.withLock { state in
                defer { state = value }
                return state
            }
        }
    }

    @Test("a pause that a server asks for begins at once for all its parts")
    func requestedPause() async throws {
        for _ in 0..<12 { _ = try self.addTenant(accounts: 1) }
        #expect(try self.works.setServer(self.origin, connections: 2, parts: 3))
        let record = Record()
        let (isFirst, isPaused) = (Flag(true), Flag(false))
        let worker = self.worker(record) { fence, _ in
            if isFirst.exchange(false) { return RunResult(outcome: .busy(seconds: 600)) }
            // The other runs go on until the pause is stored.
            while !isPaused.isSet, !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(20))
            }
            return RunResult(outcome: .done)
        }
        try await self.run([worker]) {
            let rests = try self.asOwner(
                "SELECT rests_until > moment() + 500 FROM server WHERE origin = '\(self.origin)'"
            )[0]
            if rests == [["t"], ["t"], ["t"]] { isPaused.exchange(true) }
            let leased = try self.asOwner("SELECT 1 FROM server WHERE leased_until > moment()")[0]
            return isPaused.isSet && leased.isEmpty
        }
        #expect(record.begun <= 6)
    }

    private final class Passed: Sendable {
        private let state = Mutex(0.0)
        var seconds: Double {
            get { self.state.withLock { $0 } }
            set { self.state.withLock { $0 = newValue } }
        }
    }

    @Test("requests are refused at the end of a lease, and after the end of a run")
    func transport() async throws {
        struct Answers: Transport {
            func send(_ request: Request) async throws(TransportError) -> Response {
                Response(status: request.isSmall ? 201 : 200)
            }
        }
        let start = ContinuousClock.now
        let passed = Passed()
        let clock = LeaseClock(extended: start) { start.advanced(by: .seconds(passed.seconds)) }
        let transport = LeasedTransport(base: Answers()) { clock }
        func isRefused(_ method: String) async -> Bool {
            (try? await transport.send(Request(method: method, url: "https://dav.example.org/"))) == nil
        }
        for (seconds, refused) in [(0.0, false), (60, false), (61, true), (1000, true)] {
            passed.seconds = seconds
            for method in ["PUT", "DELETE", "MOVE", "MKCALENDAR", "PROPPATCH", "POST"] {
                #expect(await isRefused(method) == refused, "\(method) after \(seconds) s")
            }
            for method in ["GET", "PROPFIND", "REPORT"] { #expect(await !isRefused(method)) }
        }
        // A request that changes something has the short limits, so it ends before the lease does.
        passed.seconds = 0
        for (method, status) in [("PUT", 201), ("REPORT", 200)] {
            let request = Request(method: method, url: "https://dav.example.org/")
            #expect(try await transport.send(request).status == status)
        }
        #expect(TransportLimits.standard.smallTotalSeconds <= Double(LeaseTerms.writeSeconds))
        passed.seconds = 1000
        clock.extend(at: start.advanced(by: .seconds(990)))
        #expect(await !isRefused("PUT"))
        clock.end()
        #expect(await isRefused("GET"))
        let unlimited = LeasedTransport(base: Answers()) { nil }
        #expect(try await unlimited.send(Request(method: "PUT", url: "https://dav.example.org/")).status == 200)
    }

    @Test("a run for another process has a text, and ends with the history of the database")
    func delegatedRuns() throws {
        let tenant = try self.addTenant(accounts: 1)
        let server = try self.works.claim(1, after: nil).servers[0]
        let fence = try self.works.begin(self.works.due([(server.id, 1)]))[0]
        let run = try #require(DelegatedRun(fence, in: self.works))
        #expect(DelegatedRun(run.text) == run)
        for text in ["", "1:2", "1:x:3", "x:1:3"] { #expect(DelegatedRun(text) == nil) }
        let runs = try run.taken(by: tenant, in: self.works)
        #expect(runs.clock?.mayWrite == true && runs.clock?.isEnded == false)
        let other = try #require(DelegatedRun("\(run.account):\(run.number):0 0"))
        #expect(throws: DatabaseError(.leaseLost)) { try other.taken(by: tenant, in: self.works) }
        // Another worker has begun the account.
        try self.asOwner("UPDATE work SET fence = fence + 1 WHERE tenant = \(tenant.rawValue)")
        #expect(throws: DatabaseError(.leaseLost)) { try run.taken(by: tenant, in: self.works) }
        let old = WorkFence(key: fence.key, number: fence.number, generation: fence.generation - 1)
        #expect(DelegatedRun(old, in: self.works) == nil)
    }

    @Test("metrics have no name of a tenant or a server")
    func metrics() throws {
        _ = try self.addTenant(accounts: 1)
        let metrics = HostMetrics()
        metrics.count(.done, seconds: 1.5)
        metrics.count(DatabaseError(.unavailable))
        let text = metrics.text(queue: try self.works.gauges())
        #expect(text.contains("remindav_runs_total{outcome=\"done\"} 1\n"))
        #expect(text.contains("remindav_runs_total{outcome=\"refused_password\"} 0\n"))
        #expect(text.contains("remindav_alarm_messages_total{channel=\"mail\",outcome=\"refused\"} 0\n"))
        #expect(text.contains("remindav_run_seconds_total{outcome=\"done\"} 1.5\n"))
        #expect(text.contains("remindav_database_errors_total{code=\"unavailable\"} 1\n"))
        #expect(text.contains("remindav_servers_due 1\n"))
        #expect(!text.contains("example.org") && !text.contains("worker \(getpid())"))
    }
}
