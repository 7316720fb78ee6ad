/// A collection on an account's server that shall not be a list here.
package struct IgnoredList: Hashable, Sendable {
    /// The account on whose server it is.
    package let account: AccountID
    /// Its address.
    package let url: String
    /// What the list was called here.
    package let name: String
    /// Until when, in seconds since 1970; `nil` until a person wants it here again.
    package let until: Int64?
}

extension StoreSnapshot {
    /// The collections that are ignored, by name.
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
    /// Removes a list here, and keeps its collection from becoming one again.
    ///
    /// - Parameter until: for how long, in seconds since 1970; `nil` until ``adoptRemote(_:_:)`` is told of it.
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

    /// Lets a collection become a list again.
    package func stopIgnoring(_ url: String, of account: AccountID) throws(DatabaseError) {
        try self.database.run(
            "DELETE FROM ignored_list WHERE account = ?1 AND url = ?2",
            [.id(account), .text(url)]
        )
    }
}
