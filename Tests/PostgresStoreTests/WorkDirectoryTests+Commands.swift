import RemindavHosting
import RemindavStoreSupport
import Testing

@testable import RemindavPostgresStore
@testable import RemindavStore

/// Syncs by commands of a tenant, and the accounts that fail.
extension WorkDirectoryTests {
    @Test("a sync by a command excludes that of a worker, and the schedule goes on afterwards")
    func commands() throws {
        try self.addAccount("a")
        let other = try self.addAccount("b")
        let server = try self.claim()[0]
        do {
            let lease = try self.store.acquireSyncLease(account: other, for: .sync)
            #expect(throws: DatabaseError(.syncIsRunning)) { try self.store.acquireSyncLease(for: .sync) }
            #expect(throws: DatabaseError(.syncIsRunning)) {
                try self.store.acquireSyncLease(account: other, for: .sync)
            }
            #expect(try self.works.due([(server.id, 10)]).map(\.key.item) == [1])
            try self.edit()
            withExtendedLifetime(lease) {}
        }
        #expect(try self.works.due([(server.id, 10)]).count == 2)
        let runs = try self.begin(server)
        #expect(runs.count == 2)
        #expect(throws: DatabaseError(.syncIsRunning)) { try self.store.acquireSyncLease(for: .sync) }
        try self.works.end(runs.map { ($0, NextRun(seconds: 900)) })
        let all = try self.store.acquireSyncLease(for: .sync)
        #expect(all != nil)
    }

    @Test("a change under a lease requests a sync; a sync, and a change that was refused, request none")
    func requestsOfCommands() throws {
        try self.addAccount()
        let servers = try self.claim()
        try self.works.end(self.begin(servers[0]).map { ($0, NextRun(seconds: 900)) })
        try self.works.release(servers)
        try self.pass(100)
        func run(for purpose: SyncLeasePurpose, edits: Bool = true) throws {
            let lease = try self.store.acquireSyncLease(for: purpose)
            // An edit after the end of the lease would request a sync by itself.
            try withExtendedLifetime(lease) { if edits { try self.edit() } }
        }
        // The account keeps its schedule.
        try run(for: .sync)
        try run(for: .change, edits: false)
        #expect(try self.isDue(in: 780...800))
        #expect(try self.claim().isEmpty)
        try run(for: .change)
        #expect(try self.isDue(in: 50...60))
        // The end of the lease lets workers look for the account in time.
        try self.pass(60)
        #expect(try self.claim().count == 1)
    }

    @Test("a complete sync by a command ends the failures of an account, and lets it follow its schedule again")
    func successOfCommands() throws {
        let ids = try ["a", "b", "c"].map { try self.addAccount($0) }
        let server = try self.claim()[0]
        let runs = try self.begin(server)
        try self.works.end([
            (runs[0], NextRun(seconds: 9000, failures: 3)),
            (runs[1], NextRun(seconds: nil, failures: 1, stopReason: .authentication)),
            (runs[2], NextRun(seconds: nil, stopReason: .off)),
        ])
        try self.works.release([server])
        func states() throws -> [[String?]] {
            try self.asOwner(
                """
                SELECT item, failures, stop_reason, next_at - moment() BETWEEN 290 AND 300, succeeded IS NOT NULL FROM work
                WHERE tenant = \(self.tenant.rawValue) AND kind = 'sync' ORDER BY item
                """
            )[0]
        }
        // A sync with an error changes nothing.
        do { _ = try self.store.acquireSyncLease(for: .sync) }
        #expect(
            try states() == [
                ["1", "3", nil, "f", "f"], ["2", "1", "authentication", "f", "f"], ["3", "0", "off", "f", "f"],
            ]
        )
        #expect(try self.works.failingAccounts(origin: self.origin, limit: 5).map(\.account) == Array(ids.prefix(2)))
        do {
            let lease = try self.store.acquireSyncLease(for: .sync)
            lease?.noteSuccess(of: ids)
        }
        #expect(try states() == [["1", "0", nil, "t", "t"], ["2", "0", nil, "t", "t"], ["3", "0", "off", "f", "f"]])
        #expect(try self.works.failingAccounts(origin: self.origin, limit: 5).isEmpty)
        // The server is due, too.
        try self.pass(310)
        #expect(try self.claim().map(\.id) == [server.id])
        #expect(try self.begin(server).map(\.key.item) == [1, 2])
    }

    @Test("a retry lets failing accounts run at once; a pause that the server asked for stays")
    func retries() throws {
        for name in ["a", "b", "c", "d"] { try self.addAccount(name) }
        var server = try self.claim()[0]
        let runs = try self.begin(server)
        try self.works.end([
            (runs[0], NextRun(seconds: 9000, failures: 3, reason: "unreachable")),
            (runs[1], NextRun(seconds: nil, failures: 1, stopReason: .authentication, reason: "authRejected")),
            (runs[2], NextRun(seconds: nil, stopReason: .held)), (runs[3], NextRun(seconds: 900)),
        ])
        try self.works.rest([(server, ServerRest(seconds: 600, failures: 2))])
        try self.works.release([server])
        let failing = try self.works.failingAccounts(origin: self.origin, limit: 5)
        #expect(failing.map(\.stopReason) == [nil, .authentication, .held])
        #expect(failing.map(\.failures) == [3, 1, 0])
        #expect(failing.map(\.reason) == ["unreachable", "authRejected", nil])
        #expect(failing[0].nextSeconds.map { (8990...9000).contains($0) } == true)
        #expect(failing[1].nextSeconds == nil && failing[0].origin == self.origin)
        #expect(try self.works.failingAccounts(origin: self.origin, limit: 1).count == 1)
        #expect(try self.works.retry(origin: "https://other.example.org") == 0)
        #expect(try self.works.retry(origin: self.origin) == 2)
        server = try #require(try self.claim().first)
        #expect(server.failures == 0)
        let due = try self.works.due([(server.id, 10)])
        // A further failure gets the same pause as the last one.
        #expect(due.map(\.key.item) == [1, 2] && due.map(\.failures) == [2, 0])
        let again = try self.works.begin(due)
        #expect(again.count == 2)
        // A partial sync is no failure, and has a reason.
        try self.works.end([(again[1], NextRun(seconds: 900, reason: "tenantQuota"))])
        #expect(try self.works.queue(origin: self.origin).map(\.failing) == [2])
        #expect(try self.works.failingAccounts(origin: self.origin, limit: 5).map(\.reason).contains("tenantQuota"))
        // As after `Retry-After`: a server that answers is not unreachable.
        try self.works.rest([(server, ServerRest(seconds: 600, failures: 0))])
        #expect(try self.works.retry(origin: self.origin) == 2)
        #expect(try self.works.queue(origin: self.origin).map { $0.restSeconds > 500 } == [true])
    }

    @Test("the clock of a command follows the extensions of its leases, and ends when one is lost")
    func clocksOfCommands() throws {
        try self.addAccount("a")
        try self.addAccount("b")
        let current = CurrentRuns()
        let store = Self.open(self.tenant, self.pool, runs: current)
        #expect(current.clock == nil)
        do {
            let lease = try store.acquireSyncLease(for: .sync)
            #expect(current.clock?.mayWrite == true)
            withExtendedLifetime(lease) {}
        }
        #expect(current.clock == nil)
        let fences = try self.works.begin(of: self.tenant, account: nil)
        let start = ContinuousClock.now
        let clock = LeaseClock(extended: start.advanced(by: .seconds(-LeaseTerms.seconds))) { start }
        // The lease of a locked row is not extended, so the clock is not, either.
        #expect(try self.withLockedRows { clock.extend(fences, of: self.tenant, in: self.works) } == false)
        #expect(!clock.mayWrite && !clock.isEnded)
        #expect(clock.extend(fences, of: self.tenant, in: self.works))
        #expect(clock.mayWrite)
        try self.asOwner("UPDATE work SET fence = fence + 1 WHERE tenant = \(self.tenant.rawValue) AND item = 2")
        #expect(!clock.extend(fences, of: self.tenant, in: self.works))
        #expect(clock.isEnded)
        try self.works.end(fences, of: self.tenant)
    }

    @Test("without accounts, a command gets a lease")
    func noAccounts() throws { #expect(try self.store.acquireSyncLease(for: .sync) != nil) }
}
