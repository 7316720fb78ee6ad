import RemindavPostgresStore
import RemindavSQLiteStore
import RemindavStore
import RemindavStoreSupport

/// The store of a machine on a host: users edit it, and workers sync it one after another.
///
/// A store in PostgreSQL has the leases and fences of the host. A store in memory has the same rules here, so that many
/// histories take little time. Everything runs on one thread (``SingleThread``), which makes this class Sendable.
final class SharedStore: @unchecked Sendable {
    private enum Place {
        case memory(any Database)
        case tenant(TenantID, PostgresPool)
    }

    /// The store of the programs that users run; its writes need no lease.
    let users: ReminderStore
    private let place: Place
    /// The last run in memory; each run raises it.
    private var fence = 0
    /// Whether the lease of the last run in memory lasts.
    private var isLeased = false
    /// The last run of a tenant.
    private var fences: [WorkFence] = []

    init() throws(DatabaseError) {
        if TestStores.useServer {
            let (tenant, pool) = (try TestStores.addTenant(), try TestStores.pool.get())
            self.place = .tenant(tenant, pool)
            self.users = Self.open(tenant, pool)
        } else {
            let database = try ReminderStore.emptyDatabase()
            self.place = .memory(database)
            self.users = ReminderStore(database: database)
        }
    }

    private static func open(
        _ tenant: TenantID,
        _ pool: PostgresPool,
        runs: CurrentRuns = CurrentRuns(),
        wrap: (any Database) -> any Database = { $0 }
    ) -> ReminderStore {
        ReminderStore.tenant(tenant, in: pool, runs: runs, wrap: wrap) { () throws(DatabaseError) in
            try ReminderStore.emptyDatabase()
        }
    }

    /// A run of a worker.
    struct Run {
        let store: ReminderStore
        /// Returns the lease, unless another worker has taken over.
        let giveBack: () -> Void
    }

    /// Begins a run.
    ///
    /// - Parameter watch: is told about the writes of the run.
    /// - Throws: ``DatabaseError/Code/syncIsRunning`` while the lease of another run lasts.
    func begin(_ watch: any WriteWatch) throws(DatabaseError) -> Run {
        switch self.place {
        case .memory(let database):
            guard !self.isLeased else { throw DatabaseError(.syncIsRunning) }
            self.isLeased = true
            self.fence += 1
            let fence = self.fence
            // The same rule as in the store of a tenant.
            let watched = WatchedDatabase(database, watch) { [self] () throws(DatabaseError) in
                guard self.fence == fence else { throw DatabaseError(.leaseLost) }
            }
            return Run(store: ReminderStore(database: watched)) { [self] in
                if self.fence == fence { self.isLeased = false }
            }
        case .tenant(let tenant, let pool):
            let works = WorkDirectory(pool)
            let fences = try works.begin(of: tenant, account: nil)
            self.fences = fences
            let runs = CurrentRuns(fences)
            let store = Self.open(tenant, pool, runs: runs) {
                WatchedDatabase($0, watch) { () throws(DatabaseError) in }
            }
            return Run(store: store) { try? works.end(fences) }
        }
    }

    /// Ends the lease of the last run; the worker does not notice this.
    ///
    /// The clock of PostgreSQL is not that of the model, so no lease ends by itself.
    func endLease() throws(DatabaseError) {
        self.isLeased = false
        if case .tenant(_, let pool) = self.place { try WorkDirectory(pool).end(self.fences) }
    }

    func removeEverything() throws(DatabaseError) {
        try self.users.removeEverything()
        self.isLeased = false
        self.fences = []
    }
}

/// Is told about the writes of a run.
protocol WriteWatch: AnyObject {
    /// Called before the transaction begins; the worker may be frozen here.
    func willWrite()
    /// Called when another worker has taken over.
    func wasRefused()
}

/// A database that reports the beginnings of its writes.
private final class WatchedDatabase: Database {
    private let base: any Database
    private let watch: any WriteWatch
    private let check: () throws(DatabaseError) -> Void

    /// - Parameter check: called in each write; an error ends the write.
    init(_ base: any Database, _ watch: any WriteWatch, check: @escaping () throws(DatabaseError) -> Void) {
        self.base = base
        self.watch = watch
        self.check = check
    }

    func begin(_ kind: TransactionKind) throws(DatabaseError) {
        guard case .write = kind else { return try self.base.begin(kind) }
        self.watch.willWrite()
        do throws(DatabaseError) {
            try self.base.begin(kind)
            do throws(DatabaseError) {
                try self.check()
            } catch {
                self.base.rollBack()
                throw error
            }
        } catch {
            if error.code == .leaseLost { self.watch.wasRefused() }
            throw error
        }
    }

    var isPrivate: Bool { self.base.isPrivate }
    var isRemote: Bool { self.base.isRemote }

    func forEach(_ sql: String, _ values: [SQLValue], _ body: (Row) -> Bool) throws(DatabaseError) {
        try self.base.forEach(sql, values, body)
    }

    func forEachInPortions(_ sql: String, _ body: (Row) -> Bool) throws(DatabaseError) {
        try self.base.forEachInPortions(sql, body)
    }

    func run(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int { try self.base.run(sql, values) }
    func send(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) { try self.base.send(sql, values) }
    func insert(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int64 {
        try self.base.insert(sql, values)
    }

    func commit() throws(DatabaseError) { try self.base.commit() }
    func rollBack() { self.base.rollBack() }
    func contentVersion() throws(DatabaseError) -> ContentVersion { try self.base.contentVersion() }
    func schemaVersion() throws(DatabaseError) -> Int { try self.base.schemaVersion() }
    func damage(limit: Int) throws(DatabaseError) -> [String] { try self.base.damage(limit: limit) }
    func removeEverything() throws(DatabaseError) { try self.base.removeEverything() }
    func nextIDs() throws(DatabaseError) -> [String: Int64] { try self.base.nextIDs() }
    func reserveIDs(below next: [String: Int64]) throws(DatabaseError) { try self.base.reserveIDs(below: next) }
    func inMemoryCopy() throws(DatabaseError) -> any Database { try self.base.inMemoryCopy() }
}
