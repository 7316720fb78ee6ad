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

/// Tells whether a store may hold something else than before: two equal versions of one open store are the same content.
package struct ContentVersion: Hashable, Sendable {
    /// Changed by every commit of another connection (`PRAGMA data_version`).
    let others: Int64
    /// The rows that this connection has changed so far.
    let own: Int64
}

extension StoreSnapshot {
    /// The version of the content as this snapshot sees it.
    package func contentVersion() throws(DatabaseError) -> ContentVersion {
        ContentVersion(
            others: try self.connection.first("PRAGMA data_version") { $0.integer(0) } ?? 0,
            own: try self.connection.first("SELECT total_changes()") { $0.integer(0) } ?? 0
        )
    }

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
