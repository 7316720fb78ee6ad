public import RemindavICalendar

/// Identifies the reminder, or the occurrence of a repeating reminder, to which an alarm belongs.
public struct AlarmID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier that the caller passed to the ``AlarmPlan`` of the reminder.
    public let reminder: String
    /// The RECURRENCE-ID in UTC, or as a date or a floating time; `nil` for a reminder that does not repeat.
    public let occurrence: String?

    /// Creates an identifier; `occurrence` is `nil` for a reminder that does not repeat.
    public init(reminder: String, occurrence: String? = nil) {
        self.reminder = reminder
        self.occurrence = occurrence
    }

    /// The text `12` for reminder 12, or `12@20261121T080000Z` for one of its occurrences.
    public var description: String { self.occurrence.map { "\(self.reminder)@\($0)" } ?? self.reminder }
}

/// An alarm with the moment at which it fires, and with its text.
public struct ReminderAlarm: Hashable, Sendable {
    /// The reason why an alarm fires.
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        /// The reminder is due and has no VALARM.
        case due
        /// The time of a VALARM has come.
        case alarm
        /// A snooze has ended.
        case snooze
    }

    /// The reminder and the occurrence to which the alarm belongs.
    public let id: AlarmID
    /// The moment at which the alarm fires.
    public let fires: Instant
    /// The reason why the alarm fires.
    public let cause: Cause
    /// The reminder's title, as text without markup.
    public let title: String
    /// The notes, as text without markup; `nil` if the reminder has no notes, or only white space.
    public let notes: String?
    /// The due date of the reminder or of its occurrence, or the due time in UTC; `nil` without a due time.
    public let due: CalendarDateOrDateTime?
    /// The place of the reminder, as text without markup; `nil` without a place.
    public let location: String?
    /// Identifies the VALARM and its repetition, in the same way in every time zone; 0 if the cause is not a VALARM.
    package let index: Int

    /// Creates an alarm.
    public init(
        id: AlarmID,
        fires: Instant,
        cause: Cause,
        title: String,
        notes: String? = nil,
        due: CalendarDateOrDateTime? = nil,
        location: String? = nil
    ) {
        self.init(
            id: id,
            fires: fires,
            cause: cause,
            title: title,
            notes: notes,
            due: due,
            location: location,
            index: 0
        )
    }

    package init(
        id: AlarmID,
        fires: Instant,
        cause: Cause,
        title: String,
        notes: String?,
        due: CalendarDateOrDateTime?,
        location: String?,
        index: Int
    ) {
        self.id = id
        self.fires = fires
        self.cause = cause
        self.title = title
        self.notes = notes.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        self.due = due
        self.location = location.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        self.index = index
    }

    /// The category of a desktop notification for an alarm.
    public static let category = "REMINDER_CATEGORY"
    /// The default sound, a name of freedesktop.org's Sound Naming Specification.
    public static let sound = "alarm-clock-elapsed"

    /// Whether one alarm sorts before the other: by time, then by title, then by identifier.
    public static func inOrder(_ one: Self, _ other: Self) -> Bool {
        if one.fires != other.fires { return one.fires < other.fires }
        return one.title == other.title ? one.id.description < other.id.description : one.title < other.title
    }
}
