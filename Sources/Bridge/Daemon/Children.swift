/// Programs that the daemon has started and that have not ended.
final class Children {
    /// What one of them is for.
    enum Duty {
        /// Tells of an alarm.
        case notify
        /// Opens a reminder.
        case open
        case sync
    }

    struct End {
        let duty: Duty
        /// `nil` when it took too long, and was ended.
        let status: Int32?
    }

    private struct Child {
        let program: ChildProgram
        let duty: Duty
        /// By ``WakeSources/uptime``.
        let deadline: Int64
    }

    private var running: [Child] = []

    /// What can be read when one of them has ended.
    var descriptors: [Int32] { self.running.map(\.program.descriptor) }

    /// When the first of them has had its time; `nil` when none runs.
    var deadline: Int64? { self.running.map(\.deadline).min() }

    /// - Returns: whether it runs.
    func start(_ words: [String], for duty: Duty, input: [UInt8] = [], seconds: Int) -> Bool {
        guard self.running.count < DaemonLimits.maximumChildren,
            let program = try? ChildProgram(words, input: input, isQuiet: true)
        else { return false }
        let deadline = WakeSources.uptime + Int64(seconds) * 1_000_000_000
        self.running.append(Child(program: program, duty: duty, deadline: deadline))
        return true
    }

    /// Those that have ended, or had their time.
    func ended(_ readable: Set<Int32>, at now: Int64) -> [End] {
        var ends: [End] = []
        self.running.removeAll { child in
            if readable.contains(child.program.descriptor), let status = child.program.status() {
                ends.append(End(duty: child.duty, status: status))
                return true
            }
            guard child.deadline <= now else { return false }
            child.program.kill()
            ends.append(End(duty: child.duty, status: nil))
            return true
        }
        return ends
    }

    func end() { self.running = [] }
}
