public import ICalendar

/// Where in a list a reminder stands, in the order in which the list shows them.
public enum ListGroup: Int, CaseIterable, Comparable, Sendable {
    /// Due today or overdue.
    case today
    /// To be seen to tomorrow.
    case tomorrow
    /// After tomorrow, and not after the Sunday of this week.
    case thisWeek
    /// After this week.
    case later
    /// Open, and without a date.
    case undated
    /// Completed or cancelled.
    case completed

    /// A part of the list with its own heading; the raw value is the value in JSON.
    public enum Section: String, CaseIterable, Sendable {
        /// Open, and due today or overdue.
        case today
        /// Open, and due after today or undated.
        case upcoming
        /// Completed or cancelled.
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

/// Where a reminder stands in a list, but for its title and its number.
///
/// Groups in their order; in each of them by the moment that counts there, those without one last. Of what is open that
/// is the end of the snooze, else when it is due, the earliest first; of what is done when it was done, the latest first.
public struct ListRank: Hashable, Comparable, Sendable {
    /// The group.
    public let group: ListGroup
    private let seconds: Int64

    /// - Parameters:
    ///   - effective: the end of its snooze, else when it is due; `nil` when it has no date.
    ///   - completed: the time of completion; `nil` for an open reminder or an unknown time.
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

/// Where a reminder stands in a list: by rank, then by title, then by number.
///
/// No two reminders of one store have the same.
public struct ListPosition: Comparable, Sendable {
    /// Where it stands by its dates.
    public let rank: ListRank
    /// The title as it is stored.
    public let title: String
    /// The number of the reminder.
    public let number: Int64

    /// Creates the value from its parts.
    public init(_ rank: ListRank, title: String, number: Int64) {
        self.rank = rank
        self.title = title
        self.number = number
    }

    /// The order of the list.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank < rhs.rank }
        return lhs.title == rhs.title ? lhs.number < rhs.number : lhs.title < rhs.title
    }
}
