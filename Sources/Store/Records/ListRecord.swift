public import Resources

/// Whether a list has another side.
public enum ListState: String, Hashable, Sendable {
    /// Only here.
    case local
    /// Kept in step with a collection on a server.
    case synced
    /// Its collection vanished: kept with all reminders, and synced no more until somebody decides.
    case detached
}

/// A list of reminders.
public struct ListRecord: Hashable, Sendable {
    /// The list's number.
    public let id: ListID
    /// As a person sees it; two accounts may have lists of one name.
    public var name: String
    /// As the server or a person wrote it, usually `#RRGGBB`.
    public var color: String?
    /// The account on whose server the list is; `nil` for a local list.
    public let account: AccountID?
    /// The address of the collection; `nil` for a local list.
    public let url: String?
    /// What the server says the collection is (DAV:resource-id), when it says so.
    public let identity: String?
    /// Whether the list has another side.
    public let state: ListState
    /// Whether the server lets us only read.
    public var isReadOnly: Bool
    /// Whether the server answers sync-collection (RFC 6578) for this list.
    public var supportsSyncCollection: Bool
    /// Up to where the server's changes have been taken over.
    public let syncToken: SyncToken?
    /// The collection's tag when it was last listed.
    public let ctag: String?
    /// When a full listing was last compared with what is here, seconds since 1970; `nil` for never.
    public let verifiedAt: Int64?
    /// Whether we made the collection ourselves, and no sync has come to its end since.
    public let isMadeHere: Bool
    /// Whether a request that fills the whole list was begun, and no sync has completed since.
    public let isFillingBegun: Bool
    /// Whether deletions wait for the person's word that the server asks for.
    public let holdsDeletions: Bool
    /// Lists are shown in this order.
    public var position: Int
    /// Seconds since 1970.
    public let createdAt: Int64
    /// The name that the server gave the collection when it was last taken over; whoever says another has renamed it.
    public let remoteName: String?
    /// Likewise its colour.
    public let remoteColor: String?
}

/// The collection that is the other side of a list.
public struct RemoteList: Hashable, Sendable {
    /// The account on whose server it is.
    public var account: AccountID
    /// Its address.
    public var url: String
    /// What the server says it is (DAV:resource-id), when it says so.
    public var identity: String?
    /// Whether the server lets us only read.
    public var isReadOnly: Bool
    /// Whether the server answers sync-collection (RFC 6578).
    public var supportsSyncCollection: Bool
    /// What the server calls it, when it says so.
    public var name: String?
    /// Its colour there.
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
        // There are few: to have them sorted by SQLite takes longer than to read them.
        try self.database.rows(Self.listColumns) { ListRecord($0) }
            .sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    }

    /// The lists with exactly this name, by position.
    public func lists(named name: String) throws(DatabaseError) -> [ListRecord] {
        let sql = "\(Self.listColumns) WHERE name = ?1 ORDER BY position, id"
        return try self.database.rows(sql, [.text(name)]) { ListRecord($0) }
    }

    /// The list with this number, `nil` when there is none.
    public func list(_ id: ListID) throws(DatabaseError) -> ListRecord? {
        try self.database.first("\(Self.listColumns) WHERE id = ?1", [.id(id)]) { ListRecord($0) }
    }
}

extension StoreTransaction {
    /// Adds a local list, after all others.
    public func insertList(
        named name: String,
        color: String? = nil,
        at now: Int64
    ) throws(DatabaseError) -> ListID {
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

    /// Writes a list's name, colour, position and what the server permits; the pairing has methods of its own.
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

    /// Moves the references to this list to another list, before the list is deleted: conflicts, feeds, and the choice
    /// of the default list.
    package func moveContents(_ list: ListID, to other: ListID) throws(DatabaseError) {
        for table in ["conflict", "feed", "default_list"] {
            try self.database.run("UPDATE \(table) SET list = ?2 WHERE list = ?1", [.id(list), .id(other)])
        }
    }

    /// Removes a list here with everything in it, and the feeds of it.
    ///
    /// Its collection on the server is not touched.
    public func deleteList(_ id: ListID) throws(DatabaseError) {
        guard try self.database.run("DELETE FROM list WHERE id = ?1", [.id(id)]) == 1 else {
            throw DatabaseError(.notFound)
        }
    }

    /// Makes a collection the other side of a list.
    ///
    /// What sync remembers belongs to account, address and identity together. When one of them is another than before,
    /// all of it is forgotten, so that the next sync compares both sides anew and deletes nothing; when they are the
    /// same (a detached list has come back), sync goes on from a full listing. A collection that was ignored is so no
    /// more. The list's own name and colour stay; the server's are remembered beside them.
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

    /// Notes that the collection was made for this list just now.
    package func markMadeHere(_ id: ListID) throws(DatabaseError) {
        guard try self.database.run("UPDATE list SET made_here = 1 WHERE id = ?1", [.id(id)]) == 1 else {
            throw DatabaseError(.notFound)
        }
    }

    /// Notes, before it is sent, that one request is about to fill the whole list.
    ///
    /// The server may complete the request after the connection is lost. The items that the next sync finds are then known
    /// to come from here.
    package func markFillingBegun(_ id: ListID) throws(DatabaseError) {
        try self.database.run(
            "UPDATE list SET made_here = ?2 WHERE id = ?1",
            [.id(id), .integer(MadeHere.fillingBegun)]
        )
    }

    /// Stops syncing a list whose collection has vanished.
    ///
    /// Everything in it stays, and so does what sync remembers. Nobody forbids to change it any more.
    package func detach(_ id: ListID) throws(DatabaseError) {
        // It may come back as a list that can be written to.
        if try self.list(id)?.isReadOnly ?? false { try self.forgetVersions(in: id) }
        let sql = """
            UPDATE list SET state = ?2, sync_token = NULL, ctag = NULL, read_only = 0
            WHERE id = ?1 AND account IS NOT NULL
            """
        guard try self.database.run(sql, [.id(id), .text(ListState.detached.rawValue)]) == 1 else {
            throw DatabaseError(.notFound)
        }
    }

    /// Ends the pairing of a list for good: it stays with all reminders, and nothing of a server is remembered.
    package func makeLocal(_ id: ListID) throws(DatabaseError) {
        try self.forgetSync(of: id)
        let sql = """
            UPDATE list SET account = NULL, url = NULL, identity = NULL, state = ?2, read_only = 0,
                supports_sync_collection = 0, sync_token = NULL, ctag = NULL, remote_name = NULL, remote_color = NULL
            WHERE id = ?1
            """
        guard try self.database.run(sql, [.id(id), .text(ListState.local.rawValue)]) == 1 else {
            throw DatabaseError(.notFound)
        }
    }

    /// Records that everything up to `token` has been taken over.
    ///
    /// The last step of a sync.
    ///
    /// - Parameters:
    ///   - token: as it was before the listing that has been taken over; `nil` asks for a full listing next time.
    ///   - ctag: likewise.
    ///   - verifiedAt: when that was a full listing, seconds since 1970; `nil` when it was not.
    ///   - holdsDeletions: whether deletions that the server asks for wait for the person's word.
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
        guard try self.database.run(sql, values) == 1 else {
            throw DatabaseError(.notFound)
        }
    }

    /// Forgets every entity tag of a list, so that the next sync reads each text before it is merged or written over.
    ///
    /// A server may send different texts to readers and writers of a list, with the same entity tags (Nextcloud masks
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
        // A word that is not known is not synced.
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
