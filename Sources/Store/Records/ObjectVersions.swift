/// Which text of an object it is, without the text.
package struct ObjectVersion: Hashable, Sendable {
    package let id: ObjectID
    package let list: ListID
    /// Raised by every change of the text.
    package let revision: Int64
    /// The number that `Reminders` gives to the status.
    package let status: Int
    /// Whether the server does not have this text yet.
    package let isDirty: Bool
}

extension StoreSnapshot {
    /// The number of the schema, which a newer program raises under who has the store open.
    package func schemaVersion() throws(DatabaseError) -> Int {
        try self.connection.first("PRAGMA user_version") { $0.number(0) } ?? 0
    }

    /// The version of each object, by id.
    package func versions() throws(DatabaseError) -> [ObjectVersion] {
        let sql = "SELECT id, list, revision, status, dirty FROM calendar_object ORDER BY id"
        return try self.connection.rows(sql) { row in
            ObjectVersion(
                id: row.id(0),
                list: row.id(1),
                revision: row.integer(2),
                status: row.number(3),
                isDirty: row.flag(4)
            )
        }
    }
}
