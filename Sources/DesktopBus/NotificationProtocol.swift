import RemindavNotifications

/// The state of the communication with a notification service: its requests and the meaning of their answers.
///
/// It maps events to effects and has no side effects. Times are milliseconds of a monotonic clock. Each request ends
/// exactly once and at its deadline at the latest, regardless of the bus and the service. ``BusLimits`` bounds the
/// stored data.
struct NotificationProtocol: Sendable {
    enum Request: Hashable, Sendable {
        /// Show a notification; it replaces another one if both belong to the same service instance.
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
        /// Accept clicks with these keys on a notification of an earlier process.
        case adopted(NotificationID, keys: Set<String>)
        /// Show this number on the program's icon.
        case counted(Int)
        case connected(bus: String)
        case lost(DesktopBusError)
        /// `tag` identifies the answered call; `nil` when the message answers no call.
        case message(BusMessage, tag: Int?)
        case time
    }

    enum Effect: Hashable, Sendable {
        case send(BusCall, tag: Int)
        case finish(UInt64, Result<Answer, DesktopBusError>)
        case report(DesktopEvent)
        /// Broadcast the number for the program's icon.
        case sendCount(Int)
        /// A request is waiting: connect now, if the shortest pause has passed since the last attempt.
        case connect
        /// Close the connection, which is unusable; the event ``Event/lost(_:)`` follows.
        case drop(DesktopBusError)
        /// A call got no answer; test whether the bus still accepts messages.
        case checkBus
    }

    enum Bus: Hashable {
        /// There is no connection, for this reason; `nil` before the first connection.
        case away(DesktopBusError?)
        case connected(String)
    }

    enum Service: Hashable {
        /// The bus has not reported yet whether there is a service.
        case unknown
        /// There is no service, for this reason; `startAgain` is the time of the next automatic start, `nil` for none.
        case absent(DesktopBusError, startAgain: Int?)
        case starting
        /// The service has changed recently; requests wait until this time, in case it changes again.
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
        /// The unique name whose answers are accepted; answers of the bus are also accepted.
        let asked: String
        /// The deadline; `nil` for a call that is stored only because its answer may be late.
        var deadline: Int?
        /// The request that waits for the answer; `nil` after the request has ended.
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

    /// The time at which the event ``Event/time`` must arrive at the latest; `nil` for never.
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
