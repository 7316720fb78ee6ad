package import RemindavHTTP
import RemindavHTTPServer
import RemindavICalendar
import RemindavPlatform
import RemindavSQLiteStore
package import RemindavStore
package import RemindavWeb

extension UseCases {
    package static let defaultPort: UInt16 = 8737

    /// Serves the feeds and the web pages on 127.0.0.1 until the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: the port; 0 for any free port.
    ///   - socket: a socket that already listens, instead of the port. The serving then also ends after ten minutes
    ///     without a connection, because systemd starts this program again at the next one.
    ///   - pages: answers requests for other addresses than those of feeds; `nil` for feeds only.
    ///   - uploads: whether a request may have a long body; only its headers have arrived.
    ///   - proxy: a socket for a reverse proxy that publishes the pages; `nil` for none.
    ///   - ready: called once with the port, when the server accepts requests.
    package func serve(
        port: UInt16,
        socket: Int32? = nil,
        site: FeedSite? = nil,
        pages: (@Sendable (Request) async -> Response)? = nil,
        uploads: @escaping @Sendable (Request) -> Bool = { _ in false },
        proxy: ProxySocket? = nil,
        ready: @escaping @Sendable (UInt16) -> Void
    ) async throws {
        let now = self.configuration.now
        let visits = FeedVisits(now: { now().secondsSince1970 }, write: self.record)
        let router = Router(
            zones: self.configuration.zones,
            localZone: self.configuration.localZone,
            publicPrefix: site?.prefix ?? "",
            source: FeedSource(version: self.feedVersion, revisions: self.feedRevisions, content: self.feedContent),
            visits: visits
        )
        FreeMemory.returnLargeBlocks()
        let server = try Server(
            socket.map { .socket($0) } ?? .port(port),
            hosts: site.map { [$0.host] } ?? [],
            hostAdvice: Self.hostAdvice,
            uploads: Uploads(folder: self.configuration.storeFolder) { $0.isForThisComputer && uploads($0) }
        ) { request in
            guard let pages, !router.isForFeed(request), request.isForThisComputer else {
                return await router.respond(to: request)
            }
            return await pages(request)
        }
        let published = try proxy.map { try self.serve(for: $0, router, pages, uploads) }
        ready(server.port)
        // A proxy cannot start the program again.
        let mayEnd = socket != nil && proxy == nil
        while !Task.isCancelled {
            let idle = server.idleTime ?? .zero
            if mayEnd, idle >= Self.maximumIdleTime { break }
            try? await Task.sleep(for: Self.maximumIdleTime - (mayEnd ? idle : .zero))
        }
        await published?.stop()
        if let proxy { SystemFiles.remove(proxy.path) }
        await server.stop()
        await visits.finish()
    }

    /// A person who reads a page for this long starts the program again, which takes few milliseconds.
    private static let maximumIdleTime = Swift.Duration.seconds(600)

    /// Serves the pages for a reverse proxy.
    private func serve(
        for proxy: ProxySocket,
        _ router: Router,
        _ pages: (@Sendable (Request) async -> Response)?,
        _ uploads: @escaping @Sendable (Request) -> Bool
    ) throws -> Server {
        @Sendable func marked(_ request: Request) -> Request {
            var request = request
            request.isProxied = true
            return request
        }
        let listener = try UnixListener.open(proxy.path)
        return try Server(
            .socket(listener),
            hosts: [proxy.site.host],
            hostAdvice: Self.proxyAdvice,
            uploads: Uploads(folder: self.configuration.storeFolder) { uploads(marked($0)) }
        ) { request in
            guard let pages, !router.isForFeed(request) else { return await router.respond(to: request) }
            // A proxy that does not forward the host would also forward requests for any other name.
            guard !request.isForThisComputer else { return Response(status: 421) }
            return await pages(marked(request))
        }
    }

    private static let proxyAdvice =
        "The pages are not published under this host name. Let the proxy forward the header Host, and compare it with "
        + "the setting 'web-address' of remindav."

    /// Writes visits by a connection of its own, so that no request waits while another program writes.
    ///
    /// - Returns: the visits that were not written: all of them if the store is read-only or locked.
    private func record(_ visits: [FeedVisit]) -> [FeedVisit] {
        do { try self.write(visits) } catch { return visits }
        return []
    }

    private func write(_ visits: [FeedVisit]) throws {
        let store = try self.store.folder.map { folder in
            // A deleted store is not created again.
            guard ReminderStore.exists(in: folder) else { throw DatabaseError(.cannotOpen) }
            return try ReminderStore.open(folder: folder)
        }
        try (store ?? self.store).write(.survivesKill) { transaction throws(DatabaseError) in
            for visit in visits { try transaction.addVisits(visit.record, ofFeedWith: visit.tokenHash) }
        }
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

    /// The revisions of the reminders of a feed; `nil` if no feed has this hash.
    package func feedRevisions(_ hash: [UInt8]) throws(DatabaseError) -> FeedRevisions? {
        try self.store.read { snapshot throws(DatabaseError) in
            guard let feed = try snapshot.feed(tokenHash: hash) else { return nil }
            let objects = try snapshot.versions()
            return FeedRevisions(
                names: [feed.name] + feed.labels,
                objects: feed.list.map { list in objects.filter { $0.list == list } } ?? objects,
                zone: self.configuration.localZone
            )
        }
    }

    /// The content of a feed; `nil` if no feed has this hash.
    package func feedContent(_ hash: [UInt8]) throws(DatabaseError) -> FeedContent? {
        try self.content { snapshot throws(DatabaseError) in try snapshot.feed(tokenHash: hash) }
    }

    /// The content of a feed as a file; equal reminders give equal bytes.
    func feedFile(_ feed: FeedRecord) throws -> [UInt8] {
        guard let content = try self.content({ _ in feed }) else {
            throw UseCaseError(.feedNotFound, subject: feed.name)
        }
        let (zones, localZone) = (self.configuration.zones, self.configuration.localZone)
        return EventFeed(content, zones: zones, localZone: localZone).bytes
    }

    /// The content of a feed as a file.
    ///
    /// - Parameter feed: the number or the name of the feed.
    package func feedFile(_ feed: String) throws -> [UInt8] {
        try self.feedFile(self.store.read { snapshot in try snapshot.servedFeed(feed) })
    }

    private func content(
        _ find: (StoreSnapshot) throws(DatabaseError) -> FeedRecord?
    ) throws(DatabaseError) -> FeedContent? {
        let found = try self.store.read { snapshot throws(DatabaseError) -> (feed: FeedRecord, sources: [[UInt8]])? in
            guard let feed = try find(snapshot) else { return nil }
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
            showsPrivate: feed.showsPrivate,
            showsAlarms: feed.showsAlarms,
            zone: self.configuration.localZone
        )
    }
}
