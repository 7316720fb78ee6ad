import Recurrence

/// Limits on the time and the amount of work of the daemon.
enum DaemonLimits {
    /// Reminders that are planned between two checks of the clock: some milliseconds.
    static let changesAtOnce = 200
    /// Nanoseconds for them; after a longer slice the daemon plans fewer at once, so that due alarms are not delayed.
    static let longestSlice = 100_000_000

    /// The number of reminders in the next slice, after `count` reminders that took `nanoseconds`.
    static func changes(after count: Int, took nanoseconds: Int64) -> Int {
        if nanoseconds > Int64(self.longestSlice) { return max(count / 2, 1) }
        return nanoseconds < Int64(self.longestSlice / 4) ? min(count * 2, self.changesAtOnce) : count
    }

    /// Plans that may exceed the usual budget of steps: one such rule is a mistake, twenty are an attack.
    static let maximumExcesses = 20
    /// Steps for the alarms of one reminder after that, a few milliseconds; most reminders need fewer than a hundred.
    static let fewSteps = 5000

    /// Steps for the alarms of one reminder, after a number of reminders have exceeded their budget.
    static func steps(after excesses: Int) -> Int {
        excesses < self.maximumExcesses ? StepBudget.maximumSteps : self.fewSteps
    }
    /// The longest pause in seconds between two attempts of an operation that fails.
    static let longestPauseSeconds = 60
    /// Seconds for the notify command, which does not wait for an answer.
    static let notifySeconds = 30
    /// Seconds for the shell that starts the program that opens a reminder.
    static let openSeconds = 30
    /// Seconds after which a running program has opened the reminder: one without its window ends sooner.
    static let openWatchSeconds = 5
    /// The shortest time in nanoseconds between two scans of a store that changes continuously.
    static let shortestRest: Int64 = 200_000_000
    /// The longest such time.
    static let longestRest: Int64 = 2_000_000_000
    /// Concurrent child processes other than syncs; more notify commands reach no user.
    static let maximumChildren = 32
    /// Nanoseconds that child processes get to end: a sync finishes its request.
    static let terminationTime: Int64 = 2_000_000_000
    /// Nanoseconds between the last change of the settings file and its reading: editors save in steps.
    static let settingsPause: Int64 = 500_000_000
    /// Nanoseconds after which a settings file is read that changes continuously, or that is missing or empty.
    static let longestSettingsPause: Int64 = 3_000_000_000
    /// Lookups of the settings file in a row; no program moves it faster.
    static let settingsRounds = 4
    /// Nanoseconds between the last change of the time zone's files and their reading.
    static let zonePause: Int64 = 2_000_000_000
    /// Nanoseconds after which a missing time zone counts as removed.
    static let longestZonePause: Int64 = 60_000_000_000
}
