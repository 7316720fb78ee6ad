import CalDAV
import HTTP
import Reminders
import Store

extension UseCases {
    /// Gives a list another name: here, and where it has another side, there first.
    ///
    /// What the server makes of the name is taken over, unless it still says the old one: some take a while.
    package func renameList(_ name: String, to new: String) async throws -> ListChange {
        let list = try self.store.read { snapshot in
            let lists = try snapshot.lists()
            guard let list = try lists.named(name) else { throw UseCaseError(.listNotFound, subject: name) }
            if let clash = lists.first(where: { $0.id != list.id && $0.name.isSameButForCase(as: new) }) {
                throw UseCaseError(.listExists, subject: clash.name)
            }
            return list
        }
        return try await self.change(list, .name(new)) { list, said, accountName, transaction throws(DatabaseError) in
            guard let said, said != new, said != list.remoteName else {
                list.name = new
                return said == new ? nil : said
            }
            list.name = try transaction.freeName(said, accountName: accountName, besides: [list.id])
            return said
        }
    }

    /// Gives a list another colour, or none: here, and where it has another side, there first.
    ///
    /// - Parameter color: `#RRGGBB`, `nil` for none.
    package func recolorList(_ name: String, to color: String?) async throws -> ListChange {
        let list = try self.store.read { snapshot in try snapshot.list(named: name) }
        return try await self.change(list, .color(color)) { list, said, _, _ in
            list.color = said == list.remoteColor ? color : said
            return said == color ? nil : said ?? ""
        }
    }

    /// - Parameter adopt: changes the list as the server's word, the second argument, asks for, and returns that word when
    ///   it is not the one that was sent.
    private func change(
        _ list: ListRecord,
        _ change: CollectionChange,
        adopt: (inout ListRecord, String?, String, StoreTransaction) throws(DatabaseError) -> String?
    ) async throws -> ListChange {
        guard list.state == .synced, let url = list.url.flatMap({ HTTP.URL($0) }), let id = list.account else {
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
        let lock = try self.lockForSync()
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
            // The decision needs what the server has said until now.
            var decided = before
            // Somebody else may have changed the other of the two.
            try transaction.adoptNameAndColor(
                of: remote,
                known: before,
                into: &decided,
                accountName: account.name,
                besides: [list.id]
            )
            let said =
                switch change {
                case .name: remote.name
                case .color: remote.color
                }
            let answer = try adopt(&decided, said, account.name, transaction)
            current.name = decided.name
            current.color = decided.color
            try transaction.update(current)
            return answer
        }
        return ListChange(list: try self.listView(list.id), serverSays: answer)
    }

    /// A failure at a list's collection in the words of a person's side; what concerns the whole server stays.
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
