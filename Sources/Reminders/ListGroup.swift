public import RemindavICalendar

/// The groups of reminders in a list, in the order in which they are shown.
public enum ListGroup: Int, CaseIterable, Comparable, Sendable {
    /// Today and before.
    case today
    /// Tomorrow.
    case tomorrow
    /// After tomorrow, and up to and including the Sunday of this week.
    case thisWeek
    /// After this week.
    case later
    /// Without a due time.
    case undated
    /// Completed or cancelled.
    case completed

    /// A section of a list, with its own heading; JSON uses the raw value.
    public enum Section: String, CaseIterable, Sendable {
        /// Overdue and today.
        case today
        /// Later, and without a due time.
        case upcoming
        /// Completed or cancelled.
        case completed
    }

    /// The section that contains the group.
    public var section: Section {
        switch self {
        case .today: .today
        case .tomorrow, .thisWeek, .later, .undated: .upcoming
        case .completed: .completed
        }
    }

    /// Whether the list shows the first group before the second.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The position of a reminder in a list, according to its dates.
///
/// Reminders are ordered by group. In a group, open reminders are ordered by the end of the snooze, or else by due
/// time, the earliest first; completed reminders by completion, the latest first. Reminders without a time come last.
public struct ListRank: Hashable, Comparable, Sendable {
    /// The group of the reminder.
    public let group: ListGroup
    private let seconds: Int64

    /// - Parameters:
    ///   - group: the group of the reminder.
    ///   - effective: the end of the snooze, or else the due time; `nil` when there is neither.
    ///   - completed: the time of the completion; `nil` for an open reminder.
    public init(_ group: ListGroup, effective: Instant?, completed: Instant?) {
        self.group = group
        let isDone = group == .completed
        let moment = (isDone ? completed : effective)?.secondsSince1970
        self.seconds = moment.map { isDone ? 0 &- $0 : $0 } ?? .max
    }

    /// Whether the list shows the first reminder before the second.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.group == rhs.group ? lhs.seconds < rhs.seconds : lhs.group < rhs.group
    }
}

/// The position of a reminder in a list: by rank, priority (the highest first), title and number.
///
/// Titles compare by ``TitleOrder``. No two reminders of a store have the same number.
package struct ListPosition: Comparable, Sendable {
    package let rank: ListRank
    package let priority: Priority
    package let title: String
    package let number: Int64

    package init(_ rank: ListRank, priority: Priority, title: String, number: Int64) {
        self.rank = rank
        self.priority = priority
        self.title = title
        self.number = number
    }

    package static func < (lhs: Self, rhs: Self) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank < rhs.rank }
        if lhs.priority != rhs.priority { return lhs.priority.place < rhs.priority.place }
        return TitleOrder.precedes(lhs.title, rhs.title) ?? (lhs.number < rhs.number)
    }
}
