import CLinuxEvents
import Glibc

/// A program that runs beside this one, in a process group of its own; killed with its last reference.
///
/// Nothing waits for it: ``descriptor`` can be read when it has ended.
final class ChildProgram {
    /// How a program has ended.
    enum End: Hashable {
        /// 0 when all went well, 128 and more for a signal.
        case status(Int32)
        /// Somebody else has asked the system about it, and was told.
        case unknown
    }

    /// For who waits for several things at once.
    var descriptor: Int32 { self.end.number }
    private let id: pid_t
    private let end: Descriptor
    private var isOver = false

    /// - Parameters:
    ///   - words: the program, which is found in PATH, and its arguments.
    ///   - input: what it reads on standard input; what it prints is not looked at.
    ///   - isQuiet: whether its complaints are not shown either.
    init(_ words: [String], input: [UInt8] = [], isQuiet: Bool) throws(SystemError) {
        let entrance = try Spawn.pipe(giving: input)
        self.id = try Spawn.start(words, input: entrance?.number, isQuiet: isQuiet)
        self.end = Descriptor(remindav_open_process(self.id))
        guard self.end.number >= 0 else {
            let error = SystemError.last(words[0])
            self.kill()
            // It was started just now, and hangs nowhere yet.
            var status: Int32 = 0
            _ = unsafe waitpid(self.id, &status, 0)
            self.isOver = true
            throw error
        }
    }

    /// One that hangs in the kernel is left to it: nobody waits.
    deinit {
        self.kill()
        _ = self.ended()
    }

    /// How it has ended; `nil` while it runs, and when that was said.
    func ended() -> End? {
        guard !self.isOver else { return nil }
        var status: Int32 = 0
        let found = unsafe waitpid(self.id, &status, WNOHANG)
        guard found == self.id else {
            // Where a program was started so that its children leave no trace.
            guard found < 0, errno == ECHILD else { return nil }
            self.isOver = true
            return .unknown
        }
        self.isOver = true
        let signal = status & 0x7F
        return .status(signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
    }

    /// Asks it, and what it has started, to end.
    func askToEnd() { self.signal(SIGTERM) }

    /// Kills it, and what it has started.
    func kill() { self.signal(SIGKILL) }

    private func signal(_ number: Int32) {
        guard !self.isOver else { return }
        Glibc.kill(-self.id, number)
    }

    /// Waits until one of them has ended.
    ///
    /// - Parameter nanoseconds: no longer than this.
    static func wait(for programs: [ChildProgram], nanoseconds: Int64) {
        var entries = programs.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        _ = unsafe poll(&entries, nfds_t(entries.count), Int32(clamping: nanoseconds / 1_000_000 + 1))
    }
}
