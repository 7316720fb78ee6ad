/// The visits of a feed by one kind of program; a visit is a request that was answered with the feed or with 304.
package struct FeedVisitRecord: Hashable, Sendable {
    /// The kind of program, a `SubscriberProgram`.
    package let program: String
    /// The time of the last visit, in seconds since 1970.
    package let at: Int64
    /// The HTTP status of the last answer.
    package let status: Int
    /// The name of the program at the last visit, from its header User-Agent, without addresses.
    package let agent: String
    package let visits: Int

    package init(program: String, at: Int64, status: Int, agent: String, visits: Int) {
        self.program = program
        self.at = at
        self.status = status
        self.agent = agent
        self.visits = visits
    }

    fileprivate init(_ row: Row) {
        self.init(
            program: row.text("program"),
            at: row.integer("at"),
            status: Int(row.integer("status")),
            agent: row.text("agent"),
            visits: Int(row.integer("visits"))
        )
    }

    fileprivate static let select = "SELECT program, at, status, agent, visits FROM feed_visit WHERE feed = ?1"
}

extension StoreSnapshot {
    /// Returns the visits of a feed, with the latest first.
    package func visits(of feed: FeedID) throws(DatabaseError) -> [FeedVisitRecord] {
        try self.database.rows("\(FeedVisitRecord.select) ORDER BY at DESC, program", [.id(feed)]) {
            FeedVisitRecord($0)
        }
    }
}

extension StoreTransaction {
    /// Adds the number of visits to the recorded number, and replaces the other values.
    ///
    /// Does nothing if no unrevoked feed has this token. A visit is no change of a reminder: neither the journal nor a
    /// sync contains it.
    package func addVisits(_ visit: FeedVisitRecord, ofFeedWith tokenHash: [UInt8]) throws(DatabaseError) {
        guard let feed = try self.feed(tokenHash: tokenHash)?.id else { return }
        let known = try self.database.first(
            "\(FeedVisitRecord.select) AND program = ?2",
            [.id(feed), .text(visit.program)]
        ) { FeedVisitRecord($0).visits }
        try self.database.upsert(
            "feed_visit",
            key: ["feed": .id(feed), "program": .text(visit.program)],
            [
                "at": .integer(visit.at), "status": .integer(visit.status), "agent": .text(visit.agent),
                "visits": .integer((known ?? 0) + visit.visits),
            ]
        )
    }
}
