/// Reminders published under an address with a secret token.
package struct FeedRecord: Hashable, Sendable {
    package let id: FeedID
    package let name: String
    /// The only published list; `nil` for all lists.
    package let list: ListID?
    /// The feed publishes reminders with one of these labels; all reminders when empty.
    package let labels: [String]
    /// Seconds since 1970.
    package let createdAt: Int64
    /// The form of the reminders: `event`, `todo` or `both`.
    package let style: String
    /// Whether it publishes PRIVATE and CONFIDENTIAL reminders in full.
    package let showsPrivate: Bool
    /// Seconds since 1970; `nil` for an open feed.
    package let revokedAt: Int64?
}

extension StoreSnapshot {
    private static let feedColumns = "SELECT id, name, list, labels, created, revoked, style, shows_private FROM feed"

    /// Oldest first, including revoked ones.
    package func feeds() throws(DatabaseError) -> [FeedRecord] {
        try self.database.rows("\(Self.feedColumns) ORDER BY id") { FeedRecord($0) }
    }

    /// The open feed with this token, as its SHA-256: the time of a search by hash reveals nothing of the token.
    package func feed(tokenHash: [UInt8]) throws(DatabaseError) -> FeedRecord? {
        let sql = "\(Self.feedColumns) WHERE token_hash = ?1 AND revoked IS NULL"
        return try self.database.first(sql, [.blob(tokenHash)]) { FeedRecord($0) }
    }
}

extension StoreTransaction {
    /// - Parameter tokenHash: the SHA-256 of the token, which itself is not kept.
    package func insertFeed(
        named name: String,
        tokenHash: [UInt8],
        list: ListID? = nil,
        labels: [String] = [],
        style: String = "event",
        showsPrivate: Bool = false,
        at now: Int64
    ) throws(DatabaseError) -> FeedID {
        FeedID(
            try self.database.insert(
                into: "feed",
                [
                    "name": .text(name), "token_hash": .blob(tokenHash), "list": .id(list),
                    "labels": .text(TextLines.join(labels)), "created": .integer(now), "style": .text(style),
                    "shows_private": .flag(showsPrivate),
                ]
            )
        )
    }

    /// - Throws: ``DatabaseError/Code/notFound``.
    package func setLabels(_ labels: [String], ofFeed id: FeedID) throws(DatabaseError) {
        let sql = "UPDATE feed SET labels = ?2 WHERE id = ?1"
        try self.database.changeOne(sql, [.id(id), .text(TextLines.join(labels))])
    }

    /// - Throws: ``DatabaseError/Code/notFound``.
    package func revokeFeed(_ id: FeedID, at now: Int64) throws(DatabaseError) {
        let sql = "UPDATE feed SET revoked = coalesce(revoked, ?2) WHERE id = ?1"
        try self.database.changeOne(sql, [.id(id), .integer(now)])
    }
}

extension FeedRecord {
    fileprivate init(_ row: Row) {
        self.id = row.id("id")
        self.name = row.text("name")
        self.list = row.idIfPresent("list")
        self.labels = TextLines.split(row.text("labels"))
        self.createdAt = row.integer("created")
        self.revokedAt = row.integerIfPresent("revoked")
        self.style = row.text("style")
        self.showsPrivate = row.flag("shows_private")
    }
}

package typealias FeedID = RecordID<FeedRecord>
