import RemindavICalendar

/// Limits on notifications, stored data and retries.
package enum SchedulerLimits {
    /// An alarm that is shown more than this many seconds late counts as missed; users read clocks in minutes.
    package static let graceSeconds = 60
    /// If more reminders than this have missed alarms, one summary replaces their own notifications.
    package static let maximumMissed = 5
    /// If more reminders than this fire together, one summary replaces their notifications; screens are small.
    package static let maximumAtOnce = 10
    /// The maximum number of notifications in one minute; further reminders go into the summary notification.
    ///
    /// The limit is more than a user can read. A hostile list may have ten thousand reminders, one per second.
    package static let maximumPerMinute = 300
    /// A delivered alarm is remembered for this many seconds before and after its time.
    ///
    /// If the clock is put back by less, no alarm fires twice. If it is put back further, the clock was wrong before:
    /// alarms that were delivered too early fire again. A new time zone moves local times by at most 26 hours.
    package static let memorySeconds = 2 * ClockTime.secondsPerDay
    /// The maximum number of remembered delivered alarms of a reminder, and of unshown alarms in its ``Slot``.
    ///
    /// This is enough for two alarms in each hour of ``memorySeconds``.
    package static let maximumDelivered = 100
    /// The seconds to wait for a notification service before the notify command or the terminal is used instead.
    package static let patienceSeconds = 10
    /// The longest pause before a retry, in seconds; the first pause is one second.
    package static let longestPauseSeconds = 300
    /// The maximum number of attempts to write a user's action; a store is locked for seconds only.
    package static let maximumTries = 12
    /// The maximum number of stored answers that arrived before the number of their notification.
    package static let maximumEarlyAnswers = 100
    /// The maximum number of Unicode scalars of a title in a notification, and of each other part that is one line.
    ///
    /// A hostile title may have a megabyte.
    package static let maximumTitle = 200
    /// The maximum number of Unicode scalars of the notes in a notification; the reminder itself contains the full notes.
    package static let maximumBody = 1000
    /// The maximum number of labels in a notification; a hostile reminder may have thousands.
    package static let maximumLabels = 20
    /// The maximum number of reminders, from the earliest, among which a summary finds those with the highest priority.
    ///
    /// Each of them is read from the store.
    package static let maximumRanked = 1000
    /// The maximum number of titles in the summary of several reminders.
    package static let maximumNamed = 5
    /// A summary of more reminders than this has no button that snoozes them all, because each snooze is an edit.
    package static let maximumSnoozedTogether = 100

    /// The largest change of an alarm's time, in seconds, after another time zone or another time for all-day alarms.
    ///
    /// Local times differ by at most 26 hours, and one hour is a margin for summer time.
    static let longestMoveSeconds = 27 * 3600
}
