import ICalendar
import Reminders
import Resources

// The index of relations (RELATED-TO), by which a reminder finds its parts without reading every text.

extension StoreSnapshot {
    /// Passes the objects of a list that name a UID as their parent or dependency to `body`, until it returns `false`.
    package func forEachObject(
        in list: ListID,
        naming uid: String,
        _ body: (ObjectRecord) -> Bool
    ) throws(DatabaseError) {
        // The plus keeps SQLite from reading the whole list.
        let sql = """
            \(selectObject) WHERE id IN (SELECT holder FROM relation WHERE named = ?1) AND +list = ?2 ORDER BY id
            """
        try self.database.forEach(sql, [.text(uid), .id(list)]) { body(ObjectRecord($0)) }
    }

    /// The objects that name a UID in a RELATED-TO of any kind, in a list and in the other lists of its account.
    ///
    /// Lists that have an object with that UID themselves are left out: their objects mean that one. Every text is
    /// searched, since the index of relations contains parts and dependencies only.
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

    /// Passes the objects of a list, or of all lists, that name a parent or dependency to `body`, by id.
    package func forEachRelatedObject(in list: ListID? = nil, _ body: (ObjectRecord) -> Void) throws(DatabaseError) {
        let sql = """
            \(selectObject) WHERE id IN (SELECT holder FROM relation)
                AND (CAST(?1 AS BIGINT) IS NULL OR +list = ?1) ORDER BY id
            """
        try self.database.forEach(sql, [list.map { .id($0) } ?? .null]) { row in
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

/// The UIDs of the index of relations.
package enum RelatedUIDs {
    /// The relations of one reminder that are found from their other end; a hostile file names a million.
    static let limit = 1000

    /// The parents and dependencies of a reminder, in order, possibly repeated.
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

    /// Fills the index of a store that had none.
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

    /// Whether a line of a text may begin with RELATED-TO, in any case and with any folds; if not, it has no relation.
    var mayHaveRelations: Bool {
        let name = Self.name
        // The number of letters of the name with which the line begins; `nil` when it begins otherwise.
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
