import RemindavRecurrence

/// The limits on the time and the amount of the daemon's work.
enum DaemonLimits {
    /// The maximum number of reminders in a slice: changed reminders that are handled without a check of the clock.
    static let changesAtOnce = 200
    /// If a slice of changed reminders takes more nanoseconds than this, the next slice has half as many reminders.
    static let longestSlice = 100_000_000

    /// Returns the number of reminders in the next slice, after `count` reminders took `nanoseconds`.
    static func changes(after count: Int, took nanoseconds: Int64) -> Int {
        if nanoseconds > Int64(self.longestSlice) { return max(count / 2, 1) }
        return nanoseconds < Int64(self.longestSlice / 4) ? min(count * 2, self.changesAtOnce) : count
    }

    /// If this many reminders exceed `StepBudget.maximumSteps`, an attack is assumed and not a mistake.
    static let maximumExcesses = 20
    /// The steps for each reminder if an attack is assumed: some milliseconds; most reminders need fewer than 100.
    static let fewSteps = 5000

    /// Returns the budget of steps for a reminder's alarms, after `excesses` reminders have exceeded theirs.
    static func steps(after excesses: Int) -> Int {
        excesses < self.maximumExcesses ? StepBudget.maximumSteps : self.fewSteps
    }
    /// The longest pause between two attempts of a failing operation, in seconds.
    static let longestPauseSeconds = 60
    /// The time limit of the notify command in seconds; the command does not wait for the user.
    static let notifySeconds = 30
    /// The time limit of the shell that starts the program that opens a reminder, in seconds.
    static let openSeconds = 30
    /// A program that still runs after this many seconds counts as started; a program that fails ends sooner.
    static let openWatchSeconds = 5
    /// The shortest time between two scans of a store that changes continuously, in nanoseconds.
    static let shortestRest: Int64 = 200_000_000
    /// The longest time between two scans of a store that changes continuously, in nanoseconds.
    static let longestRest: Int64 = 2_000_000_000
    /// The maximum number of running notify commands and opening programs; more would not help the user.
    static let maximumChildren = 32
    /// The time that child processes have to terminate, in nanoseconds; a sync completes its request in this time.
    static let terminationTime: Int64 = 2_000_000_000
    /// The pause between the last change of the settings file and its reading, in nanoseconds; editors save in steps.
    static let settingsPause: Int64 = 500_000_000
    /// If the settings file changes continuously, is missing or is empty, it is read after this many nanoseconds.
    static let longestSettingsPause: Int64 = 3_000_000_000
    /// The maximum number of lookups in a row of the settings file's path, if the path changes during each lookup.
    static let settingsRounds = 4
    /// The pause between the last change of the time zone's files and their reading, in nanoseconds.
    static let zonePause: Int64 = 2_000_000_000
    /// If no file names a time zone for this many nanoseconds, the daemon uses UTC.
    static let longestZonePause: Int64 = 60_000_000_000
}
