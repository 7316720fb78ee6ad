public import ICalendar

/// The input of the statistics for one reminder.
public struct CountedReminder: Sendable {
    /// How far it has got.
    public var status: Status
    /// When it is due; of a whole day its first moment; `nil` when it has no date.
    public var due: Instant?
    /// The day, of one that is due on a whole day.
    public var day: CalendarDate?
    /// The end of its snooze.
    public var snoozedUntil: Instant?
    /// The time of completion; `nil` for an open reminder or an unknown time.
    public var completedAt: Instant?
    /// The name of its list.
    public var list: String
    /// Its labels.
    public var labels: [String]

    /// Creates the value from its parts.
    public init(
        status: Status,
        due: Instant? = nil,
        day: CalendarDate? = nil,
        snoozedUntil: Instant? = nil,
        completedAt: Instant? = nil,
        list: String,
        labels: [String] = []
    ) {
        self.status = status
        self.due = due
        self.day = day
        self.snoozedUntil = snoozedUntil
        self.completedAt = completedAt
        self.list = list
        self.labels = labels
    }
}

/// The numbers of open and completed reminders, by list and by label.
///
/// A function of the reminders, of the moment and of the place.
public struct ReminderStatistics: Hashable, Sendable {
    /// How many days ``completedByDay`` has.
    public static let days = 30

    /// The completed reminders of one day.
    public struct Day: Hashable, Sendable {
        /// The day, by the clock on the wall.
        public let date: CalendarDate
        /// How many were completed on it.
        public var completed: Int
    }

    /// The reminders of one list, or with one label.
    public struct Part: Hashable, Sendable {
        /// The name of the list or the label.
        public let name: String
        /// Those that are neither completed nor cancelled.
        public var open = 0
        /// Those of them that are overdue.
        public var overdue = 0
        /// Those that are completed.
        public var completed = 0
    }

    /// Those that are neither completed nor cancelled.
    public private(set) var open = 0
    /// Open ones that should have been seen to.
    public private(set) var overdue = 0
    /// Open ones that are for today: due today, whether overdue by now or not, or put off until today.
    public private(set) var dueToday = 0
    /// Open ones from today to Sunday, today's with them.
    public private(set) var dueThisWeek = 0
    /// Open ones without a date.
    public private(set) var undated = 0
    /// Those that are completed, whenever that was.
    public private(set) var completed = 0
    /// Those that are cancelled.
    public private(set) var cancelled = 0
    /// The last ``days`` days, the earliest first; the last is today.
    public private(set) var completedByDay: [Day] = []
    /// The lists that have a reminder, by name.
    public private(set) var lists: [Part] = []
    /// The labels that a reminder has, by name without case; each as the first reminder spells it.
    public private(set) var labels: [Part] = []

    /// Counts.
    public init(_ reminders: some Sequence<CountedReminder>, calendar: ListCalendar) {
        var days = DayCounter(calendar)
        var lists: [String: Part] = [:]
        var labels: [LabelKey: Part] = [:]
        for reminder in reminders {
            let isOverdue = calendar.isOverdue(
                reminder.status,
                due: reminder.due,
                day: reminder.day,
                snoozedUntil: reminder.snoozedUntil
            )
            self.count(reminder, isOverdue, calendar)
            if reminder.status == .completed, let moment = reminder.completedAt { days.count(moment) }
            lists[reminder.list, default: Part(name: reminder.list)].count(reminder.status, isOverdue)
            var seen: Set<LabelKey> = []
            for label in reminder.labels {
                let key = LabelKey(label)
                guard seen.insert(key).inserted else { continue }
                labels[key, default: Part(name: label)].count(reminder.status, isOverdue)
            }
        }
        self.completedByDay = days.days
        self.lists = lists.values.sorted { $0.name < $1.name }
        self.labels = labels.sorted { $0.key.text < $1.key.text }.map(\.value)
    }

    /// How many were completed in the last days, today included.
    ///
    /// - Parameter days: at most ``days``.
    public func completed(inLast days: Int) -> Int {
        self.completedByDay.suffix(days).reduce(0) { $0 + $1.completed }
    }

    private mutating func count(_ reminder: CountedReminder, _ isOverdue: Bool, _ calendar: ListCalendar) {
        switch reminder.status {
        case .completed: return self.completed += 1
        case .cancelled: return self.cancelled += 1
        case .pending, .inProgress: self.open += 1
        }
        if isOverdue { self.overdue += 1 }
        let effective = reminder.snoozedUntil ?? reminder.due
        switch calendar.group(of: reminder.status, effective: effective) {
        case .undated: self.undated += 1
        case .today where effective.map { $0 >= calendar.beginning(of: calendar.today) } ?? false:
            self.dueToday += 1
            self.dueThisWeek += 1
        // On a Sunday tomorrow is of the next week.
        case .tomorrow where calendar.today.weekday != .sunday: self.dueThisWeek += 1
        case .thisWeek: self.dueThisWeek += 1
        case .today, .tomorrow, .later, .completed: break
        }
    }
}

extension ReminderStatistics.Part {
    fileprivate mutating func count(_ status: Status, _ isOverdue: Bool) {
        if status == .completed { self.completed += 1 }
        if !status.isClosed { self.open += 1 }
        if isOverdue { self.overdue += 1 }
    }
}

/// Sorts moments into the last days.
private struct DayCounter {
    private(set) var days: [ReminderStatistics.Day]
    /// The first moment of each of the days, and of the day after the last.
    private let beginnings: [Instant]

    init(_ calendar: ListCalendar) {
        let first = calendar.today.adding(days: 1 - ReminderStatistics.days)
        let dates = (0...ReminderStatistics.days).map { first.adding(days: $0) }
        self.days = dates.dropLast().map { ReminderStatistics.Day(date: $0, completed: 0) }
        self.beginnings = dates.map { calendar.beginning(of: $0) }
    }

    /// Completions outside the days are left out.
    mutating func count(_ moment: Instant) {
        guard let first = self.beginnings.first, let end = self.beginnings.last, moment >= first, moment < end else {
            return
        }
        var low = 0
        var high = self.days.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if self.beginnings[middle] <= moment { low = middle } else { high = middle }
        }
        self.days[low].completed += 1
    }
}
