/// A feed: reminders that are published under an address with a secret token.
package struct FeedRecord: Hashable, Sendable {
    package let id: FeedID
    package let name: String
    /// The only list that the feed publishes; `nil` for all lists.
    package let list: ListID?
    /// The feed publishes the reminders that have at least one of these labels; an empty array means all reminders.
    package let labels: [String]
    /// When the feed was created, in seconds since 1970.
    package let createdAt: Int64
    /// The components that the feed contains: `event` (VEVENT), `todo` (VTODO) or `both`.
    package let style: String
    /// Whether the feed publishes PRIVATE and CONFIDENTIAL reminders in full.
    package let showsPrivate: Bool
    /// Whether the feed publishes the alarms of the reminders themselves.
    package let showsAlarms: Bool
    /// When the feed was revoked, in seconds since 1970; `nil` while the feed is served.
    package let revokedAt: Int64?
}

extension StoreSnapshot {
    private static let feedColumns = """
        SELECT id, name, list, labels, created, revoked, style, shows_private, shows_alarms FROM feed
        """

    /// Returns all feeds, oldest first, including revoked feeds.
    package func feeds() throws(DatabaseError) -> [FeedRecord] {
        try self.database.rows("\(Self.feedColumns) ORDER BY id") { FeedRecord($0) }
    }

    /// Returns the unrevoked feed with this SHA-256 hash of its token.
    ///
    /// An attacker who measures the time of the comparison learns nothing about the token, because hashes are compared.
    package func feed(tokenHash: [UInt8]) throws(DatabaseError) -> FeedRecord? {
        let sql = "\(Self.feedColumns) WHERE token_hash = ?1 AND revoked IS NULL"
        return try self.database.first(sql, [.blob(tokenHash)]) { FeedRecord($0) }
    }
}

extension StoreTransaction {
    /// - Parameter tokenHash: the SHA-256 hash of the token. The store does not contain the token itself.
    package func insertFeed(
        named name: String,
        tokenHash: [UInt8],
        list: ListID? = nil,
        labels: [String] = [],
        style: String = "event",
        showsPrivate: Bool = false,
        showsAlarms: Bool = false,
        at now: Int64
    ) throws(DatabaseError) -> FeedID {
        FeedID(
            try self.database.insert(
                into: "feed",
                [
                    "name": .text(name), "token_hash": .blob(tokenHash), "list": .id(list),
                    "labels": .text(TextLines.join(labels)), "created": .integer(now), "style": .text(style),
                    "shows_private": .flag(showsPrivate), "shows_alarms": .flag(showsAlarms),
                ]
            )
        )
    }

    /// - Throws: ``DatabaseError/Code/notFound``.
    package func renameFeed(_ id: FeedID, to name: String) throws(DatabaseError) {
        try self.database.changeOne("UPDATE feed SET name = ?2 WHERE id = ?1", [.id(id), .text(name)])
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
        self.showsAlarms = row.flag("shows_alarms")
    }
}

package typealias FeedID = RecordID<FeedRecord>
