/// When a reminder is due, as the index keeps it.
public enum IndexedDue: Hashable, Sendable {
    /// A whole day: days since 1970-01-01.
    case day(dayNumber: Int)
    /// A time without a zone: seconds since 1970-01-01T00:00:00 on the wall clock.
    case floating(localSeconds: Int64)
    /// A moment: seconds since 1970 in UTC.
    case instant(seconds: Int64)
}

/// What a listing shows of a calendar object, read from its text by the caller.
///
/// The text is the truth. What stands here can be made from it again at any time.
public struct ObjectIndex: Hashable, Sendable {
    /// The summary, unescaped.
    public var title: String
    /// `nil` for a reminder without a date.
    public var due: IndexedDue?
    /// Seconds since 1970; `nil` when it is not snoozed.
    public var snoozedUntil: Int64?
    /// The number that `Reminders` gives to the status.
    public var status: Int
    /// Seconds since 1970; `nil` when it is not completed.
    public var completedAt: Int64?
    /// The number that `Reminders` gives to the priority.
    public var priority: Int
    /// In the order of the text.
    ///
    /// Empty ones are not kept.
    public var labels: [String]
    /// Whether it has a recurrence rule or dates.
    public var repeats: Bool

    /// An index row; what is left out is absent or 0.
    public init(
        title: String,
        due: IndexedDue? = nil,
        snoozedUntil: Int64? = nil,
        status: Int = 0,
        completedAt: Int64? = nil,
        priority: Int = 0,
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
    /// The columns, in the order of ``values``.
    static let columns = [
        "title", "due_kind", "due", "snoozed_until", "status", "completed_at", "priority", "labels", "repeats",
    ]

    var values: [SQLValue] {
        let (kind, due) = self.due?.columns ?? (.null, .null)
        return [
            .text(self.title), kind, due, .integer(self.snoozedUntil), .integer(self.status),
            .integer(self.completedAt), .integer(self.priority), .text(TextLines.join(self.labels)),
            .flag(self.repeats),
        ]
    }

    init(_ row: Row) {
        self.title = row.text("title")
        self.due = row.integerIfPresent("due_kind").flatMap { IndexedDue(kind: $0, row.integer("due")) }
        self.snoozedUntil = row.integerIfPresent("snoozed_until")
        self.status = row.number("status")
        self.completedAt = row.integerIfPresent("completed_at")
        self.priority = row.number("priority")
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
