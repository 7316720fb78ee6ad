package import RemindavICalendar
package import RemindavJSON
package import RemindavReminders
import RemindavStore

package struct LabelView: Hashable, Sendable {
    /// The UUID; `nil` for a label that reminders have, but for which the store has no colour or dates.
    package let id: String?
    package let name: String
    /// The colour of the label, or the standard colour.
    package let color: LabelColor
    package let open: Int
    package let completed: Int
    /// The time of creation; `nil` if ``id`` is `nil`.
    package let createdAt: Instant?
    /// The time of the last change of name or colour; `nil` if ``id`` is `nil`.
    package let updatedAt: Instant?
}

package struct LabelChangeResult: Hashable, Sendable {
    package struct Changed: Hashable, Sendable {
        package let id: Int64
        package let title: String
    }

    /// A read-only list with the number of its reminders that keep the label.
    package struct Kept: Hashable, Sendable {
        package let list: String
        package let count: Int
    }

    package let name: String
    /// The label that the reminders have after the change; `nil` if the label was deleted.
    package let label: LabelView?
    package let changed: [Changed]
    package let kept: [Kept]
    package let run: Int64?
    /// The feeds for the label, by their numbers; these feeds no longer contain the changed reminders.
    package let feeds: [Int64]
}

extension LabelView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id }, JSONMember("name") { $0.name }, JSONMember("color") { $0.color.hex },
        JSONMember("colorName") { $0.color.paletteName }, JSONMember("open") { $0.open },
        JSONMember("completed") { $0.completed }, JSONMember("createdAt") { $0.createdAt },
        JSONMember("updatedAt") { $0.updatedAt },
    ]
}

extension LabelChangeResult: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name }, JSONMember("label") { $0.label }, JSONMember("changed") { $0.changed },
        JSONMember("kept") { $0.kept }, JSONMember("run") { $0.run }, JSONMember("feeds") { $0.feeds },
    ]
}

extension LabelChangeResult.Changed: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id }, JSONMember("title") { $0.title },
    ]
}

extension LabelChangeResult.Kept: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("list") { $0.list }, JSONMember("count") { $0.count },
    ]
}
