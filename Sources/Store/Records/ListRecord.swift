package import RemindavResources

/// The relation of a list to a server.
package enum ListState: String, Hashable, Sendable {
    /// The list exists only in this store.
    case local = "local"
    /// The list is synced with a collection on a server.
    case synced = "synced"
    /// The collection has vanished; the list keeps its reminders and is not synced until a user decides.
    case detached = "detached"
}

/// A list of reminders.
package struct ListRecord: Hashable, Sendable {
    /// The number that identifies the list.
    package let id: ListID
    /// The display name; lists of two accounts may have the same name.
    package var name: String
    /// The colour as the server or the user wrote it, usually `#RRGGBB`; `nil` for none.
    package var color: String?
    /// The account that the list belongs to; `nil` for a local list.
    package let account: AccountID?
    /// The address of the collection; `nil` for a local list.
    package let url: String?
    /// The collection's DAV:resource-id (RFC 5842); `nil` when the server reports none.
    package let identity: String?
    /// The relation to a server.
    package let state: ListState
    /// Whether the server permits only reading.
    package var isReadOnly: Bool
    /// Whether the server answers sync-collection (RFC 6578) for this list.
    package var supportsSyncCollection: Bool
    /// The sync token up to which changes have been read (RFC 6578); `nil` makes the next sync list everything.
    package let syncToken: SyncToken?
    /// The collection's CTag at the last listing; `nil` when the server reports none.
    package let ctag: String?
    /// When the collection was last listed in full, in seconds since 1970; `nil` for never.
    package let verifiedAt: Int64?
    /// Whether this program created the collection and no sync of the list has completed yet.
    package let isMadeHere: Bool
    /// Whether a sync has begun one request that uploads the whole list, and no sync of the list has completed since.
    package let isFillingBegun: Bool
    /// Why a sync holds back the local deletion of reminders that the server no longer has; `nil` when none is held.
    package let deletionHold: DeletionHold?
    /// Whether the user has to confirm the local deletion of reminders that the server no longer has.
    package var holdsDeletions: Bool { self.deletionHold != nil }
    /// The rank of the list: lists are shown in ascending order.
    package var position: Int
    /// When the list was created, in seconds since 1970.
    package let createdAt: Int64
    /// The display name that was last read from the server; a different name means that the collection was renamed.
    package let remoteName: String?
    /// The collection's colour that was last read from the server.
    package let remoteColor: String?
}

/// The collection that belongs to a list, as the server describes it.
package struct RemoteList: Hashable, Sendable {
    /// The account that the collection belongs to.
    package var account: AccountID
    /// The address of the collection.
    package var url: String
    /// The collection's DAV:resource-id (RFC 5842); `nil` when the server reports none.
    package var identity: String?
    /// Whether the server permits only reading.
    package var isReadOnly: Bool
    /// Whether the server answers sync-collection (RFC 6578).
    package var supportsSyncCollection: Bool
    /// The display name on the server; `nil` for none.
    package var name: String?
    /// The colour on the server; `nil` for none.
    package var color: String?

    /// Describes the collection at `url`.
    package init(
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

/// The values of the column `made_here` other than 0 (no) and 1 (this program created the collection).
private enum MadeHere {
    static let fillingBegun: Int64 = 2
}

/// Why a sync holds back local deletions until the user confirms them; the raw values are stored.
package enum DeletionHold: Int64, Hashable, Sendable {
    /// The server no longer listed any known reminder; an older version stored this value for both reasons.
    case emptied = 1
    /// The deletions exceeded the limits, so they are carried out when few of them remain.
    case limit = 2
}

extension StoreSnapshot {
    private static let listColumns = """
        SELECT id, name, color, account, url, identity, state, read_only, supports_sync_collection, sync_token, ctag,
            position, created, verified, remote_name, remote_color, made_here,
            holds_deletions
        FROM list
        """

    /// All lists, by position.
    package func lists() throws(DatabaseError) -> [ListRecord] {
        // There are so few lists that sorting them in Swift is faster than an ORDER BY in SQLite.
        try self.database.rows(Self.listColumns) { ListRecord($0) }
            .sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    }

    /// Returns the lists whose name has exactly these characters, by position.
    package func lists(named name: String) throws(DatabaseError) -> [ListRecord] {
        let sql = "\(Self.listColumns) WHERE name = ?1 ORDER BY position, id"
        return try self.database.rows(sql, [.text(name)]) { ListRecord($0) }
    }

    /// Returns the list with this id; `nil` when there is none.
    package func list(_ id: ListID) throws(DatabaseError) -> ListRecord? {
        try self.database.first("\(Self.listColumns) WHERE id = ?1", [.id(id)]) { ListRecord($0) }
    }
}

extension StoreTransaction {
    /// Adds a local list after all other lists.
    package func insertList(named name: String, color: String? = nil, at now: Int64) throws(DatabaseError) -> ListID {
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

    /// Writes a list's name, colour, position and access rights; ``adoptRemote(_:_:)`` writes the paired collection.
    package func update(_ list: ListRecord) throws(DatabaseError) {
        let count = try self.database.update(
            "list",
            where: ["id": .id(list.id)],
            [
                "name": .text(list.name), "color": .text(list.color), "read_only": .flag(list.isReadOnly),
                "supports_sync_collection": .flag(list.supportsSyncCollection), "position": .integer(list.position),
            ]
        )
        guard count == 1 else { throw DatabaseError(.notFound) }
        try self.database.send("UPDATE default_list SET name = ?2 WHERE list = ?1", [.id(list.id), .text(list.name)])
    }

    /// Makes conflicts, feeds and the default list refer to `other`, before the caller deletes `list`.
    package func moveReferences(_ list: ListID, to other: ListID) throws(DatabaseError) {
        for table in ["conflict", "feed", "default_list"] {
            try self.database.send("UPDATE \(table) SET list = ?2 WHERE list = ?1", [.id(list), .id(other)])
        }
    }

    /// Deletes a list with its reminders and feeds; the collection on the server is not deleted.
    package func deleteList(_ id: ListID) throws(DatabaseError) {
        try self.database.changeOne("DELETE FROM list WHERE id = ?1", [.id(id)])
    }

    /// Pairs a list with a collection.
    ///
    /// The sync state is valid for one combination of account, address and resource id. If one of these differs from
    /// before, the sync state is deleted, and the next sync compares both sides without deleting anything. If all are
    /// equal and the list was detached, the next sync begins with a full listing. A record of the collection as
    /// ``IgnoredList`` is removed. The list keeps its name and colour in the store. The server's name and colour are
    /// recorded separately.
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when another list is paired with this collection.
    package func adoptRemote(_ id: ListID, _ remote: RemoteList) throws(DatabaseError) {
        guard let list = try self.list(id) else { throw DatabaseError(.notFound) }
        // A server may report no resource id in some answers. Only two different ids prove that the collections differ.
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

    /// Records that a request that uploads the whole list is about to be sent.
    ///
    /// If the connection is lost, the next sync then knows that the items on the server may come from this request.
    package func markFillingBegun(_ id: ListID) throws(DatabaseError) {
        try self.database.send(
            "UPDATE list SET made_here = ?2 WHERE id = ?1",
            [.id(id), .integer(MadeHere.fillingBegun)]
        )
    }

    /// Stops syncing a list because its collection has vanished; reminders and sync state stay, and edits are possible.
    package func detach(_ id: ListID) throws(DatabaseError) {
        // The collection may reappear as writable, and then its entity tags can stand for other texts.
        if try self.list(id)?.isReadOnly ?? false { try self.forgetVersions(in: id) }
        let sql = """
            UPDATE list SET state = ?2, sync_token = NULL, ctag = NULL, read_only = 0
            WHERE id = ?1 AND account IS NOT NULL
            """
        try self.database.changeOne(sql, [.id(id), .text(ListState.detached.rawValue)])
    }

    /// Ends the pairing of a list with its collection and deletes the sync state; the reminders stay.
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
    /// - Parameters:
    ///   - token: the sync token from before the listing; `nil` makes the next sync list everything.
    ///   - ctag: the CTag from before the listing.
    ///   - verifiedAt: the time of a full listing, seconds since 1970; `nil` for a partial listing.
    ///   - hold: the new value of ``ListRecord/deletionHold``.
    ///   - isCompleted: whether the sync is complete. If so, ``ListRecord/isMadeHere`` becomes false.
    package func saveToken(
        _ token: SyncToken?,
        ctag: String?,
        verifiedAt: Int64? = nil,
        hold: DeletionHold? = nil,
        isCompleted: Bool = false,
        of id: ListID
    ) throws(DatabaseError) {
        let sql = """
            UPDATE list SET sync_token = ?2, ctag = ?3, verified = coalesce(?4, verified),
                made_here = CASE WHEN ?6 = 1 THEN 0 ELSE made_here END, holds_deletions = ?5
            WHERE id = ?1
            """
        let values: [SQLValue] = [
            .id(id), .text(token?.wire), .text(ctag), .integer(verifiedAt), .integer(hold?.rawValue ?? 0),
            .flag(isCompleted),
        ]
        try self.database.changeOne(sql, values)
    }

    /// Deletes the entity tags of a list, so that the next sync reads each text before it merges or replaces it.
    ///
    /// A server may send different texts with the same entity tag, depending on the access right. For example,
    /// Nextcloud hides the content of CLASS:CONFIDENTIAL objects from readers.
    private func forgetVersions(in id: ListID) throws(DatabaseError) {
        for table in ["calendar_object", "tombstone", "override_resource", "unreadable"] {
            try self.database.send("UPDATE \(table) SET etag = NULL WHERE list = ?1", [.id(id)])
        }
    }

    private func forgetSync(of id: ListID) throws(DatabaseError) {
        try self.database.send(
            "UPDATE calendar_text SET base = NULL WHERE object IN (SELECT id FROM calendar_object WHERE list = ?1)",
            [.id(id)]
        )
        try self.database.send(
            "UPDATE calendar_object SET dirty = 1, href = NULL, etag = NULL WHERE list = ?1",
            [.id(id)]
        )
        try self.database.send("DELETE FROM tombstone WHERE list = ?1", [.id(id)])
        try self.database.send("DELETE FROM unreadable WHERE list = ?1", [.id(id)])
        try self.database.send("DELETE FROM override_resource WHERE list = ?1", [.id(id)])
        try self.database.send("UPDATE list SET sync_token = NULL, ctag = NULL WHERE id = ?1", [.id(id)])
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
        // A state that this version does not know is treated as detached, so the list is not synced.
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
        self.deletionHold = DeletionHold(rawValue: row.integer("holds_deletions"))
    }
}

/// The number that identifies a list.
package typealias ListID = RecordID<ListRecord>
