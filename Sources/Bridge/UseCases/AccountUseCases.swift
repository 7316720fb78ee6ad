import RemindavHTTP
package import RemindavStore

extension UseCases {
    /// - Throws: `accountNotFound`.
    func view(of name: String) throws -> AccountView {
        guard let view = try self.accounts().first(where: { $0.name == name }) else {
            throw UseCaseError(.accountNotFound, subject: name)
        }
        return view
    }

    /// The user name of an account; `name` may be `nil` if there is only one account.
    package func user(of name: String?) throws -> String { try self.account(named: name).user }

    /// Changes settings from their texts on the command line; `none` clears a setting.
    package func set(_ values: [AccountSetting: String], for name: String?) throws -> AccountView {
        let account = try self.account(named: name)
        if self.configuration.tenancy != nil { try Tenancy.check(values) }
        try self.store.write { try $0.changeSettings(of: account.id) { try $0.apply(values) } }
        return try self.view(of: account.name)
    }

    package func accounts() throws -> [AccountView] {
        try self.store.read { snapshot throws(DatabaseError) in
            let lists = try snapshot.lists()
            return try snapshot.accounts().map { account in
                AccountView(
                    name: account.name,
                    address: account.url,
                    user: account.user,
                    passwordOrigin: Secrets.origin(account.secret),
                    settings: Dictionary(
                        uniqueKeysWithValues: AccountSetting.allCases.compactMap { setting in
                            setting.value(in: account.settings).map { (setting, $0) }
                        }
                    ),
                    lists: lists.filter { $0.account == account.id }.map(\.name)
                )
            }
        }
    }

    /// Removes an account, its lists and its password from the store; the lists stay on the server.
    ///
    /// A list that the server has lost becomes a local list. `discardUnsent` permits the loss of unsent changes.
    package func removeAccount(named name: String?, discardUnsent: Bool) throws -> AccountView {
        let account = try self.account(named: name)
        let lock = try self.lockForChange()
        defer { withExtendedLifetime(lock) {} }
        let view = try self.view(of: account.name)
        let (read, now) = (self.textReading, self.seconds)
        try self.store.write { transaction in
            let lists = try transaction.lists().filter { $0.account == account.id && $0.state == .synced }
            if !discardUnsent { _ = try transaction.unsentChanges(in: lists, mayLoseThem: false) }
            for list in lists {
                try transaction.returnMovedObjects(from: list.id, reading: read)
                try transaction.trash(transaction.objects(in: list.id).filter(\.isDirty), at: now)
                try transaction.deleteList(list.id)
            }
            try transaction.deleteAccount(account.id)
        }
        self.secrets.forget(account.secret)
        if account.settings.clientCertificate != nil { self.secrets.forgetKeyPassword(of: account.id) }
        return view
    }

    /// The unsent changes that a removal would lose; throws `unsentChanges` if there are some, unless `mayLoseThem`.
    package func unsentChanges(ofAccount name: String?, mayLoseThem: Bool) throws -> Int {
        let account = try self.account(named: name)
        return try self.store.read { snapshot in
            let lists = try snapshot.lists().filter { $0.account == account.id && $0.state == .synced }
            return try snapshot.unsentChanges(in: lists, mayLoseThem: mayLoseThem)
        }
    }

    /// The name and the interval of an account in seconds, for a scheduler; `nil` if there is no such account.
    ///
    /// An account that is `off` is not synced automatically. An interval of `nil` means the standard of the scheduler.
    package func scheduledAccount(_ id: AccountID) throws -> (name: String, interval: Int?, isOff: Bool)? {
        let accounts = try self.store.read { try $0.accounts() }
        return accounts.first { $0.id == id }.map { account in
            let interval = account.settings.syncInterval.flatMap { SyncInterval($0) }
            return (account.name, interval?.seconds, interval.map { $0.seconds == nil } ?? false)
        }
    }

    /// The number of an account.
    ///
    /// - Throws: `accountNotFound`.
    package func accountNumber(named name: String) throws -> Int64 { try self.account(named: name).id.rawValue }

    func account(named name: String?) throws -> AccountRecord {
        let accounts = try self.store.read { try $0.accounts() }
        if let name {
            guard let account = accounts.first(where: { $0.name == name }) else {
                throw UseCaseError(.accountNotFound, subject: name)
            }
            return account
        }
        guard let account = accounts.first else { throw UseCaseError(.noAccounts) }
        guard accounts.count == 1 else { throw UseCaseError(.severalAccounts) }
        return account
    }

    /// Acquires the lease to sync one account, or all accounts; returns `nil` for a store that needs none.
    func lockForSync(of account: AccountID? = nil) throws -> (any SyncLease)? {
        try self.acquireLease(of: account, for: .sync)
    }

    /// Acquires the lease for a change during which no account may be synced; returns `nil` for a store that needs
    /// none.
    func lockForChange() throws -> (any SyncLease)? { try self.acquireLease(of: nil, for: .change) }

    private func acquireLease(of account: AccountID?, for purpose: SyncLeasePurpose) throws -> (any SyncLease)? {
        do throws(DatabaseError) {
            return try self.store.acquireSyncLease(account: account, for: purpose)
        } catch {
            guard error.code == .syncIsRunning else { throw error }
            throw UseCaseError(.syncIsRunning)
        }
    }
}

extension AccountRecord {
    var homes: [RemindavHTTP.URL] { self.homeSets.compactMap { RemindavHTTP.URL($0) } }
}

extension StoreSnapshot {
    /// - Throws: `unsentChanges` when a list may contain text that no server has, and `mayLoseThem` is false.
    fileprivate func unsentChanges(in lists: [ListRecord], mayLoseThem: Bool) throws -> Int {
        var count = 0
        for list in lists {
            guard let state = try self.syncState(of: list.id) else { continue }
            guard mayLoseThem || !state.mayBeOnlyHere else { throw UseCaseError(.unsentChanges, subject: list.name) }
            count += state.unsent
        }
        return count
    }
}
