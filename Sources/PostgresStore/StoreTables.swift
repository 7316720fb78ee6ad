package import RemindavStore

/// The tables of a store, in both database engines.
package enum StoreTables {
    /// Each table comes after the tables that it references.
    package static let inOrder = [
        "account", "list", "calendar_object", "calendar_text", "tombstone", "unreadable", "conflict", "feed",
        "capability", "override_resource", "ignored_list", "refusal", "sync_run", "label", "deleted_label", "relation",
        "list_defaults", "default_list", "change", "feed_visit", "feed_push",
    ]

    /// Copies all rows, with their numbers, to a database whose tables are empty; both are in a transaction.
    package static func copy(from source: any Database, to target: any Database) throws(DatabaseError) {
        for table in self.inOrder {
            var columns: [String] = []
            var insert = ""
            var error: DatabaseError?
            let order = table == "tombstone" ? " ORDER BY rowid" : ""
            try source.forEach("SELECT * FROM \(table)\(order)", []) { row in
                if columns.isEmpty {
                    columns = row.names.filter { !self.isInternal($0) }
                    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
                    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
                    insert = "INSERT INTO \(table) (\(names)) VALUES (\(places))"
                }
                let values = columns.map { row.value($0) }
                do throws(DatabaseError) {
                    try target.send(insert, values)
                } catch let failure {
                    error = failure
                }
                return error == nil
            }
            if let error { throw error }
        }
        // The number of a deleted reminder is not used again.
        try target.reserveIDs(below: source.nextIDs())
    }

    /// Columns that only PostgreSQL has.
    private static func isInternal(_ column: String) -> Bool { column == "tenant" || column == "rowid" }
}
