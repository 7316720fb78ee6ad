import Recurrence

/// How long and how much the daemon waits and does at once.
enum DaemonLimits {
    /// Reminders that are looked at before the clock is: some milliseconds.
    static let changesAtOnce = 200
    /// Nanoseconds that they may take together; after that the daemon plans fewer at once, so that due alarms are not
    /// delayed.
    static let longestSlice = 100_000_000

    /// The number of reminders in the next slice, after `count` reminders that took `nanoseconds`.
    static func changes(after count: Int, took nanoseconds: Int64) -> Int {
        if nanoseconds > Int64(self.longestSlice) { return max(count / 2, 1) }
        return nanoseconds < Int64(self.longestSlice / 4) ? min(count * 2, self.changesAtOnce) : count
    }

    /// Plans that may exceed the usual budget of steps: a rule that does so is a mistake, twenty are an attack.
    static let maximumExcesses = 20
    /// Steps for the alarms of one reminder after that, a few milliseconds; most reminders need fewer than a hundred.
    static let fewSteps = 5000

    /// Steps for the alarms of one reminder, after ``maximumExcesses`` reminders have exceeded their budget.
    static func steps(after excesses: Int) -> Int {
        excesses < self.maximumExcesses ? StepBudget.maximumSteps : self.fewSteps
    }
    /// Seconds between two tries of something that fails, at the most.
    static let longestPauseSeconds = 60

    /// Nanoseconds after so many failures in a row: 1 second, 2, 4 and so on.
    static func pause(after failures: Int) -> Int64 {
        Int64(min(1 << min(max(failures, 1) - 1, 16), self.longestPauseSeconds)) * 1_000_000_000
    }

    /// Seconds for the notify command: it has to tell somebody, not to wait for an answer.
    static let notifySeconds = 30
    /// Seconds for the shell that starts the program that opens a reminder, and watches it.
    static let openSeconds = 30
    /// Seconds after which a program that still runs has opened the reminder: one that cannot show a window ends sooner.
    static let openWatchSeconds = 5
    /// Nanoseconds between two looks at a store that changes all the time, at the least: what is new is known before it
    /// could be missed.
    static let shortestRest: Int64 = 200_000_000
    /// Nanoseconds at the most.
    static let longestRest: Int64 = 2_000_000_000
    /// Notify commands at one time; who starts more rings for nobody.
    static let maximumChildren = 32
    /// Nanoseconds that programs which are told to end have for it: a sync ends its request.
    static let farewell: Int64 = 2_000_000_000
    /// Nanoseconds after the last change of the file with the settings, before it is read: editors save in steps.
    static let settingsCalm: Int64 = 500_000_000
    /// Nanoseconds after which a file that changes on and on is read all the same, and one that was taken away or emptied
    /// is believed to be so.
    static let settingsPatience: Int64 = 3_000_000_000
    /// Looks at where the file with the settings is, in a row; nobody moves it faster than it is found.
    static let settingsRounds = 4
    /// Nanoseconds after the last change of the time zone's files: a zone is set by taking away the old one first.
    static let zoneCalm: Int64 = 2_000_000_000
    /// Nanoseconds after which a zone that was taken away is believed to be gone.
    static let zonePatience: Int64 = 60_000_000_000
}
