package import RemindavStore

/// The tenants of a host.
package struct TenantDirectory: Sendable {
    private let pool: PostgresPool

    package init(_ pool: PostgresPool) { self.pool = pool }

    /// Adds a tenant with an empty store.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when a tenant has this name.
    package func add(_ name: String, zone: String = "UTC") throws(DatabaseError) -> TenantID {
        let sql = "INSERT INTO tenant (name, zone) VALUES (?1, ?2) RETURNING id"
        let number = try self.withConnection { connection throws(DatabaseError) in
            var number: Int64?
            try connection.forEach(sql, [.text(name), .text(zone)]) { row in
                number = row.integer("id")
                return true
            }
            return number
        }
        guard let number else { throw DatabaseError(.other) }
        return TenantID(rawValue: number)
    }

    /// The tenant with this name; `nil` if there is none.
    package func tenant(named name: String) throws(DatabaseError) -> TenantID? {
        try self.withConnection { connection throws(DatabaseError) in
            var number: Int64?
            try connection.forEach("SELECT id FROM tenant WHERE name = ?1", [.text(name)]) { row in
                number = row.integer("id")
                return true
            }
            return number.map { TenantID(rawValue: $0) }
        }
    }

    private func withConnection<Value>(
        _ body: (PostgresConnection) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        return try body(connection)
    }
}

extension ReminderStore {
    /// Opens the store of a tenant.
    ///
    /// - Parameter makeEmptyCopy: creates an empty database in memory, for dry runs.
    package static func tenant(
        _ tenant: TenantID,
        in pool: PostgresPool,
        makeEmptyCopy: @escaping @Sendable () throws(DatabaseError) -> any Database
    ) -> ReminderStore {
        ReminderStore(database: TenantDatabase(tenant, in: pool, makeEmptyCopy: makeEmptyCopy))
    }
}
