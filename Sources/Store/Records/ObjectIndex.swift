public import Reminders

/// The due time of a reminder.
public enum IndexedDue: Hashable, Sendable {
    /// A whole day: days since 1970-01-01.
    case day(dayNumber: Int)
    /// A time without a zone: seconds since 1970-01-01T00:00:00 on the wall clock.
    case floating(localSeconds: Int64)
    /// A moment: seconds since 1970 in UTC.
    case instant(seconds: Int64)
}

/// The values of a calendar object that lists show and sort by; they can be derived from its text again at any time.
public struct ObjectIndex: Hashable, Sendable {
    /// Unescaped.
    public var title: String
    /// `nil` for a reminder without a date.
    public var due: IndexedDue?
    /// Seconds since 1970; `nil` when it is not snoozed.
    public var snoozedUntil: Int64?
    /// The status; also `cancelled` for an unknown one of a newer program.
    public var status: Status
    /// Seconds since 1970; `nil` when it is not completed.
    public var completedAt: Int64?
    /// The priority.
    public var priority: Priority
    /// In the order of the text, without empty ones.
    public var labels: [String]
    /// Whether it has a recurrence rule or dates.
    public var repeats: Bool

    /// Creates an index row.
    public init(
        title: String,
        due: IndexedDue? = nil,
        snoozedUntil: Int64? = nil,
        status: Status = .pending,
        completedAt: Int64? = nil,
        priority: Priority = .undefined,
        labels: [String] = [],
        repeats: Bool = false
    ) {
        self.title = title
        self.due = due
        self.snoozedUntil = snoozedUntil
        self.status = status
        self.completedAt = completedAt
        self.priority = priority
        self.labels = labels
        self.repeats = repeats
    }
}

extension ObjectIndex {
    /// In the order of ``values``.
    static let columns = [
        "title", "due_kind", "due", "snoozed_until", "status", "completed_at", "priority", "labels", "repeats",
    ]

    var values: [SQLValue] {
        let (kind, due) = self.due?.columns ?? (.null, .null)
        return [
            .text(self.title), kind, due, .integer(self.snoozedUntil), .integer(self.status.stored),
            .integer(self.completedAt), .integer(self.priority.stored), .text(TextLines.join(self.labels)),
            .flag(self.repeats),
        ]
    }

    init(_ row: Row) {
        self.title = row.text("title")
        self.due = row.integerIfPresent("due_kind").flatMap { IndexedDue(kind: $0, row.integer("due")) }
        self.snoozedUntil = row.integerIfPresent("snoozed_until")
        self.status = Status(stored: row.number("status"))
        self.completedAt = row.integerIfPresent("completed_at")
        self.priority = Priority(stored: row.number("priority"))
        self.labels = TextLines.split(row.text("labels"))
        self.repeats = row.flag("repeats")
    }
}

extension IndexedDue {
    fileprivate var columns: (kind: SQLValue, value: SQLValue) {
        switch self {
        case .day(let dayNumber): (.integer(0), .integer(dayNumber))
        case .floating(let localSeconds): (.integer(1), .integer(localSeconds))
        case .instant(let seconds): (.integer(2), .integer(seconds))
        }
    }

    fileprivate init?(kind: Int64, _ value: Int64) {
        switch kind {
        case 0: self = .day(dayNumber: Int(value))
        case 1: self = .floating(localSeconds: value)
        case 2: self = .instant(seconds: value)
        default: return nil
        }
    }
}

// The numbers are in the columns of existing stores: they never change.

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
