/// The names of columns, each with the value to write.
package typealias ColumnValues = KeyValuePairs<String, SQLValue>

/// Generates the texts of SQL statements from column names.
enum SQL {
    /// Returns an INSERT whose placeholders `?1`, `?2` and so on follow the order of the columns.
    static func insert(into table: String, _ columns: some Collection<String>) -> String {
        "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(self.placeholders(1, columns.count)))"
    }

    /// Returns an UPDATE of the row whose id is `?1`; the placeholders of the columns begin with `?2`.
    static func updateByID(_ table: String, _ columns: some Collection<String>) -> String {
        "UPDATE \(table) SET \(self.assignments(columns, from: 2)) WHERE id = ?1"
    }

    static func assignments(_ columns: some Collection<String>, from first: Int) -> String {
        columns.enumerated().map { "\($1) = ?\(first + $0)" }.joined(separator: ", ")
    }

    static func placeholders(_ first: Int, _ count: Int) -> String {
        (first..<(first + count)).map { "?\($0)" }.joined(separator: ", ")
    }
}

extension Database {
    /// - Parameter id: the id of the new row; `nil` makes the database choose an unused id.
    func insert(into table: String, id: Int64? = nil, _ row: ColumnValues) throws(DatabaseError) -> Int64 {
        let sql = SQL.insert(into: table, ["id"] + row.map(\.key))
        return try self.insert(sql, [.integer(id)] + row.map(\.value))
    }

    /// Updates the rows in which the columns of `key` have the given values; returns their number.
    @discardableResult
    func update(_ table: String, where key: ColumnValues, _ row: ColumnValues) throws(DatabaseError) -> Int {
        let condition = key.enumerated().map { "\($1.key) = ?\($0 + 1)" }.joined(separator: " AND ")
        let sql = "UPDATE \(table) SET \(SQL.assignments(row.map(\.key), from: key.count + 1)) WHERE \(condition)"
        return try self.run(sql, key.map(\.value) + row.map(\.value))
    }

    /// Updates the row in which the columns of `key` have the given values, or inserts a row.
    ///
    /// The method does not use `ON CONFLICT (key) DO UPDATE`. In a future database for several users, such as
    /// PostgreSQL, the unique keys have more columns than `key`.
    func upsert(_ table: String, key: ColumnValues, _ row: ColumnValues) throws(DatabaseError) {
        if try self.update(table, where: key, row) > 0 { return }
        let sql = SQL.insert(into: table, key.map(\.key) + row.map(\.key))
        try self.send(sql, key.map(\.value) + row.map(\.value))
    }
}
