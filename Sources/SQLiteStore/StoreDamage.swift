package import Store

extension StoreSnapshot {
    /// The damage that SQLite finds, without texts of users; empty for an intact store.
    ///
    /// Reads the whole file.
    ///
    /// - Parameter limit: the maximum number of findings.
    package func damage(limit: Int) throws(DatabaseError) -> [String] {
        let found: [String]
        do throws(DatabaseError) {
            found = try self.database.rows("PRAGMA integrity_check(\(limit))") { $0.textIfPresent(at: 0) ?? "" }
        } catch {
            // Some damage stops the check itself.
            guard error.code == .corrupt else { throw error }
            return ["a page cannot be read"]
        }
        // References cannot be checked in a damaged file.
        guard found == ["ok"] else { return found }
        let orphans = try self.database.rows("PRAGMA foreign_key_check") { $0.textIfPresent(at: 0) ?? "" }
        return Set(orphans).sorted().map { "a row of \($0) belongs to nothing" }
    }
}
