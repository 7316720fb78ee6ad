import ICalendar
package import Resources
package import Store

/// The result of a sync of one list, or the expected result in a dry run.
package struct SyncReport: Sendable {
    package var pulled = 0
    package var pushed = 0
    /// Items that this run has sent or will send; 0 until the sending begins.
    package var toSend = 0
    package var merged = 0
    package var conflicts = 0
    /// Names of properties that the server did not store.
    package var notKept: Set<String> = []
    /// Items moved to this list on the server.
    package var moved = 0
    /// Items with a state that the server reported only in a full listing.
    package var repaired = 0
    /// Items that were deleted here and come back, because they were changed on the server.
    package var returned = 0
    /// Items that were deleted on the server and are sent again, because they were changed here.
    package var kept = 0
    /// Items that got another UID, because the server cannot store the old one.
    package var newUIDs = 0
    package var deletedLocally = 0
    package var deletedRemotely = 0
    package var held = HeldDeletions()
    /// The next sync tries them again.
    package var failures: [Failure] = []
    /// Items that were not sent, because the server refused the same text in an earlier run.
    package var refusedEarlier: [RefusalRecord] = []
    /// Resources that look like reminders and are not readable, if reported for the first time; they stay unchanged.
    package private(set) var unreadable: [UnreadableItem] = []

    package struct Failure: Sendable {
        /// `nil` for an item that is only on the server.
        package let id: ObjectID?
        /// `nil` for an item without a resource.
        package let href: Href?
        package let error: RemoteError
        /// The title of a deleted item that could not be deleted on the server.
        package var titleOfDeleted: String?
    }

    package init() {}

    /// Adds items that were not reported before; other components, such as events, are not reported.
    mutating func note(_ items: [UnreadableItem], besides known: [UnreadableItem]) {
        let reported = Set(known.map { [$0.href.wire, $0.reason] })
        self.unreadable += items.filter {
            $0.reason != UnreadableItem.otherComponents && !reported.contains([$0.href.wire, $0.reason])
        }
    }
}

/// Deletions that wait for confirmation.
package struct HeldDeletions: Hashable, Sendable {
    /// Items here that the server no longer has.
    package var here = 0
    /// Items on the server that were deleted here.
    package var there = 0
    package var count: Int { self.here + self.there }

    package init() {}
}

extension UnreadableItem {
    /// A component other than a to-do, which is allowed in the list (RFC 4791 §5.2.3).
    static let otherComponents = "it holds no to-do"

    static func reason(in document: ICalendarDocument) -> String {
        if let object = CalendarObject(document) {
            let excess = "its UID or its address is longer than \(KeyLimits.maximumBytes) bytes"
            return object.uid == nil ? "its to-do has no UID" : excess
        }
        let calendars = document.components.filter { $0.name == .vcalendar }
        let isOther = calendars.contains { $0.components.contains { $0.name != .vtimezone } }
        return isOther ? Self.otherComponents : "it is no calendar that can be read"
    }
}
