/// The table `calendar_text`: the texts of the objects, as they are here and as both sides had them last.
///
/// Nearly always the two are the same. An empty `base` says so, since no object is empty: a store takes half the room, and
/// a first sync writes half as much.
enum TextRecord {
    /// `base` in a query over the table; NULL when the sides never agreed on anything.
    static let base = "CASE base WHEN X'' THEN source ELSE base END"

    /// What stands in `base` for the value `base` beside the value `source`.
    fileprivate static func stored(_ base: String, beside source: String) -> String {
        "CASE \(base) WHEN \(source) THEN X'' ELSE \(base) END"
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
    /// The texts of an object, `nil` when there is none.
    package func texts(of id: ObjectID) throws(DatabaseError) -> ObjectTexts? {
        let sql = "SELECT source, \(TextRecord.base) FROM calendar_text WHERE object = ?1"
        return try self.database.first(sql, [.id(id)]) {
            ObjectTexts(source: $0.bytes(0), base: $0.bytesIfPresent(1))
        }
    }
}

extension StoreTransaction {
    /// Writes the texts of an object that has none yet.
    func insertTexts(of id: ObjectID, source: [UInt8], base: [UInt8]?) throws(DatabaseError) {
        let sql = "INSERT INTO calendar_text VALUES (?1, ?2, \(TextRecord.stored("?3", beside: "?2")))"
        try self.database.run(sql, [.id(id), .blob(source), .blob(base)])
    }

    /// Writes both texts of an object.
    func setTexts(of id: ObjectID, source: [UInt8], base: [UInt8]?) throws(DatabaseError) {
        let stored = TextRecord.stored("?3", beside: "?2")
        let sql = "UPDATE calendar_text SET source = ?2, base = \(stored) WHERE object = ?1"
        try self.database.run(sql, [.id(id), .blob(source), .blob(base)])
    }

    /// Writes the text of an object as it is here.
    ///
    /// - Returns: whether it was another one.
    func setSource(_ source: [UInt8], of id: ObjectID) throws(DatabaseError) -> Bool {
        let sql = "UPDATE calendar_text SET source = ?2, base = \(TextRecord.base) WHERE object = ?1 AND source <> ?2"
        return try self.database.run(sql, [.id(id), .blob(source)]) == 1
    }

    /// Writes the text on which both sides agree, `nil` for none.
    func setBase(_ base: [UInt8]?, of id: ObjectID) throws(DatabaseError) {
        let sql = "UPDATE calendar_text SET base = \(TextRecord.stored("?2", beside: "source")) WHERE object = ?1"
        try self.database.run(sql, [.id(id), .blob(base)])
    }
}
