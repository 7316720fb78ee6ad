import RemindavNotifications
import RemindavTestSupport
import Testing

@testable import RemindavDesktopBus

// A service that answers late, wrongly or never.
extension DesktopNotifierTests {
    @Test("a call to a service that does not answer times out, and a notification that appears too late is closed")
    func silence() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus) { $0.member == "Notify" ? .later : nil }
        let notifier = AwaitedNotifier(address: bus.address, limits: .short)
        #expect(
            await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) } == .serviceSilent
        )
        service.answer(0, with: .values([.number(41)]))
        #expect(await eventually { service.calls("CloseNotification").map(\.values) == [[.number(41)]] })
    }

    @Test("answers out of order belong to their calls, and so do clicks before them")
    func outOfOrder() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus) { $0.member == "Notify" ? .later : nil }
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        let first = Task { try await notifier.show(.milk()) }
        #expect(await eventually { service.keptCount == 1 })
        let second = Task { try await notifier.show(.milk()) }
        #expect(await eventually { service.keptCount == 2 })
        service.emit("ActionInvoked", [.number(7), .string("complete")])
        service.answer(1, with: .values([.number(8)]))
        service.answer(0, with: .values([.number(7)]))
        let notifications = try await (first.value, second.value)
        #expect(notifications.0.number == 7 && notifications.1.number == 8)
        #expect(await log.has(.invoked(notifications.0, key: "complete")))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let what: String
        let member: String
        let answer: BusAnswer
        let expected: DesktopBusError.Code?
        var testDescription: String { self.what }

        init(_ what: String, _ member: String, _ answer: BusAnswer, _ expected: DesktopBusError.Code?) {
            self.what = what
            self.member = member
            self.answer = answer
            self.expected = expected
        }
    }

    // swift-format-ignore
    static let answers: [Case] = [
        Case("a text for a number", "Notify", .values([.string("1")]), .badAnswer),
        Case("a signed number", "Notify", .values([.signed(1)]), .badAnswer),
        Case("no number", "Notify", .values([]), .badAnswer),
        Case("two numbers", "Notify", .values([.number(1), .number(2)]), .badAnswer),
        Case("the number 0", "Notify", .values([.number(0)]), .badAnswer),
        Case("a list for a number", "Notify", .values([.strings(["1"])]), .badAnswer),
        Case("the highest number", "Notify", .values([.number(.max)]), nil),
        Case("an error", "Notify", .failure("org.example.Error.No"), .serviceRefused),
        Case("an error that the service is unknown", "Notify", .failure("org.freedesktop.DBus.Error.ServiceUnknown"), .serviceGone),
        Case("a number for the capabilities", "GetCapabilities", .values([.number(1)]), nil),
        Case("nothing for the capabilities", "GetCapabilities", .values([]), nil),
        Case("an error for the capabilities", "GetCapabilities", .failure("org.freedesktop.DBus.Error.UnknownMethod"), nil),
        Case("numbers for the name", "GetServerInformation", .values([.number(1), .signed(2), .strings(["a"])]), nil),
        Case("an error for the name", "GetServerInformation", .failure("org.example.Error.No"), nil),
        Case("a dictionary for the name", "GetServerInformation", .values([.dictionary([.init("a", .byte(1))])]), nil),
    ]

    @Test("an invalid answer is an error or is ignored", arguments: Self.answers)
    func badAnswers(_ test: Case) async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus) { $0.member == test.member ? .answer(test.answer) : nil }
        let notifier = AwaitedNotifier(address: bus.address, limits: .short)
        #expect(await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) } == test.expected)
        // The notifier continues to work.
        #expect(try await notifier.service().run.hasSuffix(service.name))
        if test.member == "GetCapabilities" { #expect(service.notified.first?[5] == .strings([])) }
    }

    @Test("a service that does not report its capabilities gets plain text, and is asked again")
    func silentAboutItself() async throws {
        let bus = try PrivateBus()
        let isTalking = Locked(false)
        let service = try await FakeService(on: bus) { message in
            message.member.hasPrefix("Get") && !isTalking.withLock { $0 } ? .silence : nil
        }
        let notifier = AwaitedNotifier(address: bus.address, limits: .short)
        _ = try await notifier.show(.milk())
        #expect(service.notified.first?[5] == .strings([]))
        #expect(try await notifier.service().failure?.code == .serviceSilent)
        isTalking.withLock { $0 = true }
        try await Task.sleep(for: .milliseconds(300))
        _ = try await notifier.show(.milk())
        #expect(service.notified.last?[5] != .strings([]))
    }

    @Test("of a service with a hundred thousand capabilities a limited number is read")
    func giantCapabilities() async throws {
        let bus = try PrivateBus()
        let many = ["actions"] + (0..<100_000).map { "x-thing-\($0)" } + ["body-markup"]
        let long = String(repeating: "name ", count: 100_000)
        let service = try await FakeService(on: bus, can: many) { message in
            message.member == "GetServerInformation"
                ? .answer(.values([.string(long), .string("a\u{1B}[31m\nb"), .string(""), .string("1.2")])) : nil
        }
        let notifier = AwaitedNotifier(address: bus.address)
        let known = try await notifier.service()
        #expect(known.capabilities.count == MessageLimits.maximumMembers)
        #expect(known.capabilities.contains("actions"))
        #expect(known.name.utf8.count <= NotificationBodyLimits.longestLabel)
        #expect(known.vendor == "a\u{FFFD}[31m b")
        _ = try await notifier.show(.milk())
        #expect(service.notified.first?[4] == .string("2 l <b>&"))
    }

    @Test("the number of waiting calls is limited; each ends")
    func bounded() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus) { $0.member == "Notify" ? .silence : nil }
        var limits = BusLimits.short
        limits.calls = 8
        let notifier = AwaitedNotifier(address: bus.address, limits: limits)
        _ = try await notifier.service()
        let codes = await withTaskGroup(of: DesktopBusError.Code?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(codes[.tooManyCalls] == 92 && codes[.serviceSilent] == 8, "\(codes)")
        #expect(service.notified.count == 8)
        #expect(try await notifier.service().name == "fake")
    }

    @Test("a cancelled call ends, and its notification is closed when it appears")
    func cancelled() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus) { $0.member == "Notify" ? .later : nil }
        let notifier = AwaitedNotifier(address: bus.address)
        let task = Task {
            await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) }
        }
        #expect(await eventually { service.keptCount == 1 })
        task.cancel()
        #expect(await task.value == .cancelled)
        service.answer(0, with: .values([.number(5)]))
        #expect(await eventually { service.calls("CloseNotification").map(\.values) == [[.number(5)]] })
        // Cancelled before the call begins.
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            return await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) }
        }
        early.cancel()
        #expect(await early.value == .cancelled)
    }
}
