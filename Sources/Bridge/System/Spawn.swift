import Glibc

/// Starts programs, each in a process group of its own and with signals as a shell gives them.
///
/// A person's editor is started by ``TextEditor`` instead: it has the terminal, and so stays in our process group, keeps
/// our standard input and output, and gets back the signals that a terminal sends as well.
enum Spawn {
    /// More than this is no message for a program: a pipe of Linux takes so much without anybody reading.
    static let maximumInputBytes = 32 * 1024

    /// - Parameters:
    ///   - words: the program, which is found in PATH, and its arguments.
    ///   - input: its standard input; `nil` for nothing.
    ///   - output: its standard output; `nil` for nowhere.
    ///   - isQuiet: whether its complaints are not shown.
    /// - Returns: the number of the process, and of its group.
    static func start(
        _ words: [String],
        input: Int32? = nil,
        output: Int32? = nil,
        isQuiet: Bool
    ) throws(SystemError) -> pid_t {
        guard let name = words.first else { throw SystemError(number: EINVAL, subject: "") }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        let environment = unsafe environ
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        if let output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
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
        let code = unsafe posix_spawnp(&child, name, &actions, &attributes, &arguments, environment)
        guard code == 0 else { throw SystemError(number: code, subject: name) }
        return child
    }

    /// The reading end of a pipe that gives these bytes and then ends; `nil` for none.
    static func pipe(giving input: [UInt8]) throws(SystemError) -> Descriptor? {
        guard !input.isEmpty else { return nil }
        guard input.count <= Self.maximumInputBytes else { throw SystemError(number: EINVAL, subject: "pipe") }
        let (entrance, exit) = try Self.pipe()
        _ = fcntl(exit.number, F_SETFL, O_NONBLOCK)
        let count = unsafe input.withUnsafeBytes { unsafe write(exit.number, $0.baseAddress, $0.count) }
        guard count == input.count else { throw .last("pipe") }
        return entrance
    }

    /// Two ends; no child keeps one but as its standard input or output, or else the end of the bytes would not be seen.
    static func pipe() throws(SystemError) -> (read: Descriptor, write: Descriptor) {
        var ends: [Int32] = [-1, -1]
        let code = unsafe Glibc.pipe(&ends)
        guard code == 0 else { throw .last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (Descriptor(ends[0]), Descriptor(ends[1]))
    }
}
