import RemindavNotifications
import RemindavPlatform
import RemindavStore

final class ChildProcesses {
    enum ChildPurpose: Hashable {
        case notify
        /// Opens a reminder; when the program has started, the action `seen` is written to the reminder.
        case open(seen: PendingAction?)
        case sync(AccountID)
        fileprivate var isSync: Bool { if case .sync = self { true } else { false } }
    }

    enum Outcome: Hashable {
        case notStarted
        case ended(Subprocess.End)
        case timedOut
    }

    struct End: Hashable {
        let purpose: ChildPurpose
        let outcome: Outcome
    }

    private struct Child {
        let process: Subprocess
        let purpose: ChildPurpose
        /// The time limit, a value of `WakeSources.uptime`; `nil` after the process was killed.
        var deadline: Int64?
    }

    private var running: [Child] = []
    var descriptors: [Int32] { self.running.map(\.process.descriptor) }
    var deadline: Int64? { self.running.compactMap(\.deadline).min() }

    /// - Returns: whether the process was started.
    func start(_ words: [String], for purpose: ChildPurpose, input: [UInt8] = [], seconds: Int) -> Bool {
        // Syncs are not limited here: there is at most one per account, and many alarms must not prevent a sync.
        let count = self.running.count { !$0.purpose.isSync }
        guard purpose.isSync || count < DaemonLimits.maximumChildren,
            let process = try? Subprocess(words, Subprocess.Options(input: input))
        else { return false }
        let deadline = WakeSources.uptime + Int64(seconds) * 1_000_000_000
        self.running.append(Child(process: process, purpose: purpose, deadline: deadline))
        return true
    }

    /// Returns the processes that have ended or exceeded their time limit since the last call.
    func ended(_ readable: Set<Int32>, at now: Int64) -> [End] {
        var ends: [End] = []
        self.running = self.running.compactMap { child in
            var child = child
            if readable.contains(child.process.descriptor), let end = child.process.ended() {
                if child.deadline != nil { ends.append(End(purpose: child.purpose, outcome: .ended(end))) }
                return nil
            }
            guard let deadline = child.deadline, deadline <= now else { return child }
            child.process.kill()
            child.deadline = nil
            ends.append(End(purpose: child.purpose, outcome: .timedOut))
            return child
        }
        return ends
    }

    /// Asks all processes to terminate, and waits a limited time for them.
    func end() {
        for child in self.running { child.process.terminate() }
        let deadline = WakeSources.uptime + DaemonLimits.terminationTime
        while !self.running.isEmpty, WakeSources.uptime < deadline {
            Subprocess.wait(for: self.running.map(\.process), nanoseconds: deadline - WakeSources.uptime)
            self.running.removeAll { $0.process.ended() != nil }
        }
        // The processes end at the same time, so that their ends are not waited for one after another.
        for child in self.running { child.process.kill() }
        self.running = []
    }
}
