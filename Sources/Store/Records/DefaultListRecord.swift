/// The list of new reminders for which no list is named.
///
/// The record outlives the list: a command reports a deleted default list, and no other list replaces it.
package struct DefaultListRecord: Hashable, Sendable {
    /// It may have been deleted since.
    package let list: ListID
    /// The last known name of the list, for messages.
    package let name: String
}

extension StoreSnapshot {
    /// `nil` when no default list has been recorded yet.
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

    /// Removes the default list, so that the next new list can become the default.
    package func forgetDefaultList() throws(DatabaseError) { try self.database.run("DELETE FROM default_list") }
}
