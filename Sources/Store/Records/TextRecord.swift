/// The table `calendar_text`: the texts of the objects, as they are here and as both sides had them last.
///
/// Nearly always the two are the same. An empty `base` says so, since no object is empty: a store takes half the room, and
/// a first sync writes half as much.
enum TextRecord {
    /// `base` in a query over the table; NULL when the sides never agreed on anything.
    static let base = "CASE WHEN length(base) = 0 THEN source ELSE base END"

    /// The value of `base` to bind beside the value `source`.
    fileprivate static func stored(_ base: [UInt8]?, beside source: [UInt8]) -> SQLValue {
        base == source ? .blob([]) : .blob(base)
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
        let sql = "SELECT source, \(TextRecord.base) AS base FROM calendar_text WHERE object = ?1"
        return try self.database.first(sql, [.id(id)]) {
            ObjectTexts(source: $0.bytes("source"), base: $0.bytesIfPresent("base"))
        }
    }
}

extension StoreTransaction {
    /// Writes the texts of an object that has none yet.
    func insertTexts(of id: ObjectID, source: [UInt8], base: [UInt8]?) throws(DatabaseError) {
        try self.database.run(
            "INSERT INTO calendar_text (object, source, base) VALUES (?1, ?2, ?3)",
            [.id(id), .blob(source), TextRecord.stored(base, beside: source)]
        )
    }

    /// Writes both texts of an object.
    func setTexts(of id: ObjectID, source: [UInt8], base: [UInt8]?) throws(DatabaseError) {
        try self.database.run(
            "UPDATE calendar_text SET source = ?2, base = ?3 WHERE object = ?1",
            [.id(id), .blob(source), TextRecord.stored(base, beside: source)]
        )
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
        let sql = "UPDATE calendar_text SET base = CASE WHEN ?2 = source THEN ?3 ELSE ?2 END WHERE object = ?1"
        try self.database.run(sql, [.id(id), .blob(base), .blob([])])
    }
}
