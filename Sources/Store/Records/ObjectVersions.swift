package import RemindavReminders

/// The revision of an object, without the object's text.
package struct ObjectVersion: Hashable, Sendable {
    package let id: ObjectID
    package let list: ListID
    package let revision: Int64
    package let status: Status
    /// Whether the server does not have the object's present text yet.
    package let isDirty: Bool
}

extension StoreSnapshot {
    package func contentVersion() throws(DatabaseError) -> ContentVersion {
        try self.database.contentVersion()
    }

    /// Returns the number of migrations that have run; a newer program may run more while the store is open.
    package func schemaVersion() throws(DatabaseError) -> Int { try self.database.schemaVersion() }

    /// Returns the versions of all objects, ordered by id.
    package func versions() throws(DatabaseError) -> [ObjectVersion] {
        let sql = "SELECT id, list, revision, status, dirty FROM calendar_object ORDER BY id"
        return try self.database.rows(sql) { row in
            ObjectVersion(
                id: row.id("id"),
                list: row.id("list"),
                revision: row.integer("revision"),
                status: Status(stored: row.number("status")),
                isDirty: row.flag("dirty")
            )
        }
    }
}
