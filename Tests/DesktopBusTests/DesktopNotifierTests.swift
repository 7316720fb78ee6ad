import RemindavNotifications
import RemindavTestSupport
import Testing

@testable import RemindavDesktopBus

/// Returns the error of a call; `nil` if it succeeds.
func failure(_ work: () async throws(DesktopBusError) -> some Sendable) async -> DesktopBusError.Code? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error.code
    }
}

/// The tests run one after the other, because they start programs and wait for time limits.
@Suite("a notification service over a bus", .serialized, .timeLimit(.minutes(3)))
struct DesktopNotifierTests {
    @Test("a notification reaches the service unchanged, is replaced under its number, and closed")
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
        // A notification of another run cannot be replaced.
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

    @Test("a service without markup and buttons gets plain text and no buttons, also if it reports no capabilities")
    func plain() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus, can: ["body"])
        let notifier = AwaitedNotifier(address: bus.address)
        _ = try await notifier.show(.milk())
        #expect(service.notified.first?[4] == .string("2 l <b>&"))
        #expect(service.notified.first?[5] == .strings([]))
    }

    @Test("the close reasons are distinguished", arguments: [(1, 1), (2, 2), (3, 3), (4, 4), (9, 4), (0, 4)])
    func reasons(sent: UInt32, expected: UInt32) async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus)
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        let notification = try await notifier.show(.milk())
        service.emit("NotificationClosed", [.number(notification.number), .number(sent)])
        let reason = try #require(CloseReason(rawValue: expected))
        #expect(await log.has(.closed(notification, reason)))
        // The event occurs once, because the notification is closed.
        service.emit("NotificationClosed", [.number(notification.number), .number(sent)], times: 5)
        let next = try await notifier.show(.milk())
        service.emit("ActionInvoked", [.number(next.number), .string("complete")])
        #expect(await log.has(.invoked(next, key: "complete")))
        #expect(log.all.filter { if case .closed = $0 { true } else { false } }.count == 1)
    }

    @Test("a click counts on a shown notification, for an offered action, from the service, within a time limit")
    func clicks() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus)
        let stranger = try await FakeService(on: bus, isService: false)
        let notifier = AwaitedNotifier(address: bus.address)
        let log = EventLog(notifier)
        let notification = try await notifier.show(.milk())
        // A broadcast, and a signal to each name on the bus.
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

    @Test("a click on a notification of an earlier run counts if the service is the same")
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

    @Test("every text reaches the service as one that a bus can carry", arguments: [true, false])
    func hostileTexts(hasMarkup: Bool) async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus, can: hasMarkup ? ["body-markup", "actions"] : ["actions"])
        let notifier = AwaitedNotifier(address: bus.address)
        let scalars = (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init).filter {
            // Every scalar with a special treatment, and some of all others.
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
            var notification = DesktopNotification(title: text, body: text)
            notification.category = text
            notification.sound = text
            notification.desktopEntry = text
            notification.actions = [NotificationAction(key: "open", label: text)]
            _ = try await notifier.show(notification)
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

    // MARK: Another service

    @Test("the independent service of python-dbusmock works as well")
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
        // The mock reports that a notification which it was asked to close has expired.
        #expect(await log.has(.closed(notification, .expired)))
        let written = fileText("\(folder.path)/log")
        #expect(written.contains(#"Notify "Remindav" 0 "" "Milk" "2 l &lt;b&gt;&amp;""#), "\(written)")
        #expect(written.contains("CloseNotification"))
    }

    // MARK: Costs

    @Test("no descriptor stays open, and an idle notifier causes no wake-up")
    func costs() async throws {
        let bus = try PrivateBus()
        let service = try await FakeService(on: bus)
        let notifier = AwaitedNotifier(address: bus.address)
        _ = try await notifier.show(.milk())
        #expect(service.notified.count == 1)
        #expect(await eventually { BusThreads.switches()?.count == 1 })
        // The thread needs a moment to go to sleep after the last answer.
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
