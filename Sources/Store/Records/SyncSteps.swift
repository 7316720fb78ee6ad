package import RemindavResources

package enum SyncStepOutcome: Hashable, Sendable {
    case recorded(ObjectID)
    /// A user has changed or deleted the object during the request; the next sync sends that edit.
    case movedOn
    /// Another object of the list has the UID. Nothing was written.
    case uidTaken(ObjectID)
}

/// An object that the server sent.
package struct PulledObject: Hashable, Sendable {
    package var uid: String
    package var href: Href
    package var etag: EntityTag?
    package var object: StoredObject

    package init(uid: String, href: Href, etag: EntityTag?, _ object: StoredObject) {
        self.uid = uid
        self.href = href
        self.etag = etag
        self.object = object
    }
}

/// The object that a step of a sync read, and the revision that it had then.
package struct ReadObject: Hashable, Sendable {
    package var id: ObjectID
    package var revision: Int64

    package init(_ id: ObjectID, revision: Int64) {
        self.id = id
        self.revision = revision
    }
}

// Each step also names the list: during a request, a user may move the object to another list, where it has another
// address.
extension StoreTransaction {
    /// Stores the address of a new object before sending it, so that a sync after an interruption finds the object.
    /// - Returns: the stored address, possibly from an earlier sync; `nil` when the object is no longer in the list.
    package func reserveHref(_ proposed: Href, for id: ObjectID, in list: ListID) throws(DatabaseError) -> Href? {
        self.keys?.add(proposed.wire)
        try self.database.send(
            "UPDATE calendar_object SET href = ?3 WHERE id = ?1 AND list = ?2 AND href IS NULL",
            [.id(id), .id(list), .text(proposed.wire)]
        )
        let sql = "SELECT href FROM calendar_object WHERE id = ?1 AND list = ?2"
        return try self.database.first(sql, [.id(id), .id(list)]) { $0.href("href") } ?? nil
    }

    /// Records that the server has the text `base`, because it was sent or because both sides had the same text.
    ///
    /// If the object has changed since it was read, it stays dirty. If it was deleted, its tombstone is updated.
    /// - Returns: `.recorded` when both sides have the same text now.
    package func recordPushed(
        _ object: ReadObject,
        in list: ListID,
        href: Href,
        etag: EntityTag?,
        base: [UInt8]
    ) throws(DatabaseError) -> SyncStepOutcome {
        self.keys?.add(href.wire)
        let values: [SQLValue] = [.id(object.id), .id(list), .text(href.wire), .text(etag?.wire)]
        let count = try self.database.run(
            """
            UPDATE calendar_object SET href = ?3, etag = ?4, dirty = CASE revision WHEN ?5 THEN 0 ELSE 1 END
            WHERE id = ?1 AND list = ?2
            """,
            values + [.integer(object.revision)]
        )
        guard count == 1 else {
            try self.database.send(
                "UPDATE tombstone SET href = ?3, etag = ?4, base = ?5 WHERE object = ?1 AND list = ?2",
                values + [.blob(base)]
            )
            return .movedOn
        }
        try self.setBase(base, of: object.id)
        return try self.isUnchanged(object, in: list) ? .recorded(object.id) : .movedOn
    }

    /// Stores an object from the server, so that both sides have the same text.
    /// - Parameter object: the object that the new version replaces; `nil` to add an object. If the list has a
    ///   tombstone of the added UID, the object gets its former id again, and the tombstone is removed.
    package func recordPulled(
        _ pulled: PulledObject,
        in list: ListID,
        replacing object: ReadObject? = nil
    ) throws(DatabaseError) -> SyncStepOutcome {
        try self.clearUnreadable(pulled.href, in: list)
        let taken = try self.idOfObject(in: list, uid: pulled.uid)
        guard let object else {
            if let taken { return .uidTaken(taken) }
            return try self.insertPulled(pulled, in: list)
        }
        guard try self.isUnchanged(object, in: list) else { return .movedOn }
        if let taken, taken != object.id { return .uidTaken(taken) }
        try self.write(pulled, over: object.id, base: pulled.object.source, isDirty: false)
        return .recorded(object.id)
    }

    /// Stores the result of a merge.
    /// - Parameters:
    ///   - merged: the merged text, with the address and the entity tag of the server's version.
    ///   - base: the server's text that the merge used.
    ///   - isToBeSent: `false` when the server already has all of the merged data.
    package func recordMerged(
        _ merged: PulledObject,
        in list: ListID,
        replacing object: ReadObject,
        base: [UInt8],
        isToBeSent: Bool = true
    ) throws(DatabaseError) -> SyncStepOutcome {
        try self.clearUnreadable(merged.href, in: list)
        guard try self.isUnchanged(object, in: list) else { return .movedOn }
        if let taken = try self.idOfObject(in: list, uid: merged.uid), taken != object.id { return .uidTaken(taken) }
        try self.write(merged, over: object.id, base: base, isDirty: isToBeSent)
        return .recorded(object.id)
    }

    /// Deletes an object because it was deleted on the server; the store keeps no tombstone.
    package func recordRemoteDeletion(_ object: ReadObject, in list: ListID) throws(DatabaseError) -> SyncStepOutcome {
        guard try self.isUnchanged(object, in: list) else { return .movedOn }
        try self.remove(object.id)
        return .recorded(object.id)
    }

    /// Removes the address, entity tag and base of an object, so that the next sync sends it as a new one.
    ///
    /// This is for an object that was edited locally and deleted on the server: an edit overrides a deletion.
    package func forgetRemote(_ id: ObjectID, in list: ListID) throws(DatabaseError) {
        let count = try self.database.run(
            "UPDATE calendar_object SET href = NULL, etag = NULL, dirty = 1 WHERE id = ?1 AND list = ?2",
            [.id(id), .id(list)]
        )
        guard count == 1 else { return }
        try self.setBase(nil, of: id)
    }

    /// Removes an entity tag because the server reported the object as missing; the next sync reads the current one.
    package func forgetVersion(of id: ObjectID, in list: ListID) throws(DatabaseError) {
        try self.database.send(
            "UPDATE calendar_object SET etag = NULL WHERE id = ?1 AND list = ?2",
            [.id(id), .id(list)]
        )
    }

    /// Gives an object another UID, so that the next sync sends it as a new one.
    ///
    /// Some servers store the UID of a deleted object and refuse a new object with that UID.
    /// - Returns: `false`, without a change, when the object has changed since it was read or the list has the new UID.
    package func recordNewUID(
        _ uid: String,
        of object: ReadObject,
        in list: ListID,
        _ stored: StoredObject
    ) throws(DatabaseError) -> Bool {
        guard try self.isUnchanged(object, in: list), try self.object(in: list, uid: uid) == nil else { return false }
        self.keys?.add(uid)
        try self.database.send(
            """
            UPDATE override_resource SET uid = ?3
            WHERE list = ?2 AND uid = (SELECT uid FROM calendar_object WHERE id = ?1)
            """,
            [.id(object.id), .id(list), .text(uid)]
        )
        try self.database.send(
            """
            UPDATE calendar_object
            SET uid = ?2, href = NULL, etag = NULL, dirty = 1, revision = revision + 1
            WHERE id = ?1
            """,
            [.id(object.id), .text(uid)]
        )
        try self.setTexts(of: object.id, source: stored.source, base: nil)
        try self.replaceRelations(of: object.id, stored)
        return true
    }

    /// Records that the server has moved an object to the collection of another list, as a user did in the store.
    ///
    /// The tombstone in the old list is removed. The object in the new list gets the new address and entity tag. If the
    /// object was edited since the move, it stays dirty.
    /// - Returns: the object; `nil` when a user has moved it again since.
    package func recordMoved(
        _ uid: String,
        from source: ListID,
        to target: ListID,
        href: Href,
        etag: EntityTag?
    ) throws(DatabaseError) -> ObjectID? {
        guard let texts = try self.textsOfTombstone(in: source, uid: uid),
            let id = try self.idOfObject(in: target, uid: uid)
        else { return nil }
        let base = texts.base ?? texts.source
        self.keys?.add(href.wire)
        try self.forgetTombstone(in: source, uid: uid)
        try self.setBase(base, of: id)
        try self.database.send(
            """
            UPDATE calendar_object SET href = ?2, etag = ?3,
                dirty = (SELECT CASE source WHEN ?4 THEN 0 ELSE 1 END FROM calendar_text WHERE object = ?1)
            WHERE id = ?1
            """,
            [.id(id), .text(href.wire), .text(etag?.wire), .blob(base)]
        )
        return id
    }

    /// Removes a tombstone because the server no longer has the deleted object.
    package func forgetTombstone(in list: ListID, uid: String) throws(DatabaseError) {
        try self.database.send("DELETE FROM tombstone WHERE list = ?1 AND uid = ?2", [.id(list), .text(uid)])
    }

    /// Removes exactly this tombstone; if the object was deleted again since, the newer tombstone stays.
    package func forget(_ tombstone: Tombstone, in list: ListID) throws(DatabaseError) {
        try self.database.send(
            """
            DELETE FROM tombstone
            WHERE list = ?1 AND uid = ?2 AND object = ?3 AND href = ?4
                AND (etag = ?5 OR etag IS NULL AND CAST(?5 AS TEXT) IS NULL) AND deleted = ?6
            """,
            [
                .id(list), .text(tombstone.uid), .id(tombstone.object), .text(tombstone.href.wire),
                .text(tombstone.etag?.wire), .integer(tombstone.deletedAt),
            ]
        )
    }

    /// Records the entity tag that a locally deleted object has on the server; `nil` when the tag is unknown.
    package func setVersion(_ etag: EntityTag?, of tombstone: Tombstone, in list: ListID) throws(DatabaseError) {
        try self.database.send(
            "UPDATE tombstone SET etag = ?5 WHERE list = ?1 AND uid = ?2 AND object = ?3 AND href = ?4",
            [.id(list), .text(tombstone.uid), .id(tombstone.object), .text(tombstone.href.wire), .text(etag?.wire)]
        )
    }

    /// Records an unreadable object, so that the next sync does not read it again.
    ///
    /// An object at an address beyond ``KeyLimits`` is not recorded; a sync reads it again if it lists all objects.
    package func setUnreadable(_ item: UnreadableItem, in list: ListID) throws(DatabaseError) {
        try self.database.send(
            "DELETE FROM override_resource WHERE list = ?1 AND href = ?2",
            [.id(list), .text(item.href.wire)]
        )
        guard KeyLimits.allows(item.href.wire) else { return }
        try self.database.upsert(
            "unreadable",
            key: ["list": .id(list), "href": .text(item.href.wire)],
            ["etag": .text(item.etag?.wire), "reason": .text(item.reason)]
        )
    }

    /// Removes the record of an unreadable object, because the object is gone or became readable.
    package func clearUnreadable(_ href: Href, in list: ListID) throws(DatabaseError) {
        try self.database.send("DELETE FROM unreadable WHERE list = ?1 AND href = ?2", [.id(list), .text(href.wire)])
    }

    func removeTombstone(in list: ListID, uid: String) throws(DatabaseError) -> RemovedTombstone? {
        guard try self.mayContain(uid) else { return nil }
        let sql = "SELECT object, revision, href, etag, base FROM tombstone WHERE list = ?1 AND uid = ?2"
        let taken = try self.database.first(sql, [.id(list), .text(uid)]) { row in
            RemovedTombstone(
                object: row.id("object"),
                revision: row.integer("revision"),
                href: Href(row.text("href")),
                etag: row.entityTag("etag"),
                base: row.bytesIfPresent("base")
            )
        }
        if taken != nil { try self.forgetTombstone(in: list, uid: uid) }
        return taken
    }

    private func insertPulled(_ pulled: PulledObject, in list: ListID) throws(DatabaseError) -> SyncStepOutcome {
        let sql = "SELECT 1 FROM calendar_object WHERE list = ?1 AND href = ?2"
        if try self.mayContain(pulled.href.wire),
            try self.database.exists(sql, [.id(list), .text(pulled.href.wire)])
        {
            return .movedOn
        }
        let past = try self.removeTombstone(in: list, uid: pulled.uid)
        try self.database.send(
            "DELETE FROM tombstone WHERE list = ?1 AND href = ?2",
            [.id(list), .text(pulled.href.wire)]
        )
        let id = try self.insertObject(
            NewObject(
                id: past?.object,
                list: list,
                uid: pulled.uid,
                object: pulled.object,
                isDirty: false,
                href: pulled.href,
                etag: pulled.etag,
                base: pulled.object.source,
                revision: (past?.revision ?? 0) + 1
            )
        )
        return .recorded(id)
    }

    private func write(_ new: PulledObject, over id: ObjectID, base: [UInt8], isDirty: Bool) throws(DatabaseError) {
        // A merge with a new server version can yield the text that the server refused. The refusal then still applies.
        if isDirty, try self.texts(of: id)?.source == new.object.source { try self.keepRefusal(of: id) }
        self.keys?.add(new.uid)
        self.keys?.add(new.href.wire)
        try self.database.send(
            """
            UPDATE calendar_object
            SET uid = ?2, href = ?3, etag = ?4, dirty = ?5, revision = revision + 1
            WHERE id = ?1
            """,
            [.id(id), .text(new.uid), .text(new.href.wire), .text(new.etag?.wire), .flag(isDirty)]
        )
        try self.updateIndex(of: id, new.object.index)
        try self.replaceRelations(of: id, new.object)
        try self.setTexts(of: id, source: new.object.source, base: base)
    }

    private func idOfObject(in list: ListID, uid: String) throws(DatabaseError) -> ObjectID? {
        guard try self.mayContain(uid) else { return nil }
        let sql = "SELECT id FROM calendar_object WHERE list = ?1 AND uid = ?2"
        return try self.database.first(sql, [.id(list), .text(uid)]) { $0.id("id") }
    }

    private func isUnchanged(_ object: ReadObject, in list: ListID) throws(DatabaseError) -> Bool {
        let sql = "SELECT 1 FROM calendar_object WHERE id = ?1 AND list = ?2 AND revision = ?3"
        let values: [SQLValue] = [.id(object.id), .id(list), .integer(object.revision)]
        return try self.database.exists(sql, values)
    }
}

/// The values of a removed tombstone, for the object that replaces the deleted object.
struct RemovedTombstone {
    let object: ObjectID
    let revision: Int64
    let href: Href
    let etag: EntityTag?
    let base: [UInt8]?
}
