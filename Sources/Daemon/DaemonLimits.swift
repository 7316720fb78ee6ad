import Recurrence

/// The limits on the time and the amount of the daemon's work.
enum DaemonLimits {
    /// The maximum number of changed reminders that are handled before the clock is checked again: some milliseconds.
    static let changesAtOnce = 200
    /// If a slice of changed reminders takes more nanoseconds than this, the next slice has fewer reminders.
    static let longestSlice = 100_000_000

    /// Returns the number of reminders in the next slice, after `count` reminders took `nanoseconds`.
    static func changes(after count: Int, took nanoseconds: Int64) -> Int {
        if nanoseconds > Int64(self.longestSlice) { return max(count / 2, 1) }
        return nanoseconds < Int64(self.longestSlice / 4) ? min(count * 2, self.changesAtOnce) : count
    }

    /// How many reminders may exceed the usual budget of steps for their rules: one is a mistake, twenty are an attack.
    static let maximumExcesses = 20
    /// The budget of steps for a reminder after too many excesses (some milliseconds); most reminders need under 100.
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
    /// A program that runs for this many seconds has opened the reminder; a program without a window ends sooner.
    static let openWatchSeconds = 5
    /// The shortest time between two scans of a store that changes continuously, in nanoseconds.
    static let shortestRest: Int64 = 200_000_000
    /// The longest time between two scans of a store that changes continuously, in nanoseconds.
    static let longestRest: Int64 = 2_000_000_000
    /// The maximum number of child processes other than syncs; a user does not notice more notify commands.
    static let maximumChildren = 32
    /// The time that child processes have to terminate, in nanoseconds; a sync completes its current request.
    static let terminationTime: Int64 = 2_000_000_000
    /// The pause between the last change of the settings file and its reading, in nanoseconds; editors save in steps.
    static let settingsPause: Int64 = 500_000_000
    /// If the settings file changes continuously, is missing or is empty, it is read after this many nanoseconds.
    static let longestSettingsPause: Int64 = 3_000_000_000
    /// How often in a row the path of the settings file is looked up because it changed during the lookup.
    static let settingsRounds = 4
    /// The pause between the last change of the time zone's files and their reading, in nanoseconds.
    static let zonePause: Int64 = 2_000_000_000
    /// If no file names a time zone for this many nanoseconds, the time zone counts as removed.
    static let longestZonePause: Int64 = 60_000_000_000
}
