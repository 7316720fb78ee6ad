public import ICalendar
public import Recurrence

/// A reminder that does not exist yet.
public struct ReminderDraft: Sendable {
    /// The title; trimmed and not empty, by whoever asks for it.
    public var title: String
    /// The notes, `nil` for none.
    public var notes: String?
    /// When it is due, `nil` for no date.
    public var due: CalendarDateOrDateTime?
    /// The rule by which it comes again, `nil` when it does not.
    public var recurrenceRule: RecurrenceRule?
    /// How urgent it is.
    public var priority: Priority = .undefined
    /// Its labels, in order.
    public var labels: [String] = []
    /// Its alarms; those that count from a due time are left out without one.
    public var alarms: [AlarmChoice] = []

    /// A draft with a title and nothing else.
    public init(title: String) {
        self.title = title
    }
}

extension Reminder {
    /// What PRODID says of an object that we made (RFC 5545 §3.7.3).
    public static let productIdentifier = "-//Remindav//Remindav//EN"

    /// Makes a reminder.
    ///
    /// - Parameters:
    ///   - uid: its permanent identifier on all devices.
    ///   - zones: for the moments of its alarms; without them it has none.
    /// - Returns: `nil` when `uid` is empty.
    public init?(_ draft: ReminderDraft, uid: String, in context: EditingContext, zones: TimeZoneResolver? = nil) {
        let now = CalendarDateTime(localSeconds: context.now.secondsSince1970, zone: .utc).wire
        let lines = [
            ContentLine(.begin, value: "VCALENDAR"),
            ContentLine(.version, value: "2.0"),
            ContentLine(.prodid, text: Self.productIdentifier),
            ContentLine(.begin, value: "VTODO"),
            ContentLine(.uid, text: uid),
            ContentLine(.dtstamp, value: now),
            ContentLine(.created, value: now),
            ContentLine(.lastModified, value: now),
            ContentLine(.status, value: "NEEDS-ACTION"),
            ContentLine(.end, value: "VTODO"),
            ContentLine(.end, value: "VCALENDAR"),
        ]
        guard let empty = Reminder(ICalendarDocument(lines.flatMap { $0.bytes() })) else { return nil }
        var change = ReminderChange()
        change.title = draft.title
        if let notes = draft.notes { change.notes = .set(notes) }
        if let due = draft.due { change.due = .set(due) }
        if let rule = draft.recurrenceRule { change.recurrenceRule = .set(rule) }
        change.priority = draft.priority
        change.labels = draft.labels
        if !draft.alarms.isEmpty { change.alarms = .set(draft.alarms) }
        self = empty.applying(change, in: context, zones: zones)
    }
}
