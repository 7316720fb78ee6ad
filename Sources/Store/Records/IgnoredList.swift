/// A collection on an account's server that is not a list here.
package struct IgnoredList: Hashable, Sendable {
    package let account: AccountID
    package let url: String
    /// The former name of the list.
    package let name: String
    /// Seconds since 1970; `nil` until a user wants the list again.
    package let until: Int64?
}

extension StoreSnapshot {
    /// By name.
    package func ignoredLists() throws(DatabaseError) -> [IgnoredList] {
        let sql = "SELECT account, url, name, until FROM ignored_list ORDER BY name, url"
        return try self.database.rows(sql) { row in
            IgnoredList(
                account: row.id("account"),
                url: row.text("url"),
                name: row.text("name"),
                until: row.integerIfPresent("until")
            )
        }
    }
}

extension StoreTransaction {
    /// Deletes a list here and ignores its collection.
    ///
    /// - Parameter until: seconds since 1970; `nil` until ``adoptRemote(_:_:)`` is called for it.
    package func deleteList(_ id: ListID, ignoringUntil until: Int64?) throws(DatabaseError) {
        guard let list = try self.list(id) else { throw DatabaseError(.notFound) }
        if let account = list.account, let url = list.url {
            try self.database.upsert(
                "ignored_list",
                key: ["account": .id(account), "url": .text(url)],
                ["name": .text(list.name), "until": .integer(until)]
            )
        }
        try self.deleteList(id)
    }

    package func stopIgnoring(_ url: String, of account: AccountID) throws(DatabaseError) {
        try self.database.run("DELETE FROM ignored_list WHERE account = ?1 AND url = ?2", [.id(account), .text(url)])
    }
}
