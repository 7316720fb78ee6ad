import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavStore

/// Converts stored reminders to views, for the local zone and the current time.
struct ReminderReader: Sendable {
    let zones: ZoneDatabase
    let localZone: String
    let calendar: ListCalendar
    let local: TimeZoneResolver
    let dayTime: ClockTime

    init(_ configuration: Configuration) {
        self.zones = configuration.zones
        self.localZone = configuration.localZone
        let local = TimeZoneResolver(database: configuration.zones, calendar: nil, local: configuration.localZone)
        self.local = local
        self.dayTime = configuration.defaults.dayTime
        self.calendar = ListCalendar(now: configuration.now(), zones: local)
    }

    /// The time `2026-11-27 09:00` in the local zone, rounded up to a minute; RFC 3339 if that zone is unknown.
    func wallClock(at instant: Instant) -> String {
        let minute = Instant(secondsSince1970: instant.secondsSince1970 + 59)
        guard let wall = self.local.dateTime(of: minute, in: .named(self.localZone)) else { return Self.text(instant) }
        return "\(wall.date) \(wall.time.hoursAndMinutes)"
    }

    /// The time zones for a calendar object; its VTIMEZONE components take precedence over the zone database.
    func resolver(for object: CalendarObject) -> TimeZoneResolver {
        TimeZoneResolver(database: self.zones, calendar: object.calendar, local: self.localZone)
    }

    func stored(_ object: CalendarObject) -> StoredObject {
        StoredObject(object, zones: self.resolver(for: object))
    }

    // MARK: Views

    /// A view from the store's index columns, such as title and due time, without the text of the reminder.
    func view(_ row: ObjectRow, list: String) -> ReminderView {
        self.view(id: row.id, uid: row.uid, index: row.index, list: list)
    }

    /// A view for ``ReminderDetail/line`` from the index columns; the text of `record` is not parsed.
    func line(_ record: ObjectRecord, list: String) -> ReminderView {
        self.view(id: record.id, uid: "", index: record.index, list: list)
    }

    func view(_ record: ObjectRecord, list: String) -> ReminderView {
        self.view(record, of: Reminder(ICalendarDocument(record.source)), list: list)
    }

    /// A view with all fields; `text` is `nil` if it cannot be parsed, and the view then has only the index columns.
    func view(_ record: ObjectRecord, of text: Reminder?, list: String) -> ReminderView {
        var view = self.view(id: record.id, uid: record.uid, index: record.index, list: list)
        guard let text else { return view }
        let resolver = self.resolver(for: text.object)
        self.fill(&view, from: text.current(zones: resolver), resolver)
        self.correctStart(&view) { text }
        return view
    }

    /// Clears `startsLater` if an alarm of the reminder has fired, which only its text shows.
    ///
    /// - Parameter text: reads the text; `nil` if the text cannot be parsed. It is called only if an alarm is possible.
    func correctStart(_ view: inout ReminderView, _ text: () throws -> Reminder?) rethrows {
        guard view.startsLater, view.mayHaveEarlyAlarm, let reminder = try text() else { return }
        let zones = self.resolver(for: reminder.object)
        view.startsLater = !reminder.hasFiredAlarm(by: self.calendar.now, dayTime: self.dayTime, zones: zones)
    }

    /// Reads some content lines as a to-do without other properties.
    ///
    /// - Parameters:
    ///   - lines: unfolded content lines with line feeds between them, as in the record of a conflict.
    ///   - record: the object of the to-do, which defines the zones; `nil` when it was deleted.
    /// - Returns: `nil` if the lines are not properties.
    func view(ofLines lines: String, of record: ObjectRecord?) -> ReminderView? {
        let object = record.flatMap { CalendarObject(ICalendarDocument($0.source)) }
        let zones = object?.calendar?.components(.vtimezone).flatMap(\.bytes) ?? []
        let properties = lines.split(separator: "\n").map { "\($0)\r\n" }.joined()
        let bytes =
            Array("BEGIN:VCALENDAR\r\n".utf8) + zones
            + Array("BEGIN:VTODO\r\nUID:0\r\n\(properties)END:VTODO\r\nEND:VCALENDAR\r\n".utf8)
        return properties.isEmpty ? nil : self.view(ofText: bytes, list: "")
    }

    /// A view of a text that the store no longer contains, such as a text of the journal; `nil` if it has issues.
    func view(ofText bytes: [UInt8], list: String) -> ReminderView? {
        let document = ICalendarDocument(bytes)
        guard let reminder = Reminder(document), document.issues.isEmpty else { return nil }
        let resolver = self.resolver(for: reminder.object)
        var view = self.view(
            id: ObjectID(0),
            uid: reminder.uid,
            index: ObjectIndex(reminder, zones: resolver),
            list: list
        )
        self.fill(&view, from: reminder.current(zones: resolver), resolver)
        return view
    }

    private func fill(_ view: inout ReminderView, from reminder: Reminder, _ resolver: TimeZoneResolver) {
        let rule = reminder.recurrenceRule
        view.repeatRule = rule?.wire ?? reminder.recurrenceText
        var fields = ReminderView.TextFields()
        fields.notes = reminder.notes
        for field in ReminderField.lines { fields.lines[field.name] = field.read?(reminder)?.text }
        fields.due = reminder.due.map { self.text($0, resolver) }
        fields.dueZone = reminder.due.flatMap(Self.zoneName)
        fields.start = reminder.start.map { self.text($0, resolver) }
        fields.parent = reminder.parentUID
        fields.replacedDate = reminder.replacedDate.map { self.text($0, resolver) }
        fields.repeatsFromCompletion = rule?.countsFromCompletion ?? false
        fields.completedAt = reminder.completedAt.map(Self.text)
        fields.snoozedUntil = reminder.snoozedUntil.map(Self.text)
        fields.alarms = reminder.alarms.compactMap { $0.trigger.map(Self.text) }
        fields.alarmChoices = reminder.alarmChoices(dayTime: self.dayTime, zones: resolver)
        fields.createdAt = reminder.createdAt.map(Self.text)
        fields.updatedAt = reminder.updatedAt.map(Self.text)
        view.textFields = [fields]
    }

    private func view(id: ObjectID, uid: String, index: ObjectIndex, list: String) -> ReminderView {
        let state = index.status
        let due = index.due.map(self.instant)
        let start = index.start.map(self.instant)
        let snoozed = index.snoozedUntil.map { Instant(secondsSince1970: $0) }
        let dueDay = index.due?.day
        let effective = self.calendar.effective(due: due, snoozedUntil: snoozed)
        let group = self.calendar.group(of: state, effective: effective)
        var view = ReminderView(id: id.rawValue, uid: uid, list: list, title: index.title, group: group)
        view.allDay = dueDay != nil
        view.repeatRule = index.repeats ? "" : nil
        view.marks = index.marks
        view.status = state
        view.priority = index.priority
        view.labels = index.labels
        view.overdue = self.calendar.isOverdue(state, due: due, day: dueDay, snoozedUntil: snoozed)
        view.dueDay = dueDay
        view.dueInstant = due
        view.startDay = index.start?.day
        view.startInstant = start
        view.startsLater = self.calendar.startsLater(state, group, start: start, due: due, snoozedUntil: snoozed)
        view.snoozedInstant = snoozed
        view.isSnoozed = self.calendar.isSnoozed(until: snoozed)
        view.completedInstant = index.completedAt.map { Instant(secondsSince1970: $0) }
        return view
    }

    private func instant(_ moment: IndexedMoment) -> Instant {
        let local: Int64
        switch moment {
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

    static func text(_ trigger: Trigger) -> String {
        switch trigger {
        case .absolute(let instant): return self.text(instant)
        case .relative(let duration, to: _): return duration.wire
        }
    }
}

extension IndexedMoment {
    fileprivate var day: CalendarDate? {
        if case .day(let number) = self { CalendarDate(dayNumber: number) } else { nil }
    }
}

extension ReminderView {
    /// Whether an alarm may fire before the start; the mark of a series does not show the alarms of its overrides.
    var mayHaveEarlyAlarm: Bool { self.marks.contains(.alarms) || self.repeatRule != nil }
}

extension CalendarDateTime {
    fileprivate var floating: Self { Self(localSeconds: self.localSeconds, zone: .floating) }
}
