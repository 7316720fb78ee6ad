public import RemindavICalendar

/// An alarm as a user chooses it for a reminder.
public enum AlarmChoice: Hashable, Sendable {
    /// At the due time; for an all-day reminder at ``EditingContext/dayTime`` on the due date.
    case atDue
    /// This positive duration before the due time; for an all-day reminder, before ``EditingContext/dayTime``.
    case beforeDue(CalendarDuration)
    /// At this moment, even if the due time changes.
    case at(Instant)
    /// An alarm of the reminder that no other case can express; an edit keeps its bytes or removes it.
    case existing(Trigger)

    /// The longest duration of ``beforeDue(_:)``; a search finds only alarms within `SeriesAlarms/maximumReach`.
    public static let longestLead = CalendarDuration(days: 366)

    /// Whether the choice requires a due time.
    public var needsDue: Bool {
        switch self {
        case .atDue, .beforeDue: true
        case .at, .existing: false
        }
    }
}

extension Name {
    /// X-REMINDAV-DUE-ALARM: the due time, in UTC, for which the ``AlarmChoice/atDue`` alarm was written.
    ///
    /// This alarm has an absolute TRIGGER, the only form that Apple Reminders is known to use. If another program, such
    /// as Tasks.org, changes only DUE, TRIGGER keeps the old moment. As long as TRIGGER equals this property, the alarm
    /// fires at DUE. See docs/decisions/0042-one-alarm-at-the-due-time.md.
    package static let dueAlarm = Name("X-REMINDAV-DUE-ALARM") ?? .trigger
}
