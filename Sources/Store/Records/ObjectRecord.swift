package import Reminders
public import Resources

/// A calendar object without its text, for listings.
public struct ObjectRow: Hashable, Sendable {
    /// The short id that a user types.
    public let id: ObjectID
    /// The list it is in.
    public let list: ListID
    /// Unique in its list.
    public let uid: String
    /// The indexed values.
    public let index: ObjectIndex
}

/// A calendar object with its text.
public struct ObjectRecord: Hashable, Sendable {
    /// The short id that a user types.
    public let id: ObjectID
    /// The list it is in.
    public let list: ListID
    /// Unique in its list.
    public let uid: String
    /// The indexed values.
    public let index: ObjectIndex
    /// Rises with every change of the text; a step of a sync names the revision that it read.
    public let revision: Int64
    /// Whether the server does not have this text yet; always true in a local list.
    public let isDirty: Bool
    /// The address on the server, also a planned one.
    public let href: Href?
    /// The server's version of the base text; `nil` when the server has none or sent none.
    public let etag: EntityTag?
    /// The iCalendar text, exactly as received or edited.
    public let source: [UInt8]
}

private let indexColumns = ObjectIndex.columns.joined(separator: ", ")
private let rowColumns = "id, list, uid, \(indexColumns)"
// Listings do not use the UID, and copying 10,000 of them takes time.
private let lineColumns = "id, list, '' AS uid, \(indexColumns)"
private let selectRow = "SELECT \(rowColumns) FROM calendar_object"
// The text first: a search looks at it before it reads the others, and columns are found fastest in their order.
let selectObject = """
    SELECT source, \(rowColumns), revision, dirty, href, etag
    FROM calendar_object JOIN calendar_text ON object = id
    """

private let updateIndexText = SQL.updateByID("calendar_object", ObjectIndex.columns)
private let insertObjectText =
    SQL.insert(
        into: "calendar_object",
        ["id", "list", "uid", "revision", "dirty", "href", "etag"] + ObjectIndex.columns
    ) + " RETURNING id"

extension StoreSnapshot {
    /// Objects of a list, or of all lists, by id, without their texts.
    public func rows(in list: ListID? = nil) throws(DatabaseError) -> [ObjectRow] {
        guard let list else { return try self.database.rows("\(selectRow) ORDER BY id") { ObjectRow($0) } }
        return try self.database.rows("\(selectRow) WHERE list = ?1 ORDER BY id", [.id(list)]) { ObjectRow($0) }
    }

    /// The same for objects with one of these statuses, one by one and without their UIDs.
    package func forEachRow(
        in list: ListID? = nil,
        ofStatus statuses: [Status],
        _ body: (ObjectRow) -> Void
    ) throws(DatabaseError) {
        let numbers = statuses.map { String($0.stored) }.joined(separator: ", ")
        let inList = list == nil ? "" : " AND list = ?1"
        let sql = "SELECT \(lineColumns) FROM calendar_object WHERE status IN (\(numbers))\(inList) ORDER BY id"
        try self.database.forEach(sql, list.map { [.id($0)] } ?? []) { row in
            body(ObjectRow(row))
            return true
        }
    }

    /// Objects of a list, or of all lists, by id, all in memory at once.
    public func objects(in list: ListID? = nil) throws(DatabaseError) -> [ObjectRecord] {
        var objects: [ObjectRecord] = []
        try self.forEachObject(in: list) { object in
            objects.append(object)
            return true
        }
        return objects
    }

    /// Passes the objects of a list, or of all lists, to `body` by id, until it returns `false`.
    public func forEachObject(in list: ListID? = nil, _ body: (ObjectRecord) -> Bool) throws(DatabaseError) {
        guard let list else {
            return try self.database.forEach("\(selectObject) ORDER BY id") { body(ObjectRecord($0)) }
        }
        let sql = "\(selectObject) WHERE list = ?1 ORDER BY id"
        try self.database.forEach(sql, [.id(list)]) { body(ObjectRecord($0)) }
    }

    /// The same for objects with one of these statuses; the texts of the others are not read.
    ///
    /// - Parameter isWanted: decides by the text, before it is copied.
    package func forEachObject(
        in list: ListID? = nil,
        ofStatus statuses: [Status],
        where isWanted: (Span<UInt8>) -> Bool = { _ in true },
        _ body: (ObjectRecord) -> Bool
    ) throws(DatabaseError) {
        let numbers = statuses.map { String($0.stored) }.joined(separator: ", ")
        let inList = list == nil ? "" : " AND list = ?1"
        let sql = "\(selectObject) WHERE status IN (\(numbers))\(inList) ORDER BY id"
        try self.database.forEach(sql, list.map { [.id($0)] } ?? []) { row in
            row.withBytes("source", isWanted) ? body(ObjectRecord(row)) : true
        }
    }

    /// The object with this number, `nil` when there is none.
    public func object(_ id: ObjectID) throws(DatabaseError) -> ObjectRecord? {
        try self.database.first("\(selectObject) WHERE id = ?1", [.id(id)]) { ObjectRecord($0) }
    }

    /// The object with this UID in a list; `nil` for none.
    public func object(in list: ListID, uid: String) throws(DatabaseError) -> ObjectRecord? {
        let sql = "\(selectObject) WHERE list = ?1 AND uid = ?2"
        return try self.database.first(sql, [.id(list), .text(uid)]) { ObjectRecord($0) }
    }

    /// The objects with this UID, in any list: one look into the index by list and UID for each list.
    package func objects(withUID uid: String) throws(DatabaseError) -> [ObjectRecord] {
        let sql = "\(selectObject) WHERE list IN (SELECT id FROM list) AND uid = ?1 ORDER BY id"
        return try self.database.rows(sql, [.text(uid)]) { ObjectRecord($0) }
    }

    /// The object with this UID, without its text, from `list` or else from the first list, by position, that has it.
    package func row(uid: String, preferring list: ListID) throws(DatabaseError) -> ObjectRow? {
        // One look-up for each list in the index by list and UID; a join would scan all objects.
        let sql = """
            SELECT \(rowColumns) FROM calendar_object WHERE list IN (SELECT id FROM list) AND uid = ?1
            ORDER BY list <> ?2, (SELECT position FROM list AS place WHERE place.id = calendar_object.list), list LIMIT 1
            """
        return try self.database.first(sql, [.text(uid), .id(list)]) { ObjectRow($0) }
    }

    /// The number of objects in a list, or in all lists.
    public func objectCount(in list: ListID? = nil) throws(DatabaseError) -> Int {
        guard let list else {
            return try self.database.count("SELECT count(*) FROM calendar_object")
        }
        return try self.database.count("SELECT count(*) FROM calendar_object WHERE list = ?1", [.id(list)])
    }
}

extension StoreTransaction {
    /// Adds an object as a user's edit.
    ///
    /// When one with this UID was deleted here and the server does not know it yet, the new one gets its id and its
    /// address: the server receives a change.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when the list has the UID, ``DatabaseError/Code/notFound`` when
    ///   there is no such list.
    @discardableResult
    public func insert(into list: ListID, uid: String, _ object: StoredObject) throws(DatabaseError) -> ObjectID {
        let past = try self.takeTombstone(in: list, uid: uid)
        return try self.insertEdit(
            object,
            id: past?.object,
            list: list,
            uid: uid,
            past: past,
            revision: (past?.revision ?? 0) + 1
        )
    }

    /// Restores a deleted object as a user's edit, with its former number if that is free.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: as ``insert(into:uid:_:)``.
    package func putBack(
        _ former: ObjectID,
        into list: ListID,
        uid: String,
        _ object: StoredObject,
        at now: Int64
    ) throws(DatabaseError) -> ObjectID {
        let past = try self.takeTombstone(in: list, uid: uid)
        // The number of earlier changes is unknown, but there was less than one each second.
        let revision = past.map { $0.revision + 1 } ?? now
        let id = past?.object ?? former
        return try self.insertEdit(object, id: id, list: list, uid: uid, past: past, revision: revision)
    }

    private func insertEdit(
        _ object: StoredObject,
        id: ObjectID?,
        list: ListID,
        uid: String,
        past: TakenTombstone?,
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

    /// Changes an object as a user's edit: it gets a new revision and waits for the next sync.
    ///
    /// An equal text keeps its revision.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    public func update(_ id: ObjectID, _ object: StoredObject) throws(DatabaseError) {
        try self.updateIndex(of: id, object.index)
        guard try self.setSource(object.source, of: id) else { return }
        try self.replaceRelations(of: id, object)
        try self.database.run("UPDATE calendar_object SET revision = revision + 1, dirty = 1 WHERE id = ?1", [.id(id)])
    }

    /// Marks an object as sent after an unsent edit of it was undone, so that its text is the agreed one again.
    ///
    /// - Parameter isAgreed: whether the text counts as agreed although the server has an altered form of it.
    package func settleUnsent(_ id: ObjectID, isAgreed: Bool = false) throws(DatabaseError) {
        try self.database.run(
            """
            UPDATE calendar_object SET dirty = 0
            WHERE id = ?1 AND href IS NOT NULL AND (?2 = 1
                OR EXISTS (SELECT 1 FROM calendar_text WHERE object = ?1 AND source = \(TextRecord.base)))
            """,
            [.id(id), .flag(isAgreed)]
        )
    }

    /// Deletes an object as a user's edit.
    ///
    /// An object that the server has, or may have, leaves a tombstone with its text for the next sync.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    public func delete(_ id: ObjectID, at now: Int64) throws(DatabaseError) {
        try self.database.run(
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

    /// Moves an object to another list as a user's edit; it keeps its id.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when that list has the UID.
    public func move(_ id: ObjectID, to list: ListID, at now: Int64) throws(DatabaseError) {
        guard let object = try self.object(id) else { throw DatabaseError(.notFound) }
        guard object.list != list else { return }
        try self.delete(id, at: now)
        let past = try self.takeTombstone(in: list, uid: object.uid)
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

    /// Deletes the row and nothing else.
    func remove(_ id: ObjectID) throws(DatabaseError) {
        try self.database.changeOne("DELETE FROM calendar_object WHERE id = ?1", [.id(id)])
    }

    @discardableResult
    func insertObject(_ object: NewObject) throws(DatabaseError) -> ObjectID {
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

    /// An object that was deleted here may still exist in another list, with the same id.
    private func isFree(_ id: ObjectID?) throws(DatabaseError) -> Bool {
        guard let id else { return false }
        return try !self.database.exists("SELECT 1 FROM calendar_object WHERE id = ?1", [.id(id)])
    }
}

struct NewObject {
    /// The id of a former object; `nil` for a new one.
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

/// The number of a calendar object: the short id that a user types.
public typealias ObjectID = RecordID<ObjectRecord>
