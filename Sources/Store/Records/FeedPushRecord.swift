/// The address to which a feed is pushed, with the state of the file on the server.
package struct FeedPushRecord: Hashable, Sendable {
    package let url: String
    package let user: String
    package let secret: SecretReference
    /// The path of a PEM file with certificates that are trusted in addition to the system's certificates.
    package let caFile: String?
    /// The entity tag of the file on the server; `nil` when it is not known.
    package var etag: String?
    /// The SHA-256 hash of the last body that may have reached the server; `nil` before the first request.
    package var sent: [UInt8]?
    /// The SHA-256 hash of the last body that the server has confirmed; `nil` before the first success.
    package var stored: [UInt8]?
    /// When the server confirmed that body, in seconds since 1970.
    package var at: Int64?
    /// The identifier of the failure of the last attempt; `nil` after a success.
    package var error: String?

    package init(url: String, user: String, secret: SecretReference, caFile: String? = nil) {
        self.url = url
        self.user = user
        self.secret = secret
        self.caFile = caFile
    }

    fileprivate init(_ row: Row) {
        self.init(
            url: row.text("url"),
            user: row.text("user"),
            secret: SecretReference(kind: row.text("secret_kind"), reference: row.text("secret_reference")),
            caFile: row.textIfPresent("ca_file")
        )
        self.etag = row.textIfPresent("etag")
        self.sent = row.bytesIfPresent("sent")
        self.stored = row.bytesIfPresent("stored")
        self.at = row.integerIfPresent("at")
        self.error = row.textIfPresent("error")
    }
}

extension StoreSnapshot {
    /// Returns the push address of a feed; `nil` for none.
    package func push(of feed: FeedID) throws(DatabaseError) -> FeedPushRecord? {
        let sql = """
            SELECT url, "user", secret_kind, secret_reference, ca_file, etag, sent, stored, at, error
            FROM feed_push WHERE feed = ?1
            """
        return try self.database.first(sql, [.id(feed)]) { FeedPushRecord($0) }
    }
}

extension StoreTransaction {
    /// Stores the push address of a feed and replaces an earlier one.
    package func save(_ push: FeedPushRecord, of feed: FeedID) throws(DatabaseError) {
        try self.database.upsert(
            "feed_push",
            key: ["feed": .id(feed)],
            [
                "url": .text(push.url), "\"user\"": .text(push.user), "secret_kind": .text(push.secret.kind),
                "secret_reference": .text(push.secret.reference), "ca_file": .text(push.caFile),
                "etag": .text(push.etag), "sent": .blob(push.sent), "stored": .blob(push.stored),
                "at": .integer(push.at), "error": .text(push.error),
            ]
        )
    }

    package func deletePush(of feed: FeedID) throws(DatabaseError) {
        try self.database.send("DELETE FROM feed_push WHERE feed = ?1", [.id(feed)])
    }
}
