import RemindavBridge
import RemindavPlatform
import RemindavPostgresStore
import RemindavSQLiteStore
import RemindavStore

extension Host {
    /// Copies the store of a tenant to a new folder, where it is a store of one user.
    ///
    /// - Parameter folder: the path of the new folder, whose parent exists.
    /// - Returns: the names of the accounts, oldest first; their passwords are not in the copy.
    /// - Throws: `tenantNotFound` or `exportTargetExists`; a `SystemError` if the folder cannot be written.
    package func export(_ name: String, to folder: String) throws -> [String] {
        let tenant = try self.tenant(named: name).id
        var accounts: [String] = []
        do {
            try ReminderStore.create(folder: folder) { (database) throws(DatabaseError) in
                accounts = try TenantTransfer(tenant, in: self.pool).export(to: database)
            }
        } catch {
            switch error.code {
            case .alreadyExists: throw UseCaseError(.exportTargetExists, subject: folder)
            case .cannotOpen, .cannotAccess: throw SystemError(number: error.detail, subject: folder)
            default: throw error
            }
        }
        return accounts
    }

    /// Copies a store of one user, which stays unchanged, to a tenant.
    ///
    /// - Returns: the names of the accounts, oldest first; their passwords and certificate files are not in the copy.
    /// - Throws: `tenantNotFound`, `tenantNotEmpty` or `storeNotFound`.
    package func `import`(_ folder: String, to name: String) throws -> [String] {
        let tenant = try self.tenant(named: name).id
        guard ReminderStore.exists(in: folder) else { throw UseCaseError(.storeNotFound, subject: folder) }
        let accounts = try ReminderStore.withContent(of: folder) { (database) throws(DatabaseError) in
            try TenantTransfer(tenant, in: self.pool).fill(from: database)
        }
        guard let accounts else { throw UseCaseError(.tenantNotEmpty, subject: name) }
        return accounts
    }
}
