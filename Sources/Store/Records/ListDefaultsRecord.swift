/// The due date and alarms of new reminders in a list; local to this store.
package struct ListDefaultsRecord: Hashable, Sendable {
    /// In the form of the settings; `nil` for the value of the settings.
    package var due: String?
    /// In the form of the settings; `nil` for the value of the settings.
    package var alarm: String?

    package init(due: String? = nil, alarm: String? = nil) {
        self.due = due
        self.alarm = alarm
    }
}

extension StoreSnapshot {
    /// Empty where none were set.
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
