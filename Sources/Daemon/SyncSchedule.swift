import Store

/// Decides when the daemon syncs one account.
///
/// Times are nanoseconds of `WakeSources.uptime`, which continues during a suspend.
package struct SyncSchedule: Sendable {
    /// The result of a run.
    package enum Outcome: Sendable {
        /// It went through, for some lists at least.
        case done
        /// The server could not be reached.
        case unreachable
        /// It could not be started, or took too long and was ended.
        case unfinished
        /// Another process syncs this store.
        case busy
        /// Anything else; a person has to see to it.
        case failed

        /// - Parameter status: with which `remindav sync` has ended, as docs/manual.md has it.
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
    /// From 0 to 1, anew each time: machines that were switched on together do not come back together.
    private let random: @Sendable () -> Double
    /// When the next regular run is.
    private var regular: Int64
    /// The time of a requested run; `nil` for none.
    private var wanted: Int64?
    /// When the first of the changes was made that ``wanted`` waits for.
    private var firstChange: Int64?
    private(set) var isRunning = false
    private(set) var isUnreachable = false
    /// The changes that the last run did not send; another run would not send them either.
    private var tried: Set<UnsentChange> = []
    private var unsent: Set<UnsentChange> = []
    /// The unsent changes at the start of the current run.
    private var begun: Set<UnsentChange> = []
    /// How many runs in a row have left something unsent with which they began: a merge with what the server has makes
    /// another text of it each time, which may be refused like the one before.
    private var leaving = 0

    /// A changed reminder, independent of its text.
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

    /// - Parameter seconds: between two regular runs.
    init(seconds: Int, now: Int64, random: @escaping @Sendable () -> Double) {
        self.interval = Int64(seconds) * Self.second
        self.random = random
        self.regular = now + Int64(random() * Double(SyncLimits.startSeconds)) * Self.second
    }

    /// Takes over another interval.
    ///
    /// - Parameter seconds: between two regular runs.
    mutating func change(seconds: Int, at now: Int64) {
        let interval = Int64(seconds) * Self.second
        guard interval != self.interval else { return }
        self.interval = interval
        self.regular = min(self.regular, self.another(from: now))
    }

    /// A tenth more or less than the interval.
    private func another(from now: Int64) -> Int64 { now + Int64(Double(self.interval) * (0.9 + 0.2 * self.random())) }

    /// When there is something to do; `nil` while a run is under way.
    var next: Int64? { self.isRunning ? nil : min(self.regular, self.wanted ?? .max) }

    /// Updates the unsent changes, after a scan of the store.
    mutating func found(_ unsent: Set<UnsentChange>, at now: Int64) {
        let isNews = !unsent.subtracting(self.unsent).isSubset(of: self.tried)
        self.unsent = unsent
        // The end of the run reports changes that it did not send.
        guard isNews, !self.isRunning else { return }
        self.ask(now)
    }

    /// Requests a run after a pause without changes, or after a limit.
    private mutating func ask(_ now: Int64) {
        let first = self.firstChange ?? now
        self.firstChange = first
        let latest = first + Int64(SyncLimits.patienceSeconds) * Self.second
        self.wanted = min(now + Int64(SyncLimits.calmSeconds) * Self.second, latest)
    }

    /// The machine has other addresses or routes: a server that could not be reached may be there again.
    mutating func networkChanged(at now: Int64) {
        guard self.isUnreachable else { return }
        let moment = now + Int64(SyncLimits.networkSeconds) * Self.second
        self.wanted = min(self.wanted ?? moment, moment)
    }

    /// Whether a run is to begin now; then it counts as under way.
    mutating func begins(at now: Int64) -> Bool {
        guard let next, next <= now else { return false }
        self.isRunning = true
        self.begun = self.unsent
        self.wanted = nil
        self.firstChange = nil
        return true
    }

    /// - Parameter left: the unsent changes; `nil` when they cannot be read, and are assumed to be the former ones.
    mutating func ended(_ outcome: Outcome, unsent left: Set<UnsentChange>?, at now: Int64) {
        let unsent = left ?? self.unsent
        self.isRunning = false
        self.isUnreachable = outcome == .unreachable
        self.regular = self.another(from: now)
        // Changes during the run are new.
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
            if isOnlyLeft { self.askLater(now) } else { self.ask(now) }
        }
    }

    /// Each time after twice as long as before, until a regular run comes first.
    private mutating func askLater(_ now: Int64) {
        let pause = Int64(SyncLimits.calmSeconds) * Self.second << min(self.leaving, Self.doublings)
        self.wanted = now + min(pause, self.interval)
    }

    /// More than any interval needs.
    private static let doublings = 16
}
