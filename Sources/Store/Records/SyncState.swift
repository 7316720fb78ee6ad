package import ICalendar
package import Resources

/// What sync needs to know of an object in order to decide.
package struct SyncItem: Hashable, Sendable {
    /// The object's number.
    package let id: ObjectID
    /// Unique in the list.
    package let uid: String
    /// Where the server has it, or will have it.
    package let href: Href?
    /// The server's version that both sides agreed on; `nil` when there is none or the server did not tell.
    package let etag: EntityTag?
    /// Whether it was changed here since.
    package let isDirty: Bool
    /// To be named in the step that records what happened.
    package let revision: Int64
    /// Whether the server is known to have had it, be it without telling a version.
    package let wasThere: Bool

    /// An object in the state that the arguments tell.
    ///
    /// - Parameter wasThere: when `nil`, as the version tells.
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
    /// Unique in the list.
    package let uid: String
    /// The number that the object had.
    package let object: ObjectID
    /// Where the server has it, if it does.
    package let href: Href
    /// The version that was deleted; `nil` when the server may never have had it.
    package let etag: EntityTag?
    /// Seconds since 1970.
    package let deletedAt: Int64

    /// The remains of an object.
    package init(uid: String, object: ObjectID, href: Href, etag: EntityTag?, deletedAt: Int64) {
        self.uid = uid
        self.object = object
        self.href = href
        self.etag = etag
        self.deletedAt = deletedAt
    }
}

/// An object on the server that could not be read: not fetched again while its tag stays, and never deleted.
package struct UnreadableItem: Hashable, Sendable {
    /// Where the server has it.
    package let href: Href
    /// The version that could not be read.
    package let etag: EntityTag?
    /// A code or a sentence of ours; nothing of the object's text.
    package let reason: String

    /// An object that is set aside.
    package init(href: Href, etag: EntityTag?, reason: String) {
        self.href = href
        self.etag = etag
        self.reason = reason
    }
}

/// One view of a list, as sync compares it with the server's.
package struct SyncState: Hashable, Sendable {
    /// With the sync token and the ctag.
    package let list: ListRecord
    /// By id.
    package let items: [SyncItem]
    /// By UID.
    package let tombstones: [Tombstone]
    /// By href.
    package let unreadable: [UnreadableItem]
    /// By UID.
    package let overrides: [OverrideResource]

    /// A view of a list.
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

    /// The objects of a list that the server has not got as they are, by id.
    package func unsentItems(in list: ListID) throws(DatabaseError) -> [SyncItem] {
        let sql = "\(Self.itemColumns) WHERE list = ?1 AND dirty = 1 ORDER BY id"
        return try self.database.rows(sql, [.id(list)]) { SyncItem($0) }
    }

    /// What the list holds and what sync remembers of it; `nil` when there is no such list.
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

    /// The resources of a list that could not be read, by href.
    package func unreadable(in list: ListID) throws(DatabaseError) -> [UnreadableItem] {
        try self.database.rows("SELECT href, etag, reason FROM unreadable WHERE list = ?1 ORDER BY href", [.id(list)]) {
            UnreadableItem($0)
        }
    }

    /// UIDs of objects in an account's lists that are to be on the server and have not arrived there, and of those that
    /// were moved to another account's list and have not arrived at that server.
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

    /// Accounts that something was moved out of to another account, where it has not arrived.
    package func accountsWaitingForOthers() throws(DatabaseError) -> Set<AccountID> {
        let sql = """
            SELECT DISTINCT origin.account FROM tombstone JOIN list AS origin ON origin.id = tombstone.list
                JOIN calendar_object AS object ON object.id = tombstone.object
                JOIN list AS target ON target.id = object.list
            WHERE target.account <> origin.account AND object.dirty = 1 AND object.etag IS NULL
            """
        return Set(try self.database.rows(sql) { $0.id("account") })
    }

    /// Whether the server has everything that was changed and deleted in the list here.
    package func isSent(_ id: ListID) throws(DatabaseError) -> Bool {
        let sql = """
            SELECT 1 FROM calendar_object WHERE list = ?1 AND dirty = 1
            UNION ALL SELECT 1 FROM tombstone WHERE list = ?1
            UNION ALL SELECT 1 FROM override_resource WHERE list = ?1 AND state = 'joined' AND etag IS NOT NULL
            """
        return try !self.database.exists(sql, [.id(id)])
    }

    /// The text of an object that both sides had in the list of the same account from which it was moved, the last one of
    /// several, as long as that list has not seen the move through; `nil` when there is none.
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

    /// The texts of an object that was deleted here, `nil` when there is no tombstone for it.
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
