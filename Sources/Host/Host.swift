package import RemindavBridge
package import RemindavCurlTransport
import RemindavHTTP
import RemindavHosting
package import RemindavPostgresStore
import RemindavSQLiteStore
package import RemindavStore

/// A host: the stores of many users, called tenants, in one PostgreSQL database.
package struct Host: Sendable {
    /// The maximum number of bytes of a tenant's name; it is used in commands and messages.
    package static let maximumNameBytes = 100

    private let place: DatabasePlace
    let pool: PostgresPool
    let hostKey: HostKeyReader
    let addresses: AddressPolicy
    let userAgent: String

    /// Creates a host without a connection.
    ///
    /// - Parameters:
    ///   - key: the place of the key that wraps the keys of the tenants; `nil` means that no tenant can have a password.
    ///   - addresses: the servers to which the accounts of tenants may connect.
    ///   - userAgent: the header User-Agent of the requests to these servers.
    package init(
        _ place: DatabasePlace,
        key: SecretSource? = nil,
        addresses: AddressPolicy = AddressPolicy(),
        userAgent: String = HostAgent.product
    ) {
        self.place = place
        self.pool = PostgresPool(to: place)
        self.hostKey = HostKeyReader(key)
        self.addresses = addresses
        self.userAgent = userAgent
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
        guard !name.isEmpty, name.utf8.count <= Self.maximumNameBytes, !name.hasPrefix("-"),
            name.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.value > 0x1F && $0.value != 0x7F })
        else { throw UseCaseError(.tenantNameNotValid, subject: name) }
        do {
            _ = try self.directory.add(name, zone: zone)
        } catch {
            guard error.code == .alreadyExists else { throw error }
            throw UseCaseError(.tenantExists, subject: name)
        }
    }

    /// Whether the role of this process can sync and send messages; `nil` if the database cannot be asked.
    package var readsPasswords: Bool? { try? self.directory.readsPasswords() }

    /// Suspends a tenant, whose store can then be read and not changed, or ends the suspension.
    ///
    /// - Throws: `tenantNotFound`.
    package func setSuspended(_ isSuspended: Bool, _ name: String) throws {
        guard try self.directory.setSuspended(isSuspended, name) else {
            throw UseCaseError(.tenantNotFound, subject: name)
        }
    }

    /// Changes the zone and limits of a tenant; `nil` keeps a value.
    ///
    /// - Parameter zone: a zoneinfo name, which applies to times without a zone.
    /// - Throws: `tenantNotFound`.
    package func change(_ name: String, zone: String? = nil, reminders: Int? = nil, bytes: Int? = nil) throws {
        guard try self.directory.change(name, zone: zone, reminders: reminders, bytes: bytes) else {
            throw UseCaseError(.tenantNotFound, subject: name)
        }
    }

    /// Removes a tenant with all reminders, lists and feeds.
    ///
    /// - Throws: `tenantNotFound`.
    package func remove(_ name: String) throws {
        guard try self.directory.remove(name) else { throw UseCaseError(.tenantNotFound, subject: name) }
    }

    /// The people of all tenants.
    package func identities() throws(DatabaseError) -> [TenantID: [Identity]] { try self.directory.identities() }

    /// Gives a person the pages of a tenant.
    ///
    /// - Throws: `tenantNotFound`, `identityNotValid`, or `identityTaken` if another tenant has the person.
    package func allow(_ person: Identity, _ name: String) throws {
        guard person.issuer.isEmpty || ProxyTrust.isName(person.issuer), ProxyTrust.isName(person.subject) else {
            throw UseCaseError(.identityNotValid)
        }
        let tenant = try self.tenant(named: name)
        guard try self.directory.add(person, to: tenant.id) == tenant.id else {
            throw UseCaseError(.identityTaken, subject: person.subject)
        }
    }

    /// Takes the pages of a tenant from a person.
    ///
    /// - Throws: `tenantNotFound` or `identityNotFound`.
    package func deny(_ person: Identity, _ name: String) throws {
        let tenant = try self.tenant(named: name)
        guard try self.directory.remove(person, from: tenant.id) else {
            throw UseCaseError(.identityNotFound, subject: person.subject)
        }
    }

    /// The servers with their work, ordered by origin; `origin` selects one of them.
    ///
    /// - Throws: `serverNotFound` if the host knows no such server.
    package func queue(origin: String? = nil) throws -> [QueuedServer] {
        try self.checkServer(origin)
        return try self.works.queue(origin: origin)
    }

    /// - Throws: `serverNotFound` if the host knows no such server.
    func checkServer(_ origin: String?) throws {
        guard let origin, try !self.works.hasServer(origin) else { return }
        throw UseCaseError(.serverNotFound, subject: origin)
    }

    /// Lets the accounts that fail, or that wait for a new password, run at once, and returns their number.
    ///
    /// - Parameter origin: only accounts on this origin; `nil` for all.
    /// - Throws: `serverNotFound` if the host knows no such server.
    package func retry(origin: String? = nil) throws -> Int {
        try self.checkServer(origin)
        return try self.works.retry(origin: origin)
    }

    /// The number of connections of other processes of the host, with the role of this one.
    package func otherConnections() throws(DatabaseError) -> Int { try self.works.otherConnections() }

    /// Lets held accounts run again, and returns their number.
    package func releaseHeld() throws(DatabaseError) -> Int { try self.works.releaseHeld() }

    /// Changes the limits of a server; `nil` keeps a limit.
    ///
    /// - Throws: `serverNotFound` if the host knows no such server.
    package func setServer(_ origin: String, connections: Int?, parts: Int?) throws {
        guard try self.works.setServer(origin, connections: connections, parts: parts) else {
            throw UseCaseError(.serverNotFound, subject: origin)
        }
    }

    /// Makes all leases void, after the operator has restored the database from a backup.
    package func declareRestored() throws(DatabaseError) { try HostSchema.raiseEpoch(self.place) }

    /// The use cases on the store of a tenant; times without a zone have the zone of the tenant.
    ///
    /// - Parameter run: the run that another process has begun for this one; `nil` lets each sync begin its own runs.
    /// - Throws: `tenantNotFound`.
    package func useCases(
        of name: String,
        _ configuration: Configuration,
        run: DelegatedRun? = nil
    ) throws -> UseCases {
        let tenant = try self.tenant(named: name)
        let runs = try run.map { try $0.taken(by: tenant.id, in: self.works) }
        return self.useCases(of: tenant.id, zone: tenant.zone, configuration, runs: runs)
    }

    /// - Parameter runs: the runs that the store may write; `nil` lets each sync begin its own runs.
    func useCases(
        of tenant: TenantID,
        zone: String,
        _ configuration: Configuration,
        runs: CurrentRuns? = nil
    ) -> UseCases {
        // Each store object has its own runs: while one syncs, the writes of the others are edits.
        let current = runs ?? CurrentRuns()
        let store = ReminderStore.tenant(tenant, in: self.pool, runs: current) { () throws(DatabaseError) in
            try ReminderStore.emptyDatabase()
        }
        let own = configuration.forTenant(
            zone: zone,
            vault: self.vault(of: tenant, configuration),
            addresses: self.addresses,
            userAgent: self.userAgent
        )
        let reopen: @Sendable () -> UseCases = { self.useCases(of: tenant, zone: zone, configuration) }
        return UseCases(
            configuration: own.withTransport { LeasedTransport(base: $0) { current.clock } },
            store: store,
            reopen: runs == nil ? reopen : nil
        )
    }

    /// The tenant with a name.
    ///
    /// - Throws: `tenantNotFound`.
    func tenant(named name: String) throws -> TenantRecord {
        guard let tenant = try self.directory.tenant(named: name) else {
            throw UseCaseError(.tenantNotFound, subject: name)
        }
        return tenant
    }

    /// The sealed secrets of a tenant.
    func vault(of tenant: TenantID, _ configuration: Configuration) -> TenantVault {
        TenantVault(
            tenant: tenant,
            tables: self.secretTables,
            hostKey: self.hostKey,
            credentials: configuration.credentials,
            randomBytes: configuration.randomBytes
        )
    }

    var secretTables: SecretTables { SecretTables(self.pool) }
    var directory: TenantDirectory { TenantDirectory(self.pool) }
    var works: WorkDirectory { WorkDirectory(self.pool) }
}
