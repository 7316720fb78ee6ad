package import ICalendar
package import Store

/// The content of a feed at one moment.
package struct FeedContent: Sendable {
    /// Empty for no name.
    let name: String
    /// In any order, completed ones too: the feed selects and sorts them.
    let objects: [CalendarObject]
    let style: FeedStyle
    /// Otherwise PRIVATE reminders have no title and no notes, and CONFIDENTIAL ones are left out (RFC 5545 §3.8.1.3).
    let showsPrivate: Bool

    package init(name: String, objects: [CalendarObject], style: FeedStyle = .event, showsPrivate: Bool = false) {
        self.name = name
        self.objects = objects
        self.style = style
        self.showsPrivate = showsPrivate
    }

    package static let hiddenTitle = "Busy"
}

/// The revisions of the reminders of a feed: two equal values of one store have the same content.
package struct FeedRevisions: Hashable, Sendable {
    /// The name of a label can change.
    private let labels: [String]
    private let numbers: [Int64]

    package init(labels: [String], objects: [ObjectVersion]) {
        self.labels = labels
        self.numbers = objects.flatMap { [$0.id.rawValue, $0.revision] }
    }
}

/// The feeds of a store, each found by the SHA-256 of its token.
package struct FeedSource: Sendable {
    package typealias Reading<Value> = @Sendable (_ tokenHash: [UInt8]) async throws -> Value?
    /// The version of the store, read for each request; `nil` if there is no such feed or it was revoked.
    package let version: Reading<ContentVersion>
    /// Read after each change of the store, without the texts.
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
    /// Open reminders with a date, as events, which every calendar shows. The default.
    case event
    /// Open reminders with or without a date, as to-dos: for the few programs that show to-dos of a subscription.
    case todo
    /// Both, with different UIDs.
    case both
    var hasEvents: Bool { self != .todo }
    var hasTodos: Bool { self != .event }
}
