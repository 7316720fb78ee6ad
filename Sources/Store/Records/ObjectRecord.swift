public import Resources

/// A calendar object as a listing needs it: without its text.
public struct ObjectRow: Hashable, Sendable {
    /// The short id that a person types.
    public let id: ObjectID
    /// The list it is in.
    public let list: ListID
    /// Unique in its list.
    public let uid: String
    /// What a listing shows.
    public let index: ObjectIndex
}

/// A calendar object with its text.
public struct ObjectRecord: Hashable, Sendable {
    /// The short id that a person types.
    public let id: ObjectID
    /// The list it is in.
    public let list: ListID
    /// Unique in its list.
    public let uid: String
    /// What a listing shows.
    public let index: ObjectIndex
    /// Raised by every change of the text.
    ///
    /// A step of a sync names the revision that it read.
    public let revision: Int64
    /// Whether the server does not have this text yet.
    ///
    /// Always true in a list that has no other side.
    public let isDirty: Bool
    /// Where the server has it, or will have it.
    public let href: Href?
    /// The server's version that the base text belongs to; `nil` when the server has none or did not tell it.
    public let etag: EntityTag?
    /// The iCalendar text, exactly as received or edited.
    public let source: [UInt8]
}

private let indexColumns = ObjectIndex.columns.joined(separator: ", ")
private let rowColumns = "id, list, uid, \(indexColumns)"
// Nobody reads the UID in a list of ten thousand.
private let lineColumns = "id, list, '' AS uid, \(indexColumns)"
private let selectRow = "SELECT \(rowColumns) FROM calendar_object"
let selectObject = """
    SELECT \(rowColumns), revision, dirty, href, etag, source
    FROM calendar_object JOIN calendar_text ON object = id
    """

private let updateIndexText = SQL.updateByID("calendar_object", ObjectIndex.columns)
private let insertObjectText =
    SQL.insert(
        into: "calendar_object",
        ["id", "list", "uid", "revision", "dirty", "href", "etag"] + ObjectIndex.columns
    ) + " RETURNING id"

extension StoreSnapshot {
    /// What listings show of the objects of a list, or of all lists, by id.
    ///
    /// One query, no texts.
    public func rows(in list: ListID? = nil) throws(DatabaseError) -> [ObjectRow] {
        guard let list else { return try self.database.rows("\(selectRow) ORDER BY id") { ObjectRow($0) } }
        return try self.database.rows("\(selectRow) WHERE list = ?1 ORDER BY id", [.id(list)]) { ObjectRow($0) }
    }

    /// What listings show of the objects of a list, or of all lists, that the index says to have one of some statuses,
    /// one by one and by id, without their UIDs.
    package func forEachRow(
        in list: ListID? = nil,
        ofStatus statuses: [Int],
        _ body: (ObjectRow) -> Void
    ) throws(DatabaseError) {
        let numbers = statuses.map(String.init).joined(separator: ", ")
        let inList = list == nil ? "" : " AND list = ?1"
        let sql = "SELECT \(lineColumns) FROM calendar_object WHERE status IN (\(numbers))\(inList) ORDER BY id"
        try self.database.forEach(sql, list.map { [.id($0)] } ?? []) { row in
            body(ObjectRow(row))
            return true
        }
    }

    /// The objects of a list, or of all lists, by id, all in memory at once.
    public func objects(in list: ListID? = nil) throws(DatabaseError) -> [ObjectRecord] {
        var objects: [ObjectRecord] = []
        try self.forEachObject(in: list) { object in
            objects.append(object)
            return true
        }
        return objects
    }

    /// Hands out the objects of a list, or of all lists, one by one and by id, until `body` returns `false`.
    public func forEachObject(in list: ListID? = nil, _ body: (ObjectRecord) -> Bool) throws(DatabaseError) {
        guard let list else {
            return try self.database.forEach("\(selectObject) ORDER BY id") { body(ObjectRecord($0)) }
        }
        let sql = "\(selectObject) WHERE list = ?1 ORDER BY id"
        try self.database.forEach(sql, [.id(list)]) { body(ObjectRecord($0)) }
    }

    /// Hands out the objects of a list, or of all lists, that the index says to have one of some statuses, one by one and
    /// by id, until `body` returns `false`.
    ///
    /// The texts of the others are not read.
    ///
    /// - Parameter isWanted: looks at a text where the database has it, and says whether the object is handed out.
    package func forEachObject(
        in list: ListID? = nil,
        ofStatus statuses: [Int],
        where isWanted: (Span<UInt8>) -> Bool = { _ in true },
        _ body: (ObjectRecord) -> Bool
    ) throws(DatabaseError) {
        let numbers = statuses.map(String.init).joined(separator: ", ")
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

    /// The object with this UID in a list, `nil` when there is none.
    public func object(in list: ListID, uid: String) throws(DatabaseError) -> ObjectRecord? {
        let sql = "\(selectObject) WHERE list = ?1 AND uid = ?2"
        return try self.database.first(sql, [.id(list), .text(uid)]) { ObjectRecord($0) }
    }

    /// What a listing shows of the object with this UID: that of a list, where it has one, else that of the first list, by
    /// position, that has; `nil` when there is none.
    package func row(uid: String, preferring list: ListID) throws(DatabaseError) -> ObjectRow? {
        // Lists first, each with one look into the index by list and UID.
        let sql = """
            SELECT \(rowColumns)
            FROM (SELECT id AS place, position FROM list) AS places JOIN calendar_object ON list = place AND uid = ?1
            ORDER BY place <> ?2, position, place LIMIT 1
            """
        return try self.database.first(sql, [.text(uid), .id(list)]) { ObjectRow($0) }
    }

    /// How many objects a list holds, or all lists.
    public func objectCount(in list: ListID? = nil) throws(DatabaseError) -> Int {
        guard let list else {
            return try self.database.count("SELECT count(*) FROM calendar_object")
        }
        return try self.database.count("SELECT count(*) FROM calendar_object WHERE list = ?1", [.id(list)])
    }
}

extension StoreTransaction {
    /// Adds an object as a person's edit.
    ///
    /// When one with this UID was deleted here and the server has not heard of it, the new one takes its place with
    /// its id and its name on the server: it will arrive there as a change.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when the list has the UID, ``DatabaseError/Code/notFound`` when
    ///   there is no such list.
    @discardableResult
    public func insert(
        into list: ListID,
        uid: String,
        source: [UInt8],
        index: ObjectIndex
    ) throws(DatabaseError) -> ObjectID {
        let past = try self.takeTombstone(in: list, uid: uid)
        return try self.insertObject(
            NewObject(
                id: past?.object,
                list: list,
                uid: uid,
                source: source,
                index: index,
                isDirty: true,
                href: past?.href,
                etag: past?.etag,
                base: past?.base,
                revision: (past?.revision ?? 0) + 1
            )
        )
    }

    /// Puts back what was deleted, as a person's edit: as ``insert(into:uid:source:index:)`` does, and with the number
    /// that it had when no other reminder has that now.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: as ``insert(into:uid:source:index:)``.
    package func putBack(
        _ former: ObjectID,
        into list: ListID,
        uid: String,
        source: [UInt8],
        index: ObjectIndex,
        at now: Int64
    ) throws(DatabaseError) -> ObjectID {
        let past = try self.takeTombstone(in: list, uid: uid)
        return try self.insertObject(
            NewObject(
                id: past?.object ?? former,
                list: list,
                uid: uid,
                source: source,
                index: index,
                isDirty: true,
                href: past?.href,
                etag: past?.etag,
                base: past?.base,
                // Nobody knows how often it had been changed; less often than once a second.
                revision: past.map { $0.revision + 1 } ?? now
            )
        )
    }

    /// Changes an object as a person's edit: the revision rises and the object waits for the next sync.
    ///
    /// With the text that it has, nothing is raised; only the index is written.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    public func update(_ id: ObjectID, source: [UInt8], index: ObjectIndex) throws(DatabaseError) {
        try self.updateIndex(of: id, index)
        guard try self.setSource(source, of: id) else { return }
        try self.noteRelations(of: id, in: source)
        try self.database.run(
            "UPDATE calendar_object SET revision = revision + 1, dirty = 1 WHERE id = ?1",
            [.id(id)]
        )
    }

    /// Marks an object as sent after an unsent edit of it was undone: its text is again the one that both sides agreed on.
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

    /// Deletes an object as a person's edit.
    ///
    /// What the server has, or may have, leaves a tombstone with its text, for the next sync to delete there.
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

    /// Moves an object to another list as a person's edit; it keeps its id.
    ///
    /// - Throws: ``DatabaseError/Code/alreadyExists`` when that list has the UID.
    public func move(_ id: ObjectID, to list: ListID, at now: Int64) throws(DatabaseError) {
        guard let object = try self.object(id) else { throw DatabaseError(.notFound) }
        guard object.list != list else { return }
        try self.delete(id, at: now)
        let past = try self.takeTombstone(in: list, uid: object.uid)
        try self.insertObject(
            NewObject(
                id: id,
                list: list,
                uid: object.uid,
                source: object.source,
                index: object.index,
                isDirty: true,
                href: past?.href,
                etag: past?.etag,
                base: past?.base,
                revision: object.revision + 1
            )
        )
    }

    /// Writes what listings show, made anew from the unchanged text.
    ///
    /// No edit: nothing is raised.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func updateIndex(of id: ObjectID, _ index: ObjectIndex) throws(DatabaseError) {
        let count = try self.database.run(
            updateIndexText,
            [.id(id)] + index.values
        )
        guard count == 1 else { throw DatabaseError(.notFound) }
    }

    /// Removes an object and nothing else.
    func remove(_ id: ObjectID) throws(DatabaseError) {
        guard try self.database.run("DELETE FROM calendar_object WHERE id = ?1", [.id(id)]) == 1 else {
            throw DatabaseError(.notFound)
        }
    }

    /// Writes a new object's rows.
    @discardableResult
    func insertObject(_ object: NewObject) throws(DatabaseError) -> ObjectID {
        let id = ObjectID(
            try self.database.insert(
                insertObjectText,
                [
                    .id(try self.isFree(object.id) ? object.id : nil), .id(object.list), .text(object.uid),
                    .integer(object.revision), .flag(object.isDirty), .text(object.href?.wire),
                    .text(object.etag?.wire),
                ] + object.index.values
            )
        )
        try self.insertTexts(of: id, source: object.source, base: object.base)
        try self.noteRelations(of: id, in: object.source, isNew: true)
        return id
    }

    /// A deleted object's id may live on in another list, where the object was moved to.
    private func isFree(_ id: ObjectID?) throws(DatabaseError) -> Bool {
        guard let id else { return false }
        return try !self.database.exists("SELECT 1 FROM calendar_object WHERE id = ?1", [.id(id)])
    }
}

/// What an object begins with.
struct NewObject {
    /// The id to have again; `nil` for a new one.
    var id: ObjectID?
    var list: ListID
    var uid: String
    var source: [UInt8]
    var index: ObjectIndex
    var isDirty: Bool
    var href: Href?
    var etag: EntityTag?
    var base: [UInt8]?
    /// Of an object that was here before, greater than all it has had.
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
    /// Reads a row of ``selectObject``.
    init(_ row: Row) {
        self.id = row.id("id")
        self.list = row.id("list")
        self.uid = row.text("uid")
        self.index = ObjectIndex(row)
        self.revision = row.integer("revision")
        self.isDirty = row.flag("dirty")
        self.href = row.href("href")
        self.etag = row.entityTag("etag")
        self.source = row.bytes("source")
    }
}

/// The number of a calendar object: the short id that a person types.
public typealias ObjectID = RecordID<ObjectRecord>
