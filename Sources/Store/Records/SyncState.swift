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

    /// An object in the state that the arguments tell.
    package init(id: ObjectID, uid: String, href: Href?, etag: EntityTag?, isDirty: Bool, revision: Int64) {
        self.id = id
        self.uid = uid
        self.href = href
        self.etag = etag
        self.isDirty = isDirty
        self.revision = revision
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

    /// A view of a list.
    package init(list: ListRecord, items: [SyncItem], tombstones: [Tombstone], unreadable: [UnreadableItem]) {
        self.list = list
        self.items = items
        self.tombstones = tombstones
        self.unreadable = unreadable
    }
}

/// The texts of an object that a three-way merge starts from.
package struct ObjectTexts: Hashable, Sendable {
    /// As it stands here, or stood when it was deleted.
    package let source: [UInt8]
    /// The last text that both sides agreed on; `nil` when they never did.
    package let base: [UInt8]?
}

extension StoreSnapshot {
    /// What the list holds and what sync remembers of it; `nil` when there is no such list.
    package func syncState(of id: ListID) throws(DatabaseError) -> SyncState? {
        guard let list = try self.list(id) else { return nil }
        return SyncState(
            list: list,
            items: try self.connection.rows(
                "SELECT id, uid, href, etag, dirty, revision FROM calendar_object WHERE list = ?1 ORDER BY id",
                [.id(id)]
            ) { SyncItem($0) },
            tombstones: try self.connection.rows(
                "SELECT uid, object, href, etag, deleted FROM tombstone WHERE list = ?1 ORDER BY uid",
                [.id(id)]
            ) { Tombstone($0) },
            unreadable: try self.connection.rows(
                "SELECT href, etag, reason FROM unreadable WHERE list = ?1 ORDER BY href",
                [.id(id)]
            ) { UnreadableItem($0) }
        )
    }

    /// The texts of an object, `nil` when there is none.
    package func texts(of id: ObjectID) throws(DatabaseError) -> ObjectTexts? {
        try self.connection.first("SELECT source, base FROM calendar_text WHERE object = ?1", [.id(id)]) {
            ObjectTexts(source: $0.bytes(0), base: $0.bytesIfPresent(1))
        }
    }

    /// The texts of an object that was deleted here, `nil` when there is no tombstone for it.
    package func textsOfTombstone(in list: ListID, uid: String) throws(DatabaseError) -> ObjectTexts? {
        let sql = "SELECT source, base FROM tombstone WHERE list = ?1 AND uid = ?2"
        return try self.connection.first(sql, [.id(list), .text(uid)]) {
            ObjectTexts(source: $0.bytes(0), base: $0.bytesIfPresent(1))
        }
    }
}

extension SyncItem {
    fileprivate init(_ row: Row) {
        self.id = row.id(0)
        self.uid = row.text(1)
        self.href = row.href(2)
        self.etag = row.entityTag(3)
        self.isDirty = row.flag(4)
        self.revision = row.integer(5)
    }
}

extension Tombstone {
    fileprivate init(_ row: Row) {
        self.uid = row.text(0)
        self.object = row.id(1)
        self.href = Href(row.text(2))
        self.etag = row.entityTag(3)
        self.deletedAt = row.integer(4)
    }
}

extension UnreadableItem {
    fileprivate init(_ row: Row) {
        self.href = Href(row.text(0))
        self.etag = row.entityTag(1)
        self.reason = row.text(2)
    }
}
