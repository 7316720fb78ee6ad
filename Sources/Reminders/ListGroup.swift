public import ICalendar

/// The groups of a list, in its order.
public enum ListGroup: Int, CaseIterable, Comparable, Sendable {
    case today
    case tomorrow
    /// After tomorrow, and not after the Sunday of this week.
    case thisWeek
    case later
    case undated
    case completed

    /// A part of the list with its own heading; the raw value is the value in JSON.
    public enum Section: String, CaseIterable, Sendable {
        case today
        case upcoming
        case completed
    }

    /// The section that the group is a part of.
    public var section: Section {
        switch self {
        case .today: .today
        case .tomorrow, .thisWeek, .later, .undated: .upcoming
        case .completed: .completed
        }
    }

    /// The order of the list.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The position of a reminder in a list by its dates.
///
/// Groups in their order; in each of them by moment, those without one last: open reminders by the end of the snooze,
/// else by due time, the earliest first; completed ones by the time of completion, the latest first.
public struct ListRank: Hashable, Comparable, Sendable {
    /// The group.
    public let group: ListGroup
    private let seconds: Int64

    /// - Parameter effective: the end of its snooze, else its due time; `nil` for no date.
    public init(_ group: ListGroup, effective: Instant?, completed: Instant?) {
        self.group = group
        let isDone = group == .completed
        let moment = (isDone ? completed : effective)?.secondsSince1970
        self.seconds = moment.map { isDone ? 0 &- $0 : $0 } ?? .max
    }

    /// The order of the list.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.group == rhs.group ? lhs.seconds < rhs.seconds : lhs.group < rhs.group
    }
}

/// The position in a list: by rank, title and number; no two reminders of one store have the same.
package struct ListPosition: Comparable, Sendable {
    package let rank: ListRank
    package let title: String
    package let number: Int64

    package init(_ rank: ListRank, title: String, number: Int64) {
        self.rank = rank
        self.title = title
        self.number = number
    }

    package static func < (lhs: Self, rhs: Self) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank < rhs.rank }
        return lhs.title == rhs.title ? lhs.number < rhs.number : lhs.title < rhs.title
    }
}
