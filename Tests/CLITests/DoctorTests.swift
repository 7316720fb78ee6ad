import RemindavBridge
import RemindavDaemon
import RemindavDatePhrases
import RemindavDesktopBus
import RemindavICalendar
import RemindavNotifications
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("doctor")
struct DoctorTests {
    private func levels(_ findings: [Finding]) -> [String] { findings.map { "\($0.level.rawValue) \($0.topic)" } }

    private func folder(_ change: (inout StoreFolderCheck) -> Void = { _ in }) -> StoreFolderCheck {
        var check = StoreFolderCheck(folder: "/s")
        check.exists = true
        check.folderMode = 0o700
        check.freeBytes = 1 << 30
        change(&check)
        return check
    }

    @Test("the folder of the store")
    func files() {
        #expect(self.levels(HealthCheck.files(self.folder())) == ["ok disk"])
        #expect(self.levels(HealthCheck.files(StoreFolderCheck(folder: "/s"))) == ["ok store"])
        #expect(self.levels(HealthCheck.files(self.folder { $0.folderMode = 0o755 })) == ["warning files", "ok disk"])
        #expect(self.levels(HealthCheck.files(self.folder { $0.isWritable = false })) == ["problem store", "ok disk"])
        #expect(self.levels(HealthCheck.files(self.folder { $0.exposed = ["lock"] })) == ["warning files", "ok disk"])
        #expect(self.levels(HealthCheck.files(self.folder { $0.freeBytes = 1000 })) == ["problem disk"])
        #expect(self.levels(HealthCheck.files(self.folder { $0.databaseBytes = 1 << 30 })) == ["warning disk"])
        #expect(self.levels(HealthCheck.files(self.folder { $0.logBytes = 1 << 30 })) == ["ok disk", "warning store"])
        let lost = HealthCheck.files(
            self.folder { $0.lostLogs = ["reminders.db-wal.lost", "reminders.db-wal.lost-2"] }
        )
        #expect(self.levels(lost) == ["ok disk", "warning store"])
        #expect(lost.last?.sentence.hasPrefix("reminders.db-wal.lost, reminders.db-wal.lost-2 in /s: ") == true)
        #expect(
            HealthCheck.files(self.folder()).map(\.sentence) == ["1 GiB free on the disk of /s."]
        )
    }

    @Test("the contents of the store")
    func store() {
        var check = StoreCheck(format: 9)
        check.reminders = 3
        check.lists = 1
        #expect(
            HealthCheck.store(check) == [Finding(.ok, "store", "Reminders: 3, lists: 1, format 9; nothing is damaged.")]
        )
        check.lost = ["Wo\u{1B}rk"]
        check.conflicts = 2
        #expect(self.levels(HealthCheck.store(check)) == ["ok store", "warning list", "warning conflicts"])
        #expect(HealthCheck.store(check)[1].sentence.contains(#"no longer has 'Wo\x1brk'."#))
        check.damage = ["row 1 missing from index"]
        #expect(self.levels(HealthCheck.store(check))[0] == "problem store")
    }

    @Test("clock, locale, feeds and settings")
    func surroundings() throws {
        let made = try #require(CalendarDate(year: 2026, month: 11, day: 22))
        #expect(HealthCheck.clock(now: .utc(2026, 11, 22, 0, 0), made: made, lastRun: nil).level == .ok)
        #expect(HealthCheck.clock(now: .utc(2026, 11, 21, 23, 59), made: made, lastRun: nil).level == .problem)
        #expect(
            HealthCheck.clock(now: .utc(2027, 1, 1, 0, 0), made: made, lastRun: .utc(2027, 1, 1, 0, 6)).level
                == .problem
        )
        #expect(
            HealthCheck.clock(now: .utc(2027, 1, 1, 0, 0), made: made, lastRun: .utc(2027, 1, 1, 0, 4)).level == .ok
        )
        #expect(HealthCheck.locale(["LANG": "de_DE.UTF-8"]).level == .ok)
        #expect(HealthCheck.locale(["LANG": "de_DE.utf8", "LC_ALL": ""]).level == .ok)
        #expect(HealthCheck.locale(["LANG": "de_DE.UTF-8", "LC_ALL": "C"]).level == .warning)
        #expect(HealthCheck.locale([:]).level == .warning)
        #expect(HealthCheck.feeds(0, port: 1, isAnswered: false).level == .ok)
        #expect(HealthCheck.feeds(1, port: 1, isAnswered: false).level == .warning)
        #expect(HealthCheck.feeds(1, port: 1, isAnswered: true).level == .ok)
        let failed = HealthCheck.push(ofFeed: 3, named: "Work", .signIn)
        #expect(failed.level == .warning)
        #expect(
            failed.sentence == """
                The last push of 'Work' failed: the server does not accept the user name or the password. Run \
                'remindav feed push 3', which tries again and shows the next step.
                """
        )
        #expect(HealthCheck.settings(.absent).map(\.level) == [.warning])
        #expect(HealthCheck.settings(SettingsFile(path: "/c")).map(\.level) == [.ok])
        #expect(HealthCheck.settings(SettingsFile(Array("x".utf8), path: "/c", home: nil)).map(\.level) == [.problem])
    }

    @Test("accounts")
    func accounts() {
        let now = Instant.utc(2026, 11, 22, 9, 0)
        func lines(_ change: (inout AccountCheck) -> Void) -> [String] {
            var check = AccountCheck(name: "cloud")
            check.lastSync = now
            check.lists = 1
            change(&check)
            return HealthCheck.account(check, now: now).map { "\($0.level.rawValue) \($0.sentence)" }
        }
        #expect(lines { _ in } == ["ok cloud: its password is stored and all changes are sent."])
        #expect(lines { $0.server = .answers } == ["ok cloud: the server answers and accepts the password."])
        #expect(lines { $0.password = .commandNotRun }.map { $0.prefix(2) } == ["ok"])
        #expect(
            lines { $0.password = .missing(UseCaseError(.passwordMissing)) } == [
                "problem cloud: The password of the account is no longer stored. 'remindav account password' sets it again."
            ]
        )
        #expect(lines { $0.server = .fails(UseCaseError(.noTaskLists)) }.map { $0.prefix(7) } == ["problem"])
        #expect(
            lines { $0.restsUntil = now.adding(seconds: 61) } == [
                "warning cloud: its server requested a pause of 2 minutes. 'remindav sync --now' ignores it."
            ]
        )
        #expect(lines { $0.lastSync = nil } == ["warning cloud: there was no sync yet. Run 'remindav sync'."])
        #expect(
            lines { ($0.lastSync, $0.wasSynced) = (nil, true) }
                == ["warning cloud: there was no sync in the last 30 days. Run 'remindav sync'."]
        )
        #expect(
            lines { $0.lists = 0 } == [
                "warning cloud: it has no list. To create one, run 'remindav lists add --account=cloud NAME'."
            ]
        )
        for change in [
            { $0.waitingDeletions = 1 }, { $0.holdingLists = ["Work"] }, { $0.unreadable = 1 },
            { $0.error = "unreachable" }, { $0.lastSync = nil },
            { $0.unsent = 1 },
        ] as [(inout AccountCheck) -> Void] {
            #expect(lines(change).map { $0.prefix(7) } == ["warning"])
        }
    }

    private static let cannot = DesktopBusError(.noService)
    private static let reason = "No program on this desktop shows notifications. \(cannot.advice)"

    @Test("whether alarms fire, and the remedies")
    func alarms() {
        func line(_ isInstalled: Bool, _ isRunning: Bool) -> String {
            let finding = HealthCheck.alarms(isInstalled: isInstalled, isRunning: isRunning)
            return "\(finding.level.rawValue) \(finding.sentence)"
        }
        let off = "ok No alarms are shown, because the service is not installed. 'remindav setup' installs it."
        #expect(line(false, false) == off)
        #expect(line(true, true) == "ok A daemon delivers the alarms of this store.")
        #expect(line(false, true) == "ok A daemon delivers the alarms of this store.")
        #expect(
            line(true, false)
                == "warning The service is installed, but no daemon runs for this store. Run 'systemctl --user restart "
                + "remindav.service'; 'journalctl --user -u remindav.service' shows why it has ended."
        )
    }

    @Test("the notification service and its capabilities, or the problem and the remedy (N01)")
    func notifications() {
        func line(
            _ look: Result<DesktopService, DesktopBusError>?,
            hasCommand: Bool = false
        ) -> String {
            let finding = HealthCheck.notifications(look, hasCommand: hasCommand)
            return "\(finding.level.rawValue) \(finding.sentence)"
        }
        func program(_ name: String, _ capabilities: Set<String>, _ failure: DesktopBusError? = nil)
            -> Result<DesktopService, DesktopBusError>
        {
            .success(.named(name, capabilities, failure))
        }
        #expect(
            line(.success(.test)) == "ok dunst 1.9.0 shows alarms (actions yes, body yes, markup yes, sound no)."
        )
        #expect(
            line(program("", ["actions", "sound"]))
                == "ok The desktop shows alarms (actions yes, body no, markup no, sound yes)."
        )
        #expect(
            line(program("od\u{1B}d", ["body"])).hasPrefix(
                #"warning od\x1bd shows alarms (actions no, body yes, markup no, sound no), without buttons. Use "#
            )
        )
        #expect(
            line(program("odd", [], Self.cannot))
                == "warning odd does not report its capabilities. \(Self.reason)"
        )
        #expect(line(program("", [], Self.cannot)) == "problem \(Self.reason)")
        #expect(
            line(.failure(Self.cannot)) == "problem Alarms cannot be shown on this computer. \(Self.reason)"
        )
        let outside = DesktopBusError(.noAddress)
        #expect(
            line(.failure(outside)).hasPrefix(
                "warning Alarms cannot be shown on this computer. Remindav runs outside of a desktop session"
            )
        )
        #expect(
            line(.failure(Self.cannot), hasCommand: true) == "ok 'notify-command' delivers alarms: \(Self.cannot)."
        )
        // Without alarms no notification service is needed.
        #expect(line(nil) == "ok Not checked, because no alarms are shown.")
    }

    @Test("a failed notification is a warning while it waits and for a week afterwards (N15)")
    func unshown() {
        let text = LocalText(zone: .utc, now: .utc(2026, 11, 22, 12, 0))
        func line(_ over: Instant?, count: Int = 2, isRunning: Bool = true) -> String? {
            let trouble = DeliveryFailure(
                since: .utc(2026, 11, 15, 9, 0),
                over: over,
                count: count,
                reason: "go\u{1B}ne"
            )
            return HealthCheck.unshown(trouble, isRunning: isRunning, text).map {
                "\($0.level.rawValue) \($0.sentence)"
            }
        }
        #expect(
            line(nil) == "warning Failed to schedule notification: go\\x1bne. 2 reminders wait to be shown since "
                + "2026-11-15 09:00; the daemon retries."
        )
        #expect(
            line(nil, isRunning: false) == "warning Failed to schedule notification: go\\x1bne. 2 reminders wait to be "
                + "shown since 2026-11-15 09:00; no daemon runs to retry."
        )
        #expect(line(nil, count: 1)?.contains(". 1 reminder waits to be shown") == true)
        #expect(
            line(.utc(2026, 11, 15, 12, 1)) == "ok Failed to schedule notification: go\\x1bne. That was from "
                + "2026-11-15 09:00 to 2026-11-15 12:01; no alarm is pending."
        )
        #expect(line(.utc(2026, 11, 15, 12, 0)) == nil)
    }

    @Test("an installed service that does not run, on a desktop without notifications, is a problem")
    func alarmsOfTheWorld() async throws {
        let folder = try TemporaryFolder()
        let store = "\(folder.path)/s"
        for (desktop, level) in [
            (Result<DesktopService, DesktopBusError>.success(.test), "ok     "),
            (.failure(Self.cannot), "problem"),
        ] {
            let world = TestWorld(
                environment: ["HOME": "/h", "LANG": "C.UTF-8", "REMINDAV_STORE": store],
                store: store,
                manager: FakeManager(),
                desktop: desktop
            )
            _ = await world.run("doctor")
            let before = world.takeAnswers()
            #expect(before.contains("\nok       alarms         No alarms are shown, because"))
            #expect(before.contains("\nok       notifications  Not checked, because no alarms are shown."))
            #expect(world.lookups == 0, "a query may start a program")
            #expect(await world.run("service", "install") == .success)
            _ = world.takeAnswers()
            _ = await world.run("doctor")
            let answer = world.takeAnswers()
            #expect(answer.contains("\nwarning  alarms         The service is installed, but no daemon runs"))
            #expect(answer.contains("\n\(level)  notifications  "))
            #expect(world.lookups == 1)
        }
    }

    @Test("a missing store is no problem and is not created; an existing one is checked")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let store = "\(folder.path)/s"
        let world = TestWorld(environment: ["HOME": "/h", "LANG": "C.UTF-8", "REMINDAV_STORE": store], store: store)
        _ = await world.run("doctor")
        #expect(world.takeAnswers().contains("ok       store          \(store) does not exist yet"))
        #expect(folder.names.isEmpty)
        #expect(await world.run("add", "One") == .success)
        _ = world.takeAnswers()
        _ = await world.run("doctor", "--json")
        let answer = world.takeAnswers()
        #expect(answer.contains(#""topic": "store", "sentence": "Reminders: 1, lists: 1, format "#))
        #expect(!answer.contains("problem\", \"topic\": \"store"))
        #expect(!answer.contains("lost"))
        try TemporaryFolder.write([1], to: "\(store)/reminders.db-wal.lost")
        _ = await world.run("doctor")
        #expect(world.takeAnswers().contains("warning  store          reminders.db-wal.lost in \(store): "))
        #expect(world.complaints.isEmpty)
    }

    @Test("a damaged store is a problem, also in the exit status")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let store = "\(folder.path)/s"
        let world = TestWorld(environment: ["HOME": "/h", "REMINDAV_STORE": store], store: store)
        #expect(await world.run("add", "One") == .success)
        try TemporaryFolder.damage("\(store)/reminders.db", from: 0, count: 4096)
        _ = world.takeAnswers()
        #expect(await world.run("doctor") == .failure)
        #expect(world.takeAnswers().contains("problem  store          The store's file is damaged"))
    }
}
