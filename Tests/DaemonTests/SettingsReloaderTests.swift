import Glibc
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavDaemon
@testable import RemindavPlatform

/// The folders are real, and the tests set the times, so no test waits.
@Suite("settings that change at run time", .serialized)
struct SettingsReloaderTests {
    private let folder: TemporaryFolder
    /// The results of all reads, in order; `nil` for a missing file.
    private let reads = Reads()
    private let reloader: SettingsReloader

    private final class Reads: Sendable {
        let all = Mutex<[[UInt8]?]>([])
        /// Called before the file is read.
        let before = Mutex<(@Sendable () -> Void)?>(nil)
    }

    init() throws {
        let folder = try TemporaryFolder()
        let reads = self.reads
        self.folder = folder
        let path = "\(folder.path)/etc/config"
        let source = SettingsSource(path: path) {
            reads.before.withLock { $0 }?()
            // Reading a pipe would block.
            let bytes = SystemFiles.kind(path) == .other ? [] : SystemFiles.read(path, limit: 100)
            reads.all.withLock { $0.append(bytes) }
            return bytes
        } settings: { bytes in
            var settings = DaemonSettings()
            settings.syncSeconds = bytes?.first.map(Int.init)
            return settings
        }
        try Self.make("\(folder.path)/etc")
        self.reloader = try SettingsReloader(source)
    }

    private var etc: String { "\(self.folder.path)/etc" }
    private var config: String { "\(self.etc)/config" }

    private static func make(_ folder: String) throws { try SystemFiles.makePrivateFolder(folder) }

    private static func at(_ seconds: Int64) -> Int64 { seconds * 1_000_000_000 }

    /// Runs the reaction of the daemon to a wake-up.
    @discardableResult
    private func wake(_ seconds: Int64) -> [SettingsReloader.Effect] {
        let now = Self.at(seconds)
        return self.reloader.handle(isReadable: true, at: now)
    }

    /// Returns the sync interval in the settings that were read; `nil` if none were read.
    private func found(_ seconds: Int64) -> Int? {
        for case .use(let settings) in self.wake(seconds) { return settings.syncSeconds ?? 0 }
        return nil
    }

    private func write(_ byte: UInt8) throws { try TemporaryFolder.write([byte], to: self.config) }

    private func begin() {
        _ = self.reloader.start(at: 0)
        // After the pause for a missing file.
        self.wake(5)
        self.wake(10)
        #expect(self.reloader.next == nil)
        self.reads.all.withLock { $0 = [] }
    }

    @Test("a pipe in the place of the file is never read; a file that follows it is")
    func pipe() throws {
        self.begin()
        try #require(mkfifo(self.config, 0o600) == 0)
        self.wake(20)
        for time: Int64 in [25, 30, 35] { self.wake(time) }
        #expect(self.reloader.next == nil)
        self.reads.all.withLock { #expect($0.isEmpty) }
        // Writes into the pipe cause no event.
        let end = open(self.config, O_RDWR | O_NONBLOCK)
        try #require(end >= 0)
        defer { close(end) }
        self.wake(36)
        self.wake(38)
        try #require(writeByte(to: end) == 1)
        self.wake(39)
        #expect(self.reloader.next == nil)
        try self.write(anew: 7)
        #expect(self.found(40) == nil)
        #expect(self.found(41) == 7)
    }

    /// Replaces the file as editors do, with a temporary name.
    private func write(anew byte: UInt8) throws {
        try TemporaryFolder.write([byte], to: "\(self.etc)/new")
        try #require(rename("\(self.etc)/new", self.config) == 0)
    }

    @Test("a recreated folder is watched, although a process has the old one as its working directory")
    func recreated() throws {
        try self.write(1)
        self.begin()
        let standing = open(self.etc, O_RDONLY | O_DIRECTORY)
        defer { close(standing) }
        try #require(unlink(self.config) == 0 && rmdir(self.etc) == 0)
        try Self.make(self.etc)
        self.wake(20)
        #expect(self.reloader.next != nil)
        // The file did not exist at the last check of the daemon.
        try self.write(2)
        self.wake(21)
        #expect(self.found(22) == 2)
        try self.write(3)
        self.wake(30)
        #expect(self.found(31) == 3)
    }

    @Test("a folder that is recreated before the file is read is watched, too")
    func recreatedLater() throws {
        try self.write(1)
        self.begin()
        let standing = open(self.etc, O_RDONLY | O_DIRECTORY)
        defer { close(standing) }
        try #require(unlink(self.config) == 0)
        self.wake(20)
        try #require(rmdir(self.etc) == 0)
        try Self.make(self.etc)
        #expect(self.found(21) == nil)
        try self.write(2)
        self.wake(22)
        #expect(self.found(23) == 2)
    }

    @Test("a file that is empty at the time of reading is read again later")
    func emptied() throws {
        try self.write(1)
        self.begin()
        try self.write(2)
        self.wake(20)
        let path = self.config
        self.reads.before.withLock { $0 = { _ = truncate(path, 0) } }
        #expect(self.found(21) == nil)
        self.reads.before.withLock { $0 = nil }
        self.reads.all.withLock { #expect($0 == [[]]) }
        #expect(self.reloader.next != nil)
        try self.write(3)
        self.wake(22)
        #expect(self.found(23) == 3)
        // An emptied file counts after the pause.
        try TemporaryFolder.write([], to: path)
        self.wake(30)
        #expect(self.found(31) == nil)
        #expect(self.found(35) == 0)
    }

    @Test("a folder that is not needed any more is not watched")
    func unwanted() throws {
        let dots = "\(self.folder.path)/dots"
        try Self.make(dots)
        try TemporaryFolder.write([1], to: "\(dots)/config")
        try #require(symlink("../dots/config", self.config) == 0)
        self.begin()
        #expect(Set(self.reloader.watched) == [[self.etc], [dots]])
        // A folder with a file replaces the folder of the link.
        try #require(rename(self.etc, "\(self.folder.path)/old") == 0)
        try Self.make(self.etc)
        try self.write(2)
        self.wake(20)
        #expect(self.reloader.watched == [[self.etc]])
        #expect(self.found(21) == 2)
        // The remaining events of the other files.
        self.wake(25)
        try TemporaryFolder.write([3], to: "\(dots)/config")
        try TemporaryFolder.write([3], to: "\(self.folder.path)/old/other")
        #expect(!self.isReadable)
    }

    /// Whether the daemon would wake up.
    private var isReadable: Bool {
        var entry = pollfd(fd: self.reloader.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    @Test("a folder that cannot be watched is retried, reported once, and read when possible")
    func unwatched() throws {
        let folder = "\(self.folder.path)/later"
        let source = SettingsSource(path: "\(folder)/config") {
            SystemFiles.read("\(folder)/config", limit: 100)
        } settings: { bytes in
            var settings = DaemonSettings()
            settings.syncSeconds = bytes?.first.map(Int.init)
            return settings
        }
        // The folder is reported as existing, and is missing.
        let reloader = try SettingsReloader(source) { $0.hasSuffix("/config") ? .file : .folder }
        guard case .reportUnwatched? = reloader.start(at: 0).first else {
            Issue.record("the failure is not reported")
            return
        }
        #expect(reloader.next == 500_000_000)
        // The file is missing too, and is read after a pause.
        for time: Int64 in [1, 2, 5, 10] {
            for effect in reloader.handle(isReadable: false, at: Self.at(time)) {
                if case .reportUnwatched = effect { Issue.record("the failure is reported twice") }
            }
        }
        let next = try #require(reloader.next)
        #expect(next > Self.at(11))
        try Self.make(folder)
        try TemporaryFolder.write([9], to: "\(folder)/config")
        #expect(reloader.handle(isReadable: false, at: next).isEmpty)
        #expect(reloader.watched == [[folder]])
        #expect(reloader.next == next + 500_000_000)
        guard case .use(let settings)? = reloader.handle(isReadable: false, at: next + 500_000_000).first else {
            Issue.record("the file is not read")
            return
        }
        #expect(settings.syncSeconds == 9)
        #expect(reloader.next == nil)
    }

    @Test("settings that are saved in steps are read after the last step, or after three seconds of changes")
    func savedInSteps() throws {
        try self.write(1)
        self.begin()
        try self.write(2)
        self.reloader.handle(at: Self.at(10))
        try self.write(3)
        self.reloader.handle(at: Self.at(10) + 400_000_000)
        #expect(self.reloader.next == Self.at(10) + 900_000_000)
        for step in 5...100 where step * 100 < 3000 {
            try self.write(UInt8(step))
            self.reloader.handle(at: Self.at(10) + Int64(step) * 100_000_000)
        }
        #expect(self.reloader.next == Self.at(13))
        self.reads.all.withLock { #expect($0.isEmpty) }
        #expect(self.found(13) == 29)
        #expect(self.reloader.next == nil)
        // The pause of the next change starts with that change.
        try self.write(4)
        self.reloader.handle(at: Self.at(20))
        #expect(self.reloader.next == Self.at(20) + 500_000_000)
    }

    @Test("a file that was missing before is read at once, one that disappears after a pause")
    func missing() throws {
        self.begin()
        try self.write(1)
        self.wake(20)
        #expect(self.found(21) == 1)
        try #require(unlink(self.config) == 0)
        self.wake(30)
        #expect(self.found(31) == nil)
        #expect(self.reloader.next == Self.at(34))
        #expect(self.found(34) == 0)
        try TemporaryFolder.write([], to: self.config)
        self.wake(40)
        #expect(self.found(41) == 0)
    }

    @Test("an unchanged file causes no wake-up")
    func idle() throws {
        try self.write(1)
        self.begin()
        #expect(!self.isReadable)
        #expect(self.reloader.next == nil)
        #expect(SystemFiles.read(self.config, limit: 10) == [1])
        #expect(!self.isReadable)
    }
}

// A function outside the suites, because inside `write` is a method.
private func writeByte(to file: Int32) -> Int { write(file, [1], 1) }

extension SettingsReloader {
    fileprivate func handle(at now: Int64) { _ = self.handle(isReadable: true, at: now) }
}
