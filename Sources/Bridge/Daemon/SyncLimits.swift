/// How long the daemon waits with a sync.
enum SyncLimits {
    /// Seconds at the start in which the first run is: the desktop has much to do then.
    static let startSeconds = 20
    /// Seconds without a change after which changes are sent: who edits one edits two.
    static let calmSeconds = 5
    /// Seconds after a change within which it is sent, whatever changes.
    static let patienceSeconds = 30
    /// Seconds after a change of the network: the first route is not the last.
    static let networkSeconds = 5
    /// Seconds after which it is tried again when somebody else is syncing.
    static let busySeconds = 30
    /// Seconds after which a run is ended that does not end: one of many lists over a slow line takes minutes.
    static let longestRunSeconds = 3600
}
