package import RemindavStore

/// A step of the schema in PostgreSQL.
struct HostStep: Sendable {
    /// Whether programs without this step can go on.
    enum Kind: String, Sendable {
        /// The step adds something that older programs do not use.
        case add
        /// Older programs must stop, because the step changes or removes something that they use.
        case take
    }

    let name: String
    var kind = Kind.add
    let sql: String
}

/// The history of the schema, oldest step first; a released step is never edited.
let hostSteps: [HostStep] = [
    storeTablesStep, directoryStep, workStep, feedStep, secretsStep, quotaStep, identityStep,
    requestStep, alarmStep, lockOrderStep, syncRequestStep, reasonStep, feedPlanStep,
    passwordReasonStep,
]

/// Creates and checks the schema of a host: a PostgreSQL database with the stores of many tenants.
package enum HostSchema {
    /// The role that owns the tables and runs the steps.
    static let owner = "remindav_owner"
    /// The role of processes that sync, notify, and manage tenants.
    static let worker = "remindav_worker"
    /// The role of processes that serve feeds and pages; it can read no password.
    static let web = "remindav_web"

    /// The advisory lock that prevents two processes from running the steps at the same time; an arbitrary number.
    private static let lockNumber = 0x524D_4456

    /// The steps that have run, ordered by number; `nil` if the role may not read them.
    static func steps(in connection: PostgresConnection) throws(DatabaseError) -> [(id: Int, kind: String)]? {
        let table = "to_regclass('schema_step')"
        let answer = try connection.runScript("SELECT \(table), has_table_privilege(\(table)::oid, 'SELECT')")[0][0]
        guard answer[0] != nil else { return [] }
        guard answer[1] == "t" else { return nil }
        let rows = try connection.runScript("SELECT id, kind FROM schema_step ORDER BY id")[0]
        return rows.compactMap { row in row[0].flatMap { Int($0) }.map { ($0, row[1] ?? "") } }
    }

    /// Runs the missing steps, each in one transaction.
    ///
    /// - Parameter place: the database, with a role that may create roles (for the first call) and that is a member of
    ///   ``owner``.
    /// - Returns: the names of the steps that ran.
    @discardableResult
    package static func migrate(_ place: DatabasePlace, createsRoles: Bool = true) throws(DatabaseError) -> [String] {
        let connection = try PostgresConnection(to: place)
        try connection.allowLongStatements()
        _ = try connection.runScript("SELECT pg_advisory_lock(\(self.lockNumber))")
        if createsRoles {
            try self.asAdministrator("create roles") { () throws(DatabaseError) in
                _ = try connection.runScript(self.roles)
            }
        } else {
            try self.requireTables(connection)
        }
        try self.becomeOwner(connection)
        _ = try connection.runScript(self.history)
        let done = Set(try self.steps(in: connection)?.map(\.id) ?? [])
        var ran: [String] = []
        for (index, step) in hostSteps.enumerated() where !done.contains(index + 1) {
            _ = try connection.runScript(
                """
                BEGIN;
                \(step.sql)
                INSERT INTO schema_step (id, kind, at)
                    VALUES (\(index + 1), '\(step.kind.rawValue)', extract(epoch FROM clock_timestamp())::bigint);
                COMMIT
                """
            )
            ran.append(step.name)
        }
        _ = try connection.runScript(self.rights)
        return ran
    }

    /// Makes all leases void: raises all fences, and changes the epoch, which each new connection compares.
    ///
    /// - Parameter place: the database, with a member of ``owner``.
    package static func raiseEpoch(_ place: DatabasePlace) throws(DatabaseError) {
        let connection = try PostgresConnection(to: place)
        try connection.allowLongStatements()
        // No process has issued so many fences since the backup.
        let gap = Int64(1) << 32
        try self.requireTables(connection)
        try self.becomeOwner(connection)
        _ = try connection.runScript(
            """
            BEGIN; UPDATE host SET epoch = epoch + 1;
            LOCK TABLE work, server IN EXCLUSIVE MODE;
            UPDATE work SET fence = fence + \(gap), leased_until = 0;
            UPDATE server SET fence = fence + \(gap), leased_until = 0;
            COMMIT
            """
        )
    }

    /// - Throws: ``DatabaseError/Code/unsuitable`` with the remedy if the database has no table of a host.
    private static func requireTables(_ connection: PostgresConnection) throws(DatabaseError) {
        guard let steps = try self.steps(in: connection), steps.isEmpty else { return }
        throw DatabaseError(.unsuitable, detail: 0, reason: HostObstacle.empty.sentence)
    }

    private static func becomeOwner(_ connection: PostgresConnection) throws(DatabaseError) {
        try self.asAdministrator("become the role \(self.owner)") { () throws(DatabaseError) in
            _ = try connection.runScript("SET ROLE \(self.owner)")
        }
    }

    /// Runs statements that need the rights of an administrator.
    ///
    /// - Throws: ``DatabaseError/Code/unsuitable`` with the remedy if the role lacks them.
    private static func asAdministrator(
        _ action: String,
        _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        do throws(DatabaseError) { try body() } catch {
            guard error.code == .unsuitable else { throw error }
            let reason =
                "its role may not \(action); run the command with an administrator's role, such as '--role postgres'"
            throw DatabaseError(.unsuitable, detail: 0, reason: reason)
        }
    }

    /// The roles have no passwords: the operator lets them in by `pg_hba.conf`, or sets passwords.
    private static let roles = """
        DO $$ BEGIN
            IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '\(owner)') THEN CREATE ROLE \(owner) LOGIN; END IF;
            IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '\(worker)') THEN CREATE ROLE \(worker) LOGIN; END IF;
            IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '\(web)') THEN CREATE ROLE \(web) LOGIN; END IF;
            IF NOT has_schema_privilege('\(owner)', 'public', 'CREATE') THEN
                EXECUTE 'GRANT CREATE, USAGE ON SCHEMA public TO \(owner)';
            END IF;
        END $$
        """

    private static let history = """
        CREATE TABLE IF NOT EXISTS schema_step (id bigint PRIMARY KEY, kind text NOT NULL, at bigint NOT NULL)
        """

    /// The value of `n_distinct` instead of the counted number of tenants: one tenant for each 333 rows.
    ///
    /// All indexes begin with the tenant. If the average tenant had one row, the server would find a row by the tenant
    /// alone, and would read all rows of a large tenant for each number.
    private static let distinctTenants = -0.003

    /// The condition of the policies.
    ///
    /// With a subquery, the server plans for any tenant. With the function alone, it plans for the present tenant, and
    /// takes the tenant for a key if the tenant was empty at the last ANALYZE.
    private static let isOwn = "tenant = (SELECT tenant())"

    /// The policies and rights, which follow from the names of the tables; they are set again with each migration.
    private static var rights: String {
        let tables = StoreTables.inOrder
        var script = "BEGIN;\n"
        for table in tables {
            script += "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;\n"
            script += "ALTER TABLE \(table) ALTER COLUMN tenant SET (n_distinct = \(self.distinctTenants));\n"
            script += "DROP POLICY IF EXISTS own ON \(table);\n"
            // The condition also applies to written rows.
            script += "CREATE POLICY own ON \(table) TO \(self.worker), \(self.web) USING (\(self.isOwn));\n"
        }
        script +=
            "GRANT SELECT, INSERT, UPDATE, DELETE ON \(tables.joined(separator: ", ")) TO \(self.worker), \(self.web);\n"
        // A worker sends the sealed password to the address of the account, so the pages must not change the address.
        script += """
            REVOKE INSERT, UPDATE, DELETE ON account FROM \(self.web);
            GRANT UPDATE (name, conflict_policy, completes_as, sync_interval) ON account TO \(self.web);\n
            """
        script += "GRANT SELECT ON schema_step, host TO \(self.worker), \(self.web);\n"
        script += directoryRights(worker: self.worker, web: self.web)
        script += workRights(worker: self.worker, web: self.web)
        script += secretsRights(worker: self.worker)
        script += identityRights(worker: self.worker, web: self.web)
        script += alarmRights(worker: self.worker)
        script += syncRequestRights(worker: self.worker, web: self.web)
        return script + "COMMIT"
    }
}
