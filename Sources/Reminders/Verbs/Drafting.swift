public import RemindavICalendar
public import RemindavRecurrence

/// The fields of a reminder that is to be added.
@dynamicMemberLookup
public struct ReminderDraft: Hashable, Sendable {
    package var change: ReminderChange

    /// Creates a draft.
    public init(
        title: String,
        notes: String? = nil,
        due: CalendarDateOrDateTime? = nil,
        recurrenceRule: RecurrenceRule? = nil,
        labels: [String] = [],
        priority: Priority = .undefined,
        list: String? = nil,
        alarms: [AlarmChoice]? = nil
    ) {
        self.change = ReminderChange(
            title: title,
            notes: FieldChange(notes),
            due: FieldChange(due),
            recurrenceRule: FieldChange(recurrenceRule),
            list: list
        )
        self.labels = labels
        self.priority = priority
        self.alarms = alarms
    }

    /// The title; the caller has to check it with ``Reminder/checked(title:)``.
    public var title: String {
        get { self.change.title ?? "" }
        set { self.change.title = newValue }
    }

    /// The notes, the due time or the recurrence rule; `nil` when the draft has none.
    public subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<ReminderChange, FieldChange<Value>>) -> Value?
    {
        get { self.change[keyPath: path].value }
        set { self.change[keyPath: path] = FieldChange(newValue) }
    }

    /// The labels, in order.
    public var labels: [String] {
        get { self.change.labels.value ?? [] }
        set { self.change.labels = FieldChange(newValue.isEmpty ? nil : newValue) }
    }

    /// The priority.
    public var priority: Priority {
        get { self.change.priority.value ?? .undefined }
        set { self.change.priority = FieldChange(newValue == .undefined ? nil : newValue) }
    }

    /// The name of the list; `nil` for the default list.
    public var list: String? {
        get { self.change.list }
        set { self.change.list = newValue }
    }

    /// The alarms; `nil` means the default alarms of the list or of the settings.
    public var alarms: [AlarmChoice]? {
        get { self.change.alarms == .clear ? [] : self.change.alarms.value }
        set { self.change.alarms = newValue.map { .set($0) } ?? .keep }
    }
}

extension FieldChange {
    package var value: Value? { if case .set(let value) = self { value } else { nil } }

    package init(_ value: Value?) { self = value.map { .set($0) } ?? .keep }
}

extension Reminder {
    /// PRODID of the objects that this program creates (RFC 5545 §3.7.3).
    public static let productIdentifier = "-//Remindav//Remindav//EN"

    /// Creates a reminder with this permanent UID, without alarms if `zones` is missing; `nil` if the UID is empty.
    public init?(_ draft: ReminderDraft, uid: String, in context: EditingContext, zones: TimeZoneResolver? = nil) {
        let now = CalendarDateTime(localSeconds: context.now.secondsSince1970, zone: .utc).wire
        let head = [
            ContentLine(.begin, value: "VCALENDAR"),
            ContentLine(.version, value: "2.0"),
            ContentLine(.prodid, text: Self.productIdentifier),
        ]
        let todo = [
            ContentLine(.begin, value: "VTODO"),
            ContentLine(.uid, text: uid),
            ContentLine(.dtstamp, value: now),
            ContentLine(.created, value: now),
            ContentLine(.lastModified, value: now),
            ContentLine(.status, value: "NEEDS-ACTION"),
            ContentLine(.end, value: "VTODO"),
            ContentLine(.end, value: "VCALENDAR"),
        ]
        // The time zone of the due time is inserted here, so that the text need not be parsed again to add it.
        var zone: [UInt8] = []
        if case .dateTime(let time)? = draft.due, case .named(let name) = time.zone {
            zone = (context.timeZoneLines(name) ?? []).flatMap {
                ContentLine.fold(Array($0.utf8), lineEnd: [0x0D, 0x0A])
            }
        }
        let bytes = head.flatMap { $0.bytes() } + zone + todo.flatMap { $0.bytes() }
        guard let empty = Reminder(ICalendarDocument(bytes)) else { return nil }
        self = empty.applying(draft.change, in: context, zones: zones)
    }
}
