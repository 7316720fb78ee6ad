import RemindavCalDAV
import RemindavHTTP
import RemindavReminders
import RemindavStore

extension AccountSync {
    /// Pairs each list with its collection; new collections become lists, and lists that the server lost are detached.
    ///
    /// - Parameter unknown: lists that could not be requested; they stay unchanged.
    func pair(_ collections: [CalendarCollection], unknown: Set<ListID>) throws -> [(ListRecord, CalendarCollection?)] {
        let byKey = Dictionary(collections.map { ($0.url.pathKey, $0) }) { first, _ in first }
        let known = try self.lists()
        let knownKeys = Set(known.compactMap(Self.key))
        let unpaired = collections.filter { !knownKeys.contains($0.url.pathKey) }
        var followed: [(list: ListRecord, collection: CalendarCollection)] = []
        var lost: [ListID] = []
        for list in known {
            if let collection = Self.key(list).flatMap({ byKey[$0] }) ?? Self.moved(list, among: unpaired) {
                followed.append((list, collection))
            } else if list.state != .detached, !unknown.contains(list.id) {
                lost.append(list.id)
            }
        }
        let taken = Set(followed.map(\.collection.url.pathKey))
        let now = self.useCases.seconds
        try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
            try transaction.prepareDefaultList()
            for id in lost { try transaction.detach(id) }
            try transaction.follow(followed, of: self.account)
            let ignored = try transaction.ignoredKeys(of: self.account.id, listed: Set(byKey.keys), at: now)
            for collection in unpaired.taskLists
            where !taken.contains(collection.url.pathKey) && !ignored.contains(collection.url.pathKey) {
                try transaction.adopt(collection, account: self.account.id, accountName: self.account.name, at: now)
            }
            try transaction.settleDefaultList()
        }
        return try self.lists().map { list in (list, Self.key(list).flatMap { byKey[$0] }) }
    }

    /// Finds a list with a changed address: the only unpaired collection with the list's DAV:resource-id.
    ///
    /// RFC 5842 defines DAV:resource-id. The name does not identify a list, because a new list may have the old name.
    private static func moved(_ list: ListRecord, among unpaired: [CalendarCollection]) -> CalendarCollection? {
        guard let identity = list.identity else { return nil }
        let same = unpaired.filter { $0.resourceID == identity }
        return same.count == 1 ? same.first : nil
    }

    func lists() throws -> [ListRecord] {
        try self.store.read { try $0.lists() }.filter { $0.account == self.account.id }
    }

    private static func key(_ list: ListRecord) -> String? { list.url.flatMap { RemindavHTTP.URL($0)?.pathKey } }
}

extension ListRecord {
    /// The display name on the server if it changed since the last sync; `nil` keeps the name in the store.
    func newName(remote: String?) -> String? { remote == self.remoteName ? nil : remote }
}

extension StoreTransaction {
    /// Stores the changes that the server made to names, colours and write permissions of lists.
    func follow(
        _ lists: [(list: ListRecord, collection: CalendarCollection)],
        of account: AccountRecord
    ) throws(DatabaseError) {
        // Two lists may have exchanged their names, so the old names of lists that get a new name count as unused.
        var waiting = Set(lists.filter { $0.list.newName(remote: $0.collection.displayName) != nil }.map(\.list.id))
        for (list, collection) in lists {
            var remote = collection.remoteList(account: account.id)
            // If only the spelling of the address differs, the stored address is not replaced.
            if let url = list.url, RemindavHTTP.URL(url)?.pathKey == collection.url.pathKey { remote.url = url }
            if list.isFillingBegun {
                // An interrupted upload of a whole list removes name and colour. This run restores the stored values.
                remote.name = list.remoteName
                remote.color = list.remoteColor
            }
            let isOther =
                list.state != .synced || list.url != remote.url || list.identity != remote.identity
                || list.isReadOnly != remote.isReadOnly
                || list.supportsSyncCollection != remote.supportsSyncCollection
                || list.remoteName != remote.name || list.remoteColor != remote.color
            guard isOther else { continue }
            try self.adoptRemote(list.id, remote)
            guard var current = try self.list(list.id) else { continue }
            let name = account.name
            try self.adoptNameAndColor(of: remote, known: list, into: &current, accountName: name, besides: waiting)
            waiting.remove(list.id)
            if current.name != list.name || current.color != list.color { try self.update(current) }
        }
    }

    /// Applies the name and the colour of the server, each only if it changed since the last sync.
    func adoptNameAndColor(
        of remote: RemoteList,
        known list: ListRecord,
        into current: inout ListRecord,
        accountName: String,
        besides: Set<ListID>
    ) throws(DatabaseError) {
        if remote.color != list.remoteColor { current.color = remote.color }
        if let name = list.newName(remote: remote.name) {
            current.name = try self.freeName(name, accountName: accountName, besides: besides)
        }
    }

    /// A name that no list except those in `besides` has; if needed, the account's name and a number are appended.
    func freeName(_ wanted: String, accountName: String, besides: Set<ListID> = []) throws(DatabaseError) -> String {
        let taken = Set(try self.lists().filter { !besides.contains($0.id) }.map(\.name))
        let numbered = (2...).lazy.map { "\(wanted) (\(accountName) \($0))" }
        return [wanted, "\(wanted) (\(accountName))"].first { !taken.contains($0) }
            ?? numbered.first { !taken.contains($0) } ?? wanted
    }

    /// The keys of the account's collections that are not synced; entries that the server no longer lists or that
    /// expired are deleted.
    fileprivate func ignoredKeys(
        of account: AccountID,
        listed: Set<String>,
        at now: Int64
    ) throws(DatabaseError) -> Set<String> {
        var keys: Set<String> = []
        for ignored in try self.ignoredLists() where ignored.account == account {
            if let key = RemindavHTTP.URL(ignored.url)?.pathKey, listed.contains(key),
                ignored.until.map({ $0 > now }) ?? true
            {
                keys.insert(key)
            } else {
                try self.stopIgnoring(ignored.url, of: account)
            }
        }
        return keys
    }
}
