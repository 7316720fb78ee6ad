import RemindavHosting
package import RemindavStore
import Synchronization

/// The runs whose results a store may write.
///
/// While a run is held, each write of the store checks its fence in the same transaction. So a run that lost its lease
/// without notice writes nothing more.
package final class HeldRuns: Sendable {
    private struct State {
        var fences: [WorkFence] = []
        var generation = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// - Parameter generation: the history of the database in which the runs began; see ``PostgresPool/generation``.
    package init(_ fences: [WorkFence], generation: Int) { self.hold(fences, generation: generation) }

    var fences: [WorkFence] { self.state.withLock { $0.fences } }
    var generation: Int { self.state.withLock { $0.generation } }

    func hold(_ fences: [WorkFence], generation: Int) {
        self.state.withLock { $0 = State(fences: fences, generation: generation) }
    }
}

extension WorkFence {
    /// A statement with a row for each run that is still held.
    ///
    /// Until the transaction ends, no other process can begin these runs again.
    static func check(_ fences: [WorkFence]) -> String {
        let rows = fences.map { "(\($0.key.sql), \($0.number))" }.joined(separator: ", ")
        return """
            SELECT 1 FROM (VALUES \(rows)) AS mine (tenant, kind, item, fence) JOIN work USING (tenant, kind, item, fence)
            ORDER BY tenant, kind, item FOR SHARE OF work
            """
    }
}

/// The leases for a sync that a command or a page of a tenant starts, besides the schedule of the host.
private struct TenantLeases: SyncLeases {
    let tenant: TenantID
    let works: WorkDirectory
    let runs: HeldRuns

    func acquire(account: AccountID?) throws(DatabaseError) -> any SyncLease {
        let generation = self.works.generation
        let fences = try self.works.acquire(self.tenant, item: account?.rawValue)
        self.runs.hold(fences, generation: generation)
        return CommandLease(fences, of: self.tenant, self.works, self.runs)
    }
}

/// Extends the leases of a command until it ends.
private final class CommandLease: SyncLease {
    private let tenant: TenantID
    private let fences: [WorkFence]
    private let works: WorkDirectory
    private let runs: HeldRuns
    private let extending: Task<Void, Never>

    init(_ fences: [WorkFence], of tenant: TenantID, _ works: WorkDirectory, _ runs: HeldRuns) {
        self.tenant = tenant
        self.fences = fences
        self.works = works
        self.runs = runs
        self.extending = Task.detached {
            while !fences.isEmpty {
                do { try await Task.sleep(for: .seconds(LeaseTerms.extensionSeconds)) } catch { return }
                // After a failure, the next extension is early enough. If the lease is lost, the next write fails.
                _ = try? works.extend(runs: fences, of: tenant)
            }
        }
    }

    deinit {
        self.extending.cancel()
        self.runs.hold([], generation: 0)
        // If the database cannot be reached, the leases end by themselves.
        try? self.works.giveBack(self.fences, of: self.tenant)
    }
}

extension ReminderStore {
    /// Opens the store of a tenant.
    ///
    /// - Parameters:
    ///   - runs: the runs of a worker, which has begun them; `nil` lets each sync of the store begin its own runs.
    ///   - wrap: replaces the database, for tests.
    ///   - makeEmptyCopy: creates an empty database in memory, for dry runs.
    package static func tenant(
        _ tenant: TenantID,
        in pool: PostgresPool,
        runs: HeldRuns? = nil,
        wrap: (any Database) -> any Database = { $0 },
        makeEmptyCopy: @escaping @Sendable () throws(DatabaseError) -> any Database
    ) -> ReminderStore {
        let held = runs ?? HeldRuns()
        let database = TenantDatabase(tenant, in: pool, runs: held, makeEmptyCopy: makeEmptyCopy)
        let leases = TenantLeases(tenant: tenant, works: WorkDirectory(pool), runs: held)
        return ReminderStore(database: wrap(database), leases: runs == nil ? leases : nil)
    }
}
