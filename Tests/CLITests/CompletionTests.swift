import RemindavBridge
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("completion")
struct CompletionTests {
    /// Returns the request for the completion of the last word of a line, after the last space.
    private func request(_ line: String) -> CompletionRequest {
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let current = words.popLast() ?? ""
        return CompletionRequest(words, current: current)
    }

    @Test(
        "the tables determine the candidates",
        arguments: [
            ("done ", .reminders(.open)), ("done 1 2 ", .reminders(.open)), ("undone ", .reminders(.closed)),
            ("show ", .reminders(.all)), ("show 1 ", .reminders(.all)), ("edit 1 --list ", .lists),
            ("list --list=", .lists), ("list --label a --label ", .labels),
            ("list -- --x", .selections), ("done -- ", .reminders(.open)),
            ("add x -l ", .labels), ("add x -d ", .unknown), ("add x -p ", .words(["low", "medium", "high", "none"])),
            ("snooze 3 ", .words(["5m", "15m", "30m", "1h"])), ("sync --account ", .accounts),
            ("account remove ", .accounts), ("account set a --conflicts ", .words(["newer", "here", "server"])),
            ("account set --ca-file ", .files), ("lists delete ", .lists), ("lists rename Work ", .unknown),
            ("labels merge a ", .labels), ("labels rename a ", .unknown), ("feed revoke ", .feeds),
            ("log --run ", .runs), ("trash restore 4 ", .trash), ("conflicts restore ", .conflicts),
            ("import ", .files), ("ics diff a ", .files), ("--store ", .folders), ("--store /s list --list ", .lists),
            ("list --store ", .folders), ("--color ", .words(["auto", "always", "never"])),
            ("-q done ", .reminders(.open)),
            ("list ", .selections), ("list --filter ", .filters), ("search x --with-label ", .labels),
            ("completion ", .words(["bash", "zsh", "fish"])),
            ("list +h", .labels), ("list -+h", .labels), ("list @W", .lists), ("+h", .labels), ("@", .lists),
            ("add Milk +h", .labels), ("add Milk @", .lists), ("edit 12 +h", .labels), ("done -+", .labels),
            ("edit 12 @ W", .lists), ("sync +h", .unknown), ("list -- +h", .selections),
        ] as [(String, Completable)]
    )
    func kinds(line: String, kind: Completable) { #expect(self.request(line).kind == kind) }

    @Test(
        "names of commands and options",
        arguments: [
            ("", ["list", "account", "completion"], ["remindav", "__complete", "lists add"]),
            ("lists ", ["add", "rename", "delete"], ["list", "--json"]),
            ("account ", ["add", "trust"], ["list-"]),
            ("help ", ["add", "lists"], ["--man"]),
            ("help account ", ["password"], ["list2"]),
            ("list -", ["--list", "--label", "--json", "--store", "--help"], ["--due"]),
            ("list --json --", ["--label"], ["--json"]),
            ("list --label a --", ["--label"], []),
            ("-", ["--store", "--version"], ["--json"]),
            ("lists add --", ["--account"], ["--section"]),
            ("nonsense ", [], ["--json"]),
        ] as [(String, [String], [String])]
    )
    func words(line: String, among: [String], absent: [String]) {
        let words = self.request(line).words.map(\.value)
        for word in among { #expect(words.contains(word), "\(word)") }
        for word in absent { #expect(!words.contains(word), "\(word)") }
        #expect(Set(words).count == words.count, "one of them is there twice")
    }

    @Test("completion works for every name in the tables")
    func everyCommand() {
        let first = Set(self.request("").words.map(\.value))
        for page in CommandTable.all.map({ $0.page }) {
            let words = page.name.split(separator: " ").map(String.init)
            #expect(first.contains(words[0]))
            if words.count == 2 { #expect(self.request("\(words[0]) ").words.map(\.value).contains(words[1])) }
            let options = self.request("\(page.name) -").words.map(\.value)
            #expect(Set(options).isSuperset(of: page.options.map(\.name)), "\(page.name)")
            for option in page.options where option.value != nil {
                _ = self.request("\(page.name) \(option.name) ")
                #expect(self.request("\(page.name) \(option.name)=").prefix == "\(option.name)=")
            }
        }
    }

    @Test("a name that begins with a hyphen is offered only where it is no option")
    func hyphens() {
        for (line, isTaken) in [
            ("lists delete ", false), ("lists delete -- ", true), ("list --list ", false), ("list --list=", true),
            ("delete -- 1 ", true), ("delete 1 ", false),
        ] {
            #expect(self.request(line).allowsHyphens == isTaken, "\(line)")
        }
    }

    @Test("the options on the line select the store")
    func place() {
        #expect(self.request("--store /a list --list ").options.store == "/a")
        #expect(self.request("list --store=/b --config c --list ").options.store == "/b")
        #expect(self.request("list --store=/b --config c --list ").options.config == "c")
    }

    // MARK: bash

    @Test(
        "a word of bash is split as bash splits it",
        arguments: [
            ("abc", "abc", nil), (#"My\ List"#, "My List", nil), (#""My Li"#, "My Li", "\""), ("'My Li", "My Li", "'"),
            (#""a""b c"#, "ab c", "\""), (#"'it'\''s'"#, "it's", nil), (#""\$a\n"#, #"$a\n"#, "\""), (#"a\"#, "a", nil),
            (#"'a\"#, #"a\"#, "'"),
        ] as [(String, String, Character?)]
    )
    func bashWords(raw: String, text: String, quote: Character?) {
        #expect(ShellWord(bash: raw) == ShellWord(text: text, quote: quote))
    }

    @Test("text for bash is literal in each kind of quotation marks")
    func bashQuoting() {
        let nasty = #"$(rm -rf ~) `id` "a" \ ;|&<>*?[]{}#"#
        for quote in [nil, "\""] as [Character?] {
            let given = ShellWord(text: "", quote: quote).completing(nasty) ?? ""
            let mark = quote.map(String.init) ?? ""
            #expect(ShellWord(bash: mark + given) == ShellWord(text: nasty, quote: quote))
        }
        #expect(ShellWord(text: "", quote: "'").completing(nasty) == nasty)
        #expect(ShellWord(text: "", quote: "'").completing("it's") == nil)
        #expect(ShellWord(text: "", quote: "\"").completing("hey!") == nil)
        #expect(ShellWord(text: "", quote: nil).completing("hey!~é") == #"hey\!\~é"#)
    }

    @Test("a combining character that belongs to another letter is one character in bash")
    func bashJoinedSigns() {
        for joined in ["a\u{0D4E}", ""] {
            for sign in ";$`'\"!>&| \\" {
                for mark in ["\u{0301}", "\u{FE0F}", ""] {
                    let text = "\(joined)\(sign)\(mark)id"
                    let bare = ShellWord(text: "", quote: nil).completing(text) ?? ""
                    let before = bare.unicodeScalars.prefix { $0 != sign.unicodeScalars.first }
                    #expect(
                        before.last == "\\" || sign == "\\" && bare.unicodeScalars.count > text.unicodeScalars.count
                    )
                    #expect(Array(ShellWord(bash: bare).text.unicodeScalars) == Array(text.unicodeScalars))
                }
            }
        }
        #expect(ShellWord(text: "", quote: "'").completing("it'\u{0301}s") == nil)
        #expect(ShellWord(text: "", quote: "\"").completing("hey\u{0D4E}!") == nil)
    }

    @Test("bash splits at '=' and gets the text after it")
    func bashEquals() {
        #expect(Shell.bash.reading(["list", "--list", "=", "Wo"]).before == ["list", "--list"])
        #expect(Shell.bash.reading(["list", "--list", "=", "Wo"]).current.text == "Wo")
        #expect(Shell.bash.reading(["list", "--list", "="]).current.text.isEmpty)
        #expect(Shell.bash.reading(["add", "="]).current.text == "=")
    }

    // MARK: the whole way

    /// Returns the candidates for the script of a shell.
    private func ask(_ world: TestWorld, _ shell: String, _ words: String...) async -> [String] {
        let line = ["__complete", shell, "--"] + words
        #expect(await RemindavCommand.run(line) { world.context($0) } == .success)
        #expect(world.takeComplaints().isEmpty)
        return world.takeAnswers().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("names and numbers come from the store, made harmless, and no file is created")
    func fromTheStore() async throws {
        let folder = try TemporaryFolder()
        let store = "\(folder.path)/s"
        let world = TestWorld(store: store)
        #expect(await self.ask(world, "bash", "done", "") == ["words", ""])
        #expect(folder.names.isEmpty, "a look makes no store")
        #expect(await world.run("lists", "add", "Work") == .success)
        #expect(await world.run("lists", "add", "My $(touch /tmp/x) 'List'") == .success)
        #expect(await world.run("lists", "add", "two\nlines") == .success)
        #expect(
            await world.run("add", "Call\u{1B}[31m $(rm) `id`\tBen", "--list", "Work", "--label", "at home") == .success
        )
        #expect(await world.run("add", "Done", "--list", "Work") == .success)
        #expect(await world.run("done", "2") == .success)
        #expect(await world.run("labels", "add", "office") == .success)
        #expect(await world.run("labels", "add", "1st") == .success)
        _ = (world.takeAnswers(), world.takeComplaints())
        let before = TemporaryFolder.names(below: store)
        #expect(await self.ask(world, "fish", "done", "") == ["words", #"1\#tCall[31m $(rm) `id`\tBen"#, ""])
        #expect(await self.ask(world, "zsh", "undone", "") == ["words", "2\tDone", ""])
        #expect(await self.ask(world, "bash", "show", "") == ["words", "1", "2", ""])
        #expect(await self.ask(world, "bash", "list", "--list", "=", "W") == ["words", "Work", ""])
        #expect(
            await self.ask(world, "bash", "list", "--list", "M") == [
                "words", #"My\ \$\(touch\ /tmp/x\)\ \'List\'"#, "",
            ]
        )
        #expect(
            await self.ask(world, "zsh", "list", "--list=") == [
                "words", "--list=Work", "--list=My $(touch /tmp/x) 'List'", "",
            ],
            "a name of two lines is left out"
        )
        #expect(await self.ask(world, "bash", "add", "x", "-l", #""at"#) == ["words", "at home", ""])
        #expect(await self.ask(world, "zsh", "list", "+") == ["words", "+office", ""], "one word behind the sign")
        #expect(await self.ask(world, "bash", "add", "x", "+o") == ["words", "+office", ""])
        #expect(await self.ask(world, "fish", "edit", "1", "-+o") == ["words", "-+office", ""])
        #expect(await self.ask(world, "zsh", "@W") == ["words", "@Work", ""])
        #expect(await self.ask(world, "bash", "list", "@", "W") == ["words", "Work", ""])
        #expect(await self.ask(world, "bash", "list", "@") == ["words", "Work", ""])
        #expect(await self.ask(world, "fish", "import", "") == ["files", ""])
        #expect(await self.ask(world, "fish", "--store", "") == ["folders", ""])
        #expect(TemporaryFolder.names(below: store) == before)
    }

    @Test("every request ends successfully without other output", arguments: ["bash", "zsh", "fish", "tcsh", ""])
    func never(shell: String) async {
        let world = TestWorld(store: "/nonexistent/store")
        for words in [[], ["--"], ["-"], ["--list="], ["done", "--", "--"], ["\u{0}"], ["lists", "add", "'"]] {
            let line = ["__complete", shell, "--"] + words
            #expect(await RemindavCommand.run(line) { world.context($0) } == .success)
        }
        #expect(world.complaints.isEmpty)
    }

    @Test("the scripts are the ones on file", arguments: ["bash", "zsh", "fish"])
    func scripts(shell: String) async {
        let world = TestWorld()
        #expect(await world.run("completion", shell) == .success)
        expectSnapshot(world.answers, "completion.\(shell)")
    }

    @Test("there is no script for another shell")
    func otherShell() async {
        let world = TestWorld()
        #expect(await world.run("completion", "tcsh") == .usage)
        #expect(await world.run("completion") == .usage)
    }
}

@Suite("pages for man")
struct ManualPagesTests {
    @Test("the page of a command is the one on file, and without a command it is the whole")
    func pages() async {
        let world = TestWorld()
        #expect(await world.run("help", "add", "--man") == .success)
        expectSnapshot(world.takeAnswers(), "remindav-add.1")
        #expect(await world.run("help", "--man") == .success)
        #expect(world.takeAnswers() == ManualPages.whole())
        #expect(await world.run("help", "--man", "nonsense") == .usage)
    }

    @Test("every letter is printed unchanged")
    func letters() {
        #expect(
            ManualPages.escaped(#".B a-b 'c' "d" \e ~^` ü…"#)
                == #"\&.B a\-b \(aqc\(aq \(dqd\(dq \ee \(ti\(ha\(ga \[u00FC]\[u2026]"#
        )
    }

    @Test("all commands, options and settings are in the whole page")
    func complete() {
        let text = ManualPages.whole()
        for page in CommandTable.all.map({ $0.page }) {
            #expect(text.contains(".SS \"\(ManualPages.escaped("remindav \(page.name)"))\"\n"))
            for option in page.options { #expect(text.contains(ManualPages.escaped(option.name)), "\(option.name)") }
        }
    }
}
