package import RemindavICalendar
package import RemindavResources

/// The values of an object that a sync needs for its decisions.
package struct SyncItem: Hashable, Sendable {
    package let id: ObjectID
    package let uid: String
    /// The address on the server; a new object may have the address that the next sync will use.
    package let href: Href?
    /// The entity tag of the base; `nil` when there is no base or the server sent no entity tag.
    package let etag: EntityTag?
    /// Whether the server does not have the text of the object yet.
    package let isDirty: Bool
    /// The revision; the step that records the result of a request compares it, to detect edits during the request.
    package let revision: Int64
    /// Whether the server is known to have had the object: there is an entity tag or a base.
    package let wasThere: Bool

    /// - Parameter wasThere: `nil` means `true` for an object with an entity tag, and `false` for all others.
    package init(
        id: ObjectID,
        uid: String,
        href: Href?,
        etag: EntityTag?,
        isDirty: Bool,
        revision: Int64,
        wasThere: Bool? = nil
    ) {
        self.id = id
        self.uid = uid
        self.href = href
        self.etag = etag
        self.isDirty = isDirty
        self.revision = revision
        self.wasThere = wasThere ?? (etag != nil)
    }
}

/// The record of an object that was deleted locally and that the server may still have.
package struct Tombstone: Hashable, Sendable {
    package let uid: String
    package let object: ObjectID
    package let href: Href
    /// The entity tag of the deleted version; `nil` when the server sent none or never had the object.
    package let etag: EntityTag?
    /// When the object was deleted, in seconds since 1970.
    package let deletedAt: Int64

    package init(uid: String, object: ObjectID, href: Href, etag: EntityTag?, deletedAt: Int64) {
        self.uid = uid
        self.object = object
        self.href = href
        self.etag = etag
        self.deletedAt = deletedAt
    }
}

/// A resource that cannot become a reminder; a sync never deletes it, and reads it again if its entity tag changes.
package struct UnreadableItem: Hashable, Sendable {
    package let href: Href
    package let etag: EntityTag?
    /// A code or a sentence of this program; it contains nothing of the object's text.
    package let reason: String

    package init(href: Href, etag: EntityTag?, reason: String) {
        self.href = href
        self.etag = etag
        self.reason = reason
    }
}

/// The sync state of a list, which a sync compares with the collection on the server.
package struct SyncState: Hashable, Sendable {
    package let list: ListRecord
    /// The objects, ordered by id.
    package let items: [SyncItem]
    /// The local deletions, ordered by UID.
    package let tombstones: [Tombstone]
    /// The unreadable objects of the server, ordered by href.
    package let unreadable: [UnreadableItem]
    /// The override resources, ordered by UID.
    package let overrides: [OverrideResource]

    package init(
        list: ListRecord,
        items: [SyncItem],
        tombstones: [Tombstone],
        unreadable: [UnreadableItem],
        overrides: [OverrideResource] = []
    ) {
        self.list = list
        self.items = items
        self.tombstones = tombstones
        self.unreadable = unreadable
        self.overrides = overrides
    }
}

extension StoreSnapshot {
    private static let itemColumns = """
        SELECT id, uid, href, etag, dirty, revision, etag IS NOT NULL
            OR EXISTS (SELECT 1 FROM calendar_text WHERE object = id AND base IS NOT NULL) AS was_there
        FROM calendar_object
        """

    /// Returns the objects of a list with changes that the server does not have, ordered by id.
    package func unsentItems(in list: ListID) throws(DatabaseError) -> [SyncItem] {
        let sql = "\(Self.itemColumns) WHERE list = ?1 AND dirty = 1 ORDER BY id"
        return try self.database.rows(sql, [.id(list)]) { SyncItem($0) }
    }

    package func syncState(of id: ListID) throws(DatabaseError) -> SyncState? {
        guard let list = try self.list(id) else { return nil }
        return SyncState(
            list: list,
            items: try self.database.rows("\(Self.itemColumns) WHERE list = ?1 ORDER BY id", [.id(id)]) {
                SyncItem($0)
            },
            tombstones: try self.database.rows(
                "SELECT uid, object, href, etag, deleted FROM tombstone WHERE list = ?1 ORDER BY uid",
                [.id(id)]
            ) { Tombstone($0) },
            unreadable: try self.unreadable(in: id),
            overrides: try self.overrides(in: id)
        )
    }

    /// Returns the unreadable objects of a list, ordered by href.
    package func unreadable(in list: ListID) throws(DatabaseError) -> [UnreadableItem] {
        try self.database.rows("SELECT href, etag, reason FROM unreadable WHERE list = ?1 ORDER BY href", [.id(list)]) {
            UnreadableItem($0)
        }
    }

    /// Returns the UIDs of objects that the server of their account does not have yet.
    ///
    /// These are objects of this account, and objects that were moved from this account to another account.
    package func unarrived(in account: AccountID) throws(DatabaseError) -> Set<ByteExactString> {
        let sql = """
            SELECT uid FROM calendar_object JOIN list ON list.id = list
            WHERE account = ?1 AND dirty = 1 AND etag IS NULL
            UNION
            SELECT tombstone.uid FROM tombstone JOIN list AS origin ON origin.id = tombstone.list
                JOIN calendar_object AS object ON object.id = tombstone.object
                JOIN list AS target ON target.id = object.list
            WHERE origin.account = ?1 AND target.account <> ?1 AND object.dirty = 1 AND object.etag IS NULL
            """
        return Set(try self.database.rows(sql, [.id(account)]) { $0.text("uid").exact })
    }

    /// Returns the accounts from which an object was moved to another account whose server does not have it yet.
    package func accountsWaitingForOthers() throws(DatabaseError) -> Set<AccountID> {
        let sql = """
            SELECT DISTINCT origin.account FROM tombstone JOIN list AS origin ON origin.id = tombstone.list
                JOIN calendar_object AS object ON object.id = tombstone.object
                JOIN list AS target ON target.id = object.list
            WHERE target.account <> origin.account AND object.dirty = 1 AND object.etag IS NULL
            """
        return Set(try self.database.rows(sql) { $0.id("account") })
    }

    /// Whether the server has received all changes and deletions of the list.
    package func isSent(_ id: ListID) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM calendar_object WHERE list = ?1 AND dirty = 1
            UNION ALL SELECT 1 FROM tombstone WHERE list = ?1
            UNION ALL SELECT 1 FROM override_resource WHERE list = ?1 AND state = 'joined' AND etag IS NOT NULL
            """
        return try !self.database.exists(sql, [.id(id)])
    }

    /// Returns the base that a moved object had in its last former list of the same account.
    /// - Returns: `nil` if there is no such list, or a sync of the former list has already completed the move.
    package func baseBeforeMove(of id: ObjectID, to list: ListID, uid: String) throws(DatabaseError) -> [UInt8]? {
        let sql = """
            SELECT coalesce(base, source) AS text FROM tombstone
            WHERE uid = ?2 AND object = ?3 AND (base IS NOT NULL OR etag IS NOT NULL) AND list IN (
                SELECT other.id FROM list AS other JOIN list AS this ON other.account = this.account
                WHERE this.id = ?1 AND other.id <> ?1
            )
            ORDER BY rowid DESC
            """
        return try self.database.first(sql, [.id(list), .text(uid), .id(id)]) { $0.bytes("text") }
    }

    package func textsOfTombstone(in list: ListID, uid: String) throws(DatabaseError) -> ObjectTexts? {
        let sql = "SELECT source, base FROM tombstone WHERE list = ?1 AND uid = ?2"
        return try self.database.first(sql, [.id(list), .text(uid)]) {
            ObjectTexts(source: $0.bytes("source"), base: $0.bytesIfPresent("base"))
        }
    }
}

extension SyncItem {
    fileprivate init(_ row: Row) {
        self.id = row.id("id")
        self.uid = row.text("uid")
        self.href = row.href("href")
        self.etag = row.entityTag("etag")
        self.isDirty = row.flag("dirty")
        self.revision = row.integer("revision")
        self.wasThere = row.flag("was_there")
    }
}

extension Tombstone {
    fileprivate init(_ row: Row) {
        self.uid = row.text("uid")
        self.object = row.id("object")
        self.href = Href(row.text("href"))
        self.etag = row.entityTag("etag")
        self.deletedAt = row.integer("deleted")
    }
}

extension UnreadableItem {
    fileprivate init(_ row: Row) {
        self.href = Href(row.text("href"))
        self.etag = row.entityTag("etag")
        self.reason = row.text("reason")
    }
}
