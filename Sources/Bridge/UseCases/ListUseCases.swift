import CalDAV
import HTTP
import Reminders
import Store

extension UseCases {
    /// The name of the list that is made when there is none.
    package static let firstListName = "Reminders"

    /// All lists: local ones first, then by account and name.
    package func lists() throws -> [ListView] {
        try self.store.read { snapshot throws(DatabaseError) in
            let lists = try snapshot.lists()
            let accounts = try snapshot.accounts()
            let standard = try snapshot.usableDefaultList(self.configuration.defaultList)
            var views: [ListView] = []
            for list in lists {
                let rows = try snapshot.rows(in: list.id)
                let closed = rows.count { $0.index.isClosed }
                let state = list.account == nil ? nil : try snapshot.syncState(of: list.id)
                let view = ListView(
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
                views.append(view)
            }
            return views.sorted { ($0.account ?? "", $0.name) < ($1.account ?? "", $1.name) }
        }
    }

    /// The lists of accounts that a person does not want here, by name, each with its account's name.
    package func ignoredLists() throws -> [(name: String, account: String)] {
        try self.store.read { snapshot throws(DatabaseError) in
            let accounts = try snapshot.accounts()
            return try snapshot.ignoredLists().filter { $0.until == nil }.compactMap { ignored in
                accounts.first { $0.id == ignored.account }.map { (ignored.name, $0.name) }
            }
        }
    }

    /// Makes a list: here, or with an account on its server (MKCALENDAR, RFC 4791 §5.3.1).
    ///
    /// A local list of that name, or one whose server has lost it, goes to the account with all its reminders: they are
    /// sent at the next sync. A list of that name that is there already is joined, unless it is a list here under
    /// another name with something in it that the server has not.
    package func addList(named name: String, account: String?, color: String?) async throws -> ListAddition {
        let lists = try self.store.read { snapshot throws(DatabaseError) in try snapshot.lists() }
        let existing = lists.first { $0.name == name }
        if let clash = existing ?? lists.first(where: { $0.name.isSameButForCase(as: name) }),
            account == nil || existing == nil || clash.state == .synced
        {
            throw UseCaseError(.listExists, subject: clash.name)
        }
        let now = self.seconds
        guard let account else {
            try self.store.write { transaction in
                guard try transaction.lists(named: name).isEmpty else {
                    throw UseCaseError(.listExists, subject: name)
                }
                try transaction.prepareDefaultList()
                let made = try transaction.list(transaction.insertList(named: name, color: color, at: now))
                try transaction.recordList(before: nil, after: made, at: now)
                try transaction.settleDefaultList()
            }
            return ListAddition(list: try self.listView(named: name), isJoined: false)
        }
        let lock = try self.lockForSync()
        defer { withExtendedLifetime(lock) {} }
        let record = try self.account(named: account)
        let choice = try await self.collection(
            named: name,
            color: color ?? existing?.color,
            account: record,
            for: existing
        )
        try self.store.write { transaction in
            try transaction.prepareDefaultList()
            let id =
                if let existing { existing.id } else {
                    try transaction.insertList(named: name, color: color ?? choice.collection.color, at: now)
                }
            if let twin = choice.twin {
                // Somebody may have changed something in it while the server was asked.
                guard try transaction.syncState(of: twin)?.mayBeOnlyHere == false else {
                    throw UseCaseError(.listOnServerNotInStep, subject: try transaction.list(twin)?.name)
                }
                try transaction.moveContents(twin, to: id)
                try transaction.deleteList(twin)
            }
            try transaction.adoptRemote(id, choice.collection.remoteList(account: record.id))
            if choice.isNew { try transaction.markMadeHere(id) }
            for ignored in try transaction.ignoredLists()
            where HTTP.URL(ignored.url)?.pathKey == choice.collection.url.pathKey {
                try transaction.stopIgnoring(ignored.url, of: record.id)
            }
            try transaction.settleDefaultList()
        }
        return ListAddition(list: try self.listView(named: name), isJoined: !choice.isNew)
    }

    func listView(named name: String) throws -> ListView {
        guard let view = try self.lists().first(where: { $0.name == name }) else {
            throw UseCaseError(.listNotFound, subject: name)
        }
        return view
    }

    /// The collection that a list shall be: one that waits for it on the server, or a new one.
    ///
    /// - Parameter list: the list here that it is for, if there is one.
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
                .compactMap { HTTP.URL($0.url)?.pathKey }
        )
        // Made by another machine: one more of the same name would hold everything twice.
        let existing =
            listed.taskLists.first { unwanted.contains($0.url.pathKey) }
            ?? listed.taskLists.first { $0.displayName == name && $0.isWritable }
        guard let existing else {
            let made = try await client.makeCalendar(named: name, color: color, in: home, segment: self.newUID())
            return CollectionChoice(collection: made, isNew: true)
        }
        let paired = lists.first {
            $0.account == account.id && $0.url.flatMap { HTTP.URL($0)?.pathKey } == existing.url.pathKey
        }
        guard let paired else { return CollectionChoice(collection: existing) }
        let state = try self.store.read { snapshot throws(DatabaseError) in try snapshot.syncState(of: paired.id) }
        guard let list, list.state != .synced, let state else {
            throw UseCaseError(.listOnServer, subject: paired.name)
        }
        guard !state.mayBeOnlyHere else { throw UseCaseError(.listOnServerNotInStep, subject: paired.name) }
        return CollectionChoice(collection: existing, twin: paired.id)
    }

    /// The list of that name, or the one that is used when none is named; made when the store has none at all.
    func writableList(_ name: String?, makesMissing: Bool = false) throws -> ListRecord {
        let now = self.seconds
        let standard = self.configuration.defaultList
        let list = try self.store.read { snapshot in try snapshot.list(name, orStandard: standard) }
        if let list {
            guard !list.isReadOnly else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
            if name == nil, standard == nil { try self.recordFirstDefault() }
            return list
        }
        if name == nil, let standard {
            let isFirst = try self.store.read { snapshot throws(DatabaseError) in try snapshot.lists().isEmpty }
            guard isFirst else { throw UseCaseError(.defaultListNotFound, subject: standard) }
        }
        guard name == nil || makesMissing else { throw UseCaseError(.listNotFound, subject: name) }
        let made = try self.store.write { transaction -> ListRecord? in
            // Another process may have made it in the meantime.
            if let list = try transaction.list(name, orStandard: standard) { return list }
            try transaction.prepareDefaultList()
            let id = try transaction.insertList(named: name ?? standard ?? Self.firstListName, at: now)
            try transaction.settleDefaultList()
            return try transaction.list(id)
        }
        guard let made else { throw UseCaseError(.listNotFound, subject: name) }
        return made
    }
}

/// The collection that a list shall be.
private struct CollectionChoice {
    let collection: CalendarCollection
    /// The list here that has it and has nothing that the server has not: the other takes its place.
    var twin: ListID?
    /// Whether it has just been made, with nothing in it.
    var isNew = false
}

extension StoreSnapshot {
    /// The list of that name, or the one that is used when none is named; `nil` when there is no such list.
    ///
    /// - Parameter standard: the name that the settings give, `nil` for the recorded default list.
    func list(_ name: String?, orStandard standard: String?) throws -> ListRecord? {
        if let name = name ?? standard { return try self.lists().named(name) }
        return try self.defaultListOrNone()
    }

    /// The list that a person means by a name.
    func list(named name: String) throws -> ListRecord {
        guard let list = try self.lists().named(name) else { throw UseCaseError(.listNotFound, subject: name) }
        return list
    }
}

extension [ListRecord] {
    /// The oldest list that can be changed; `nil` when there is none.
    var oldestWritable: ListRecord? {
        self.filter { !$0.isReadOnly && $0.state != .detached }.min { $0.id < $1.id }
    }

    /// The list that a person means by a name: the one that is called just so, else the only one that is but for capitals.
    ///
    /// - Returns: `nil` when there is none.
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
    /// Whether two names differ at most in capitals.
    func isSameButForCase(as other: String) -> Bool { self.lowercased() == other.lowercased() }
}

extension ListView.State {
    init(_ state: ListState) {
        self =
            switch state {
            case .local: .local
            case .synced: .synced
            case .detached: .detached
            }
    }
}

extension SyncState {
    /// Changes that the server has not got.
    var unsent: Int { self.items.filter(\.isDirty).count + self.tombstones.count }

    /// Whether something in it may be nowhere else: changes that were not sent, or anything at all while no sync has come
    /// to its end, as when the server no longer has what is here and deletions wait for the person's word.
    var mayBeOnlyHere: Bool {
        self.unsent > 0 || self.list.syncToken == nil && self.list.ctag == nil && !self.items.isEmpty
    }
}
