import ICalendar

/// Limits on notifications, stored data and retries.
package enum SchedulerLimits {
    /// Seconds after its time from which an alarm counts as missed: users read clocks in minutes.
    package static let graceSeconds = 60
    /// Missed reminders that get separate notifications; more of them are one summary.
    package static let maximumMissed = 5
    /// Reminders at one moment that get separate notifications; a screen has no space for more.
    package static let maximumAtOnce = 10
    /// Notifications in one minute; further alarms join the summary.
    ///
    /// More than a user can read. A hostile list has ten thousand reminders, one per second.
    package static let maximumPerMinute = 300
    /// Seconds before and after the time of a delivered alarm for which it is remembered.
    ///
    /// A clock that is put back by less repeats no alarm. A clock that is put back by more had been wrong, and alarms
    /// that it delivered too early fire again. Two local times on earth are at most 26 hours apart.
    package static let memorySeconds = 2 * ClockTime.secondsPerDay
    /// Remembered delivered alarms of one reminder, and its listed undelivered alarms (the latest): a few for each hour
    /// of two days.
    package static let maximumDelivered = 100
    /// Seconds to wait for a missing notification service before the fallback is used.
    package static let patienceSeconds = 10
    /// The longest pause in seconds before a retry; the first pause is one second.
    package static let longestPauseSeconds = 300
    /// Attempts to write a clicked action; a store is locked for seconds.
    package static let maximumTries = 12
    /// Answers that arrive before the number of their notification and are kept for it.
    package static let maximumEarlyAnswers = 100
    /// Characters of a title in a notification; a hostile title has a megabyte.
    package static let maximumTitle = 200
    /// Characters of notes in a notification; longer notes can be read in the reminder itself.
    package static let maximumBody = 1000
    /// Titles that a summary names.
    package static let maximumNamed = 5

    /// The longest time that an alarm moves after a change of the time zone or of the time for whole days, with a
    /// margin for summer time.
    static let longestMoveSeconds = 27 * 3600
}
