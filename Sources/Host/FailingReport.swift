package import RemindavPostgresStore
import RemindavSQLiteStore
import RemindavStore

/// A failing account with its name.
package struct FailingReport: Sendable {
    package let account: FailingAccount
    /// The name of the account.
    package let name: String
}

extension Host {
    /// The maximum number of failing accounts that are shown; with more, the fault is one of a server or of the host.
    package static let maximumFailingAccounts = 1000

    /// The accounts that fail, or that wait for a new password or an administrator, ordered by tenant.
    ///
    /// - Parameter origin: only accounts on this origin; `nil` for all.
    /// - Throws: `serverNotFound` if the host knows no such server.
    package func failingAccounts(origin: String? = nil) throws -> [FailingReport] {
        try self.checkServer(origin)
        let failing = try self.works.failingAccounts(origin: origin, limit: Self.maximumFailingAccounts)
        var reports: [FailingReport] = []
        let byTenant = Dictionary(grouping: failing, by: \.tenant)
        var seen: Set<TenantID> = []
        for tenant in failing.map(\.tenant) where seen.insert(tenant).inserted {
            let accounts = byTenant[tenant] ?? []
            let store = ReminderStore.tenant(tenant, in: self.pool) { () throws(DatabaseError) in
                try ReminderStore.emptyDatabase()
            }
            reports += try store.read { snapshot throws(DatabaseError) in
                let names = Dictionary(uniqueKeysWithValues: try snapshot.accounts().map { ($0.id, $0.name) })
                // An account without a name was removed a moment ago.
                return accounts.compactMap { account in
                    names[account.account].map { FailingReport(account: account, name: $0) }
                }
            }
        }
        return reports
    }
}
