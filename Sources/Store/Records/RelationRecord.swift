import ICalendar
import Reminders

// Which reminders name which others (RELATED-TO), so that a reminder finds its parts without a look into every text. Made
// from the texts and from nothing else: whoever writes a text calls `noteRelations`.

extension StoreSnapshot {
    /// Hands out the objects of a list that name a UID as what they are a part of or wait for, by id, until `body` returns
    /// `false`.
    package func forEachObject(
        in list: ListID,
        naming uid: String,
        _ body: (ObjectRecord) -> Bool
    ) throws(DatabaseError) {
        // The plus keeps SQLite from walking through the list.
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

    /// Hands out the objects of a list, or of all lists, that are a part of another or wait for one, by id.
    package func forEachRelatedObject(
        in list: ListID? = nil,
        _ body: (ObjectRecord) -> Void
    ) throws(DatabaseError) {
        let sql =
            "\(selectObject) WHERE id IN (SELECT holder FROM relation) AND (CAST(?1 AS BIGINT) IS NULL OR +list = ?1) ORDER BY id"
        try self.database.forEach(sql, [list.map { .id($0) } ?? .null]) { row in
            body(ObjectRecord(row))
            return true
        }
    }
}

extension StoreTransaction {
    /// Notes whom a new text names.
    ///
    /// - Parameter isNew: whether the object had no text before; nothing is written then for one that names nobody.
    func noteRelations(of id: ObjectID, in source: [UInt8], isNew: Bool = false) throws(DatabaseError) {
        if !isNew { try self.database.run("DELETE FROM relation WHERE holder = ?1", [.id(id)]) }
        guard source.span.mayHaveRelations else { return }
        for uid in RelatedUIDs.named(in: source) { try RelatedUIDs.insert(uid, id, self.database) }
    }
}

/// What the index of relations is made of.
package enum RelatedUIDs {
    /// The relations of one reminder that are found from their other end; a hostile file names a million.
    static let limit = 1000

    /// Whom a text names as what it is a part of or waits for, in order; some name one twice.
    static func named(in source: [UInt8]) -> [String] {
        let relations = Reminder(ICalendarDocument(source))?.relations ?? []
        return relations.filter { $0.kind == .parent || $0.kind == .dependsOn }.prefix(Self.limit).map(\.uid)
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
            guard row.withBytes("source", { $0.mayHaveRelations }) else { return true }
            for uid in self.named(in: row.bytes("source")) { found.append((uid, row.id("object"))) }
            return true
        }
        for (uid, holder) in found { try self.insert(uid, holder, database) }
    }
}

extension Span<UInt8> {
    /// Whether some line of a text may begin with RELATED-TO, whatever its case and wherever it is folded.
    ///
    /// Where not, it surely has none. It is asked of every text that a sync brings: eight bytes at a time, and no line but
    /// one with an R is looked at.
    var mayHaveRelations: Bool {
        let bytes = unsafe self.bytes
        var position = 0
        while position + 9 <= self.count {
            let here = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self)
            let next = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position + 1, as: UInt64.self)
            if here.bytesBelow0E & next.bytesWithR != 0, self.hasRelation(behindLineEndIn: position..<(position + 8)) {
                return true
            }
            position += 8
        }
        return false
    }

    private func hasRelation(behindLineEndIn range: Range<Int>) -> Bool {
        for end in range where self[end] == 0x0A || self[end] == 0x0D {
            if self.spells("related-to", from: end + 1) { return true }
        }
        return false
    }

    /// Whether these letters, which are small, stand there; those of the text may be capitals, with folds between them.
    private func spells(_ letters: StaticString, from start: Int) -> Bool {
        var position = start
        for index in 0..<letters.utf8CodeUnitCount {
            if position < self.count, self[position] == 0x0A || self[position] == 0x0D {
                while position < self.count, self[position] == 0x0A || self[position] == 0x0D { position += 1 }
                // The space or tab of the fold.
                position += 1
            }
            guard position < self.count, unsafe self[position] | 0x20 == letters.utf8Start[index] else { return false }
            position += 1
        }
        return true
    }
}

extension UInt64 {
    /// A mark at each byte below 0x0E, where line ends are; sometimes also at others.
    fileprivate var bytesBelow0E: UInt64 { (self &- 0x0E0E_0E0E_0E0E_0E0E) & ~self & 0x8080_8080_8080_8080 }

    /// A mark at each R, large or small; sometimes also at others.
    fileprivate var bytesWithR: UInt64 {
        let differing = (self | 0x2020_2020_2020_2020) ^ 0x7272_7272_7272_7272
        return (differing &- 0x0101_0101_0101_0101) & ~differing & 0x8080_8080_8080_8080
    }
}
