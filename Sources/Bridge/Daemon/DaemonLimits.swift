/// How long and how much the daemon waits and does at once.
enum DaemonLimits {
    /// Reminders that are looked at before the clock is: some milliseconds.
    static let changesAtOnce = 200
    /// Seconds between two tries of something that fails, at the most.
    static let longestPauseSeconds = 60
    /// Seconds for the notify command: it has to tell somebody, not to wait for an answer.
    static let notifySeconds = 30
    /// Seconds for the shell that starts the program that opens a reminder.
    static let openSeconds = 10
    /// Nanoseconds between two looks at a store that changes all the time, at the least: what is new is known before it
    /// could be missed.
    static let shortestRest: Int64 = 200_000_000
    /// Nanoseconds at the most.
    static let longestRest: Int64 = 2_000_000_000
    /// Notify commands at one time; who starts more rings for nobody.
    static let maximumChildren = 32
}
