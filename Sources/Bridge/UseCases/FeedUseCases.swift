import HTTP
import HTTPServer
import ICalendar
import Store
import Web

extension UseCases {
    /// Where feeds are served unless somebody says otherwise.
    package static let defaultPort: UInt16 = 8737
    /// 128 bits, which nobody guesses.
    private static let tokenBytes = 16

    /// Makes a feed: an address that shows the reminders of a list, or those with one of the labels, to whoever knows it.
    ///
    /// - Returns: the feed with its path, which is not kept and cannot be shown again.
    package func createFeed(list name: String?, labels: [String]) throws -> FeedView {
        let list = try self.store.read { snapshot in try name.map { try snapshot.list(named: $0) } }
        let token = self.configuration.randomBytes(Self.tokenBytes).hexadecimal
        let title = list?.name ?? labels.first ?? Self.firstListName
        let now = self.seconds
        let id = try self.store.write { transaction throws(DatabaseError) in
            try transaction.insertFeed(
                named: title,
                tokenHash: SHA256(token.utf8).bytes,
                list: list?.id,
                labels: labels,
                at: now
            )
        }
        return FeedView(
            id: id.rawValue,
            path: "/feed/\(token).ics",
            list: list?.name,
            labels: labels,
            createdAt: ReminderReader.text(Instant(secondsSince1970: now))
        )
    }

    /// The feeds that are not revoked.
    package func feeds() throws -> [FeedView] {
        try self.store.read { snapshot throws(DatabaseError) in
            let names = try snapshot.listNames()
            return try snapshot.feeds().filter { $0.revokedAt == nil }.map { feed in
                FeedView(
                    id: feed.id.rawValue,
                    path: nil,
                    list: feed.list.flatMap { names[$0] },
                    labels: feed.labels,
                    createdAt: ReminderReader.text(Instant(secondsSince1970: feed.createdAt))
                )
            }
        }
    }

    /// Ends a feed: its address answers 404 from now on.
    package func revokeFeed(_ id: Int64) throws {
        let isKnown = try self.feeds().contains { $0.id == id }
        guard isKnown else { throw UseCaseError(.feedNotFound, subject: String(id)) }
        let now = self.seconds
        try self.store.write { transaction throws(DatabaseError) in try transaction.revokeFeed(FeedID(id), at: now) }
    }

    /// Serves the feeds on 127.0.0.1 until the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - ready: called once with the port, when requests are answered.
    package func serve(port: UInt16, ready: @escaping @Sendable (UInt16) -> Void) async throws {
        let router = Router(
            zones: self.configuration.zones,
            localZone: self.configuration.localZone,
            lookup: { hash in try self.feedContent(hash) }
        )
        let server = try Server(port: port, hosts: []) { await router.respond(to: $0) }
        ready(server.port)
        // Sleeps in long pieces; a cancelled task wakes at once.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        await server.stop()
    }

    private func feedContent(_ hash: [UInt8]) throws(DatabaseError) -> FeedContent? {
        try self.store.read { snapshot throws(DatabaseError) in
            guard let feed = try snapshot.feed(tokenHash: hash), feed.revokedAt == nil else { return nil }
            let labels = LabelFilter(feed.labels)
            var objects: [CalendarObject] = []
            try snapshot.forEachObject(in: feed.list) { record in
                if labels.matches(record.index.labels),
                    let object = CalendarObject(ICalendarDocument(record.source))
                {
                    objects.append(object)
                }
                return true
            }
            return FeedContent(name: feed.name, objects: objects)
        }
    }
}
