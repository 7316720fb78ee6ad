import RemindavCalDAV
import RemindavHTTP
import RemindavResources
import RemindavStore

extension UseCases {
    /// Finds the lists of an account from an address in any usual form, without a change of the store.
    ///
    /// - Throws: `CalDAVError`, `accountExists` or `noTaskLists`. When a redirect leads to another host,
    ///   ``ErrorCategory/target`` is the address on that host.
    package func findAccount(
        _ request: NewAccount,
        observe: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> FoundAccount {
        let taken = try self.store.read { try $0.accounts() }
        if let name = request.name, !KeyLimits.allows(name) { throw UseCaseError(.accountNameTooLong) }
        if let name = request.name, taken.contains(where: { $0.name == name }) {
            throw UseCaseError(.accountExists, subject: name)
        }
        var settings = try self.settings(request.settings)
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
        let name = Self.unique(request.name ?? home.host, among: taken.map(\.name))
        return FoundAccount(
            name: name,
            lists: discovery.lists.taskLists.map { .init(name: $0.givenName ?? name, isReadOnly: !$0.isWritable) },
            client: client,
            discovery: discovery,
            request: request,
            settings: settings
        )
    }

    /// The timeout for counting the items of all lists.
    private static let countingLimit = Duration.seconds(5)

    /// Adds the number of items of each list for which the server answers in time.
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

    /// Stores a found account with its password and the lists with the indices `chosen`; `nil` means all lists.
    package func keep(
        _ found: FoundAccount,
        lists chosen: Set<Int>? = nil,
        default standard: DefaultListChoice = .automatic
    ) throws -> AccountView {
        let secrets = self.secrets
        let (label, now) = (Self.passwordLabel(found.name), self.seconds)
        let reference = try secrets.keep(found.request.password, identifier: self.newUID(), label: label)
        let account: AccountID
        do {
            account = try self.store.write { transaction in
                try transaction.prepareDefaultList()
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
                let made = try found.collections.map { collection in
                    try transaction.adopt(collection, account: id, accountName: found.name, at: now)
                }
                switch standard {
                case .automatic: break
                case .found(let place):
                    if let list = try transaction.list(made[place]) { try transaction.setDefaultList(list) }
                case .existing(let name): try transaction.setDefaultList(transaction.list(named: name))
                }
                for (place, list) in made.enumerated() where chosen?.contains(place) == false {
                    try transaction.deleteList(list, ignoringUntil: nil)
                }
                try transaction.settleDefaultList()
                return id
            }
        } catch {
            secrets.forget(reference)
            throw error
        }
        if let source = found.request.keyPassword {
            try secrets.keepKeyPassword(secrets.secret(source), of: account, label: Self.keyPasswordLabel(found.name))
        }
        return try self.view(of: found.name)
    }

    private static func unique(_ name: String, among taken: [String]) -> String {
        guard taken.contains(name) else { return name }
        return (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name
    }
}

extension [CalendarCollection] {
    /// The collections that may contain to-dos; collections for to-dos alone come first.
    var taskLists: [CalendarCollection] {
        let lists = self.filter { $0.supports("VTODO") && $0.hasShortAddress }
        return lists.filter { $0.components == ["VTODO"] } + lists.filter { $0.components != ["VTODO"] }
    }
}

extension CalendarCollection {
    /// Whether the store can have a list with this address; a longer one is reported by each sync.
    var hasShortAddress: Bool { KeyLimits.allows(self.url.text) }

    var givenName: String? { self.displayName ?? self.url.path.split(separator: "/").last.map(String.init) }

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
