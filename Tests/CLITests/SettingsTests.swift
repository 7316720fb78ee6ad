import RemindavBridge
import RemindavCurlTransport
import RemindavDaemon
import RemindavHost
import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavCLI
@testable import RemindavPlatform

@Suite("settings")
struct SettingsTests {
    private func file(_ text: String) -> SettingsFile {
        SettingsFile(Array(text.utf8), path: "config", home: "/home/ada")
    }

    @Test("each setting is read from its line, and a file without lines sets nothing")
    func all() throws {
        let file = self.file(
            """
            # What I like
            store = ~/Reminders
              list=Work = more\r
            color = never

            due-time = 08:30
            alarm-time = 07:00
            snooze = 15m
            port = "9000"
            notify-when-due = no
            quiet-hours = 22:00 - 07:30
            muted-lists = [ "Work, \\"old\\"" , 'C:\\',]
            muted-labels = Some day
            show-missed = no
            sound = no
            notify-command = ["~/bin/tell", "-v", "", "[x]"]
            open-command = ["foot"]
            sync-interval = 2h
            feed-address = Example.org/reminders/
            due = none
            alarm = 1h, due
            pager = less -R
            web-address = https://home.example.org/r
            web-socket = ~/web.sock
            host = service=remindav
            host-key = ~/host.key
            host-relay = smtps://a%40b@mail.example.org:465
            host-relay-password = credential:relay
            host-sender = alarms@example.org
            host-allow = 10.1.0.0/16, fd00::/8
            host-ports = 8800,5232
            host-contact = dav@example.org
            host-subject-header = Remote-User
            host-issuer-header = Remote-Issuer
            host-proxy-secret = ~/proxy.secret
            host-proxy-user = 33
            """
        )
        #expect(file.issues.isEmpty)
        #expect(file.settings.store == "/home/ada/Reminders")
        #expect(file.settings.list == "Work = more")
        #expect(file.settings.color == .never)
        #expect(file.settings.dueTime == ClockTime(hour: 8, minute: 30, second: 0))
        #expect(file.settings.alarms.dayTime == ClockTime(hour: 7, minute: 0, second: 0))
        #expect(file.settings.snooze == "15m")
        #expect(file.settings.port == 9000)
        #expect(!file.settings.alarms.notifiesWhenDue)
        #expect(file.settings.daemon.scheduler.quietHours?.from == ClockTime(hour: 22, minute: 0, second: 0))
        #expect(file.settings.daemon.scheduler.quietHours?.to == ClockTime(hour: 7, minute: 30, second: 0))
        #expect(file.settings.muted.lists == ["Work, \"old\"", "C:\\"])
        #expect(file.settings.muted.labels == ["Some day"])
        #expect(!file.settings.daemon.scheduler.showsMissed)
        #expect(!file.settings.daemon.scheduler.appearance.makesSound)
        #expect(file.settings.daemon.notifyCommand == ["/home/ada/bin/tell", "-v", "", "[x]"])
        #expect(file.settings.daemon.openCommand == ["foot"])
        #expect(file.settings.daemon.syncSeconds == 7200)
        #expect(file.settings.feedAddress?.text == "https://example.org/reminders")
        #expect(file.settings.webAddress?.text == "https://home.example.org/r")
        #expect(file.settings.host == "service=remindav")
        #expect(file.settings.hostKey == .file("/home/ada/host.key"))
        #expect(file.settings.hostRelay?.text == "smtps://a%40b@mail.example.org:465")
        #expect(file.settings.hostRelay?.user == "a@b" && file.settings.hostRelayPassword == .credential("relay"))
        #expect(file.settings.hostSender == "alarms@example.org")
        #expect(file.settings.allowedAddresses.networks.map(\.text) == ["10.1.0.0/16", "fd00::/8"])
        #expect(file.settings.allowedAddresses.ports == [5232, 8800])
        #expect(file.settings.hostContact == "dav@example.org")
        #expect(file.settings.hostSubjectHeader == "Remote-User" && file.settings.hostIssuerHeader == "Remote-Issuer")
        #expect(file.settings.hostProxySecret == "/home/ada/proxy.secret" && file.settings.hostProxyUser == 33)
        #expect(file.settings.webSocket == "/home/ada/web.sock")
        #expect(file.settings.due == .undated)
        #expect(file.settings.pager == "less -R")
        #expect(file.settings.newAlarms == [.beforeDue(CalendarDuration(seconds: 3600)), .atDue])
        let early = [
            "store": 2, "list": 3, "color": 4, "due-time": 6, "alarm-time": 7, "snooze": 8, "port": 9,
        ]
        #expect(early.allSatisfy { file.lines[$0.key] == $0.value })
        #expect(file.lines["notify-when-due"] == 10 && file.lines["sync-interval"] == 18)
        #expect(Set(file.lines.keys) == Set(Setting.all.map(\.name)), "a setting that this test does not know")
        #expect(self.file("").settings == Settings())
        #expect(self.file("\u{FEFF}# only a remark").issues.isEmpty)
    }

    @Test(
        "a line that cannot be used is named, and the rest counts",
        arguments: [
            ("lst = Work", "There is no setting 'lst'. Did you mean 'list'?"),
            ("colour = never", "There is no setting 'colour'. Did you mean 'color'?"),
            ("birthday = 1 may", "There is no setting 'birthday'. 'remindav help config' lists all of them."),
            ("\u{1B}[31m = x", "There is no setting '\\x1b[31m'. 'remindav help config' lists all of them."),
            ("[section]", "A line must be 'NAME = VALUE'. A comment begins with '#'."),
            (
                "feed-address = http://cal.example.org",
                "'feed-address' must be an address such as https://cal.example.org or https://example.org/reminders, not "
                    + "'http://cal.example.org'. It must begin with https:// and have no '?', '#' or user name."
            ),
            (
                "silent-lists = Work",
                "The setting 'silent-lists' is now called 'muted-lists'. Rename it in this line."
            ),
            ("list", "A line must be 'NAME = VALUE'. A comment begins with '#'."),
            ("list =", "'list' has no value. Remove the line to use the default."),
            ("list = \"\"", "'list' has no value. Remove the line to use the default."),
            ("list = a\u{202E}b", "The value of 'list' contains an invisible character. Type it again."),
            ("port = 9001", "'port' is already set in line 1. Remove one of the two lines."),
            ("color = blue", "'color' must be auto, always or never, not 'blue'."),
            ("due-time = 9", "'due-time' must be a time such as 09:00, not '9'."),
            ("due-time = 24:00", "'due-time' must be a time such as 09:00, not '24:00'."),
            ("alarm-time = 09:60", "'alarm-time' must be a time such as 09:00, not '09:60'."),
            ("alarm-time = +9:00", "'alarm-time' must be a time such as 09:00, not '+9:00'."),
            ("snooze = 10x", "'snooze' must be a number of minutes or hours, such as 15m or 2h, not '10x'."),
            ("snooze = friday", "'snooze' must be a number of minutes or hours, such as 15m or 2h, not 'friday'."),
            ("store = reminders", "'store' must be a path that begins with / or ~/, not 'reminders'."),
            (
                "host = remindav",
                "'host' must be a connection string of libpq such as dbname=remindav, not 'remindav'."
            ),
            (
                "host-key = host.key",
                "'host-key' must be a path that begins with / or ~/, credential:NAME, or command:WORDS, not 'host.key'."
            ),
            (
                "host-allow = 10.0.0.1/8",
                "'host-allow' must be networks such as 10.1.0.0/16,fd00::/8, not '10.0.0.1/8'."
            ),
            ("host-allow = nas,", "'host-allow' must be networks such as 10.1.0.0/16,fd00::/8, not 'nas,'."),
            ("host-ports = 0", "'host-ports' must be ports such as 5232,8800, not '0'."),
            ("host-ports = 5232,", "'host-ports' must be ports such as 5232,8800, not '5232,'."),
            ("notify-when-due = true", "'notify-when-due' must be yes or no, not 'true'."),
            ("sound = Yes", "'sound' must be yes or no, not 'Yes'."),
            ("quiet-hours = 22:00", "'quiet-hours' must be two times such as 22:00-07:00, not '22:00'."),
            ("quiet-hours = 22:00-7:00", "'quiet-hours' must be two times such as 22:00-07:00, not '22:00-7:00'."),
            (
                "quiet-hours = 09:00-09:00",
                "'quiet-hours' begins and ends at the same time. Change the end, or remove the line for no quiet hours."
            ),
            (
                "muted-lists = \"Work\", \"Old\"",
                #"'muted-lists' must be a name, or names such as ["Work", "Old"], not 'Work", "Old'."#
            ),
            ("muted-labels = [\"a\", \" \"]", "'muted-labels' contains an empty name. Remove it."),
            ("notify-command = []", "'notify-command' contains no program. Remove the line to use none."),
            ("notify-command = [\"\", \"x\"]", "'notify-command' contains no program. Remove the line to use none."),
            (
                "notify-command = say hello",
                #"'notify-command' must be words such as ["one", "two"]. Problem: the '[' at the beginning is missing."#
            ),
            (
                "open-command = [\"bin/open\"]",
                "The program of 'open-command' must be a name, or a path that begins with / or ~/, not 'bin/open'."
            ),
            ("sync-interval = 0m", "'sync-interval' must be from 1m to 24h, such as 15m, or never, not '0m'."),
            ("sync-interval = 25h", "'sync-interval' must be from 1m to 24h, such as 15m, or never, not '25h'."),
            ("sync-interval = 15", "'sync-interval' must be from 1m to 24h, such as 15m, or never, not '15'."),
            (
                "sync-interval = 99999999999999999999m",
                "'sync-interval' must be from 1m to 24h, such as 15m, or never, not '99999999999999999999m'."
            ),
        ]
    )
    func issues(line: String, sentence: String) {
        let file = self.file("port = 1234\n\(line)\nsnooze = 5m\n")
        #expect(file.issues.map(\.line) == [2])
        #expect(file.issues.first?.sentence == sentence)
        #expect(file.settings.port == 1234)
        #expect(file.settings.snooze == "5m")
    }

    @Test(
        "strings stand in brackets and quotation marks, as in TOML, and are read as written",
        arguments: [
            ("[]", []), ("[ ]", []), (#"["a"]"#, ["a"]), (#"["a","b",]"#, ["a", "b"]),
            (#"['a\', "b\\\""]"#, [#"a\"#, #"b\""#]),
            (#"["", "ä b", "]"]"#, ["", "ä b", "]"]), (#"[ "a" , 'it"s' ]"#, ["a", #"it"s"#]),
        ] as [(String, [String])]
    )
    func stringArray(text: String, words: [String]) throws {
        #expect(try WordArray.words(text) == words)
        #expect(try WordArray.words(WordArray.text(words)) == words)
    }

    @Test(
        "an incomplete array, or one with an element that is no string, is an error that names the element",
        arguments: [
            ("", .noBracket), ("[", .notClosed), (#"["a""#, .notClosed), (#"["a","#, .notClosed),
            (#"["a"#, .wordNotClosed),
            ("['a\"]", .wordNotClosed), ("[a]", .noQuote), ("[,]", .noQuote), (#"["a" "b"]"#, .noComma),
            (#"["\n"]"#, .escape), (#"["a\"#, .escape), (#"["a"] # why"#, .rest), ("[] ]", .rest),
        ] as [(String, WordArray.Fault)]
    )
    func brokenArray(text: String, fault: WordArray.Fault) {
        #expect(throws: fault) { try WordArray.words(text) }
    }

    @Test("the output of 'config' is valid in the settings file")
    func written() {
        let text = """
            notify-when-due = no
            quiet-hours = 22:00-07:00
            muted-lists = ["a \\"b\\"", "c\\\\"]
            muted-labels = ["x"]
            show-missed = no
            sound = no
            notify-command = ["a", "b c"]
            open-command = ["/bin/x"]
            sync-interval = 90m
            """
        let first = self.file(text)
        #expect(first.issues.isEmpty)
        let lines = Setting.all.compactMap { setting in
            setting.text(first.settings).map { "\(setting.name) = \($0)" }
        }
        let second = self.file(lines.joined(separator: "\n"))
        #expect(second.issues.isEmpty)
        #expect(second.settings == first.settings)
        #expect(Setting.named("sync-interval")?.text(self.file("sync-interval = never").settings) == "never")
        #expect(Setting.named("sync-interval")?.text(self.file("sync-interval = 120m").settings) == "2h")
    }

    @Test("a port is a number from 0 to 65535", arguments: ["65536", "-1", "http", "80.5"])
    func port(value: String) {
        #expect(
            self.file("port = \(value)").issues.map(\.sentence) == [
                "'port' must be a number from 0 to 65535, not '\(value)'."
            ]
        )
    }

    @Test("bytes that are not UTF-8 invalidate only their line")
    func latin1() {
        let file = SettingsFile(Array("list = B".utf8) + [0xFC] + Array("ro\nport = 1\n".utf8), path: "c", home: nil)
        #expect(file.issues == [SettingsIssue(line: 1, sentence: "This line is not UTF-8. Save the file as UTF-8.")])
        #expect(file.settings.port == 1)
    }

    @Test(
        "the file is that of the option, else of the variable, else in the configuration folder, an absolute path",
        arguments: [
            ("/o", ["REMINDAV_CONFIG": "/v", "HOME": "/h"], "/o"),
            (nil, ["REMINDAV_CONFIG": "/v", "XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/v"),
            (nil, ["REMINDAV_CONFIG": "", "XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/remindav/config"),
            (nil, ["XDG_CONFIG_HOME": "x", "HOME": "/h"], "/h/.config/remindav/config"),
            (nil, ["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/remindav/config"),
            (nil, ["HOME": ""], nil),
            (nil, [:], nil),
        ] as [(String?, [String: String], String?)]
    )
    func place(option: String?, environment: [String: String], path: String?) {
        #expect(SettingsFile.path(option: option, environment: environment) == path)
    }

    private func world(_ settings: String, _ environment: [String: String] = [:], store: String? = nil) -> TestWorld {
        let world = TestWorld(environment: ["HOME": "/h"].merging(environment) { $1 }, store: store)
        world.setFile("/h/.config/remindav/config", Array(settings.utf8))
        return world
    }

    @Test("an error in the file ends each command with its line, except the commands that help to correct it")
    func mistake() async {
        let world = self.world("# mine\nlst = Work\nport = x\n")
        #expect(await world.run("list") == .usage)
        #expect(
            world.takeComplaints() == """
                remindav: /h/.config/remindav/config:2: There is no setting 'lst'. Did you mean 'list'? \
                'remindav config' shows 1 more.

                """
        )
        #expect(await world.run("config") == .usage)
        #expect(world.takeComplaints().contains("config:3: 'port' must be a number from 0 to 65535, not 'x'.\n"))
        for command in ["version", "help", "completion zsh", "--help", "--version"] {
            let words = command.split(separator: " ").map(String.init)
            #expect(await RemindavCommand.run(words) { world.context($0) } == .success, "\(command)")
        }
        #expect(await world.run("--config", "/nowhere", "list") == .failure)
        #expect(world.takeComplaints() == "remindav: /nowhere: there is no such file. Check the path.\n")
    }

    @Test("a file over the size limit is refused")
    func tooLarge() async {
        let world = self.world(String(repeating: "#", count: SettingsFile.maximumBytes + 1))
        #expect(await world.run("list") == .failure)
        #expect(world.complaints == "remindav: /h/.config/remindav/config: it is too large.\n")
    }

    @Test("'config' shows the current values and their origin: option, environment, file or default")
    func effective() async {
        let world = self.world(
            "color = always\nlist = Work\nstore = /from/file\n",
            ["NO_COLOR": "1", "REMINDAV_STORE": "/from/environment"]
        )
        #expect(await world.run("config") == .success)
        #expect(
            world.takeAnswers() == """
                store                /from/environment  REMINDAV_STORE
                list                 Work               /h/.config/remindav/config:2
                color                never              NO_COLOR
                pager                -                  default
                due                  tomorrow           default
                due-time             09:00              default
                alarm                due                default
                alarm-time           09:00              default
                snooze               -                  default
                port                 8737               default
                feed-address         -                  default
                web-address          -                  default
                web-socket           -                  default
                host                 -                  default
                host-key             -                  default
                host-relay           -                  default
                host-relay-password  -                  default
                host-sender          -                  default
                host-allow           -                  default
                host-ports           -                  default
                host-contact         -                  default
                host-subject-header  -                  default
                host-issuer-header   -                  default
                host-proxy-secret    -                  default
                host-proxy-user      -                  default
                notify-when-due      yes                default
                quiet-hours          -                  default
                muted-lists          -                  default
                muted-labels         -                  default
                show-missed          yes                default
                sound                yes                default
                notify-command       -                  default
                open-command         -                  default
                sync-interval        15m                default

                """
        )
        #expect(await world.run("config", "--store", "/from/option", "--color", "never", "--json") == .success)
        let json = world.takeAnswers()
        #expect(json.contains(#"{"name": "store", "value": "/from/option", "origin": "option", "from": "--store"}"#))
        #expect(json.contains(#"{"name": "color", "value": "never", "origin": "option", "from": "--color"}"#))
        #expect(json.contains(#"{"name": "snooze", "value": null, "origin": "default", "from": "default"}"#))
        #expect(world.complaints.isEmpty)
    }

    @Test("each setting has its effect")
    func obeyed() async throws {
        let folder = try TemporaryFolder()
        let world = self.world(
            "due-time = 07:15\nlist = Home\nsnooze = 90m\ncolor = always\n",
            store: "\(folder.path)/s"
        )
        #expect(await world.run("add", "One") == .success)
        #expect(world.takeAnswers().contains("due Sat 2026-11-21 07:15"))
        #expect(await world.run("add", "Two", "--due", "monday") == .success)
        #expect(world.takeAnswers().contains("due Mon 2026-11-23, in 3 days"), "a day that is named is the day")
        #expect(await world.run("edit", "2", "--due", "2026-12-24") == .success)
        #expect(world.takeAnswers().contains("due Thu 2026-12-24, in 5 weeks"), "a whole day stays one")
        #expect(await world.run("snooze", "1") == .success)
        #expect(world.takeAnswers().contains("snoozed until Fri 2026-11-20 18:35"))
        #expect(await world.run("lists", "--json") == .success)
        #expect(world.takeAnswers().contains(#""name": "Home", "account": null"#))
        #expect(await world.run("list") == .success)
        #expect(world.takeAnswers().contains("\u{1B}["), "color = always, without a terminal")
        #expect(await world.run("list", "--color", "auto") == .success)
        #expect(!world.takeAnswers().contains("\u{1B}["), "the option goes before the file")

        let early = self.world("alarm-time = 06:30\n", store: "\(folder.path)/s")
        #expect(await early.run("alarms", "--json") == .success)
        #expect(early.takeAnswers().contains(#""fires": "2026-12-24T06:30:00Z""#))
    }

    @Test(
        "'alarms' omits muted lists and labels, ignoring case, and reminders without an alarm if the settings require it"
    )
    func muted() async throws {
        let folder = try TemporaryFolder()
        let world = self.world("", store: "\(folder.path)/s")
        #expect(await world.run("lists", "add", "Home") == .success)
        #expect(await world.run("lists", "add", "Work") == .success)
        #expect(await world.run("add", "One", "--list", "Home", "--label", "Straße", "--alarm", "none") == .success)
        #expect(await world.run("add", "Two", "--list", "Work", "--alarm", "none") == .success)
        #expect(await world.run("add", "Three", "--list", "Home", "--alarm", "none") == .success)
        #expect(await world.run("add", "Four", "--list", "Home", "--alarm", "none") == .success)
        #expect(await world.run("snooze", "4", "1h") == .success)
        #expect(await world.run("add", "Five", "--list", "Home", "--alarm", "15m") == .success)
        _ = world.takeAnswers()
        func titles(_ settings: String) async -> [String] {
            let world = self.world(settings, store: "\(folder.path)/s")
            #expect(await world.run("alarms") == .success, "\(world.complaints)")
            let answer = world.takeAnswers()
            return ["One", "Two", "Three", "Four", "Five"].filter { answer.contains($0) }
        }
        #expect(await titles("") == ["One", "Two", "Three", "Four", "Five"])
        #expect(await titles("muted-lists = WORK\n") == ["One", "Three", "Four", "Five"])
        #expect(await titles("muted-labels = [\"STRASSE\"]\n") == ["Two", "Three", "Four", "Five"])
        #expect(await titles("muted-lists = Home\nmuted-labels = x\n") == ["Two"])
        #expect(await titles("notify-when-due = no\n") == ["Four", "Five"], "a snooze and an alarm of its own ring")
    }

    @Test("a missing list of the settings is created only if it would be the first")
    func defaultList() async throws {
        let folder = try TemporaryFolder()
        let plain = self.world("", store: "\(folder.path)/s")
        #expect(await plain.run("lists", "add", "Old") == .success)
        let world = self.world("list = New\n", store: "\(folder.path)/s")
        #expect(await world.run("add", "One") == .notFound)
        #expect(
            world.takeComplaints() == """
                remindav: The list of the setting 'list' does not exist ('New'). Create it with \
                'remindav lists add NAME', or change the setting; 'remindav config' shows its line.

                """
        )
        world.setFile("a.ics", Array("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nEND:VTODO\r\nEND:VCALENDAR\r\n".utf8))
        #expect(await world.run("import", "a.ics") == .notFound)
        #expect(await world.run("lists", "add", "New") == .success)
        #expect(await world.run("add", "One") == .success)
        _ = world.takeAnswers()
        #expect(await world.run("lists") == .success)
        #expect(world.takeAnswers().contains("New  local  1 open, default"))
    }

    @Test("snooze without WHEN and without a setting is an error")
    func snoozeMissing() async throws {
        let folder = try TemporaryFolder()
        let world = self.world("", store: "\(folder.path)/s")
        #expect(await world.run("snooze", "1") == .usage)
        #expect(
            world.complaints == """
                remindav: WHEN is missing. Give a duration or a time such as 15m or 'tomorrow 9am', or add a line such as \
                'snooze = 15m' to the settings file.
                See 'remindav help snooze'.

                """
        )
    }

    @Test("colour: the option, the environment, the file, the terminal")
    func color() {
        func effective(_ choice: ColorChoice?, _ setting: ColorChoice, _ environment: [String: String]) -> Bool {
            ColorRules(choice: choice, setting: setting, environment: environment).allowsColor(onTerminal: true)
        }
        #expect(effective(nil, .never, [:]) == false)
        #expect(effective(.auto, .never, [:]) == true)
        #expect(effective(nil, .always, ["NO_COLOR": "1"]) == false)
        #expect(effective(nil, .always, ["TERM": "dumb"]) == false)
        #expect(effective(nil, .never, ["CLICOLOR_FORCE": "1"]) == true)
        #expect(effective(.never, .always, ["CLICOLOR_FORCE": "1"]) == false)
    }
}
