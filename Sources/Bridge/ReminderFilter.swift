public import RemindavICalendar
public import RemindavReminders

/// Selects reminders; a reminder must meet all conditions.
public struct ReminderFilter: Hashable, Sendable {
    /// A condition on the start, as ``ReminderView/startsLater`` defines it.
    public enum Start: Hashable, Sendable {
        /// The reminder has no start, or need not wait for it.
        case started
        /// The work begins later.
        case later
    }

    /// A condition on the due time of the current occurrence; the end of a snooze does not count.
    public enum Due: Hashable, Sendable {
        /// The reminder has no due time.
        case absent
        /// The due time is at or after `from`, and before `before`; `nil` means no limit on that side.
        ///
        /// An all-day reminder counts as the first moment of its day in the local zone.
        case within(from: Instant?, before: Instant?)
    }

    /// Names of lists of which one must contain the reminder, ignoring case; empty selects every list.
    public var lists: [String]
    /// Labels of which a reminder must have at least one, ignoring case; empty selects all reminders.
    public var labels: [String]
    /// Labels that a reminder must all have, ignoring case.
    public var requiredLabels: [String] = []
    /// Labels that a reminder must not have, ignoring case.
    public var excludedLabels: [String] = []
    /// Selects only this section; `nil` selects every section.
    public var section: ListGroup.Section?
    /// Whether a listing without ``section`` includes completed and cancelled reminders.
    public var includesCompleted: Bool
    /// Whether a reminder must be overdue.
    public var isOverdue = false
    /// Whether a reminder must be blocked (`true`) or must not be (`false`); `nil` selects both.
    public var isBlocked: Bool?
    /// Whether a reminder must be in progress.
    public var isInProgress = false
    /// The condition on the due time; `nil` selects reminders with and without one.
    public var due: Due?
    /// Conditions on the start of which the reminder must meet one; empty selects reminders with any start.
    public var starts: Set<Start> = []
    /// Priorities of which the reminder must have one; empty selects every priority.
    public var priorities: Set<Priority> = []
    /// Words that the reminder must contain, as in a search; `nil` selects reminders with any text.
    public var query: SearchQuery?
    /// Further filters that a reminder must also match.
    ///
    /// If one of the filters includes completed reminders, all do.
    public var others: [ReminderFilter] = []

    /// Creates a filter.
    public init(
        lists: [String] = [],
        labels: [String] = [],
        section: ListGroup.Section? = nil,
        includesCompleted: Bool = false
    ) {
        self.lists = lists
        self.labels = labels
        self.section = section
        self.includesCompleted = includesCompleted
    }
}

extension ReminderFilter {
    /// This filter, ``others``, and their others.
    package var all: [ReminderFilter] { [self] + self.others.flatMap(\.all) }

    /// Whether every reminder matches, completed or not.
    var selectsAll: Bool { self == ReminderFilter(includesCompleted: true) }

    /// Whether a listing hides the reminders that start later.
    ///
    /// It shows them if the filter has a condition on the start, searches for words, or includes completed reminders.
    var hidesLaterStarts: Bool {
        self.all.allSatisfy { $0.starts.isEmpty && $0.query == nil && !$0.includesCompleted }
    }

    /// The words of all filters; `nil` if no filter has words.
    var words: SearchQuery? { self.all.compactMap(\.query).reduce(nil) { $0?.joined(with: $1) ?? $1 } }

    /// The statuses of the reminders that can match.
    var statuses: [Status] {
        let filters = self.all
        let includesClosed = filters.contains { $0.includesCompleted || $0.section == .completed }
        return Status.allCases.filter { status in
            guard includesClosed || !status.isClosed else { return false }
            return filters.allSatisfy { filter in
                if filter.isOverdue, status.isClosed { return false }
                if filter.isInProgress, status != .inProgress { return false }
                return filter.section.map { ($0 == .completed) == status.isClosed } ?? true
            }
        }
    }
}

/// The conditions of a filter except for lists, statuses and words: the result for a reminder depends on nothing else.
struct ReminderPredicate: Sendable {
    private struct Condition: Sendable {
        let filter: ReminderFilter
        let labels: LabelFilter
        let required: [LabelFilter]
        let excluded: LabelFilter?

        init(_ filter: ReminderFilter) {
            self.filter = filter
            self.labels = LabelFilter(filter.labels)
            self.required = filter.requiredLabels.map { LabelFilter([$0]) }
            self.excluded = filter.excludedLabels.isEmpty ? nil : LabelFilter(filter.excludedLabels)
        }

        func matches(_ view: borrowing ReminderView) -> Bool {
            if let section = self.filter.section, view.section != section { return false }
            if self.filter.isOverdue, !view.overdue { return false }
            if let isBlocked = self.filter.isBlocked, view.isBlocked != isBlocked { return false }
            if !self.filter.starts.isEmpty, !self.filter.starts.contains(view.startsLater ? .later : .started) {
                return false
            }
            if !self.filter.priorities.isEmpty, !self.filter.priorities.contains(view.priority) { return false }
            if let due = self.filter.due, !due.matches(view.dueInstant) { return false }
            return self.labels.matches(view.labels) && self.required.allSatisfy { $0.matches(view.labels) }
                && !(self.excluded?.matches(view.labels) ?? false)
        }
    }

    private let conditions: [Condition]

    init(_ filter: ReminderFilter) {
        // A filter without such conditions is left out, because a listing examines every reminder.
        self.conditions = filter.all.filter { filter in
            var other = ReminderFilter(lists: filter.lists, includesCompleted: filter.includesCompleted)
            (other.query, other.others) = (filter.query, filter.others)
            return filter != other
        }
        .map(Condition.init)
    }

    func matches(_ view: borrowing ReminderView) -> Bool {
        for condition in self.conditions where !condition.matches(view) { return false }
        return true
    }
}

extension ReminderFilter.Due {
    func matches(_ due: Instant?) -> Bool {
        switch self {
        case .absent: due == nil
        case .within(let from, let before):
            if let due { from.map { $0 <= due } ?? true && before.map { due < $0 } ?? true } else { false }
        }
    }
}
