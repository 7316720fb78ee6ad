import Platform
import Store

/// Runs the syncs of all accounts, each in a process of its own.
///
/// A server, a password command or a large first sync therefore delays neither alarms nor other accounts.
struct SyncRunner {
    var schedules: AccountSchedules
    private let command: ((_ account: String) -> [String])?

    init(_ schedules: AccountSchedules, command: ((_ account: String) -> [String])?) {
        self.schedules = schedules
        self.command = command
    }

    var next: Int64? { self.command == nil ? nil : self.schedules.next }

    /// Starts the due syncs, and returns those that could not be started; each of them has ended.
    mutating func start(at now: Int64, in children: ChildProcesses) -> [AccountID] {
        guard let command else { return [] }
        return self.schedules.begin(at: now).compactMap { id, name in
            let words = command(name)
            return children.start(words, for: .sync(id), seconds: SyncLimits.longestRunSeconds) ? nil : id
        }
    }

    /// Handles the end of a sync.
    ///
    /// `unsent` is `nil` when the store cannot be read. The event is for an end that differs from the previous one.
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

/// The times of syncs.
enum SyncLimits {
    /// Seconds after the start within which the first syncs begin: the desktop starts at the same time.
    static let startSeconds = 20
    /// Seconds without a change after which changes are sent: an edit often follows another.
    static let calmSeconds = 5
    /// Seconds after the first change within which it is sent, also when further changes follow.
    static let patienceSeconds = 30
    /// Seconds after a change of the network: several routes appear one after the other.
    static let networkSeconds = 5
    /// Seconds until the next attempt when another process syncs the store.
    static let busySeconds = 30
    /// Seconds after which a sync is killed: one of many lists over a slow line takes minutes.
    static let longestRunSeconds = 3600
}
