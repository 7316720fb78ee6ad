import Glibc
import RemindavHosting
import RemindavStore

/// The number of a tenant: one user's store in a PostgreSQL database.
package struct TenantID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The store of one tenant in PostgreSQL.
///
/// A transaction sets the tenant, and the row-level security of each table then shows only rows of this tenant. The
/// row of the tenant is the lock of a write: writers of one tenant run one after another, and each sees all earlier
/// commits. A connection of the pool is used only during a transaction.
final class TenantDatabase: Database {
    let tenant: TenantID
    private let pool: PostgresPool
    private let makeEmptyCopy: @Sendable () throws(DatabaseError) -> any Database
    private let runs: CurrentRuns
    private var current: Transaction?
    private var lastCommit: ContinuousClock.Instant?

    /// The seconds after a commit in which a lost connection makes the outcome of a command unknown.
    ///
    /// A command writes, and then reads the data of its answer. If the read fails, the error must not say that nothing
    /// was changed.
    private static let commandSeconds = 30.0

    /// The state of the current transaction.
    private struct Transaction {
        let connection: PostgresConnection
        let isWrite: Bool
        /// The next unused id of each table, in the order of ``counters``.
        var nextIDs: [Int64]
        var usesIDs = false
        /// Whether a statement changed a table of ``contentTables``.
        var changesContent = false
        /// Whether a statement wrote a text, so that the texts may have become more.
        var writesTexts = false
        var newAccounts = 0
        /// Whether a statement changed an account, whose work may be due now.
        var changesAccounts = false
        var newFeeds = 0
        /// Whether a limit of the tenant may be exceeded.
        var mayGrow: Bool { self.writesTexts || self.newAccounts > 0 || self.newFeeds > 0 }
        /// The number of the transaction on the server (`pg_current_xact_id`); empty for a read.
        var number = ""
        /// The history of the database in which the transaction began.
        var generation = 0
    }

    /// The tables whose ids are counted per tenant, each with the column of `tenant` that has the next id.
    static let counters: [(table: String, column: String)] = [
        ("account", "next_account"), ("list", "next_list"), ("calendar_object", "next_object"),
        ("conflict", "next_conflict"), ("feed", "next_feed"), ("sync_run", "next_run"), ("change", "next_change"),
    ]

    /// The tables on which the content of a feed depends.
    static let contentTables: Set = [
        "list", "calendar_object", "calendar_text", "feed", "label", "list_defaults", "default_list", "relation",
    ]

    /// - Parameters:
    ///   - runs: the runs whose results are written; each write checks that they are not lost.
    ///   - makeEmptyCopy: creates the empty database in memory for ``inMemoryCopy()``.
    init(
        _ tenant: TenantID,
        in pool: PostgresPool,
        runs: CurrentRuns = CurrentRuns(),
        makeEmptyCopy: @escaping @Sendable () throws(DatabaseError) -> any Database
    ) {
        self.tenant = tenant
        self.pool = pool
        self.runs = runs
        self.makeEmptyCopy = makeEmptyCopy
    }

    var isPrivate: Bool { false }
    var isRemote: Bool { true }

    // MARK: Statements

    private func connection() throws(DatabaseError) -> PostgresConnection {
        guard let current else { throw DatabaseError(.other) }
        return current.connection
    }

    func forEach(_ sql: String, _ values: [SQLValue], _ body: (Row) -> Bool) throws(DatabaseError) {
        try self.noting { () throws(DatabaseError) in try self.connection().forEach(sql, values, body) }
    }

    /// Runs `body`; if the server is lost soon after a commit, the error says that a change may be stored.
    private func noting<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
        do throws(DatabaseError) {
            return try body()
        } catch {
            let isRecent = self.lastCommit.map { $0.duration(to: .now) < .seconds(Self.commandSeconds) } ?? false
            guard error.code.isOfConnection, isRecent else { throw error }
            throw DatabaseError(.outcomeUnknown)
        }
    }

    func forEachInPortions(_ sql: String, _ body: (Row) -> Bool) throws(DatabaseError) {
        try self.connection().forEachInPortions(sql, body)
    }

    func run(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int {
        self.note(sql)
        return try self.noting { () throws(DatabaseError) in try self.connection().run(sql, values) }
    }

    func send(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) {
        self.note(sql)
        try self.noting { () throws(DatabaseError) in try self.connection().send(sql, values) }
    }

    /// The database does not choose the id, because it is counted per tenant; so the statement can be sent at once.
    func insert(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int64 {
        guard let table = Self.table(of: sql), let place = Self.counters.firstIndex(where: { $0.table == table }),
            let next = self.current?.nextIDs[place], let first = values.first
        else { throw DatabaseError(.other) }
        let id = if case .integer(let number) = first { number } else { next }
        self.current?.nextIDs[place] = max(next, id + 1)
        self.current?.usesIDs = true
        try self.send(sql, [.integer(id)] + values.dropFirst())
        return id
    }

    private func note(_ sql: String) {
        guard let table = Self.table(of: sql) else { return }
        if Self.contentTables.contains(table) { self.current?.changesContent = true }
        guard !sql.hasPrefix("DELETE") else { return }
        if table == "account" { self.current?.changesAccounts = true }
        switch table {
        case "calendar_text": self.current?.writesTexts = true
        case "account" where sql.hasPrefix("INSERT"): self.current?.newAccounts += 1
        case "feed" where sql.hasPrefix("INSERT"): self.current?.newFeeds += 1
        default: break
        }
    }

    /// The table that a statement changes; `nil` for a query.
    static func table(of sql: String) -> String? {
        for start in ["INSERT INTO ", "UPDATE ", "DELETE FROM "] where sql.hasPrefix(start) {
            return String(sql.dropFirst(start.count).prefix { $0.isLetter || $0 == "_" })
        }
        return nil
    }

    // MARK: Transactions

    func begin(_ kind: TransactionKind) throws(DatabaseError) {
        do throws(DatabaseError) {
            try self.begin(kind, on: self.pool.take())
        } catch {
            // The server may have closed an unused connection of the pool. Nothing was written, so a new one is tried.
            guard error.code == .unavailable else { throw error }
            try self.noting { () throws(DatabaseError) in try self.begin(kind, on: self.pool.take()) }
        }
    }

    func begin(_ kind: TransactionKind, on connection: PostgresConnection) throws(DatabaseError) {
        do throws(DatabaseError) {
            self.current =
                switch kind {
                case .read: try self.beginRead(connection)
                case .write(let durability): try self.beginWrite(connection, durability)
                }
        } catch {
            connection.rollBack()
            self.pool.give(connection)
            throw error
        }
    }

    private var setTenant: String { "SELECT set_config('remindav.tenant', '\(self.tenant.rawValue)', true)" }

    private func beginRead(_ connection: PostgresConnection) throws(DatabaseError) -> Transaction {
        _ = try connection.runScript("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(self.setTenant)")
        return Transaction(connection: connection, isWrite: false, nextIDs: [])
    }

    private func beginWrite(
        _ connection: PostgresConnection,
        _ durability: Durability
    ) throws(DatabaseError) -> Transaction {
        let columns = Self.counters.map(\.column).joined(separator: ", ")
        var script = "BEGIN ISOLATION LEVEL READ COMMITTED; "
        if durability == .survivesKill { script += "SET LOCAL synchronous_commit = off; " }
        script += """
            \(self.setTenant);
            UPDATE tenant SET version = version + 1 WHERE id = \(self.tenant.rawValue) AND state = 'active'
                RETURNING pg_current_xact_id(), \(columns)
            """
        let generation = self.pool.generation
        let fences = self.runs.fences
        if !fences.isEmpty { script += "; \(WorkFence.check(fences))" }
        var answers = try connection.runScript(script)
        if !fences.isEmpty {
            let found = answers.removeLast().count
            guard found == fences.count, fences.allSatisfy({ $0.generation == generation }) else {
                throw DatabaseError(.leaseLost)
            }
        }
        guard let row = answers.last?.first, let number = row[0] else { throw DatabaseError(.suspended) }
        let next = row.dropFirst().map { $0.flatMap { Int64($0) } ?? 1 }
        return Transaction(
            connection: connection,
            isWrite: true,
            nextIDs: next,
            number: number,
            generation: generation
        )
    }

    func commit() throws(DatabaseError) {
        guard let transaction = self.current else { throw DatabaseError(.other) }
        let connection = transaction.connection
        // An error of a sent statement is thrown here; the caller then rolls back.
        try connection.finishPipeline()
        guard !connection.hasFailedTransaction else { throw DatabaseError(.other) }
        var changes: [String] = []
        if transaction.changesContent {
            changes += [
                "content = version", "objects = objects + counted('objects')", "bytes = bytes + counted('bytes')",
            ]
        }
        if transaction.usesIDs {
            changes += zip(Self.counters, transaction.nextIDs).map { "\($0.column) = \($1)" }
        }
        var script = ""
        if !changes.isEmpty {
            script = "UPDATE tenant SET \(changes.joined(separator: ", ")) WHERE id = \(self.tenant.rawValue)"
            if transaction.mayGrow {
                try self.checkQuota(script, transaction)
                script = ""
            } else {
                script += "; "
            }
        }
        let requestsSyncs = self.runs.requestsSyncs
        if transaction.changesContent { script += Self.workRequest(syncs: requestsSyncs) }
        if transaction.changesAccounts, !transaction.changesContent || !requestsSyncs {
            script += "SELECT want_servers(); "
        }
        do throws(DatabaseError) {
            _ = try connection.runScript(script + "COMMIT")
        } catch {
            // Unless the connection broke, the caller rolls back.
            guard connection.isBroken, transaction.isWrite else { throw error }
            self.end(transaction)
            try self.noting { () throws(DatabaseError) in
                try self.findOutcome(of: transaction.number, in: transaction.generation)
            }
            return self.lastCommit = .now
        }
        self.end(transaction)
        if transaction.isWrite { self.lastCommit = .now }
    }

    /// A statement that lets the alarms of the tenant be computed again.
    ///
    /// - Parameter syncs: whether its accounts are synced soon, too.
    private static func workRequest(syncs: Bool) -> String {
        """
        SELECT request_work(\(syncs), \(HostSchedule.editSeconds), \(HostSchedule.editPauseSeconds), \
        \(HostSchedule.alarmSeconds)); 
        """
    }

    /// Runs the update of the tenant's row, and compares the new numbers with the limits.
    private func checkQuota(_ update: String, _ transaction: Transaction) throws(DatabaseError) {
        let rows = try transaction.connection.runScript(
            """
            \(update) RETURNING max_objects, max_bytes, objects, bytes, (SELECT count(*) FROM account),
                (SELECT count(*) FROM feed WHERE revoked IS NULL), counted('objects'), counted('bytes')
            """
        )
        let numbers = (rows.first?.first ?? []).map { $0.flatMap { Int($0) } }
        guard numbers.count == 8 else { throw DatabaseError(.suspended) }
        let counts = numbers.map { $0 ?? 0 }
        let excess = Quota(reminders: numbers[0], bytes: numbers[1]).excess(
            Quota.Usage(reminders: counts[2], bytes: counts[3], accounts: counts[4], feeds: counts[5]),
            after: Quota.Usage(
                reminders: counts[6],
                bytes: counts[7],
                accounts: transaction.newAccounts,
                feeds: transaction.newFeeds
            )
        )
        if let excess { throw DatabaseError(.quotaExceeded, detail: 0, reason: excess) }
    }

    func rollBack() {
        guard let transaction = self.current else { return }
        transaction.connection.rollBack()
        self.end(transaction)
    }

    private func end(_ transaction: Transaction) {
        self.current = nil
        self.pool.give(transaction.connection)
    }

    /// The time in seconds to ask how a transaction ended; a restart of the server takes a few seconds.
    private static let outcomeSeconds = 10.0
    private static let outcomePauseMicroseconds: UInt32 = 200_000

    /// Asks the server whether a transaction was committed, after the connection ended during the commit.
    ///
    /// - Throws: ``DatabaseError/Code/unavailable`` when the transaction was discarded;
    ///   ``DatabaseError/Code/outcomeUnknown`` when the server does not tell in time.
    func findOutcome(of number: String, in generation: Int) throws(DatabaseError) {
        let end = ContinuousClock.now.advanced(by: .seconds(Self.outcomeSeconds))
        repeat {
            if let connection = try? self.pool.take() {
                let answer = try? connection.runScript("SELECT pg_xact_status('\(number)'::xid8)").first?.first?.first
                self.pool.give(connection)
                // The server that has taken over may have another transaction with this number.
                if self.pool.generation != generation { throw DatabaseError(.outcomeUnknown) }
                switch answer {
                case "committed": return
                case "aborted": throw DatabaseError(.unavailable)
                default: break
                }
            }
            usleep(Self.outcomePauseMicroseconds)
        } while ContinuousClock.now < end
        throw DatabaseError(.outcomeUnknown)
    }

    // MARK: The whole store

    func contentVersion() throws(DatabaseError) -> ContentVersion {
        let sql = "SELECT content FROM tenant WHERE id = tenant()"
        return ContentVersion(others: try self.first(sql) { $0.integerIfPresent(at: 0) ?? 0 } ?? 0, own: 0)
    }

    func schemaVersion() throws(DatabaseError) -> Int {
        Int(try self.first("SELECT max(id) FROM schema_step") { $0.integerIfPresent(at: 0) ?? 0 } ?? 0)
    }

    /// PostgreSQL's own checks (`pg_amcheck`) need other rights; they are the operator's.
    func damage(limit: Int) -> [String] { [] }

    func removeEverything() throws(DatabaseError) {
        for table in StoreTables.inOrder.reversed() { try self.send("DELETE FROM \(table)", []) }
        self.current?.nextIDs = Self.counters.map { _ in 1 }
        self.current?.usesIDs = true
    }

    func nextIDs() throws(DatabaseError) -> [String: Int64] {
        let columns = Self.counters.map(\.column).joined(separator: ", ")
        let ids = try self.first("SELECT \(columns) FROM tenant WHERE id = tenant()") { row in
            Self.counters.map { row.integer($0.column) }
        }
        return Dictionary(uniqueKeysWithValues: zip(Self.counters.map(\.table), ids ?? []))
    }

    func reserveIDs(below next: [String: Int64]) {
        for (place, counter) in Self.counters.enumerated() {
            guard let number = next[counter.table], let known = self.current?.nextIDs[place] else { continue }
            self.current?.nextIDs[place] = max(known, number)
        }
        self.current?.usesIDs = true
    }

    func inMemoryCopy() throws(DatabaseError) -> any Database {
        let copy = try self.makeEmptyCopy()
        try self.transaction(.read) { () throws(DatabaseError) in
            try copy.transaction(.write(.survivesKill)) { () throws(DatabaseError) in
                try StoreTables.copy(from: self, to: copy)
            }
        }
        return copy
    }
}
