import RemindavHosting
import RemindavPlatform
package import RemindavStore
import Synchronization

/// The runs whose results a store may write.
///
/// Each write of the store checks the fences of these runs in the same transaction. So a run that lost its lease without
/// notice writes nothing more.
package final class CurrentRuns: Sendable {
    private struct State {
        var fences: [WorkFence] = []
        var purpose = SyncLeasePurpose.sync
        var clock: LeaseClock?
        var extending: LeaseExtender?
    }

    private let state: Mutex<State>

    /// No runs: each sync, and each change that excludes a sync, begins its own ones for its duration.
    package init() { self.state = Mutex(State()) }

    /// - Parameter clock: the time for which the runs may change something on a server; `nil` for no limit.
    package init(_ fences: [WorkFence], clock: LeaseClock? = nil) {
        self.state = Mutex(State(fences: fences, clock: clock))
    }

    /// A run that another process has begun for this one; its lease is extended as long as this object exists.
    ///
    /// - Throws: ``DatabaseError/Code/leaseLost`` when the lease is lost already.
    package init(delegated fence: WorkFence, in works: WorkDirectory) throws(DatabaseError) {
        let tenant = fence.key.tenant
        // Until the first extension, the remaining time of the lease is unknown.
        let clock = LeaseClock(extended: .now.advanced(by: .seconds(-LeaseTerms.seconds)))
        _ = clock.extend([fence], of: tenant, in: works)
        guard !clock.isEnded else { throw DatabaseError(.leaseLost) }
        let extending = LeaseExtender([fence], of: tenant, in: works, clock)
        self.state = Mutex(State(fences: [fence], clock: clock, extending: extending))
    }

    var fences: [WorkFence] { self.state.withLock { $0.fences } }
    /// Whether a write requests syncs of the accounts; a sync requests none for its own changes.
    var requestsSyncs: Bool { self.state.withLock { $0.fences.isEmpty || $0.purpose == .change } }
    /// The time for which the present runs may change something on a server; `nil` without runs.
    package var clock: LeaseClock? { self.state.withLock { $0.clock } }

    func replace(with fences: [WorkFence], for purpose: SyncLeasePurpose, clock: LeaseClock?) {
        self.state.withLock { $0 = State(fences: fences, purpose: purpose, clock: clock) }
    }

    func removeAll() { self.state.withLock { $0 = State() } }
}

extension WorkFence {
    /// A statement with a row for each run whose lease is not lost.
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

/// Extends the leases of runs, and their clock, until the last reference to this object is released.
private final class LeaseExtender: Sendable {
    /// The database is waited for on threads of their own, because Swift has only as many as cores.
    private static let executor = BlockingExecutor(threads: 4)

    private let task: Task<Void, Never>
    /// Whether the extension has ended; it is locked during each call.
    private let isEnded: Shared

    private final class Shared: Sendable {
        let value = Mutex(false)
    }

    init(_ fences: [WorkFence], of tenant: TenantID, in works: WorkDirectory, _ clock: LeaseClock) {
        let isEnded = Shared()
        self.isEnded = isEnded
        self.task = Task(executorPreference: Self.executor) {
            var pause = clock.mayWrite ? LeaseTerms.extensionSeconds : LeaseTerms.repetitionSeconds
            while !clock.isEnded {
                do { try await Task.sleep(for: .seconds(pause)) } catch { return }
                let wasExtended = isEnded.value.withLock { isEnded in
                    isEnded || clock.extend(fences, of: tenant, in: works)
                }
                pause = wasExtended ? LeaseTerms.extensionSeconds : LeaseTerms.repetitionSeconds
            }
        }
    }

    /// After this call, the leases are not extended any more.
    func end() {
        self.task.cancel()
        self.isEnded.value.withLock { $0 = true }
    }

    deinit { self.task.cancel() }
}

/// The leases for a sync or a change that a command or a page of a tenant starts, besides the schedule of the host.
private struct TenantLeases: SyncLeases {
    let tenant: TenantID
    let works: WorkDirectory
    let runs: CurrentRuns

    func acquire(account: AccountID?, for purpose: SyncLeasePurpose) throws(DatabaseError) -> any SyncLease {
        let asked = ContinuousClock.now
        let fences = try self.works.begin(of: self.tenant, account: account)
        let clock = fences.isEmpty ? nil : LeaseClock(extended: asked)
        self.runs.replace(with: fences, for: purpose, clock: clock)
        return CommandLease(fences, of: self.tenant, self.works, self.runs, clock)
    }
}

/// Extends the leases of a command until it ends.
private final class CommandLease: SyncLease {
    private let tenant: TenantID
    private let fences: [WorkFence]
    private let works: WorkDirectory
    private let runs: CurrentRuns
    private let extending: LeaseExtender?
    private let succeeded = Mutex<Set<AccountID>>([])

    init(_ fences: [WorkFence], of tenant: TenantID, _ works: WorkDirectory, _ runs: CurrentRuns, _ clock: LeaseClock?)
    {
        self.tenant = tenant
        self.fences = fences
        self.works = works
        self.runs = runs
        self.extending = clock.map { LeaseExtender(fences, of: tenant, in: works, $0) }
    }

    func noteSuccess(of accounts: [AccountID]) {
        self.succeeded.withLock { $0.formUnion(accounts) }
    }

    deinit {
        // A late extension would keep the accounts for two minutes.
        self.extending?.end()
        self.runs.removeAll()
        // If the database cannot be reached, the leases end by themselves, and 'host queue --retry' ends the failures.
        try? self.works.endFailures(of: self.fences, succeeded: self.succeeded.withLock { $0 }, of: self.tenant)
        try? self.works.end(self.fences, of: self.tenant)
    }
}

extension ReminderStore {
    /// Opens the store of a tenant.
    ///
    /// - Parameters:
    ///   - runs: the runs that have begun; if it has none, each sync of the store begins its own runs.
    ///   - wrap: replaces the database, for tests.
    ///   - makeEmptyCopy: creates an empty database in memory, for dry runs.
    package static func tenant(
        _ tenant: TenantID,
        in pool: PostgresPool,
        runs: CurrentRuns = CurrentRuns(),
        wrap: (any Database) -> any Database = { $0 },
        makeEmptyCopy: @escaping @Sendable () throws(DatabaseError) -> any Database
    ) -> ReminderStore {
        let database = TenantDatabase(tenant, in: pool, runs: runs, makeEmptyCopy: makeEmptyCopy)
        let leases = TenantLeases(tenant: tenant, works: WorkDirectory(pool), runs: runs)
        return ReminderStore(database: wrap(database), leases: runs.fences.isEmpty ? leases : nil)
    }
}
