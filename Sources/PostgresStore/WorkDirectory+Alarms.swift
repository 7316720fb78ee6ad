package import RemindavHosting
package import RemindavStore

/// A run that has begun to check the alarms of a tenant.
package struct DueAlarms: Hashable, Sendable {
    package let fence: WorkFence
    /// The seconds since the run was due: since the next alarm, or since the first edit that no run has seen.
    package let lateSeconds: Int
    /// The failed runs in a row.
    package let failures: Int
    /// The runs in a row whose messages all servers have refused.
    package let refusals: Int
}

extension WorkDirectory {
    /// Begins the runs of up to `limit` tenants whose alarms are due, those that are due for the longest time first.
    ///
    /// The row keeps the time at which the run was due until the run ends. So a run that did not end is repeated, and it
    /// knows which edits no run has seen.
    package func beginAlarms(limit: Int) throws(DatabaseError) -> [DueAlarms] {
        let generation = self.generation
        let rows = try self.answer(
            """
            UPDATE work SET fence = work.fence + 1, tries = tries + 1, started = moment(),
                next_at = least(work.next_at, requested_at), requested_at = never(),
                leased_until = moment() + \(LeaseTerms.seconds)
            FROM (SELECT tenant, item FROM work WHERE kind = 'alarm' AND due_at <= moment()
                ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED) AS due
            WHERE work.tenant = due.tenant AND work.kind = 'alarm' AND work.item = due.item
            RETURNING work.tenant, work.item, work.fence, tries, moment() - work.next_at, failures, refusals
            """
        )
        return rows.map { row in
            let key = WorkKey(tenant: TenantID(rawValue: row[0]), kind: .alarm, item: row[1])
            return DueAlarms(
                fence: WorkFence(key: key, number: row[2], tries: Int(row[3]), generation: generation),
                lateSeconds: max(0, Int(row[4])),
                failures: Int(row[5]),
                refusals: Int(row[6])
            )
        }
    }

    /// Ends a run; a run whose lease is lost is left alone.
    package func end(_ fence: WorkFence, _ end: AlarmRunEnd) throws(DatabaseError) {
        let change =
            switch end {
            case .done(let seconds, let rest):
                """
                next_at = \(seconds.map { "moment() + \($0)" } ?? "never()"), leased_until = moment() + \(rest),
                    tries = 0, failures = 0, refusals = 0, succeeded = moment()
                """
            // The time at which the run was due stays.
            case .failed(let seconds, let isRefusal):
                """
                leased_until = moment() + \(seconds), tries = 0, failures = failures + 1,
                    refusals = \(isRefusal ? "refusals + 1" : "0")
                """
            case .held: "leased_until = never(), stop_reason = 'held'"
            case .interrupted: "leased_until = 0, tries = 0"
            }
        _ = try self.answer(
            """
            UPDATE work SET \(change)
            WHERE (tenant, kind, item) = (\(fence.key.sql)) AND fence = \(fence.number) RETURNING 1
            """
        )
    }
}

extension PostgresPool {
    /// The database of a tenant, for tables besides its store.
    ///
    /// - Parameter runs: the runs whose results are written; each write checks that they are not lost.
    package func database(of tenant: TenantID, runs: CurrentRuns) -> any Database {
        TenantDatabase(tenant, in: self, runs: runs) { () throws(DatabaseError) in throw DatabaseError(.other) }
    }
}
