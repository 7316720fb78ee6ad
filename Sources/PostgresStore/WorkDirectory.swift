package import RemindavHosting
package import RemindavStore

/// Identifies a piece of work: the sync of an account, or the alarms of a tenant.
package struct WorkKey: Hashable, Sendable, Comparable {
    package enum Kind: String, Sendable {
        case sync
        case alarm
    }

    package let tenant: TenantID
    package let kind: Kind
    /// The number of the account; 0 for alarms.
    package let item: Int64

    package init(tenant: TenantID, kind: Kind, item: Int64) {
        self.tenant = tenant
        self.kind = kind
        self.item = item
    }

    package static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.tenant.rawValue, lhs.kind.rawValue, lhs.item) < (rhs.tenant.rawValue, rhs.kind.rawValue, rhs.item)
    }

    /// The key as a row of SQL; it contains only numbers and the name of a kind.
    var sql: String { "\(self.tenant.rawValue), '\(self.kind.rawValue)', \(self.item)" }
}

/// A server that this process has leased.
package struct ServerLease: Hashable, Sendable {
    package let id: Int64
    /// The number of the lease; a later lease of the server has a higher one.
    package let fence: Int64
    /// The maximum number of accounts that are synced at the same time.
    package let connections: Int
    /// The rests in a row before this lease.
    package let failures: Int
}

/// The leases that an extension has not extended.
package struct LeaseExtension: Hashable, Sendable {
    /// Another process may have these servers.
    package var lostServers: [ServerLease] = []
    /// Another process may have begun these runs again.
    package var lostRuns: [WorkFence] = []
    /// Another transaction has locked the rows of these servers; their leases end at the earlier time.
    package var delayedServers: [ServerLease] = []
    /// Another transaction has locked the rows of these runs; their leases end at the earlier time.
    package var delayedRuns: [WorkFence] = []
}

/// Work whose time has come.
package struct DueWork: Hashable, Sendable {
    package let key: WorkKey
    package let fence: Int64
    /// The failed runs in a row.
    package let failures: Int
    package let server: Int64?
}

/// A begun run: the right to write its results.
package struct WorkFence: Hashable, Sendable {
    package let key: WorkKey
    package let number: Int64
    /// The runs that have begun since the last one that ended, with this one.
    package let tries: Int
    /// The history of the database in which the run began, and with which it ends; see ``PostgresPool/generation``.
    package let generation: Int

    package init(key: WorkKey, number: Int64, tries: Int = 1, generation: Int = 0) {
        self.key = key
        self.number = number
        self.tries = tries
        self.generation = generation
    }
}

/// The work of a host: leases of servers, and the runs of accounts and alarms.
///
/// All times come from the clock of the database. The scripts contain only numbers, and no text from outside. The calls
/// of a worker do not wait for rows that other transactions have locked, because one such row would hinder all its runs.
package struct WorkDirectory: Sendable {
    let pool: PostgresPool

    package init(_ pool: PostgresPool) { self.pool = pool }

    /// The number of the pool's current database; it changes when a replica has taken over or a backup was restored.
    package var generation: Int { self.pool.generation }

    /// The name of the present history, which is the same in all processes, and its number in this process.
    ///
    /// The name is `nil` before the first connection.
    package var history: (generation: Int, name: String?) { self.pool.namedHistory }

    // MARK: Servers

    /// Leases up to `places` servers with due work.
    ///
    /// - Parameter mark: the search begins at this time, which keeps it off old versions of rows; `nil` searches all.
    /// - Returns: the servers, and the mark for the next search; `nil` when none is due.
    package func claim(_ places: Int, after mark: Int64?) throws(DatabaseError) -> (
        servers: [ServerLease], mark: Int64?
    ) {
        let rows = try self.answer(
            """
            UPDATE server SET leased_until = moment() + \(LeaseTerms.seconds), fence = server.fence + 1
            FROM (SELECT id, next_at FROM server
                WHERE next_at <= moment()\(mark.map { " AND next_at >= \($0)" } ?? "")
                ORDER BY next_at LIMIT \(places) FOR NO KEY UPDATE SKIP LOCKED) AS due
            WHERE server.id = due.id
            RETURNING server.id, server.fence, server.connections, server.failures, due.next_at
            """
        )
        let servers = rows.map {
            ServerLease(id: $0[0], fence: $0[1], connections: Int($0[2]), failures: Int($0[3]))
        }
        return (servers, rows.map { $0[4] }.min().map { $0 - LeaseTerms.markSeconds })
    }

    /// Returns servers, so that any process can lease them when their next work is due.
    ///
    /// - Returns: the servers that other transactions have locked; the caller tries again.
    @discardableResult
    package func release(_ servers: [ServerLease]) throws(DatabaseError) -> [ServerLease] {
        guard !servers.isEmpty else { return [] }
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        do throws(DatabaseError) {
            let mine = "(VALUES \(Self.list(servers.map { "\($0.id), \($0.fence)" }))) AS mine (id, fence)"
            let answers = try connection.runScript(
                """
                BEGIN; SELECT id FROM \(mine) JOIN server USING (id, fence) ORDER BY id FOR UPDATE OF server SKIP LOCKED;
                SELECT id FROM \(mine) JOIN server USING (id, fence)
                """
            )
            let (locked, own) = (Self.numbers(answers[1]), Self.numbers(answers[2]))
            var script = ""
            for id in locked.sorted() {
                // In one statement with the lock, the minimum could be older than the last edit.
                script += """
                    UPDATE server SET leased_until = 0,
                        wanted_at = coalesce((SELECT min(due_at) FROM work WHERE work.server = server.id), never())
                        WHERE id = \(id);\n
                    """
            }
            _ = try connection.runScript(script + "COMMIT")
            return servers.filter { own.contains($0.id) && !locked.contains($0.id) }
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Lets the origins of servers rest, with all their parts; a longer rest of an origin stays.
    ///
    /// - Returns: the servers with a part that another transaction has locked; the caller tries again.
    @discardableResult
    package func rest(
        _ rests: [(server: ServerLease, rest: ServerRest)]
    ) throws(DatabaseError) -> [ServerLease] {
        var locked: [ServerLease] = []
        for (server, rest) in rests {
            let parts = """
                FROM server WHERE origin =
                    (SELECT origin FROM server WHERE id = \(server.id) AND fence = \(server.fence))
                """
            let answers = try self.answers(
                """
                UPDATE server SET rests_until = greatest(rests_until, moment() + \(rest.seconds)),
                    failures = \(rest.failures)
                FROM (SELECT id \(parts) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) AS part
                WHERE server.id = part.id RETURNING server.id;
                SELECT id \(parts)
                """
            )
            if answers[0].count < answers[1].count { locked.append(server) }
        }
        return locked
    }

    /// Extends leases.
    ///
    /// - Parameter tenant: the tenant of all runs; `nil` for a role that sees the work of all tenants.
    package func extend(
        servers: [ServerLease] = [],
        runs: [WorkFence],
        of tenant: TenantID? = nil
    ) throws(DatabaseError) -> LeaseExtension {
        var result = LeaseExtension()
        if !servers.isEmpty {
            let mine = "(VALUES \(Self.list(servers.map { "\($0.id), \($0.fence)" }))) AS mine (id, fence)"
            let answers = try self.answers(
                """
                UPDATE server SET leased_until = moment() + \(LeaseTerms.seconds)
                FROM (SELECT id FROM \(mine) JOIN server USING (id, fence)
                    ORDER BY id FOR NO KEY UPDATE OF server SKIP LOCKED) AS locked
                WHERE server.id = locked.id RETURNING server.id;
                SELECT id FROM \(mine) JOIN server USING (id, fence)
                """
            )
            let (extended, own) = (Self.numbers(answers[0]), Self.numbers(answers[1]))
            result.lostServers = servers.filter { !own.contains($0.id) && !extended.contains($0.id) }
            result.delayedServers = servers.filter { own.contains($0.id) && !extended.contains($0.id) }
        }
        let change = "leased_until = moment() + \(LeaseTerms.seconds)"
        let (changed, own) = try self.update(runs.map { ($0.key, $0.number) }, change, tenant: tenant, waits: false)
        let (extended, known) = (Set(changed.map(\.key)), Set((changed + own).map(\.key)))
        result.lostRuns = runs.filter { !known.contains($0.key) }
        result.delayedRuns = runs.filter { known.contains($0.key) && !extended.contains($0.key) }
        return result
    }

    // MARK: Runs

    /// The due accounts of servers, oldest first; a server that rests has none.
    ///
    /// - Parameters:
    ///   - servers: each with the maximum number of its accounts.
    ///   - running: the present runs of tenants.
    ///   - runsOfTenant: the maximum number of runs of a tenant; further accounts of the tenant are left out, so that they
    ///     do not use the numbers of `servers`.
    package func due(
        _ servers: [(server: Int64, limit: Int)],
        running: [TenantID: Int] = [:],
        runsOfTenant: Int = Quota.maximumAccounts
    ) throws(DatabaseError) -> [DueWork] {
        guard !servers.isEmpty else { return [] }
        let full = running.filter { $0.value >= runsOfTenant }.map { "\($0.key.rawValue)" }
        let isPossible = full.isEmpty ? "" : " AND tenant NOT IN (\(full.joined(separator: ", ")))"
        let counts = running.map { "(\($0.key.rawValue), \($0.value))" } + ["(0, 0)"]
        // Of each tenant, at least one of the examined accounts is possible, so these are enough.
        let examined = "wanted.places * \(Quota.maximumAccounts)"
        return try self.due(
            """
            SELECT found.tenant, found.kind, found.item, found.fence, found.failures, found.server
            FROM (VALUES \(Self.list(servers.map { "\($0.server), \($0.limit)" }))) AS wanted (id, places)
            JOIN server ON server.id = wanted.id AND server.rests_until <= moment()
            CROSS JOIN LATERAL (SELECT * FROM
                (SELECT oldest.*, coalesce(present.runs, 0)
                    + row_number() OVER (PARTITION BY oldest.tenant ORDER BY oldest.due_at, oldest.item) AS run
                FROM (SELECT tenant, kind, item, fence, failures, server, due_at FROM work
                    WHERE server = wanted.id AND due_at <= moment()\(isPossible)
                    ORDER BY due_at LIMIT \(examined)) AS oldest
                LEFT JOIN (VALUES \(counts.joined(separator: ", "))) AS present (tenant, runs)
                    ON present.tenant = oldest.tenant) AS numbered
                WHERE run <= \(runsOfTenant) ORDER BY due_at LIMIT wanted.places) AS found
            ORDER BY found.due_at, found.tenant, found.item
            """
        )
    }

    /// Those of the servers that have a due account of one of the tenants.
    package func servers(_ servers: [Int64], withDueWorkOf tenants: [TenantID]) throws(DatabaseError) -> Set<Int64> {
        guard !servers.isEmpty, !tenants.isEmpty else { return [] }
        let rows = try self.answer(
            """
            SELECT DISTINCT server FROM work JOIN server ON server.id = work.server AND rests_until <= moment()
            WHERE due_at <= moment() AND kind = 'sync'
                AND tenant IN (\(tenants.map { "\($0.rawValue)" }.joined(separator: ", ")))
                AND server IN (\(servers.map { "\($0)" }.joined(separator: ", ")))
            """
        )
        return Set(rows.map { $0[0] })
    }

    private func due(_ sql: String) throws(DatabaseError) -> [DueWork] {
        let rows = try self.script(sql)
        return rows.compactMap { row in
            Self.key(row).map { key in
                DueWork(
                    key: key,
                    fence: Self.number(row[3]),
                    failures: Int(Self.number(row[4])),
                    server: row[5].flatMap { Int64($0) }
                )
            }
        }
    }

    /// Begins runs, unless another process has begun them since they were read, or has locked their rows.
    package func begin(_ works: [DueWork]) throws(DatabaseError) -> [WorkFence] {
        try self.update(
            works.map { ($0.key, $0.fence) },
            """
            fence = work.fence + 1, tries = tries + 1, started = moment(), requested_at = never(),
                leased_until = moment() + \(LeaseTerms.seconds)
            """,
            where: "due_at <= moment()",
            waits: false
        ).changed
    }

    /// Ends runs, and sets the times of the next ones; a run whose lease is lost is left alone.
    ///
    /// - Returns: the runs whose rows other transactions have locked; the caller tries again.
    @discardableResult
    package func end(_ runs: [(fence: WorkFence, plan: NextRun)]) throws(DatabaseError) -> [WorkFence] {
        guard !runs.isEmpty else { return [] }
        let values = runs.sorted { $0.fence.key < $1.fence.key }.map { run in
            let plan = run.plan
            let stopReason = plan.stopReason.map { "'\($0.rawValue)'" } ?? "NULL::text"
            let reason = plan.reason.map { "'\($0.filter { $0.isASCII && $0.isLetter })'" } ?? "NULL::text"
            return """
                (\(run.fence.key.sql), \(run.fence.number), \(plan.seconds.map { "moment() + \($0)" } ?? "never()"), \
                \(plan.failures), \(stopReason), \(reason), \(plan.succeeded), \(plan.endsTries))
                """
        }
        let mine = Self.list(runs.map { "\($0.fence.key.sql), \($0.fence.number)" })
        let answers = try self.answers(
            """
            UPDATE work SET leased_until = 0, next_at = done.next_at, failures = done.failures, stop_reason = done.stop_reason,
                reason = done.reason,
                requested_at = CASE WHEN done.stop_reason IS NULL THEN requested_at ELSE never() END,
                succeeded = CASE WHEN done.succeeded THEN moment() ELSE work.succeeded END,
                tries = CASE WHEN done.ends THEN 0 ELSE tries END
            FROM (SELECT value.* FROM
                (VALUES \(values.joined(separator: ", ")))
                    AS value (tenant, kind, item, fence, next_at, failures, stop_reason, reason, succeeded, ends)
                JOIN work USING (tenant, kind, item, fence) ORDER BY tenant, kind, item FOR UPDATE OF work SKIP LOCKED)
                AS done
            WHERE (work.tenant, work.kind, work.item, work.fence) = (done.tenant, done.kind, done.item, done.fence)
            RETURNING work.tenant, work.kind, work.item, work.fence, work.tries;
            SELECT tenant, kind, item, fence, tries
            FROM (VALUES \(mine)) AS mine (tenant, kind, item, fence) JOIN work USING (tenant, kind, item, fence)
            """
        )
        let (stored, own) = (answers[0].compactMap(Self.key), Set(answers[1].compactMap(Self.key)))
        let waiting = own.subtracting(stored)
        return runs.map(\.fence).filter { waiting.contains($0.key) }
    }

    /// Changes the rows that still have these fences, in the order of their keys, so that two processes cannot block each
    /// other.
    ///
    /// - Parameters:
    ///   - tenant: the tenant of all rows; `nil` for a role that sees the work of all tenants.
    ///   - wantsServers: whether the change may let accounts of the tenant be due earlier, so that workers look for them.
    ///   - waits: whether to wait for rows that other transactions have locked; otherwise they stay unchanged.
    /// - Returns: the changed rows, and the rows that have these fences afterwards.
    private func update(
        _ works: [(key: WorkKey, fence: Int64)],
        _ change: String,
        where condition: String = "true",
        tenant: TenantID? = nil,
        wantsServers: Bool = false,
        waits: Bool
    ) throws(DatabaseError) -> (changed: [WorkFence], own: [WorkFence]) {
        guard !works.isEmpty else { return ([], []) }
        // If the history changes during the call, the runs are void.
        let generation = self.generation
        // The role of the pages sees only the work of the tenant.
        let setTenant = tenant.map { "SELECT set_config('remindav.tenant', '\($0.rawValue)', true); " } ?? ""
        let values = Self.list(works.map { "\($0.key.sql), \($0.fence)" })
        let mine = "(VALUES \(values)) AS mine (tenant, kind, item, fence) JOIN work USING (tenant, kind, item, fence)"
        let answers = try self.answers(
            """
            \(setTenant)UPDATE work SET \(change)
            FROM (SELECT tenant, kind, item FROM \(mine) WHERE \(condition)
                ORDER BY tenant, kind, item FOR UPDATE OF work\(waits ? "" : " SKIP LOCKED")) AS locked
            WHERE (work.tenant, work.kind, work.item) = (locked.tenant, locked.kind, locked.item)
            RETURNING work.tenant, work.kind, work.item, work.fence, work.tries;
            SELECT tenant, kind, item, fence, tries FROM \(mine)\(wantsServers ? "; SELECT want_servers()" : "")
            """
        ).dropFirst(tenant == nil ? 0 : 1).prefix(2).map { rows in rows.compactMap { Self.fence($0, generation) } }
        return (answers[0], answers[1])
    }

    // MARK: A sync by a command

    /// Begins runs for a command of a tenant, besides the schedule.
    ///
    /// - Parameter account: `nil` for all accounts of the tenant.
    /// - Throws: ``DatabaseError/Code/syncIsRunning`` when one of the accounts is being synced.
    package func begin(of tenant: TenantID, account: AccountID?) throws(DatabaseError) -> [WorkFence] {
        let generation = self.generation
        let condition =
            "tenant = \(tenant.rawValue) AND kind = 'sync'\(account.map { " AND item = \($0.rawValue)" } ?? "")"
        let answers = try self.answers(
            """
            BEGIN; SELECT set_config('remindav.tenant', '\(tenant.rawValue)', true);
            SELECT 1 FROM work WHERE \(condition) ORDER BY item FOR UPDATE;
            UPDATE work SET fence = fence + 1, leased_until = moment() + \(LeaseTerms.seconds), started = moment()
                WHERE \(condition) AND NOT EXISTS (SELECT 1 FROM work WHERE \(condition) AND leased_until > moment())
                RETURNING tenant, kind, item, fence, tries;
            COMMIT
            """
        )
        guard answers[2].count == answers[3].count else { throw DatabaseError(.syncIsRunning) }
        return answers[3].compactMap { Self.fence($0, generation) }
    }

    /// Ends the runs of a command, so that the schedule goes on.
    ///
    /// - Parameter tenant: the tenant of all runs; `nil` for a role that sees the work of all tenants.
    package func end(_ runs: [WorkFence], of tenant: TenantID? = nil) throws(DatabaseError) {
        _ = try self.update(
            runs.map { ($0.key, $0.number) },
            "leased_until = 0, tries = 0",
            tenant: tenant,
            wantsServers: tenant != nil,
            waits: true
        )
    }

    /// Lets accounts that failed follow their schedule again, if they are among the runs of a command.
    ///
    /// - Parameters:
    ///   - accounts: the accounts whose syncs were complete.
    ///   - tenant: the tenant of all runs.
    package func endFailures(
        of runs: [WorkFence],
        succeeded accounts: Set<AccountID>,
        of tenant: TenantID
    ) throws(DatabaseError) {
        let runs = runs.filter { accounts.contains(AccountID(rawValue: $0.key.item)) }
        guard !runs.isEmpty else { return }
        let mine = Self.list(runs.map { "\($0.key.sql), \($0.number)" })
        _ = try self.answers(
            """
            BEGIN; SELECT set_config('remindav.tenant', '\(tenant.rawValue)', true);
            UPDATE work SET failures = 0, reason = NULL, succeeded = moment(), stop_reason = NULL,
                next_at = least(next_at, moment() + \(HostSchedule.shortestSeconds))
            FROM (SELECT tenant, kind, item
                FROM (VALUES \(mine)) AS mine (tenant, kind, item, fence) JOIN work USING (tenant, kind, item, fence)
                WHERE \(Self.isFailing) OR \(Self.awaitsPassword)
                ORDER BY tenant, kind, item FOR UPDATE OF work) AS locked
            WHERE (work.tenant, work.kind, work.item) = (locked.tenant, locked.kind, locked.item);
            SELECT want_servers(); COMMIT
            """
        )
    }

    /// The condition of a row of `work` whose last run failed or was partial, and that runs again by itself.
    static let isFailing = "((work.failures > 0 OR work.reason IS NOT NULL) AND work.stop_reason IS NULL)"

    /// The condition of a row of `work` that waits for a new password.
    static let awaitsPassword = "(work.stop_reason = '\(StopReason.authentication.rawValue)')"

    // MARK: Scripts

    /// The rows of the last statement of a script.
    func script(_ sql: String) throws(DatabaseError) -> [[String?]] { try self.answers(sql).last ?? [] }

    func answers(_ sql: String) throws(DatabaseError) -> [[[String?]]] {
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        do throws(DatabaseError) {
            return try connection.runScript(sql)
        } catch {
            connection.rollBack()
            throw error
        }
    }

    func answer(_ sql: String) throws(DatabaseError) -> [[Int64]] {
        try self.script(sql).map { row in row.map(Self.number) }
    }

    private static func number(_ text: String?) -> Int64 { text.flatMap { Int64($0) } ?? 0 }

    private static func numbers(_ rows: [[String?]]) -> Set<Int64> { Set(rows.map { self.number($0[0]) }) }

    private static func key(_ row: [String?]) -> WorkKey? {
        row[1].flatMap { WorkKey.Kind(rawValue: $0) }.map {
            WorkKey(tenant: TenantID(rawValue: Self.number(row[0])), kind: $0, item: Self.number(row[2]))
        }
    }

    private static func fence(_ row: [String?], _ generation: Int) -> WorkFence? {
        Self.key(row).map { key in
            WorkFence(key: key, number: Self.number(row[3]), tries: Int(Self.number(row[4])), generation: generation)
        }
    }

    private static func list(_ rows: [String]) -> String { rows.map { "(\($0))" }.joined(separator: ", ") }
}
