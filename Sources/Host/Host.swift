package import RemindavBridge
package import RemindavPostgresStore
import RemindavSQLiteStore
package import RemindavStore

/// A host: the stores of many users, called tenants, in one PostgreSQL database.
package struct Host: Sendable {
    /// The maximum number of bytes of a tenant's name; it is used in commands and messages.
    package static let nameBytes = 100

    private let place: DatabasePlace
    let pool: PostgresPool

    /// Creates a host without a connection.
    package init(_ place: DatabasePlace) {
        self.place = place
        self.pool = PostgresPool(to: place)
    }

    /// Creates or updates the tables, and returns the names of the steps that ran.
    package func migrate(createsRoles: Bool) throws(DatabaseError) -> [String] {
        try HostSchema.migrate(self.place, createsRoles: createsRoles)
    }

    /// Examines the server, the role and the schema.
    package func check() throws(DatabaseError) -> HostReport { try HostReport(self.place) }

    /// The tenants, ordered by name.
    package func tenants() throws(DatabaseError) -> [TenantRecord] { try self.directory.tenants() }

    /// Adds a tenant with an empty store.
    ///
    /// - Parameter zone: a zoneinfo name, which applies to times without a zone.
    /// - Throws: `tenantNameNotValid` or `tenantExists`.
    package func add(_ name: String, zone: String) throws {
        guard !name.isEmpty, name.utf8.count <= Self.nameBytes, !name.hasPrefix("-"),
            name.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.value > 0x1F && $0.value != 0x7F })
        else { throw UseCaseError(.tenantNameNotValid, subject: name) }
        do {
            _ = try self.directory.add(name, zone: zone)
        } catch {
            guard error.code == .alreadyExists else { throw error }
            throw UseCaseError(.tenantExists, subject: name)
        }
    }

    /// Suspends a tenant, whose store can then be read and not changed, or ends the suspension.
    ///
    /// - Throws: `tenantNotFound`.
    package func setSuspended(_ isSuspended: Bool, _ name: String) throws {
        guard try self.directory.setSuspended(isSuspended, name) else {
            throw UseCaseError(.tenantNotFound, subject: name)
        }
    }

    /// Changes limits of a tenant; `nil` keeps a limit.
    ///
    /// - Throws: `tenantNotFound`.
    package func setLimits(reminders: Int?, bytes: Int?, of name: String) throws {
        guard try self.directory.setLimits(reminders: reminders, bytes: bytes, of: name) else {
            throw UseCaseError(.tenantNotFound, subject: name)
        }
    }

    /// Removes a tenant with all reminders, lists and feeds.
    ///
    /// - Throws: `tenantNotFound`.
    package func remove(_ name: String) throws {
        guard try self.directory.remove(name) else { throw UseCaseError(.tenantNotFound, subject: name) }
    }

    /// The use cases on the store of a tenant; times without a zone have the zone of the tenant.
    ///
    /// - Throws: `tenantNotFound`.
    package func useCases(of name: String, _ configuration: Configuration) throws -> UseCases {
        guard let tenant = try self.directory.tenant(named: name) else {
            throw UseCaseError(.tenantNotFound, subject: name)
        }
        let store = ReminderStore.tenant(tenant.id, in: self.pool) { () throws(DatabaseError) in
            try ReminderStore.emptyDatabase()
        }
        return UseCases(configuration: configuration.withLocalZone(tenant.zone), store: store)
    }

    var directory: TenantDirectory { TenantDirectory(self.pool) }
}
