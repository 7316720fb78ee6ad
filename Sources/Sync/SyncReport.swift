import RemindavICalendar
package import RemindavResources
package import RemindavStore

/// The result of a sync of one list; in a dry run, the expected result.
package struct SyncReport: Sendable {
    package var pulled = 0
    package var pushed = 0
    /// The number of reminders that this sync has sent or will send; 0 until it begins to send.
    package var toSend = 0
    package var merged = 0
    package var conflicts = 0
    /// Names of properties that the server did not store.
    package var notKept: Set<String> = []
    /// The number of reminders that were moved to this list on the server.
    package var moved = 0
    /// The number of changes that the server reported only in a full listing.
    package var repaired = 0
    /// The number of locally deleted reminders that come back, because they were changed on the server.
    package var returned = 0
    /// The number of reminders that were deleted on the server but are sent again, because they were changed locally.
    package var kept = 0
    /// The number of reminders that got another UID, because the server cannot store the old one.
    package var newUIDs = 0
    package var deletedLocally = 0
    package var deletedRemotely = 0
    package var held = HeldDeletions()
    /// The reminders that could not be synced; the next sync tries them again.
    package var failures: [Failure] = []
    /// Reminders that were not sent, because the server refused the same text in an earlier sync.
    package var refusedEarlier: [RefusalRecord] = []
    /// Resources that cannot be read as reminders, reported for the first time; they are not changed.
    package private(set) var unreadable: [UnreadableItem] = []

    package struct Failure: Sendable {
        /// The local object; `nil` when only the server has the reminder.
        package let id: ObjectID?
        /// The address on the server; `nil` when the server has no resource.
        package let href: Href?
        package let error: RemoteError
        /// The title of a locally deleted reminder that could not be deleted on the server.
        package var titleOfDeleted: String?
    }

    package init() {}

    /// Adds resources that were not reported before, except components of other types, such as events.
    mutating func note(_ items: [UnreadableItem], besides known: [UnreadableItem]) {
        let reported = Set(known.map { [$0.href.wire, $0.reason] })
        self.unreadable += items.filter {
            $0.reason != UnreadableItem.otherComponents && !reported.contains([$0.href.wire, $0.reason])
        }
    }
}

/// The deletions that wait for the user's confirmation.
package struct HeldDeletions: Hashable, Sendable {
    /// A reminder that was deleted locally, and still exists on the server.
    package struct Removal: Hashable, Sendable {
        package let object: ObjectID
        package let uid: String
    }

    /// The reminders whose local deletion waits: they no longer exist on the server.
    package var localObjects: [ObjectID] = []
    /// The reminders whose deletion on the server waits: they were deleted locally.
    package var remoteObjects: [Removal] = []
    package var local: Int { self.localObjects.count }
    package var remote: Int { self.remoteObjects.count }
    package var count: Int { self.local + self.remote }

    package init() {}
}

extension UnreadableItem {
    /// The resource contains a component of another type, such as an event; RFC 4791 §5.2.3 permits this in a list.
    static let otherComponents = "it contains no reminder"

    static func reason(in document: ICalendarDocument) -> String {
        if let object = CalendarObject(document) {
            let excess = "its UID or its address is longer than \(KeyLimits.maximumBytes) bytes"
            return object.uid == nil ? "it has no UID" : excess
        }
        let calendars = document.components.filter { $0.name == .vcalendar }
        let isOther = calendars.contains { $0.components.contains { $0.name != .vtimezone } }
        return isOther ? Self.otherComponents : "it contains no readable calendar data"
    }
}
