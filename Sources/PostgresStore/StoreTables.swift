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
    ///
    /// - Parameter replacing: for each table, the columns that get another value in the copy.
    package static func copy(
        from source: any Database,
        to target: any Database,
        replacing: [String: [String: SQLValue]] = [:]
    ) throws(DatabaseError) {
        for table in self.inOrder {
            var columns: [String] = []
            var insert = ""
            var error: DatabaseError?
            let order = table == "tombstone" ? " ORDER BY rowid" : ""
            let replaced = replacing[table] ?? [:]
            try source.forEachInPortions("SELECT * FROM \(table)\(order)") { row in
                if columns.isEmpty {
                    columns = row.names.filter { !self.isInternal($0) }
                    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
                    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
                    insert = "INSERT INTO \(table) (\(names)) VALUES (\(places))"
                }
                let values = columns.map { replaced[$0] ?? row.value($0) }
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

    /// Whether no table has a row; the database is in a transaction.
    static func areEmpty(in database: any Database) throws(DatabaseError) -> Bool {
        let rows = self.inOrder.map { "EXISTS (SELECT 1 FROM \($0))" }.joined(separator: " OR ")
        return try database.first("SELECT 1 WHERE \(rows)") { _ in true } == nil
    }

    /// Columns that only PostgreSQL has.
    private static func isInternal(_ column: String) -> Bool { column == "tenant" || column == "rowid" }
}
