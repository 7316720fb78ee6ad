import Glibc
import RemindavCLinuxEvents

/// A child process, for use by one thread; if it is running when the last reference to this object ends, it is killed.
package final class Subprocess {
    package struct Options: Sendable {
        /// The bytes for the standard input of the process, at most ``Subprocess/maximumInputBytes``.
        var input: [UInt8] = []
        var collectsOutput = false
        /// Whether the process has this program's standard error; otherwise its error output is discarded.
        var inheritsErrors = false
        /// Whether the process shares the terminal, and with it this program's process group and standard streams.
        var isInteractive = false
        /// Whether this program writes the standard input of an interactive process (``Subprocess/input``).
        var isFed = false

        /// Options for a process with this input, whose output is discarded.
        package init(input: [UInt8] = []) { self.input = input }

        /// Options for a process whose input ends when this process ends or releases it, and whose output is discarded.
        ///
        /// The process ends with its input if it calls ``TiedProcess/endWithInput()``.
        package static var tied: Self {
            var options = Self()
            options.isFed = true
            return options
        }

        static var interactive: Self {
            var options = Self()
            options.isInteractive = true
            return options
        }

        static var fedAndInteractive: Self {
            var options = Self.interactive
            options.isFed = true
            return options
        }
    }

    package enum End: Hashable, Sendable {
        /// The exit status, or 128 plus the number of the signal that ended the process.
        case status(Int32)
        /// The kernel no longer has the exit status, for example because this process ignores `SIGCHLD`.
        case unknown
    }

    /// A pipe buffers this many bytes before a process reads them, so writing the input never blocks.
    static let maximumInputBytes = 32 * 1024

    /// A file descriptor that is readable when the process has ended.
    package var descriptor: Int32 { self.end.number }
    /// The number of the process; except for an interactive process, it is also the number of its process group.
    let id: pid_t
    /// The write end of the standard input with `isFed`; the input ends when it is set to `nil`.
    var input: Descriptor?
    private let isInteractive: Bool
    private let end: Descriptor
    private let output: Descriptor?
    private var isOver = false

    /// Starts a program; `words[0]` is its name, which is searched in PATH, or its path.
    package init(_ words: [String], _ options: Options = Options()) throws(SystemError) {
        let feed = options.isFed ? try Self.pipe() : nil
        let input: Descriptor? = if let feed { feed.read } else { try Self.pipe(containing: options.input) }
        let output = options.collectsOutput ? try Self.pipe() : nil
        self.id = try Self.spawn(words, options, input: input?.number, output: output?.write.number)
        self.input = feed?.write
        self.isInteractive = options.isInteractive
        self.output = output?.read
        if let output { _ = fcntl(output.read.number, F_SETFL, O_NONBLOCK) }
        self.end = Descriptor(remindav_open_process(self.id))
        guard self.end.number >= 0 else {
            let error = SystemError.last(words[0])
            self.kill()
            _ = self.waitForEnd()
            throw error
        }
    }

    /// The wait in nanoseconds for the end of a killed process, which ends at once unless it waits for a disk.
    private static let killingTime: Int64 = 1_000_000_000

    /// Kills the process and removes it from the kernel's list of ended processes.
    deinit {
        guard !self.isOver else { return }
        self.kill()
        Self.wait(for: [self.descriptor], nanoseconds: Self.killingTime)
        _ = self.ended()
    }

    /// Returns how the process ended; `nil` while it is running, and after the first call that returned its end.
    package func ended() -> End? { self.isOver ? nil : self.reap(WNOHANG) }

    /// Waits for the end of the process; `nil` when its end was already returned.
    func waitForEnd() -> End? {
        while !self.isOver {
            if let end = self.reap(0) { return end }
        }
        return nil
    }

    private func reap(_ options: Int32) -> End? {
        var status: Int32 = 0
        let found = unsafe waitpid(self.id, &status, options)
        guard found == self.id else {
            guard found < 0, errno == ECHILD else { return nil }
            self.isOver = true
            return .unknown
        }
        self.isOver = true
        let signal = status & 0x7F
        return .status(signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
    }

    package func terminate() { self.signal(SIGTERM) }
    package func kill() { self.signal(SIGKILL) }

    private func signal(_ number: Int32) {
        guard !self.isOver else { return }
        Glibc.kill(self.isInteractive ? self.id : -self.id, number)
    }

    /// Waits until one of the processes has ended, at most `nanoseconds`.
    package static func wait(for processes: [Subprocess], nanoseconds: Int64) {
        self.wait(for: processes.map(\.descriptor), nanoseconds: nanoseconds)
    }

    private static func wait(for descriptors: [Int32], nanoseconds: Int64) {
        let deadline = WakeSources.uptime + nanoseconds
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let rest = max(deadline - WakeSources.uptime, 0)
            let count = unsafe poll(&entries, nfds_t(entries.count), Int32(clamping: rest / 1_000_000 + 1))
            // A signal handler ends the call early.
            guard count < 0, errno == EINTR, rest > 0 else { return }
        }
    }
}

// MARK: - The output of a program

extension Subprocess {
    /// The time limit for commands that print a password; a password manager may ask for a fingerprint or a passphrase.
    package static let passwordTimeLimit = Duration.seconds(120)
    /// The maximum length of the output in bytes; a password is much shorter.
    private static let maximumOutputBytes = 64 * 1024

    /// Returns the first line of a program's output, empty for none; `nil` when the program fails or takes too long.
    package static func firstLine(of words: [String], input: [UInt8] = [], within limit: Duration) -> String? {
        var options = Options(input: input)
        options.collectsOutput = true
        let deadline = ContinuousClock.now.advanced(by: limit)
        guard let process = try? Subprocess(words, options), let output = process.output(until: deadline) else {
            return nil
        }
        return Self.firstLine(output)
    }

    /// Returns the first line that a shell command prints; `nil` when it fails, prints an empty line or takes too long.
    ///
    /// The command's standard input is empty. Its error output is visible, and it may ask questions on the terminal.
    /// Background processes that it starts, such as an agent, are not waited for.
    package static func firstLine(
        ofShellCommand command: String,
        within limit: Duration = Subprocess.passwordTimeLimit
    ) -> String? {
        var options = Options()
        (options.collectsOutput, options.inheritsErrors) = (true, true)
        let deadline = ContinuousClock.now.advanced(by: limit)
        guard let process = try? Subprocess(["/bin/sh", "-c", command], options) else { return nil }
        let terminal = ForegroundTerminal(to: process.id)
        defer { terminal?.restore() }
        guard let output = process.output(until: deadline) else { return nil }
        let line = Self.firstLine(output)
        return line.isEmpty ? nil : line
    }

    private static func firstLine(_ output: [UInt8]) -> String {
        String(decoding: output.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }

    /// Returns the whole output; kills the process and returns `nil` when it fails, prints too much or takes too long.
    private func output(until deadline: ContinuousClock.Instant) -> [UInt8]? {
        defer {
            self.kill()
            _ = self.waitForEnd()
        }
        var output: [UInt8] = []
        var isOpen = true
        while ContinuousClock.now < deadline {
            // The end is determined before reading, so that a read after the end returns all remaining output.
            let end = self.ended()
            if end == nil {
                // poll(2) ignores negative descriptors.
                var entries = [self.descriptor, isOpen ? self.output?.number ?? -1 : -1].map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
                let rest = ContinuousClock.now.duration(to: deadline) / Duration.milliseconds(1)
                _ = unsafe poll(&entries, nfds_t(entries.count), Int32(max(rest, 0).rounded(.up)))
            }
            if isOpen { isOpen = self.readOutput(into: &output) }
            if output.count > Self.maximumOutputBytes { return nil }
            if let end { return end == .status(0) ? output : nil }
        }
        return nil
    }

    /// Reads the available output; returns whether more output may follow.
    private func readOutput(into output: inout [UInt8]) -> Bool {
        guard let file = self.output else { return false }
        var chunk = [UInt8](repeating: 0, count: 4096)
        while output.count <= Self.maximumOutputBytes {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(file.number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return true }
            guard count > 0 else { return false }
            output += chunk[..<count]
        }
        return true
    }
}

// MARK: - Starting

extension Subprocess {
    private static func spawn(
        _ words: [String],
        _ options: Options,
        input: Int32?,
        output: Int32?
    ) throws(SystemError) -> pid_t {
        guard let name = words.first else { throw SystemError(number: EINVAL, subject: "") }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        if options.isInteractive {
            if let input { unsafe posix_spawn_file_actions_adddup2(&actions, input, 0) }
        } else {
            for (stream, descriptor) in [(Int32(0), input), (1, output)] {
                if let descriptor {
                    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, stream)
                } else {
                    let mode = stream == 0 ? O_RDONLY : O_WRONLY
                    unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", mode, 0)
                }
            }
            if !options.inheritsErrors {
                unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
            }
        }
        // The child does not inherit this program's ignored and blocked signals. Except for an interactive child, an
        // ignored SIGHUP stays ignored, as `nohup` requires.
        let signals = [SIGINT, SIGTERM, SIGPIPE] + (options.isInteractive ? [SIGQUIT, SIGHUP, SIGTSTP] : [])
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe posix_spawnattr_setsigmask(&attributes, &defaults)
        for signal in signals { unsafe sigaddset(&defaults, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        let group = options.isInteractive ? 0 : POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var child: pid_t = 0
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        let code = unsafe posix_spawnp(&child, name, &actions, &attributes, &arguments, environ)
        guard code == 0 else { throw SystemError(number: code, subject: name) }
        return child
    }

    /// Returns the read end of a pipe that contains the bytes; `nil` for no bytes.
    private static func pipe(containing input: [UInt8]) throws(SystemError) -> Descriptor? {
        guard !input.isEmpty else { return nil }
        guard input.count <= Self.maximumInputBytes else { throw SystemError(number: EINVAL, subject: "pipe") }
        let (entrance, exit) = try Self.pipe()
        _ = fcntl(exit.number, F_SETFL, O_NONBLOCK)
        let count = unsafe input.withUnsafeBytes { unsafe write(exit.number, $0.baseAddress, $0.count) }
        guard count == input.count else { throw .last("pipe") }
        return entrance
    }

    /// Children inherit the pipe only as a standard stream; a copy of the write end would prevent the end of file.
    static func pipe() throws(SystemError) -> (read: Descriptor, write: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard unsafe remindav_pipe(&ends) == 0 else { throw .last("pipe") }
        return (Descriptor(ends[0]), Descriptor(ends[1]))
    }
}
