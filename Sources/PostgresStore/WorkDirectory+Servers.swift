package import RemindavHosting
package import RemindavStore

/// The work of a CalDAV server, for administrators.
package struct QueuedServer: Hashable, Sendable {
    /// Scheme, host and port.
    package let origin: String
    /// The maximum number of accounts that are synced at the same time.
    package let connections: Int64
    package let accounts: Int64
    package let due: Int64
    /// The lateness of the account that is due for the longest time, in seconds.
    package let lateSeconds: Int64
    package let running: Int64
    /// The accounts with a failed or partial last run, which run again by themselves.
    package let failing: Int64
    /// The accounts whose password the server refused.
    package let refused: Int64
    /// The accounts that wait for `host queue --release`.
    package let held: Int64
    /// The rest of a pause of the server, in seconds.
    package let restSeconds: Int64

    init(_ row: Row) {
        self.origin = row.text("origin")
        self.connections = row.integer("connections")
        self.accounts = row.integer("accounts")
        self.due = row.integer("due")
        self.lateSeconds = row.integer("late")
        self.running = row.integer("running")
        self.failing = row.integer("failing")
        self.refused = row.integer("refused")
        self.held = row.integer("held")
        self.restSeconds = row.integer("rest")
    }
}

/// An account of a tenant that fails, or that waits for a new password or an administrator.
package struct FailingAccount: Hashable, Sendable {
    package let tenant: TenantID
    package let tenantName: String
    package let account: AccountID
    /// Scheme, host and port of the server.
    package let origin: String
    /// The failed runs in a row.
    package let failures: Int64
    /// The code of the error of the last run; `nil` if it is unknown.
    package let reason: String?
    /// `nil` if a worker tries again by itself.
    package let stopReason: StopReason?
    /// Whether a process syncs the account now.
    package let isRunning: Bool
    /// The seconds until the next attempt, or until the end of the lease of a running one; `nil` for none.
    package let nextSeconds: Int64?
    /// The end of the last successful run, in seconds since 1970; `nil` if there is none.
    package let succeededAt: Int64?

    init(_ row: Row) {
        self.tenant = TenantID(rawValue: row.integer("tenant"))
        self.tenantName = row.text("name")
        self.account = AccountID(rawValue: row.integer("item"))
        self.origin = row.text("origin")
        self.failures = row.integer("failures")
        self.stopReason = row.textIfPresent("stop_reason").flatMap { StopReason(rawValue: $0) }
        self.reason = row.textIfPresent("reason")
        self.isRunning = row.integer("running") != 0
        self.nextSeconds = row.integerIfPresent("pause")
        self.succeededAt = row.integerIfPresent("succeeded")
    }
}

/// The servers, for administrators.
extension WorkDirectory {
    /// The servers with their work, ordered by origin.
    ///
    /// - Parameter origin: only this origin; `nil` for all.
    package func queue(origin: String? = nil) throws(DatabaseError) -> [QueuedServer] {
        try self.pool.rows(
            """
            SELECT origin, max(connections) AS connections, count(work.item) AS accounts,
                count(*) FILTER (WHERE work.due_at <= moment() AND work.stop_reason IS NULL) AS due,
                coalesce(max(moment() - work.due_at) FILTER (WHERE work.due_at <= moment()), 0) AS late,
                count(*) FILTER (WHERE work.leased_until > moment()) AS running,
                count(*) FILTER (WHERE \(Self.isFailing)) AS failing,
                count(*) FILTER (WHERE \(Self.awaitsPassword)) AS refused,
                count(*) FILTER (WHERE work.stop_reason = 'held') AS held,
                greatest(max(rests_until) - moment(), 0) AS rest
            FROM server LEFT JOIN work ON work.server = server.id
            WHERE CAST(?1 AS text) IS NULL OR origin = ?1
            GROUP BY origin ORDER BY origin
            """,
            [.text(origin)],
            QueuedServer.init
        )
    }

    /// Whether the host knows a server; one without accounts is removed after an hour, unless its limits were changed.
    package func hasServer(_ origin: String) throws(DatabaseError) -> Bool {
        try !self.pool.rows("SELECT id FROM server WHERE origin = ?1 LIMIT 1", [.text(origin)]) { $0.integer("id") }
            .isEmpty
    }

    /// The accounts that fail, or that wait for a new password or an administrator, ordered by tenant.
    ///
    /// - Parameters:
    ///   - origin: only accounts on this origin; `nil` for all.
    ///   - limit: the maximum number of accounts.
    package func failingAccounts(
        origin: String? = nil,
        limit: Int
    ) throws(DatabaseError) -> [FailingAccount] {
        try self.pool.rows(
            """
            SELECT work.tenant, tenant.name, item, origin, work.failures, stop_reason, reason, succeeded,
                work.leased_until > moment() AS running,
                CASE WHEN due_at < never() THEN greatest(due_at - moment(), rests_until - moment(), 0) END AS pause
            FROM work JOIN server ON server.id = work.server JOIN tenant ON tenant.id = work.tenant
            WHERE kind = 'sync' AND (\(Self.isFailing) OR \(Self.awaitsPassword) OR stop_reason = 'held')
                AND (CAST(?1 AS text) IS NULL OR origin = ?1)
            ORDER BY tenant.name, item LIMIT ?2
            """,
            [.text(origin), .integer(limit)],
            FailingAccount.init
        )
    }

    /// Lets the accounts that fail, or that wait for a new password, run at once.
    ///
    /// A further failure does not lengthen the pause. An unreachable server rests no longer; a pause that a server asked
    /// for stays.
    /// - Parameter origin: only accounts on this origin; `nil` for all.
    /// - Returns: the number of accounts.
    package func retry(origin: String? = nil) throws(DatabaseError) -> Int {
        let which = """
            kind = 'sync' AND (\(Self.isFailing) OR \(Self.awaitsPassword)) AND (CAST(?1 AS text) IS NULL
                OR server IN (SELECT id FROM server WHERE origin = ?1))
            """
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        do throws(DatabaseError) {
            _ = try connection.runScript("BEGIN")
            var servers: [Int64] = []
            try connection.forEach(
                """
                UPDATE work SET stop_reason = NULL, next_at = least(next_at, moment()), failures = greatest(failures - 1, 0)
                FROM (SELECT tenant, kind, item FROM work WHERE \(which) ORDER BY tenant, kind, item FOR UPDATE) AS locked
                WHERE (work.tenant, work.kind, work.item) = (locked.tenant, locked.kind, locked.item) RETURNING server
                """,
                [.text(origin)]
            ) { row in
                servers.append(row.integer("server"))
                return true
            }
            if !servers.isEmpty {
                _ = try connection.runScript(
                    """
                    UPDATE server SET wanted_at = moment(), failures = 0,
                        rests_until = CASE WHEN failures > 0 THEN 0 ELSE rests_until END
                    FROM (SELECT id FROM server WHERE id IN (\(Set(servers).map(String.init).joined(separator: ", ")))
                        ORDER BY id FOR NO KEY UPDATE) AS locked
                    WHERE server.id = locked.id
                    """
                )
            }
            _ = try connection.runScript("COMMIT")
            return servers.count
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Lets held accounts run again.
    ///
    /// - Returns: the number of accounts.
    package func releaseHeld() throws(DatabaseError) -> Int {
        let rows = try self.answers(
            """
            BEGIN; SELECT 1 FROM work WHERE stop_reason = 'held' ORDER BY tenant, kind, item FOR UPDATE;
            UPDATE work SET stop_reason = NULL, tries = 0, next_at = least(next_at, moment()), leased_until = 0
                WHERE stop_reason = 'held' RETURNING server;
            UPDATE server SET wanted_at = moment() FROM (SELECT id FROM server WHERE wanted_at > moment()
                AND id IN (SELECT server FROM work WHERE due_at <= moment()) ORDER BY id FOR NO KEY UPDATE) AS locked
            WHERE server.id = locked.id;
            COMMIT
            """
        )
        return rows[2].count
    }

    /// Changes the limits of a server.
    ///
    /// Each transaction locks work before servers. If the call fails, some accounts may be in their earlier part, where
    /// they are synced; the call can be repeated.
    /// - Parameters:
    ///   - connections: the maximum number of accounts of each part that are synced at the same time.
    ///   - parts: the number of processes that can sync accounts of the server at the same time.
    /// - Returns: whether the server exists.
    package func setServer(_ origin: String, connections: Int?, parts: Int?) throws(DatabaseError) -> Bool {
        let place = SQLValue.text(origin)
        let set = """
            UPDATE server SET wanted_at = moment(), connections = coalesce(CAST(?2 AS bigint), connections)
            FROM (SELECT id FROM server WHERE origin = ?1 ORDER BY id FOR NO KEY UPDATE) AS locked
            WHERE server.id = locked.id
            """
        guard try self.run(set, [place, connections.map { SQLValue.integer($0) } ?? .null]) > 0 else { return false }
        guard let parts else { return true }
        _ = try self.run(
            """
            INSERT INTO server (origin, part, connections, wanted_at)
            SELECT ?1, part, (SELECT max(connections) FROM server WHERE origin = ?1), moment()
            FROM generate_series(0, CAST(?2 AS bigint) - 1) AS part ON CONFLICT DO NOTHING
            """,
            [place, .integer(parts)]
        )
        // An account that is added meanwhile may get a part that ends.
        for _ in 0..<Self.moves {
            // The same choice as in the function server_of, among the remaining parts.
            _ = try self.run(
                """
                UPDATE work SET server = (SELECT id FROM server WHERE origin = ?1 AND part < ?2
                    ORDER BY md5(work.tenant || ' ' || work.item || ' ' || part) LIMIT 1)
                FROM (SELECT tenant, kind, item FROM work WHERE server IN (SELECT id FROM server WHERE origin = ?1)
                    ORDER BY tenant, kind, item FOR UPDATE) AS locked
                WHERE (work.tenant, work.kind, work.item) = (locked.tenant, locked.kind, locked.item)
                """,
                [place, .integer(parts)]
            )
            let ends = "FROM server WHERE origin = ?1 AND part >= ?2"
            let ending = try self.pool.rows("SELECT id \(ends)", [place, .integer(parts)]) { $0.integer("id") }
            if try self.remove(ending, waits: true) == ending.count { break }
        }
        return true
    }

    /// The number of times that the accounts of parts that end are moved.
    private static let moves = 5

    private func run(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int {
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        return try connection.run(sql, values)
    }

    /// Removes servers without accounts, unless an operator has changed their limits.
    package func removeUnusedServers() throws(DatabaseError) {
        let unused = try self.answer(
            """
            SELECT id FROM server WHERE part = 0 AND connections = \(Self.standardConnections)
                AND leased_until <= moment() AND rests_until <= moment()
                AND NOT EXISTS (SELECT 1 FROM work WHERE work.server = server.id)
                AND NOT EXISTS (SELECT 1 FROM server AS other WHERE other.origin = server.origin AND other.part > 0)
            """
        )
        _ = try self.remove(unused.map { $0[0] }, waits: false)
    }

    /// The value of the column for a new server.
    package static let standardConnections: Int64 = 4

    /// Removes servers without accounts; each has a transaction of its own, which waits for no second row.
    ///
    /// - Parameter waits: whether to wait for a server that another transaction has locked; otherwise it stays.
    /// - Returns: the number of removed servers.
    private func remove(_ servers: [Int64], waits: Bool) throws(DatabaseError) -> Int {
        var count = 0
        for id in servers {
            // With the lock, no account can get this server. The second statement sees the last accounts.
            let locking = waits ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED"
            count += try self.answers(
                """
                BEGIN; SELECT set_config('remindav.server', coalesce(
                    (SELECT id::text FROM server WHERE id = \(id) \(locking)), '0'), true);
                DELETE FROM server WHERE id = current_setting('remindav.server')::bigint
                    AND NOT EXISTS (SELECT 1 FROM work WHERE work.server = server.id) RETURNING id;
                COMMIT
                """
            )[2].count
        }
        return count
    }

    /// The number of connections of other processes with the role of this one, also of short commands.
    ///
    /// A name of the application in the setting `host` hides a process.
    package func otherConnections() throws(DatabaseError) -> Int {
        let rows = try self.answer(
            """
            SELECT count(*) FROM pg_stat_activity WHERE usename = current_user AND datname = current_database()
                AND application_name = 'remindav' AND pid <> pg_backend_pid()
            """
        )
        return Int(rows[0][0])
    }

    /// Numbers about all work, for metrics.
    package func gauges() throws(DatabaseError) -> [(name: String, help: String, value: Int64)] {
        let row = try self.answer(
            """
            SELECT (SELECT coalesce(greatest(moment() - min(next_at), 0), 0) FROM server),
                (SELECT count(*) FROM server WHERE next_at <= moment()),
                (SELECT coalesce(greatest(moment() - min(due_at), 0), 0) FROM work WHERE kind = 'alarm'),
                (SELECT count(*) FROM work WHERE stop_reason = 'held' AND kind = 'sync'),
                (SELECT count(*) FROM work WHERE stop_reason = 'held' AND kind = 'alarm'),
                (SELECT count(*) FROM work WHERE \(Self.awaitsPassword)),
                (SELECT max(id) FROM schema_step)
            """
        ).first
        let names = [
            ("oldest_due_seconds", "The lateness of the server that is due for the longest time."),
            ("servers_due", "CalDAV servers with due accounts that no process syncs."),
            ("alarms_oldest_due_seconds", "The lateness of the alarms that are due for the longest time."),
            ("accounts_held", "Accounts that are held after several runs that ended their process."),
            ("alarms_held", "Tenants whose alarms are held after several runs that ended their process."),
            ("accounts_without_password", "Accounts whose password the server refused."),
            ("schema_step", "The number of the last step of the schema."),
        ]
        return zip(names, row ?? []).map { ($0.0, $0.1, $1) }
    }
}
