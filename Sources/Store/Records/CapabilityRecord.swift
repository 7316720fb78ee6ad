/// A capability of a server that a test request determined.
package struct CapabilityRecord: Hashable, Sendable {
    package let name: String
    package let value: String
    /// When the test request ran, in seconds since 1970.
    package let measuredAt: Int64
}

extension StoreSnapshot {
    package func capabilities(of account: AccountID) throws(DatabaseError) -> [CapabilityRecord] {
        let sql = "SELECT name, value, measured FROM capability WHERE account = ?1 ORDER BY name"
        return try self.database.rows(sql, [.id(account)]) { row in
            CapabilityRecord(name: row.text("name"), value: row.text("value"), measuredAt: row.integer("measured"))
        }
    }
}

extension StoreTransaction {
    /// Stores the value of a capability and replaces an earlier value; `nil` deletes the capability.
    package func setCapability(
        _ name: String,
        _ value: String?,
        of account: AccountID,
        at now: Int64
    ) throws(DatabaseError) {
        guard let value else {
            try self.database.send(
                "DELETE FROM capability WHERE account = ?1 AND name = ?2",
                [.id(account), .text(name)]
            )
            return
        }
        try self.database.upsert(
            "capability",
            key: ["account": .id(account), "name": .text(name)],
            ["value": .text(value), "measured": .integer(now)]
        )
    }
}
