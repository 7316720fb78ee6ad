/// An edit or a deletion that the server does not have yet.
package struct UnsentChange: Hashable, Sendable {
    package let account: AccountID
    package let list: ListID
    package let uid: String
    package let revision: Int64
    package let isDeletion: Bool

    package init(account: AccountID, list: ListID, uid: String, revision: Int64, isDeletion: Bool) {
        self.account = account
        self.list = list
        self.uid = uid
        self.revision = revision
        self.isDeletion = isDeletion
    }
}

extension StoreSnapshot {
    /// Returns all changes that wait for a sync, in synced lists that are writable.
    ///
    /// If an object was moved to another account, its deletion in the former account is included only after the new
    /// account's server has the object.
    package func changesToSend() throws(DatabaseError) -> Set<UnsentChange> {
        let sql = """
            SELECT account, list, uid, revision, 0 AS is_deletion FROM calendar_object JOIN list ON list.id = list
            WHERE dirty = 1 AND account IS NOT NULL AND state = 'synced' AND read_only = 0
            UNION ALL
            SELECT account, list, uid, revision, 1 AS is_deletion FROM tombstone JOIN list ON list.id = list
            WHERE account IS NOT NULL AND state = 'synced' AND read_only = 0 AND NOT EXISTS (
                SELECT 1 FROM calendar_object AS object JOIN list AS target ON target.id = object.list
                WHERE object.id = tombstone.object AND target.account <> list.account AND object.dirty = 1
                    AND object.etag IS NULL
            )
            """
        return Set(
            try self.database.rows(sql) { row in
                UnsentChange(
                    account: row.id("account"),
                    list: row.id("list"),
                    uid: row.text("uid"),
                    revision: row.integer("revision"),
                    isDeletion: row.flag("is_deletion")
                )
            }
        )
    }
}
