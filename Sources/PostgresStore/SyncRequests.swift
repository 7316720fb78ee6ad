package import RemindavStore

/// Syncs that a page of a tenant asks other processes for.
extension TenantDirectory {
    /// The pause between two requested syncs of an account, in seconds: a person who clicks again and again must not make
    /// the workers send requests all the time.
    package static let requestPauseSeconds = 10

    /// Whether the role of this process may read the sealed passwords, and so can sync.
    package func readsPasswords() throws(DatabaseError) -> Bool {
        let sql = "SELECT has_table_privilege('secret', 'SELECT') AS granted"
        return try self.pool.rows(sql) { $0.integer("granted") != 0 }.first ?? false
    }

    /// Asks the workers to sync an account of a tenant soon.
    ///
    /// - Parameter account: the number of the account; `nil` for all accounts.
    /// - Throws: ``DatabaseError/Code/suspended`` for a suspended tenant.
    /// - Returns: the number of accounts that will be synced; an account without a valid password and one that is held wait
    ///   for a change.
    package func requestSync(of tenant: TenantID, account: Int64?) throws(DatabaseError) -> Int {
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        do throws(DatabaseError) {
            let answers = try connection.runScript(
                """
                BEGIN; SELECT set_config('remindav.tenant', '\(tenant.rawValue)', true);
                SELECT request_sync(\(account.map(String.init) ?? "NULL"), \(Self.requestPauseSeconds));
                SELECT state FROM tenant WHERE id = \(tenant.rawValue); COMMIT
                """
            )
            guard answers[3].first?.first != "suspended" else { throw DatabaseError(.suspended) }
            return answers[2].first?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0
        } catch {
            connection.rollBack()
            throw error
        }
    }
}
