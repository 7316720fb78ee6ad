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
            let standard = lists.standard
            var views: [(account: String, view: ListView)] = []
            for list in lists {
                let rows = try snapshot.rows(in: list.id)
                let closed = rows.filter { Status.allCases[clamped: $0.index.status].isClosed }.count
                let account = accounts.first { $0.id == list.account }?.name
                let state = list.account == nil ? nil : try snapshot.syncState(of: list.id)
                let view = ListView(
                    name: list.name,
                    account: account,
                    color: list.color,
                    isReadOnly: list.isReadOnly,
                    isDefault: list.id == standard?.id,
                    open: rows.count - closed,
                    completed: closed,
                    unsent: state?.unsent ?? 0
                )
                views.append((account ?? "", view))
            }
            return views.sorted { ($0.account, $0.view.name) < ($1.account, $1.view.name) }.map(\.view)
        }
    }

    /// Makes a list: here, or with an account on its server (MKCALENDAR, RFC 4791 §5.3.1).
    ///
    /// A local list of that name, or one whose server has lost it, goes to the account with all its reminders: they are sent at the next sync.
    package func addList(named name: String, account: String?, color: String?) async throws -> ListView {
        let existing = try self.store.read { snapshot throws(DatabaseError) in try snapshot.lists(named: name).first }
        let now = self.seconds
        if let account {
            guard existing.map({ $0.state != .synced }) ?? true else { throw UseCaseError(.listExists, subject: name) }
            let lock = try self.lockForSync()
            defer { withExtendedLifetime(lock) {} }
            let record = try self.account(named: account)
            let collection = try await self.makeCalendar(named: name, color: color ?? existing?.color, account: record)
            try self.store.write { transaction throws(DatabaseError) in
                let id =
                    if let existing { existing.id } else {
                        try transaction.insertList(named: name, color: color, at: now)
                    }
                try transaction.adoptRemote(id, collection.remoteList(account: record.id))
            }
        } else {
            guard existing == nil else { throw UseCaseError(.listExists, subject: name) }
            try self.store.write { transaction in
                guard try transaction.lists(named: name).isEmpty else {
                    throw UseCaseError(.listExists, subject: name)
                }
                _ = try transaction.insertList(named: name, color: color, at: now)
            }
        }
        guard let view = try self.lists().first(where: { $0.name == name }) else {
            throw UseCaseError(.listNotFound, subject: name)
        }
        return view
    }

    private func makeCalendar(
        named name: String,
        color: String?,
        account: AccountRecord
    ) async throws -> CalendarCollection {
        let client = try self.client(for: account)
        guard let home = account.homes.first else { throw UseCaseError(.noTaskLists, subject: account.name) }
        // Made by another machine: one more of the same name would hold everything twice.
        if let existing = try await client.lists(in: home).taskLists.first(where: {
            $0.displayName == name && $0.isWritable
        }) {
            let paired = try self.store.read { snapshot throws(DatabaseError) in try snapshot.lists() }
                .first { $0.url.flatMap { HTTP.URL($0)?.pathKey } == existing.url.pathKey && $0.account == account.id }
            guard paired == nil else { throw UseCaseError(.listOnServer, subject: paired?.name) }
            return existing
        }
        return try await client.makeCalendar(named: name, color: color, in: home, segment: self.newUID())
    }

    /// The list of that name, or the one that is used when none is named; made when the store has none at all.
    func writableList(_ name: String?, makesMissing: Bool = false) throws -> ListRecord {
        let now = self.seconds
        let list = try self.store.read { snapshot throws(DatabaseError) in try snapshot.list(namedOrStandard: name) }
        if let list {
            guard !list.isReadOnly else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
            return list
        }
        guard name == nil || makesMissing else { throw UseCaseError(.listNotFound, subject: name) }
        let made = try self.store.write { transaction throws(DatabaseError) -> ListRecord? in
            // Another process may have made it in the meantime.
            if let list = try transaction.list(namedOrStandard: name) { return list }
            return try transaction.list(transaction.insertList(named: name ?? Self.firstListName, at: now))
        }
        guard let made else { throw UseCaseError(.listNotFound, subject: name) }
        return made
    }
}

extension StoreSnapshot {
    /// The list of that name, or the one that is used when none is named; `nil` when there is no such list.
    func list(namedOrStandard name: String?) throws(DatabaseError) -> ListRecord? {
        if let name { return try self.lists(named: name).first }
        return try self.lists().standard
    }
}

extension [ListRecord] {
    /// The list that is used when none is named: the oldest one that can be written to.
    var standard: ListRecord? {
        self.filter { !$0.isReadOnly && $0.state != .detached }.min { $0.id < $1.id }
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
