/// The whole conversation with a notification service: who is asked what, and what an answer means.
///
/// Pure: what happens comes in, what is to be done goes out; times are milliseconds of a clock that only goes forward.
/// Whatever a bus or a service sends, each request ends once, at the latest when its time is over, and what is kept of
/// what they send is bounded by ``BusLimits``.
struct Conversation: Sendable {
    enum Request: Hashable, Sendable {
        /// Show this, in the place of another when that is of the same run of the service.
        case show(DesktopNotification, replacing: ShownNotification?)
        case close(ShownNotification)
        /// Who shows notifications.
        case describe
    }

    enum Answer: Hashable, Sendable {
        case shown(ShownNotification)
        case closed
        case service(DesktopService)
    }

    enum Event: Hashable, Sendable {
        case asked(UInt64, Request)
        /// Nobody waits for this request any more.
        case cancelled(UInt64)
        /// Clicks on a bubble of an earlier run of this program count, with these keys.
        case adopted(ShownNotification, keys: Set<String>)
        /// So many are due: the number on the program's icon.
        case counted(Int)
        /// The bus of this number has greeted us.
        case connected(bus: String)
        case lost(DesktopBusError)
        /// - Parameter tag: of the call that it answers; `nil` when it is no answer to one of ours.
        case message(BusMessage, tag: Int?)
        /// Only what time it is counts.
        case time
    }

    enum Effect: Hashable, Sendable {
        /// Make a call; its answer comes back with the tag.
        case send(BusCall, tag: Int)
        case finish(UInt64, Result<Answer, DesktopBusError>)
        case tell(DesktopEvent)
        /// Tell whoever listens the number on the program's icon.
        case tellCount(Int)
        /// Somebody waits: try to connect now, if that makes sense.
        case connect
        /// End the connection, which is of no use; ``Event/lost(_:)`` follows.
        case drop(DesktopBusError)
        /// A call got no answer: see whether the bus takes what is sent at all.
        case lookAtBus
    }

    enum Bus: Hashable {
        /// Why the last connection ended; `nil` before the first.
        case away(DesktopBusError?)
        case connected(String)
    }

    enum Service: Hashable {
        /// It is not known yet whether there is one.
        case unknown
        /// There is none, why, and when to start one by itself.
        case absent(DesktopBusError, startAgain: Int?)
        case starting
        /// It has changed hands a moment ago: until then it is waited for whether it stays.
        case settling(owner: String, until: Int)
        /// It was asked what it is and what it can.
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

    /// The two questions to a new service, and their answers so far.
    struct Questions: Hashable {
        let owner: String
        var information: Result<[String], DesktopBusError>?
        var capabilities: Result<[String], DesktopBusError>?
    }

    enum Purpose: Hashable {
        case match, owner, start, information, capabilities
        /// - Parameter request: `nil` when nobody waits for it any more.
        case notify(request: UInt64?, keys: Set<String>)
        case close(request: UInt64?, ShownNotification)
    }

    struct Call: Hashable {
        var purpose: Purpose
        /// Who may answer, besides the bus.
        let asked: String
        /// `nil` when it is listened for as long as there is room.
        var deadline: Int?

        /// Who waits for it.
        var request: UInt64? {
            switch self.purpose {
            case .notify(let request, _), .close(let request, _): request
            case .match, .owner, .start, .information, .capabilities: nil
            }
        }

        /// Nobody waits for it any more.
        mutating func abandon() {
            self.deadline = nil
            switch self.purpose {
            case .notify(_, let keys): self.purpose = .notify(request: nil, keys: keys)
            case .close(_, let bubble): self.purpose = .close(request: nil, bubble)
            case .match, .owner, .start, .information, .capabilities: break
            }
        }
    }

    struct Waiting: Hashable {
        let id: UInt64
        let request: Request
        let deadline: Int
    }

    enum Told: Hashable {
        case service(run: String)
        case trouble(DesktopBusError)
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
    var shown: ShownBubbles
    var early: [BusMessage] = []
    var told: Told?
    var count = LauncherCount()
    var effects: [Effect] = []

    init(limits: BusLimits) {
        self.limits = limits
        self.shown = ShownBubbles(limits: limits)
    }

    /// Takes in what happened, and says what to do, in this order.
    mutating func take(_ event: Event, at now: Int) -> [Effect] {
        switch event {
        case .asked(let id, let request): self.asked(id, request, now)
        case .cancelled(let id): self.cancelled(id)
        case .adopted(let bubble, let keys): self.shown.insert(bubble, keys: keys)
        case .counted(let count): self.count.want(count)
        case .connected(let bus): self.connected(bus, now)
        case .lost(let error): self.lost(error)
        case .message(let message, let tag): self.received(message, tag, now)
        case .time: break
        }
        self.expire(now)
        self.advance(now)
        if case .connected = self.bus, let count = self.count.toTell() { self.effects.append(.tellCount(count)) }
        defer { self.effects = [] }
        return self.effects
    }

    /// Whether an answer to this call would still mean something.
    func isOpen(_ tag: Int) -> Bool { self.calls[tag] != nil }

    /// When something is to be looked at though nothing happens; `nil` for never.
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
