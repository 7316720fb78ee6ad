import RemindavStore

extension SQLiteConnection {
    func damage(limit: Int) throws(DatabaseError) -> [String] {
        let found: [String]
        do throws(DatabaseError) {
            found = try self.rows("PRAGMA integrity_check(\(limit))") { $0.textIfPresent(at: 0) ?? "" }
        } catch {
            // Some damage makes SQLite's check itself fail.
            guard error.code == .corrupt else { throw error }
            return ["a page cannot be read"]
        }
        // In a damaged file, the check of foreign keys is not possible.
        guard found == ["ok"] else { return found }
        let orphans = try self.rows("PRAGMA foreign_key_check") { $0.textIfPresent(at: 0) ?? "" }
        return Set(orphans).sorted().map { "a row of the table \($0) refers to a row that does not exist" }
    }
}
