import Dispatch
import Glibc
import RemindavCSystemd
import RemindavNotifications

@testable import RemindavDesktopBus

/// A notification service on its own connection, controlled by the test.
final class FakeService: Sendable {
    enum Reply: Sendable {
        case answer(BusAnswer)
        /// No answer.
        case silence
        /// The test sends the answer later.
        case later
    }

    private enum Command: Sendable {
        case signal(String, [BusValue], to: String?, count: Int)
        case answerLater(Int, BusAnswer)
        case leave
    }

    private struct State {
        var commands: [Command] = []
        var calls: [BusMessage] = []
        var kept: [Int] = []
        var name = ""
        var hasName = false
        var isGone = false
    }

    private let state = Locked(State())
    /// The service has its own queue and so its own thread.
    private let queue = DispatchQueue(label: "fake service")

    /// Takes the name of the service, also from a present owner, and waits until it has the name.
    ///
    /// - Parameters:
    ///   - isService: whether it takes the name; otherwise it is another program on the bus.
    ///   - reply: the reaction to each call; `nil` for the answer of a correct service.
    init(
        on bus: PrivateBus,
        can capabilities: [String] = ["actions", "body", "body-markup"],
        isService: Bool = true,
        reply: @escaping @Sendable (BusMessage) -> Reply? = { _ in nil }
    ) async throws {
        let state = self.state
        let address = bus.address.text
        self.queue.async {
            do {
                try Self.run(address, capabilities, isService, state, reply)
            } catch {
                state.withLock { $0.isGone = true }
            }
        }
        _ = await eventually { state.withLock { $0.hasName || $0.isGone } }
    }

    deinit { self.leave() }

    /// The unique name of the connection.
    var name: String { self.state.withLock(\.name) }

    /// Returns the calls of one method, in the order of their arrival.
    func calls(_ member: String) -> [BusMessage] {
        self.state.withLock { state in state.calls.filter { $0.member == member } }
    }

    /// The arguments of the calls of `Notify`.
    var notified: [[BusValue]] { self.calls("Notify").map(\.values) }

    /// The number of calls that wait for an answer of the test.
    var keptCount: Int { self.state.withLock(\.kept.count) }

    func emit(_ member: String, _ values: [BusValue], to name: String? = nil, times count: Int = 1) {
        self.state.withLock { $0.commands.append(.signal(member, values, to: name, count: count)) }
    }

    /// Answers the waiting call with this index.
    func answer(_ place: Int, with answer: BusAnswer) {
        self.state.withLock { state in
            guard place < state.kept.count else { return }
            state.commands.append(.answerLater(state.kept[place], answer))
        }
    }

    /// Leaves the bus, like a program that ends.
    func leave() { self.state.withLock { $0.commands.append(.leave) } }

    var isGone: Bool { self.state.withLock(\.isGone) }

    // MARK: Its thread

    private static func run(
        _ address: String,
        _ capabilities: [String],
        _ isService: Bool,
        _ state: Locked<State>,
        _ reply: @Sendable (BusMessage) -> Reply?
    ) throws {
        let connection = try BusConnection(address: address)
        var hasAsked = false
        var lastID: UInt32 = 0
        while true {
            while let (message, call) = try self.next(connection) {
                if message.kind == .answer, hasAsked { state.withLock { $0.hasName = true } }
                guard let call else { continue }
                // Only the service answers.
                guard isService else { continue }
                state.withLock { $0.calls.append(message) }
                switch reply(message) ?? .answer(self.usual(message, capabilities, &lastID)) {
                case .answer(let answer): try connection.answer(call, with: answer)
                case .silence: break
                case .later: state.withLock { $0.kept.append(call) }
                }
                if message.member == "CloseNotification", reply(message) == nil {
                    try self.signal(connection, "NotificationClosed", message.values + [.number(3)], nil)
                }
            }
            if !hasAsked, connection.isReady {
                hasAsked = true
                state.withLock { $0.name = connection.names.own }
                // 3: other programs may take the name, and this one takes it from its owner. Another program makes a
                // harmless call.
                let values: [BusValue] = isService ? [.string(BusCall.service), .number(3)] : []
                let call = BusCall(
                    destination: BusCall.bus,
                    path: "/org/freedesktop/DBus",
                    interface: BusCall.bus,
                    member: isService ? "RequestName" : "GetId",
                    values: values
                )
                _ = try connection.send(call)
            }
            let commands = state.withLock { state in
                defer { state.commands = [] }
                return state.commands
            }
            for command in commands {
                switch command {
                case .signal(let member, let values, let name, let count):
                    for _ in 0..<count { try self.signal(connection, member, values, name) }
                case .answerLater(let call, let answer): try connection.answer(call, with: answer)
                case .leave:
                    state.withLock { $0.isGone = true }
                    return
                }
            }
            let waiting = try connection.waiting()
            var descriptor = pollfd(fd: waiting.descriptor, events: waiting.events, revents: 0)
            poll(&descriptor, 1, 2)
        }
    }

    private static func next(_ connection: BusConnection) throws -> (BusMessage, Int?)? {
        while true {
            switch try connection.process(keepsCalls: true) {
            case .idle: return nil
            case .worked: continue
            case .message(let message, let call): return (message, call)
            }
        }
    }

    private static func signal(_ connection: BusConnection, _ member: String, _ values: [BusValue], _ name: String?)
        throws
    {
        try connection.signal(
            path: BusCall.servicePath,
            interface: BusCall.service,
            member: member,
            values: values,
            to: name
        )
    }

    private static func usual(_ message: BusMessage, _ capabilities: [String], _ lastID: inout UInt32) -> BusAnswer {
        switch message.member {
        case "GetCapabilities": return .values([.strings(capabilities)])
        case "GetServerInformation": return .values(["fake", "tests", "1.0", "1.2"].map(BusValue.string))
        case "Notify":
            if case .number(let replaced) = message.values[1], replaced != 0 { return .values([.number(replaced)]) }
            lastID += 1
            return .values([.number(lastID)])
        default: return .values([])
        }
    }
}

/// All events of a notifier.
final class EventLog: Sendable {
    private let events = Locked<[DesktopEvent]>([])
    private let isOver = Locked(false)

    init(_ notifier: AwaitedNotifier) {
        let stream = notifier.events
        Task { [events, isOver] in
            for await event in stream { events.withLock { $0.append(event) } }
            isOver.withLock { $0 = true }
        }
    }

    var all: [DesktopEvent] { self.events.withLock { $0 } }
    var hasEnded: Bool { self.isOver.withLock { $0 } }

    /// Waits for an event.
    ///
    /// Returns whether it came.
    func has(_ isIt: (DesktopEvent) -> Bool) async -> Bool { await eventually { self.all.contains(where: isIt) } }

    func has(_ event: DesktopEvent) async -> Bool { await self.has { $0 == event } }
}

extension DesktopNotification {
    static func milk(actions: [String] = ["default", "complete"]) -> Self {
        var milk = Self(title: "Milk", body: "2 l <b>&")
        milk.urgency = .critical
        milk.category = "x-remindav.due"
        milk.sound = "alarm-clock-elapsed"
        milk.desktopEntry = "remindav"
        milk.actions = actions.map { NotificationAction(key: $0, label: $0) }
        return milk
    }
}

extension BusLimits {
    /// Limits that are short enough for tests of timeouts, and long enough for a busy machine.
    static var short: Self {
        var limits = Self()
        limits.connectSeconds = 1.5
        limits.callSeconds = 1.5
        limits.startSeconds = 5
        limits.shortestPauseSeconds = 0.05
        limits.longestPauseSeconds = 0.5
        limits.settleSeconds = 0.1
        limits.askAgainSeconds = 0.2
        return limits
    }
}

extension BusConnection {
    /// Answers a waiting call.
    func answer(_ number: Int, with answer: BusAnswer) throws(BusFailure) {
        guard let call = self.calls.removeValue(forKey: number) else { return }
        defer { _ = self.library.bus_message_unref(call) }
        var reply: OpaquePointer?
        defer { _ = reply.map { self.library.bus_message_unref($0) } }
        switch answer {
        case .values(let values):
            try BusConnection.check(self.library.bus_message_new_method_return(call, &reply))
            if let reply { _ = try self.send(reply, values, wantsAnswer: false) }
        case .failure(let name):
            let code = name.withCString { name in
                var error = sd_bus_error(name: name, message: name, _need_free: 0)
                return self.library.bus_message_new_method_error(call, &reply, &error)
            }
            try BusConnection.check(code)
            if let reply { _ = try self.send(reply, [], wantsAnswer: false) }
        }
    }
}

enum BusAnswer: Hashable, Sendable {
    case values([BusValue])
    case failure(String)
}
