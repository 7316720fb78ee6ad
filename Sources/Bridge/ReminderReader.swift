import ICalendar
import Recurrence
import Reminders
import Store

/// Reads a reminder for one place and one moment: in the local zone, now.
struct ReminderReader: Sendable {
    let zones: ZoneDatabase
    let localZone: String
    /// What is today, and what comes after.
    let calendar: ListCalendar
    private let local: TimeZoneResolver

    init(_ configuration: Configuration) {
        self.zones = configuration.zones
        self.localZone = configuration.localZone
        let local = TimeZoneResolver(database: configuration.zones, calendar: nil, local: configuration.localZone)
        self.local = local
        self.calendar = ListCalendar(now: configuration.now(), zones: local)
    }

    /// `2026-11-27 09:00`, in the local zone, the minute full; RFC 3339 where that zone is not known.
    func wallClock(at instant: Instant) -> String {
        let minute = Instant(secondsSince1970: instant.secondsSince1970 + 59)
        guard let wall = self.local.dateTime(of: minute, in: .named(self.localZone)) else { return Self.text(instant) }
        return "\(wall.date) \(wall.time.hoursAndMinutes)"
    }

    /// The zones as an object uses them: its own VTIMEZONEs first.
    func resolver(for object: CalendarObject) -> TimeZoneResolver {
        TimeZoneResolver(database: self.zones, calendar: object.calendar, local: self.localZone)
    }

    /// What the store keeps beside an object.
    func index(_ object: CalendarObject) -> ObjectIndex {
        guard let reminder = Reminder(object) else { return ObjectIndex(title: "") }
        return ObjectIndex(reminder, zones: self.resolver(for: object))
    }

    // MARK: Views

    /// A reminder as a line of a list shows it, from the index alone.
    func view(_ row: ObjectRow, list: String) -> ReminderView {
        self.view(id: row.id, uid: row.uid, index: row.index, list: list)
    }

    /// The same of an object that was read with its text: what ``ReminderDetail/line`` asks for.
    func line(_ record: ObjectRecord, list: String) -> ReminderView {
        self.view(id: record.id, uid: "", index: record.index, list: list)
    }

    /// A reminder with everything that its text says.
    func view(_ record: ObjectRecord, list: String) -> ReminderView {
        self.view(record, of: Reminder(ICalendarDocument(record.source)), list: list)
    }

    /// A reminder with everything that its text says, which is read already; `nil` when it could not be.
    func view(_ record: ObjectRecord, of text: Reminder?, list: String) -> ReminderView {
        var view = self.view(id: record.id, uid: record.uid, index: record.index, list: list)
        guard let text else { return view }
        let resolver = self.resolver(for: text.object)
        self.fill(&view, from: text.current(zones: resolver), resolver)
        return view
    }

    /// What some lines of a to-do say, read as a to-do that has nothing else.
    ///
    /// - Parameters:
    ///   - lines: unfolded, with a line feed between; as a conflict keeps them.
    ///   - record: the to-do's object, whose zones they name; `nil` when it is gone.
    /// - Returns: `nil` when they are no lines of properties.
    func view(ofLines lines: String, of record: ObjectRecord?) -> ReminderView? {
        let object = record.flatMap { CalendarObject(ICalendarDocument($0.source)) }
        let zones = object?.calendar?.components(.vtimezone).flatMap(\.bytes) ?? []
        let properties = lines.split(separator: "\n").map { "\($0)\r\n" }.joined()
        let bytes =
            Array("BEGIN:VCALENDAR\r\n".utf8) + zones
            + Array("BEGIN:VTODO\r\nUID:0\r\n\(properties)END:VTODO\r\nEND:VCALENDAR\r\n".utf8)
        let document = ICalendarDocument(bytes)
        guard !properties.isEmpty, let reminder = Reminder(document), document.issues.isEmpty else { return nil }
        let resolver = self.resolver(for: reminder.object)
        var view = self.view(id: ObjectID(0), uid: reminder.uid, index: self.index(reminder.object), list: "")
        self.fill(&view, from: reminder.current(zones: resolver), resolver)
        return view
    }

    /// Fills in what only the text says.
    private func fill(_ view: inout ReminderView, from reminder: Reminder, _ resolver: TimeZoneResolver) {
        view.notes = reminder.notes
        view.due = reminder.due.map { self.text($0, resolver) }
        view.dueZone = reminder.due.flatMap(Self.zoneName)
        view.start = reminder.start.map { self.text($0, resolver) }
        view.repeatRule = reminder.recurrenceRule?.wire ?? reminder.recurrenceText
        view.completedAt = reminder.completedAt.map(Self.text)
        view.snoozedUntil = reminder.snoozedUntil.map(Self.text)
        view.alarms = reminder.alarms.compactMap { $0.trigger.map(Self.text) }
        view.createdAt = reminder.createdAt.map(Self.text)
        view.updatedAt = reminder.updatedAt.map(Self.text)
    }

    /// Which of the fields that a change names are no longer as somebody saw them, and not as they shall be either.
    ///
    /// - Parameters:
    ///   - base: as they were seen.
    ///   - reminder: as they are now.
    ///   - due: what the change means for the due date.
    /// - Returns: the words for these fields.
    func clashes(
        of change: ReminderEdit,
        since base: ReminderView,
        with reminder: Reminder,
        due: FieldChange<CalendarDateOrDateTime>
    ) -> [String] {
        let resolver = self.resolver(for: reminder.object)
        let current = reminder.current(zones: resolver)
        var now = base
        self.fill(&now, from: current, resolver)
        var words: [String] = []
        func check(_ word: String, _ isNamed: Bool, _ isAsSeen: Bool, _ isAsWanted: Bool) {
            if isNamed, !isAsSeen, !isAsWanted { words.append(word) }
        }
        let title = current.title
        check("title", change.title != nil, title == base.title, title == change.title)
        let notes = now.notes
        check("notes", change.notes != .keep, notes == base.notes, notes == change.notes.wanted)
        let isDueAsSeen = now.due == base.due && now.dueZone == base.dueZone
        check("due", due != .keep, isDueAsSeen, current.due == due.wanted)
        let rule = now.repeatRule
        check("repeat", change.repeatRule != .keep, rule == base.repeatRule, rule == change.repeatRule.wanted?.wire)
        let priority = ReminderView.Priority(current.priority)
        let wanted = change.priority.wanted ?? .undefined
        check("priority", change.priority != .keep, priority == base.priority, priority == wanted)
        let labels = current.labels
        check("labels", change.labels != .keep, labels == base.labels, labels == change.labels.wanted ?? [])
        return words
    }

    private func view(id: ObjectID, uid: String, index: ObjectIndex, list: String) -> ReminderView {
        let state = Status.allCases[clamped: index.status]
        let due = index.due.map(self.instant)
        let snoozed = index.snoozedUntil.map { Instant(secondsSince1970: $0) }
        var dueDay: CalendarDate?
        if case .day(let number)? = index.due { dueDay = CalendarDate(dayNumber: number) }
        return ReminderView(
            id: id.rawValue,
            uid: uid,
            list: list,
            title: index.title,
            allDay: dueDay != nil,
            repeatRule: index.repeats ? "" : nil,
            status: ReminderView.Status(state),
            priority: ReminderView.Priority(Priority.allCases[clamped: index.priority]),
            labels: index.labels,
            group: self.calendar.group(of: state, effective: snoozed ?? due),
            overdue: self.calendar.isOverdue(state, due: due, day: dueDay, snoozedUntil: snoozed),
            dueDay: dueDay,
            dueInstant: due,
            snoozedInstant: snoozed,
            completedInstant: index.completedAt.map { Instant(secondsSince1970: $0) }
        )
    }

    private func instant(_ due: IndexedDue) -> Instant {
        let local: Int64
        switch due {
        case .instant(let seconds): return Instant(secondsSince1970: seconds)
        case .day(let number): local = Int64(number * ClockTime.secondsPerDay)
        case .floating(let seconds): local = seconds
        }
        return self.local.instant(of: CalendarDateTime(localSeconds: local, zone: .floating))
            ?? Instant(secondsSince1970: local)
    }

    // MARK: Text

    private func text(_ moment: CalendarDateOrDateTime, _ resolver: TimeZoneResolver) -> String {
        switch moment {
        case .date(let date): return date.description
        case .dateTime(let time):
            let instant =
                resolver.instant(of: time) ?? self.local.instant(of: time.floating)
                ?? Instant(secondsSince1970: time.localSeconds)
            let offset = Int(time.localSeconds - instant.secondsSince1970)
            return RFC3339.string(from: instant, offset: UTCOffset(seconds: offset))
        }
    }

    private static func zoneName(_ moment: CalendarDateOrDateTime) -> String? {
        guard case .dateTime(let time) = moment else { return nil }
        switch time.zone {
        case .utc: return "UTC"
        case .floating: return nil
        case .named(let name): return name
        }
    }

    static func text(_ instant: Instant) -> String { RFC3339.string(from: instant) }

    private static func text(_ trigger: Trigger) -> String {
        switch trigger {
        case .absolute(let instant): return self.text(instant)
        case .relative(let duration, to: _): return duration.wire
        }
    }
}

extension FieldChange {
    /// The value that a change leads to; `nil` where it takes it away, and where it leaves it.
    fileprivate var wanted: Value? {
        switch self {
        case .keep, .clear: nil
        case .set(let value): value
        }
    }
}

extension CalendarDateTime {
    fileprivate var floating: Self { Self(localSeconds: self.localSeconds, zone: .floating) }
}

extension ReminderView.Status {
    init(_ status: Status) {
        self =
            switch status {
            case .pending: .pending
            case .inProgress: .inProgress
            case .completed: .completed
            case .cancelled: .cancelled
            }
    }
}

extension ReminderView.Priority {
    init(_ priority: Priority) {
        self =
            switch priority {
            case .undefined: .undefined
            case .low: .low
            case .medium: .medium
            case .high: .high
            }
    }

    /// The same as the library says it.
    var priority: Priority {
        switch self {
        case .undefined: .undefined
        case .low: .low
        case .medium: .medium
        case .high: .high
        }
    }
}

extension Array {
    /// The element at an index, or the nearest one: an index column of a newer program is no reason to stop.
    subscript(clamped index: Int) -> Element { self[Swift.min(Swift.max(index, 0), self.count - 1)] }
}
