/// A text that a server has refused.
package struct RefusalRecord: Hashable, Sendable {
    package let object: ObjectID
    package let revision: Int64
    /// The capabilities of the list's server at that time, as a text of the sync; another value ends the refusal.
    package let abilities: String
    /// One sentence without a full stop, for a user.
    package let reason: String
    /// Seconds since 1970.
    package let at: Int64

    package init(object: ObjectID, revision: Int64, abilities: String, reason: String, at: Int64) {
        self.object = object
        self.revision = revision
        self.abilities = abilities
        self.reason = reason
        self.at = at
    }

    fileprivate init(_ row: Row) {
        self.init(
            object: row.id("object"),
            revision: row.integer("revision"),
            abilities: row.text("abilities"),
            reason: row.text("reason"),
            at: row.integer("at")
        )
    }

    // Texts that were edited or accepted since then are not refused.
    fileprivate static let select = """
        SELECT refusal.object, refusal.revision, refusal.abilities, refusal.reason, refusal.at
        FROM refusal JOIN calendar_object ON id = object AND calendar_object.revision = refusal.revision AND dirty = 1
        """
}

extension StoreSnapshot {
    /// The refusals of a list's current texts, by object.
    package func refusals(in list: ListID) throws(DatabaseError) -> [ObjectID: RefusalRecord] {
        let rows = try self.database.rows("\(RefusalRecord.select) WHERE list = ?1", [.id(list)]) {
            RefusalRecord($0)
        }
        return Dictionary(rows.map { ($0.object, $0) }) { first, _ in first }
    }

    /// The refusal of an object's current text.
    package func refusal(of object: ObjectID) throws(DatabaseError) -> RefusalRecord? {
        try self.database.first("\(RefusalRecord.select) WHERE object = ?1", [.id(object)]) { RefusalRecord($0) }
    }
}

extension StoreTransaction {
    /// Extends a refusal to the next revision of an object, which has the same text.
    func keepRefusal(of object: ObjectID) throws(DatabaseError) {
        try self.database.run("UPDATE refusal SET revision = revision + 1 WHERE object = ?1", [.id(object)])
    }

    /// Replaces an earlier refusal of the object.
    package func recordRefusal(_ refusal: RefusalRecord) throws(DatabaseError) {
        let sql = "SELECT 1 FROM calendar_object WHERE id = ?1"
        guard try self.database.exists(sql, [.id(refusal.object)]) else { return }
        try self.database.upsert(
            "refusal",
            key: ["object": .id(refusal.object)],
            [
                "revision": .integer(refusal.revision), "abilities": .text(refusal.abilities),
                "reason": .text(refusal.reason), "at": .integer(refusal.at),
            ]
        )
    }
}
