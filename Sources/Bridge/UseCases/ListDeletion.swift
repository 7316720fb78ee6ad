import RemindavCalDAV
import RemindavHTTP
import RemindavResources
import RemindavStore
import RemindavWebDAV

extension UseCases {
    /// The time for which a server may still report a deleted collection; Infomaniak needs up to 20 seconds.
    private static let deletionSeconds: Int64 = 300

    /// Determines the consequences of deleting a list; with `localOnly`, its collection stays on the server.
    package func listDeletion(of name: String, localOnly: Bool) throws -> ListDeletion {
        try self.store.read { snapshot in
            let list = try snapshot.list(named: name)
            let account = try snapshot.accounts().first { $0.id == list.account }
            let state = try snapshot.syncState(of: list.id)
            let waiting = Set(list.state == .synced ? state?.items.filter(\.isDirty).map(\.id) ?? [] : [])
            let rows = try snapshot.rows(in: list.id)
            let key = list.url.flatMap { RemindavHTTP.URL($0)?.parent?.asFolder.pathKey }
            return ListDeletion(
                name: list.name,
                account: account?.name,
                state: ListView.State(list.state),
                goesFromServer: list.state == .synced && !localOnly,
                isForeign: list.state == .synced && !(account?.homes.contains { $0.asFolder.pathKey == key } ?? true),
                reminders: rows.count,
                unsent: rows.filter { waiting.contains($0.id) }.map(\.index.title),
                unsentDeletions: list.state == .synced ? state?.tombstones.count ?? 0 : 0,
                nowhereElse: list.state == .synced ? try snapshot.localOnlyCount(in: list.id) : 0
            )
        }
    }

    /// Deletes a list and its reminders, first on its server and then in the store.
    ///
    /// Reminders that no server has go into the trash. If the server has changes that were never synced, nothing is
    /// deleted.
    ///
    /// - Parameter localOnly: whether the list stays on the server; later syncs then ignore it.
    package func deleteList(_ name: String, localOnly: Bool) async throws {
        let list = try self.store.read { snapshot in try snapshot.list(named: name) }
        let now = self.seconds
        let read = self.textReading
        guard list.state == .synced, let url = list.url.flatMap({ RemindavHTTP.URL($0) }), let id = list.account else {
            return try self.store.write { transaction throws(DatabaseError) in
                let run = try transaction.trash(transaction.objects(in: list.id), at: now)
                let before = try transaction.list(list.id)
                try transaction.deleteList(list.id)
                // A server may offer a lost list again, so only the deletion of a local list is recorded for undo.
                guard before?.state == .local else { return }
                try transaction.recordList(before: before, after: nil, of: run, at: now)
            }
        }
        let lock = try self.lockForChange()
        defer { withExtendedLifetime(lock) {} }
        if localOnly {
            return try self.store.write { transaction throws(DatabaseError) in
                try transaction.returnMovedObjects(from: list.id, reading: read)
                try transaction.trash(transaction.objects(in: list.id).filter(\.isDirty), at: now)
                try transaction.deleteList(list.id, ignoringUntil: nil)
            }
        }
        let account = try self.account(id)
        // SOGo and some other servers use a list as the folder of all lists, which must not be deleted.
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

    /// Turns a list that its server has lost into a local list.
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
    /// Whether the server has a version of an object that was never in the store.
    func misses(_ changes: ResourceChanges) -> Bool {
        var known: [String: EntityTag?] = [:]
        for item in self.items { if let href = item.href { known[href.key] = item.etag } }
        for item in self.tombstones { known[item.href.key] = item.etag }
        for item in self.overrides { known[item.href.key] = item.etag }
        for item in self.unreadable { known[item.href.key] = item.etag }
        return changes.changed.contains { member in
            // Without an entity tag, a change by another program is not visible, so the version counts as unknown.
            guard let etag = known[member.href.key], let etag else { return true }
            guard let now = member.etag else { return false }
            return !etag.weaklyEquals(now)
        }
    }
}
