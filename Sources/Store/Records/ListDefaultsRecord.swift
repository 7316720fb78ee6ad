/// The default due time and alarm of new reminders in a list; the values are never sent to a server.
package struct ListDefaultsRecord: Hashable, Sendable {
    /// The due time as the settings write it; `nil` means the due time of the general settings.
    package var due: String?
    /// The alarm as the settings write it; `nil` means the alarm of the general settings.
    package var alarm: String?

    package init(due: String? = nil, alarm: String? = nil) {
        self.due = due
        self.alarm = alarm
    }
}

extension StoreSnapshot {
    /// Returns the defaults of a list; if none were set, both values are `nil`.
    package func defaults(of list: ListID) throws(DatabaseError) -> ListDefaultsRecord {
        let sql = "SELECT due, alarm FROM list_defaults WHERE list = ?1"
        let found = try self.database.first(sql, [.id(list)]) { row in
            ListDefaultsRecord(due: row.textIfPresent("due"), alarm: row.textIfPresent("alarm"))
        }
        return found ?? ListDefaultsRecord()
    }
}

extension StoreTransaction {
    package func setDefaults(_ defaults: ListDefaultsRecord, of list: ListID) throws(DatabaseError) {
        try self.database.upsert(
            "list_defaults",
            key: ["list": .id(list)],
            ["due": .text(defaults.due), "alarm": .text(defaults.alarm)]
        )
    }
}
