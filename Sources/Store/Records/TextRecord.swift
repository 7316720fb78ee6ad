/// The columns of the table `calendar_text`: the current text of each object (`source`) and its base.
///
/// Most bases equal the current text. An empty `base` then stands for an equal text, because no text is empty. This
/// halves the size of a store and the duration of a first sync.
enum TextRecord {
    /// The SQL expression for the base; NULL when the object has no base.
    static let base = "CASE WHEN length(base) = 0 THEN source ELSE base END"

    fileprivate static func stored(_ base: [UInt8]?, beside source: [UInt8]) -> SQLValue {
        base == source ? .blob([]) : .blob(base)
    }
}

/// The local text and the base, with which a three-way merge starts.
package struct ObjectTexts: Hashable, Sendable {
    /// The current text; for a deleted object, the last text.
    package let source: [UInt8]
    /// The base; `nil` for none.
    package let base: [UInt8]?
}

extension StoreSnapshot {
    package func texts(of id: ObjectID) throws(DatabaseError) -> ObjectTexts? {
        let sql = "SELECT source, \(TextRecord.base) AS base FROM calendar_text WHERE object = ?1"
        return try self.database.first(sql, [.id(id)]) {
            ObjectTexts(source: $0.bytes("source"), base: $0.bytesIfPresent("base"))
        }
    }
}

extension StoreTransaction {
    func insertTexts(of id: ObjectID, source: [UInt8], base: [UInt8]?) throws(DatabaseError) {
        try self.database.send(
            "INSERT INTO calendar_text (object, source, base) VALUES (?1, ?2, ?3)",
            [.id(id), .blob(source), TextRecord.stored(base, beside: source)]
        )
    }

    func setTexts(of id: ObjectID, source: [UInt8], base: [UInt8]?) throws(DatabaseError) {
        try self.database.send(
            "UPDATE calendar_text SET source = ?2, base = ?3 WHERE object = ?1",
            [.id(id), .blob(source), TextRecord.stored(base, beside: source)]
        )
    }

    /// - Returns: whether the new text differs from the former text.
    func setSource(_ source: [UInt8], of id: ObjectID) throws(DatabaseError) -> Bool {
        let sql = "UPDATE calendar_text SET source = ?2, base = \(TextRecord.base) WHERE object = ?1 AND source <> ?2"
        return try self.database.run(sql, [.id(id), .blob(source)]) == 1
    }

    /// Writes the base; `nil` means no base.
    func setBase(_ base: [UInt8]?, of id: ObjectID) throws(DatabaseError) {
        let sql = "UPDATE calendar_text SET base = CASE WHEN ?2 = source THEN ?3 ELSE ?2 END WHERE object = ?1"
        try self.database.send(sql, [.id(id), .blob(base), .blob([])])
    }
}
