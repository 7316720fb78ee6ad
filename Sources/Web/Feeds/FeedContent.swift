package import RemindavICalendar
package import RemindavStore

/// The content of a feed, read from one state of the store.
package struct FeedContent: Sendable {
    /// The name of the feed; empty for none.
    let name: String
    /// The calendar objects in any order, including completed ones; ``EventFeed`` selects and sorts them.
    let objects: [CalendarObject]
    let style: FeedStyle
    /// Whether to publish CONFIDENTIAL reminders, and the titles and notes of PRIVATE reminders (RFC 5545 §3.8.1.3).
    let showsPrivate: Bool
    /// Whether to publish the alarms of the reminders; otherwise each event has one alarm when it is due.
    let showsAlarms: Bool
    /// The zoneinfo name of the time zone for floating times; `nil` for that of the ``Router``.
    let zone: String?

    package init(
        name: String,
        objects: [CalendarObject],
        style: FeedStyle = .event,
        showsPrivate: Bool = false,
        showsAlarms: Bool = false,
        zone: String? = nil
    ) {
        self.name = name
        self.objects = objects
        self.style = style
        self.showsPrivate = showsPrivate
        self.showsAlarms = showsAlarms
        self.zone = zone
    }

    package static let hiddenTitle = "Busy"
}

/// The revisions of the reminders of a feed; if two values from one store are equal, the feed has the same content.
package struct FeedRevisions: Hashable, Sendable {
    /// The name of the feed and the current names of its labels; all of them can be renamed.
    private let names: [String]
    private let numbers: [Int64]
    private let zone: String?

    /// - Parameter zone: the zoneinfo name of the time zone for floating times; `nil` if it never changes.
    package init(names: [String], objects: [ObjectVersion], zone: String? = nil) {
        self.names = names
        self.zone = zone
        self.numbers = objects.flatMap { [$0.id.rawValue, $0.revision] }
    }
}

/// Functions that read the feeds of a store; a feed is identified by the SHA-256 hash of its token.
package struct FeedSource: Sendable {
    package typealias Reading<Value> = @Sendable (_ tokenHash: [UInt8]) async throws -> Value?
    /// Reads the version of the store's content for each request; `nil` when there is no such feed or it was revoked.
    package let version: Reading<ContentVersion>
    /// Reads the revisions after a change of the store; this reads no texts.
    package let revisions: Reading<FeedRevisions>
    package let content: Reading<FeedContent>

    package init(
        version: @escaping Reading<ContentVersion>,
        revisions: @escaping Reading<FeedRevisions>,
        content: @escaping Reading<FeedContent>
    ) {
        self.version = version
        self.revisions = revisions
        self.content = content
    }
}

package enum FeedStyle: String, CaseIterable, Sendable {
    /// Open reminders with a date, as events, which every calendar program shows; this is the default.
    case event
    /// Open reminders with or without a date, as to-dos; only a few programs show the to-dos of a subscription.
    case todo
    /// Events and to-dos, with different UIDs.
    case both
    var hasEvents: Bool { self != .todo }
    var hasTodos: Bool { self != .event }
}
