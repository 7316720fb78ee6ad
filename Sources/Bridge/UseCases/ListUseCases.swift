import RemindavCalDAV
import RemindavHTTP
package import RemindavJSON
import RemindavReminders
import RemindavStore

package struct ListView: Hashable, Sendable {
    package enum State: String, Sendable {
        case local, synced
        /// The server no longer has the list; its reminders stay in the store until the user decides.
        case detached

        init(_ state: ListState) { self = Self(rawValue: state.rawValue) ?? .local }
    }

    package let name: String
    package let account: String?
    package let state: State
    package let color: String?
    package let isReadOnly: Bool
    package let isDefault: Bool
    package let open: Int
    package let completed: Int
    package let unsent: Int
    package let defaults: ListDefaults
}

package struct ListHead: Hashable, Sendable {
    package let name: String
    package let color: String?
    package let isReadOnly: Bool
}

extension ListView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name }, JSONMember("account") { $0.account },
        JSONMember("state") { $0.state.rawValue }, JSONMember("color") { $0.color },
        JSONMember("readOnly") { $0.isReadOnly }, JSONMember("default") { $0.isDefault },
        JSONMember("open") { $0.open }, JSONMember("completed") { $0.completed },
        JSONMember("unsent") { $0.unsent }, JSONMember("due") { $0.defaults.due?.rawValue },
        JSONMember("alarm") { $0.defaults.alarms.map { AlarmFormatter.text($0) } },
    ]
}

extension UseCases {
    package static let firstListName = "Reminders"

    /// The names of the lists with reminders that exist on this computer only, in the order of ``lists()``.
    package func localLists() throws -> [String] {
        try self.store.read { snapshot throws(DatabaseError) in
            var names: [String] = []
            for list in try snapshot.lists() where list.state == .local {
                if try snapshot.objectCount(in: list.id) > 0 { names.append(list.name) }
            }
            return names
        }
    }

    /// All lists: local lists first, and then the lists of each account by name.
    package func lists() throws -> [ListView] {
        try self.store.read { snapshot throws(DatabaseError) in
            let lists = try snapshot.lists()
            let accounts = try snapshot.accounts()
            let standard = try snapshot.usableDefaultList(self.configuration.defaultList)
            let views = try lists.map { list throws(DatabaseError) in
                let rows = try snapshot.rows(in: list.id)
                let closed = rows.count { $0.index.status.isClosed }
                let state = list.account == nil ? nil : try snapshot.syncState(of: list.id)
                return ListView(
                    name: list.name,
                    account: accounts.first { $0.id == list.account }?.name,
                    state: ListView.State(list.state),
                    color: list.color,
                    isReadOnly: list.isReadOnly,
                    isDefault: list.id == standard?.id,
                    open: rows.count - closed,
                    completed: closed,
                    unsent: state?.unsent ?? 0,
                    defaults: ListDefaults(list: list.name, try snapshot.defaults(of: list.id))
                )
            }
            return views.sorted { ($0.account ?? "", $0.name) < ($1.account ?? "", $1.name) }
        }
    }

    package func listNames() throws -> [String] {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.lists().map(\.name) }
    }

    /// The name, the colour and the permission of each list; unlike ``lists()``, it counts no reminders.
    package func listHeads() throws -> [ListHead] {
        try self.store.read { snapshot throws(DatabaseError) in
            try snapshot.lists().map { ListHead(name: $0.name, color: $0.color, isReadOnly: $0.isReadOnly) }
        }
    }

    /// The lists that the user deleted only in the store, with the names of their accounts.
    package func ignoredLists() throws -> [(name: String, account: String)] {
        try self.store.read { snapshot throws(DatabaseError) in
            let accounts = try snapshot.accounts()
            return try snapshot.ignoredLists().filter { $0.until == nil }.compactMap { ignored in
                accounts.first { $0.id == ignored.account }.map { (ignored.name, $0.name) }
            }
        }
    }

    /// Creates a list in the store, or with an account also on its server (MKCALENDAR, RFC 4791 §5.3.1).
    ///
    /// A local list or a ``ListView/State/detached`` list with that name is assigned to the account, and the next sync
    /// sends its reminders. An existing collection with that name is used. If the store has this collection as a list
    /// with another name, that list must not have unsent changes.
    package func addList(named name: String, account: String?, color: String?) async throws -> ListAddition {
        let lists = try self.store.read { snapshot throws(DatabaseError) in try snapshot.lists() }
        let existing = lists.first { $0.name == name }
        if let clash = existing ?? lists.first(where: { $0.name.isSameButForCase(as: name) }),
            account == nil || existing == nil || clash.state == .synced
        {
            throw UseCaseError(.listExists, subject: clash.name)
        }
        var isJoined = false
        if let account {
            let lock = try self.lockForChange()
            defer { withExtendedLifetime(lock) {} }
            let record = try self.account(named: account)
            let color = color ?? existing?.color
            let choice = try await self.collection(named: name, color: color, account: record, for: existing)
            try self.adopt(choice, as: existing, named: name, color: color, of: record)
            isJoined = !choice.isNew
        } else {
            try self.addLocalList(named: name, color: color)
        }
        return ListAddition(list: try self.listView(named: name), isJoined: isJoined)
    }

    private func addLocalList(named name: String, color: String?) throws {
        let now = self.seconds
        try self.store.write { transaction in
            guard try transaction.lists(named: name).isEmpty else { throw UseCaseError(.listExists, subject: name) }
            try transaction.prepareDefaultList()
            let made = try transaction.list(transaction.insertList(named: name, color: color, at: now))
            try transaction.recordList(before: nil, after: made, at: now)
            try transaction.settleDefaultList()
        }
    }

    private func adopt(
        _ choice: CollectionChoice,
        as existing: ListRecord?,
        named name: String,
        color: String?,
        of account: AccountRecord
    ) throws {
        let now = self.seconds
        try self.store.write { transaction in
            try transaction.prepareDefaultList()
            let id =
                if let existing { existing.id } else {
                    try transaction.insertList(named: name, color: color ?? choice.collection.color, at: now)
                }
            if let twin = choice.twin {
                // The list `twin` may have changed during the requests.
                guard try transaction.syncState(of: twin)?.mayBeOnlyHere == false else {
                    throw UseCaseError(.listOnServerNotInStep, subject: try transaction.list(twin)?.name)
                }
                try transaction.moveReferences(twin, to: id)
                try transaction.deleteList(twin)
            }
            try transaction.adoptRemote(id, choice.collection.remoteList(account: account.id))
            if choice.isNew { try transaction.markMadeHere(id) }
            for ignored in try transaction.ignoredLists()
            where RemindavHTTP.URL(ignored.url)?.pathKey == choice.collection.url.pathKey {
                try transaction.stopIgnoring(ignored.url, of: account.id)
            }
            try transaction.settleDefaultList()
        }
    }

    func listView(named name: String) throws -> ListView {
        guard let view = try self.lists().first(where: { $0.name == name }) else {
            throw UseCaseError(.listNotFound, subject: name)
        }
        return view
    }

    /// An existing or a new collection of the server for a list; `list` is `nil` for a new list.
    private func collection(
        named name: String,
        color: String?,
        account: AccountRecord,
        for list: ListRecord?
    ) async throws -> CollectionChoice {
        let client = try self.client(for: account)
        guard let home = account.homes.first else { throw UseCaseError(.noTaskLists, subject: account.name) }
        var listed: [CalendarCollection] = []
        for home in account.homes { listed += try await client.lists(in: home) }
        let (lists, ignored) = try self.store.read { snapshot throws(DatabaseError) in
            (try snapshot.lists(), try snapshot.ignoredLists())
        }
        let unwanted = Set(
            ignored.filter { $0.account == account.id && $0.name == name && $0.until == nil }
                .compactMap { RemindavHTTP.URL($0.url)?.pathKey }
        )
        // Another machine may have created the collection. In a second collection, all reminders would exist twice.
        let existing =
            listed.taskLists.first { unwanted.contains($0.url.pathKey) }
            ?? listed.taskLists.first { $0.displayName == name && $0.isWritable }
        guard let existing else {
            let made = try await client.makeCalendar(named: name, color: color, in: home, segment: self.newUID())
            return CollectionChoice(collection: made, isNew: true)
        }
        let paired = lists.first {
            $0.account == account.id && $0.url.flatMap { RemindavHTTP.URL($0)?.pathKey } == existing.url.pathKey
        }
        guard let paired else { return CollectionChoice(collection: existing) }
        let state = try self.store.read { snapshot throws(DatabaseError) in try snapshot.syncState(of: paired.id) }
        guard let list, list.state != .synced, let state else {
            throw UseCaseError(.listOnServer, subject: paired.name)
        }
        guard !state.mayBeOnlyHere else { throw UseCaseError(.listOnServerNotInStep, subject: paired.name) }
        return CollectionChoice(collection: existing, twin: paired.id)
    }

    /// The list with that name, or the default list; in a new store, the default list is created.
    func writableList(_ name: String?) throws -> ListRecord {
        let now = self.seconds
        let standard = self.configuration.defaultList
        let list = try self.store.read { snapshot in try snapshot.list(name, orStandard: standard) }
        if let list {
            guard !list.isReadOnly else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
            if name == nil, standard == nil { try self.recordFirstDefault() }
            return list
        }
        guard name == nil else { throw UseCaseError(.listNotFound, subject: name) }
        if let standard, try !self.store.read({ snapshot throws(DatabaseError) in try snapshot.lists().isEmpty }) {
            throw UseCaseError(.defaultListNotFound, subject: standard)
        }
        let made = try self.store.write { transaction -> ListRecord? in
            if let list = try transaction.list(nil, orStandard: standard) { return list }
            try transaction.prepareDefaultList()
            let id = try transaction.insertList(named: standard ?? Self.firstListName, at: now)
            try transaction.settleDefaultList()
            return try transaction.list(id)
        }
        guard let made else { throw UseCaseError(.listNotFound, subject: name) }
        return made
    }
}

private struct CollectionChoice {
    let collection: CalendarCollection
    /// The list with another name to which the collection belongs now; the requested list replaces this list.
    var twin: ListID?
    var isNew = false
}

extension StoreSnapshot {
    /// The list with that name, or the default list; `nil` if there is no such list, or if a new store has no list yet.
    ///
    /// - Parameter standard: the default list in the settings; `nil` for the recorded default list.
    func list(_ name: String?, orStandard standard: String?) throws -> ListRecord? {
        if let name = name ?? standard { return try self.lists().named(name) }
        return try self.defaultListOrNone()
    }

    func list(named name: String) throws -> ListRecord {
        guard let list = try self.lists().named(name) else { throw UseCaseError(.listNotFound, subject: name) }
        return list
    }
}

extension [ListRecord] {
    var oldestWritable: ListRecord? {
        self.filter { !$0.isReadOnly && $0.state != .detached }.min { $0.id < $1.id }
    }

    /// The list with exactly this name, or otherwise the only list with the same name in other case.
    func named(_ name: String) throws(UseCaseError) -> ListRecord? {
        if let list = self.first(where: { $0.name == name }) { return list }
        let similar = self.filter { $0.name.isSameButForCase(as: name) }
        guard similar.count <= 1 else {
            throw UseCaseError(.listNameUnclear, subject: similar.map(\.name).joined(separator: "', '"))
        }
        return similar.first
    }
}

extension String {
    func isSameButForCase(as other: String) -> Bool { self.lowercased() == other.lowercased() }
}

extension SyncState {
    var unsent: Int { self.items.filter(\.isDirty).count + self.tombstones.count }

    /// Whether the list may contain text that no server has: unsent changes, or any reminder before the first complete
    /// sync.
    var mayBeOnlyHere: Bool {
        self.unsent > 0 || self.list.syncToken == nil && self.list.ctag == nil && !self.items.isEmpty
    }
}
