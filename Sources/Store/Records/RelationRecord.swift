import ICalendar
import Reminders
import Resources

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

    /// Passes each indexed relation whose UID an object of the holder's list has: the holder, the UID, that object, and
    /// whether the holder is open.
    package func forEachRelation(
        _ body: (_ holder: ObjectID, _ uid: String, _ other: ObjectID, _ isOpen: Bool) -> Void
    ) throws(DatabaseError) {
        let sql = """
            SELECT relation.holder AS holder, relation.named AS named, other.id AS other, child.status AS status
                FROM relation
                JOIN calendar_object AS child ON child.id = relation.holder
                JOIN calendar_object AS other ON other.list = child.list AND other.uid = relation.named
            """
        try self.database.forEach(sql, []) { row in
            let isOpen = !Status(stored: row.number("status")).isClosed
            body(row.id("holder"), row.text("named"), row.id("other"), isOpen)
            return true
        }
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
        try self.database.run("DELETE FROM relation WHERE holder = ?1", [.id(id)])
        try self.insertRelations(of: id, object)
    }

    func insertRelations(of id: ObjectID, _ object: StoredObject) throws(DatabaseError) {
        for uid in object.related { try RelatedUIDs.insert(uid, id, self.database) }
    }
}

/// The UIDs that the index of RELATED-TO properties contains.
package enum RelatedUIDs {
    /// The maximum number of indexed relations of one reminder; a hostile file could contain a million.
    static let limit = 1000

    /// Returns the UIDs of a reminder's parents and dependencies, in the order of the text, with repetitions.
    static func named(in reminder: Reminder?) -> [String] {
        let relations = (reminder?.relations ?? []).filter { $0.kind == .parent || $0.kind == .dependsOn }
        return relations.prefix(Self.limit).map(\.uid).filter { KeyLimits.allows($0) }
    }

    static func named(in source: [UInt8]) -> [String] {
        source.span.mayHaveRelations ? self.named(in: Reminder(ICalendarDocument(source))) : []
    }

    static func insert(_ uid: String, _ holder: ObjectID, _ database: any Database) throws(DatabaseError) {
        try database.run(
            "INSERT INTO relation (named, holder) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            [.text(uid), .id(holder)]
        )
    }

    /// Builds the index for a store whose schema had no index before.
    package static func fill(_ database: any Database) throws(DatabaseError) {
        var found: [(uid: String, holder: ObjectID)] = []
        try database.forEach("SELECT object, source FROM calendar_text") { row in
            for uid in self.named(in: row.bytes("source")) { found.append((uid, row.id("object"))) }
            return true
        }
        for (uid, holder) in found { try self.insert(uid, holder, database) }
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
