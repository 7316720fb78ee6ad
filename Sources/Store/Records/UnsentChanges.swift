/// An edit or a deletion that a server has not got.
package struct UnsentChange: Hashable, Sendable {
    package let list: ListID
    package let uid: String
    /// Which of its texts it is.
    package let revision: Int64
    package let isDeletion: Bool

    package init(list: ListID, uid: String, revision: Int64, isDeletion: Bool) {
        self.list = list
        self.uid = uid
        self.revision = revision
        self.isDeletion = isDeletion
    }
}

extension StoreSnapshot {
    /// All that waits for a sync, of lists that have another side.
    package func changesToSend() throws(DatabaseError) -> Set<UnsentChange> {
        let sql = """
            SELECT list, uid, revision, 0 FROM calendar_object JOIN list ON list.id = list
            WHERE dirty = 1 AND account IS NOT NULL AND state = 'synced' AND read_only = 0
            UNION ALL
            SELECT list, uid, revision, 1 FROM tombstone JOIN list ON list.id = list
            WHERE account IS NOT NULL AND state = 'synced' AND read_only = 0
            """
        return Set(
            try self.connection.rows(sql) { row in
                UnsentChange(
                    list: row.id(0),
                    uid: row.text(1),
                    revision: row.integer(2),
                    isDeletion: row.flag(3)
                )
            }
        )
    }
}
