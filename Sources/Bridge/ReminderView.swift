public import ICalendar
package import JSON
public import Reminders

/// A reminder as `list --json` has it, with the values for sorting and printing.
///
/// In text fields a time is RFC 3339 with an offset, and a day is `YYYY-MM-DD`. The fields named `…Instant` and `…Day` have
/// the same values for sorting and for output in the local zone.
public struct ReminderView: Hashable, Sendable {
    /// The number in commands; never used twice in one store.
    public var id: Int64
    /// The UID on the wire.
    public var uid: String
    /// The name of its list.
    public var list: String
    /// The title, as it is stored; empty when there is none.
    public var title: String
    /// The notes; `nil` for none, never empty.
    public var notes: String?
    /// The values of ``ReminderField/lines`` by the names of the fields.
    public var lines: [String: String] = [:]
    /// When it is due: RFC 3339 with the offset of its own zone, or `YYYY-MM-DD` when ``allDay``; `nil` when undated.
    public var due: String?
    /// The zone of ``due``: a zoneinfo name, `UTC`, or `nil` for a day, a floating time and an undated reminder.
    public var dueZone: String?
    /// Whether ``due`` is a whole day.
    public var allDay = false
    /// When it starts, written as ``due`` is; `nil` when it has no start.
    public var start: String?
    /// The RRULE's text; `nil` when it does not repeat.
    public var repeatRule: String?
    /// The status.
    public var status = Status.pending
    /// When it was completed, RFC 3339; `nil` when it is open or has no COMPLETED.
    public var completedAt: String?
    /// Until when it is snoozed, RFC 3339; `nil` when it is not.
    public var snoozedUntil: String?
    /// The priority.
    public var priority = Priority.undefined
    /// The labels in the order of the calendar object.
    public var labels: [String] = []
    /// The alarms' triggers: a duration such as `-PT15M`, or RFC 3339.
    public var alarms: [String] = []
    /// The group of the list that contains it.
    public var group: ListGroup
    /// Whether it is open and its due moment, or its snooze, has passed.
    public var overdue = false
    /// When it was created, RFC 3339; `nil` without CREATED.
    public var createdAt: String?
    /// When it was last changed, RFC 3339; `nil` without LAST-MODIFIED.
    public var updatedAt: String?

    package var base = EditBase()

    /// The day of ``due`` when ``allDay``; otherwise `nil`.
    public var dueDay: CalendarDate?
    /// The moment of ``due``; for a whole day the first moment of that day in the local zone; `nil` when undated.
    public var dueInstant: Instant?
    /// The moment of ``snoozedUntil``.
    public var snoozedInstant: Instant?
    /// The moment of ``completedAt``.
    public var completedInstant: Instant?

    /// An open, undated reminder of a list.
    public init(id: Int64, uid: String, list: String, title: String, group: ListGroup) {
        self.id = id
        self.uid = uid
        self.list = list
        self.title = title
        self.group = group
    }

    /// The calendar object of a reminder that was read alone, the base of a later edit.
    ///
    /// Comparisons of views ignore it.
    package struct EditBase: Hashable, Sendable {
        package var source: [UInt8]?

        package static func == (lhs: Self, rhs: Self) -> Bool { true }
        package func hash(into hasher: inout Hasher) {}
    }
}

extension ReminderView {
    /// The end of its snooze, else the due time; `nil` for an undated one.
    public var effectiveInstant: Instant? { self.snoozedInstant ?? self.dueInstant }

    /// The section of the list that contains it.
    public var section: ListGroup.Section { self.group.section }

    /// The position in the list, apart from title and number.
    public var rank: ListRank {
        ListRank(self.group, effective: self.effectiveInstant, completed: self.completedInstant)
    }

    /// Whether the first stands above the second in a list (``ListPosition``).
    public static func inListOrder(_ lhs: Self, _ rhs: Self) -> Bool {
        ListPosition(lhs.rank, title: lhs.title, number: lhs.id)
            < ListPosition(rhs.rank, title: rhs.title, number: rhs.id)
    }
}

extension [ReminderView] {
    /// Sorts by ``ReminderView/inListOrder(_:_:)``.
    public mutating func sortInListOrder() {
        var keys = self.indices.map { ReminderSortKey(self[$0], index: $0) }
        self.sort(by: &keys)
    }

    /// Sorts with the keys of these reminders, which move faster than whole reminders.
    mutating func sort(by keys: inout [ReminderSortKey]) {
        keys.sort { left, right in
            if let isBefore = left.isBefore(right) { return isBefore }
            let (one, other) = (self[left.index].title, self[right.index].title)
            return one == other ? left.number < right.number : one < other
        }
        // In place, by swaps in a span: those in an array copy both reminders.
        var sources = keys.map(\.index)
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

/// A sort key without references, so that moving it changes no reference count.
struct ReminderSortKey {
    let rank: ListRank
    let number: Int64
    let index: Int
    /// The first eight bytes of a title, if its first nine are ASCII: the ninth may be a combining character.
    private let beginning: UInt64?

    init(_ view: borrowing ReminderView, index: Int) {
        self.rank = view.rank
        self.number = view.id
        self.index = index
        var (beginning, shift, isASCII): (UInt64, UInt64, Bool) = (0, 64, true)
        for byte in view.title.utf8.prefix(9) {
            isASCII = isASCII && byte < 0x80
            guard shift > 0 else { break }
            shift -= 8
            beginning |= UInt64(byte) << shift
        }
        self.beginning = isASCII ? beginning : nil
    }

    /// Whether it is above another one in the list; `nil` if the whole titles decide.
    func isBefore(_ other: Self) -> Bool? {
        if self.rank != other.rank { return self.rank < other.rank }
        guard let beginning = self.beginning, let others = other.beginning, beginning != others else { return nil }
        return beginning < others
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
        JSONMember("status") { $0.status.rawValue }, JSONMember("completedAt") { $0.completedAt },
        JSONMember("snoozedUntil") { $0.snoozedUntil }, JSONMember("priority") { $0.priority.rawValue },
        JSONMember("labels") { $0.labels }, JSONMember("alarms") { $0.alarms },
        JSONMember("section") { $0.section.rawValue }, JSONMember("overdue") { $0.overdue },
        JSONMember("createdAt") { $0.createdAt }, JSONMember("updatedAt") { $0.updatedAt },
    ]
}
