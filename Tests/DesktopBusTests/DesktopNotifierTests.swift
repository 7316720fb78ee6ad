import Notifications
import TestSupport
import Testing

@testable import DesktopBus

/// What a call ends with; `nil` when it succeeds.
private func failure(_ work: () async throws(DesktopBusError) -> some Sendable) async -> DesktopBusError.Code? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error.code
    }
}

/// One after the other: they start programs and wait for times that pass.
@Suite("A notification service over a bus", .serialized, .timeLimit(.minutes(3)))
struct DesktopNotifierTests {
    @Test("what is shown reaches the service as it is meant, is replaced under its number, and closed")
    func showReplaceClose() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus)
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)

        let notification = try await notifier.show(.milk())
        #expect(notification.number == 1)
        #expect(notification.service.hasSuffix(service.name))
        #expect(
            service.notified.first == [
                .string("Remindav"), .number(0), .string(""), .string("Milk"), .string("2 l &lt;b&gt;&amp;"),
                .strings(["default", "default", "complete", "complete"]),
                .dictionary([
                    .init("urgency", .byte(2)), .init("category", .string("x-remindav.due")),
                    .init("desktop-entry", .string("remindav")), .init("sound-name", .string("alarm-clock-elapsed")),
                ]),
                .signed(-1),
            ]
        )
        #expect(try await notifier.show(.milk(), replacing: notification) == notification)
        #expect(service.notified.last?[1] == .number(1))
        // That of another run has no place here.
        let other = NotificationID(number: 77, service: "elsewhere")
        #expect(try await notifier.show(.milk(), replacing: other).number == 2)
        #expect(service.notified.last?[1] == .number(0))

        try await notifier.close(other)
        try await notifier.close(notification)
        #expect(service.calls("CloseNotification").map(\.values) == [[.number(1)]])
        #expect(await log.has(.closed(notification, .requested)))
        guard case .service(let known)? = log.all.first else {
            Issue.record("\(log.all)")
            return
        }
        #expect(known.name == "fake" && known.version == "1.0" && known.specification == "1.2")
        #expect(known.capabilities == ["actions", "body", "body-markup"])
    }

    @Test("a service that has no markup and no buttons gets plain text and none, and one that is silent about them too")
    func plain() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus, can: ["body"])
        let notifier = AwaitedNotifier(address: bus.address)
        _ = try await notifier.show(.milk())
        #expect(service.notified.first?[4] == .string("2 l <b>&"))
        #expect(service.notified.first?[5] == .strings([]))
    }

    @Test("why a notification was closed is told apart", arguments: [(1, 1), (2, 2), (3, 3), (4, 4), (9, 4), (0, 4)])
    func reasons(sent: UInt32, told: UInt32) async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus)
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        let notification = try await notifier.show(.milk())
        service.emit("NotificationClosed", [.number(notification.number), .number(sent)])
        let reason = try #require(CloseReason(rawValue: told))
        #expect(await log.has(.closed(notification, reason)))
        // Once: it is gone.
        service.emit("NotificationClosed", [.number(notification.number), .number(sent)], times: 5)
        let next = try await notifier.show(.milk())
        service.emit("ActionInvoked", [.number(next.number), .string("complete")])
        #expect(await log.has(.invoked(next, key: "complete")))
        #expect(log.all.filter { if case .closed = $0 { true } else { false } }.count == 1)
    }

    @Test("clicks count on what was shown, of what was offered, from the service alone, and not for ever")
    func clicks() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus)
        let stranger = try await FakeService(on: bus, isService: false)
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        let notification = try await notifier.show(.milk())
        // To everybody, and to each name that there is.
        for target in [nil, ":1.0", ":1.1", ":1.2", ":1.3"] {
            stranger.emit("ActionInvoked", [.number(1), .string("complete")], to: target, times: 5000)
            stranger.emit("NotificationClosed", [.number(1), .number(2)], to: target, times: 5)
        }
        service.emit("ActionInvoked", [.number(1), .string("delete-all")])
        service.emit("ActionInvoked", [.number(2), .string("complete")], times: 5000)
        service.emit("ActionInvoked", [.string("1"), .string("complete")])
        service.emit("ActionInvoked", [.number(1), .number(1)])
        service.emit("ActionInvoked", [.number(1)])
        service.emit("ActionInvoked", [])
        service.emit("Unheard", [.number(1), .string("complete")])
        service.emit("ActionInvoked", [.number(1), .string("complete")], times: 5000)
        service.emit("NotificationClosed", [.number(1), .number(2)])
        #expect(await log.has(.closed(notification, .dismissed)))
        #expect(
            log.all.filter { $0 == .invoked(notification, key: "complete") }.count == BusLimits.standard.invocations
        )
        #expect(log.all.count == BusLimits.standard.invocations + 2)
        #expect(try await notifier.show(.milk()).number == 2)
    }

    @Test("a click on what an earlier run of this program had shown counts, if the service is the same")
    func adopted() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus)
        let notification = try await AwaitedNotifier(address: bus.address).show(.milk())
        let notifier = AwaitedNotifier(address: bus.address)
        notifier.adopt(notification, keys: ["complete"])
        notifier.adopt(NotificationID(number: 9, service: "elsewhere"), keys: ["complete"])
        let log = EventLog(notifier)
        _ = try await notifier.service()
        service.emit("ActionInvoked", [.number(9), .string("complete")])
        service.emit("ActionInvoked", [.number(notification.number), .string("complete")])
        #expect(await log.has(.invoked(notification, key: "complete")))
        #expect(log.all.count == 2)
    }

    // MARK: A bad service

    @Test("a service that does not answer is not waited for, and a notification that comes too late is taken away")
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

    @Test("answers out of order belong to their calls, and so do clicks that came before them")
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
        Case("an error that says that it is not there", "Notify", .failure("org.freedesktop.DBus.Error.ServiceUnknown"), .serviceGone),
        Case("a number for what it can", "GetCapabilities", .values([.number(1)]), nil),
        Case("nothing for what it can", "GetCapabilities", .values([]), nil),
        Case("an error for what it can", "GetCapabilities", .failure("org.freedesktop.DBus.Error.UnknownMethod"), nil),
        Case("numbers for its name", "GetServerInformation", .values([.number(1), .signed(2), .strings(["a"])]), nil),
        Case("an error for its name", "GetServerInformation", .failure("org.example.Error.No"), nil),
        Case("a dictionary for its name", "GetServerInformation", .values([.dictionary([.init("a", .byte(1))])]), nil),
    ]

    @Test("an answer that makes no sense is an error, or nothing that is relied on", arguments: Self.answers)
    func badAnswers(_ test: Case) async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus) { $0.member == test.member ? .answer(test.answer) : nil }
        let notifier = AwaitedNotifier(address: bus.address, limits: .short)
        #expect(await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) } == test.expected)
        // It lives on.
        #expect(try await notifier.service().run.hasSuffix(service.name))
        if test.member == "GetCapabilities" { #expect(service.notified.first?[5] == .strings([])) }
    }

    @Test("a service that is silent about itself is shown plain words, and is asked again")
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

    @Test("a service that says it can a hundred thousand things is believed some")
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

    @Test("so many calls wait and no more; each ends")
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

    @Test("a call that nobody waits for any more ends, and its notification goes when it comes")
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
        // Before it has begun.
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            return await failure { () async throws(DesktopBusError) in try await notifier.show(.milk()) }
        }
        early.cancel()
        #expect(await early.value == .cancelled)
    }

    // MARK: Coming and going

    @Test("a service that ends in the middle of a call is told of, and so is the one that comes after it")
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

    @Test("a service whose place another takes is asked no more, and the other what it can")
    func replaced() async throws {
        let bus = try PrivateBus()
        let first = try await FakeService(on: bus)
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        let notification = try await notifier.show(.milk())
        let second = try await FakeService(on: bus, can: ["body"])
        #expect(await log.has { if case .service(let known) = $0 { known.capabilities == ["body"] } else { false } })
        // It has not got the name any more.
        first.emit("ActionInvoked", [.number(notification.number), .string("complete")], times: 10)
        let next = try await notifier.show(.milk(), replacing: notification)
        #expect(next.service.hasSuffix(second.name))
        #expect(second.notified.map { $0[1] } == [.number(0)])
        #expect(first.notified.count == 1)
        second.emit("NotificationClosed", [.number(next.number), .number(1)])
        #expect(await log.has(.closed(next, .expired)))
        #expect(!log.all.contains { if case .invoked = $0 { true } else { false } })
    }

    @Test("where no service is installed that is said, and one that comes is met")
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
        "a service that is installed and does not start is an error, and tried again",
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

    @Test("where there is no bus that is said at once, and the one that comes is found, lost and found again")
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
        // The bus is another, though the names on it are the same: no number of before means anything.
        let new = try await notifier.show(.milk(), replacing: old)
        #expect(second.notified.first?[1] == .number(0))
        #expect(new.service != old.service)
    }

    @Test("a bus that takes the connection and says nothing is given up")
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
        "an address that leads nowhere is an error",
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

    @Test("what is called off ends with an error, and so does all that comes after")
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

    // MARK: Texts

    @Test("every text reaches the service as one that a bus can carry", arguments: [true, false])
    func hostileTexts(hasMarkup: Bool) async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus, can: hasMarkup ? ["body-markup", "actions"] : ["actions"])
        let notifier = AwaitedNotifier(address: bus.address)
        let scalars = (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init).filter {
            // Each that is treated in some way, and some of all others.
            $0.value < 0x300 || 0x2000...0x2070 ~= $0.value || 0xFDD0...0xFE00 ~= $0.value || $0.value & 0xFFF >= 0xFFE
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let texts = [
            String(text), String(repeating: "a", count: 1 << 20), String(repeating: "e\u{301}", count: 1 << 19),
            "e" + String(repeating: "\u{301}", count: 1 << 19), String(repeating: "<&>\"'", count: 1 << 18),
            String(repeating: "\u{202E}", count: 1 << 18), "", "\0", "\u{1B}]0;owned\u{7}", "<img src=x onerror=y>",
        ]
        for text in texts {
            let action = NotificationAction(key: "open", label: text)
            _ = try await notifier.show(
                DesktopNotification(
                    title: text,
                    body: text,
                    category: text,
                    sound: text,
                    desktopEntry: text,
                    actions: [action]
                )
            )
        }
        #expect(service.notified.count == texts.count)
        for values in service.notified {
            guard case .string(let title) = values[3], case .string(let body) = values[4] else {
                Issue.record("\(values)")
                return
            }
            #expect(!title.isEmpty && title.utf8.count <= NotificationBodyLimits.longestTitle)
            #expect(body.utf8.count <= NotificationBodyLimits.longestBody * (hasMarkup ? 6 : 1))
            #expect(!title.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
            #expect(!body.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || 0x7F...0x9F ~= $0.value })
            if hasMarkup { #expect(!body.contains { "<>\"'".contains($0) }) }
        }
    }

    // MARK: Others

    @Test("the service of python-dbusmock, which nobody here has written, is spoken to as well")
    func dbusmock() async throws {
        let bus = try PrivateBus()
        let folder = try TemporaryFolder()
        let mock = try #require(
            spawn(
                [
                    "/usr/bin/python3", "-m", "dbusmock", "--template", "notification_daemon", "--logfile",
                    "\(folder.path)/log", "--parameters", #"{"capabilities": "body body-markup actions"}"#,
                ],
                environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address.text]
            )
        )
        defer { end(mock) }
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        #expect(await log.has { if case .service(let known) = $0 { known.name == "mock-notify" } else { false } })
        let notification = try await notifier.show(.milk())
        #expect(try await notifier.show(.milk(), replacing: notification) == notification)
        let click = """
            import dbus
            service = dbus.SessionBus().get_object("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
            service.EmitSignal("org.freedesktop.Notifications", "ActionInvoked", "us",
                               [dbus.UInt32(\(notification.number)), "complete"],
                               dbus_interface="org.freedesktop.DBus.Mock")
            """
        let clicker = try #require(
            spawn(
                ["/usr/bin/python3", "-c", click],
                environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address.text]
            )
        )
        defer { end(clicker) }
        #expect(await log.has(.invoked(notification, key: "complete")))
        try await notifier.close(notification)
        // It says of what it was asked to close that its time was over.
        #expect(await log.has(.closed(notification, .expired)))
        let written = fileText("\(folder.path)/log")
        #expect(written.contains(#"Notify "Remindav" 0 "" "Milk" "2 l &lt;b&gt;&amp;""#), "\(written)")
        #expect(written.contains("CloseNotification"))
    }

    // MARK: Costs

    @Test("nothing is left open, and nothing wakes while nothing happens")
    func costs() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus)
        let notifier = AwaitedNotifier(address: bus.address)
        _ = try await notifier.show(.milk())
        #expect(service.notified.count == 1)
        #expect(await eventually { BusThreads.switches()?.count == 1 })
        // It has yet to go to sleep after the last answer.
        try await Task.sleep(for: .milliseconds(500))
        let idle = BusThreads.switches()
        try await Task.sleep(for: .seconds(2))
        #expect(BusThreads.switches() == idle)

        let before = TemporaryFolder.names(below: "/proc/self/fd").count
        for _ in 0..<50 {
            let notifier = AwaitedNotifier(address: bus.address)
            _ = try await notifier.service()
        }
        #expect(await eventually { TemporaryFolder.names(below: "/proc/self/fd").count <= before + 2 })
        _ = try await notifier.show(.milk())
    }
}
