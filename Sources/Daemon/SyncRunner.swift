import RemindavPlatform
import RemindavStore

/// Runs each sync in its own process, so that a slow server or command delays no alarms and no other accounts.
struct SyncRunner {
    var schedules: AccountSchedules
    private let command: ((_ account: String) -> [String])?

    init(_ schedules: AccountSchedules, command: ((_ account: String) -> [String])?) {
        self.schedules = schedules
        self.command = command
    }

    var next: Int64? { self.command == nil ? nil : self.schedules.next }

    /// Starts the due syncs, and returns the accounts whose sync could not be started.
    mutating func start(at now: Int64, in children: ChildProcesses) -> [AccountID] {
        guard let command else { return [] }
        return self.schedules.begin(at: now).compactMap { id, name in
            let words = command(name)
            return children.start(words, for: .sync(id), seconds: SyncLimits.longestRunSeconds) ? nil : id
        }
    }

    /// Records a sync's end, and returns an event if the outcome is new; `unsent` is `nil` if the store is unreadable.
    mutating func ended(
        _ account: AccountID,
        _ outcome: ChildProcesses.Outcome,
        unsent: Set<UnsentChange>?,
        at now: Int64
    ) -> [DaemonLogEvent] {
        let (result, status) = Self.result(outcome)
        return self.schedules.ended(account, result, unsent: unsent, at: now) ? [.synced(result, status: status)] : []
    }

    private static func result(_ outcome: ChildProcesses.Outcome) -> (SyncSchedule.Outcome, status: Int32?) {
        switch outcome {
        case .ended(.status(let status)): (SyncSchedule.Outcome(status: status), status)
        case .ended(.unknown): (.done, nil)
        case .notStarted, .timedOut: (.unfinished, nil)
        }
    }
}

/// The pauses before syncs and the time limit of a sync.
enum SyncLimits {
    /// An account's first sync is delayed by up to this many seconds, because the desktop starts at the same time.
    static let startSeconds = 20
    /// Changes are sent after this many seconds without another change, because an edit often follows another.
    static let calmSeconds = 5
    /// A change is sent at most this many seconds after it was found, even if more changes follow.
    static let patienceSeconds = 30
    /// The seconds to wait after a change of the network, because routes appear one after the other.
    static let networkSeconds = 5
    /// The seconds to wait if another process is syncing.
    static let busySeconds = 30
    /// A sync is killed after this many seconds; a sync of many lists over a slow connection takes minutes.
    static let longestRunSeconds = 3600
}
