import Testing

@testable import RemindavDesktopBus

@Suite("the address of the session bus")
struct BusAddressTests {
    struct Case: Sendable {
        let environment: [String: String]
        let expected: Result<String, DesktopBusError>

        init(_ environment: [String: String], _ expected: String) {
            self.environment = environment
            self.expected = .success(expected)
        }

        init(_ environment: [String: String], _ expected: DesktopBusError.Code) {
            self.environment = environment
            self.expected = .failure(DesktopBusError(expected))
        }
    }

    // swift-format-ignore
    static let cases: [Case] = [
        Case(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1/bus"], "unix:path=/run/user/1/bus"),
        Case(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": "/run/user/1"], "unix:path=/a"),
        Case(["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/run/user/1"], "unix:path=/run/user/1/bus"),
        Case(["XDG_RUNTIME_DIR": "/a b;c"], "unix:path=/a%20b%3bc/bus"),
        Case(["DBUS_SESSION_BUS_ADDRESS": "tcp:host=example.org,port=1;unix:abstract=a,guid=0"], "unix:abstract=a,guid=0"),
        Case(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a;unixexec:path=/bin/sh;unix:path=/b"], "unix:path=/a;unix:path=/b"),
        Case([:], .noAddress),
        Case(["XDG_RUNTIME_DIR": "run"], .noAddress),
        Case(["DBUS_SESSION_BUS_ADDRESS": "tcp:host=example.org,port=1"], .badAddress),
        Case(["DBUS_SESSION_BUS_ADDRESS": "unixexec:path=/bin/sh"], .badAddress),
        Case(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"], .badAddress),
        Case(["DBUS_SESSION_BUS_ADDRESS": "unix:"], .badAddress),
        Case(["DBUS_SESSION_BUS_ADDRESS": "/run/user/1/bus"], .badAddress),
        Case(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/" + String(repeating: "a", count: 5000)], .badAddress),
    ]

    @Test("is read from the environment, and only a socket of this machine is used", arguments: Self.cases)
    func session(_ test: Case) {
        let found = Result { () throws(DesktopBusError) in try BusAddress.session(in: test.environment).text }
        #expect(found == test.expected)
    }
}

@Suite("errors of the session bus")
struct DesktopBusErrorTests {
    // swift-format-ignore
    static let names: [(String, DesktopBusError.Code)] = [
        ("org.freedesktop.DBus.Error.ServiceUnknown", .noService),
        ("org.freedesktop.DBus.Error.Spawn.ChildSignaled", .serviceNotStarted),
        ("org.freedesktop.DBus.Error.Spawn.ChildExited", .serviceNotStarted),
        ("org.freedesktop.DBus.Error.Spawn.ExecFailed", .serviceNotStarted),
        ("org.freedesktop.systemd1.UnitMasked", .serviceNotStarted),
        ("org.freedesktop.DBus.Error.TimedOut", .serviceNotStarted),
        ("org.freedesktop.DBus.Error.NoReply", .serviceSilent),
        ("org.freedesktop.DBus.Error.NameHasNoOwner", .serviceGone),
        ("org.freedesktop.DBus.Error.UnknownMethod", .serviceRefused),
        ("", .serviceRefused),
    ]

    @Test("are distinguished by their error names on the bus", arguments: Self.names)
    func named(name: String, code: DesktopBusError.Code) { #expect(DesktopBusError(named: name).code == code) }

    @Test(
        "state the cause, and the permanent ones state a remedy",
        arguments: DesktopBusError.Code.allCases
    )
    func advice(code: DesktopBusError.Code) {
        #expect(!code.rawValue.isEmpty && !code.rawValue.hasSuffix("."))
        let mendsItself: Set<DesktopBusError.Code> = [.busLost, .serviceGone, .tooManyCalls, .cancelled]
        #expect(DesktopBusError(code).advice.isEmpty == mendsItself.contains(code))
    }

    @Test("an invalid error name is cut and cleaned")
    func hostileName() {
        let error = DesktopBusError(named: "a\u{1B}[31m" + String(repeating: "b", count: 10_000))
        #expect(error.description.utf8.count < 400)
        #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
    }
}

@Suite("the times of reconnections to the bus")
struct ReconnectionTests {
    @Test(
        "each pause is twice as long as the one before, up to the longest",
        arguments: [
            (0, 0), (1, 1000), (2, 2000), (3, 4000), (9, 256_000), (10, 300_000), (1_000_000, 300_000),
        ]
    )
    func pause(failures: Int, milliseconds: Int) {
        #expect(Reconnection.pause(after: failures, limits: .standard) == milliseconds)
    }

    @Test("a connection that lasted resets the pauses, a short one does not")
    func ended() {
        var reconnection = Reconnection(limits: .standard)
        #expect(reconnection.next == 0)
        reconnection.began(at: 0)
        reconnection.ended(after: nil, at: 0)
        #expect(reconnection.next == 1000)
        reconnection.ended(after: 10, at: 1000)
        #expect(reconnection.next == 3000)
        reconnection.ended(after: 59_999, at: 70_000)
        #expect(reconnection.next == 74_000)
        reconnection.ended(after: 60_000, at: 200_000)
        #expect(reconnection.next == 201_000)
    }

    @Test("a pending notification shortens the pause, without continuous retries")
    func hurry() {
        var reconnection = Reconnection(limits: .standard)
        #expect(reconnection.mayHurry(at: 0))
        reconnection.began(at: 5000)
        for _ in 0..<8 { reconnection.ended(after: nil, at: 5000) }
        #expect(reconnection.next == 133_000)
        #expect(!reconnection.mayHurry(at: 5999))
        #expect(reconnection.mayHurry(at: 6000))
    }
}
