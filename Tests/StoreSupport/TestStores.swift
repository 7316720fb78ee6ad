import Glibc
package import RemindavPostgresStore
import RemindavSQLiteStore
package import RemindavStore
import Synchronization

/// Stores for tests that must pass with each database engine.
package enum TestStores {
    /// The connection string of a PostgreSQL server, for a role that may create roles; `nil` selects SQLite.
    ///
    /// Tests/postgres.py starts such a server and sets this variable.
    package static let place = getenv("REMINDAV_TEST_POSTGRES").map { DatabasePlace(String(cString: $0)) }

    /// Whether the stores are in PostgreSQL.
    package static var useServer: Bool { self.place != nil }

    /// The connections of the role `remindav_worker`.
    package static let pool = Result {
        () throws(DatabaseError) -> PostgresPool in
        guard let place = TestStores.place else { throw DatabaseError(.cannotOpen) }
        try HostSchema.migrate(place)
        return PostgresPool(to: DatabasePlace(place.text, role: "remindav_worker"))
    }

    private static let count = Mutex(0)

    /// A number that no other test of this process has.
    package static func uniqueNumber() -> Int {
        self.count.withLock { count in
            count += 1
            return count
        }
    }

    /// Adds a tenant with an empty store.
    package static func addTenant() throws(DatabaseError) -> TenantID {
        try TenantDirectory(self.pool.get()).add("test \(getpid()) \(self.uniqueNumber())")
    }

    /// Creates an empty store: in memory, or the store of a new tenant.
    package static func make() throws(DatabaseError) -> ReminderStore {
        guard self.useServer else { return try ReminderStore.inMemory() }
        return ReminderStore.tenant(try self.addTenant(), in: try self.pool.get()) { () throws(DatabaseError) in
            try ReminderStore.emptyDatabase()
        }
    }
}
