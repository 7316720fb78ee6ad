import ICalendar
package import Resources
package import Store

/// The result of a sync of one list, or the expected result in a dry run.
package struct SyncReport: Sendable {
    /// Items taken from the server, new and changed.
    package var pulled = 0
    /// Items sent to the server, new and changed.
    package var pushed = 0
    /// Items that this run has sent or will send; 0 until the sending begins.
    package var toSend = 0
    /// Items that both sides had changed.
    package var merged = 0
    /// Properties that both sides had changed differently.
    package var conflicts = 0
    /// Names of properties that were sent and that the server did not keep.
    package var notKept: Set<String> = []
    /// Items moved to this list on the server.
    package var moved = 0
    /// Items with a state that the server had not reported before a full listing.
    package var repaired = 0
    /// Of the items from the server, those that were deleted here and changed there.
    package var returned = 0
    /// Items that were deleted on the server, and are kept and sent anew since they were changed here.
    package var kept = 0
    /// Items that got another UID, since the server proved that it cannot store the old one.
    package var newUIDs = 0
    /// Items deleted here because the server no longer has them.
    package var deletedLocally = 0
    /// Items deleted on the server.
    package var deletedRemotely = 0
    /// Deletions that wait for the person's word.
    package var held = HeldDeletions()
    /// Items that the server would not take, or that could not be fetched; they are tried again next time.
    package var failures: [Failure] = []
    /// Items that were not sent, since the server has refused the same text in an earlier run.
    package var refusedEarlier: [RefusalRecord] = []
    /// Resources of the server that could be no reminder though they look like one, met for the first time.
    ///
    /// They are left alone.
    package private(set) var unreadable: [UnreadableItem] = []

    /// An item that could not be synchronised.
    package struct Failure: Sendable {
        /// The item, `nil` for one that is only on the server.
        package let id: ObjectID?
        /// The resource on the server, `nil` for an item that has none yet.
        package let href: Href?
        package let error: RemoteError
        /// The title of an item that was deleted here and could not be deleted on the server.
        package var titleOfDeleted: String?
    }

    package init() {}

    /// Adds items that were not reported before; other components, such as events, are not reported.
    mutating func note(_ items: [UnreadableItem], besides known: [UnreadableItem]) {
        let told = Set(known.map { [$0.href.wire, $0.reason] })
        self.unreadable += items.filter {
            $0.reason != UnreadableItem.otherComponents && !told.contains([$0.href.wire, $0.reason])
        }
    }
}

/// Deletions that are not done without the person's word.
package struct HeldDeletions: Hashable, Sendable {
    /// Items here that the server has no more.
    package var here = 0
    /// Items on the server that were deleted here.
    package var there = 0

    package var count: Int { self.here + self.there }

    package init() {}
}

extension UnreadableItem {
    /// It is something else than a to-do, which may lie in the same list (RFC 4791 §5.2.3).
    static let otherComponents = "it holds no to-do"

    /// Why there is no reminder in a text.
    static func reason(in document: ICalendarDocument) -> String {
        if CalendarObject(document) != nil { return "its to-do has no UID" }
        let calendars = document.components.filter { $0.name == .vcalendar }
        let isOther = calendars.contains { $0.components.contains { $0.name != .vtimezone } }
        return isOther ? Self.otherComponents : "it is no calendar that can be read"
    }
}
