import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("the service")
struct ServiceCommandTests {
    private static let unit = "/h/.config/systemd/user/remindav.service"
    private static let web = "/h/.config/systemd/user/remindav-web.service"
    private static let socket = "/h/.config/systemd/user/remindav-web.socket"
    private static let desktop = "/h/.local/share/applications/remindav.desktop"
    private static let link = "/h/.config/systemd/user/default.target.wants/remindav.service"

    private let folder: TemporaryFolder
    init() throws { self.folder = try TemporaryFolder() }

    private func world(_ manager: FakeManager?, _ environment: [String: String] = [:]) -> TestWorld {
        TestWorld(
            environment: ["HOME": "/h"].merging(environment) { $1 },
            store: "\(self.folder.path)/s",
            manager: manager
        )
    }

    private func text(_ world: TestWorld, _ path: String) -> String? {
        world.file(path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "'install' writes both files, enables and starts the service; a second call changes and restarts nothing"
    )
    func install() async {
        let manager = FakeManager()
        let world = self.world(manager)
        #expect(await world.run("service", "install") == .success)
        #expect(
            world.takeAnswers() == """
                Wrote \(Self.unit)
                Wrote \(Self.desktop)
                The service runs and delivers alarms while you are signed in

                """
        )
        #expect(world.paths == [Self.unit, Self.desktop].sorted())
        #expect(self.text(world, Self.unit)?.contains("\nExecStart=\"/usr/bin/remindav\" daemon\n") == true)
        #expect(self.text(world, Self.unit)?.contains("\nReadWritePaths=\"-/h/.local/share/remindav\"\n") == true)
        #expect(manager.isEnabled && manager.active == "active")
        let starts = [
            "daemon-reload", "enable remindav.service", "reset-failed remindav.service", "restart remindav.service",
        ]
        #expect(manager.takeAsked() == starts)

        let before = world.file(Self.unit)
        #expect(await world.run("service", "install") == .success)
        #expect(world.takeAnswers() == "The service is already running and up to date\n")
        #expect(world.file(Self.unit) == before)
        #expect(manager.takeAsked() == ["daemon-reload", "enable remindav.service"])
        #expect(await world.run("service", "install", "--sandbox", "light") == .success)
        #expect(manager.takeAsked() == starts, "another unit is another service")
        #expect(world.complaints.isEmpty)
    }

    @Test("'--web' adds the units of the web pages; they are kept up to date, shown and removed with the others")
    func web() async {
        let (web, socket) = (Self.web, Self.socket)
        let manager = FakeManager()
        let world = self.world(manager)
        _ = await world.run("service", "install", "-q")
        _ = world.takeAnswers()
        #expect(world.file(socket) == nil && manager.webActive == "inactive")
        _ = await world.run("service", "status")
        #expect(
            world.takeAnswers().contains(
                "web      not installed  'remindav service install --web' serves the web pages\n"
            )
        )

        #expect(await world.run("service", "install", "--web") == .success)
        #expect(
            world.takeAnswers() == """
                Wrote \(web)
                Wrote \(socket)
                The service is already running and up to date
                The web pages and the feeds are served while you are signed in: 'remindav web'

                """
        )
        let text = self.text(world, web) ?? ""
        #expect(text.contains("\nExecStart=\"/usr/bin/remindav\" serve\n") && !text.contains("[Install]"))
        #expect(text.contains("\nReadWritePaths=\"-/h/.local/share/remindav\"\n") && text.contains("\nLimitCORE=0\n"))
        let socketText = self.text(world, socket) ?? ""
        #expect(socketText.contains("\nListenStream=127.0.0.1:8737\n") && socketText.contains("=sockets.target\n"))
        #expect(manager.webActive == "active")
        _ = await world.run("service", "status")
        #expect(world.takeAnswers().contains("web      up to date  active  \(socket)\n"))

        // Without the option an older unit is updated too.
        world.setFile(socket, Array("\(ServicePlan.mark)\nold\n".utf8))
        _ = manager.takeAsked()
        #expect(await world.run("service", "install") == .success)
        #expect(self.text(world, socket) == socketText)
        let asked = manager.takeAsked()
        #expect(asked.contains("stop remindav-web.service") && asked.contains("restart remindav-web.socket"))
        _ = world.takeAnswers()
        #expect(await world.run("service", "remove") == .success)
        #expect(
            world.takeAnswers()
                == "Removed \(Self.unit)\nRemoved \(Self.desktop)\nRemoved \(web)\nRemoved \(socket)\n"
        )
        #expect(world.paths.isEmpty && manager.webActive == "inactive")
    }

    @Test("a foreign unit with this name is left unchanged")
    func foreignSocket() async {
        let socket = Self.socket
        let world = self.world(FakeManager())
        world.setFile(socket, Array("[Unit]\n".utf8))
        #expect(await world.run("service", "install", "--web") == .failure)
        #expect(world.paths == [socket])
        #expect(await world.run("service", "install") == .success)
        #expect(await world.run("service", "remove") == .success)
        #expect(world.paths == [socket])
    }

    @Test("without systemd both files are written, and a sentence names the command")
    func noManager() async {
        let world = self.world(nil)
        #expect(await world.run("service", "install") == .partial)
        #expect(world.paths == [Self.unit, Self.desktop].sorted())
        #expect(
            world.takeComplaints() == """
                remindav: The service is not started, because your systemd does not answer. In a terminal of your \
                desktop, run: systemctl --user daemon-reload && systemctl --user enable --now remindav.service

                """
        )
        _ = world.takeAnswers()
        #expect(await world.run("service", "status") == .failure)
        #expect(world.takeAnswers().contains("unit     up to date     \(Self.unit)\n"))
        #expect(await world.run("service", "remove") == .success)
        #expect(world.paths.isEmpty)
    }

    @Test("'remove' removes the files of 'install' and stale links of systemd, and nothing else")
    func remove() async {
        for manager in [FakeManager(), nil] {
            let world = self.world(manager)
            let kept = [
                "/h/.config/systemd/user/other.service", "\(Self.unit).d/override.conf", "/h/.config/remindav/config",
            ]
            for path in kept { world.setFile(path, Array("# mine\n".utf8)) }
            _ = await world.run("service", "install", "-q")
            world.setLink(Self.link, Self.unit)
            _ = world.takeAnswers()
            #expect(await world.run("service", "remove") == .success)
            #expect(world.takeAnswers() == "Removed \(Self.unit)\nRemoved \(Self.desktop)\n")
            #expect(world.paths == kept.sorted())
            #expect(manager?.isEnabled != true && manager?.active != "active")
            #expect(await world.run("service", "remove") == .success)
            #expect(world.takeAnswers() == "No service is installed\n")
        }
    }

    @Test(
        "a foreign file and a link are neither overwritten nor removed",
        arguments: [true, false]
    )
    func foreign(isLink: Bool) async {
        for path in [Self.unit, Self.desktop] {
            let world = self.world(FakeManager())
            if isLink { world.setLink(path, "/elsewhere") } else { world.setFile(path, Array("[Unit]\n".utf8)) }
            #expect(await world.run("service", "install") == .failure)
            #expect(
                world.takeComplaints() == """
                    remindav: This file was not written by remindav, or is a link ('\(path)'). Move it away and try \
                    again. It was not changed.

                    """
            )
            #expect(world.paths == [path])
            #expect(await world.run("service", "remove") == .partial)
            #expect(world.paths == [path])
        }
    }

    @Test("files for another program or store are updated, and the service is restarted")
    func older() async {
        let manager = FakeManager()
        let world = self.world(manager)
        #expect(await world.run("service", "install", "--store", "rel") == .success)
        #expect(
            self.text(world, Self.unit)?.contains(#"ExecStart="/usr/bin/remindav" "--store" "/here/rel" daemon"#)
                == true
        )
        #expect(self.text(world, Self.unit)?.contains("ReadWritePaths=\"-/here/rel\"") == true)
        #expect(
            self.text(world, Self.desktop)?.contains(#"Exec="/usr/bin/remindav" "--store" "/here/rel" "open" "%u""#)
                == false
        )
        #expect(
            self.text(world, Self.desktop)?.contains("\nExec=/usr/bin/remindav --store /here/rel open %u\n") == true
        )
        _ = (world.takeAnswers(), world.takeComplaints(), manager.takeAsked())
        #expect(await world.run("service", "status", "--json") == .success)
        #expect(
            world.takeAnswers() == """
                {"unit": {"path": "\(Self.unit)", "state": "out of date"}, \
                "handler": {"path": "\(Self.desktop)", "state": "out of date"}, "enabled": "enabled", "active": "active", \
                "web": {"path": "\(Self.socket)", "state": "not installed"}, "webActive": "inactive"}

                """
        )
        #expect(await world.run("service", "install") == .success)
        #expect(manager.takeAsked().last == "restart remindav.service")
        #expect(self.text(world, Self.unit)?.contains("--store") == false)
    }

    @Test("the unit contains variables of this process, but no settings")
    func places() async {
        let world = self.world(
            nil,
            [
                "REMINDAV_STORE": "/v/store", "REMINDAV_CONFIG": "/v/config", "XDG_CONFIG_HOME": "/x",
                "XDG_DATA_HOME": "/y",
            ]
        )
        world.setFile("/v/config", [])
        #expect(await world.run("service", "install") == .partial)
        #expect(
            self.text(world, "/x/systemd/user/remindav.service")?.contains(
                #"ExecStart="/usr/bin/remindav" "--config" "/v/config" "--store" "/v/store" daemon"#
            ) == true
        )
        #expect(world.file("/y/applications/remindav.desktop") != nil)
        let data = self.world(nil, ["XDG_DATA_HOME": "/y"])
        #expect(await data.run("service", "install") == .partial)
        #expect(self.text(data, Self.unit)?.contains(#" "--store" "/y/remindav" daemon"#) == true)
        let settings = self.world(nil)
        settings.setFile("/h/.config/remindav/config", Array("store = ~/R\nopen-command = [\"x\"]\n".utf8))
        #expect(await settings.run("service", "install") == .partial)
        #expect(self.text(settings, Self.unit)?.contains("ExecStart=\"/usr/bin/remindav\" daemon\n") == true)
        #expect(self.text(settings, Self.unit)?.contains("ReadWritePaths=\"-/h/R\"\n") == true)
        #expect(self.text(settings, Self.desktop)?.contains("Terminal=false\n") == true)
    }

    @Test("if systemd cannot provide the sandbox, the service gets the light one, and keeps it")
    func fallback() async {
        for status in ["217", "218", "226"] {
            let manager = FakeManager(withNamespaces: status)
            let world = self.world(manager)
            #expect(await world.run("service", "install") == .success)
            #expect(
                world.takeComplaints()
                    == "This system allows no user namespaces; the service runs with '--sandbox light'.\n"
            )
            #expect(self.text(world, Self.unit)?.contains("PrivateUsers") == false)
            #expect(manager.active == "active")
            _ = (world.takeAnswers(), manager.takeAsked())
            #expect(await world.run("service", "install") == .success)
            #expect(manager.takeAsked() == ["daemon-reload", "enable remindav.service"])
            #expect(await world.run("service", "status") == .success)
            #expect(world.takeAnswers().contains("unit     up to date"))
            #expect(
                await world.run("service", "install", "--sandbox", "full") == .failure,
                "the requested sandbox is unavailable"
            )
            #expect(world.takeComplaints().contains("The service does not start ('\(status)'). 'journalctl"))
        }
    }

    @Test("a service that does not start, or that systemd refuses, is reported with the command for its log")
    func failures() async {
        let failing = self.world(FakeManager(withNamespaces: "1", without: "1"))
        #expect(await failing.run("service", "install") == .failure)
        #expect(
            failing.takeComplaints()
                == "remindav: The service does not start ('1'). 'journalctl --user -u remindav.service' shows the reason.\n"
        )
        let refusing = self.world(FakeManager(takesUnits: false))
        #expect(await refusing.run("service", "install") == .failure)
        #expect(
            refusing.takeComplaints().hasPrefix("remindav: Systemd does not accept the service ('remindav.service').")
        )
        #expect(await refusing.run("service", "remove") == .failure)
        #expect(refusing.file(Self.unit) != nil, "what still runs keeps its unit")
    }

    @Test(
        "a path that a unit cannot contain is refused before anything is written",
        arguments: ["\n", "\u{7}"]
    )
    func oddPath(letter: String) async {
        let world = self.world(FakeManager())
        #expect(await world.run("service", "install", "--store", "/a\(letter)b") == .failure)
        #expect(world.takeComplaints().contains("that units and desktop entries cannot contain"))
        #expect(world.paths.isEmpty)
    }

    @Test("'status' suggests the set-up if nothing is installed (N26)")
    func invitation() async {
        let world = self.world(FakeManager())
        #expect(await world.run("service", "status") == .failure)
        #expect(
            world.takeAnswers() == """
                unit     not installed  \(Self.unit)
                handler  not installed  \(Self.desktop)
                enabled  disabled       \n\
                active   inactive       \n\
                web      not installed  'remindav service install --web' serves the web pages

                Enable Notifications: remindav service install
                Get notified when your reminders are due so you never miss an important task.

                """
        )
        #expect(await world.run("service", "install", "--sandbox", "none") == .usage)
        #expect(world.complaints.contains("'--sandbox' must be full or light, not 'none'."))
    }
}
