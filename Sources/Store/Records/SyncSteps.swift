package import Resources

/// What became of a step of a sync.
package enum SyncStepOutcome: Hashable, Sendable {
    /// It stands in the store.
    case recorded(ObjectID)
    /// Meanwhile a person changed or deleted the object. The edit stays and is for the next run to compare.
    case movedOn
    /// Another object of the list has the UID; nothing was written.
    case uidTaken(ObjectID)
}

/// An object as it came from the server.
package struct PulledObject: Hashable, Sendable {
    /// Unique in its list.
    package var uid: String
    /// Where the server has it.
    package var href: Href
    /// Which version it is.
    package var etag: EntityTag?
    /// The text, exactly as received.
    package var source: [UInt8]
    /// What listings show of it.
    package var index: ObjectIndex

    /// An object as it came.
    package init(uid: String, href: Href, etag: EntityTag?, source: [UInt8], index: ObjectIndex) {
        self.uid = uid
        self.href = href
        self.etag = etag
        self.source = source
        self.index = index
    }
}

/// The object that a step of a sync read, in the state in which it read it.
package struct ReadObject: Hashable, Sendable {
    /// The object's number.
    package var id: ObjectID
    /// Its revision when it was read.
    package var revision: Int64

    /// An object in one of its states.
    package init(_ id: ObjectID, revision: Int64) {
        self.id = id
        self.revision = revision
    }
}

// Each step names the list as well: a person may have moved the object to another one while the server answered, and
// there it has another place on another server.
extension StoreTransaction {
    /// Keeps the name that a new object will have on the server, before it is sent, so that a run that is broken off
    /// after sending finds it again.
    ///
    /// - Returns: the name to use: the one it already has, else `proposed`; `nil` when the object is gone.
    package func reserveHref(_ proposed: Href, for id: ObjectID, in list: ListID) throws(DatabaseError) -> Href? {
        try self.database.run(
            "UPDATE calendar_object SET href = ?3 WHERE id = ?1 AND list = ?2 AND href IS NULL",
            [.id(id), .id(list), .text(proposed.wire)]
        )
        let sql = "SELECT href FROM calendar_object WHERE id = ?1 AND list = ?2"
        return try self.database.first(sql, [.id(id), .id(list)]) { $0.href("href") } ?? nil
    }

    /// Records that the server has `base`.
    ///
    /// Also for a text that was found to be the same on both sides.
    ///
    /// An object that was changed meanwhile stays dirty on its new base; one that was deleted meanwhile has its
    /// tombstone brought up to date.
    ///
    /// - Returns: `.recorded` when both sides now have the same text.
    package func recordPushed(
        _ object: ReadObject,
        in list: ListID,
        href: Href,
        etag: EntityTag?,
        base: [UInt8]
    ) throws(DatabaseError) -> SyncStepOutcome {
        let values: [SQLValue] = [.id(object.id), .id(list), .text(href.wire), .text(etag?.wire)]
        let count = try self.database.run(
            "UPDATE calendar_object SET href = ?3, etag = ?4, dirty = CASE revision WHEN ?5 THEN 0 ELSE 1 END WHERE id = ?1 AND list = ?2",
            values + [.integer(object.revision)]
        )
        guard count == 1 else {
            try self.database.run(
                "UPDATE tombstone SET href = ?3, etag = ?4, base = ?5 WHERE object = ?1 AND list = ?2",
                values + [.blob(base)]
            )
            return .movedOn
        }
        try self.setBase(base, of: object.id)
        return try self.isUnchanged(object, in: list) ? .recorded(object.id) : .movedOn
    }

    /// Takes over what came from the server: both sides then have the same text.
    ///
    /// - Parameters:
    ///   - replacing: the object that it is a new version of; `nil` when there was none. One that was deleted here
    ///     comes back with its id, and its tombstone goes.
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
        try self.write(pulled, over: object.id, base: pulled.source, isDirty: false)
        return .recorded(object.id)
    }

    /// Writes what a merge made of both sides' changes.
    ///
    /// - Parameters:
    ///   - merged: the merged text; `href` and `etag` are of the server's version.
    ///   - base: the server's text that went into the merge.
    ///   - isToBeSent: whether it is still to be sent, with the next revision; `false` where the server has all of it that it
    ///     keeps.
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

    /// Removes an object that was deleted on the server, without a tombstone.
    package func recordRemoteDeletion(_ object: ReadObject, in list: ListID) throws(DatabaseError) -> SyncStepOutcome {
        guard try self.isUnchanged(object, in: list) else { return .movedOn }
        try self.remove(object.id)
        return .recorded(object.id)
    }

    /// Forgets where the server had an object, so that the next sync sends it as a new one: the server deleted what a
    /// person changed here, and an edit beats a deletion.
    package func forgetRemote(_ id: ObjectID, in list: ListID) throws(DatabaseError) {
        let count = try self.database.run(
            "UPDATE calendar_object SET href = NULL, etag = NULL, dirty = 1 WHERE id = ?1 AND list = ?2",
            [.id(id), .id(list)]
        )
        guard count == 1 else { return }
        try self.setBase(nil, of: id)
    }

    /// Forgets which version of an object the server had, since it denies having any: the next sync finds out.
    package func forgetVersion(of id: ObjectID, in list: ListID) throws(DatabaseError) {
        try self.database.run(
            "UPDATE calendar_object SET etag = NULL WHERE id = ?1 AND list = ?2",
            [.id(id), .id(list)]
        )
    }

    /// Gives an object another UID, so that the next sync sends it as a new one.
    ///
    /// For a server that keeps the UID of what was deleted there and takes it from nobody else.
    ///
    /// - Returns: whether it was done; not if the object has moved on, or another of the list has that UID.
    package func recordNewUID(
        _ uid: String,
        of object: ReadObject,
        in list: ListID,
        source: [UInt8]
    ) throws(DatabaseError) -> Bool {
        guard try self.isUnchanged(object, in: list), try self.object(in: list, uid: uid) == nil else { return false }
        try self.database.run(
            """
            UPDATE override_resource SET uid = ?3
            WHERE list = ?2 AND uid = (SELECT uid FROM calendar_object WHERE id = ?1)
            """,
            [.id(object.id), .id(list), .text(uid)]
        )
        try self.database.run(
            """
            UPDATE calendar_object
            SET uid = ?2, href = NULL, etag = NULL, dirty = 1, revision = revision + 1
            WHERE id = ?1
            """,
            [.id(object.id), .text(uid)]
        )
        try self.setTexts(of: object.id, source: source, base: nil)
        try self.noteRelations(of: object.id, in: source)
        return true
    }

    /// Records that the server has moved what was moved here from one list to another.
    ///
    /// The tombstone in the old list goes, and the object in the new one has its place and its version on the server;
    /// one that was edited as well stays dirty.
    ///
    /// - Returns: the object's number, `nil` when a person has moved it on meanwhile.
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
        try self.forgetTombstone(in: source, uid: uid)
        try self.setBase(base, of: id)
        try self.database.run(
            """
            UPDATE calendar_object SET href = ?2, etag = ?3,
                dirty = (SELECT CASE source WHEN ?4 THEN 0 ELSE 1 END FROM calendar_text WHERE object = ?1)
            WHERE id = ?1
            """,
            [.id(id), .text(href.wire), .text(etag?.wire), .blob(base)]
        )
        return id
    }

    /// Records that the server no longer has an object that was deleted here.
    package func forgetTombstone(in list: ListID, uid: String) throws(DatabaseError) {
        try self.database.run("DELETE FROM tombstone WHERE list = ?1 AND uid = ?2", [.id(list), .text(uid)])
    }

    /// The same for the deletion that was read; one that a person has made since stays.
    package func forget(_ tombstone: Tombstone, in list: ListID) throws(DatabaseError) {
        try self.database.run(
            """
            DELETE FROM tombstone
            WHERE list = ?1 AND uid = ?2 AND object = ?3 AND href = ?4 AND (etag = ?5 OR etag IS NULL AND CAST(?5 AS TEXT) IS NULL) AND deleted = ?6
            """,
            [
                .id(list), .text(tombstone.uid), .id(tombstone.object), .text(tombstone.href.wire),
                .text(tombstone.etag?.wire), .integer(tombstone.deletedAt),
            ]
        )
    }

    /// Records which version the server has of an object that was deleted here, where it says what it said then.
    ///
    /// - Parameter etag: `nil` when none is known any more.
    package func setVersion(_ etag: EntityTag?, of tombstone: Tombstone, in list: ListID) throws(DatabaseError) {
        try self.database.run(
            "UPDATE tombstone SET etag = ?5 WHERE list = ?1 AND uid = ?2 AND object = ?3 AND href = ?4",
            [
                .id(list), .text(tombstone.uid), .id(tombstone.object), .text(tombstone.href.wire),
                .text(etag?.wire),
            ]
        )
    }

    /// Sets an object of the server aside that cannot be read.
    package func setUnreadable(_ item: UnreadableItem, in list: ListID) throws(DatabaseError) {
        try self.database.run(
            "DELETE FROM override_resource WHERE list = ?1 AND href = ?2",
            [.id(list), .text(item.href.wire)]
        )
        try self.database.upsert(
            "unreadable",
            key: ["list": .id(list), "href": .text(item.href.wire)],
            ["etag": .text(item.etag?.wire), "reason": .text(item.reason)]
        )
    }

    /// Forgets that an object of the server could not be read: it is gone there, or it is readable now.
    package func clearUnreadable(_ href: Href, in list: ListID) throws(DatabaseError) {
        try self.database.run("DELETE FROM unreadable WHERE list = ?1 AND href = ?2", [.id(list), .text(href.wire)])
    }

    /// Takes the tombstone of a UID out of the store, `nil` when there is none.
    func takeTombstone(in list: ListID, uid: String) throws(DatabaseError) -> TakenTombstone? {
        let sql = "SELECT object, revision, href, etag, base FROM tombstone WHERE list = ?1 AND uid = ?2"
        let taken = try self.database.first(sql, [.id(list), .text(uid)]) { row in
            TakenTombstone(
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
        guard try !self.database.exists(sql, [.id(list), .text(pulled.href.wire)]) else { return .movedOn }
        let past = try self.takeTombstone(in: list, uid: pulled.uid)
        try self.database.run(
            "DELETE FROM tombstone WHERE list = ?1 AND href = ?2",
            [.id(list), .text(pulled.href.wire)]
        )
        let id = try self.insertObject(
            NewObject(
                id: past?.object,
                list: list,
                uid: pulled.uid,
                source: pulled.source,
                index: pulled.index,
                isDirty: false,
                href: pulled.href,
                etag: pulled.etag,
                base: pulled.source,
                revision: (past?.revision ?? 0) + 1
            )
        )
        return .recorded(id)
    }

    private func write(_ new: PulledObject, over id: ObjectID, base: [UInt8], isDirty: Bool) throws(DatabaseError) {
        // Merged with a new version of the server, a refused text can be the same text again.
        if isDirty, try self.texts(of: id)?.source == new.source { try self.keepRefusal(of: id) }
        try self.database.run(
            """
            UPDATE calendar_object
            SET uid = ?2, href = ?3, etag = ?4, dirty = ?5, revision = revision + 1
            WHERE id = ?1
            """,
            [
                .id(id), .text(new.uid), .text(new.href.wire), .text(new.etag?.wire), .flag(isDirty),
            ]
        )
        try self.updateIndex(of: id, new.index)
        try self.setTexts(of: id, source: new.source, base: base)
        try self.noteRelations(of: id, in: new.source)
    }

    private func idOfObject(in list: ListID, uid: String) throws(DatabaseError) -> ObjectID? {
        let sql = "SELECT id FROM calendar_object WHERE list = ?1 AND uid = ?2"
        return try self.database.first(sql, [.id(list), .text(uid)]) { $0.id("id") }
    }

    private func isUnchanged(_ object: ReadObject, in list: ListID) throws(DatabaseError) -> Bool {
        let sql = "SELECT 1 FROM calendar_object WHERE id = ?1 AND list = ?2 AND revision = ?3"
        let values: [SQLValue] = [.id(object.id), .id(list), .integer(object.revision)]
        return try self.database.exists(sql, values)
    }
}

/// What a tombstone hands on to the object that takes its place.
struct TakenTombstone {
    let object: ObjectID
    let revision: Int64
    let href: Href
    let etag: EntityTag?
    let base: [UInt8]?
}
