package import ICalendar
package import JSON
package import Reminders
import Store

/// A label as a person or a script sees it.
package struct LabelView: Hashable, Sendable {
    /// Its UUID; `nil` when nothing is known of it but that reminders have it.
    package let id: String?
    /// What it is called.
    package let name: String
    /// Its colour; the standard one when nobody has given it one.
    package let color: LabelColor
    /// Reminders that have it and are neither completed nor cancelled.
    package let open: Int
    /// Those that are.
    package let completed: Int
    /// When it was made; `nil` without ``id``.
    package let createdAt: Instant?
    /// When its name or colour were last changed; `nil` without ``id``.
    package let updatedAt: Instant?
}

/// What came of renaming, merging or deleting a label.
package struct LabelChangeResult: Hashable, Sendable {
    /// A reminder that the operation changed.
    package struct Changed: Hashable, Sendable {
        /// The number by which commands name it.
        package let id: Int64
        /// What it is called.
        package let title: String
    }

    /// A list that kept the label.
    package struct Kept: Hashable, Sendable {
        /// What the list is called.
        package let list: String
        /// How many of its reminders have the label.
        package let count: Int
    }

    /// What the label was called.
    package let name: String
    /// The label that the reminders have now; `nil` when they have none for it.
    package let label: LabelView?
    /// The reminders that were changed, by number.
    package let changed: [Changed]
    /// Lists that the server lets nobody change, by name: their reminders have the label still.
    package let kept: [Kept]
    /// The run by which it can be undone; `nil` when nothing was changed.
    package let run: Int64?
    /// Feeds of the label, which show none of these reminders for it any more.
    package let feeds: [Int64]
}

extension LabelView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id },
        JSONMember("name") { $0.name },
        JSONMember("color") { $0.color.hex },
        JSONMember("colorName") { $0.color.paletteName },
        JSONMember("open") { $0.open },
        JSONMember("completed") { $0.completed },
        JSONMember("createdAt") { $0.createdAt },
        JSONMember("updatedAt") { $0.updatedAt },
    ]
}

extension LabelChangeResult: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name },
        JSONMember("label") { $0.label },
        JSONMember("changed") { $0.changed },
        JSONMember("kept") { $0.kept },
        JSONMember("run") { $0.run },
        JSONMember("feeds") { $0.feeds },
    ]
}

extension LabelChangeResult.Changed: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id },
        JSONMember("title") { $0.title },
    ]
}

extension LabelChangeResult.Kept: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("list") { $0.list },
        JSONMember("count") { $0.count },
    ]
}
