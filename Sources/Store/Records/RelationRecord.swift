import RemindavICalendar
import RemindavReminders
import RemindavResources

// The index of RELATED-TO properties. With the index, the children of a reminder are found without reading every text.

extension StoreSnapshot {
    /// Passes the objects of a list that name this UID as parent or dependency to `body`, until `body` returns `false`.
    package func forEachObject(
        in list: ListID,
        naming uid: String,
        _ body: (ObjectRecord) -> Bool
    ) throws(DatabaseError) {
        // The plus sign keeps SQLite from using the index on `list`, which would read the whole list.
        let sql = """
            \(selectObject) WHERE id IN (SELECT holder FROM relation WHERE named = ?1) AND +list = ?2 ORDER BY id
            """
        try self.database.forEach(sql, [.text(uid), .id(list)]) { body(ObjectRecord($0)) }
    }

    /// Passes each object whose parent is in the same list to `body`, with the parent and whether the object is open.
    package func forEachSubtask(
        _ body: (_ subtask: ObjectID, _ parent: ObjectID, _ isOpen: Bool) -> Void
    ) throws(DatabaseError) {
        let sql = """
            SELECT child.id AS child, parent.id AS parent, child.status AS status
                FROM relation
                JOIN calendar_object AS child ON child.id = relation.holder
                JOIN calendar_object AS parent ON parent.list = child.list AND parent.uid = relation.named
                WHERE relation.is_parent = 1 AND parent.id <> child.id
            """
        try self.database.forEach(sql, []) { row in
            body(row.id("child"), row.id("parent"), !Status(stored: row.number("status")).isClosed)
            return true
        }
    }

    /// Passes each dependency of an object on another one to `body`, with the status of the other object.
    ///
    /// If several lists contain the UID, the object of the same list is meant, or else all of them.
    package func forEachDependency(
        of holder: ObjectID? = nil,
        _ body: (_ holder: ObjectID, _ needed: ObjectID, _ isOpen: Bool) -> Void
    ) throws(DatabaseError) {
        // SQLite keeps the order of a CROSS JOIN. Otherwise it searches the relations of each object, which is slow.
        let sql = """
            SELECT holder.id AS holder, needed.id AS needed, needed.status AS status
                FROM relation
                CROSS JOIN calendar_object AS holder
                CROSS JOIN list
                CROSS JOIN calendar_object AS needed
                WHERE relation.is_dependency = 1 AND holder.id = relation.holder AND needed.list = list.id
                    AND needed.uid = relation.named AND needed.id <> holder.id
                    AND (needed.list = holder.list OR NOT EXISTS (
                        SELECT 1 FROM calendar_object AS own
                            WHERE own.list = holder.list AND own.uid = relation.named))
            """
        let (condition, values) = holder.map { (" AND relation.holder = ?1", [SQLValue.id($0)]) } ?? ("", [])
        try self.database.forEach("\(sql)\(condition) ORDER BY needed.id", values) { row in
            body(row.id("holder"), row.id("needed"), !Status(stored: row.number("status")).isClosed)
            return true
        }
    }

    /// Returns the objects of the same list whose parent is this object, ordered by id.
    package func subtasks(of parent: ObjectID) throws(DatabaseError) -> [ObjectID] {
        let sql = """
            SELECT child.id AS child
                FROM calendar_object AS parent
                JOIN relation ON relation.named = parent.uid
                JOIN calendar_object AS child ON child.id = relation.holder AND child.list = parent.list
                WHERE parent.id = ?1 AND relation.is_parent = 1 AND parent.id <> child.id
                ORDER BY child.id
            """
        return try self.database.rows(sql, [.id(parent)]) { $0.id("child") }
    }

    /// Returns the objects of a list and of its account's other lists with a RELATED-TO of any RELTYPE to this UID.
    ///
    /// A list that itself contains an object with this UID is skipped, because its objects refer to that object. The
    /// method searches every text, because the index contains only parents and dependencies.
    package func objects(naming uid: String, around list: ListID) throws(DatabaseError) -> [ObjectRecord] {
        let account = try self.list(list)?.account
        var found: [ObjectRecord] = []
        for other in try self.lists() where other.id == list || account != nil && other.account == account {
            guard try self.object(in: other.id, uid: uid) == nil else { continue }
            try self.forEachObject(in: other.id) { object in
                if object.source.span.mayHaveRelations, let reminder = Reminder(ICalendarDocument(object.source)),
                    reminder.relations.contains(where: { $0.uid.exact == uid.exact })
                {
                    found.append(object)
                }
                return true
            }
        }
        return found
    }

    /// Passes the objects that have a parent or a dependency to `body`, ordered by id.
    package func forEachRelatedObject(_ body: (ObjectRecord) -> Void) throws(DatabaseError) {
        try self.database.forEach("\(selectObject) WHERE id IN (SELECT holder FROM relation) ORDER BY id") { row in
            body(ObjectRecord(row))
            return true
        }
    }
}

extension StoreTransaction {
    func replaceRelations(of id: ObjectID, _ object: StoredObject) throws(DatabaseError) {
        try self.database.send("DELETE FROM relation WHERE holder = ?1", [.id(id)])
        try self.insertRelations(of: id, object)
    }

    func insertRelations(of id: ObjectID, _ object: StoredObject) throws(DatabaseError) {
        for uid in object.related.uids {
            try self.database.send(
                """
                INSERT INTO relation (named, holder, is_parent, is_dependency) VALUES (?1, ?2, ?3, ?4)
                    ON CONFLICT DO NOTHING
                """,
                [
                    .text(uid), .id(id), .integer(uid.exact == object.related.parent?.exact ? 1 : 0),
                    .integer(object.related.dependencies.contains(uid.exact) ? 1 : 0),
                ]
            )
        }
    }
}

/// The UIDs that the index of RELATED-TO properties contains for one reminder.
package struct RelatedUIDs: Hashable, Sendable {
    /// The maximum number of indexed relations of one reminder; a hostile file could contain a million.
    static let limit = 1000

    /// The UIDs of the parents and dependencies, in the order of the text, with repetitions.
    let uids: [String]
    /// The UID of the first parent (``Reminder/parentUID``), which decides whether the reminder is a subtask.
    let parent: String?
    /// The UIDs on which the reminder depends.
    let dependencies: Set<ByteExactString>

    init(_ reminder: Reminder?) {
        let relations = (reminder?.relations ?? []).filter { $0.kind == .parent || $0.kind == .dependsOn }
        self.uids = relations.prefix(Self.limit).map(\.uid).filter { KeyLimits.allows($0) }
        self.parent = reminder?.parentUID
        self.dependencies = Set(relations.filter { $0.kind == .dependsOn }.map(\.uid.exact))
    }

    init(source: [UInt8]) {
        self.init(source.span.mayHaveRelations ? Reminder(ICalendarDocument(source)) : nil)
    }

    /// Builds the index for a store whose schema had no index before.
    package static func fill(_ database: any Database) throws(DatabaseError) {
        var found: [(uid: String, holder: ObjectID)] = []
        try database.forEach("SELECT object, source FROM calendar_text") { row in
            for uid in Self(source: row.bytes("source")).uids { found.append((uid, row.id("object"))) }
            return true
        }
        for (uid, holder) in found {
            let values: [SQLValue] = [.text(uid), .id(holder)]
            try database.send("INSERT INTO relation (named, holder) VALUES (?1, ?2) ON CONFLICT DO NOTHING", values)
        }
    }

    /// Marks the parents for a store whose schema had no marks before.
    package static func markParents(_ database: any Database) throws(DatabaseError) {
        var found: [(uid: String, holder: ObjectID)] = []
        let sql = "SELECT object, source FROM calendar_text WHERE object IN (SELECT holder FROM relation)"
        try database.forEach(sql) { row in
            if let uid = Self(source: row.bytes("source")).parent { found.append((uid, row.id("object"))) }
            return true
        }
        for (uid, holder) in found {
            let values: [SQLValue] = [.text(uid), .id(holder)]
            try database.send("UPDATE relation SET is_parent = 1 WHERE named = ?1 AND holder = ?2", values)
        }
    }

    /// Marks the dependencies for a store whose schema had no marks of them before.
    package static func markDependencies(_ database: any Database) throws(DatabaseError) {
        var found: [(uid: String, holder: ObjectID)] = []
        let sql = "SELECT object, source FROM calendar_text WHERE object IN (SELECT holder FROM relation)"
        try database.forEach(sql) { row in
            let related = Self(source: row.bytes("source"))
            for uid in related.uids where related.dependencies.contains(uid.exact) {
                found.append((uid, row.id("object")))
            }
            return true
        }
        for (uid, holder) in found {
            let values: [SQLValue] = [.text(uid), .id(holder)]
            try database.send("UPDATE relation SET is_dependency = 1 WHERE named = ?1 AND holder = ?2", values)
        }
    }
}

extension Span<UInt8> {
    private static var name: [UInt8] { Array("related-to".utf8) }

    /// Whether a line may begin with RELATED-TO, in any letter case or folded; `false` proves that no relation exists.
    var mayHaveRelations: Bool {
        let name = Self.name
        // How many letters of the name the current line has matched; `nil` after a mismatch.
        var matched: Int? = 0
        var isLineEnd = false
        for position in self.indices {
            let byte = self[position]
            if byte == 0x0A || byte == 0x0D {
                isLineEnd = true
                continue
            }
            if isLineEnd {
                isLineEnd = false
                if byte == 0x20 || byte == 0x09 { continue }
                matched = 0
            }
            guard let count = matched else { continue }
            guard byte | 0x20 == name[count] else {
                matched = nil
                continue
            }
            if count + 1 == name.count { return true }
            matched = count + 1
        }
        return false
    }
}
