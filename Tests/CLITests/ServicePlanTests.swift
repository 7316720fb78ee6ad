import Testing

@testable import RemindavCLI

@Suite("the files of the service (systemd.syntax(7), systemd.service(5), systemd.exec(5), Desktop Entry Specification)")
struct ServicePlanTests {
    private static func plan(
        program: String = "/usr/bin/remindav",
        store: String = "/home/ada/.local/share/remindav",
        options: [String] = [],
        sandbox: ServicePlan.Sandbox = .full,
        opener: String? = nil
    ) -> ServicePlan {
        ServicePlan(
            program: program,
            store: store,
            options: options,
            sandbox: sandbox,
            port: 8737,
            opener: opener
        )
    }

    /// Every special character of units, command lines, shells and desktop entries.
    private static let odd = #"/home/ada/a b "c" 'd' $HOME ${e} $$ %h %% \n \\ ;`f` ä #g"#

    @Test("the units of the web pages equal the fixtures")
    func web() {
        expectSnapshot(Self.plan().webUnitText, "remindav-web.service", in: "service")
        expectSnapshot(Self.plan().webSocketText, "remindav-web.socket", in: "service")
    }

    @Test("the unit equals the fixture", arguments: ServicePlan.Sandbox.allCases)
    func unit(sandbox: ServicePlan.Sandbox) {
        expectSnapshot(Self.plan(sandbox: sandbox).unitText, "service-\(sandbox).service", in: "service")
    }

    @Test("the unit for paths with every special character equals the fixture")
    func oddUnit() {
        let plan = Self.plan(program: Self.odd + "/remindav", store: Self.odd, options: ["--store", Self.odd])
        expectSnapshot(plan.unitText, "service-odd.service", in: "service")
    }

    @Test(
        "a path that systemd cannot run is run by a shell without interpretation; others are run directly"
    )
    func refusedProgram() {
        for odd in ["/a\"b", "/a'b", "/a\\b"] {
            let text = Self.plan(program: odd, options: ["--store", "/s"]).unitText
            let start = #"ExecStart=/bin/sh -c "exec \"$$0\" \"$$@\"" "# + UnitText.argument(odd)
            #expect(text.contains("\n\(start) \"--store\" \"/s\" daemon\n"))
        }
        #expect(Self.plan(program: "/a $b %c`d;").unitText.contains("\nExecStart=\"/a $b %%c`d;\" daemon\n"))
    }

    @Test("the desktop entry equals the fixture")
    func desktop() {
        expectSnapshot(Self.plan().desktopText, "service.desktop", in: "service")
        let odd = Self.plan(program: Self.odd + "/remindav", options: ["--store", Self.odd])
        expectSnapshot(odd.desktopText, "service-odd.desktop", in: "service")
        let opener = "/home/ada/.local/share/applications/remindav-open.sh"
        let script = Self.plan(program: Self.odd + "/remindav", options: ["--store", Self.odd], opener: opener)
        expectSnapshot(script.openerText, "service-odd.sh", in: "service")
        #expect(script.needsOpener && !odd.needsOpener && !Self.plan(opener: opener).needsOpener)
        #expect(script.desktopText.contains("\nExec=/bin/sh \(opener) %u\n"))
    }

    /// The arguments that common programs read from `Exec`, according to their documents and sources.
    private static let readers: [(name: String, read: @Sendable (_ value: String) -> [String])] = [
        // xdg-open 1.1.3, open_generic: `read first rest`, then the rest unquoted; no escapes but those of `read`.
        ("xdg-open", { value in value.split(separator: " ").map { $0 == "%u" ? "reminders://1" : String($0) } }),
        // g_app_info_launch_uris: expand_macro on the unescaped value, then g_shell_parse_argv (as a POSIX shell).
        ("GLib", { value in Self.shellWords(Self.unescaped(value).replacing("%u", with: "'reminders://1'")) }),
        // KIO::DesktopExecParser: KShell::splitArgs of the unescaped value, in which words are then expanded.
        ("KDE", { value in Self.shellWords(Self.unescaped(value)).map { $0 == "%u" ? "reminders://1" : $0 } }),
    ]

    /// A value of the type string (Desktop Entry Specification, "Possible value types").
    private static func unescaped(_ value: String) -> String {
        var text = ""
        var letters = value.makeIterator()
        while let letter = letters.next() {
            guard letter == "\\", let next = letters.next() else {
                text.append(letter)
                continue
            }
            let meanings: [Character: Character] = ["s": " ", "n": "\n", "t": "\t", "r": "\r"]
            text.append(meanings[next] ?? next)
        }
        return text.replacing("%%", with: "%")
    }

    /// The words of a command line with double and single quotation marks and backslashes (POSIX, "Quoting").
    private static func shellWords(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var letters = line.makeIterator()
        while let letter = letters.next() {
            switch (letter, quote) {
            case ("\\", nil), ("\\", "\""): word = (word ?? "") + (letters.next().map { String($0) } ?? "")
            case ("\"", nil), ("'", nil):
                quote = letter
                word = word ?? ""
            case (let end, let open?) where end == open: quote = nil
            case (" ", nil):
                if let done = word { words.append(done) }
                word = nil
            default: word = (word ?? "") + String(letter)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    @Test("every program that reads the desktop entry runs the same arguments, also where a path has spaces")
    func readers() throws {
        let opener = "/home/ada/.local/share/applications/remindav-open.sh"
        let plain = Self.plan(options: ["--store", "/home/ada/s"], opener: opener)
        let spaced = Self.plan(program: "/opt/my apps/remindav", opener: opener)
        let rows = [
            (plain, ["/usr/bin/remindav", "--store", "/home/ada/s", "open", "reminders://1"]),
            (spaced, ["/bin/sh", opener, "reminders://1"]),
        ]
        for (plan, words) in rows {
            let line = try #require(plan.desktopText.split(separator: "\n").first { $0.hasPrefix("Exec=") })
            for reader in Self.readers { #expect(reader.read(String(line.dropFirst(5))) == words, "\(reader.name)") }
            #expect(plan.desktopText.contains("\nTerminal=false\n"))
        }
        #expect(spaced.openerText.hasSuffix("exec '/opt/my apps/remindav' 'open' \"$@\"\n"))
        // Without a plain path only the quoting of the specification remains, which GLib and KDE read.
        let none = Self.plan(program: "/opt/my apps/remindav")
        let line = try #require(none.desktopText.split(separator: "\n").first { $0.hasPrefix("Exec=") })
        for reader in Self.readers.dropFirst() {
            #expect(reader.read(String(line.dropFirst(5))) == ["/opt/my apps/remindav", "open", "reminders://1"])
        }
    }

    @Test(
        "an argument in a unit: quotes, backslashes and percent signs; a dollar only in an argument",
        arguments: [
            ("/bin/x", #""/bin/x""#, #""/bin/x""#),
            ("a b", #""a b""#, #""a b""#),
            (#"a"b"#, #""a\"b""#, #""a\"b""#),
            (#"a\b"#, #""a\\b""#, #""a\\b""#),
            ("100%", #""100%%""#, #""100%%""#),
            ("$x", #""$x""#, #""$$x""#),
            (#"\$%""#, #""\\$%%\"""#, #""\\$$%%\"""#),
        ]
    )
    func arguments(text: String, word: String, argument: String) {
        #expect(UnitText.word(text) == word)
        #expect(UnitText.argument(text) == argument)
    }

    @Test(
        "an argument of a desktop entry is quoted for its command line and again for its value",
        arguments: [
            ("a b", #""a b""#), (#"a"b"#, #""a\\"b""#), ("$x`y`", #""\\$x\\`y\\`""#), (#"a\b"#, #""a\\\\b""#),
            ("100%", #""100%%""#), ("it's", #""it's""#),
        ]
    )
    func desktopArgument(text: String, written: String) { #expect(UnitText.desktopArgument(text) == written) }

    @Test("the service has private folders for temporary files, unless one contains a file that it needs")
    func temporary() {
        #expect(Self.plan().unitText.contains("\nPrivateTmp=yes\nBindReadOnlyPaths=-/tmp/.X11-unix\n"))
        let moved = [
            Self.plan(program: "/tmp/remindav"), Self.plan(store: "/var/tmp/s"),
            Self.plan(options: ["--config", "/tmp/c"]),
        ]
        for plan in moved { #expect(plan.unitText.contains("\nPrivateTmp=no\n")) }
        #expect(Self.plan(store: "/tmpx").unitText.contains("\nPrivateTmp=yes\n"))
    }

    @Test(
        "the sandbox is full if no kernel setting forbids user namespaces",
        arguments: [
            ([:], .full), (["/proc/sys/user/max_user_namespaces": "96365\n"], .full),
            (["/proc/sys/user/max_user_namespaces": "0\n"], .light),
            (["/proc/sys/kernel/unprivileged_userns_clone": "0\n"], .light),
            (["/proc/sys/kernel/unprivileged_userns_clone": "1\n"], .full),
            (["/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n"], .light),
            (["/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "0\n"], .full),
        ] as [([String: String], ServicePlan.Sandbox)]
    )
    func possible(files: [String: String], sandbox: ServicePlan.Sandbox) {
        #expect(ServicePlan.Sandbox.possible { files[$0] } == sandbox)
    }

    @Test("systemd's exit statuses for an unavailable sandbox are distinguished from those of the program")
    func refused() {
        for status in ["217", "218", "226"] { #expect(ServicePlan.Sandbox.isRefused(status)) }
        for status in ["0", "1", "2", "203", "21", ""] { #expect(!ServicePlan.Sandbox.isRefused(status)) }
    }
}
