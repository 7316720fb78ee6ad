import CalDAV
import HTTP
import Store

extension UseCases {
    /// Finds an account's lists from whatever address a person pastes; nothing is kept.
    ///
    /// - Parameter observe: is told of each exchange with a server, as it ends.
    /// - Throws: `CalDAVError` with a redirect's target when the account lies on another host; see ``Trouble/target``.
    package func findAccount(
        _ request: NewAccount,
        observe: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> FoundAccount {
        let taken = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        if let name = request.name, taken.contains(where: { $0.name == name }) {
            throw UseCaseError(.accountExists, subject: name)
        }
        var settings = try AccountSettings(request.settings)
        let client = try self.client(
            address: request.address,
            credentials: self.secrets.credentials(user: request.user, request.password),
            settings: settings,
            keyPassword: request.keyPassword.map { source throws(UseCaseError) in try self.secrets.secret(source) },
            observe: { observe($0.description) }
        )
        let discovery = try await client.discover()
        guard let home = discovery.homes.first else { throw UseCaseError(.noTaskLists, subject: request.address) }
        if let known = taken.first(where: { $0.user == request.user && $0.homeSets.first == home.text }) {
            throw UseCaseError(.accountExists, subject: known.name)
        }
        settings.signIn = await client.signInScheme?.rawValue ?? settings.signIn
        let collections = discovery.lists.taskLists
        let name = Self.unique(request.name ?? home.host, among: taken.map(\.name))
        return FoundAccount(
            name: name,
            user: request.user,
            principal: discovery.principal?.text,
            homes: discovery.homes.map(\.text),
            lists: collections.map { FoundAccount.List(name: $0.givenName ?? name, isReadOnly: !$0.isWritable) },
            signIn: settings.signIn,
            collections: collections,
            client: client,
            password: request.password,
            settings: settings,
            keyPassword: request.keyPassword
        )
    }

    /// How long a person who wants to see what was found waits for the numbers of items.
    private static let countingLimit = Duration.seconds(5)

    /// The same with the number of items in each list, as far as the server says them in a few seconds.
    package func counted(_ found: FoundAccount) async -> FoundAccount {
        var found = found
        let client = found.client
        let collections = found.collections
        let counts = await withTaskGroup(of: (index: Int, count: Int)?.self) { group in
            for (index, collection) in collections.enumerated() {
                group.addTask {
                    guard let changes = try? await client.changes(in: collection, since: nil) else { return nil }
                    return (index, changes.changed.count)
                }
            }
            group.addTask {
                try? await Task.sleep(for: Self.countingLimit)
                return (-1, 0)
            }
            var counts: [Int: Int] = [:]
            var left = collections.count
            while left > 0, let next = await group.next(), next?.index != -1 {
                if let next { counts[next.index] = next.count }
                left -= 1
            }
            group.cancelAll()
            return counts
        }
        for (index, count) in counts { found.lists[index].count = count }
        return found
    }

    /// Keeps an account that was found, with its lists and its password.
    package func keep(_ found: FoundAccount) throws -> AccountView {
        let secrets = self.secrets
        let reference = try secrets.keep(found.password, identifier: self.newUID(), label: Self.label(found.name))
        let now = self.seconds
        let account: AccountID
        do {
            account = try self.store.write { transaction throws(DatabaseError) in
                let id = try transaction.insertAccount(
                    named: found.name,
                    url: found.homes[0],
                    user: found.user,
                    principal: found.principal,
                    homeSets: found.homes,
                    secret: reference,
                    settings: found.settings,
                    at: now
                )
                for collection in found.collections {
                    try transaction.adopt(collection, account: id, accountName: found.name, at: now)
                }
                return id
            }
        } catch {
            secrets.forget(reference)
            throw error
        }
        if let source = found.keyPassword {
            try secrets.keepKeyPassword(secrets.secret(source), of: account, label: Self.keyLabel(found.name))
        }
        return try self.view(of: found.name)
    }

    /// What a keyring calls an account's password.
    private static func label(_ name: String) -> String { "Remindav: \(name)" }

    private static func keyLabel(_ name: String) -> String { "Remindav: key for \(name)" }

    /// The path of the client's key when it is encrypted, `nil` when nobody needs a password for it.
    package func encryptedKey(_ values: [AccountSetting: String]) throws -> String? {
        try AccountSettings(values).encryptedKey
    }

    /// Changes what an account's client key is encrypted with, after the server has accepted it.
    package func changeKeyPassword(of name: String?, to source: PasswordSource) async throws -> AccountView {
        let account = try self.account(named: name)
        let secrets = self.secrets
        let password = try secrets.secret(source)
        let client = try self.client(
            address: account.url,
            credentials: secrets.credentials(user: account.user, account.secret),
            settings: account.settings,
            keyPassword: password,
            scheme: SignInScheme(rawValue: account.settings.signIn)
        )
        for home in account.homes.prefix(1) { _ = try await client.lists(in: home) }
        try secrets.keepKeyPassword(password, of: account.id, label: Self.keyLabel(account.name))
        return try self.view(of: account.name)
    }

    private func view(of name: String) throws -> AccountView {
        guard let view = try self.accounts().first(where: { $0.name == name }) else {
            throw UseCaseError(.accountNotFound, subject: name)
        }
        return view
    }

    /// The user's name of an account, `nil` for the only one.
    package func user(of name: String?) throws -> String { try self.account(named: name).user }

    /// Changes where an account's password comes from, after the server has accepted it.
    ///
    /// - Parameter name: the account's, `nil` for the only one.
    package func changePassword(of name: String?, to source: PasswordSource) async throws -> AccountView {
        let account = try self.account(named: name)
        let secrets = self.secrets
        let client = try self.client(
            address: account.url,
            credentials: secrets.credentials(user: account.user, source),
            settings: account.settings,
            keyPassword: self.keyPassword(of: account)
        )
        for home in account.homes.prefix(1) { _ = try await client.lists(in: home) }
        let scheme = await client.signInScheme?.rawValue
        let reference = try secrets.keep(source, identifier: self.newUID(), label: Self.label(account.name))
        do {
            try self.store.write { transaction in
                try transaction.update(reference, of: account.id)
                if let scheme { try transaction.changeSettings(of: account.id) { $0.signIn = scheme } }
            }
        } catch {
            secrets.forget(reference)
            throw error
        }
        secrets.forget(account.secret)
        return try self.view(of: account.name)
    }

    /// Changes what a person has set for an account.
    ///
    /// - Parameter values: as they are written on the command line; `none` clears.
    package func set(_ values: [AccountSetting: String], for name: String?) throws -> AccountView {
        let account = try self.account(named: name)
        try self.store.write { try $0.changeSettings(of: account.id) { try $0.take(values) } }
        return try self.view(of: account.name)
    }

    private static func unique(_ name: String, among taken: [String]) -> String {
        guard taken.contains(name) else { return name }
        return (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name
    }

    /// All accounts, by name.
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

    /// Removes an account, its lists and its password from here; the lists stay on the server.
    ///
    /// A list that the server has lost stays here, as a local one.
    ///
    /// - Parameter discardUnsent: whether changes that the server has not got may be given up.
    package func removeAccount(named name: String?, discardUnsent: Bool) throws -> AccountView {
        let account = try self.account(named: name)
        let lock = try self.lockForSync()
        defer { withExtendedLifetime(lock) {} }
        let view = try self.accounts().first { $0.name == account.name }
        let index = self.indexing
        let now = self.seconds
        try self.store.write { transaction in
            let lists = try transaction.lists().filter { $0.account == account.id && $0.state == .synced }
            if !discardUnsent { _ = try transaction.unsentChanges(in: lists, mayGo: false) }
            for list in lists {
                try transaction.bringHome(from: list.id, index: index)
                try transaction.trash(transaction.objects(in: list.id).filter(\.isDirty), at: now)
                try transaction.deleteList(list.id)
            }
            // A list that the server has lost is nowhere else; it stays, as a local one.
            try transaction.deleteAccount(account.id)
        }
        self.secrets.forget(account.secret)
        if account.settings.clientCertificate != nil { self.secrets.forgetKeyPassword(of: account.id) }
        guard let view else { throw UseCaseError(.accountNotFound, subject: account.name) }
        return view
    }

    /// How many changes would be given up with an account, since its server has not got them.
    ///
    /// - Parameter mayGo: whether they may be given up.
    /// - Throws: `unsentChanges` when there are some and they may not.
    package func unsentChanges(ofAccount name: String?, mayGo: Bool) throws -> Int {
        let account = try self.account(named: name)
        return try self.store.read { snapshot in
            let lists = try snapshot.lists().filter { $0.account == account.id && $0.state == .synced }
            return try snapshot.unsentChanges(in: lists, mayGo: mayGo)
        }
    }

    /// The account of that name, or the only one.
    func account(named name: String?) throws -> AccountRecord {
        let accounts = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
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

    /// The right to sync this store, until it is given up; a store in memory needs none.
    func lockForSync() throws -> StoreLock? {
        guard let folder = self.store.folder else { return nil }
        do throws(DatabaseError) {
            return try StoreLock(folder: folder)
        } catch {
            guard error.code == .syncIsRunning else { throw error }
            throw UseCaseError(.syncIsRunning)
        }
    }
}

extension AccountRecord {
    /// Where its lists are found.
    var homes: [HTTP.URL] { self.homeSets.compactMap { HTTP.URL($0) } }
}

extension [CalendarCollection] {
    /// Those that may hold to-dos; the ones for to-dos only come first.
    var taskLists: [CalendarCollection] {
        let lists = self.filter { $0.supports("VTODO") }
        return lists.filter { $0.components == ["VTODO"] } + lists.filter { $0.components != ["VTODO"] }
    }
}

extension CalendarCollection {
    /// What the server calls it, or the last part of its address.
    var givenName: String? { self.displayName ?? self.url.path.split(separator: "/").last.map(String.init) }

    /// What the store remembers of where a list is.
    func remoteList(account: AccountID) -> RemoteList {
        RemoteList(
            account: account,
            url: self.url.text,
            identity: self.resourceID,
            isReadOnly: !self.isWritable,
            supportsSyncCollection: self.supportsSyncCollection,
            name: self.displayName,
            color: self.color
        )
    }
}

extension StoreTransaction {
    /// Makes a list for a collection that is new here.
    ///
    /// A name that another list has gets the account's name behind it.
    @discardableResult
    func adopt(
        _ collection: CalendarCollection,
        account: AccountID,
        accountName: String,
        at now: Int64
    ) throws(DatabaseError) -> ListID {
        let name = try self.freeName(collection.givenName ?? accountName, accountName: accountName)
        let id = try self.insertList(named: name, color: collection.color, at: now)
        try self.adoptRemote(id, collection.remoteList(account: account))
        return id
    }
}

extension StoreSnapshot {
    /// How many changes in lists their server has not got.
    ///
    /// - Throws: `unsentChanges` when something may be nowhere else and may not be given up.
    fileprivate func unsentChanges(in lists: [ListRecord], mayGo: Bool) throws -> Int {
        var count = 0
        for list in lists {
            guard let state = try self.syncState(of: list.id) else { continue }
            guard mayGo || !state.mayBeOnlyHere else { throw UseCaseError(.unsentChanges, subject: list.name) }
            count += state.unsent
        }
        return count
    }
}
