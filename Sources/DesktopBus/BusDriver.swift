internal import Glibc
internal import RemindavCSystemd
internal import RemindavNotifications
internal import RemindavPlatform
internal import Synchronization

/// The thread that owns the connection to the bus.
///
/// Callers put events into the queue and wake the thread through a pipe. All other work happens on the thread.
/// ``NotificationProtocol`` and ``Reconnection`` make the decisions. The class is Sendable because only the thread uses
/// the state outside the queue. Callers write to the pipe only under the queue's lock. The thread marks the queue
/// as gone under this lock before it closes the pipe.
final class BusDriver: @unchecked Sendable {
    typealias Outcome = Result<NotificationProtocol.Answer, DesktopBusError>
    /// Called once: on the driver's thread, or on the caller's thread if the driver's thread has ended.
    typealias Completion = @Sendable (Outcome) -> Void
    private typealias Message = (event: NotificationProtocol.Event, then: Completion?)

    private struct PendingMessages {
        var messages: [Message] = []
        var isClosed = false
        /// Whether callers must no longer wake the thread, because its pipe is about to be closed.
        var isGone = false
    }

    private let queue = Mutex(PendingMessages())
    private let address: BusAddress
    private let limits: BusLimits
    private let onEvent: @Sendable (DesktopEvent) -> Void
    /// Called once, on the thread, after the last event; if the thread cannot be created, it is called at once.
    private let ended: @Sendable () -> Void
    private var pipeEnds: [Int32] = [-1, -1]
    private var state: NotificationProtocol
    private var reconnection: Reconnection
    private var connection: BusConnection?
    private var connectDeadline = 0
    private var ready: Int?
    private var failure = DesktopBusError(.busSilent)
    private var live: [UInt64: Completion] = [:]
    private var sent: [UInt64: Int] = [:]

    init(
        address: BusAddress,
        limits: BusLimits,
        onEvent: @escaping @Sendable (DesktopEvent) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        self.address = address
        self.limits = limits
        self.onEvent = onEvent
        self.ended = ended
        self.state = NotificationProtocol(limits: limits)
        self.reconnection = Reconnection(limits: limits)
        self.start()
    }

    func stop() {
        self.queue.withLock { queue in
            queue.isClosed = true
            if !queue.isGone { self.wake() }
        }
    }

    /// Adds an event to the queue and wakes the thread; if the thread has ended, a request fails.
    func post(_ event: NotificationProtocol.Event, then: Completion? = nil) {
        let isPosted = self.queue.withLock { queue in
            guard !queue.isGone, !queue.isClosed else { return false }
            queue.messages.append((event, then))
            self.wake()
            return true
        }
        if !isPosted { then?(.failure(DesktopBusError(.cancelled))) }
    }

    /// Wakes the thread; if the pipe is full, the write fails, but the bytes already in the pipe wake the thread.
    private func wake() {
        var byte: UInt8 = 0
        _ = write(self.pipeEnds[1], &byte, 1)
    }

    private func start() {
        guard pipe2(&self.pipeEnds, O_CLOEXEC | O_NONBLOCK) == 0 else { return self.giveUp() }
        if !startThread(named: "desktop-bus", self.run) { self.giveUp() }
    }

    private func giveUp() {
        self.queue.withLock { $0.isGone = true }
        for end in self.pipeEnds where end >= 0 { close(end) }
        self.ended()
    }

    private func run() {
        while true {
            let (messages, isClosed) = self.queue.withLock { queue in
                defer { queue.messages = [] }
                return (queue.messages, queue.isClosed)
            }
            for entry in messages { self.read(entry) }
            if isClosed { break }
            let isBusy = self.work()
            self.handle(.time)
            self.wait(isBusy: isBusy)
        }
        self.end()
    }

    private func end() {
        let late = self.queue.withLock { queue in
            queue.isGone = true
            defer { queue.messages = [] }
            return queue.messages
        }
        for entry in late { self.read(entry) }
        self.connection = nil
        self.failure = DesktopBusError(.cancelled)
        for then in self.live.values { then(.failure(self.failure)) }
        self.live = [:]
        for end in self.pipeEnds { close(end) }
        self.ended()
    }

    private func read(_ message: Message) {
        if case .asked(let id, _) = message.event { self.live[id] = message.then }
        self.handle(message.event)
    }
}

// MARK: - The connection

extension BusDriver {
    private func open(_ now: Int) {
        self.reconnection.began(at: now)
        self.connectDeadline = now + Reconnection.milliseconds(self.limits.connectSeconds)
        self.ready = nil
        guard BusLibrary.functions != nil else { return self.lose(DesktopBusError(.noLibrary)) }
        do {
            self.connection = try BusConnection(address: self.address.text)
        } catch {
            self.lose(DesktopBusError(errno: error.errno, wasReady: false))
        }
    }

    private func lose(_ error: DesktopBusError) {
        let now = monotonicMilliseconds()
        self.connection = nil
        self.sent = [:]
        self.failure = error
        self.reconnection.ended(after: self.ready.map { now - $0 }, at: now)
        self.ready = nil
        self.handle(.lost(error))
    }

    /// Opens the connection when the pause is over, and reads messages; returns whether more messages may be pending.
    private func work() -> Bool {
        let now = monotonicMilliseconds()
        if self.connection == nil, now >= self.reconnection.next { self.open(now) }
        for _ in 0..<self.limits.messagesPerTurn {
            guard let connection = self.connection else { return false }
            do {
                let turn = try connection.process()
                if self.ready == nil, connection.isReady {
                    self.ready = monotonicMilliseconds()
                    self.handle(.connected(bus: connection.names.bus))
                }
                switch turn {
                case .idle:
                    if self.ready == nil, now >= self.connectDeadline { self.lose(DesktopBusError(.busSilent)) }
                    return false
                case .worked: continue
                case .message(let message, _):
                    self.handle(.message(message, tag: self.sent[message.answered]))
                }
            } catch {
                self.lose(DesktopBusError(errno: error.errno, wasReady: self.ready != nil))
            }
        }
        return true
    }

    private func wait(isBusy: Bool) {
        let now = monotonicMilliseconds()
        var descriptors = [pollfd(fd: self.pipeEnds[0], events: Int16(POLLIN), revents: 0)]
        var times = [self.state.wake].compactMap { $0 }
        if let connection = self.connection {
            do {
                let waiting = try connection.waiting()
                descriptors.append(pollfd(fd: waiting.descriptor, events: waiting.events, revents: 0))
                // The time is rounded up, because the thread would otherwise wake repeatedly before the deadline.
                if let until = waiting.until { times.append(Int(clamping: until / 1000) + 1) }
                if self.ready == nil { times.append(self.connectDeadline) }
            } catch {
                return self.lose(DesktopBusError(errno: error.errno, wasReady: self.ready != nil))
            }
        } else {
            times.append(self.reconnection.next)
        }
        let pause = times.min().map { Int32(clamping: max(0, $0 - now)) } ?? -1
        poll(&descriptors, nfds_t(descriptors.count), isBusy ? 0 : pause)
        guard descriptors[0].revents != 0 else { return }
        var bytes: (UInt64, UInt64) = (0, 0)
        while Glibc.read(self.pipeEnds[0], &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }
}

// MARK: - Effects

extension BusDriver {
    private func handle(_ event: NotificationProtocol.Event) {
        let now = monotonicMilliseconds()
        for effect in self.state.handle(event, at: now) { self.perform(effect, now) }
    }

    private func perform(_ effect: NotificationProtocol.Effect, _ now: Int) {
        switch effect {
        case .send(let call, let tag): self.send(call, tag)
        case .finish(let id, let result): self.live.removeValue(forKey: id)?(result)
        case .report(let event): self.onEvent(event)
        case .sendCount(let count): self.send(count: count)
        case .connect:
            guard self.connection == nil else { return }
            if self.reconnection.mayHurry(at: now) { self.open(now) } else { self.handle(.lost(self.failure)) }
        case .drop(let error): if self.connection != nil { self.lose(error) }
        case .checkBus:
            if let connection, connection.unsentCount > 0 { self.lose(DesktopBusError(.busSilent)) }
        }
    }

    private func send(count: Int) {
        // An error here means that the connection has ended. The next call of `work` reports this.
        try? self.connection?.signal(
            path: LauncherCount.path,
            interface: LauncherCount.interface,
            member: LauncherCount.member,
            values: LauncherCount.values(count)
        )
    }

    private func send(_ call: BusCall, _ tag: Int) {
        // Without a connection, all calls have ended with an error.
        guard let connection else { return }
        do {
            self.sent[try connection.send(call)] = tag
            if self.sent.count > 2 * (self.limits.calls + self.limits.abandonedCalls) {
                self.sent = self.sent.filter { self.state.isOpen($0.value) }
            }
        } catch {
            let failure = BusMessage(kind: .failure("org.freedesktop.DBus.Error.Failed"), sender: BusCall.bus)
            self.handle(.message(failure, tag: tag))
        }
    }
}

// MARK: - The thread

/// Returns the milliseconds of a clock that is never set and stops during a suspend, when no answer can arrive.
private func monotonicMilliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
}
