import Glibc
import RemindavTestSupport
import Testing

@testable import RemindavDaemon
@testable import RemindavPlatform
@testable import RemindavStore

@Suite("child processes of the daemon", .timeLimit(.minutes(1)))
struct ChildProcessesTests {
    private let children = ChildProcesses()

    /// Waits at most ten seconds until a descriptor of a child is readable.
    private func wait() -> Set<Int32> {
        var entries = self.children.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&entries, nfds_t(entries.count), 10_000)
        return Set(entries.filter { $0.revents != 0 }.map(\.fd))
    }

    private func start(_ script: String, _ purpose: ChildProcesses.ChildPurpose = .notify, seconds: Int = 100) -> Bool {
        self.children.start(["/bin/sh", "-c", script], for: purpose, seconds: seconds)
    }

    @Test(
        "each exit is reported once, with its status",
        arguments: [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143)]
    )
    func status(script: String, status: Int32) {
        #expect(self.start(script))
        #expect(self.children.ended(self.wait(), at: 0) == [.init(purpose: .notify, outcome: .ended(.status(status)))])
        #expect(self.children.descriptors.isEmpty)
    }

    @Test("a process over its time limit is killed and reported, without waiting for its exit")
    func tooLong() {
        #expect(self.start("trap '' TERM; sleep 100", .sync(AccountID(3)), seconds: 5))
        let late = WakeSources.uptime + 6_000_000_000
        #expect(self.children.ended([], at: late) == [.init(purpose: .sync(AccountID(3)), outcome: .timedOut)])
        // The process has no deadline any more, and its record is removed after its exit.
        #expect(self.children.deadline == nil && self.children.descriptors.count == 1)
        #expect(self.children.ended([], at: late + 1).isEmpty)
        #expect(self.children.ended(self.wait(), at: late + 2).isEmpty)
        #expect(self.children.descriptors.isEmpty)
    }

    /// Waits for a file of a script; fails after ten seconds, because a script that ended creates no file.
    private static func waitUntilReady(_ folder: TemporaryFolder) throws {
        for _ in 0..<1000 where !folder.names.contains("ready") { usleep(10_000) }
        try #require(folder.names.contains("ready"))
    }

    @Test("at the end each process may finish")
    func gracefulEnd() throws {
        let folder = try TemporaryFolder()
        let script = "trap 'sleep 0.3; : > \(folder.path)/done; exit' TERM; : > \(folder.path)/ready; sleep 100 & wait"
        #expect(self.start(script))
        try Self.waitUntilReady(folder)
        self.children.end()
        #expect(folder.names.contains("done"))
        #expect(self.children.descriptors.isEmpty)
    }

    @Test("a process that does not end is killed after a moment")
    func stubborn() throws {
        let folder = try TemporaryFolder()
        #expect(self.start("trap '' TERM; : > \(folder.path)/ready; while :; do sleep 0.1; done"))
        try Self.waitUntilReady(folder)
        let began = WakeSources.uptime
        self.children.end()
        #expect(WakeSources.uptime - began < 5_000_000_000)
        #expect(self.children.descriptors.isEmpty)
    }

    @Test("children inherit no blocked signals of the starting thread")
    func mask() throws {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let isRunning = self.start("kill -TERM $$; exit 3")
        pthread_sigmask(SIG_SETMASK, &before, nil)
        #expect(isRunning)
        #expect(self.children.ended(self.wait(), at: 0) == [.init(purpose: .notify, outcome: .ended(.status(143)))])
    }

    @Test("a flood of alarms delays no sync")
    func crowd() {
        for _ in 0..<DaemonLimits.maximumChildren { #expect(self.start("sleep 100")) }
        #expect(!self.start("sleep 100"))
        #expect(self.start("sleep 100", .sync(AccountID(1))))
        self.children.end()
    }
}
