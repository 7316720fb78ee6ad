import RemindavNotifications
import RemindavTestSupport
import Testing

@testable import RemindavDesktopBus

// Services and buses that start, end and are replaced.
extension DesktopNotifierTests {
    @Test("the end of a service during a call is reported, and so is its successor")
    func comesAndGoes() async throws {
        let bus = try PrivateBus()
        let first = try await FakeService(on: bus) { $0.member == "Notify" ? .silence : nil }
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        let task = Task {
            await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) }
        }
        #expect(await eventually { first.notified.count == 1 })
        first.leave()
        #expect(await task.value == .serviceGone)
        #expect(await log.has { if case .unavailable(let error) = $0 { error.code == .serviceGone } else { false } })
        let second = try await FakeService(on: bus, can: ["body"])
        #expect(await log.has { if case .service(let known) = $0 { known.capabilities == ["body"] } else { false } })
        _ = try await notifier.show(.milk())
        #expect(second.notified.first?[5] == .strings([]))
    }

    @Test("a replaced service gets no more calls, and the new one is asked for its capabilities")
    func replaced() async throws {
        let bus = try PrivateBus()
        let first = try await FakeService(on: bus)
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        let notification = try await notifier.show(.milk())
        let second = try await FakeService(on: bus, can: ["body"])
        #expect(await log.has { if case .service(let known) = $0 { known.capabilities == ["body"] } else { false } })
        // The first service does not have the name any more.
        first.emit("ActionInvoked", [.number(notification.number), .string("complete")], times: 10)
        let next = try await notifier.show(.milk(), replacing: notification)
        #expect(next.service.hasSuffix(second.name))
        #expect(second.notified.map { $0[1] } == [.number(0)])
        #expect(first.notified.count == 1)
        second.emit("NotificationClosed", [.number(next.number), .number(1)])
        #expect(await log.has(.closed(next, .expired)))
        #expect(!log.all.contains { if case .invoked = $0 { true } else { false } })
    }

    @Test("a missing service is reported, and one that appears later is used")
    func noService() async throws {
        let bus = try PrivateBus()
        let notifier = AwaitedNotifier(address: bus.address, limits: .short)
        let log = EventLog(notifier)
        #expect(await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) } == .noService)
        #expect(await log.has(.unavailable(DesktopBusError(.noService))))
        let service = try await FakeService(on: bus)
        #expect(await log.has { if case .service = $0 { true } else { false } })
        _ = try await notifier.show(.milk())
        #expect(service.notified.count == 1)
    }

    @Test(
        "an installed service that does not start is an error, and is tried again",
        arguments: [
            "/bin/false", "/nonexistent", "/bin/true",
        ]
    )
    func notStarted(program: String) async throws {
        let bus = try PrivateBus(starts: program)
        let notifier = AwaitedNotifier(address: bus.address, limits: .short)
        let log = EventLog(notifier)
        let code = await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) }
        #expect(code == .serviceNotStarted)
        #expect(
            await log.has { if case .unavailable(let error) = $0 { error.code == .serviceNotStarted } else { false } }
        )
        let service = try await FakeService(on: bus)
        #expect(await log.has { if case .service = $0 { true } else { false } })
        _ = try await notifier.show(.milk())
        #expect(service.notified.count == 1)
    }

    // MARK: The bus

    @Test("a missing bus is reported at once, and one that appears later is found, lost and found again")
    func busComesAndGoes() async throws {
        let bus = try PrivateBus(isRunning: false)
        let notifier = AwaitedNotifier(address: bus.address, limits: .short)
        let log = EventLog(notifier)
        #expect(await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) } == .noBus)
        #expect(await log.has { if case .unavailable(let error) = $0 { error.code == .noBus } else { false } })
        try bus.start()
        let first = try await FakeService(on: bus)
        #expect(await log.has { if case .service = $0 { true } else { false } })
        let old = try await notifier.show(.milk())
        #expect(first.notified.count == 1)

        bus.stop()
        #expect(await log.has { if case .unavailable(let error) = $0 { error.code == .busLost } else { false } })
        try bus.start()
        let second = try await FakeService(on: bus)
        #expect(await eventually { log.all.filter { if case .service = $0 { true } else { false } }.count == 2 })
        // The bus is new although its names are the same, so old numbers are invalid.
        let new = try await notifier.show(.milk(), replacing: old)
        #expect(second.notified.first?[1] == .number(0))
        #expect(new.service != old.service)
    }

    @Test("a bus that accepts the connection and does not answer is abandoned")
    func silentBus() async throws {
        let folder = try TemporaryFolder()
        let listener = try #require(Listener(path: "\(folder.path)/bus"))
        let notifier = AwaitedNotifier(
            address: try BusAddress("unix:path=\(folder.path)/bus"),
            limits: .short
        )
        let log = EventLog(notifier)
        #expect(await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) } == .busSilent)
        #expect(await log.has(.unavailable(DesktopBusError(.busSilent))))
        withExtendedLifetime(listener) {}
    }

    @Test(
        "an invalid address is an error",
        arguments: [
            "unix:nonsense", "unix:path=/dev/null", "unix:path=/nonexistent/bus", "unix:abstract=", "unix:path=%zz",
            "unix:path=relative", "unix:path=/\(String(repeating: "a", count: 200))",
        ]
    )
    func badAddress(address: String) async throws {
        let notifier = AwaitedNotifier(address: try BusAddress(address), limits: .short)
        let code = await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) }
        #expect([.badAddress, .noBus, .busRefused].contains(code))
    }

    @Test("calls end with an error when the notifier stops, and so do all later calls")
    func stopped() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus) { $0.member == "Notify" ? .silence : nil }
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        let task = Task {
            await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) }
        }
        #expect(await eventually { service.notified.count == 1 })
        notifier.stop()
        #expect(await task.value == .cancelled)
        #expect(await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) } == .cancelled)
        #expect(await eventually { log.hasEnded })
    }
}
