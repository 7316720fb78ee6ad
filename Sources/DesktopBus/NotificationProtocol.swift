import Notifications

/// The complete state of the communication with a notification service: its requests and the meaning of their answers.
///
/// Pure: events are the input and effects are the output; times are milliseconds of a monotonic clock. For every
/// behaviour of the bus and of the service, each request ends exactly once, at its deadline at the latest.
/// ``BusLimits`` bounds the stored data.
struct NotificationProtocol: Sendable {
    enum Request: Hashable, Sendable {
        /// Show this notification, in the place of another one if both belong to the same service instance.
        case show(DesktopNotification, replacing: NotificationID?)
        case close(NotificationID)
        case describe
    }

    enum Answer: Hashable, Sendable {
        case shown(NotificationID)
        case closed
        case service(DesktopService)
    }

    enum Event: Hashable, Sendable {
        case asked(UInt64, Request)
        case cancelled(UInt64)
        /// Clicks on a notification of an earlier process count, with these keys.
        case adopted(NotificationID, keys: Set<String>)
        /// The number of due reminders, for the program's icon.
        case counted(Int)
        case connected(bus: String)
        case lost(DesktopBusError)
        /// `tag` is that of the answered call; `nil` when it answers no call.
        case message(BusMessage, tag: Int?)
        /// Only the time has passed.
        case time
    }

    enum Effect: Hashable, Sendable {
        case send(BusCall, tag: Int)
        case finish(UInt64, Result<Answer, DesktopBusError>)
        case report(DesktopEvent)
        /// Send the number on the program's icon to all listeners.
        case sendCount(Int)
        /// A request is waiting: try to connect now, if that makes sense.
        case connect
        /// End the connection, which is unusable; ``Event/lost(_:)`` follows.
        case drop(DesktopBusError)
        /// A call got no answer: test whether the bus still accepts messages.
        case checkBus
    }

    enum Bus: Hashable {
        /// Not connected, with the reason why the last connection ended; `nil` before the first connection.
        case away(DesktopBusError?)
        case connected(String)
    }

    enum Service: Hashable {
        /// It is not known yet whether there is a service.
        case unknown
        /// There is no service, with the reason and the time of the next automatic start.
        case absent(DesktopBusError, startAgain: Int?)
        case starting
        /// The service changed a moment ago; until this time, requests wait to see whether it stays.
        case settling(owner: String, until: Int)
        case asking(Questions)
        case present(owner: String, DesktopService, askAgain: Int?)

        var owner: String? {
            switch self {
            case .unknown, .absent, .starting: nil
            case .settling(let owner, _), .present(let owner, _, _): owner
            case .asking(let questions): questions.owner
            }
        }
    }

    struct Questions: Hashable {
        let owner: String
        var information: Result<[String], DesktopBusError>?
        var capabilities: Result<[String], DesktopBusError>?
    }

    enum Purpose: Hashable {
        case match, owner, start, information, capabilities
        case notify(keys: Set<String>)
        case close(NotificationID)
    }

    struct Call: Hashable {
        var purpose: Purpose
        /// The name that may answer, besides the bus.
        let asked: String
        /// `nil` for a call that is kept only for a late answer.
        var deadline: Int?
        /// The request that waits for it; `nil` after its end.
        var request: UInt64?
    }

    struct Waiting: Hashable {
        let id: UInt64
        let request: Request
        let deadline: Int
    }

    enum Reported: Hashable {
        case service(run: String)
        case failure(DesktopBusError)
    }

    let limits: BusLimits
    var bus = Bus.away(nil)
    var service = Service.unknown
    var startFailures = 0
    var lastStart: Int?
    var lastChange: Int?
    var waiting: [Waiting] = []
    var calls: [Int: Call] = [:]
    var abandoned: [Int] = []
    var lastTag = 0
    var shown: ShownNotifications
    var early: [BusMessage] = []
    var reported: Reported?
    var count = LauncherCount()
    var effects: [Effect] = []

    init(limits: BusLimits) {
        self.limits = limits
        self.shown = ShownNotifications(limits: limits)
    }

    mutating func handle(_ event: Event, at now: Int) -> [Effect] {
        switch event {
        case .asked(let id, let request): self.asked(id, request, now)
        case .cancelled(let id): self.cancelled(id)
        case .adopted(let notification, let keys): self.shown.insert(notification, keys: keys)
        case .counted(let count): self.count.want(count)
        case .connected(let bus): self.connected(bus, now)
        case .lost(let error): self.lost(error)
        case .message(let message, let tag): self.received(message, tag, now)
        case .time: break
        }
        self.expire(now)
        self.advance(now)
        if case .connected = self.bus, let count = self.count.removeUnsent() { self.effects.append(.sendCount(count)) }
        defer { self.effects = [] }
        return self.effects
    }

    func isOpen(_ tag: Int) -> Bool { self.calls[tag] != nil }

    /// The next time at which work is due without an event; `nil` for never.
    var wake: Int? {
        var times = self.waiting.map(\.deadline) + self.calls.values.compactMap(\.deadline)
        switch self.service {
        case .absent(_, let startAgain?): times.append(startAgain)
        case .settling(_, let until): times.append(until)
        default: break
        }
        return times.min()
    }
}
