import Glibc
package import RemindavStore

/// The state of a host, for `host check`.
package struct HostReport: Hashable, Sendable {
    /// The role of the connection.
    package let role: String
    /// The version of the server, such as `15.18`.
    package let serverVersion: String
    /// The number of steps of the schema that have run; `nil` when they cannot be read.
    package let steps: Int?
    /// The reason why a process of this host does not start with this role and schema; `nil` when it starts.
    package let obstacle: HostObstacle?
    /// The number of tenants; `nil` when they cannot be read.
    package let tenants: Int?
    /// The seconds by which the clock of the server is ahead of this machine's clock.
    package let clockAhead: Double?

    /// - Throws: ``DatabaseError/Code/unavailable`` when the server cannot be reached.
    package init(_ place: DatabasePlace) throws(DatabaseError) {
        let connection = try PostgresConnection(to: place)
        let row = try connection.runScript("SELECT current_user, current_setting('server_version')")[0][0]
        self.role = row[0] ?? ""
        self.serverVersion = String((row[1] ?? "").prefix { $0 != " " })
        self.steps = try HostSchema.steps(in: connection)?.count
        self.obstacle = try HostObstacle.find(in: connection)
        self.tenants = try Self.tenants(connection)
        let start = Self.now()
        let clock = try connection.runScript("SELECT extract(epoch FROM clock_timestamp())")[0][0][0]
        let middle = (start + Self.now()) / 2
        self.clockAhead = clock.flatMap { Double($0) }.map { $0 - middle }
    }

    /// The number of tenants; `nil` without the table or the right to read it.
    private static func tenants(_ connection: PostgresConnection) throws(DatabaseError) -> Int? {
        do throws(DatabaseError) {
            return try connection.runScript("SELECT count(*) FROM tenant")[0][0][0].flatMap { Int($0) }
        } catch {
            guard error.code == .other || error.code == .unsuitable else { throw error }
            return nil
        }
    }

    /// The time of this machine, in seconds since 1970.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The reason why a process must not use a database as a host.
package enum HostObstacle: Hashable, Sendable {
    /// The role can read the rows of all tenants: it is a superuser, has BYPASSRLS, or is a member of the owner.
    case powerfulRole(String)
    /// The role may not read the tables of a host.
    case missingRights(String)
    /// The schema lacks a step of this program; `host migrate` runs it.
    case missingSteps(Int)
    /// The database has no table of a host.
    case empty
    /// The server accepts no writes.
    case readOnly
    /// A newer version of this program has changed the schema.
    case newerSchema

    static func find(in connection: PostgresConnection) throws(DatabaseError) -> HostObstacle? {
        let role = try connection.runScript(
            """
            SELECT current_user, current_setting('transaction_read_only'), rolsuper OR rolbypassrls OR
                EXISTS (SELECT 1 FROM pg_roles AS owner WHERE owner.rolname = '\(HostSchema.owner)'
                    AND pg_has_role(current_user, owner.oid, 'MEMBER'))
            FROM pg_roles WHERE rolname = current_user
            """
        )
        let name = role[0][0][0] ?? ""
        let steps = try HostSchema.steps(in: connection)
        if steps?.isEmpty == true { return .empty }
        if role[0][0][2] == "t" { return .powerfulRole(name) }
        guard let steps else { return .missingRights(name) }
        let missing = Set(1...hostSteps.count).subtracting(steps.map(\.id))
        if !missing.isEmpty { return .missingSteps(missing.count) }
        let newer = steps.filter { $0.id > hostSteps.count && $0.kind != HostStep.Kind.add.rawValue }
        if !newer.isEmpty { return .newerSchema }
        // The last reason, because a pool of connections ignores it.
        return role[0][0][1] == "on" ? .readOnly : nil
    }

    /// An English sentence that states the reason.
    package var sentence: String {
        switch self {
        case .powerfulRole(let role):
            "the role \(role) can read the reminders of all tenants; name another one, such as user=\(HostSchema.worker)"
        case .missingRights(let role):
            "the role \(role) has no right to read its tables; name another one, such as user=\(HostSchema.worker)"
        case .readOnly:
            "its server accepts no writes; the setting 'host' must name the primary server (target_session_attrs=read-write)"
        case .empty: "it is empty; 'remindav host init' creates its tables, unless you restore a backup"
        case .missingSteps(let count):
            "its schema lacks \(count == 1 ? "a step" : "\(count) steps"); 'remindav host migrate' runs the steps"
        case .newerSchema: "a newer version of remindav has changed its schema"
        }
    }
}
