/// A snapshot of a store, valid during one ``ReminderStore/read(_:)``; extensions in other files add the queries.
package class StoreSnapshot {
    package let database: any Database

    /// Avoids look-ups of new UIDs and addresses; `nil` when a look-up is fast.
    let keys: KnownKeys?

    init(_ database: any Database, keys: KnownKeys? = nil) {
        self.database = database
        self.keys = keys
    }

    /// Whether a reminder or a tombstone may have this UID or address; if not, no look-up is needed.
    func mayContain(_ key: String) throws(DatabaseError) -> Bool { try self.keys?.mayContain(key) ?? true }

    /// Examines the whole database; returns up to `limit` sentences about damage, without texts of users.
    package func damage(limit: Int) throws(DatabaseError) -> [String] { try self.database.damage(limit: limit) }
}

/// The transaction of one ``ReminderStore/write(_:_:)``; its queries see the changes of the transaction.
package final class StoreTransaction: StoreSnapshot {
    private(set) var isDiscarded = false

    init(_ database: any Database) { super.init(database, keys: database.isRemote ? KnownKeys(database) : nil) }

    /// Makes the end of the `write` discard all changes without an error, for a dry run or an interrupted import.
    package func discard() { self.isDiscarded = true }

    /// Runs `body`; if it throws, only its own changes are discarded, and the transaction continues.
    package func attempt<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
        try self.database.send("SAVEPOINT attempt")
        do {
            let outcome = try body()
            // The answer is awaited, so that an error of a sent statement is thrown here.
            _ = try self.database.run("RELEASE SAVEPOINT attempt", [])
            return outcome
        } catch {
            try self.database.send("ROLLBACK TO SAVEPOINT attempt")
            try self.database.send("RELEASE SAVEPOINT attempt")
            throw error
        }
    }
}
