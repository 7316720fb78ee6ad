/// A collection on an account's server that the user does not want as a list.
package struct IgnoredList: Hashable, Sendable {
    package let account: AccountID
    package let url: String
    /// The display name of the former list.
    package let name: String
    /// When the collection may become a list again, in seconds since 1970; `nil` means not before a user asks for it.
    package let until: Int64?
}

extension StoreSnapshot {
    /// Returns the ignored collections, sorted by name.
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
    /// Deletes a list from the store and ignores its collection on the server.
    /// - Parameter until: seconds since 1970; `nil` means until ``adoptRemote(_:_:)`` pairs the collection again.
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
        try self.database.send("DELETE FROM ignored_list WHERE account = ?1 AND url = ?2", [.id(account), .text(url)])
    }
}
