import Glibc
import RemindavNotifications
import RemindavTestSupport

@testable import RemindavDesktopBus

/// A private bus: `dbus-daemon` on a socket in a temporary folder.
///
/// It ends with the last reference to this value.
final class PrivateBus: Sendable {
    private let folder: TemporaryFolder
    private let process = Locked<pid_t?>(nil)

    /// The address of the bus, whether it runs or not.
    let address: BusAddress

    /// - Parameters:
    ///   - starts: the program that the bus starts for the notification service; `nil` if none is installed.
    ///   - isRunning: whether the bus runs from the beginning.
    init(starts program: String? = nil, isRunning: Bool = true) throws {
        self.folder = try TemporaryFolder()
        self.address = try BusAddress("unix:path=\(self.folder.path)/bus")
        mkdir("\(self.folder.path)/services", 0o755)
        if let program {
            let text = "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=\(program)\n"
            try TemporaryFolder.write(
                Array(text.utf8),
                to: "\(self.folder.path)/services/org.freedesktop.Notifications.service"
            )
        }
        try TemporaryFolder.write(Array(self.configuration.utf8), to: "\(self.folder.path)/bus.conf")
        if isRunning { try self.start() }
    }

    deinit { self.stop() }

    private var configuration: String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(self.folder.path)/bus</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(self.folder.path)/services</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }

    /// Starts the bus, and waits until it listens.
    func start() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw BusFailure(errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        unlink("\(self.folder.path)/bus")
        let words = ["dbus-daemon", "--config-file=\(self.folder.path)/bus.conf", "--nofork", "--print-address=1"]
        let child = spawn(words, output: ends[1])
        close(ends[1])
        self.process.withLock { $0 = child }
        var byte: UInt8 = 0
        guard child != nil, read(ends[0], &byte, 1) == 1 else { throw BusFailure(errno: ESRCH) }
    }

    func stop() {
        let process = self.process.withLock { process in
            defer { process = nil }
            return process
        }
        if let process { end(process) }
    }
}

/// Starts a program.
func spawn(_ words: [String], output: Int32? = nil, environment: [String: String] = [:]) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let output {
        posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var names =
        ["PATH", "HOME"].reduce(into: environment) { all, name in
            all[name] = all[name] ?? getenv(name).map { String(cString: $0) }
        }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { names.forEach { free($0) } }
    var child: pid_t = 0
    return posix_spawnp(&child, words[0], &actions, nil, &arguments, &names) == 0 ? child : nil
}

/// Ends a program, and waits for its exit.
func end(_ process: pid_t) {
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
}

/// Waits until a condition holds.
///
/// - Returns: whether it held before the time limit, which is long enough for a busy machine.
func eventually(seconds: Double = 20, _ isSo: () -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while clock.now < end {
        if isSo() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return isSo()
}
