public import ICalendar

/// Identifies an alarm by its reminder and its occurrence; each occurrence has one next alarm.
public struct AlarmID: Hashable, Sendable, CustomStringConvertible {
    /// The reminder, by the name that the caller gave to its ``AlarmPlan``.
    public let reminder: String
    /// The RECURRENCE-ID in UTC, or as a date or local time without a zone; `nil` for a reminder that does not repeat.
    public let occurrence: String?

    /// Identifies the alarm of an occurrence, or of a reminder that does not repeat.
    public init(reminder: String, occurrence: String? = nil) {
        self.reminder = reminder
        self.occurrence = occurrence
    }

    /// `12`, or `12@20261121T080000Z` for an occurrence.
    public var description: String { self.occurrence.map { "\(self.reminder)@\($0)" } ?? self.reminder }
}

/// An alarm with its time and its text.
public struct ReminderAlarm: Hashable, Sendable {
    /// The reason for an alarm.
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        /// The reminder is due, and has no VALARM.
        case due
        /// A VALARM.
        case alarm
        /// The end of a snooze.
        case snooze
    }

    /// The reminder and the occurrence.
    public let id: AlarmID
    /// The time at which it fires.
    public let fires: Instant
    /// The reason for it.
    public let cause: Cause
    /// The reminder's title: plain text, never markup.
    public let title: String
    /// The notes, or ``standardBody`` without notes: plain text.
    public let body: String
    /// Its index among the alarms of the occurrence and their repetitions, in every local time zone; 0 without a VALARM.
    package let index: Int

    /// Creates an alarm.
    public init(id: AlarmID, fires: Instant, cause: Cause, title: String, body: String) {
        self.init(id: id, fires: fires, cause: cause, title: title, body: body, index: 0)
    }

    package init(id: AlarmID, fires: Instant, cause: Cause, title: String, body: String, index: Int) {
        self.id = id
        self.fires = fires
        self.cause = cause
        self.title = title
        self.body = body
        self.index = index
    }

    /// The text under the title of a reminder without notes.
    public static let standardBody = "Time for your reminder!"
    /// The category of its notification.
    public static let category = "REMINDER_CATEGORY"
    /// The default sound, by its name in the Sound Naming Specification of freedesktop.org.
    public static let sound = "alarm-clock-elapsed"

    /// Whether the first alarm comes before the second: by time, then by title, then by identifier.
    public static func inOrder(_ one: Self, _ other: Self) -> Bool {
        if one.fires != other.fires { return one.fires < other.fires }
        return one.title == other.title ? one.id.description < other.id.description : one.title < other.title
    }

    static func body(_ notes: String?) -> String {
        notes.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } ?? Self.standardBody
    }
}
