package import RemindavStore

/// The key of a tenant, wrapped under the key of the host.
package struct WrappedKey: Hashable, Sendable {
    package let tenant: TenantID
    /// The fingerprint of the host's key.
    package let hostKey: String
    package let nonce: [UInt8]
    package let wrapped: [UInt8]

    package init(tenant: TenantID, hostKey: String, nonce: [UInt8], wrapped: [UInt8]) {
        self.tenant = tenant
        self.hostKey = hostKey
        self.nonce = nonce
        self.wrapped = wrapped
    }
}

/// A secret, sealed under the key of its tenant.
package struct SealedSecret: Hashable, Sendable {
    package let nonce: [UInt8]
    package let box: [UInt8]

    package init(nonce: [UInt8], box: [UInt8]) {
        self.nonce = nonce
        self.box = box
    }
}

/// The sealed secrets of tenants and their wrapped keys.
package struct SecretTables: Sendable {
    private let pool: PostgresPool

    package init(_ pool: PostgresPool) { self.pool = pool }

    // MARK: Keys

    private static let columns = "SELECT tenant, host_key, nonce, wrapped FROM tenant_key"

    /// The key of a tenant; `nil` before its first secret.
    package func key(of tenant: TenantID) throws(DatabaseError) -> WrappedKey? {
        try self.pool.rows("\(Self.columns) WHERE tenant = ?1", [.integer(tenant.rawValue)], Self.key).first
    }

    /// Stores the key of a tenant, unless another process has stored one, and returns the stored one.
    package func keepFirst(_ key: WrappedKey) throws(DatabaseError) -> WrappedKey {
        let sql = """
            INSERT INTO tenant_key (tenant, host_key, nonce, wrapped) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING
            """
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        _ = try connection.run(
            sql,
            [.integer(key.tenant.rawValue), .text(key.hostKey), .blob(key.nonce), .blob(key.wrapped)]
        )
        var stored: WrappedKey?
        try connection.forEach("\(Self.columns) WHERE tenant = ?1", [.integer(key.tenant.rawValue)]) { row in
            stored = Self.key(row)
            return false
        }
        guard let stored else { throw DatabaseError(.notFound) }
        return stored
    }

    /// The keys that are under another key of the host, from the tenant after `last`, ordered by tenant.
    package func keys(
        notUnder hostKey: String,
        after last: TenantID,
        limit: Int
    ) throws(DatabaseError) -> [WrappedKey] {
        let sql = "\(Self.columns) WHERE host_key <> ?1 AND tenant > ?2 ORDER BY tenant LIMIT ?3"
        return try self.pool.rows(sql, [.text(hostKey), .integer(last.rawValue), .integer(limit)], Self.key)
    }

    /// A key that is under this key of the host; `nil` if there is none.
    package func anyKey(under hostKey: String) throws(DatabaseError) -> WrappedKey? {
        try self.pool.rows("\(Self.columns) WHERE host_key = ?1 ORDER BY tenant LIMIT 1", [.text(hostKey)], Self.key)
            .first
    }

    /// The number of keys, and of those that are under this key of the host.
    package func count(under hostKey: String) throws(DatabaseError) -> (all: Int, under: Int) {
        let sql = "SELECT count(*) AS every, count(*) FILTER (WHERE host_key = ?1) AS under FROM tenant_key"
        return try self.pool.rows(sql, [.text(hostKey)]) { (all: $0.number("every"), under: $0.number("under")) }[0]
    }

    /// Replaces keys in one transaction; a key that another process has replaced in the meantime is left alone.
    package func replace(_ keys: [(old: WrappedKey, new: WrappedKey)]) throws(DatabaseError) {
        let sql = "UPDATE tenant_key SET host_key = ?3, nonce = ?4, wrapped = ?5 WHERE tenant = ?1 AND nonce = ?2"
        try self.inTransaction(nil) { connection throws(DatabaseError) in
            for (old, new) in keys {
                try connection.send(
                    sql,
                    [
                        .integer(old.tenant.rawValue), .blob(old.nonce), .text(new.hostKey), .blob(new.nonce),
                        .blob(new.wrapped),
                    ]
                )
            }
        }
    }

    // MARK: Secrets

    /// Stores a secret, or replaces the one with this name; the tenant must have a key.
    package func keep(_ secret: SealedSecret, named name: String, of tenant: TenantID) throws(DatabaseError) {
        let sql = """
            INSERT INTO secret (name, nonce, box) VALUES (?1, ?2, ?3)
                ON CONFLICT (tenant, name) DO UPDATE SET nonce = excluded.nonce, box = excluded.box
            """
        _ = try self.inTransaction(tenant) { connection throws(DatabaseError) in
            try connection.run(sql, [.text(name), .blob(secret.nonce), .blob(secret.box)])
        }
    }

    /// The secret of a tenant with this name; `nil` if there is none.
    package func secret(named name: String, of tenant: TenantID) throws(DatabaseError) -> SealedSecret? {
        try self.inTransaction(tenant) { connection throws(DatabaseError) in
            var secret: SealedSecret?
            try connection.forEach("SELECT nonce, box FROM secret WHERE name = ?1", [.text(name)]) { row in
                secret = SealedSecret(nonce: row.bytes("nonce"), box: row.bytes("box"))
                return false
            }
            return secret
        }
    }

    package func forget(_ name: String, of tenant: TenantID) throws(DatabaseError) {
        _ = try self.inTransaction(tenant) { connection throws(DatabaseError) in
            try connection.run("DELETE FROM secret WHERE name = ?1", [.text(name)])
        }
    }

    // MARK: Connections

    private static func key(_ row: Row) -> WrappedKey {
        WrappedKey(
            tenant: TenantID(rawValue: row.integer("tenant")),
            hostKey: row.text("host_key"),
            nonce: row.bytes("nonce"),
            wrapped: row.bytes("wrapped")
        )
    }

    /// - Parameter tenant: the tenant whose rows are visible; `nil` for the keys of all tenants.
    private func inTransaction<Value>(
        _ tenant: TenantID?,
        _ body: (PostgresConnection) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        do throws(DatabaseError) {
            let own = tenant.map { "; SELECT set_config('remindav.tenant', '\($0.rawValue)', true)" } ?? ""
            _ = try connection.runScript("BEGIN\(own)")
            let value = try body(connection)
            _ = try connection.runScript("COMMIT")
            return value
        } catch {
            connection.rollBack()
            throw error
        }
    }
}
