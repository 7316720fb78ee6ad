package import ICalendar
package import Resources

/// The values of an object by which a sync decides.
package struct SyncItem: Hashable, Sendable {
    package let id: ObjectID
    package let uid: String
    /// The address on the server, also a planned one.
    package let href: Href?
    /// The server's version that both sides agreed on; `nil` for none, or when the server sent none.
    package let etag: EntityTag?
    /// Whether it was changed here since.
    package let isDirty: Bool
    /// Named in the step that records the result.
    package let revision: Int64
    /// Whether the server is known to have had it, even without sending a version.
    package let wasThere: Bool

    /// - Parameter wasThere: `nil` for whether there is a version.
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

/// An object that was deleted here, and that the server may still have.
package struct Tombstone: Hashable, Sendable {
    package let uid: String
    package let object: ObjectID
    package let href: Href
    /// The deleted version; `nil` when the server may never have had it.
    package let etag: EntityTag?
    /// Seconds since 1970.
    package let deletedAt: Int64

    package init(uid: String, object: ObjectID, href: Href, etag: EntityTag?, deletedAt: Int64) {
        self.uid = uid
        self.object = object
        self.href = href
        self.etag = etag
        self.deletedAt = deletedAt
    }
}

/// An unreadable object on the server: fetched again only when its tag changes, and never deleted.
package struct UnreadableItem: Hashable, Sendable {
    package let href: Href
    package let etag: EntityTag?
    /// A code or a sentence of this program, without the object's text.
    package let reason: String

    package init(href: Href, etag: EntityTag?, reason: String) {
        self.href = href
        self.etag = etag
        self.reason = reason
    }
}

/// A list, as a sync compares it with the server's.
package struct SyncState: Hashable, Sendable {
    package let list: ListRecord
    /// By id.
    package let items: [SyncItem]
    /// By UID.
    package let tombstones: [Tombstone]
    /// By href.
    package let unreadable: [UnreadableItem]
    /// By UID.
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

    /// The objects of a list whose texts the server does not have, by id.
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

    /// By href.
    package func unreadable(in list: ListID) throws(DatabaseError) -> [UnreadableItem] {
        try self.database.rows("SELECT href, etag, reason FROM unreadable WHERE list = ?1 ORDER BY href", [.id(list)]) {
            UnreadableItem($0)
        }
    }

    /// UIDs of objects in an account's lists that have not arrived on its server, and of those that were moved to a
    /// list of another account and have not arrived on that server.
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

    /// Accounts from which an object was moved to another account where it has not arrived.
    package func accountsWaitingForOthers() throws(DatabaseError) -> Set<AccountID> {
        let sql = """
            SELECT DISTINCT origin.account FROM tombstone JOIN list AS origin ON origin.id = tombstone.list
                JOIN calendar_object AS object ON object.id = tombstone.object
                JOIN list AS target ON target.id = object.list
            WHERE target.account <> origin.account AND object.dirty = 1 AND object.etag IS NULL
            """
        return Set(try self.database.rows(sql) { $0.id("account") })
    }

    /// Whether the server has all changes and deletions of the list.
    package func isSent(_ id: ListID) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM calendar_object WHERE list = ?1 AND dirty = 1
            UNION ALL SELECT 1 FROM tombstone WHERE list = ?1
            UNION ALL SELECT 1 FROM override_resource WHERE list = ?1 AND state = 'joined' AND etag IS NOT NULL
            """
        return try !self.database.exists(sql, [.id(id)])
    }

    /// The agreed text of an object in the list of the same account from which it was moved, until that list completes
    /// the move; the last one of several.
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

    /// The texts of an object that was deleted here.
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
