import Glibc
import RemindavCLinuxEvents
import Synchronization

private let wasTerminationRequested = Atomic(false)
private let terminationPipe = Atomic<Int32>(-1)

/// The signal handler; it calls only functions that signal-safety(7) lists.
private func requestTermination(_ number: Int32) {
    let error = errno
    wasTerminationRequested.store(true, ordering: .sequentiallyConsistent)
    var byte: UInt8 = 0
    // If the pipe is full, the write fails, and the bytes in the pipe wake the reader.
    _ = unsafe write(terminationPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = error
}

/// Lets other threads wake the thread that waits in ``WakeSources/wait(and:isBusy:)``.
package final class WakePipe: Sendable {
    fileprivate let ends: (read: Descriptor, write: Descriptor)

    package init() throws(SystemError) {
        self.ends = try Subprocess.pipe()
        for end in [self.ends.read, self.ends.write] { _ = fcntl(end.number, F_SETFL, O_NONBLOCK) }
    }

    /// Makes the first SIGINT and the first SIGTERM after this call wake the thread; a repetition ends the process.
    package func handleTerminationSignals() throws(SystemError) {
        // The first access initializes a global. This must happen before a signal handler accesses the globals.
        terminationPipe.store(self.ends.write.number, ordering: .sequentiallyConsistent)
        wasTerminationRequested.store(false, ordering: .sequentiallyConsistent)
        guard remindav_listen_for_end(requestTermination) == 0 else { throw .last("sigaction") }
    }

    /// Wakes the waiting thread; if the pipe is full, the write fails, and the bytes in the pipe wake the thread.
    package func wake() {
        var byte: UInt8 = 0
        _ = unsafe write(self.ends.write.number, &byte, 1)
    }
}

/// Waits for all events that a daemon handles, without polling; only one thread may use it.
package final class WakeSources {
    package struct Events {
        /// Whether the requested time has come or the clock was set, for example after a suspend.
        package var clock = false
        package var folders = FolderWatch.Changes()
        /// Whether an address or a route of the machine has changed.
        package var network = false
        /// Whether SIGINT or SIGTERM arrived after ``WakePipe/handleTerminationSignals()``.
        package var isTerminating = false
        /// The descriptors passed to ``wait(and:isBusy:)`` that are readable or at their end.
        package var readable: Set<Int32> = []
    }

    /// Whether SIGINT or SIGTERM was received; long operations check this.
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

    /// Whether to report changes of the network; some networks change every minute, so this is off by default.
    package var watchesNetwork = false {
        didSet {
            guard self.watchesNetwork != oldValue else { return }
            let network = self.watchesNetwork ? remindav_new_network_watch() : -1
            self.network = network >= 0 ? Descriptor(network) : nil
        }
    }

    /// Requests a wake-up when the clock is set, and at a time in seconds since 1970 if `moment` is not `nil`.
    package func wake(atClock moment: Int64?) {
        // A past time wakes the thread at once. Without a time, a far time keeps the timer on, to report clock changes.
        let seconds = moment.map { max($0, 1) } ?? Self.farAway
        _ = remindav_set_timer(self.clock.number, 1, min(seconds, Self.farAway), 0)
    }

    /// The year 3000, which every kernel accepts.
    private static let farAway: Int64 = 32_503_680_000

    /// A monotonic clock in nanoseconds that also runs during a suspend.
    package static var uptime: Int64 { remindav_uptime_nanoseconds() }

    /// Requests a wake-up at a value of ``uptime``; `nil` cancels the request.
    package func wake(atUptime moment: Int64?) {
        let moment = moment.map { max($0, 1) } ?? 0
        _ = remindav_set_timer(self.pause.number, 0, moment / 1_000_000_000, moment % 1_000_000_000)
    }

    /// Waits for an event; if `isBusy` is true, the method does not wait and returns the pending events.
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
            // If the clock was set, the read fails. The event is the same as after the requested time.
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

/// A file descriptor that is closed with its last reference.
package final class Descriptor: Sendable {
    package let number: Int32
    package init(_ number: Int32) { self.number = number }
    deinit { if self.number >= 0 { close(self.number) } }
}
