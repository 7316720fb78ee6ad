import ICalendar
import Recurrence
import Reminders
import Store

/// Reads a reminder for one place and one moment: in the local zone, now.
struct ReminderReader: Sendable {
    let zones: ZoneDatabase
    let localZone: String
    /// The local dates of today and the following days.
    let calendar: ListCalendar
    /// Resolves times in the local zone.
    let local: TimeZoneResolver

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

    /// The index of an object in the store.
    func index(_ object: CalendarObject) -> ObjectIndex {
        guard let reminder = Reminder(object) else { return ObjectIndex(title: "") }
        return ObjectIndex(reminder, zones: self.resolver(for: object))
    }

    // MARK: Views

    /// A reminder as a line of a list shows it, from the index alone.
    func view(_ row: ObjectRow, list: String) -> ReminderView {
        self.view(id: row.id, uid: row.uid, index: row.index, list: list)
    }

    /// A list row of an object that was read with its text (``ReminderDetail/line``).
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

    /// Reads some lines of a to-do as a to-do with no other property.
    ///
    /// - Parameters:
    ///   - lines: unfolded, with a line feed between; as a conflict keeps them.
    ///   - record: the to-do's object with the zones of the lines; `nil` when it is deleted.
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

    /// Fills in the fields that are only in the text.
    private func fill(_ view: inout ReminderView, from reminder: Reminder, _ resolver: TimeZoneResolver) {
        view.notes = reminder.notes
        for field in ReminderField.lines { view.lines[field.name] = field.read?(reminder)?.text }
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

    private func view(id: ObjectID, uid: String, index: ObjectIndex, list: String) -> ReminderView {
        let state = Status.allCases[clamped: index.status]
        let due = index.due.map(self.instant)
        let snoozed = index.snoozedUntil.map { Instant(secondsSince1970: $0) }
        var dueDay: CalendarDate?
        if case .day(let number)? = index.due { dueDay = CalendarDate(dayNumber: number) }
        let group = self.calendar.group(of: state, effective: snoozed ?? due)
        var view = ReminderView(id: id.rawValue, uid: uid, list: list, title: index.title, group: group)
        view.allDay = dueDay != nil
        view.repeatRule = index.repeats ? "" : nil
        view.status = state
        view.priority = Priority.allCases[clamped: index.priority]
        view.labels = index.labels
        view.overdue = self.calendar.isOverdue(state, due: due, day: dueDay, snoozedUntil: snoozed)
        view.dueDay = dueDay
        view.dueInstant = due
        view.snoozedInstant = snoozed
        view.completedInstant = index.completedAt.map { Instant(secondsSince1970: $0) }
        return view
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

extension CalendarDateTime {
    fileprivate var floating: Self { Self(localSeconds: self.localSeconds, zone: .floating) }
}

extension Array {
    /// The element at an index, or the nearest one: an index column of a newer program is no reason to stop.
    package subscript(clamped index: Int) -> Element { self[Swift.min(Swift.max(index, 0), self.count - 1)] }
}
