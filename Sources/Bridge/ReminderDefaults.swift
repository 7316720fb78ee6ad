public import RemindavICalendar
public import RemindavReminders

/// The due time of a new reminder if the user gives none.
public enum DefaultDue: String, Hashable, Sendable, CaseIterable {
    /// Tomorrow, at the default time of day.
    case tomorrow
    /// No due time.
    case undated = "none"
}

/// The due time and the alarms of a new reminder if no option sets them.
public struct ReminderDefaults: Hashable, Sendable {
    /// The default due time.
    public var due: DefaultDue
    /// The default alarms of a reminder with a due time.
    public var alarms: [AlarmChoice]
    /// The time of day of alarms of all-day reminders.
    public var dayTime: ClockTime

    /// The default is tomorrow with one alarm at the due time.
    public init(
        due: DefaultDue = .tomorrow,
        alarms: [AlarmChoice] = [.atDue],
        dayTime: ClockTime = AlarmSettings.standardDayTime
    ) {
        self.due = due
        self.alarms = alarms
        self.dayTime = dayTime
    }
}
