import RemindavNotifications
import RemindavTestSupport
import Testing

@testable import RemindavDesktopBus

/// A protocol instance; the test simulates the bus and the service.
private struct Stage {
    var state: NotificationProtocol
    var now = 0
    /// Calls without an answer so far, by tag.
    var open: [Int: BusCall] = [:]
    var sent: [BusCall] = []
    var results: [UInt64: [Result<NotificationProtocol.Answer, DesktopBusError>]] = [:]
    var reported: [DesktopEvent] = []
    var drops: [DesktopBusError] = []
    var connects = 0
    var counts: [Int] = []

    static let owner = ":1.7"

    init(limits: BusLimits = .standard) { self.state = NotificationProtocol(limits: limits) }

    mutating func handle(_ event: NotificationProtocol.Event) {
        for effect in self.state.handle(event, at: self.now) {
            switch effect {
            case .send(let call, let tag):
                self.open[tag] = call
                self.sent.append(call)
            case .finish(let id, let result): self.results[id, default: []].append(result)
            case .report(let event): self.reported.append(event)
            case .sendCount(let count): self.counts.append(count)
            case .connect: self.connects += 1
            case .drop(let error): self.drops.append(error)
            case .checkBus: break
            }
        }
    }

    /// Answers the oldest open call of a method.
    mutating func answer(_ member: String, _ values: [BusValue], from sender: String? = nil) {
        self.reply(member, BusMessage(kind: .answer, values: values), sender)
    }

    mutating func fail(_ member: String, _ name: String, from sender: String? = nil) {
        self.reply(member, BusMessage(kind: .failure(name)), sender)
    }

    private mutating func reply(_ member: String, _ message: BusMessage, _ sender: String?) {
        guard let tag = self.open.filter({ $0.value.member == member }).keys.min(), let call = self.open[tag] else {
            Issue.record("no call of \(member)")
            return
        }
        var message = message
        message.sender = sender ?? call.destination
        if sender == nil { self.open[tag] = nil }
        self.handle(.message(message, tag: tag))
    }

    mutating func signal(_ member: String, _ values: [BusValue], from sender: String = Self.owner) {
        let message = BusMessage(
            kind: .signal,
            sender: sender,
            path: BusCall.servicePath,
            interface: BusCall.service,
            member: member,
            values: values
        )
        self.handle(.message(message, tag: nil))
    }

    mutating func ownerChanges(from old: String, to new: String, said sender: String = BusCall.bus) {
        let message = BusMessage(
            kind: .signal,
            sender: sender,
            path: "/org/freedesktop/DBus",
            interface: BusCall.bus,
            member: "NameOwnerChanged",
            values: [.string(BusCall.service), .string(old), .string(new)]
        )
        self.handle(.message(message, tag: nil))
    }

    mutating func connect() {
        self.handle(.connected(bus: "bus"))
        for _ in 0..<3 { self.answer("AddMatch", []) }
    }

    mutating func introduce(_ capabilities: [String] = ["actions"]) {
        self.answer("GetServerInformation", ["fake", "tests", "1", "1.2"].map(BusValue.string))
        self.answer("GetCapabilities", [.strings(capabilities)])
    }

    /// Runs the protocol until the service has reported its capabilities.
    mutating func begin() {
        self.connect()
        self.answer("GetNameOwner", [.string(Self.owner)])
        self.introduce()
    }

    mutating func show(_ id: UInt64) { self.handle(.asked(id, .show(.milk(), replacing: nil))) }

    func calls(_ member: String) -> [BusCall] { self.sent.filter { $0.member == member } }

    /// The result of a request; `nil` before its end, and if it ended twice.
    func result(_ id: UInt64) -> Result<NotificationProtocol.Answer, DesktopBusError>? {
        self.results[id]?.count == 1 ? self.results[id]?.first : nil
    }

    static func notification(_ number: UInt32, owner: String = Self.owner) -> NotificationID {
        NotificationID(number: number, service: "bus\(owner)")
    }
}

extension Result where Success == NotificationProtocol.Answer, Failure == DesktopBusError {
    fileprivate var code: DesktopBusError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}

@Suite("the protocol with a notification service")
struct NotificationProtocolTests {
    @Test("it subscribes before it asks for the owner, and asks for the owner before any other call")
    func order() {
        var stage = Stage()
        stage.show(1)
        #expect(stage.connects == 1 && stage.sent.isEmpty)
        stage.begin()
        #expect(
            stage.sent.map(\.member) == [
                "AddMatch", "AddMatch", "AddMatch", "GetNameOwner", "GetServerInformation", "GetCapabilities", "Notify",
            ]
        )
        #expect(stage.calls("Notify").first?.destination == Stage.owner)
        stage.answer("Notify", [.number(4)])
        #expect(stage.result(1) == .success(.shown(Stage.notification(4))))
    }

    @Test("an answer of another sender is ignored")
    func foreignAnswer() {
        var stage = Stage()
        stage.begin()
        stage.show(1)
        stage.answer("Notify", [.number(66)], from: ":1.66")
        stage.fail("Notify", "org.example.Error.No", from: ":1.66")
        #expect(stage.result(1) == nil)
        stage.answer("Notify", [.number(4)])
        #expect(stage.result(1) == .success(.shown(Stage.notification(4))))
        // A second answer to the same call is ignored.
        stage.handle(.message(BusMessage(kind: .answer, sender: Stage.owner, values: [.number(5)]), tag: 7))
        #expect(stage.results[1]?.count == 1)
    }

    @Test("only the bus determines the owner of the name")
    func foreignOwner() {
        var stage = Stage()
        stage.begin()
        stage.ownerChanges(from: Stage.owner, to: ":1.66", said: ":1.66")
        #expect(stage.reported.count == 1)
        stage.show(1)
        #expect(stage.calls("Notify").last?.destination == Stage.owner)
    }

    @Test("a bus that does not answer is abandoned", arguments: ["AddMatch", "GetNameOwner"])
    func silentBus(member: String) {
        var stage = Stage()
        stage.handle(.connected(bus: "bus"))
        for _ in 0..<3 where member != "AddMatch" { stage.answer("AddMatch", []) }
        if member != "GetNameOwner" { stage.answer("GetNameOwner", [.string(Stage.owner)]) }
        stage.now = stage.state.wake ?? .max
        #expect(stage.now <= 10_000)
        for _ in 0..<4 {
            stage.handle(.time)
            stage.now += 10_000
        }
        #expect(stage.drops.contains(DesktopBusError(.busSilent)))
        stage.handle(.lost(DesktopBusError(.busSilent)))
        #expect(stage.reported.last == .unavailable(DesktopBusError(.busSilent)))
    }

    @Test("a bus that refuses subscriptions is abandoned")
    func noMatches() {
        var stage = Stage()
        stage.handle(.connected(bus: "bus"))
        stage.fail("AddMatch", "org.freedesktop.DBus.Error.LimitsExceeded")
        #expect(stage.drops.map(\.code) == [.busRefused])
    }

    @Test("all waiting calls end when the bus goes, and the failure is reported once")
    func lost() {
        var stage = Stage()
        stage.begin()
        stage.show(1)
        stage.handle(.asked(2, .close(Stage.notification(1))))
        let error = DesktopBusError(.busLost)
        for _ in 0..<5 { stage.handle(.lost(error)) }
        #expect(stage.result(1)?.code == .busLost && stage.result(2)?.code == .busLost)
        #expect(stage.reported.count == 2 && stage.reported.last == .unavailable(error))
        #expect(stage.state.wake == nil)
        // The service and the bus are the same, so the notifications still exist.
        stage.show(3)
        stage.open = [:]
        stage.begin()
        #expect(stage.reported.count == 3)
        stage.answer("Notify", [.number(9)])
        stage.handle(.lost(error))
        stage.open = [:]
        stage.begin()
        stage.signal("NotificationClosed", [.number(9), .number(2)])
        #expect(stage.reported.last == .closed(Stage.notification(9), .dismissed))
    }

    @Test("a missing service is started; if it is not installed, this is reported at once and not retried")
    func notInstalled() {
        var stage = Stage()
        stage.connect()
        stage.fail("GetNameOwner", "org.freedesktop.DBus.Error.NameHasNoOwner")
        #expect(stage.calls("StartServiceByName").count == 1)
        stage.show(1)
        stage.fail("StartServiceByName", "org.freedesktop.DBus.Error.ServiceUnknown")
        #expect(stage.result(1)?.code == .noService)
        #expect(stage.reported == [.unavailable(DesktopBusError(.noService))])
        #expect(stage.state.wake == nil)
        // Another try follows only a second after the last one.
        stage.now = 999
        stage.show(2)
        #expect(stage.result(2)?.code == .noService)
        stage.now = 1000
        stage.show(3)
        #expect(stage.result(3) == nil && stage.calls("StartServiceByName").count == 2)
        stage.ownerChanges(from: "", to: Stage.owner)
        stage.introduce()
        stage.answer("StartServiceByName", [.number(1)])
        stage.answer("Notify", [.number(1)])
        #expect(stage.result(3) == .success(.shown(Stage.notification(1))))
    }

    @Test("a service that does not start is retried with growing pauses")
    func notStarted() {
        var stage = Stage()
        stage.connect()
        stage.fail("GetNameOwner", "org.freedesktop.DBus.Error.NameHasNoOwner")
        var pauses: [Int] = []
        for _ in 0..<12 {
            stage.fail("StartServiceByName", "org.freedesktop.DBus.Error.Spawn.ChildSignaled")
            guard let wake = stage.state.wake else {
                Issue.record("it is not tried again")
                return
            }
            pauses.append((wake - stage.now) / 1000)
            stage.now = wake
            stage.handle(.time)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
        #expect(stage.reported.count == 1)
    }

    @Test("a name that changes its owner repeatedly is used when its owner stays")
    func flapping() {
        var stage = Stage()
        stage.begin()
        var last = Stage.owner
        for turn in 0..<10_000 {
            stage.now += 1
            let next = turn % 2 == 0 ? "" : ":2.\(turn)"
            stage.ownerChanges(from: last, to: next)
            last = next
        }
        // The owner was requested at most once more.
        #expect(stage.calls("GetCapabilities").count <= 2)
        #expect(stage.calls("StartServiceByName").isEmpty)
        #expect(stage.reported.count <= 4)
        stage.show(1)
        stage.now += 1000
        stage.handle(.time)
        stage.open = stage.open.filter { $0.value.destination == last }
        stage.introduce()
        stage.answer("Notify", [.number(1)])
        #expect(stage.result(1) == .success(.shown(Stage.notification(1, owner: last))))
        #expect(stage.reported.count <= 5)
    }

    @Test("signals that arrive before the number of their notification are kept for it, up to a limit and a time")
    func early() {
        var stage = Stage()
        stage.begin()
        stage.signal("ActionInvoked", [.number(4), .string("complete")])
        stage.show(1)
        stage.signal("ActionInvoked", [.number(4), .string("complete")])
        for number in UInt32(100)..<10_000 { stage.signal("NotificationClosed", [.number(number), .number(1)]) }
        stage.signal("NotificationClosed", [.number(4), .number(2)])
        stage.answer("Notify", [.number(4)])
        // The signal about the closed notification exceeded the limit.
        #expect(stage.reported.dropFirst() == [.invoked(Stage.notification(4), key: "complete")])
        stage.show(2)
        stage.answer("Notify", [.number(200)])
        #expect(stage.reported.count == 2)
    }

    @Test("a notification that appears too late is closed, unless another call shows it")
    func late() {
        var stage = Stage()
        stage.begin()
        stage.show(1)
        stage.answer("Notify", [.number(4)])
        stage.handle(.asked(2, .show(.milk(), replacing: Stage.notification(4))))
        stage.show(3)
        stage.now += 10_000
        stage.handle(.time)
        #expect(stage.result(2)?.code == .serviceSilent && stage.result(3)?.code == .serviceSilent)
        #expect(stage.state.wake == nil)
        stage.answer("Notify", [.number(4)])
        #expect(stage.calls("CloseNotification").isEmpty)
        stage.answer("Notify", [.number(5)])
        #expect(stage.calls("CloseNotification").map(\.values) == [[.number(5)]])
        stage.signal("ActionInvoked", [.number(5), .string("complete")])
        #expect(stage.reported.count == 1)
    }

    @Test("calls that never get an answer are remembered up to a limit")
    func abandoned() {
        var limits = BusLimits()
        limits.abandonedCalls = 10
        var stage = Stage(limits: limits)
        stage.begin()
        for id in UInt64(0)..<1000 {
            stage.show(id)
            stage.now += 10_000
            stage.handle(.time)
            #expect(stage.result(id)?.code == .serviceSilent)
        }
        #expect(stage.open.keys.filter { stage.state.isOpen($0) }.count == 10)
    }

    @Test("a service that always answers too late does not block later calls")
    func alwaysLate() {
        var limits = BusLimits()
        limits.calls = 5
        limits.abandonedCalls = 10
        var stage = Stage(limits: limits)
        stage.begin()
        for id in UInt64(1)...100 {
            stage.show(id)
            #expect(stage.calls("Notify").count == Int(id))
            stage.now += 10_000
            stage.handle(.time)
            stage.answer("Notify", [.number(UInt32(id))])
        }
        #expect(stage.calls("CloseNotification").count == 100)
        #expect(stage.open.keys.filter { stage.state.isOpen($0) }.count == 10)
    }

    @Test("clicks are accepted for the newest notifications, up to a limit")
    func shownNotifications() {
        var limits = BusLimits()
        limits.shownNotifications = 10
        var notifications = ShownNotifications(limits: limits)
        for number in UInt32(1)...10_000 {
            notifications.insert(Stage.notification(number), keys: ["a"])
            #expect(notifications.count <= 10)
            #expect(notifications.contains(Stage.notification(number)))
        }
        #expect(!notifications.contains(Stage.notification(1)))
        // A notification that is shown repeatedly stays in the list, and so do the others.
        for _ in 0..<1000 { notifications.insert(Stage.notification(10_000), keys: ["a"]) }
        #expect(notifications.contains(Stage.notification(9_999)))
    }

    /// For any input in any order: each request ends once, no event belongs to a notification that was not shown, and
    /// the stored state stays limited.
    @Test("holds in random histories")
    func histories() {
        var shown = 0
        var invoked = 0
        for seed in UInt64(0)..<60 {
            let stage = Self.history(seed)
            for case .success(.shown) in stage.results.values.joined() { shown += 1 }
            for case .invoked in stage.reported { invoked += 1 }
        }
        // The histories must contain enough events.
        #expect(shown > 100 && invoked > 20, "\(shown), \(invoked)")
    }

    private static func history(_ seed: UInt64) -> Stage {
        var random = SeededGenerator(seed)
        var limits = BusLimits()
        limits.calls = 12
        limits.abandonedCalls = 6
        var stage = Stage(limits: limits)
        var asked: UInt64 = 0
        var given: Set<UInt32> = []
        var isConnected = false
        for _ in 0..<600 {
            stage.now += Int.random(in: 0...400, using: &random)
            let number = UInt32.random(in: 0...9, using: &random)
            let owner = [Stage.owner, Stage.owner, ":1.8", ""].randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<16, using: &random) {
            case 0:
                if !isConnected { stage.handle(.connected(bus: "bus")) }
                isConnected = true
            case 1:
                guard random.chance(8) else { continue }
                stage.handle(.lost(DesktopBusError(.busLost)))
                isConnected = false
            case 2, 3, 4:
                asked += 1
                let notification = Stage.notification(.random(in: 1...9, using: &random))
                let requests: [NotificationProtocol.Request] = [
                    .show(.milk(), replacing: nil), .show(.milk(), replacing: notification), .close(notification),
                    .describe,
                ]
                stage.handle(.asked(asked, requests.randomElement(using: &random) ?? .describe))
            case 5: stage.handle(.cancelled(.random(in: 0...asked, using: &random)))
            case 6: if random.chance(4) { stage.ownerChanges(from: "", to: owner) }
            case 7, 8:
                let member = ["ActionInvoked", "NotificationClosed"].randomElement(using: &random) ?? ""
                let second = [BusValue.string("complete"), .number(2), .other].randomElement(using: &random) ?? .other
                stage.signal(member, [.number(number), second], from: owner)
            case 9: stage.handle(.time)
            default:
                guard let tag = stage.open.keys.sorted().randomElement(using: &random), let call = stage.open[tag]
                else { continue }
                stage.open[tag] = nil
                given.insert(number)
                stage.handle(.message(Self.answer(to: call, number, &random), tag: tag))
            }
            let open = stage.open.keys.filter { stage.state.isOpen($0) }.count
            #expect(open <= limits.calls + limits.abandonedCalls + 8)
        }
        stage.handle(.lost(DesktopBusError(.busLost)))
        stage.now += 1_000_000
        stage.handle(.time)
        #expect(stage.results.count == Int(asked))
        #expect(stage.results.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
        for case .invoked(let notification, let key) in stage.reported {
            #expect(key == "complete" && given.contains(notification.number) && notification.number != 0)
        }
        return stage
    }

    /// Mostly the answers of a correct service.
    private static func answer(to call: BusCall, _ number: UInt32, _ random: inout SeededGenerator) -> BusMessage {
        let good: [String: [BusValue]] = [
            "GetNameOwner": [.string(Stage.owner)], "GetCapabilities": [.strings(["actions"])],
            "GetServerInformation": [.string("a")], "Notify": [.number(number)],
        ]
        let bad: [[BusValue]] = [[.number(number)], [.strings(["actions"])], [.string(":1.8")], [], [.other]]
        return BusMessage(
            kind: random.chance(6) ? .failure("org.example.Error.No") : .answer,
            sender: random.chance(6) ? ":6.6" : call.destination,
            values: random.chance(6) ? bad.randomElement(using: &random) ?? [] : good[call.member] ?? []
        )
    }
}
