import CLinuxEvents
import Glibc
import ICalendar
import Synchronization

/// Whether SIGINT or SIGTERM has come.
private let isEndWanted = Atomic(false)
/// What wakes the thread that waits.
private let endBell = Atomic<Int32>(-1)

/// Called in the middle of anything: it does what signal-safety(7) allows, and nothing else.
private func hearEnd(_ number: Int32) {
    let error = errno
    isEndWanted.store(true, ordering: .sequentiallyConsistent)
    var byte: UInt8 = 0
    // A pipe that is full wakes as well.
    _ = unsafe write(endBell.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = error
}

/// What a daemon waits for, all at once and without ever looking in between.
///
/// For one thread; only ``WakePipe`` may be rung by others.
final class WakeSources {
    /// What has happened.
    struct News {
        /// The time that was asked for has come, or the clock was set, as it is when the machine wakes up.
        var clock = false
        /// The pause is over.
        var pause = false
        /// What has changed in ``folders``.
        var folders = FolderWatch.News()
        /// The machine has other addresses or routes.
        var network = false
        /// Somebody has rung the bell.
        var bell = false
        /// SIGINT or SIGTERM has come, since ``WakePipe/hearSignals()``.
        var isToEnd = false
        /// What else was to be watched and can be read, or is at its end.
        var readable: Set<Int32> = []
    }

    /// Wakes the thread that waits, from any other.
    final class WakePipe: Sendable {
        fileprivate let ends: (read: Descriptor, write: Descriptor)

        init() throws(SystemError) {
            self.ends = try Spawn.pipe()
            for end in [self.ends.read, self.ends.write] { _ = fcntl(end.number, F_SETFL, O_NONBLOCK) }
        }

        /// Has SIGINT and SIGTERM ring it from now on, each once: the second kills.
        func hearSignals() throws(SystemError) {
            // Touched here, so that nothing is left to be made when a signal comes.
            endBell.store(self.ends.write.number, ordering: .sequentiallyConsistent)
            isEndWanted.store(false, ordering: .sequentiallyConsistent)
            guard remindav_listen_for_end(hearEnd) == 0 else { throw .last("sigaction") }
        }

        /// A pipe that is full wakes as well.
        func ring() {
            var byte: UInt8 = 0
            _ = unsafe write(self.ends.write.number, &byte, 1)
        }
    }

    /// Whether SIGINT or SIGTERM was received; checked during long work.
    static var isToEnd: Bool { isEndWanted.load(ordering: .sequentiallyConsistent) }

    private let bell: WakePipe
    private let clock: Descriptor
    private let pause: Descriptor
    /// Folders that are watched.
    let folders: FolderWatch
    /// `nil` while nobody wants to know, and where nobody may, as in a unit that is shut in.
    private var network: Descriptor?

    init(_ bell: WakePipe) throws(SystemError) {
        self.bell = bell
        self.folders = try FolderWatch()
        self.clock = Descriptor(remindav_new_timer(1))
        self.pause = Descriptor(remindav_new_timer(0))
        guard self.clock.number >= 0, self.pause.number >= 0 else { throw .last("timerfd") }
    }

    /// Whether news of the network wake.
    ///
    /// Some networks have some each minute: who does not need them sleeps on.
    var hearsNetwork = false {
        didSet {
            guard self.hearsNetwork != oldValue else { return }
            let network = self.hearsNetwork ? remindav_new_network_watch() : -1
            self.network = network >= 0 ? Descriptor(network) : nil
        }
    }

    /// Asks to be woken at a moment of the clock, and in any case when that is set.
    func wake(at moment: Instant?) {
        // The timer of a moment that has passed ends at once; one of no moment is far enough away to tell of the clock.
        let seconds = moment.map { max($0.secondsSince1970, 1) } ?? Self.farAway
        _ = remindav_set_timer(self.clock.number, 1, min(seconds, Self.farAway), 0)
    }

    /// The year 3000, which every kernel can count to.
    private static let farAway: Int64 = 32_503_680_000

    /// Nanoseconds of a clock that nobody sets and that goes on while the machine sleeps.
    static var uptime: Int64 { remindav_uptime_nanoseconds() }

    /// Asks to be woken when ``uptime`` has come so far; `nil` for never.
    func wake(atUptime moment: Int64?) {
        let moment = moment.map { max($0, 1) } ?? 0
        _ = remindav_set_timer(self.pause.number, 0, moment / 1_000_000_000, moment % 1_000_000_000)
    }

    /// Sleeps until something happens.
    ///
    /// - Parameters:
    ///   - others: descriptors of somebody else that are waited for as well.
    ///   - isBusy: whether there is something to do: then it only looks, and does not sleep.
    func wait(and others: [Int32] = [], isBusy: Bool = false) -> News {
        let own =
            [self.clock.number, self.pause.number, self.folders.descriptor, self.bell.ends.read.number]
            + [self.network?.number].compactMap { $0 }
        var entries = (own + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var news = News()
        let count = unsafe poll(&entries, nfds_t(entries.count), isBusy ? 0 : -1)
        news.isToEnd = isEndWanted.load(ordering: .sequentiallyConsistent)
        guard count > 0 else { return news }
        let ready = Set(entries.filter { $0.revents != 0 }.map(\.fd))
        news.readable = ready.intersection(others)
        if ready.contains(self.clock.number) {
            // The clock that was set is an error of the read.
            _ = Self.drain(self.clock.number)
            news.clock = true
        }
        if ready.contains(self.pause.number) {
            _ = Self.drain(self.pause.number)
            news.pause = true
        }
        if ready.contains(self.bell.ends.read.number) {
            while Self.drain(self.bell.ends.read.number) > 0 {}
            news.bell = true
        }
        if let network, ready.contains(network.number) {
            while Self.drain(network.number) > 0 {}
            news.network = true
        }
        if ready.contains(self.folders.descriptor) { news.folders = self.folders.take() }
        return news
    }

    private static func drain(_ descriptor: Int32) -> Int {
        var buffer = [UInt8](repeating: 0, count: 8192)
        return unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    }
}

/// Something that the operating system has opened for us; closed when nobody holds it any more.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { if self.number >= 0 { close(self.number) } }
}
