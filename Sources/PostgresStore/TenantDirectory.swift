package import RemindavHosting
package import RemindavStore

/// A tenant in the directory of a host.
package struct TenantRecord: Hashable, Sendable {
    package let id: TenantID
    package let name: String
    /// A zoneinfo name, which applies to times without a zone.
    package let zone: String
    /// Whether the store can be read and not changed.
    package let isSuspended: Bool
    /// When the tenant was added, in seconds since 1970.
    package let created: Int64
    package let reminders: Int
    /// The size of the texts of the reminders, with the texts of the server.
    package let bytes: Int
    package let quota: Quota
}

/// A feed of a tenant.
package struct HostedFeed: Hashable, Sendable {
    package let tenant: TenantID
    package let feed: FeedID
    /// The zoneinfo name of the tenant's zone.
    package let zone: String
    /// The version of the tenant's content.
    package let content: ContentVersion
}

/// The tenants of a host.
package struct TenantDirectory: Sendable {
    let pool: PostgresPool

    package init(_ pool: PostgresPool) { self.pool = pool }

    private static let columns = """
        SELECT id, name, zone, state = 'suspended' AS suspended, created, objects, bytes, max_objects, max_bytes FROM tenant
        """

    /// Adds a tenant with an empty store.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when a tenant has this name.
    package func add(_ name: String, zone: String = "UTC") throws(DatabaseError) -> TenantID {
        let sql = "INSERT INTO tenant (name, zone) VALUES (?1, ?2) RETURNING id"
        let ids = try self.pool.rows(sql, [.text(name), .text(zone)]) { TenantID(rawValue: $0.integer("id")) }
        guard let id = ids.first else { throw DatabaseError(.other) }
        return id
    }

    /// The tenants, ordered by name.
    package func tenants() throws(DatabaseError) -> [TenantRecord] {
        try self.pool.rows("\(Self.columns) ORDER BY name", [], Self.record)
    }

    /// The tenant with this name; `nil` if there is none.
    package func tenant(named name: String) throws(DatabaseError) -> TenantRecord? {
        try self.pool.rows("\(Self.columns) WHERE name = ?1", [.text(name)], Self.record).first
    }

    /// The tenant with this number; `nil` if there is none.
    package func tenant(_ id: TenantID) throws(DatabaseError) -> TenantRecord? {
        try self.pool.rows("\(Self.columns) WHERE id = ?1", [.integer(id.rawValue)], Self.record).first
    }

    /// The feed with a token; `nil` if there is none, or if its tenant is suspended.
    ///
    /// - Parameter tokenHash: the SHA-256 hash of the token.
    package func feed(_ tokenHash: [UInt8]) throws(DatabaseError) -> HostedFeed? {
        try self.pool.rows("SELECT tenant, feed, zone, content FROM open_feed(?1)", [.blob(tokenHash)]) { row in
            HostedFeed(
                tenant: TenantID(rawValue: row.integer("tenant")),
                feed: FeedID(rawValue: row.integer("feed")),
                zone: row.text("zone"),
                content: ContentVersion(others: row.integer("content"), own: row.integer("tenant"))
            )
        }.first
    }

    /// - Returns: whether the tenant exists.
    package func setSuspended(_ isSuspended: Bool, _ name: String) throws(DatabaseError) -> Bool {
        let sql = "UPDATE tenant SET state = ?2 WHERE name = ?1 RETURNING id"
        let state = isSuspended ? "suspended" : "active"
        return try !self.pool.rows(sql, [.text(name), .text(state)]) { $0.integer("id") }.isEmpty
    }

    /// Changes the zone and limits of a tenant; `nil` keeps a value.
    ///
    /// - Parameters:
    ///   - zone: a zoneinfo name; the feeds and alarms of the tenant are computed again.
    ///   - reminders: the maximum number of reminders.
    ///   - bytes: the maximum size of the texts in bytes.
    /// - Returns: whether the tenant exists.
    package func change(
        _ name: String,
        zone: String? = nil,
        reminders: Int? = nil,
        bytes: Int? = nil
    ) throws(DatabaseError) -> Bool {
        // A write of the store takes the next version for its content, so a new zone must take a version, too.
        let sql = """
            WITH changed AS (UPDATE tenant SET max_objects = coalesce(?2, max_objects),
                max_bytes = coalesce(?3, max_bytes), zone = coalesce(?4, zone),
                version = CASE WHEN zone = coalesce(?4, zone) THEN version ELSE version + 1 END,
                content = CASE WHEN zone = coalesce(?4, zone) THEN content ELSE version + 1 END
                WHERE name = ?1 RETURNING id),
            alarms AS (UPDATE work SET requested_at = least(requested_at, moment()) FROM changed
                WHERE CAST(?4 AS text) IS NOT NULL AND tenant = changed.id AND kind = 'alarm' AND stop_reason IS NULL)
            SELECT id FROM changed
            """
        let numbers: [SQLValue] = [reminders, bytes].map { .integer($0.map { Int64($0) }) }
        return try !self.pool.rows(sql, [.text(name)] + numbers + [.text(zone)]) { $0.integer("id") }.isEmpty
    }

    /// Removes a tenant with all its rows.
    ///
    /// - Returns: whether the tenant existed.
    package func remove(_ name: String) throws(DatabaseError) -> Bool {
        guard let tenant = try self.tenant(named: name) else { return false }
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        // Writers lock this row first, so none of them can add a row to a table that is empty already.
        var script = """
            BEGIN; SELECT set_config('remindav.tenant', '\(tenant.id.rawValue)', true);
            SELECT 1 FROM tenant WHERE id = \(tenant.id.rawValue) FOR UPDATE;

            """
        for table in StoreTables.inOrder.reversed() { script += "DELETE FROM \(table); " }
        do throws(DatabaseError) {
            _ = try connection.runScript("\(script)DELETE FROM tenant WHERE id = \(tenant.id.rawValue); COMMIT")
        } catch {
            connection.rollBack()
            throw error
        }
        return true
    }

    private static func record(_ row: Row) -> TenantRecord {
        TenantRecord(
            id: TenantID(rawValue: row.integer("id")),
            name: row.text("name"),
            zone: row.text("zone"),
            isSuspended: row.integer("suspended") != 0,
            created: row.integer("created"),
            reminders: row.number("objects"),
            bytes: row.number("bytes"),
            quota: Quota(
                reminders: row.integerIfPresent("max_objects").map { Int($0) },
                bytes: row.integerIfPresent("max_bytes").map { Int($0) }
            )
        )
    }
}
