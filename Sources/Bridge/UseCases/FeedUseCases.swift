import HTTP
import HTTPServer
import ICalendar
import Store
import Web

extension UseCases {
    package static let defaultPort: UInt16 = 8737
    private static let tokenBytes = 16

    /// Creates a feed; each program that knows its address can read the reminders.
    ///
    /// - Returns: the feed with its path, which cannot be shown again, because the store has only a hash of its token.
    package func createFeed(
        list name: String?,
        labels: [String],
        style: FeedForm = .event,
        showsPrivate: Bool = false
    ) throws -> FeedView {
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
                style: style.rawValue,
                showsPrivate: showsPrivate,
                at: now
            )
        }
        return FeedView(
            id: id.rawValue,
            path: "/feed/\(token).ics",
            list: list?.name,
            labels: labels,
            style: style,
            showsPrivate: showsPrivate,
            createdAt: ReminderReader.text(Instant(secondsSince1970: now))
        )
    }

    package func feeds() throws -> [FeedView] {
        try self.store.read { snapshot throws(DatabaseError) in
            let names = try snapshot.listNames()
            return try snapshot.feeds().filter { $0.revokedAt == nil }.map { feed in
                FeedView(
                    id: feed.id.rawValue,
                    path: nil,
                    list: feed.list.flatMap { names[$0] },
                    labels: feed.labels,
                    style: FeedForm(rawValue: feed.style) ?? .event,
                    showsPrivate: feed.showsPrivate,
                    createdAt: ReminderReader.text(Instant(secondsSince1970: feed.createdAt))
                )
            }
        }
    }

    package func revokeFeed(_ id: Int64) throws {
        let isKnown = try self.feeds().contains { $0.id == id }
        guard isKnown else { throw UseCaseError(.feedNotFound, subject: String(id)) }
        let now = self.seconds
        try self.store.write { transaction throws(DatabaseError) in try transaction.revokeFeed(FeedID(id), at: now) }
    }

    /// Serves the feeds on 127.0.0.1 until the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: the port; 0 for any free port.
    ///   - ready: called once with the port, when the server accepts requests.
    package func serve(port: UInt16, site: FeedSite? = nil, ready: @escaping @Sendable (UInt16) -> Void) async throws {
        let router = Router(
            zones: self.configuration.zones,
            localZone: self.configuration.localZone,
            publicPrefix: site?.prefix ?? "",
            source: FeedSource(version: self.feedVersion, revisions: self.feedRevisions, content: self.feedContent)
        )
        let server = try Server(
            port: port,
            hosts: site.map { [$0.host] } ?? [],
            hostAdvice: Self.hostAdvice
        ) { await router.respond(to: $0) }
        ready(server.port)
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        await server.stop()
    }

    /// The advice in an answer to an unknown host name; it contains no text of the request.
    private static let hostAdvice =
        "Feeds are not published under this host name. Set the public address in the settings of remindav, such as "
        + "'feed-address = https://cal.example.org', and start 'remindav serve' again."

    private func feedVersion(_ hash: [UInt8]) throws(DatabaseError) -> ContentVersion? {
        try self.store.read { snapshot throws(DatabaseError) in
            // The version is read before the content. After a change in between, the next request rebuilds the feed.
            let version = try snapshot.contentVersion()
            return try snapshot.feed(tokenHash: hash) == nil ? nil : version
        }
    }

    private func feedRevisions(_ hash: [UInt8]) throws(DatabaseError) -> FeedRevisions? {
        try self.store.read { snapshot throws(DatabaseError) in
            guard let feed = try snapshot.feed(tokenHash: hash) else { return nil }
            let objects = try snapshot.versions()
            return FeedRevisions(
                labels: feed.labels,
                objects: feed.list.map { list in objects.filter { $0.list == list } } ?? objects
            )
        }
    }

    private func feedContent(_ hash: [UInt8]) throws(DatabaseError) -> FeedContent? {
        let found = try self.store.read { snapshot throws(DatabaseError) -> (feed: FeedRecord, sources: [[UInt8]])? in
            guard let feed = try snapshot.feed(tokenHash: hash), feed.revokedAt == nil else { return nil }
            let labels = LabelFilter(feed.labels)
            var sources: [[UInt8]] = []
            try snapshot.forEachObject(in: feed.list) { record in
                if labels.matches(record.index.labels) { sources.append(record.source) }
                return true
            }
            return (feed, sources)
        }
        guard let (feed, sources) = found else { return nil }
        return FeedContent(
            name: feed.name,
            objects: sources.compactMap { CalendarObject(ICalendarDocument($0)) },
            style: FeedStyle(rawValue: feed.style) ?? .event,
            showsPrivate: feed.showsPrivate
        )
    }
}
