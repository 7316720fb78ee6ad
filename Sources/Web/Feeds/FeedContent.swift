package import ICalendar
package import Store

/// The content of a feed at one moment.
package struct FeedContent: Sendable {
    /// The name of the calendar; empty for no name.
    let name: String
    /// The calendar objects in any order, completed ones too: the feed selects and sorts them.
    let objects: [CalendarObject]
    /// The form of the reminders.
    let style: FeedStyle
    /// Whether reminders that are marked PRIVATE or CONFIDENTIAL are published completely (RFC 5545 §3.8.1.3).
    ///
    /// Otherwise the former have no title and no notes, and the latter are left out.
    let showsPrivate: Bool

    package init(name: String, objects: [CalendarObject], style: FeedStyle = .event, showsPrivate: Bool = false) {
        self.name = name
        self.objects = objects
        self.style = style
        self.showsPrivate = showsPrivate
    }

    /// The title of a reminder that is marked PRIVATE.
    package static let hiddenTitle = "Busy"
}

/// The revisions of the reminders of a feed: two equal values of one store have the same content.
package struct FeedRevisions: Hashable, Sendable {
    /// The labels that the feed publishes; the name of a label can change.
    private let labels: [String]
    /// The id and the revision of each reminder, in the order of the ids.
    private let numbers: [Int64]

    /// - Parameters:
    ///   - labels: the labels that the feed publishes.
    ///   - objects: the reminders of the lists that it publishes.
    package init(labels: [String], objects: [ObjectVersion]) {
        self.labels = labels
        self.numbers = objects.flatMap { [$0.id.rawValue, $0.revision] }
    }
}

/// The feeds of a store, each found by the SHA-256 of its token.
package struct FeedSource: Sendable {
    /// The version of the store; `nil` if there is no such feed or it was revoked.
    ///
    /// It is read for each request, so it must be fast.
    package let version: @Sendable (_ tokenHash: [UInt8]) async throws -> ContentVersion?
    /// The revisions of the reminders in the lists of the feed; `nil` as above.
    ///
    /// It is read after each change of the store, and reads no text.
    package let revisions: @Sendable (_ tokenHash: [UInt8]) async throws -> FeedRevisions?
    /// The published content of the feed; `nil` as above.
    package let content: @Sendable (_ tokenHash: [UInt8]) async throws -> FeedContent?

    package init(
        version: @escaping @Sendable (_ tokenHash: [UInt8]) async throws -> ContentVersion?,
        revisions: @escaping @Sendable (_ tokenHash: [UInt8]) async throws -> FeedRevisions?,
        content: @escaping @Sendable (_ tokenHash: [UInt8]) async throws -> FeedContent?
    ) {
        self.version = version
        self.revisions = revisions
        self.content = content
    }
}
