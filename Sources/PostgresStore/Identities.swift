package import RemindavStore

/// A person as a sign-in service names them.
package struct Identity: Hashable, Sendable {
    /// The sign-in service; empty if the reverse proxy names none.
    package let issuer: String
    /// The identifier that the service gives to no other person.
    package let subject: String

    package init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}

/// The tenant of a signed-in person.
package struct IdentifiedTenant: Hashable, Sendable {
    package let tenant: TenantID
    /// The zoneinfo name of the tenant's zone.
    package let zone: String
}

extension TenantDirectory {
    /// The tenant of a person, also if it is suspended; `nil` if there is none.
    package func tenant(of identity: Identity) throws(DatabaseError) -> IdentifiedTenant? {
        let sql = "SELECT tenant, zone FROM open_identity(?1, ?2)"
        return try self.pool.rows(sql, [.text(identity.issuer), .text(identity.subject)]) { row in
            IdentifiedTenant(tenant: TenantID(rawValue: row.integer("tenant")), zone: row.text("zone"))
        }.first
    }

    /// The people of all tenants, ordered by issuer and subject.
    package func identities() throws(DatabaseError) -> [TenantID: [Identity]] {
        let all = try self.pool.rows("SELECT issuer, subject, tenant FROM identity ORDER BY issuer, subject", []) {
            row in
            (
                TenantID(rawValue: row.integer("tenant")),
                Identity(issuer: row.text("issuer"), subject: row.text("subject"))
            )
        }
        return Dictionary(grouping: all, by: \.0).mapValues { $0.map(\.1) }
    }

    /// Gives a person to a tenant.
    ///
    /// - Returns: the tenant that has the person afterwards: another one if it had the person already.
    package func add(_ identity: Identity, to tenant: TenantID) throws(DatabaseError) -> TenantID? {
        let sql =
            "INSERT INTO identity (issuer, subject, tenant) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING RETURNING tenant"
        _ = try self.pool.rows(sql, [.text(identity.issuer), .text(identity.subject), .integer(tenant.rawValue)]) {
            $0.integer("tenant")
        }
        return try self.tenant(of: identity)?.tenant
    }

    /// Takes a person from a tenant.
    ///
    /// - Returns: whether the tenant had the person.
    package func remove(_ identity: Identity, from tenant: TenantID) throws(DatabaseError) -> Bool {
        let sql = "DELETE FROM identity WHERE issuer = ?1 AND subject = ?2 AND tenant = ?3 RETURNING tenant"
        let values: [SQLValue] = [.text(identity.issuer), .text(identity.subject), .integer(tenant.rawValue)]
        return try !self.pool.rows(sql, values) { $0.integer("tenant") }.isEmpty
    }
}
