import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Bridge
@testable import Platform

/// Folders are real, and times are given: nobody waits.
@Suite("settings that change while the daemon runs", .serialized)
struct SettingsWatchTests {
    private let folder: TemporaryFolder
    /// What was read, in a row; `nil` for no file.
    private let reads = Reads()
    private let watch: SettingsWatcher

    private final class Reads: Sendable {
        let all = Mutex<[[UInt8]?]>([])
        /// Done when the file is about to be read.
        let before = Mutex<(@Sendable () -> Void)?>(nil)
    }

    init() throws {
        let folder = try TemporaryFolder()
        let reads = self.reads
        self.folder = folder
        let path = "\(folder.path)/etc/config"
        let source = SettingsSource(path: path) {
            reads.before.withLock { $0 }?()
            // A pipe would be waited for.
            let bytes = SystemFiles.kind(path) == .other ? [] : SystemFiles.read(path, limit: 100)
            reads.all.withLock { $0.append(bytes) }
            return bytes
        } settings: { bytes in
            var settings = DaemonSettings()
            settings.syncSeconds = bytes?.first.map(Int.init)
            return settings
        }
        try Self.make("\(folder.path)/etc")
        self.watch = try SettingsWatcher(source)
    }

    private var etc: String { "\(self.folder.path)/etc" }
    private var config: String { "\(self.etc)/config" }

    private static func make(_ folder: String) throws { try SystemFiles.makePrivateFolder(folder) }

    private static func at(_ seconds: Int64) -> Int64 { seconds * 1_000_000_000 }

    /// What the daemon does when it wakes up.
    @discardableResult
    private func wake(_ seconds: Int64) -> [SettingsWatcher.Finding] {
        let now = Self.at(seconds)
        return [self.watch.hear(at: now), self.watch.watchAnew(at: now), self.watch.read(at: now)].compactMap { $0 }
    }

    /// The seconds between two syncs that the settings say which were found; `nil` when none were.
    private func found(_ seconds: Int64) -> Int? {
        for case .settings(let settings) in self.wake(seconds) { return settings.syncSeconds ?? 0 }
        return nil
    }

    private func write(_ byte: UInt8) throws { try TemporaryFolder.write([byte], to: self.config) }

    private func begin() {
        _ = self.watch.begin(at: 0)
        // With time for a file that is not there.
        self.wake(5)
        self.wake(10)
        #expect(self.watch.next == nil)
        self.reads.all.withLock { $0 = [] }
    }

    @Test("a pipe that takes the file's place, or that of no file, is never read; a file that follows it is")
    func pipe() throws {
        self.begin()
        try #require(mkfifo(self.config, 0o600) == 0)
        self.wake(20)
        for time: Int64 in [25, 30, 35] { self.wake(time) }
        #expect(self.watch.next == nil)
        self.reads.all.withLock { #expect($0.isEmpty) }
        // What is written into it is no news.
        let end = open(self.config, O_RDWR | O_NONBLOCK)
        try #require(end >= 0)
        defer { close(end) }
        _ = self.watch.hear(at: Self.at(36))
        self.wake(38)
        try #require(writeByte(to: end) == 1)
        self.wake(39)
        #expect(self.watch.next == nil)
        try self.write(anew: 7)
        #expect(self.found(40) == nil)
        #expect(self.found(41) == 7)
    }

    /// As editors do: under another name first.
    private func write(anew byte: UInt8) throws {
        try TemporaryFolder.write([byte], to: "\(self.etc)/new")
        try #require(rename("\(self.etc)/new", self.config) == 0)
    }

    @Test("a folder that is made anew is watched, though somebody stands in the old one")
    func madeAnew() throws {
        try self.write(1)
        self.begin()
        let standing = open(self.etc, O_RDONLY | O_DIRECTORY)
        defer { close(standing) }
        try #require(unlink(self.config) == 0 && rmdir(self.etc) == 0)
        try Self.make(self.etc)
        self.wake(20)
        #expect(self.watch.next != nil)
        // It was not there yet when the daemon had a look.
        try self.write(2)
        self.wake(21)
        #expect(self.found(22) == 2)
        try self.write(3)
        self.wake(30)
        #expect(self.found(31) == 3)
    }

    @Test("a folder that is made anew before the file is read is watched, too")
    func madeAnewLater() throws {
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

    @Test("a file that is emptied as it is read is given time")
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
        #expect(self.watch.next != nil)
        try self.write(3)
        self.wake(22)
        #expect(self.found(23) == 3)
        // Who takes everything out means it.
        try TemporaryFolder.write([], to: path)
        self.wake(30)
        #expect(self.found(31) == nil)
        #expect(self.found(35) == 0)
    }

    @Test("a folder that is wanted no more is not watched")
    func unwanted() throws {
        let dots = "\(self.folder.path)/dots"
        try Self.make(dots)
        try TemporaryFolder.write([1], to: "\(dots)/config")
        try #require(symlink("../dots/config", self.config) == 0)
        self.begin()
        #expect(Set(self.watch.watched) == [[self.etc], [dots]])
        // The folder of the link goes, and a folder with a file takes its place.
        try #require(rename(self.etc, "\(self.folder.path)/old") == 0)
        try Self.make(self.etc)
        try self.write(2)
        self.wake(20)
        #expect(self.watch.watched == [[self.etc]])
        #expect(self.found(21) == 2)
        // What was left to be said of the others.
        self.wake(25)
        try TemporaryFolder.write([3], to: "\(dots)/config")
        try TemporaryFolder.write([3], to: "\(self.folder.path)/old/other")
        #expect(!self.isReadable)
    }

    /// Whether the daemon would wake up.
    private var isReadable: Bool {
        var entry = pollfd(fd: self.watch.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    @Test("a folder that cannot be watched is tried again, told of once, and read when it can be")
    func unwatched() throws {
        let folder = "\(self.folder.path)/later"
        let source = SettingsSource(path: "\(folder)/config") {
            SystemFiles.read("\(folder)/config", limit: 100)
        } settings: { bytes in
            var settings = DaemonSettings()
            settings.syncSeconds = bytes?.first.map(Int.init)
            return settings
        }
        // It is said to be there, and is not yet.
        let watch = try SettingsWatcher(source) { $0.hasSuffix("/config") ? .file : .folder }
        guard case .unwatched = watch.begin(at: 0) else {
            Issue.record("nobody is told")
            return
        }
        #expect(watch.next == 500_000_000)
        // The file is not there either, and is given time.
        for time: Int64 in [1, 2, 5, 10] {
            #expect(watch.watchAnew(at: Self.at(time)) == nil)
            _ = watch.read(at: Self.at(time))
        }
        let next = try #require(watch.next)
        #expect(next > Self.at(11))
        try Self.make(folder)
        try TemporaryFolder.write([9], to: "\(folder)/config")
        #expect(watch.watchAnew(at: next) == nil)
        #expect(watch.watched == [[folder]])
        #expect(watch.next == next + 500_000_000)
        guard case .settings(let settings) = watch.read(at: next + 500_000_000) else {
            Issue.record("it is not read")
            return
        }
        #expect(settings.syncSeconds == 9)
        #expect(watch.next == nil)
    }

    @Test("what is not changed wakes nobody")
    func idle() throws {
        try self.write(1)
        self.begin()
        #expect(!self.isReadable)
        #expect(self.watch.next == nil)
        #expect(SystemFiles.read(self.config, limit: 10) == [1])
        #expect(!self.isReadable)
    }
}

@Suite("folders that are watched")
struct FolderWatchTests {
    @Test("one that takes the name of another is watched instead of it")
    func sameName() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a"
        try SystemFiles.makePrivateFolder(path)
        let watch = try FolderWatch()
        #expect(try watch.add(path))
        #expect(try !watch.add(path))
        let standing = open(path, O_RDONLY | O_DIRECTORY)
        try #require(rmdir(path) == 0)
        try SystemFiles.makePrivateFolder(path)
        #expect(try watch.add(path))
        #expect(watch.watched == [[path]])
        try TemporaryFolder.write([1], to: "\(path)/x")
        #expect(watch.changes().files == [path: ["x"]])
        // The old one is nobody's any more.
        close(standing)
        let changes = watch.changes()
        #expect(changes.gone == [] && changes.files == [:])
    }

    @Test("one that is only looked at for its names any more is not heard of for what is written")
    func lessDeep() throws {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write([1], to: "\(folder.path)/x")
        let watch = try FolderWatch()
        #expect(try watch.add(folder.path, .contents))
        #expect(try watch.add(folder.path, .names))
        #expect(try !watch.add(folder.path, .names))
        _ = watch.changes()
        try TemporaryFolder.write([2], to: "\(folder.path)/x")
        #expect(watch.changes().files == [:])
        try TemporaryFolder.write([2], to: "\(folder.path)/y")
        #expect(watch.changes().files == [folder.path: ["y"]])
        #expect(try watch.add(folder.path, .contents))
    }

    @Test("one with two names is heard of by both, and as long as one of them is wanted")
    func twoNames() throws {
        let folder = try TemporaryFolder()
        let other = "\(folder.path)/."
        let watch = try FolderWatch()
        #expect(try watch.add(folder.path))
        #expect(try watch.add(other))
        #expect(try !watch.add(folder.path))
        #expect(watch.watched == [[folder.path, other]])
        try TemporaryFolder.write([1], to: "\(folder.path)/x")
        #expect(watch.changes().files == [folder.path: ["x"], other: ["x"]])
        watch.removeAll(but: [other])
        try TemporaryFolder.write([1], to: "\(folder.path)/y")
        #expect(watch.changes().files == [other: ["y"]])
    }

    @Test("one that cannot be watched is tried again, ever later, until it can be or is wanted no more")
    func lost() {
        var lost = VanishedFolders()
        for (now, next) in [(0, 1), (1, 3), (3, 7)] as [(Int64, Int64)] {
            #expect(lost.failed("/a", at: now * 1_000_000_000) == (now == 0))
            #expect(lost.next == next * 1_000_000_000)
        }
        _ = lost.failed("/b", at: 0)
        lost.foundAll(but: ["/a"])
        #expect(lost.next == 7_000_000_000)
        lost.foundAll(but: [])
        #expect(lost.next == nil)
    }
}

// Outside of the suites, where the name means the system's function.
private func writeByte(to file: Int32) -> Int { write(file, [1], 1) }
