import ICalendar

/// How much is shown, remembered and tried.
package enum RingLimits {
    /// Seconds after its time from which an alarm counts as missed: a person looks at a clock with minutes.
    package static let graceSeconds = 60
    /// Missed reminders that each get a bubble of their own; more of them are one summary.
    package static let maximumMissed = 5
    /// Reminders that ring at one moment and each get a bubble; a screen has no room for more.
    package static let maximumAtOnce = 10
    /// Bubbles that come in one minute; what rings beyond them joins the summary.
    ///
    /// Far more than anybody reads. A hostile list has ten thousand reminders a second apart.
    package static let maximumPerMinute = 300
    /// Seconds for which it is remembered what was told, before and after the time of the alarm.
    ///
    /// A clock that is put back by less rings for nothing twice; one that is put back by more had been wrong, and what
    /// it told ahead of time is told again. Two clocks on earth are never further apart than 26 hours.
    package static let memorySeconds = 2 * ClockTime.secondsPerDay
    /// Alarms of one reminder that are remembered as told, and those that are listed as not shown yet, the latest of
    /// them: some for each hour of two days.
    package static let maximumTold = 100
    /// Seconds that a missing notification service is waited for before alarms are told in another way.
    package static let patienceSeconds = 10
    /// Seconds after which something that failed is tried again, at the most; the first time it is one second.
    package static let longestPauseSeconds = 300
    /// How often it is tried to write down what a person has done in a bubble; a store is locked for seconds.
    package static let maximumTries = 12
    /// Answers that came before the number of their bubble did, and are kept for it.
    package static let maximumEarlyAnswers = 100
    /// Characters of a title that go into a bubble; a hostile one has a megabyte.
    package static let maximumTitle = 200
    /// Characters of notes that go into a bubble; what is longer is read in the reminder itself.
    package static let maximumBody = 1000
    /// Titles that a summary names.
    package static let maximumNamed = 5

    /// The furthest that an alarm moves when the person travels, with room for summer time, or when another time of day is
    /// that of whole days.
    static let longestMoveSeconds = 27 * 3600
}
