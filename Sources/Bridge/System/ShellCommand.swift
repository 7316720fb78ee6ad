import Glibc

/// Runs a command of the person's own through the shell, for the password that it prints; or another program, for a line.
enum ShellCommand {
    /// A password manager may wait for a finger or a passphrase, but not for ever.
    static let timeLimit = Duration.seconds(120)

    /// The first line of what a program prints, empty when it prints nothing, `nil` when it fails or takes too long.
    ///
    /// It is found in PATH, and its complaints are not shown.
    ///
    /// - Parameter input: what it reads on standard input, at most ``Spawn/maximumInputBytes``.
    static func run(_ words: [String], input: [UInt8] = [], within limit: Duration) -> String? {
        let deadline = ContinuousClock.now.advanced(by: limit)
        guard var process = try? ShellProcess(words, input: input, isQuiet: true) else { return nil }
        defer { process.end() }
        guard process.run(until: deadline) else { return nil }
        return String(decoding: process.output.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }

    /// Starts a program and does not wait for it; it is found in PATH.
    ///
    /// - Returns: whether there is such a program.
    @discardableResult
    static func start(_ words: [String]) -> Bool {
        self.run(["/bin/sh", "-c", self.starting, "sh"] + words, within: .seconds(5)) != nil
    }

    /// Starts a program for a person to see, and watches it for a second.
    ///
    /// - Returns: whether it still runs, or has ended well; a window that cannot be shown ends sooner, and not well.
    static func launch(_ words: [String]) -> Bool {
        let script = self.watching + "\nwatch 10 \"$@\""
        return self.run(["/bin/sh", "-c", script, "sh"] + words, within: .seconds(5)) != nil
    }

    /// For a shell: the function `watch TENTHS PROGRAM...`, which starts a program in its own session and waits until
    /// it ends, for at most TENTHS tenths of a second.
    ///
    /// Its status is 0 when the program still runs, 127 when there is no such program, else the program's. In its own
    /// session the program outlives the shell's process group, and cannot prompt on another terminal.
    static let watching = #"""
        watch() {
            tenths=$1
            shift
            command -v "$1" > /dev/null 2>&1 || return 127
            command -v setsid > /dev/null 2>&1 && set -- setsid "$@"
            "$@" < /dev/null > /dev/null 2>&1 &
            started=$!
            while [ "$tenths" -gt 0 ]; do
                sleep 0.1
                kill -0 "$started" 2> /dev/null || { wait "$started"; return $?; }
                tenths=$((tenths - 1))
            done
        }
        """#

    /// For a shell: starts its arguments, or ends with 127, as shells do, where there is no such program.
    ///
    /// The shell ends at once, and the program belongs to nobody who would have to wait for it.
    static let starting = #"command -v "$1" > /dev/null 2>&1 || exit 127; "$@" > /dev/null 2>&1 &"#

    /// The first line of what the command prints, or `nil` when it fails, prints nothing or takes too long.
    ///
    /// Its standard input is empty; its complaints go to ours; it may ask on the terminal. A process that it leaves
    /// behind, such as an agent, is not waited for.
    ///
    /// - Parameter limit: for printing and ending together; after it, the command and what it started is killed.
    static func firstLine(of command: String, within limit: Duration = Self.timeLimit) -> String? {
        let deadline = ContinuousClock.now.advanced(by: limit)
        guard var process = try? ShellProcess(["/bin/sh", "-c", command], isQuiet: false) else { return nil }
        defer { process.end() }
        let terminal = ForegroundTerminal(to: process.id)
        defer { terminal?.takeBack() }
        guard process.run(until: deadline) else { return nil }
        let line = process.output.prefix { $0 != 0x0A && $0 != 0x0D }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}

/// One program, in a process group of its own.
private struct ShellProcess {
    /// More than this is no password.
    private static let outputLimit = 64 * 1024
    /// How long a command that closed its output, or left it to another process, may have ended unseen.
    private static let lookMilliseconds: Int32 = 20

    /// Of the process and of its group.
    let id: pid_t
    private let file: Descriptor
    private(set) var output: [UInt8] = []
    private var isOpen = true
    /// As `waitpid` gives it; `nil` while the process runs.
    private var status: Int32?

    init(_ words: [String], input: [UInt8] = [], isQuiet: Bool) throws(SystemError) {
        let entrance = try Spawn.pipe(giving: input)
        let (file, exit) = try Spawn.pipe()
        _ = fcntl(file.number, F_SETFL, O_NONBLOCK)
        self.id = try Spawn.start(words, input: entrance?.number, output: exit.number, isQuiet: isQuiet)
        self.file = file
    }

    /// - Returns: whether the command ended well before the deadline, having printed no more than a password.
    mutating func run(until deadline: ContinuousClock.Instant) -> Bool {
        while ContinuousClock.now < deadline {
            // Asked before reading: what the command printed before it ended is then in the pipe.
            self.lookForEnd()
            if self.status == nil {
                // A descriptor below zero only waits. An interruption only looks earlier.
                var poller = pollfd(fd: self.isOpen ? self.file.number : -1, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&poller, 1, Self.lookMilliseconds)
            }
            self.collect()
            if self.output.count > Self.outputLimit { return false }
            if let status = self.status { return status == 0 }
        }
        return false
    }

    /// Kills what still runs, and lets the system forget it.
    func end() {
        guard self.status == nil else { return }
        kill(-self.id, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(self.id, &status, 0) < 0, errno == EINTR {}
    }

    private mutating func lookForEnd() {
        var status: Int32 = 0
        let ended = unsafe waitpid(self.id, &status, WNOHANG)
        if ended == self.id { self.status = status }
    }

    /// Takes what has been printed so far.
    private mutating func collect() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while self.isOpen, self.output.count <= Self.outputLimit {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(self.file.number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return self.isOpen = false }
            self.output += chunk[..<count]
        }
    }
}

/// The terminal that this program was started from, while another process group may ask on it.
///
/// Without it, a command in a group of its own would be stopped as soon as it asks for a passphrase.
private struct ForegroundTerminal {
    private let file: Int32
    private let owner: pid_t

    /// `nil` when there is no terminal, or when it is not ours to lend.
    init?(to group: pid_t) {
        let file = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
        guard tcgetpgrp(file) == getpgrp(), tcsetpgrp(file, group) == 0 else {
            close(file)
            return nil
        }
        self.file = file
        self.owner = getpgrp()
        // It may have asked, and been stopped, before the terminal was its own.
        kill(-group, SIGCONT)
    }

    func takeBack() {
        // From the background this call would stop us.
        let before = signal(SIGTTOU, SIG_IGN)
        tcsetpgrp(self.file, self.owner)
        _ = signal(SIGTTOU, before)
        close(self.file)
    }
}
