package import RemindavReminders

/// The due time or the start of a reminder, in the form of the index columns.
package enum IndexedMoment: Hashable, Sendable {
    /// A date without a time: days since 1970-01-01.
    case day(dayNumber: Int)
    /// A time without a time zone: local wall-clock seconds since 1970-01-01T00:00:00.
    case floating(localSeconds: Int64)
    /// A time in a time zone: seconds since 1970 in UTC.
    case instant(seconds: Int64)
}

/// The values of a calendar object that listings show and sort by; they can be derived again from the text.
package struct ObjectIndex: Hashable, Sendable {
    /// The value of SUMMARY without iCalendar escapes.
    package var title: String
    /// The due time; `nil` when the reminder has none.
    package var due: IndexedMoment?
    /// The end of the snooze, in seconds since 1970; `nil` when the reminder is not snoozed.
    package var snoozedUntil: Int64?
    /// The status; a status that a newer version wrote is read as `cancelled`.
    package var status: Status
    /// The time of completion, in seconds since 1970; `nil` when the reminder is not completed.
    package var completedAt: Int64?
    /// The priority.
    package var priority: Priority
    /// The labels in the order of the text; empty labels are omitted.
    package var labels: [String]
    /// Whether the reminder has RRULE or RDATE.
    package var repeats: Bool
    /// The parts that a listing marks with a symbol.
    package var marks: ReminderMarks
    /// The start; `nil` when the reminder has none.
    package var start: IndexedMoment?

    /// Creates the values of an index row.
    package init(
        title: String,
        due: IndexedMoment? = nil,
        snoozedUntil: Int64? = nil,
        status: Status = .pending,
        completedAt: Int64? = nil,
        priority: Priority = .undefined,
        labels: [String] = [],
        repeats: Bool = false,
        marks: ReminderMarks = [],
        start: IndexedMoment? = nil
    ) {
        self.title = title
        self.due = due
        self.snoozedUntil = snoozedUntil
        self.status = status
        self.completedAt = completedAt
        self.priority = priority
        self.labels = labels
        self.repeats = repeats
        self.marks = marks
        self.start = start
    }
}

extension ObjectIndex {
    /// The names of the columns, in the order of ``values``.
    static let columns = [
        "title", "due_kind", "due", "snoozed_until", "status", "completed_at", "priority", "labels", "repeats", "marks",
        "start_kind", "start",
    ]

    var values: [SQLValue] {
        let (kind, due) = self.due?.columns ?? (.null, .null)
        let (startKind, start) = self.start?.columns ?? (.null, .null)
        return [
            .text(self.title), kind, due, .integer(self.snoozedUntil), .integer(self.status.stored),
            .integer(self.completedAt), .integer(self.priority.stored), .text(TextLines.join(self.labels)),
            .flag(self.repeats), .integer(self.marks.rawValue), startKind, start,
        ]
    }

    init(_ row: Row) {
        self.title = row.text("title")
        self.due = IndexedMoment(kind: row.integerIfPresent("due_kind"), row.integer("due"))
        self.snoozedUntil = row.integerIfPresent("snoozed_until")
        self.status = Status(stored: row.number("status"))
        self.completedAt = row.integerIfPresent("completed_at")
        self.priority = Priority(stored: row.number("priority"))
        self.labels = TextLines.split(row.text("labels"))
        self.repeats = row.flag("repeats")
        self.marks = ReminderMarks(rawValue: row.number("marks"))
        self.start = IndexedMoment(kind: row.integerIfPresent("start_kind"), row.integer("start"))
    }
}

extension IndexedMoment {
    var columns: (kind: SQLValue, value: SQLValue) {
        switch self {
        case .day(let dayNumber): (.integer(0), .integer(dayNumber))
        case .floating(let localSeconds): (.integer(1), .integer(localSeconds))
        case .instant(let seconds): (.integer(2), .integer(seconds))
        }
    }

    /// - Parameter kind: `nil` for NULL.
    fileprivate init?(kind: Int64?, _ value: Int64) {
        switch kind {
        case 0?: self = .day(dayNumber: Int(value))
        case 1?: self = .floating(localSeconds: value)
        case 2?: self = .instant(seconds: value)
        default: return nil
        }
    }
}

// The following numbers are stored, so they must never change.

extension Status {
    var stored: Int {
        switch self {
        case .pending: 0
        case .inProgress: 1
        case .completed: 2
        case .cancelled: 3
        }
    }

    init(stored: Int) {
        switch stored {
        case 0: self = .pending
        case 1: self = .inProgress
        case 2: self = .completed
        default: self = .cancelled
        }
    }
}

extension Priority {
    var stored: Int {
        switch self {
        case .undefined: 0
        case .low: 1
        case .medium: 2
        case .high: 3
        }
    }

    init(stored: Int) {
        switch stored {
        case 1: self = .low
        case 2: self = .medium
        case 3: self = .high
        default: self = .undefined
        }
    }
}
