/// The list that receives new reminders for which the user names no list.
///
/// If the list is deleted, the record stays, so that a command reports the loss instead of choosing another list.
package struct DefaultListRecord: Hashable, Sendable {
    /// The id of the list; the list may have been deleted since.
    package let list: ListID
    /// The most recent display name of the list, for messages after its deletion.
    package let name: String
}

extension StoreSnapshot {
    /// Returns the default list; `nil` when none has been recorded.
    package func defaultList() throws(DatabaseError) -> DefaultListRecord? {
        try self.database.first("SELECT list, name FROM default_list") { row in
            DefaultListRecord(list: row.id("list"), name: row.text("name"))
        }
    }
}

extension StoreTransaction {
    package func setDefaultList(_ list: ListRecord) throws(DatabaseError) {
        try self.database.upsert(
            "default_list",
            key: ["id": .integer(1)],
            ["list": .id(list.id), "name": .text(list.name)]
        )
    }

    /// Removes the record of the default list, so that the next new list can become the default.
    package func forgetDefaultList() throws(DatabaseError) { try self.database.send("DELETE FROM default_list") }
}
