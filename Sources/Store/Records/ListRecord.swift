public import Resources

/// The relation of a list to a server.
public enum ListState: String, Hashable, Sendable {
    /// Only in this store.
    case local = "local"
    /// Synchronized with a collection on a server.
    case synced = "synced"
    /// The collection vanished: the list keeps its reminders, and is not synchronized until a user decides.
    case detached = "detached"
}

/// A list of reminders.
public struct ListRecord: Hashable, Sendable {
    /// The number.
    public let id: ListID
    /// The shown name; two accounts may have lists with one name.
    public var name: String
    /// In the spelling of the server or the user, usually `#RRGGBB`.
    public var color: String?
    /// The account of the server; `nil` for a local list.
    public let account: AccountID?
    /// The address of the collection; `nil` for a local list.
    public let url: String?
    /// The identity of the collection on the server (DAV:resource-id), if known.
    public let identity: String?
    /// The relation to a server.
    public let state: ListState
    /// Whether the server permits only reading.
    public var isReadOnly: Bool
    /// Whether the server answers sync-collection (RFC 6578) for this list.
    public var supportsSyncCollection: Bool
    /// The state of the server up to which changes have been read.
    public let syncToken: SyncToken?
    /// The collection's tag at the last listing.
    public let ctag: String?
    /// The time of the last full listing, seconds since 1970; `nil` for none.
    public let verifiedAt: Int64?
    /// Whether this program created the collection, and no sync has completed since.
    public let isMadeHere: Bool
    /// Whether a request that fills the whole list was begun, and no sync has completed since.
    public let isFillingBegun: Bool
    /// Whether deletions on the server wait for the user's confirmation.
    public let holdsDeletions: Bool
    /// Lists are shown in this order.
    public var position: Int
    /// Seconds since 1970.
    public let createdAt: Int64
    /// The last name of the collection on the server that was taken over; another one there is a renaming.
    public let remoteName: String?
    /// Likewise its colour.
    public let remoteColor: String?
}

/// The collection on a server that belongs to a list.
public struct RemoteList: Hashable, Sendable {
    /// The account of the server.
    public var account: AccountID
    /// The address.
    public var url: String
    /// The identity on the server (DAV:resource-id), if known.
    public var identity: String?
    /// Whether the server permits only reading.
    public var isReadOnly: Bool
    /// Whether the server answers sync-collection (RFC 6578).
    public var supportsSyncCollection: Bool
    /// The name on the server, if any.
    public var name: String?
    /// The colour on the server, if any.
    public var color: String?

    /// The collection at `url`.
    public init(
        account: AccountID,
        url: String,
        identity: String? = nil,
        isReadOnly: Bool = false,
        supportsSyncCollection: Bool = false,
        name: String? = nil,
        color: String? = nil
    ) {
        self.account = account
        self.url = url
        self.identity = identity
        self.isReadOnly = isReadOnly
        self.supportsSyncCollection = supportsSyncCollection
        self.name = name
        self.color = color
    }
}

/// The values of the column `made_here` that mean more than "no" (0) and "yes" (1).
private enum MadeHere {
    static let fillingBegun: Int64 = 2
}

extension StoreSnapshot {
    private static let listColumns = """
        SELECT id, name, color, account, url, identity, state, read_only, supports_sync_collection, sync_token, ctag,
            position, created, verified, remote_name, remote_color, made_here,
            holds_deletions
        FROM list
        """

    /// All lists, by position.
    public func lists() throws(DatabaseError) -> [ListRecord] {
        // There are few lists: sorting in SQLite takes longer than reading them.
        try self.database.rows(Self.listColumns) { ListRecord($0) }
            .sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    }

    /// The lists with exactly this name, by position.
    public func lists(named name: String) throws(DatabaseError) -> [ListRecord] {
        let sql = "\(Self.listColumns) WHERE name = ?1 ORDER BY position, id"
        return try self.database.rows(sql, [.text(name)]) { ListRecord($0) }
    }

    /// The list with this number; `nil` for none.
    public func list(_ id: ListID) throws(DatabaseError) -> ListRecord? {
        try self.database.first("\(Self.listColumns) WHERE id = ?1", [.id(id)]) { ListRecord($0) }
    }
}

extension StoreTransaction {
    /// Adds a local list, after all others.
    public func insertList(named name: String, color: String? = nil, at now: Int64) throws(DatabaseError) -> ListID {
        let last = try self.database.integer("SELECT max(position) FROM list") ?? 0
        return ListID(
            try self.database.insert(
                into: "list",
                [
                    "name": .text(name), "color": .text(color), "state": .text(ListState.local.rawValue),
                    "read_only": .flag(false), "supports_sync_collection": .flag(false), "position": .integer(last + 1),
                    "created": .integer(now),
                ]
            )
        )
    }

    /// Writes a list's name, colour, position and permissions; other methods write the pairing.
    public func update(_ list: ListRecord) throws(DatabaseError) {
        let count = try self.database.update(
            "list",
            where: ["id": .id(list.id)],
            [
                "name": .text(list.name), "color": .text(list.color), "read_only": .flag(list.isReadOnly),
                "supports_sync_collection": .flag(list.supportsSyncCollection), "position": .integer(list.position),
            ]
        )
        guard count == 1 else { throw DatabaseError(.notFound) }
        try self.database.run("UPDATE default_list SET name = ?2 WHERE list = ?1", [.id(list.id), .text(list.name)])
    }

    /// Moves references to this list (conflicts, feeds, the default list) to another list before this one is deleted.
    package func moveContents(_ list: ListID, to other: ListID) throws(DatabaseError) {
        for table in ["conflict", "feed", "default_list"] {
            try self.database.run("UPDATE \(table) SET list = ?2 WHERE list = ?1", [.id(list), .id(other)])
        }
    }

    /// Deletes a list with its reminders and feeds; its collection on the server stays.
    public func deleteList(_ id: ListID) throws(DatabaseError) {
        try self.database.changeOne("DELETE FROM list WHERE id = ?1", [.id(id)])
    }

    /// Pairs a list with a collection.
    ///
    /// The sync state belongs to account, address and identity together. If one of them differs from before, the state
    /// is deleted, and the next sync compares both sides without deleting anything. If they are equal (a detached list
    /// returns), the next sync begins with a full listing. The collection is no longer ignored. The list keeps its name
    /// and colour; those of the server are recorded beside them.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when another list has this collection.
    package func adoptRemote(_ id: ListID, _ remote: RemoteList) throws(DatabaseError) {
        guard let list = try self.list(id) else { throw DatabaseError(.notFound) }
        // A server may begin, or for once forget, to name the identity; only two different names are two collections.
        let isSameIdentity = list.identity == nil || remote.identity == nil || list.identity == remote.identity
        let isSame = list.account == remote.account && list.url == remote.url && isSameIdentity
        if !isSame { try self.forgetSync(of: id) }
        let becomesWritable = list.isReadOnly && !remote.isReadOnly
        if becomesWritable { try self.forgetVersions(in: id) }
        let isKnown = isSame && list.state == .synced && !becomesWritable
        let token = isKnown ? list.syncToken : nil
        let ctag = isKnown ? list.ctag : nil
        try self.database.update(
            "list",
            where: ["id": .id(id)],
            [
                "account": .id(remote.account), "url": .text(remote.url),
                "identity": .text(remote.identity ?? (isSame ? list.identity : nil)),
                "state": .text(ListState.synced.rawValue), "read_only": .flag(remote.isReadOnly),
                "supports_sync_collection": .flag(remote.supportsSyncCollection), "sync_token": .text(token?.wire),
                "ctag": .text(ctag), "remote_name": .text(remote.name ?? (isSame ? list.remoteName : nil)),
                "remote_color": .text(remote.color),
            ]
        )
        try self.stopIgnoring(remote.url, of: remote.account)
    }

    package func markMadeHere(_ id: ListID) throws(DatabaseError) {
        try self.database.changeOne("UPDATE list SET made_here = 1 WHERE id = ?1", [.id(id)])
    }

    /// Records, before it is sent, a request that fills the whole list.
    ///
    /// The server may complete it after the connection is lost; the next sync then knows that the items come from here.
    package func markFillingBegun(_ id: ListID) throws(DatabaseError) {
        try self.database.run(
            "UPDATE list SET made_here = ?2 WHERE id = ?1",
            [.id(id), .integer(MadeHere.fillingBegun)]
        )
    }

    /// Stops the synchronization of a list whose collection has vanished.
    ///
    /// Its reminders and its sync state stay, and it can be changed.
    package func detach(_ id: ListID) throws(DatabaseError) {
        // It may come back as a list that can be written to.
        if try self.list(id)?.isReadOnly ?? false { try self.forgetVersions(in: id) }
        let sql = """
            UPDATE list SET state = ?2, sync_token = NULL, ctag = NULL, read_only = 0
            WHERE id = ?1 AND account IS NOT NULL
            """
        try self.database.changeOne(sql, [.id(id), .text(ListState.detached.rawValue)])
    }

    /// Ends the pairing of a list and deletes its sync state; the reminders stay.
    package func makeLocal(_ id: ListID) throws(DatabaseError) {
        try self.forgetSync(of: id)
        let sql = """
            UPDATE list SET account = NULL, url = NULL, identity = NULL, state = ?2, read_only = 0,
                supports_sync_collection = 0, sync_token = NULL, ctag = NULL, remote_name = NULL, remote_color = NULL
            WHERE id = ?1
            """
        try self.database.changeOne(sql, [.id(id), .text(ListState.local.rawValue)])
    }

    /// Records, as the last step of a sync, that all changes up to `token` have been read.
    ///
    /// - Parameters:
    ///   - token: of the state before the listing; `nil` requests a full listing next time.
    ///   - ctag: likewise.
    ///   - verifiedAt: the time of a full listing, seconds since 1970; `nil` for another listing.
    ///   - holdsDeletions: whether deletions on the server wait for the user's confirmation.
    ///   - isCompleted: whether the sync is complete, so that the list no longer counts as made here.
    package func saveToken(
        _ token: SyncToken?,
        ctag: String?,
        verifiedAt: Int64? = nil,
        holdsDeletions: Bool = false,
        isCompleted: Bool = false,
        of id: ListID
    ) throws(DatabaseError) {
        let sql = """
            UPDATE list SET sync_token = ?2, ctag = ?3, verified = coalesce(?4, verified),
                made_here = CASE WHEN ?6 = 1 THEN 0 ELSE made_here END, holds_deletions = ?5
            WHERE id = ?1
            """
        let values: [SQLValue] = [
            .id(id), .text(token?.wire), .text(ctag), .integer(verifiedAt), .flag(holdsDeletions),
            .flag(isCompleted),
        ]
        try self.database.changeOne(sql, values)
    }

    /// Deletes the entity tags of a list, so that the next sync reads each text before it merges or replaces it.
    ///
    /// A server may send different texts to readers and writers with the same tags (Nextcloud masks
    /// CLASS:CONFIDENTIAL).
    private func forgetVersions(in id: ListID) throws(DatabaseError) {
        for table in ["calendar_object", "tombstone", "override_resource", "unreadable"] {
            try self.database.run("UPDATE \(table) SET etag = NULL WHERE list = ?1", [.id(id)])
        }
    }

    private func forgetSync(of id: ListID) throws(DatabaseError) {
        try self.database.run(
            "UPDATE calendar_text SET base = NULL WHERE object IN (SELECT id FROM calendar_object WHERE list = ?1)",
            [.id(id)]
        )
        try self.database.run(
            "UPDATE calendar_object SET dirty = 1, href = NULL, etag = NULL WHERE list = ?1",
            [.id(id)]
        )
        try self.database.run("DELETE FROM tombstone WHERE list = ?1", [.id(id)])
        try self.database.run("DELETE FROM unreadable WHERE list = ?1", [.id(id)])
        try self.database.run("DELETE FROM override_resource WHERE list = ?1", [.id(id)])
        try self.database.run("UPDATE list SET sync_token = NULL, ctag = NULL WHERE id = ?1", [.id(id)])
    }
}

extension ListRecord {
    fileprivate init(_ row: Row) {
        self.id = row.id("id")
        self.name = row.text("name")
        self.color = row.textIfPresent("color")
        self.account = row.idIfPresent("account")
        self.url = row.textIfPresent("url")
        self.identity = row.textIfPresent("identity")
        // An unknown state is not synchronized.
        self.state = ListState(rawValue: row.text("state")) ?? .detached
        self.isReadOnly = row.flag("read_only")
        self.supportsSyncCollection = row.flag("supports_sync_collection")
        self.syncToken = row.syncToken("sync_token")
        self.ctag = row.textIfPresent("ctag")
        self.position = row.number("position")
        self.createdAt = row.integer("created")
        self.verifiedAt = row.integerIfPresent("verified")
        self.remoteName = row.textIfPresent("remote_name")
        self.remoteColor = row.textIfPresent("remote_color")
        self.isMadeHere = row.flag("made_here")
        self.isFillingBegun = row.integer("made_here") == MadeHere.fillingBegun
        self.holdsDeletions = row.flag("holds_deletions")
    }
}

/// The number of a list.
public typealias ListID = RecordID<ListRecord>
