package import RemindavReminders
package import RemindavResources

/// A calendar object without its text, for listings.
package struct ObjectRow: Hashable, Sendable {
    /// The short id that a user types.
    package let id: ObjectID
    /// The list that contains the object.
    package let list: ListID
    /// The UID, unique in the list.
    package let uid: String
    /// The values of the index columns.
    package let index: ObjectIndex
}

/// A calendar object with its text.
package struct ObjectRecord: Hashable, Sendable {
    /// The short id that a user types.
    package let id: ObjectID
    /// The list that contains the object.
    package let list: ListID
    /// The UID, unique in the list.
    package let uid: String
    /// The values of the index columns.
    package let index: ObjectIndex
    /// A number that grows with every change of the text, so that a sync detects edits during a request.
    package let revision: Int64
    /// Whether the server does not have this text yet; always true in a local list.
    package let isDirty: Bool
    /// The address on the server, or the address that the first upload will use; `nil` for no address.
    package let href: Href?
    /// The entity tag of the base; `nil` when the server does not have the object or sent no entity tag.
    package let etag: EntityTag?
    /// The iCalendar text, exactly as received or edited.
    package let source: [UInt8]
}

private let indexColumns = ObjectIndex.columns.joined(separator: ", ")
private let rowColumns = "id, list, uid, \(indexColumns)"
// Listings do not need the UID. Copying 10,000 UIDs would take noticeable time.
private let lineColumns = "id, list, '' AS uid, \(indexColumns)"
private let selectRow = "SELECT \(rowColumns) FROM calendar_object"
// The text comes first, because a search examines the text first and ``Row`` is fastest in the order of the columns.
let selectObject = """
    SELECT source, \(rowColumns), revision, dirty, href, etag
    FROM calendar_object JOIN calendar_text ON object = id
    """

private let updateIndexText = SQL.updateByID("calendar_object", ObjectIndex.columns)
private let insertObjectText =
    SQL.insert(
        into: "calendar_object",
        ["id", "list", "uid", "revision", "dirty", "href", "etag"] + ObjectIndex.columns
    )

extension StoreSnapshot {
    /// Returns the objects of a list, or of all lists, without their texts, ordered by id.
    package func rows(in list: ListID? = nil) throws(DatabaseError) -> [ObjectRow] {
        guard let list else { return try self.database.rows("\(selectRow) ORDER BY id") { ObjectRow($0) } }
        return try self.database.rows("\(selectRow) WHERE list = ?1 ORDER BY id", [.id(list)]) { ObjectRow($0) }
    }

    /// Passes the objects of the scope to `body`, ordered by id, without texts and with empty UIDs.
    package func forEachRow(in scope: ObjectScope, _ body: (ObjectRow) -> Void) throws(DatabaseError) {
        let (condition, values) = scope.condition
        let sql = "SELECT \(lineColumns) FROM calendar_object WHERE \(condition) ORDER BY id"
        try self.database.forEach(sql, values) { row in
            body(ObjectRow(row))
            return true
        }
    }

    /// Returns the objects of a list, or of all lists, ordered by id; all their texts are in memory at once.
    package func objects(in list: ListID? = nil) throws(DatabaseError) -> [ObjectRecord] {
        var objects: [ObjectRecord] = []
        try self.forEachObject(in: list) { object in
            objects.append(object)
            return true
        }
        return objects
    }

    /// Passes the objects of a list, or of all lists, to `body`, ordered by id, until `body` returns `false`.
    package func forEachObject(in list: ListID? = nil, _ body: (ObjectRecord) -> Bool) throws(DatabaseError) {
        guard let list else {
            return try self.database.forEach("\(selectObject) ORDER BY id") { body(ObjectRecord($0)) }
        }
        let sql = "\(selectObject) WHERE list = ?1 ORDER BY id"
        try self.database.forEach(sql, [.id(list)]) { body(ObjectRecord($0)) }
    }

    /// Passes the objects of the scope to `body`, ordered by id, until `body` returns `false`.
    /// - Parameter isWanted: examines the bytes of a text before they are copied; `false` skips the object.
    package func forEachObject(
        in scope: ObjectScope,
        where isWanted: (Span<UInt8>) -> Bool = { _ in true },
        _ body: (ObjectRecord) -> Bool
    ) throws(DatabaseError) {
        let (condition, values) = scope.condition
        try self.database.forEach("\(selectObject) WHERE \(condition) ORDER BY id", values) { row in
            row.withBytes("source", isWanted) ? body(ObjectRecord(row)) : true
        }
    }

    /// Returns the object with this id; `nil` when there is none.
    package func object(_ id: ObjectID) throws(DatabaseError) -> ObjectRecord? {
        try self.database.first("\(selectObject) WHERE id = ?1", [.id(id)]) { ObjectRecord($0) }
    }

    /// Returns up to `limit` objects with these statuses, ordered by id, from an id on.
    package func objects(from id: ObjectID, statuses: [Status], limit: Int) throws(DatabaseError) -> [ObjectRecord] {
        let (condition, values) = ObjectScope(statuses: statuses).condition
        let sql = "\(selectObject) WHERE id >= ?1 AND \(condition) ORDER BY id LIMIT ?2"
        return try self.database.rows(sql, [.id(id), .integer(limit)] + values) { ObjectRecord($0) }
    }

    /// Returns the object with this UID in a list; `nil` when there is none.
    package func object(in list: ListID, uid: String) throws(DatabaseError) -> ObjectRecord? {
        guard try self.mayContain(uid) else { return nil }
        let sql = "\(selectObject) WHERE list = ?1 AND uid = ?2"
        return try self.database.first(sql, [.id(list), .text(uid)]) { ObjectRecord($0) }
    }

    /// Returns the objects with this UID in all lists; SQLite uses the index by list and UID once per list.
    package func objects(withUID uid: String) throws(DatabaseError) -> [ObjectRecord] {
        guard try self.mayContain(uid) else { return [] }
        let sql = "\(selectObject) WHERE list IN (SELECT id FROM list) AND uid = ?1 ORDER BY id"
        return try self.database.rows(sql, [.text(uid)]) { ObjectRecord($0) }
    }

    /// Returns the object with this UID, without its text: from `list`, or else from the first list by position.
    package func row(uid: String, preferring list: ListID) throws(DatabaseError) -> ObjectRow? {
        // The subquery makes SQLite use the index by list and UID once per list. A join would scan all objects.
        let sql = """
            SELECT \(rowColumns) FROM calendar_object WHERE list IN (SELECT id FROM list) AND uid = ?1
            ORDER BY list <> ?2, (SELECT position FROM list AS place WHERE place.id = calendar_object.list), list LIMIT 1
            """
        return try self.database.first(sql, [.text(uid), .id(list)]) { ObjectRow($0) }
    }

    /// Returns the ids of the objects in a range, in ascending order.
    package func objectIDs(in range: ClosedRange<Int64>) throws(DatabaseError) -> [ObjectID] {
        let sql = "SELECT id FROM calendar_object WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
        return try self.database.rows(sql, [.integer(range.lowerBound), .integer(range.upperBound)]) { $0.id("id") }
    }

    /// Returns the number of objects in a list, or in all lists.
    package func objectCount(in list: ListID? = nil) throws(DatabaseError) -> Int {
        guard let list else {
            return try self.database.count("SELECT count(*) FROM calendar_object")
        }
        return try self.database.count("SELECT count(*) FROM calendar_object WHERE list = ?1", [.id(list)])
    }
}

extension StoreTransaction {
    /// Adds an object as a user's edit.
    ///
    /// If the list has a tombstone with this UID, the object continues the deleted object with its id and address. The
    /// server then receives a change instead of a deletion and an addition.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when the list has the UID, ``DatabaseError/Code/notFound`` when
    ///   there is no such list.
    @discardableResult
    package func insert(into list: ListID, uid: String, _ object: StoredObject) throws(DatabaseError) -> ObjectID {
        let past = try self.removeTombstone(in: list, uid: uid)
        return try self.insertEdit(
            object,
            id: past?.object,
            list: list,
            uid: uid,
            past: past,
            revision: (past?.revision ?? 0) + 1
        )
    }

    /// Restores a deleted object as a user's edit; the object gets its former id if no other object has that id.
    /// - Parameter now: seconds since 1970.
    /// - Throws: the errors of ``insert(into:uid:_:)``.
    package func restore(
        _ former: ObjectID,
        into list: ListID,
        uid: String,
        _ object: StoredObject,
        at now: Int64
    ) throws(DatabaseError) -> ObjectID {
        let past = try self.removeTombstone(in: list, uid: uid)
        // The former revision is unknown. It is smaller than `now`, since an object changes less than once a second.
        let revision = past.map { $0.revision + 1 } ?? now
        let id = past?.object ?? former
        return try self.insertEdit(object, id: id, list: list, uid: uid, past: past, revision: revision)
    }

    private func insertEdit(
        _ object: StoredObject,
        id: ObjectID?,
        list: ListID,
        uid: String,
        past: RemovedTombstone?,
        revision: Int64
    ) throws(DatabaseError) -> ObjectID {
        try self.insertObject(
            NewObject(
                id: id,
                list: list,
                uid: uid,
                object: object,
                isDirty: true,
                href: past?.href,
                etag: past?.etag,
                base: past?.base,
                revision: revision
            )
        )
    }

    /// Changes an object as a user's edit; the object gets a new revision and waits for the next sync.
    ///
    /// If the text is unchanged, the revision and the sync state stay the same.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func update(_ id: ObjectID, _ object: StoredObject) throws(DatabaseError) {
        try self.updateIndex(of: id, object.index)
        guard try self.setSource(object.source, of: id) else { return }
        try self.replaceRelations(of: id, object)
        try self.database.send("UPDATE calendar_object SET revision = revision + 1, dirty = 1 WHERE id = ?1", [.id(id)])
    }

    /// Marks an object as sent after its unsent edit was undone, if its text equals the base again.
    /// - Parameter isAgreed: whether to mark the object although its text differs from the base.
    package func markSentIfReverted(_ id: ObjectID, isAgreed: Bool = false) throws(DatabaseError) {
        try self.database.send(
            """
            UPDATE calendar_object SET dirty = 0
            WHERE id = ?1 AND href IS NOT NULL AND (?2 = 1
                OR EXISTS (SELECT 1 FROM calendar_text WHERE object = ?1 AND source = \(TextRecord.base)))
            """,
            [.id(id), .flag(isAgreed)]
        )
    }

    /// Deletes an object as a user's edit, at `now` seconds since 1970.
    ///
    /// If the object has an address on the server, the store keeps a tombstone with the text for the next sync.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func delete(_ id: ObjectID, at now: Int64) throws(DatabaseError) {
        try self.database.send(
            """
            INSERT INTO tombstone (list, uid, object, revision, href, etag, source, base, deleted)
            SELECT list, uid, id, revision, href, etag, source, \(TextRecord.base), ?2
            FROM calendar_object JOIN calendar_text ON object = id
            WHERE id = ?1 AND href IS NOT NULL
            """,
            [.id(id), .integer(now)]
        )
        try self.remove(id)
    }

    /// Moves an object to another list as a user's edit; the object keeps its id.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when `list` has the UID, ``DatabaseError/Code/notFound``.
    package func move(_ id: ObjectID, to list: ListID, at now: Int64) throws(DatabaseError) {
        guard let object = try self.object(id) else { throw DatabaseError(.notFound) }
        guard object.list != list else { return }
        try self.delete(id, at: now)
        let past = try self.removeTombstone(in: list, uid: object.uid)
        _ = try self.insertEdit(
            StoredObject(source: object.source, index: object.index),
            id: id,
            list: list,
            uid: object.uid,
            past: past,
            revision: object.revision + 1
        )
    }

    /// - Throws: ``DatabaseError/Code/notFound``.
    func updateIndex(of id: ObjectID, _ index: ObjectIndex) throws(DatabaseError) {
        try self.database.changeOne(updateIndexText, [.id(id)] + index.values)
    }

    /// Deletes the object without a tombstone.
    func remove(_ id: ObjectID) throws(DatabaseError) {
        try self.database.changeOne("DELETE FROM calendar_object WHERE id = ?1", [.id(id)])
    }

    @discardableResult
    func insertObject(_ object: NewObject) throws(DatabaseError) -> ObjectID {
        self.keys?.add(object.uid)
        if let href = object.href { self.keys?.add(href.wire) }
        let id = ObjectID(
            try self.database.insert(
                insertObjectText,
                [
                    .id(try self.isFree(object.id) ? object.id : nil), .id(object.list), .text(object.uid),
                    .integer(object.revision), .flag(object.isDirty), .text(object.href?.wire),
                    .text(object.etag?.wire),
                ] + object.object.index.values
            )
        )
        try self.insertTexts(of: id, source: object.object.source, base: object.base)
        try self.insertRelations(of: id, object.object)
        return id
    }

    /// Whether no object has this id; `false` for the id of a tombstone whose object was moved to another list.
    private func isFree(_ id: ObjectID?) throws(DatabaseError) -> Bool {
        guard let id else { return false }
        return try !self.database.exists("SELECT 1 FROM calendar_object WHERE id = ?1", [.id(id)])
    }
}

struct NewObject {
    /// The id of the deleted object that this object continues; `nil` for an object with a new id.
    var id: ObjectID?
    var list: ListID
    var uid: String
    var object: StoredObject
    var isDirty: Bool
    var href: Href?
    var etag: EntityTag?
    var base: [UInt8]?
    /// Greater than every earlier revision of the object.
    var revision: Int64
}

extension ObjectRow {
    fileprivate init(_ row: Row) {
        self.id = row.id("id")
        self.list = row.id("list")
        self.uid = row.text("uid")
        self.index = ObjectIndex(row)
    }
}

extension ObjectRecord {
    init(_ row: Row) {
        self.source = row.bytes("source")
        self.id = row.id("id")
        self.list = row.id("list")
        self.uid = row.text("uid")
        self.index = ObjectIndex(row)
        self.revision = row.integer("revision")
        self.isDirty = row.flag("dirty")
        self.href = row.href("href")
        self.etag = row.entityTag("etag")
    }
}

/// The number that identifies a calendar object: the short id that a user types.
package typealias ObjectID = RecordID<ObjectRecord>
