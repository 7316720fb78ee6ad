import Notifications
import Platform
import Store

/// Programs that the daemon has started and that have not ended.
final class ChildProcesses {
    /// What one of them is for.
    enum ChildPurpose: Hashable {
        /// Tells of an alarm.
        case notify
        /// Opens a reminder; `seen` is the change to the reminder after the program has started.
        case open(seen: Notifications.PendingAction?)
        /// Syncs an account.
        case sync(AccountID)

        fileprivate var isSync: Bool { if case .sync = self { true } else { false } }
    }

    /// What came of one.
    enum Outcome: Hashable {
        case status(Int32)
        /// It has ended, and nobody knows how.
        case unknown
        /// It took too long, and is ended.
        case tooLong
    }

    struct End: Hashable {
        let duty: ChildPurpose
        let outcome: Outcome
    }

    private struct Child {
        let program: Subprocess
        let duty: ChildPurpose
        /// By ``WakeSources/uptime``; `nil` when it was killed, and is waited for only so that it leaves nothing behind.
        var deadline: Int64?
    }

    private var running: [Child] = []

    /// What can be read when one of them has ended.
    var descriptors: [Int32] { self.running.map(\.program.descriptor) }

    /// When the first of them has had its time; `nil` when none runs.
    var deadline: Int64? { self.running.compactMap(\.deadline).min() }

    /// - Returns: whether it runs.
    func start(_ words: [String], for duty: ChildPurpose, input: [UInt8] = [], seconds: Int) -> Bool {
        // Syncs are as many as accounts, and no flood of alarms keeps one from running.
        let count = self.running.count { !$0.duty.isSync }
        guard duty.isSync || count < DaemonLimits.maximumChildren,
            let program = try? Subprocess(words, .init(input: input))
        else { return false }
        let deadline = WakeSources.uptime + Int64(seconds) * 1_000_000_000
        self.running.append(Child(program: program, duty: duty, deadline: deadline))
        return true
    }

    /// Those that have ended, or had their time.
    func ended(_ readable: Set<Int32>, at now: Int64) -> [End] {
        var ends: [End] = []
        self.running = self.running.compactMap { child in
            var child = child
            if readable.contains(child.program.descriptor), let end = child.program.ended() {
                // Of one that was killed it was told that it took too long.
                if child.deadline != nil { ends.append(End(duty: child.duty, outcome: Outcome(end))) }
                return nil
            }
            guard let deadline = child.deadline, deadline <= now else { return child }
            child.program.kill()
            child.deadline = nil
            ends.append(End(duty: child.duty, outcome: .tooLong))
            return child
        }
        return ends
    }

    /// Ends all of them: what they are in the middle of may come to its end, for a moment.
    func end() {
        for child in self.running { child.program.terminate() }
        let deadline = WakeSources.uptime + DaemonLimits.farewell
        while !self.running.isEmpty, WakeSources.uptime < deadline {
            Subprocess.wait(for: self.running.map(\.program), nanoseconds: deadline - WakeSources.uptime)
            self.running.removeAll { $0.program.ended() != nil }
        }
        self.running = []
    }
}

extension ChildProcesses.Outcome {
    fileprivate init(_ end: Subprocess.End) {
        self =
            switch end {
            case .status(let status): .status(status)
            case .unknown: .unknown
            }
    }
}
