import RemindavStore

/// Decides when to sync an account; times are nanoseconds of `WakeSources.uptime`, which also runs during a suspend.
package struct SyncSchedule: Sendable {
    package enum Outcome: Sendable {
        /// The sync was complete for at least one list.
        case done
        case unreachable
        /// The sync could not be started, or exceeded its time limit and was killed.
        case unfinished
        case busy
        /// Any other failure, which the user must resolve.
        case failed

        /// - Parameter status: the exit status of `remindav sync` (docs/manual.md).
        init(status: Int32) {
            switch status {
            case 0, 3: self = .done
            case 5: self = .busy
            case 7: self = .unreachable
            default: self = .failed
            }
        }
    }

    private static let second: Int64 = 1_000_000_000
    private var interval: Int64
    /// Returns a random number from 0 to 1, so that machines that start at the same time do not sync at the same time.
    private let random: @Sendable () -> Double
    private var regular: Int64
    private var wanted: Int64?
    /// The time of the first change that the run at ``wanted`` will send.
    private var firstChange: Int64?
    private(set) var isRunning = false
    private(set) var isUnreachable = false
    /// The changes that the last run did not send; they request no new run, which would probably not send them either.
    private var tried: Set<UnsentChange> = []
    private var unsent: Set<UnsentChange> = []
    /// The unsent changes at the start of the current run.
    private var begun: Set<UnsentChange> = []
    /// The number of runs in a row that left a change unsent, for example because the server refuses each merged text.
    private var leaving = 0

    /// A changed reminder, without the revision of its text.
    private struct Subject: Hashable {
        let list: ListID
        let uid: String
        let isDeletion: Bool

        init(_ change: UnsentChange) {
            self.list = change.list
            self.uid = change.uid
            self.isDeletion = change.isDeletion
        }
    }

    init(seconds: Int, now: Int64, random: @escaping @Sendable () -> Double) {
        self.interval = Int64(seconds) * Self.second
        self.random = random
        self.regular = now + Int64(random() * Double(SyncLimits.startSeconds)) * Self.second
    }

    /// - Parameter seconds: the interval of regular runs.
    mutating func change(seconds: Int, at now: Int64) {
        let interval = Int64(seconds) * Self.second
        guard interval != self.interval else { return }
        self.interval = interval
        self.regular = min(self.regular, self.another(from: now))
    }

    /// Returns the time of the next regular run: `now` plus the interval, which is varied at random by up to a tenth.
    private func another(from now: Int64) -> Int64 { now + Int64(Double(self.interval) * (0.9 + 0.2 * self.random())) }
    var next: Int64? { self.isRunning ? nil : min(self.regular, self.wanted ?? .max) }

    mutating func found(_ unsent: Set<UnsentChange>, at now: Int64) {
        let isNews = !unsent.subtracting(self.unsent).isSubset(of: self.tried)
        self.unsent = unsent
        // A run in progress may send these changes. Its end reports the changes that it did not send.
        guard isNews, !self.isRunning else { return }
        self.requestRun(now)
    }

    /// Requests a run after a pause without changes, or at the latest after a time limit.
    private mutating func requestRun(_ now: Int64) {
        let first = self.firstChange ?? now
        self.firstChange = first
        let latest = first + Int64(SyncLimits.patienceSeconds) * Self.second
        self.wanted = min(now + Int64(SyncLimits.calmSeconds) * Self.second, latest)
    }

    /// Requests a run if the server was unreachable, because new addresses or routes may lead to it.
    mutating func networkChanged(at now: Int64) {
        guard self.isUnreachable else { return }
        let moment = now + Int64(SyncLimits.networkSeconds) * Self.second
        self.wanted = min(self.wanted ?? moment, moment)
    }

    mutating func begins(at now: Int64) -> Bool {
        guard let next, next <= now else { return false }
        self.isRunning = true
        self.begun = self.unsent
        self.wanted = nil
        self.firstChange = nil
        return true
    }

    /// - Parameter left: the unsent changes; `nil` when they cannot be read. Then the previous ones are used.
    mutating func ended(_ outcome: Outcome, unsent left: Set<UnsentChange>?, at now: Int64) {
        let unsent = left ?? self.unsent
        self.isRunning = false
        self.isUnreachable = outcome == .unreachable
        self.regular = self.another(from: now)
        // Changes that were made during the run are not in `known`.
        let known = self.begun.union(self.tried)
        let news = unsent.subtracting(known)
        self.unsent = unsent
        self.tried = unsent.intersection(known)
        let subjects = Set(self.begun.map(Subject.init))
        self.leaving = unsent.contains { subjects.contains(Subject($0)) } ? self.leaving + 1 : 0
        let isOnlyLeft = news.allSatisfy { subjects.contains(Subject($0)) }
        switch outcome {
        case .busy: self.wanted = now + Int64(SyncLimits.busySeconds) * Self.second
        case .done, .failed, .unreachable, .unfinished:
            guard !news.isEmpty else { return }
            if isOnlyLeft { self.requestLaterRun(now) } else { self.requestRun(now) }
        }
    }

    /// Requests a run for changes that runs repeatedly left unsent; the pause doubles each time, up to the interval.
    private mutating func requestLaterRun(_ now: Int64) {
        let pause = Int64(SyncLimits.calmSeconds) * Self.second << min(self.leaving, Self.doublings)
        self.wanted = now + min(pause, self.interval)
    }

    /// After this many doublings, the pause is longer than any interval.
    private static let doublings = 16
}
