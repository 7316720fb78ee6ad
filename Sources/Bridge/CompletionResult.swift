package import RemindavJSON

package struct CompletionResult: Hashable, Sendable {
    package let reminder: ReminderView
    /// `false` if the reminder already had the requested status.
    package let isChanged: Bool
    package let copy: Int64?
    /// The numbers of completed subtasks that are open again for the next date of a repeating reminder.
    package var reopened: [Int64] = []
}

extension CompletionResult: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all { $0.reminder } + [
            JSONMember("changed") { $0.isChanged }, JSONMember("copy") { $0.copy },
            JSONMember("reopened") { $0.reopened },
        ]
}
