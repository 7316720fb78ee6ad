import CWaiting

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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

    /// More than this is no message for a program: a pipe takes so much without anybody reading.
    static let maximumInputBytes = 32 * 1024

    /// - Parameters:
    ///   - words: the program, which is found in PATH, and its arguments.
    ///   - input: what it reads on standard input; what it prints is not looked at.
    ///   - isQuiet: whether its complaints are not shown either.
    init(_ words: [String], input: [UInt8] = [], isQuiet: Bool) throws(SystemError) {
        guard let name = words.first, input.count <= Self.maximumInputBytes else {
            throw SystemError(number: EINVAL, subject: words.first ?? "")
        }
        let entrance = try Self.filled(with: input)
        self.id = try Self.spawn(words, input: entrance.number, isQuiet: isQuiet)
        self.end = Descriptor(remindav_open_process(self.id))
        guard self.end.number >= 0 else {
            let error = SystemError.last(name)
            self.signal(SIGKILL)
            // It was started just now, and hangs nowhere yet.
            var status: Int32 = 0
            _ = unsafe waitpid(self.id, &status, 0)
            self.isOver = true
            throw error
        }
    }

    /// One that hangs in the kernel is left to it: nobody waits.
    deinit {
        self.signal(SIGKILL)
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

    /// Sends a signal to it and to what it has started.
    func signal(_ number: Int32) {
        guard !self.isOver else { return }
        kill(-self.id, number)
    }

    /// The reading end of a pipe that gives these bytes and then ends.
    private static func filled(with input: [UInt8]) throws(SystemError) -> Descriptor {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .last("pipe") }
        let (entrance, exit) = (Descriptor(ends[0]), Descriptor(ends[1]))
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(exit.number, F_SETFL, O_NONBLOCK)
        let count = unsafe input.withUnsafeBytes { unsafe write(exit.number, $0.baseAddress, $0.count) }
        guard count == input.count else { throw .last("pipe") }
        return entrance
    }

    private static func spawn(_ words: [String], input: Int32, isQuiet: Bool) throws(SystemError) -> pid_t {
        #if canImport(Glibc)
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        let environment = unsafe environ
        #else
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        let environment = unsafe _NSGetEnviron().pointee
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        if isQuiet { unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Signals that this program passes over are no children's business.
        var usual = sigset_t()
        unsafe sigemptyset(&usual)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { unsafe sigaddset(&usual, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        // Nor those that the thread which starts them does not want.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var child: pid_t = 0
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        let code = unsafe posix_spawnp(&child, words[0], &actions, &attributes, &arguments, environment)
        guard code == 0 else { throw SystemError(number: code, subject: words[0]) }
        return child
    }
}
