import CalDAV
import CurlTransport
import HTTP
import Store

extension UseCases {
    /// Adds an account: finds its lists from whatever address a person pastes, and keeps nothing when that fails.
    ///
    /// - Parameter name: what it is called; the host of the address when `nil`, with a number when that is taken.
    package func addAccount(
        address: String,
        user: String,
        password source: PasswordSource,
        name: String? = nil
    ) async throws -> AccountView {
        let secrets = Secrets(folder: self.configuration.storeFolder)
        let credentials = Credentials(user: user, password: try secrets.password(source))
        let client = try CalDAVClient(address: address, credentials: credentials, transport: CurlSession())
        let discovery = try await client.discover()
        guard let home = discovery.homes.first else { throw UseCaseError(.noTaskLists, subject: address) }
        let homes = discovery.homes.map(\.text)
        let taken = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        guard !taken.contains(where: { $0.user == user && $0.homeSets.first == homes.first }) else {
            throw UseCaseError(.accountExists, subject: user)
        }
        if let name, taken.contains(where: { $0.name == name }) { throw UseCaseError(.accountExists, subject: name) }
        let unique = Self.unique(name ?? home.host, among: taken.map(\.name))
        let reference = try secrets.keep(source, identifier: self.newUID())
        let now = self.seconds
        do {
            try self.store.write { transaction throws(DatabaseError) in
                let id = try transaction.insertAccount(
                    named: unique,
                    url: home.text,
                    user: user,
                    principal: discovery.principal?.text,
                    homeSets: homes,
                    secret: reference,
                    at: now
                )
                for collection in discovery.lists.taskLists {
                    try transaction.adopt(collection, account: id, accountName: unique, at: now)
                }
            }
        } catch {
            secrets.forget(reference)
            throw error
        }
        guard let view = try self.accounts().first(where: { $0.name == unique }) else {
            throw UseCaseError(.accountNotFound, subject: unique)
        }
        return view
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
        try self.store.write { transaction in
            for list in try transaction.lists() where list.account == account.id && list.state == .synced {
                let isOnlyHere = try transaction.syncState(of: list.id)?.mayBeOnlyHere ?? false
                guard discardUnsent || !isOnlyHere else { throw UseCaseError(.unsentChanges, subject: list.name) }
                try transaction.deleteList(list.id)
            }
            // A list that the server has lost is nowhere else; it stays, as a local one.
            try transaction.deleteAccount(account.id)
        }
        Secrets(folder: self.configuration.storeFolder).forget(account.secret)
        guard let view else { throw UseCaseError(.accountNotFound, subject: account.name) }
        return view
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

    /// A connection to an account's server; its cookies end with it.
    func client(for account: AccountRecord) throws -> CalDAVClient {
        let password = try Secrets(folder: self.configuration.storeFolder).password(account.secret)
        return try CalDAVClient(
            address: account.url,
            credentials: Credentials(user: account.user, password: password),
            transport: CurlSession()
        )
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
    /// What the store remembers of where a list is.
    func remoteList(account: AccountID) -> RemoteList {
        RemoteList(
            account: account,
            url: self.url.text,
            identity: self.resourceID,
            isReadOnly: !self.isWritable,
            supportsSyncCollection: self.supportsSyncCollection
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
        let last = collection.url.path.split(separator: "/").last.map(String.init)
        let wanted = collection.displayName ?? last ?? accountName
        var name = wanted
        var number = 1
        while try !self.lists(named: name).isEmpty {
            name = number == 1 ? "\(wanted) (\(accountName))" : "\(wanted) (\(accountName) \(number))"
            number += 1
        }
        let id = try self.insertList(named: name, color: collection.color, at: now)
        try self.adoptRemote(id, collection.remoteList(account: account))
        return id
    }
}
