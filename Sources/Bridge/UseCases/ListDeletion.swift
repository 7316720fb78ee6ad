import CalDAV
import HTTP
import Resources
import Store
import WebDAV

extension UseCases {
    /// How long a server may go on listing what it has deleted: Infomaniak takes up to 20 seconds.
    private static let deletionSeconds: Int64 = 300

    /// What would go with a list.
    ///
    /// - Parameter localOnlyCount: whether its collection on the server stays.
    package func listDeletion(of name: String, localOnlyCount: Bool) throws -> ListDeletion {
        try self.store.read { snapshot in
            let list = try snapshot.list(named: name)
            let account = try snapshot.accounts().first { $0.id == list.account }
            let state = try snapshot.syncState(of: list.id)
            let waiting = Set(list.state == .synced ? state?.items.filter(\.isDirty).map(\.id) ?? [] : [])
            let rows = try snapshot.rows(in: list.id)
            let key = list.url.flatMap { HTTP.URL($0)?.parent?.asFolder.pathKey }
            return ListDeletion(
                name: list.name,
                account: account?.name,
                state: ListView.State(list.state),
                goesFromServer: list.state == .synced && !localOnlyCount,
                isForeign: list.state == .synced && !(account?.homes.contains { $0.asFolder.pathKey == key } ?? true),
                reminders: rows.count,
                unsent: rows.filter { waiting.contains($0.id) }.map(\.index.title),
                unsentDeletions: list.state == .synced ? state?.tombstones.count ?? 0 : 0,
                nowhereElse: list.state == .synced ? try snapshot.localOnlyCount(in: list.id) : 0
            )
        }
    }

    /// Deletes a list with everything in it: on its server first, then here.
    ///
    /// What is nowhere else afterwards lies in the trash.
    ///
    /// The server's list goes only when everything in it has been here: what somebody else has added or changed since the
    /// last sync is not deleted unseen.
    ///
    /// - Parameter localOnlyCount: leaves it on the server, and keeps it from becoming a list here again.
    package func deleteList(_ name: String, localOnlyCount: Bool) async throws {
        let list = try self.store.read { snapshot in try snapshot.list(named: name) }
        let now = self.seconds
        let index = self.indexing
        guard list.state == .synced, let url = list.url.flatMap({ HTTP.URL($0) }), let id = list.account else {
            return try self.store.write { transaction throws(DatabaseError) in
                let run = try transaction.trash(transaction.objects(in: list.id), at: now)
                let before = try transaction.list(list.id)
                try transaction.deleteList(list.id)
                // What a server has lost may come back from there, and is not made here again.
                guard before?.state == .local else { return }
                try transaction.recordList(before: before, after: nil, of: run, at: now)
            }
        }
        let lock = try self.lockForSync()
        defer { withExtendedLifetime(lock) {} }
        if localOnlyCount {
            return try self.store.write { transaction throws(DatabaseError) in
                try transaction.returnMovedObjects(from: list.id, index: index)
                try transaction.trash(transaction.objects(in: list.id).filter(\.isDirty), at: now)
                try transaction.deleteList(list.id, ignoringUntil: nil)
            }
        }
        let account = try self.account(id)
        // Some servers let a list and the folder of all lists be one (SOGo).
        guard !account.homes.contains(where: { $0.asFolder.pathKey == url.asFolder.pathKey }) else {
            throw UseCaseError(.listDeleteRefused, subject: list.name)
        }
        let client = try self.client(for: account)
        let state = try self.store.read { snapshot throws(DatabaseError) in try snapshot.syncState(of: list.id) }
        var isInStep = true
        do throws(CalDAVError) {
            if let collection = try await client.list(at: url) {
                let changes = try await client.changes(in: collection, since: list.syncToken)
                isInStep = state.map { !$0.misses(changes) } ?? true
                if isInStep { _ = try await client.deleteCalendar(at: url) }
            }
        } catch {
            throw Self.explained(error, .listDeleteRefused, list)
        }
        guard isInStep else { throw UseCaseError(.listNotInStep, subject: list.name) }
        let until = self.seconds + Self.deletionSeconds
        try self.store.write { transaction throws(DatabaseError) in
            try transaction.trash(transaction.objects(in: list.id), at: now)
            try transaction.deleteList(list.id, ignoringUntil: until)
        }
    }

    /// Makes a list that its server has lost a list of this machine, with all that is in it.
    package func keepList(_ name: String) throws -> ListView {
        let list = try self.store.write { transaction in
            let list = try transaction.list(named: name)
            guard list.state != .synced else { throw UseCaseError(.listNotLost, subject: list.name) }
            if list.state == .detached { try transaction.makeLocal(list.id) }
            return list
        }
        return try self.listView(list.id)
    }
}

extension SyncState {
    /// Whether the server holds something in a version that has not been here.
    func misses(_ changes: ResourceChanges) -> Bool {
        var known: [String: EntityTag?] = [:]
        for item in self.items { if let href = item.href { known[href.key] = item.etag } }
        for item in self.tombstones { known[item.href.key] = item.etag }
        for item in self.overrides { known[item.href.key] = item.etag }
        for item in self.unreadable { known[item.href.key] = item.etag }
        return changes.changed.contains { member in
            // A version that was sent and not told of may be somebody else's by now; the next sync looks at it.
            guard let etag = known[member.href.key], let etag else { return true }
            guard let now = member.etag else { return false }
            return !etag.weaklyEquals(now)
        }
    }
}
