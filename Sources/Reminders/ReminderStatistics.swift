package import RemindavICalendar

/// The data of one reminder from which ``ReminderStatistics`` computes its numbers.
package struct CountedReminder: Sendable {
    package var status: Status
    /// The due time, or the first moment of the due date; `nil` when the reminder has no due time.
    package var due: Instant?
    /// The due date of an all-day reminder; `nil` for any other reminder.
    package var day: CalendarDate?
    package var snoozedUntil: Instant?
    /// The time of completion; `nil` for an open reminder or an unknown time.
    package var completedAt: Instant?
    package var list: String
    package var labels: [String]

    package init(
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

/// The numbers of open and completed reminders, in total, by list and by label.
package struct ReminderStatistics: Hashable, Sendable {
    /// The number of days in ``completedByDay``.
    package static let days = 30

    package struct Day: Hashable, Sendable {
        package let date: CalendarDate
        package var completed: Int
    }

    /// The numbers of the reminders in one list, or with one label.
    package struct Part: Hashable, Sendable {
        package let name: String
        package var open = 0
        package var overdue = 0
        package var completed = 0
    }

    package private(set) var open = 0
    package private(set) var overdue = 0
    /// Open reminders that are due today or snoozed until today, including those that are already overdue.
    package private(set) var dueToday = 0
    /// Open reminders that are due, or snoozed until a moment, from today to Sunday.
    package private(set) var dueThisWeek = 0
    package private(set) var undated = 0
    package private(set) var completed = 0
    package private(set) var cancelled = 0
    /// The completions of the last ``days`` days, the earliest day first and today last.
    package private(set) var completedByDay: [Day] = []
    /// The numbers of reminders per list, ordered by name; lists without a reminder are not included.
    package private(set) var lists: [Part] = []
    /// The numbers of reminders per label, ordered by name without case; the first reminder determines the spelling.
    package private(set) var labels: [Part] = []

    package init(_ reminders: some Sequence<CountedReminder>, calendar: ListCalendar) {
        let first = calendar.today.adding(days: 1 - Self.days)
        var completions: [CalendarDate: Int] = [:]
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
            if reminder.status == .completed, let moment = reminder.completedAt {
                completions[calendar.day(of: moment), default: 0] += 1
            }
            lists[reminder.list, default: Part(name: reminder.list)].count(reminder.status, isOverdue)
            var seen: Set<LabelKey> = []
            for label in reminder.labels {
                let key = LabelKey(label)
                guard seen.insert(key).inserted else { continue }
                labels[key, default: Part(name: label)].count(reminder.status, isOverdue)
            }
        }
        self.completedByDay = (0..<Self.days).map { index in
            let date = first.adding(days: index)
            return Day(date: date, completed: completions[date] ?? 0)
        }
        self.lists = lists.values.sorted { $0.name < $1.name }
        self.labels = labels.sorted { $0.key.text < $1.key.text }.map(\.value)
    }

    /// The number of reminders completed in the last `days` days including today; ``completedByDay`` limits the period.
    package func completed(inLast days: Int) -> Int {
        self.completedByDay.suffix(days).reduce(0) { $0 + $1.completed }
    }

    private mutating func count(_ reminder: CountedReminder, _ isOverdue: Bool, _ calendar: ListCalendar) {
        switch reminder.status {
        case .completed: return self.completed += 1
        case .cancelled: return self.cancelled += 1
        case .pending, .inProgress: self.open += 1
        }
        if isOverdue { self.overdue += 1 }
        let effective = calendar.effective(due: reminder.due, snoozedUntil: reminder.snoozedUntil)
        switch calendar.group(of: reminder.status, effective: effective) {
        case .undated: self.undated += 1
        case .today where effective.map { $0 >= calendar.beginning(of: calendar.today) } ?? false:
            self.dueToday += 1
            self.dueThisWeek += 1
        // On a Sunday, tomorrow belongs to the next week.
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
