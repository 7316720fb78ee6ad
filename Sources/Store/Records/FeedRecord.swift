/// A feed: reminders published under an address that only its token opens.
package struct FeedRecord: Hashable, Sendable {
    /// The feed's number, for revoking it.
    package let id: FeedID
    /// What a person calls it.
    package let name: String
    /// The only list it publishes; `nil` for all lists.
    package let list: ListID?
    /// It publishes what has one of these labels; with none, everything.
    package let labels: [String]
    /// Seconds since 1970.
    package let createdAt: Int64
    /// In which form it publishes reminders: `event`, `todo` or `both`.
    package let style: String
    /// Whether it publishes reminders whole that are marked PRIVATE or CONFIDENTIAL.
    package let showsPrivate: Bool
    /// When it was revoked, in seconds since 1970; `nil` while it is open.
    package let revokedAt: Int64?
}

extension StoreSnapshot {
    private static let feedColumns = "SELECT id, name, list, labels, created, revoked, style, shows_private FROM feed"

    /// All feeds, revoked ones too, oldest first.
    package func feeds() throws(DatabaseError) -> [FeedRecord] {
        try self.database.rows("\(Self.feedColumns) ORDER BY id") { FeedRecord($0) }
    }

    /// The feed that a token opens, `nil` when there is none or it was revoked.
    ///
    /// - Parameter tokenHash: the SHA-256 of the token. How long a search for a hash takes tells nothing of the token.
    package func feed(tokenHash: [UInt8]) throws(DatabaseError) -> FeedRecord? {
        let sql = "\(Self.feedColumns) WHERE token_hash = ?1 AND revoked IS NULL"
        return try self.database.first(sql, [.blob(tokenHash)]) { FeedRecord($0) }
    }
}

extension StoreTransaction {
    /// Opens a feed.
    ///
    /// - Parameter tokenHash: the SHA-256 of the token; the token itself is not kept.
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

    /// Writes the labels that a feed publishes.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func setLabels(_ labels: [String], ofFeed id: FeedID) throws(DatabaseError) {
        let sql = "UPDATE feed SET labels = ?2 WHERE id = ?1"
        guard try self.database.run(sql, [.id(id), .text(TextLines.join(labels))]) == 1 else {
            throw DatabaseError(.notFound)
        }
    }

    /// Closes a feed for good.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func revokeFeed(_ id: FeedID, at now: Int64) throws(DatabaseError) {
        let sql = "UPDATE feed SET revoked = coalesce(revoked, ?2) WHERE id = ?1"
        guard try self.database.run(sql, [.id(id), .integer(now)]) == 1 else { throw DatabaseError(.notFound) }
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

/// The number of a feed.
package typealias FeedID = RecordID<FeedRecord>
