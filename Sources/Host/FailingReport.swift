package import RemindavPostgresStore
import RemindavSQLiteStore
package import RemindavStore

/// A failing account with what the store of its tenant knows about it.
package struct FailingReport: Sendable {
    package let account: FailingAccount
    /// The name of the account.
    package let name: String
    /// The code of the error of the last sync; `nil` if no sync has ended.
    package let error: String?
}

extension Host {
    /// The maximum number of failing accounts that are shown; with more, the fault is one of a server or of the host.
    package static let maximumFailingAccounts = 1000

    /// The accounts that fail, or that wait for a new password or an administrator, ordered by tenant.
    ///
    /// - Parameter origin: only accounts on this origin; `nil` for all.
    package func failingAccounts(origin: String? = nil) throws(DatabaseError) -> [FailingReport] {
        let failing = try self.works.failingAccounts(origin: origin, limit: Self.maximumFailingAccounts)
        var stores: [TenantID: ReminderStore] = [:]
        var reports: [FailingReport] = []
        for account in failing {
            let store =
                stores[account.tenant]
                ?? ReminderStore.tenant(account.tenant, in: self.pool) { () throws(DatabaseError) in
                    try ReminderStore.emptyDatabase()
                }
            stores[account.tenant] = store
            let report = try store.read { snapshot throws(DatabaseError) -> FailingReport? in
                guard let record = try snapshot.accounts().first(where: { $0.id == account.account }) else {
                    return nil
                }
                let error = try snapshot.lastEndedRun(of: record.name)?.error
                return FailingReport(account: account, name: record.name, error: error)
            }
            // An account without a record was removed a moment ago.
            if let report { reports.append(report) }
        }
        return reports
    }
}
