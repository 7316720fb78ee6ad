import RemindavBridge
import RemindavDaemon
import RemindavDesktopBus
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("setup")
struct SetUpCommandTests {
    private static let unit = "/h/.config/systemd/user/remindav.service"
    private static let desktop = "/h/.local/share/applications/remindav.desktop"
    private static let offer =
        "An account on a server with CalDAV, such as Nextcloud, keeps your reminders the same on all devices.\n"
    private static let accounts =
        offer
        + "There is no account: your reminders stay on this computer. 'remindav account add' connects to a server.\n"
    private static let question = "Address of the server, or your email address; Enter for none [] \n"
    private static let reason = "Get notified when your reminders are due so you never miss an important task.\n"
    private static let shown = "A test notification is shown now. Your reminders will look the same.\n"

    private let folder: TemporaryFolder
    init() throws { self.folder = try TemporaryFolder() }

    private func world(
        _ manager: FakeManager?,
        isTerminal: Bool = true,
        desktop: Result<DesktopService, DesktopBusError> = .success(.test)
    ) -> TestWorld {
        let store = "\(self.folder.path)/s"
        return TestWorld(
            environment: ["HOME": "/h", "REMINDAV_STORE": store],
            isTerminal: isTerminal,
            store: store,
            manager: manager,
            desktop: desktop
        )
    }

    @Test("Enter alone turns alarms on as 'service install' does, and shows a notification (N25, N26)")
    func enter() async {
        let manager = FakeManager()
        let world = self.world(manager)
        world.willReply("", "")
        #expect(await world.run("setup") == .success)
        #expect(
            world.takeAnswers() == Self.accounts + Self.reason + """
                Wrote \(Self.unit)
                Wrote \(Self.desktop)
                The service runs and delivers alarms while you are signed in
                \(Self.shown)
                """
        )
        #expect(world.takeComplaints() == Self.question + "Enable Notifications? [Y/n] \n")
        #expect(manager.active == "active" && manager.isEnabled && world.shownTests == 1)
        let installed = (world.file(Self.unit), world.file(Self.desktop))
        let other = self.world(FakeManager())
        #expect(await other.run("service", "install") == .success)
        #expect(other.file(Self.unit) == installed.0 && other.file(Self.desktop) == installed.1)

        // A second run writes, starts and shows nothing.
        _ = manager.takeAsked()
        world.willReply("", "")
        #expect(await world.run("setup") == .success)
        #expect(world.takeAnswers() == Self.accounts + "Alarms are on: the service runs, and is up to date.\n")
        #expect(world.takeComplaints() == Self.question + "Show a test notification? [y/N] \n")
        #expect(manager.takeAsked() == [] && world.shownTests == 1)
        #expect(world.file(Self.unit) == installed.0)
        world.willReply("", "y")
        #expect(await world.run("setup") == .success)
        #expect(world.takeAnswers().contains(Self.shown) && world.shownTests == 2)
    }

    @Test(
        "no and Ctrl-D mean 'Maybe Later': nothing is written and no store is created",
        arguments: ["n", "No", "\u{4}"]
    )
    func later(answer: String) async {
        let manager = FakeManager()
        let world = self.world(manager)
        world.willReply("", answer)
        #expect(await world.run("setup") == .success)
        #expect(
            world.takeAnswers() == Self.accounts + Self.reason + "Maybe Later: 'remindav setup' asks again.\n"
        )
        #expect(world.paths.isEmpty && self.folder.names.isEmpty && world.shownTests == 0)
        #expect(manager.takeAsked() == [])
    }

    @Test("without a terminal nothing is changed, and the corresponding commands are named")
    func noTerminal() async {
        let manager = FakeManager()
        let world = self.world(manager, isTerminal: false)
        #expect(await world.run("setup") == .usage)
        let complaint = world.takeComplaints()
        for command in ["service install", "doctor", "account add"] {
            #expect(complaint.contains("'remindav \(command)"), "\(complaint)")
        }
        #expect(world.answers.isEmpty && world.paths.isEmpty && self.folder.names.isEmpty)
        #expect(manager.takeAsked() == [])
    }

    @Test("the remaining steps are printed, and the status is 3")
    func leftToDo() async {
        let trouble = DesktopBusError(.noService)
        let silent = self.world(FakeManager(), desktop: .failure(trouble))
        silent.willReply("", "y")
        #expect(await silent.run("setup") == .partial)
        #expect(
            silent.complaints.contains(
                "No notification can be shown. No program on this desktop shows notifications. Install"
            )
        )
        let alone = self.world(nil)
        alone.willReply("", "y")
        #expect(await alone.run("setup") == .partial)
        #expect(alone.takeComplaints().contains("In a terminal of your desktop, run: systemctl --user daemon-reload"))
        _ = alone.takeAnswers()
        let paths = alone.paths
        #expect(await alone.run("setup") == .partial)
        #expect(alone.takeAnswers().contains("\nThe service is installed but not started, because your systemd"))
        #expect(alone.paths == paths)
    }

    @Test("the questions depend on the current state")
    func decided() {
        let done = AlarmSetUp.done("Alarms are on: the service runs, and is up to date.")
        let anew = AlarmSetUp.missing("The service is not up to date, or does not run. Install it again?")
        let enable = AlarmSetUp.missing("Enable Notifications?")
        let other = AlarmSetUp.done("Alarms are on: a daemon delivers them.")
        // No second daemon is started beside it, and no error about the start is printed.
        func byHand(_ active: String) -> AlarmSetUp {
            .done(
                "Alarms are on: a daemon delivers them. The service is '\(active)'; "
                    + "end that daemon to let the service deliver alarms."
            )
        }
        let rows: [(ServiceFiles.Found, ServiceFiles.Found, String?, Bool, AlarmSetUp)] = [
            (.same, .same, "active", true, done), (.same, .same, "active", false, done),
            (.same, .same, "failed", false, anew), (.same, .same, "inactive", true, byHand("inactive")),
            (.same, .same, "activating", true, byHand("activating")), (.same, .same, nil, true, other),
            (.older, .same, "active", true, anew), (.same, .nothing, "active", true, anew),
            (.older, .same, nil, false, anew), (.nothing, .same, "inactive", false, enable),
            (.nothing, .nothing, nil, false, enable), (.nothing, .nothing, nil, true, other),
            (.nothing, .nothing, "inactive", true, other), (.foreign, .nothing, nil, false, enable),
        ]
        for (unit, desktop, active, isRunning, expected) in rows {
            let state = ServiceState(unit: ("u", unit), desktop: ("d", desktop), enabled: nil, active: active)
            #expect(AlarmSetUp(state, isRunning: isRunning) == expected, "\(unit) \(desktop) \(active ?? "-")")
        }
        if case .unfinished = AlarmSetUp(
            ServiceState(unit: ("u", .same), desktop: ("d", .same), enabled: nil, active: nil),
            isRunning: false
        ) {
        } else {
            Issue.record("the service must not be started here")
        }
    }

    @Test("accounts are named")
    func accounts() async throws {
        let world = self.world(FakeManager())
        #expect(await world.run("add", "One") == .success)
        _ = world.takeAnswers()
        world.willReply("", "n")
        #expect(await world.run("setup") == .success)
        #expect(world.takeAnswers().hasPrefix(Self.accounts))
    }
}
