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
        /// Describe the notification service.
        case describe
    }

    enum Answer: Hashable, Sendable {
        case shown(NotificationID)
        case closed
        case service(DesktopService)
    }

    enum Event: Hashable, Sendable {
        case asked(UInt64, Request)
        /// The caller has cancelled this request.
        case cancelled(UInt64)
        /// Clicks on a notification of an earlier process count, with these keys.
        case adopted(NotificationID, keys: Set<String>)
        /// The number of due reminders, for the program's icon.
        case counted(Int)
        /// The connection to the bus with this identifier is ready.
        case connected(bus: String)
        case lost(DesktopBusError)
        /// A message that arrived.
        ///
        /// - Parameter tag: of the call that it answers; `nil` when it does not answer one of our calls.
        case message(BusMessage, tag: Int?)
        /// Only the time has passed.
        case time
    }

    enum Effect: Hashable, Sendable {
        /// Make a call; its answer comes back with the tag.
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
        /// The service was asked for its name and its capabilities.
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

    /// The two questions to a new service, and the answers so far.
    struct Questions: Hashable {
        let owner: String
        var information: Result<[String], DesktopBusError>?
        var capabilities: Result<[String], DesktopBusError>?
    }

    enum Purpose: Hashable {
        case match, owner, start, information, capabilities
        /// A notification to show.
        ///
        /// - Parameter request: `nil` after it was cancelled.
        case notify(request: UInt64?, keys: Set<String>)
        case close(request: UInt64?, NotificationID)
    }

    struct Call: Hashable {
        var purpose: Purpose
        /// The name that may answer, besides the bus.
        let asked: String
        /// `nil` for a call that is kept only for a late answer.
        var deadline: Int?

        /// The request that waits for it.
        var request: UInt64? {
            switch self.purpose {
            case .notify(let request, _), .close(let request, _): request
            case .match, .owner, .start, .information, .capabilities: nil
            }
        }

        /// Detaches the call from its request.
        mutating func abandon() {
            self.deadline = nil
            switch self.purpose {
            case .notify(_, let keys): self.purpose = .notify(request: nil, keys: keys)
            case .close(_, let notification): self.purpose = .close(request: nil, notification)
            case .match, .owner, .start, .information, .capabilities: break
            }
        }
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

    /// Handles an event and returns the effects, in this order.
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

    /// Whether an answer to this call is still expected.
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
