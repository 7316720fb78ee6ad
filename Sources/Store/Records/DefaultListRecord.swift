/// The list that new reminders go to when none is named, as it was chosen or first made.
///
/// The record outlives the list: a default that was deleted is reported, and no other list takes its place silently.
package struct DefaultListRecord: Hashable, Sendable {
    /// The number of the list, which may have been deleted since.
    package let list: ListID
    /// The last known name of the list, for messages.
    package let name: String
}

extension StoreSnapshot {
    /// The recorded default list; `nil` when none has been recorded yet.
    package func defaultList() throws(DatabaseError) -> DefaultListRecord? {
        try self.database.first("SELECT list, name FROM default_list") { row in
            DefaultListRecord(list: row.id("list"), name: row.text("name"))
        }
    }
}

extension StoreTransaction {
    /// Records the list that new reminders go to from now on.
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
