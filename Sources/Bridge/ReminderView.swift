public import RemindavICalendar
package import RemindavJSON
public import RemindavReminders

/// A reminder as in the output of `list --json`, with values for sorting and formatting.
///
/// In text fields a time is RFC 3339 with an offset, and an all-day date is `YYYY-MM-DD`. The fields named `…Instant`
/// and `…Day` have the same times as values. The fields of ``TextFields`` are fields of this type too.
@dynamicMemberLookup
public struct ReminderView: Hashable, Sendable, Identifiable {
    /// The number of the reminder in commands; a store never uses a number again.
    public var id: Int64
    /// The value of the property UID.
    public var uid: String
    /// The name of the reminder's list.
    public var list: String
    /// The title as it is stored; empty when there is none.
    public var title: String
    /// The value of RRULE; `nil` when the reminder does not repeat.
    public var repeatRule: String?
    /// The labels in their order in the calendar object.
    public var labels: [String] = []
    /// The numbers of the direct subtasks in the same list, in ascending order.
    public var childIDs: [Int64] = []
    /// The numbers of the reminders on which this one depends, in ascending order.
    public var dependencyIDs: [Int64] = []
    /// The number of the parent; `nil` also when the list of the reminder does not contain the parent.
    public var parentID: Int64?
    /// The parts that a listing marks with a symbol.
    public var marks: ReminderMarks = []
    /// The number of ancestors above the reminder in a nested listing; 0 in all other results.
    package var depth = 0

    /// The fields of the text; empty in a listing by `ReminderDetail/line`, and otherwise one element.
    ///
    /// An array is small while it is empty. In place, these fields would double the size of a reminder, and a listing
    /// of ten thousand reminders would write twice as much memory.
    package var textFields: [TextFields] = []

    /// The date of the due time if ``allDay``; otherwise `nil`.
    public var dueDay: CalendarDate?
    /// The instant of the due time; for an all-day reminder, the first instant of the date in the local zone; `nil` if
    /// there is none.
    public var dueInstant: Instant?
    /// The date of the start if it has no time; otherwise `nil`.
    public var startDay: CalendarDate?
    /// The instant of the start; for a date, its first instant in the local zone; `nil` if there is none.
    public var startInstant: Instant?
    /// The end of the snooze, which may have passed; `nil` when there is none.
    public var snoozedInstant: Instant?
    /// The time of completion; `nil` when there is no COMPLETED.
    public var completedInstant: Instant?

    /// The status.
    public var status = Status.pending
    /// The priority.
    public var priority = Priority.undefined
    /// The group of the listing that contains the reminder.
    public var group: ListGroup
    /// Whether the due time is a date without a time.
    public var allDay = false
    /// Whether the reminder is open, and the due time or the end of the snooze has passed.
    public var overdue = false
    /// Whether the work begins later, so that a listing hides the reminder until then (`ListCalendar`); `false` if an
    /// alarm of the reminder has fired.
    public var startsLater = false
    /// Whether the snooze has not ended.
    public var isSnoozed = false
    /// Whether the reminder is open and depends on an open one.
    public var isBlocked = false
    /// Whether a direct subtask in the same list is open; only in listings.
    public var hasOpenSubtasks = false

    /// The fields that are read from the text of a reminder; a listing by `ReminderDetail/line` has none of them.
    public struct TextFields: Hashable, Sendable {
        /// The notes; `nil` when there are none, and never empty.
        public var notes: String?
        /// The values of the fields in `ReminderField/lines`; the keys are the names of the fields.
        public var lines: [String: String] = [:]
        /// The due time, in RFC 3339 with the offset of its own zone, or as `YYYY-MM-DD` if ``ReminderView/allDay``;
        /// `nil` if there is none.
        public var due: String?
        /// The zone of ``due``, a zoneinfo name or `UTC`; `nil` for a date, a floating time, and if there is no due
        /// time.
        public var dueZone: String?
        /// The start, in the form of ``due``; `nil` when there is none.
        public var start: String?
        /// The UID of the parent; `nil` when the reminder is no subtask.
        public var parent: String?
        /// The date of the repeat rule that the current date replaces, in the form of ``due``; `nil` if it replaces
        /// none.
        package var replacedDate: String?
        /// Whether the next date counts from the completion instead of from the due date.
        public var repeatsFromCompletion = false
        /// The time of completion, in RFC 3339; `nil` when there is no COMPLETED.
        public var completedAt: String?
        /// The end of the snooze, in RFC 3339; `nil` when the reminder is not snoozed.
        public var snoozedUntil: String?
        /// The triggers of the alarms: each is a duration such as `-PT15M`, or a time in RFC 3339.
        public var alarms: [String] = []
        /// The alarms that this machine shows, as an edit can set them.
        package var alarmChoices: [AlarmChoice] = []
        /// The time of creation, in RFC 3339; `nil` without CREATED.
        public var createdAt: String?
        /// The time of the last change, in RFC 3339; `nil` without LAST-MODIFIED.
        public var updatedAt: String?
        package var base = EditBase()
    }

    /// A field of the text.
    public subscript<Value>(dynamicMember field: WritableKeyPath<TextFields, Value>) -> Value {
        get { self.textFields.isEmpty ? TextFields()[keyPath: field] : self.textFields[0][keyPath: field] }
        set {
            if self.textFields.isEmpty { self.textFields.append(TextFields()) }
            self.textFields[0][keyPath: field] = newValue
        }
    }

    /// Creates a view of an open reminder without a due time.
    public init(id: Int64, uid: String, list: String, title: String, group: ListGroup) {
        self.id = id
        self.uid = uid
        self.list = list
        self.title = title
        self.group = group
    }

    /// The calendar object, for a later edit; all values of this type are equal, so comparing views ignores the object.
    package struct EditBase: Hashable, Sendable {
        package var source: [UInt8]?

        package static func == (lhs: Self, rhs: Self) -> Bool { true }
        package func hash(into hasher: inout Hasher) {}
    }
}

extension ReminderView {
    /// The end of a snooze that still lasts, or else the due time, or else the end of the last snooze; `nil` without both.
    public var effectiveInstant: Instant? {
        self.isSnoozed ? self.snoozedInstant : self.dueInstant ?? self.snoozedInstant
    }

    /// The section of the listing that contains the reminder.
    public var section: ListGroup.Section { self.group.section }

    /// The position in a listing, without priority, title and number, which decide between equal positions.
    public var rank: ListRank {
        ListRank(self.group, effective: self.effectiveInstant, completed: self.completedInstant)
    }

    /// Whether the first reminder is above the second one in a listing (`ListPosition`).
    public static func inListOrder(_ lhs: Self, _ rhs: Self) -> Bool {
        ListPosition(lhs.rank, priority: lhs.priority, title: lhs.title, number: lhs.id)
            < ListPosition(rhs.rank, priority: rhs.priority, title: rhs.title, number: rhs.id)
    }
}

extension [ReminderView] {
    /// Sorts in the order of ``ReminderView/inListOrder(_:_:)``.
    public mutating func sortInListOrder() {
        var keys = self.indices.map { ReminderSortKey(self[$0], index: $0) }
        self.sort(by: &keys)
    }

    /// Sorts by the given keys of the reminders, because keys are faster to move than whole reminders.
    mutating func sort(by keys: inout [ReminderSortKey]) {
        keys.sort { left, right in
            if let isBefore = left.isBefore(right) { return isBefore }
            let isBefore = TitleOrder.precedes(self[left.index].title, self[right.index].title)
            return isBefore ?? (left.number < right.number)
        }
        self.arrange(keys.map(\.index))
    }

    /// Moves the reminder at `sources[n]` to the place `n`, for each place.
    package mutating func arrange(_ sources: consuming [Int]) {
        var sources = sources
        // Swaps the reminders in place within a span; a swap in the array would copy both reminders.
        var reminders = self.mutableSpan
        for start in sources.indices {
            var place = start
            while sources[place] != start {
                let source = sources[place]
                reminders.swapAt(place, source)
                sources[place] = place
                place = source
            }
            sources[place] = place
        }
    }
}

/// A sort key without references, so that a move changes no reference count.
struct ReminderSortKey {
    let rank: ListRank
    let number: Int64
    let index: Int
    private let priority: Int
    /// `nil` for a reminder with a time, because few reminders have the same one.
    private let titleKey: UInt64?

    init(_ view: borrowing ReminderView, index: Int) {
        self.rank = view.rank
        self.priority = view.priority.place
        self.number = view.id
        self.index = index
        let hasTime = view.effectiveInstant != nil && (view.dueDay == nil || view.isSnoozed)
        self.titleKey = hasTime ? nil : TitleOrder.key(of: view.title)
    }

    /// Whether the reminder is above the other one in a listing; `nil` if only the whole titles decide.
    func isBefore(_ other: Self) -> Bool? {
        if self.rank != other.rank { return self.rank < other.rank }
        if self.priority != other.priority { return self.priority < other.priority }
        guard let key = self.titleKey, let otherKey = other.titleKey, key != otherKey else { return nil }
        return key < otherKey
    }
}

extension ReminderView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] =
        Self.commonMembers
        + ReminderField.lines.map { field in JSONMember(field.name) { $0.lines[field.name] } }

    private static let commonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id }, JSONMember("uid") { $0.uid }, JSONMember("list") { $0.list },
        JSONMember("title") { $0.title }, JSONMember("notes") { $0.notes }, JSONMember("due") { $0.due },
        JSONMember("dueZone") { $0.dueZone }, JSONMember("allDay") { $0.allDay },
        JSONMember("start") { $0.start }, JSONMember("repeat") { $0.repeatRule },
        JSONMember("repeatFrom") { $0.repeatsFromCompletion ? RecurrenceRule.completionWord : nil },
        JSONMember("status") { $0.status.rawValue }, JSONMember("completedAt") { $0.completedAt },
        JSONMember("snoozedUntil") { $0.snoozedUntil }, JSONMember("priority") { $0.priority.rawValue },
        JSONMember("labels") { $0.labels }, JSONMember("alarms") { $0.alarms },
        JSONMember("parent") { $0.parent },
        JSONMember("parentId") { $0.parentID }, JSONMember("childIds") { $0.childIDs },
        JSONMember("dependsOnIds") { $0.dependencyIDs }, JSONMember("blocked") { $0.isBlocked },
        JSONMember("section") { $0.section.rawValue }, JSONMember("overdue") { $0.overdue },
        JSONMember("startsLater") { $0.startsLater },
        JSONMember("createdAt") { $0.createdAt }, JSONMember("updatedAt") { $0.updatedAt },
    ]
}
