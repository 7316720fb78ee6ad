public import ICalendar

/// What tells one alarm from the others: a reminder, and which of its occurrences.
///
/// An occurrence has one alarm at a time, so scheduling an alarm takes the place of the one with the same identifier.
public struct AlarmID: Hashable, Sendable, CustomStringConvertible {
    /// The reminder, as whoever made the plan names it.
    public let reminder: String
    /// The occurrence by its name: its RECURRENCE-ID in UTC, or its day or local time where it has no zone; `nil` for
    /// a reminder that does not come again, and for all alarms of one (``covers(_:)``).
    public let occurrence: String?

    /// The identifier of an occurrence, or of all that a reminder has.
    public init(reminder: String, occurrence: String? = nil) {
        self.reminder = reminder
        self.occurrence = occurrence
    }

    /// `12`, or `12@20261121T080000Z` for an occurrence.
    public var description: String { self.occurrence.map { "\(self.reminder)@\($0)" } ?? self.reminder }

    /// Whether taking this one back takes the other back: it is the same, or this one stands for the whole reminder.
    public func covers(_ other: AlarmID) -> Bool {
        self.reminder == other.reminder && (self.occurrence == nil || self.occurrence == other.occurrence)
    }
}

/// An alarm at its time, with the words to show.
public struct ReminderAlarm: Hashable, Sendable {
    /// Why it rings.
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        /// The reminder is due, and has no alarm of its own.
        case due
        /// An alarm of the reminder.
        case alarm
        /// It was put off until now.
        case snooze
    }

    /// Which it is.
    public let id: AlarmID
    /// When it rings.
    public let fires: Instant
    /// Why it rings then.
    public let cause: Cause
    /// The reminder's title, as it is: plain text, never markup.
    public let title: String
    /// The notes, or ``standardBody`` when there are none: plain text.
    public let body: String
    /// Which of the rings of its occurrence it is, in whatever zone the clock on the wall is: its place among the alarms
    /// and their repetitions; 0 for one without an alarm.
    package let ring: Int

    /// Everything at once.
    public init(id: AlarmID, fires: Instant, cause: Cause, title: String, body: String) {
        self.init(id: id, fires: fires, cause: cause, title: title, body: body, ring: 0)
    }

    package init(id: AlarmID, fires: Instant, cause: Cause, title: String, body: String, ring: Int) {
        self.id = id
        self.fires = fires
        self.cause = cause
        self.title = title
        self.body = body
        self.ring = ring
    }

    /// What is shown under the title of a reminder without notes.
    public static let standardBody = "Time for your reminder!"
    /// The kind of notification that an alarm is, for whoever adds buttons to it.
    public static let category = "REMINDER_CATEGORY"
    /// The default sound, by its name in the Sound Naming Specification of freedesktop.org.
    public static let sound = "alarm-clock-elapsed"

    /// The order in which they ring; of one moment by title, then by identifier.
    public static func inOrder(_ one: Self, _ other: Self) -> Bool {
        if one.fires != other.fires { return one.fires < other.fires }
        return one.title == other.title ? one.id.description < other.id.description : one.title < other.title
    }

    static func body(_ notes: String?) -> String {
        notes.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } ?? Self.standardBody
    }
}
