import RemindavBridge

/// An address that calendar programs can subscribe to.
public struct Feed: Hashable, Sendable, Identifiable {
    /// The number for ``Remindav/revokeFeed(_:)`` and ``Remindav/feedContent(_:)``.
    public let id: Int64
    /// The name of the calendar.
    public let name: String
    /// The path of the address; `nil` except in the result of ``Remindav/createFeed(named:list:labels:)``.
    ///
    /// The store has only a hash of it.
    public let path: String?
    /// The list of the reminders; `nil` for all lists.
    public let list: String?
    /// The feed has the reminders with one of these labels; all reminders if there are none.
    public let labels: [String]

    init(_ view: FeedView) {
        (self.id, self.name, self.path, self.list, self.labels) =
            (view.id, view.name, view.path, view.list, view.labels)
    }
}

extension Remindav {
    /// Returns the feeds that were not revoked.
    public func feeds() throws(RemindavError) -> [Feed] {
        try self.perform { try self.useCases.feeds().map { Feed($0) } }
    }

    /// Creates a feed; each program that knows its address can read the reminders.
    public func createFeed(
        named name: String? = nil,
        list: String? = nil,
        labels: [String] = []
    ) throws(RemindavError) -> Feed {
        try self.perform { Feed(try self.useCases.createFeed(named: name, list: list, labels: labels)) }
    }

    /// Makes the address of a feed invalid.
    public func revokeFeed(_ id: Int64) throws(RemindavError) {
        try self.perform { _ = try self.useCases.revokeFeed(String(id)) }
    }

    /// Returns the content of a feed as iCalendar, for a web server of the embedding program.
    public func feedContent(_ id: Int64) throws(RemindavError) -> [UInt8] {
        try self.perform { try self.useCases.feedFile(String(id)) }
    }
}
