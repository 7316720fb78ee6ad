package import ICalendar
package import Store

/// What a feed publishes, as the store holds it at one moment.
package struct FeedContent: Sendable {
    /// What the calendar is called at the subscriber's.
    package let name: String
    /// The calendar objects in any order, done ones too: the feed chooses and sorts.
    package let objects: [CalendarObject]
    /// In which form it publishes them.
    package let style: FeedStyle
    /// Whether reminders are published whole that are marked PRIVATE or CONFIDENTIAL (RFC 5545 §3.8.1.3).
    package let showsPrivate: Bool

    /// Everything at once.
    package init(name: String, objects: [CalendarObject], style: FeedStyle = .event, showsPrivate: Bool = false) {
        self.name = name
        self.objects = objects
        self.style = style
        self.showsPrivate = showsPrivate
    }

    /// The title of a reminder that is marked PRIVATE.
    package static let hiddenTitle = "Busy"
}

/// Where a router finds feeds, each by the SHA-256 of its token's text.
package struct FeedSource: Sendable {
    /// The version of the store; `nil` when there is no such feed or it was revoked.
    ///
    /// Quick: asked for each request.
    package let version: @Sendable (_ tokenHash: [UInt8]) async throws -> ContentVersion?
    /// The published content of the feed; `nil` as above.
    ///
    /// Reads the whole feed.
    package let content: @Sendable (_ tokenHash: [UInt8]) async throws -> FeedContent?

    /// Both at once.
    package init(
        version: @escaping @Sendable (_ tokenHash: [UInt8]) async throws -> ContentVersion?,
        content: @escaping @Sendable (_ tokenHash: [UInt8]) async throws -> FeedContent?
    ) {
        self.version = version
        self.content = content
    }
}
