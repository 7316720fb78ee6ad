import Notifications
import Platform
import Store

final class ChildProcesses {
    enum ChildPurpose: Hashable {
        case notify
        /// Opens a reminder; `seen` is written when the program has started.
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
        /// A value of `WakeSources.uptime`; `nil` after it was killed.
        var deadline: Int64?
    }

    private var running: [Child] = []
    var descriptors: [Int32] { self.running.map(\.process.descriptor) }
    var deadline: Int64? { self.running.compactMap(\.deadline).min() }

    /// - Returns: whether it was started.
    func start(_ words: [String], for purpose: ChildPurpose, input: [UInt8] = [], seconds: Int) -> Bool {
        // There are as many syncs as accounts, and no flood of alarms stops them.
        let count = self.running.count { !$0.purpose.isSync }
        guard purpose.isSync || count < DaemonLimits.maximumChildren,
            let process = try? Subprocess(words, Subprocess.Options(input: input))
        else { return false }
        let deadline = WakeSources.uptime + Int64(seconds) * 1_000_000_000
        self.running.append(Child(process: process, purpose: purpose, deadline: deadline))
        return true
    }

    /// The processes that have ended or reached their time limit; each is returned once.
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

    /// Ends all processes, which get some time to finish.
    func end() {
        for child in self.running { child.process.terminate() }
        let deadline = WakeSources.uptime + DaemonLimits.terminationTime
        while !self.running.isEmpty, WakeSources.uptime < deadline {
            Subprocess.wait(for: self.running.map(\.process), nanoseconds: deadline - WakeSources.uptime)
            self.running.removeAll { $0.process.ended() != nil }
        }
        self.running = []
    }
}
