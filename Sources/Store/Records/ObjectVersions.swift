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
    /// The version of the content as this snapshot sees it.
    package func contentVersion() throws(DatabaseError) -> ContentVersion {
        try self.database.contentVersion()
    }

    /// The number of migrations that the schema has had; a newer program may raise it while the store is open.
    package func schemaVersion() throws(DatabaseError) -> Int { try self.database.schemaVersion() }

    /// The version of each object, by id.
    package func versions() throws(DatabaseError) -> [ObjectVersion] {
        let sql = "SELECT id, list, revision, status, dirty FROM calendar_object ORDER BY id"
        return try self.database.rows(sql) { row in
            ObjectVersion(
                id: row.id("id"),
                list: row.id("list"),
                revision: row.integer("revision"),
                status: row.number("status"),
                isDirty: row.flag("dirty")
            )
        }
    }
}
