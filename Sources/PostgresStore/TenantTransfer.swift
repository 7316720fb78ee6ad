package import RemindavStore

/// Copies the store of a tenant to a database of the other engine, and back, with the numbers of all rows.
///
/// Passwords are not copied: a reference to a password is meaningful only in the place of the store.
package struct TenantTransfer {
    private let database: TenantDatabase

    package init(_ tenant: TenantID, in pool: PostgresPool) {
        self.database = TenantDatabase(tenant, in: pool) { () throws(DatabaseError) in throw DatabaseError(.other) }
    }

    /// Copies the store to an empty database, in one transaction.
    ///
    /// - Returns: the names of the accounts, oldest first.
    package func export(to target: any Database) throws(DatabaseError) -> [String] {
        try self.database.transaction(.read) { () throws(DatabaseError) in
            try target.transaction(.write(.survivesPowerLoss)) { () throws(DatabaseError) in
                try StoreTables.copy(from: self.database, to: target, replacing: Self.passwords)
            }
            return try Self.accounts(self.database)
        }
    }

    /// Fills the empty store of the tenant with the rows of a database, in one transaction.
    ///
    /// Settings that would make the host use its own files, or send passwords unencrypted, are not copied.
    /// - Parameter source: a database with the current schema, in a transaction.
    /// - Returns: the names of the accounts, oldest first; `nil` when the store is not empty, and nothing was changed.
    /// - Throws: ``DatabaseError/Code/suspended`` when the tenant is suspended.
    package func fill(from source: any Database) throws(DatabaseError) -> [String]? {
        try self.database.transaction(.write(.survivesPowerLoss)) { () throws(DatabaseError) in
            guard try StoreTables.areEmpty(in: self.database) else { return nil }
            try StoreTables.copy(from: source, to: self.database, replacing: Self.passwordsAndFiles)
            return try Self.accounts(self.database)
        }
    }

    private static func accounts(_ database: any Database) throws(DatabaseError) -> [String] {
        try database.rows("SELECT name FROM account ORDER BY id") { $0.text("name") }
    }

    /// The columns that refer to a password; with these values, the program reports the password as missing.
    private static let passwords: [String: [String: SQLValue]] = {
        let columns: [String: SQLValue] = ["secret_kind": .text(""), "secret_reference": .text("")]
        return ["account": columns, "feed_push": columns]
    }()

    /// ``passwords``, and the columns with a path or with a permission of the machine's owner.
    private static let passwordsAndFiles: [String: [String: SQLValue]] = {
        var columns = TenantTransfer.passwords
        for column in ["ca_file", "client_certificate", "client_key"] { columns["account"]?[column] = .null }
        columns["account"]?["allows_insecure"] = .flag(false)
        columns["feed_push"]?["ca_file"] = .null
        return columns
    }()
}
