import RemindavHTTP
import RemindavICalendar
import RemindavStore
import RemindavWeb

extension UseCases {
    private static let tokenBytes = 16

    /// Creates a feed; each program that knows its address can read the reminders.
    ///
    /// - Parameter name: `nil` for the name of the list, else of the first label, else `Reminders`.
    /// - Returns: the feed with its path, which cannot be shown again, because the store has only a hash of its token.
    package func createFeed(
        named name: String? = nil,
        list listName: String?,
        labels: [String],
        style: FeedForm = .event,
        showsPrivate: Bool = false,
        showsAlarms: Bool = false
    ) throws -> FeedView {
        let token = self.configuration.randomBytes(Self.tokenBytes).hexadecimal
        let now = self.seconds
        let checked = try name.map(FeedName.checked)
        return try self.store.write { transaction in
            let list = try listName.map { try transaction.list(named: $0) }
            let title = list?.name ?? labels.first ?? Self.firstListName
            let name = try checked.map { try transaction.unusedFeedName($0) } ?? title
            let id = try transaction.insertFeed(
                named: name,
                tokenHash: SHA256(token.utf8).bytes,
                list: list?.id,
                labels: labels,
                style: style.rawValue,
                showsPrivate: showsPrivate,
                showsAlarms: showsAlarms,
                at: now
            )
            return try transaction.feedView(transaction.servedFeed(String(id.rawValue)), path: "/feed/\(token).ics")
        }
    }

    package func feeds() throws -> [FeedView] {
        try self.store.read { snapshot in
            try snapshot.feeds().filter { $0.revokedAt == nil }.map { try snapshot.feedView($0) }
        }
    }

    /// Gives a feed a new name, which subscribers see as the name of the calendar; its address stays the same.
    ///
    /// - Parameter feed: the number or the name of the feed.
    package func renameFeed(_ feed: String, to name: String) throws -> FeedView {
        let name = try FeedName.checked(name)
        return try self.store.write { transaction in
            let feed = try transaction.servedFeed(feed)
            try transaction.renameFeed(feed.id, to: transaction.unusedFeedName(name, except: feed.id))
            return try transaction.feedView(transaction.servedFeed(String(feed.id.rawValue)))
        }
    }

    /// - Parameter feed: the number or the name of the feed.
    package func revokeFeed(_ feed: String) throws -> FeedView {
        let now = self.seconds
        let (view, push) = try self.store.write { transaction in
            let view = try transaction.feedView(transaction.servedFeed(feed))
            let push = try transaction.push(of: FeedID(view.id))
            try transaction.deletePush(of: FeedID(view.id))
            try transaction.revokeFeed(FeedID(view.id), at: now)
            return (view, push)
        }
        if let push { self.secrets.forget(push.secret) }
        return view
    }

    func feedView(of feed: FeedRecord) throws -> FeedView {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.feedView(feed) }
    }
}

extension StoreSnapshot {
    /// Returns an unrevoked feed by its number or its name; upper and lower case count only if a name is not unique.
    func servedFeed(_ text: String) throws -> FeedRecord {
        let feeds = try self.feeds().filter { $0.revokedAt == nil }
        if let number = Int64(text) {
            guard let feed = feeds.first(where: { $0.id.rawValue == number }) else {
                throw UseCaseError(.feedNotFound, subject: text)
            }
            return feed
        }
        let name = text.trimmingSpaces
        let same = feeds.filter { $0.name == name }
        let found = same.isEmpty ? feeds.filter { $0.name.lowercased() == name.lowercased() } : same
        guard let feed = found.first else { throw UseCaseError(.feedNotFound, subject: text) }
        guard found.count == 1 else { throw UseCaseError(.severalFeeds, subject: text) }
        return feed
    }

    fileprivate func unusedFeedName(_ name: String, except own: FeedID? = nil) throws -> String {
        let isUsed = try self.feeds().contains { $0.revokedAt == nil && $0.id != own && $0.name == name }
        if isUsed { throw UseCaseError(.feedNameTaken, subject: name) }
        return name
    }

    fileprivate func feedView(_ feed: FeedRecord, path: String? = nil) throws(DatabaseError) -> FeedView {
        let names = try self.listNames()
        return FeedView(
            id: feed.id.rawValue,
            name: feed.name,
            path: path,
            list: feed.list.flatMap { names[$0] },
            labels: feed.labels,
            style: FeedForm(rawValue: feed.style) ?? .event,
            showsPrivate: feed.showsPrivate,
            showsAlarms: feed.showsAlarms,
            createdAt: Instant(secondsSince1970: feed.createdAt),
            visits: try self.visits(of: feed.id).map(FeedView.Visit.init),
            push: try self.push(of: feed.id).map(FeedView.Push.init)
        )
    }
}

extension FeedView.Push {
    fileprivate init(_ record: FeedPushRecord) {
        self.url = record.url
        self.user = record.user
        self.passwordOrigin = Secrets.origin(record.secret)
        self.at = record.at.map { Instant(secondsSince1970: $0) }
        self.error = record.error.flatMap(FeedPushError.Code.init(identifier:))
    }
}

extension FeedView.Visit {
    fileprivate init(_ record: FeedVisitRecord) {
        self.program = record.program
        self.programName = (SubscriberProgram(rawValue: record.program) ?? .other).words
        self.at = Instant(secondsSince1970: record.at)
        self.status = record.status
        self.agent = record.agent
        self.count = record.visits
    }
}
