import CLinuxEvents
import Glibc
import Synchronization

private let wasTerminationRequested = Atomic(false)
private let terminationPipe = Atomic<Int32>(-1)

/// The signal handler: it may only call functions that signal-safety(7) lists.
private func requestTermination(_ number: Int32) {
    let error = errno
    wasTerminationRequested.store(true, ordering: .sequentiallyConsistent)
    var byte: UInt8 = 0
    // A full pipe wakes the reader as well.
    _ = unsafe write(terminationPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = error
}

/// Wakes a thread that waits in ``WakeSources/wait(and:isBusy:)``; used by all other threads.
package final class WakePipe: Sendable {
    fileprivate let ends: (read: Descriptor, write: Descriptor)

    package init() throws(SystemError) {
        self.ends = try Subprocess.pipe()
        for end in [self.ends.read, self.ends.write] { _ = fcntl(end.number, F_SETFL, O_NONBLOCK) }
    }

    /// Lets the first SIGINT and the first SIGTERM from now on wake the thread; the second one kills the process.
    package func handleTerminationSignals() throws(SystemError) {
        // Initializes both globals before a signal arrives.
        terminationPipe.store(self.ends.write.number, ordering: .sequentiallyConsistent)
        wasTerminationRequested.store(false, ordering: .sequentiallyConsistent)
        guard remindav_listen_for_end(requestTermination) == 0 else { throw .last("sigaction") }
    }

    /// A full pipe wakes the reader as well.
    package func wake() {
        var byte: UInt8 = 0
        _ = unsafe write(self.ends.write.number, &byte, 1)
    }
}

/// Everything that a daemon waits for, without polling; for one thread.
package final class WakeSources {
    package struct Events {
        /// The requested time has come, or the clock was set, for example after a suspend.
        package var clock = false
        package var folders = FolderWatch.Changes()
        /// An address or a route of the machine has changed.
        package var network = false
        /// Since ``WakePipe/handleTerminationSignals()``.
        package var isTerminating = false
        /// The other descriptors that are readable or at their end.
        package var readable: Set<Int32> = []
    }

    /// Whether SIGINT or SIGTERM was received; checked during long work.
    package static var isTerminating: Bool { wasTerminationRequested.load(ordering: .sequentiallyConsistent) }
    private let pipe: WakePipe
    private let clock: Descriptor
    private let pause: Descriptor
    package let folders: FolderWatch
    private var network: Descriptor?

    package init(_ pipe: WakePipe) throws(SystemError) {
        self.pipe = pipe
        self.folders = try FolderWatch()
        self.clock = Descriptor(remindav_new_timer(1))
        self.pause = Descriptor(remindav_new_timer(0))
        guard self.clock.number >= 0, self.pause.number >= 0 else { throw .last("timerfd") }
    }

    /// Some networks change every minute, so this is only switched on when it is useful.
    package var watchesNetwork = false {
        didSet {
            guard self.watchesNetwork != oldValue else { return }
            let network = self.watchesNetwork ? remindav_new_network_watch() : -1
            self.network = network >= 0 ? Descriptor(network) : nil
        }
    }

    /// Requests a wake-up at a time of the clock, in seconds since 1970, and whenever the clock is set.
    package func wake(atClock moment: Int64?) {
        // A time in the past ends the timer at once. A far time still reports that the clock was set.
        let seconds = moment.map { max($0, 1) } ?? Self.farAway
        _ = remindav_set_timer(self.clock.number, 1, min(seconds, Self.farAway), 0)
    }

    /// The year 3000, within the range of every kernel.
    private static let farAway: Int64 = 32_503_680_000

    /// Nanoseconds of a clock that is never set and that continues during a suspend.
    package static var uptime: Int64 { remindav_uptime_nanoseconds() }

    /// Requests a wake-up at a value of ``uptime``; `nil` for none.
    package func wake(atUptime moment: Int64?) {
        let moment = moment.map { max($0, 1) } ?? 0
        _ = remindav_set_timer(self.pause.number, 0, moment / 1_000_000_000, moment % 1_000_000_000)
    }

    /// Sleeps until an event; with `isBusy`, returns the events so far at once.
    package func wait(and others: [Int32] = [], isBusy: Bool = false) -> Events {
        let own =
            [self.clock.number, self.pause.number, self.folders.descriptor, self.pipe.ends.read.number]
            + [self.network?.number].compactMap { $0 }
        var entries = (own + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var events = Events()
        let count = unsafe poll(&entries, nfds_t(entries.count), isBusy ? 0 : -1)
        events.isTerminating = Self.isTerminating
        guard count > 0 else { return events }
        let ready = Set(entries.filter { $0.revents != 0 }.map(\.fd))
        events.readable = ready.intersection(others)
        if ready.contains(self.clock.number) {
            // After the clock was set, the read fails.
            _ = Self.drain(self.clock.number)
            events.clock = true
        }
        if ready.contains(self.pause.number) { _ = Self.drain(self.pause.number) }
        if ready.contains(self.pipe.ends.read.number) { while Self.drain(self.pipe.ends.read.number) > 0 {} }
        if let network, ready.contains(network.number) {
            while Self.drain(network.number) > 0 {}
            events.network = true
        }
        if ready.contains(self.folders.descriptor) { events.folders = self.folders.changes() }
        return events
    }

    private static func drain(_ descriptor: Int32) -> Int {
        var buffer = [UInt8](repeating: 0, count: 8192)
        return unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    }
}

/// A file descriptor, closed with its last reference.
package final class Descriptor: Sendable {
    package let number: Int32
    package init(_ number: Int32) { self.number = number }
    deinit { if self.number >= 0 { close(self.number) } }
}
