import RemindavCalDAV
import RemindavHTTP
import RemindavReminders
import RemindavStore

extension UseCases {
    /// Renames a list, first on its server if it has one, and then in the store.
    ///
    /// The store then has the name that the server reports, except if a slow server still reports the old name.
    package func renameList(_ name: String, to new: String) async throws -> ListChange {
        let list = try self.store.read { snapshot in
            let lists = try snapshot.lists()
            guard let list = try lists.named(name) else { throw UseCaseError(.listNotFound, subject: name) }
            if let clash = lists.first(where: { $0.id != list.id && $0.name.isSameButForCase(as: new) }) {
                throw UseCaseError(.listExists, subject: clash.name)
            }
            return list
        }
        return try await self.change(list, .name(new))
    }

    /// Sets the colour (`#RRGGBB`; `nil` for none), first on the list's server if it has one, and then in the store.
    package func recolorList(_ name: String, to color: String?) async throws -> ListChange {
        try await self.change(try self.store.read { snapshot in try snapshot.list(named: name) }, .color(color))
    }

    private func change(_ list: ListRecord, _ change: CollectionChange) async throws -> ListChange {
        guard list.state == .synced, let url = list.url.flatMap({ RemindavHTTP.URL($0) }), let id = list.account else {
            let now = self.seconds
            try self.store.write { transaction throws(DatabaseError) in
                guard let before = try transaction.list(list.id) else { throw DatabaseError(.notFound) }
                var current = before
                switch change {
                case .name(let name): current.name = name
                case .color(let color): current.color = color
                }
                try transaction.update(current)
                try transaction.recordList(before: before, after: current, at: now)
            }
            return ListChange(list: try self.listView(list.id))
        }
        let lock = try self.lockForChange()
        defer { withExtendedLifetime(lock) {} }
        let account = try self.account(id)
        let client = try self.client(for: account)
        let collection: CalendarCollection
        do throws(CalDAVError) {
            collection = try await client.change(
                change,
                of: CalendarCollection(url: url, resourceID: list.identity),
                homes: account.homes
            )
        } catch {
            throw Self.explained(error, .listChangeRefused, list)
        }
        let answer = try self.store.write { transaction throws(DatabaseError) -> String? in
            guard let before = try transaction.list(list.id) else { throw DatabaseError(.notFound) }
            var remote = collection.remoteList(account: id)
            if collection.url.pathKey == url.pathKey { remote.url = url.text }
            try transaction.adoptRemote(list.id, remote)
            guard var current = try transaction.list(list.id) else { throw DatabaseError(.notFound) }
            // In `current`, `adoptRemote` has replaced the server's former values. The comparisons need `before`.
            var decided = before
            // Another program may have changed the colour during a renaming, or the name during a change of the colour.
            try transaction.adoptNameAndColor(
                of: remote,
                known: before,
                into: &decided,
                accountName: account.name,
                besides: [list.id]
            )
            let answer: String?
            switch change {
            case .name(let new):
                decided.name = new
                answer = remote.name == new ? nil : remote.name
                if let answer, answer != before.remoteName {
                    decided.name = try transaction.freeName(answer, accountName: account.name, besides: [list.id])
                }
            case .color(let color):
                decided.color = remote.color == before.remoteColor ? color : remote.color
                answer = remote.color == color ? nil : remote.color ?? ""
            }
            current.name = decided.name
            current.color = decided.color
            try transaction.update(current)
            return answer
        }
        return ListChange(list: try self.listView(list.id), serverValue: answer)
    }

    /// Converts an error of a request for a list; an error of the whole server stays unchanged.
    static func explained(_ error: CalDAVError, _ code: UseCaseError.Code, _ list: ListRecord) -> any Error {
        switch error.code {
        case .forbidden, .rejected, .serverError, .preconditionFailed, .uidConflict, .tooLarge, .overQuota:
            let status = error.status.map { ", status \($0)" } ?? ""
            return UseCaseError(code, subject: "\(list.name)\(status)")
        case .notFound:
            return UseCaseError(.listVanished, subject: list.name)
        default:
            return error
        }
    }

    func account(_ id: AccountID) throws -> AccountRecord {
        let accounts = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        guard let account = accounts.first(where: { $0.id == id }) else { throw UseCaseError(.accountNotFound) }
        return account
    }

    func listView(_ id: ListID) throws -> ListView {
        let list = try self.store.read { snapshot throws(DatabaseError) in try snapshot.list(id) }
        return try self.listView(named: list?.name ?? "")
    }
}
