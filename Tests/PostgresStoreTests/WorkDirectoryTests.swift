import Glibc
import RemindavHosting
import RemindavStoreSupport
import Synchronization
import Testing

@testable import RemindavPostgresStore
@testable import RemindavStore

@Suite("the work of a host", .serialized, .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server"))
struct WorkDirectoryTests {
    private static let count = Mutex(0)
    /// The seconds that a test may take.
    static let margin = 10

    let pool: PostgresPool
    let works: WorkDirectory
    let tenant: TenantID
    let store: ReminderStore
    let number: Int

    init() throws {
        self.pool = try TestStores.pool.get()
        self.works = WorkDirectory(self.pool)
        self.number = Self.count.withLock { count in
            count += 1
            return count
        }
        self.tenant = try TenantDirectory(self.pool).add("work \(getpid()) \(self.number)")
        self.store = Self.open(self.tenant, self.pool)
        // The servers of other tests are not due.
        try self.asOwner(
            "UPDATE work SET next_at = never(), requested_at = never(); UPDATE server SET wanted_at = never()"
        )
    }

    static func open(_ tenant: TenantID, _ pool: PostgresPool, runs: CurrentRuns = CurrentRuns())
        -> ReminderStore
    {
        ReminderStore.tenant(tenant, in: pool, runs: runs) { () throws(DatabaseError) in throw DatabaseError(.other) }
    }

    @discardableResult
    func asOwner(_ script: String) throws -> [PostgresConnection.TextRows] {
        try PostgresConnection(to: TestStores.place ?? DatabasePlace("")).runScript(script)
    }

    var origin: String { "https://dav\(self.number).example.org" }

    @discardableResult
    func addAccount(_ name: String = "a", path: String = "/") throws -> AccountID {
        try self.store.write { transaction throws(DatabaseError) in
            try transaction.insertAccount(
                named: name,
                url: "\(self.origin)\(path)",
                user: "ada",
                principal: nil,
                homeSets: [],
                secret: SecretReference(kind: "file", reference: name),
                settings: AccountSettings(),
                at: 0
            )
        }
    }

    func edit(_ store: ReminderStore? = nil) throws {
        try (store ?? self.store).write { transaction throws(DatabaseError) in
            _ = try transaction.insertList(named: "list \(try transaction.lists().count)", at: 0)
        }
    }

    func claim() throws -> [ServerLease] { try self.works.claim(10, after: nil).servers }

    func begin(_ server: ServerLease) throws -> [WorkFence] {
        try self.works.begin(self.works.due([(server.id, 10)]))
    }

    /// Lets all times of this tenant and its server be `seconds` earlier, as if so much time had passed.
    func pass(_ seconds: Int) throws {
        try self.asOwner(
            """
            UPDATE work SET next_at = next_at - \(seconds), leased_until = leased_until - \(seconds),
                requested_at = requested_at - \(seconds), started = started - \(seconds)
                WHERE tenant = \(self.tenant.rawValue);
            UPDATE server SET wanted_at = wanted_at - \(seconds), leased_until = leased_until - \(seconds),
                rests_until = rests_until - \(seconds) WHERE origin = '\(self.origin)'
            """
        )
    }

    /// Whether work is due after so many seconds.
    func isDue(in seconds: ClosedRange<Int>, _ kind: WorkKey.Kind = .sync) throws -> Bool {
        let sql =
            "SELECT due_at - moment() FROM work WHERE tenant = \(self.tenant.rawValue) AND kind = '\(kind.rawValue)'"
        let wait = try self.asOwner(sql)[0].first?[0].flatMap { Int($0) }
        return wait.map { seconds.contains($0) } ?? false
    }

    @Test("a new account is due at once, and one worker leases its server")
    func claiming() throws {
        try self.addAccount()
        let servers = try self.claim()
        #expect(servers.count == 1 && servers[0].connections == 4)
        #expect(try self.claim().isEmpty)
        let runs = try self.begin(servers[0])
        #expect(runs.map(\.key) == [WorkKey(tenant: self.tenant, kind: .sync, item: 1)])
        #expect(runs[0].tries == 1)
        #expect(try self.begin(servers[0]).isEmpty)
        try self.works.end([(runs[0], NextRun(seconds: 900, succeeded: true))])
        try self.works.release(servers)
        #expect(try self.claim().isEmpty)
        #expect(try self.isDue(in: 890...900))
        try self.pass(900)
        #expect(try self.claim().map(\.fence) == [servers[0].fence + 1])
    }

    @Test("a search finds a server that became due in a transaction that ended after the last search")
    func lateCommit() throws {
        try self.addAccount()
        let late = try self.claim()[0]
        try self.works.release([late])
        // Each script is an edit of an account that has become due so many seconds ago.
        func makeDue(_ seconds: Int64) -> String {
            "UPDATE server SET wanted_at = moment() - \(seconds) WHERE id = \(late.id)"
        }
        try self.asOwner("UPDATE server SET wanted_at = never()")
        let writer = try PostgresConnection(to: TestStores.place ?? DatabasePlace(""))
        _ = try writer.runScript("BEGIN; \(makeDue(LeaseTerms.markSeconds / 2))")
        let other = Self.open(try TenantDirectory(self.pool).add("late \(getpid()) \(self.number)"), self.pool)
        try other.write { transaction throws(DatabaseError) in
            _ = try transaction.insertAccount(
                named: "a",
                url: "https://other\(self.number).example.org/",
                user: "bob",
                principal: nil,
                homeSets: [],
                secret: SecretReference(kind: "file", reference: "a"),
                settings: AccountSettings(),
                at: 0
            )
        }
        let first = try self.works.claim(10, after: nil)
        #expect(first.servers.count == 1 && first.servers[0].id != late.id)
        _ = try writer.runScript("COMMIT")
        let mark = try #require(first.mark)
        #expect(try self.works.claim(10, after: mark).servers.map(\.id) == [late.id])
        // A transaction of more than a minute is found by the search of all servers.
        try self.asOwner("UPDATE server SET leased_until = 0; \(makeDue(LeaseTerms.markSeconds + 30))")
        #expect(try !self.works.claim(10, after: mark).servers.map(\.id).contains(late.id))
        #expect(try self.works.claim(10, after: nil).servers.map(\.id).contains(late.id))
    }

    @Test("accounts of one origin have one server, and accounts of two origins have two")
    func origins() throws {
        try self.addAccount("a", path: "/dav/ada")
        try self.addAccount("b", path: "/dav/bob")
        try self.store.write { transaction throws(DatabaseError) in
            _ = try transaction.insertAccount(
                named: "c",
                url: "https://DAV\(self.number).example.org:8443/",
                user: "ada",
                principal: nil,
                homeSets: [],
                secret: SecretReference(kind: "file", reference: "c"),
                settings: AccountSettings(),
                at: 0
            )
            _ = try transaction.insertAccount(
                named: "d",
                url: "https://DAV\(self.number).example.org:443/",
                user: "ada",
                principal: nil,
                homeSets: [],
                secret: SecretReference(kind: "file", reference: "d"),
                settings: AccountSettings(),
                at: 0
            )
        }
        let servers = try self.claim()
        #expect(servers.count == 2)
        let counts = try servers.map { try self.works.due([($0.id, 10)]).count }.sorted()
        #expect(counts == [1, 3])
    }

    @Test("a run that a killed worker has begun is repeated after the lease, with a higher fence and one more try")
    func takeover() throws {
        try self.addAccount()
        let first = try self.claim()
        let old = try self.begin(first[0])
        // The clock of the database goes on during the test.
        try self.pass(LeaseTerms.seconds - Self.margin)
        #expect(try self.claim().isEmpty)
        try self.pass(Self.margin)
        let second = try self.claim()
        try #require(second.count == 1)
        let new = try self.begin(second[0])
        #expect(new[0].number == old[0].number + 1 && new[0].tries == 2)
        // The first worker was frozen, and wakes.
        let lost = try self.works.extend(servers: first, runs: old)
        #expect(lost == LeaseExtension(lostServers: first, lostRuns: old))
        try self.works.end([(old[0], NextRun(seconds: 900))])
        try self.works.release(first)
        #expect(try self.works.extend(servers: second, runs: new) == LeaseExtension())
        // Its writes are refused, and those of the second worker are not.
        let frozen = Self.open(self.tenant, self.pool, runs: CurrentRuns(old))
        #expect(throws: DatabaseError(.leaseLost)) { try self.edit(frozen) }
        try self.edit(Self.open(self.tenant, self.pool, runs: CurrentRuns(new)))
        #expect(try self.store.read { try $0.lists().count } == 1)
    }

    @Test("no takeover begins during a write that has checked its fence")
    func takeoverDuringWrite() throws {
        try self.addAccount()
        let runs = try self.begin(self.claim()[0])
        try self.pass(LeaseTerms.seconds)
        let store = Self.open(self.tenant, self.pool, runs: CurrentRuns(runs))
        let server = try self.claim()[0]
        let works = self.works
        let taken = try store.write { transaction throws(DatabaseError) in
            _ = try transaction.insertList(named: "late", at: 0)
            return try works.begin(works.due([(server.id, 1)])).count
        }
        #expect(taken == 0)
        #expect(try self.begin(server).count == 1)
    }

    /// Runs `body` while another transaction has locked all rows of this tenant and its server.
    func withLockedRows<Value>(_ body: () throws -> Value) throws -> Value {
        let connection = try PostgresConnection(to: TestStores.place ?? DatabasePlace(""))
        _ = try connection.runScript(
            """
            BEGIN; SELECT 1 FROM work WHERE tenant = \(self.tenant.rawValue) FOR UPDATE;
            SELECT 1 FROM server WHERE origin = '\(self.origin)' FOR UPDATE
            """
        )
        defer { connection.rollBack() }
        return try body()
    }

    @Test("calls of a worker do not wait for locked rows, and report that nothing was changed")
    func lockedRows() throws {
        try self.addAccount("a")
        try self.addAccount("b")
        let servers = try self.claim()
        let due = try self.works.due([(servers[0].id, 10)])
        let runs = try self.works.begin([due[0]])
        try self.pass(LeaseTerms.extensionSeconds)
        let end = [(fence: runs[0], plan: NextRun(seconds: 900, succeeded: true))]
        try self.withLockedRows {
            let result = try self.works.extend(servers: servers, runs: runs)
            #expect(result == LeaseExtension(delayedServers: servers, delayedRuns: runs))
            #expect(try self.works.begin([due[1]]).isEmpty)
            #expect(try self.works.end(end) == runs)
            #expect(try self.works.release(servers) == servers)
        }
        let rest = "leased_until - moment() <= \(LeaseTerms.seconds - LeaseTerms.extensionSeconds)"
        #expect(try self.asOwner("SELECT \(rest) FROM server WHERE id = \(servers[0].id)")[0] == [["t"]])
        #expect(try self.works.extend(servers: servers, runs: runs) == LeaseExtension())
        #expect(try self.asOwner("SELECT \(rest) FROM server WHERE id = \(servers[0].id)")[0] == [["f"]])
        #expect(try self.works.end(end).isEmpty)
        #expect(try self.works.release(servers).isEmpty)
        #expect(try self.claim().count == 1)
    }

    @Test("an edit asks for a sync in five seconds, once a minute, and a run asks for none")
    func edits() throws {
        try self.addAccount()
        let servers = try self.claim()
        let runs = try self.begin(servers[0])
        try self.edit(Self.open(self.tenant, self.pool, runs: CurrentRuns(runs)))
        try self.works.end([(runs[0], NextRun(seconds: 900, succeeded: true))])
        try self.works.release(servers)
        #expect(try self.isDue(in: 890...900))
        // The run has just begun, so the edit waits for a minute.
        try self.edit()
        #expect(try self.isDue(in: 50...60))
        try self.pass(60)
        #expect(try self.claim().count == 1)
        let again = try self.begin(servers[0])
        // An edit during a run is not lost.
        try self.edit()
        try self.works.end([(again[0], NextRun(seconds: 900, succeeded: true))])
        #expect(try self.isDue(in: 50...60))
        try self.pass(100)
        let last = try self.begin(servers[0])
        try self.works.end([(last[0], NextRun(seconds: 900, succeeded: true))])
        try self.pass(100)
        try self.edit()
        #expect(try self.isDue(in: 0...5))
    }

    @Test("an edit lets a leased server run the account again after its release")
    func editOfLeasedServer() throws {
        try self.addAccount()
        let servers = try self.claim()
        let runs = try self.begin(servers[0])
        try self.works.end([(runs[0], NextRun(seconds: 900, succeeded: true))])
        try self.pass(100)
        try self.edit()
        try self.works.release(servers)
        try self.pass(5)
        #expect(try self.claim().count == 1)
    }

    @Test("a server that is returned during the commit of an edit runs the account again")
    func editDuringRelease() throws {
        try self.addAccount()
        let servers = try self.claim()
        let runs = try self.begin(servers[0])
        try self.works.end([(runs[0], NextRun(seconds: 900, succeeded: true))])
        try self.pass(100)
        let edit = try PostgresConnection(
            to: DatabasePlace(TestStores.place?.text ?? "", role: "remindav_worker")
        )
        _ = try edit.runScript(
            """
            BEGIN; SELECT set_config('remindav.tenant', '\(self.tenant.rawValue)', true);
            SELECT request_work(true, 5, 60, 2)
            """
        )
        #expect(try self.works.release(servers) == servers)
        _ = try edit.runScript("COMMIT")
        #expect(try self.works.release(servers).isEmpty)
        try self.pass(5)
        #expect(try self.claim().count == 1)
    }

    /// Waits until a statement of another connection waits for a lock.
    private func waitForLock() throws {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        let end = ContinuousClock.now.advanced(by: .seconds(Self.margin))
        while try self.asOwner(sql)[0] == [["0"]], ContinuousClock.now < end { usleep(10_000) }
    }

    /// Runs a call that waits for the first lock of another transaction, whose next lock is that of the server.
    private func expectNoDeadlock(_ call: @escaping @Sendable () throws -> Void) async throws {
        let other = try PostgresConnection(to: TestStores.place ?? DatabasePlace(""))
        // A script is one transaction, so the change of the server must be another script.
        try self.asOwner("UPDATE server SET wanted_at = never()")
        _ = try other.runScript(
            "BEGIN; SELECT 1 FROM work WHERE tenant = \(self.tenant.rawValue) AND kind = 'sync' ORDER BY item FOR UPDATE"
        )
        let waiting = Task.detached(operation: call)
        try self.waitForLock()
        _ = try other.runScript("UPDATE server SET wanted_at = moment() WHERE origin = '\(self.origin)'; COMMIT")
        try await waiting.value
    }

    @Test("an edit and a change of the parts of its server do not block each other")
    func lockOrderOfParts() async throws {
        try self.addAccount("a")
        try self.addAccount("b")
        let (works, origin) = (self.works, self.origin)
        try await self.expectNoDeadlock { _ = try works.setServer(origin, connections: 8, parts: 3) }
        #expect(try self.works.queue(origin: self.origin).map(\.connections) == [8])
        try await self.expectNoDeadlock { _ = try works.setServer(origin, connections: nil, parts: 1) }
        #expect(try self.asOwner("SELECT count(*) FROM server WHERE origin = '\(self.origin)'")[0] == [["1"]])
        #expect(try self.works.queue(origin: self.origin).map(\.accounts) == [2])
    }

    @Test("the release of work and a change of an account do not block each other")
    func lockOrderOfAccounts() async throws {
        let account = try self.addAccount("a")
        let store = self.store
        try await self.expectNoDeadlock {
            try store.write { try $0.changeSettings(of: account) { $0.syncInterval = "1h" } }
        }
        try await self.expectNoDeadlock {
            try store.write { try $0.update(SecretReference(kind: "file", reference: "new"), of: account) }
        }
        #expect(try self.claim().count == 1)
    }

    @Test("a server without accounts is removed, unless its limits were changed")
    func unusedServers() throws {
        func count() throws -> [[String?]] {
            try self.asOwner("SELECT count(*) FROM server WHERE origin = '\(self.origin)'")[0]
        }
        let account = try self.addAccount()
        try self.works.removeUnusedServers()
        #expect(try count() == [["1"]])
        try self.store.write { try $0.deleteAccount(account) }
        try self.works.removeUnusedServers()
        #expect(try count() == [["0"]])
        let other = try self.addAccount()
        #expect(try self.works.setServer(self.origin, connections: nil, parts: 2))
        try self.store.write { try $0.deleteAccount(other) }
        try self.works.removeUnusedServers()
        #expect(try count() == [["2"]])
    }

    @Test("an edit of one tenant requests no work of another one")
    func foreignRequests() throws {
        try self.addAccount()
        let servers = try self.claim()
        let runs = try self.begin(servers[0])
        try self.works.end([(runs[0], NextRun(seconds: 900, succeeded: true))])
        let other = try TenantDirectory(self.pool).add("other \(getpid()) \(self.number)")
        try self.edit(Self.open(other, self.pool))
        #expect(try self.isDue(in: 890...900))
    }

    @Test("a server that rests is not leased, also after an edit")
    func rests() throws {
        try self.addAccount()
        let servers = try self.claim()
        let runs = try self.begin(servers[0])
        try self.works.end([(runs[0], NextRun(seconds: 0))])
        try self.works.rest([(servers[0], ServerRest(seconds: 600, failures: 2))])
        try self.works.release(servers)
        try self.pass(600 - Self.margin)
        try self.edit()
        #expect(try self.claim().isEmpty)
        try self.pass(Self.margin)
        #expect(try self.claim().map(\.failures) == [2])
    }

    @Test("a rest applies to all parts of the origin, and a success of another part does not end it")
    func restsOfParts() throws {
        for name in ["a", "b", "c", "d"] { try self.addAccount(name) }
        #expect(try self.works.setServer(self.origin, connections: nil, parts: 3))
        let parts = try self.claim()
        #expect(parts.count == 3)
        let limits = parts.map { (server: $0.id, limit: 10) }
        #expect(try self.works.due(limits).count == 4)
        try self.works.rest([(parts[1], ServerRest(seconds: 600, failures: 1))])
        try self.works.rest([(parts[0], ServerRest(seconds: 0, failures: 0))])
        // A process that has leased another part begins nothing more.
        #expect(try self.works.due(limits).isEmpty)
        #expect(try self.works.servers(parts.map(\.id), withDueWorkOf: [self.tenant]).isEmpty)
        try self.works.release(parts)
        try self.pass(600 - Self.margin)
        #expect(try self.claim().isEmpty)
        try self.pass(Self.margin)
        #expect(try self.works.due(limits).count == 4)
        let again = Set(try self.claim().map(\.id))
        let earlier = try #require(parts.first { again.contains($0.id) })
        // The worker of an earlier lease changes nothing.
        try self.works.rest([(earlier, ServerRest(seconds: 600, failures: 1))])
        #expect(try self.works.queue(origin: self.origin).map(\.restSeconds) == [0])
    }

    @Test("a refused password stops an account until its password changes")
    func refusedPassword() throws {
        let account = try self.addAccount()
        let servers = try self.claim()
        let runs = try self.begin(servers[0])
        try self.works.end([(runs[0], NextRun(seconds: nil, failures: 1, stopReason: .authentication))])
        try self.works.release(servers)
        try self.edit()
        try self.pass(1_000_000)
        #expect(try self.claim().isEmpty)
        try self.store.write { try $0.update(SecretReference(kind: "file", reference: "new"), of: account) }
        #expect(try self.claim().count == 1)
        #expect(try self.begin(servers[0])[0].tries == 1)
    }

    @Test("a run that ends after the password was changed does not stop the account")
    func passwordChangesDuringRun() throws {
        let account = try self.addAccount()
        let servers = try self.claim()
        let runs = try self.begin(servers[0])
        try self.store.write { try $0.update(SecretReference(kind: "file", reference: "new"), of: account) }
        try self.works.end([(runs[0], NextRun(seconds: nil, failures: 1, stopReason: .authentication))])
        #expect(try self.begin(servers[0]).count == 1)
    }

    @Test("the interval 'never' ends when the account gets another interval")
    func intervals() throws {
        let account = try self.addAccount()
        let servers = try self.claim()
        let runs = try self.begin(servers[0])
        try self.works.end([(runs[0], NextRun(seconds: nil, stopReason: .off))])
        try self.works.release(servers)
        try self.store.write { try $0.changeSettings(of: account) { $0.conflictPolicy = "server" } }
        #expect(try self.claim().isEmpty)
        try self.store.write { try $0.changeSettings(of: account) { $0.syncInterval = "15m" } }
        #expect(try self.claim().count == 1)
    }

    @Test("a suspended tenant has no work, and a removed account and tenant neither")
    func ends() throws {
        let account = try self.addAccount()
        let servers = try self.claim()
        let runs = try self.begin(servers[0])
        let directory = TenantDirectory(self.pool)
        let name = "work \(getpid()) \(self.number)"
        #expect(try directory.setSuspended(true, name))
        #expect(try self.works.extend(runs: runs).lostRuns == runs)
        try self.works.release(servers)
        #expect(try self.claim().isEmpty)
        #expect(try directory.setSuspended(false, name))
        #expect(try self.claim().count == 1)
        try self.store.write { try $0.deleteAccount(account) }
        #expect(try self.begin(servers[0]).isEmpty)
        #expect(try directory.remove(name))
        #expect(try self.asOwner("SELECT 1 FROM work WHERE tenant = \(self.tenant.rawValue)")[0].isEmpty)
    }

    @Test("a change of the history makes all leases void")
    func history() throws {
        try self.addAccount()
        let runs = try self.begin(self.claim()[0])
        let pool = PostgresPool(to: DatabasePlace(TestStores.place?.text ?? "", role: "remindav_worker"), size: 2)
        let before = try pool.take()
        let generation = pool.generation
        let ofThisPool = runs.map { WorkFence(key: $0.key, number: $0.number, generation: generation) }
        let store = Self.open(self.tenant, pool, runs: CurrentRuns(ofThisPool))
        try self.asOwner("UPDATE host SET epoch = epoch + 1")
        let after = try pool.take()
        #expect(pool.generation == generation + 1)
        pool.give(before)
        pool.give(after)
        #expect(throws: DatabaseError(.leaseLost)) { try self.edit(store) }
    }
}
