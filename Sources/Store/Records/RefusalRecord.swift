/// The refusal of a text by a server.
package struct RefusalRecord: Hashable, Sendable {
    package let object: ObjectID
    package let revision: Int64
    /// The collection's `RefusalRule.abilities` at the time of the refusal; if they change, the text is sent again.
    package let abilities: String
    /// The reason for the user: a sentence without a full stop.
    package let reason: String
    /// When the server refused the text, in seconds since 1970.
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

    // A refusal ends when the text is edited (another revision) or accepted by the server (`dirty` is 0).
    fileprivate static let select = """
        SELECT refusal.object, refusal.revision, refusal.abilities, refusal.reason, refusal.at
        FROM refusal JOIN calendar_object ON id = object AND calendar_object.revision = refusal.revision AND dirty = 1
        """
}

extension StoreSnapshot {
    /// Returns the refusals of the current texts of a list, by object.
    package func refusals(in list: ListID) throws(DatabaseError) -> [ObjectID: RefusalRecord] {
        let rows = try self.database.rows("\(RefusalRecord.select) WHERE list = ?1", [.id(list)]) {
            RefusalRecord($0)
        }
        return Dictionary(rows.map { ($0.object, $0) }) { first, _ in first }
    }

    /// Returns the refusal of an object's current text; `nil` for none.
    package func refusal(of object: ObjectID) throws(DatabaseError) -> RefusalRecord? {
        try self.database.first("\(RefusalRecord.select) WHERE object = ?1", [.id(object)]) { RefusalRecord($0) }
    }
}

extension StoreTransaction {
    /// Makes a refusal apply to the object's next revision, whose text is the same.
    func keepRefusal(of object: ObjectID) throws(DatabaseError) {
        try self.database.send("UPDATE refusal SET revision = revision + 1 WHERE object = ?1", [.id(object)])
    }

    /// Records a refusal and replaces an earlier refusal of the object; does nothing if the object no longer exists.
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
