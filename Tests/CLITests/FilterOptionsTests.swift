import Testing

@testable import RemindavCLI

/// The clock shows Friday, 20 November 2026, 17:05.
@Suite("options that select reminders")
struct FilterOptionsTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    private func fill() async {
        for name in ["Reminders", "Work"] { _ = await self.answer("lists", "add", name) }
        let reminders = [
            "today|--due|today 18:00|--priority|high|--label|work", "tomorrow|--due|tomorrow|--label|work|--label|home",
            "monday|--due|2026-11-23 09:00|--list|Work|--notes|call Ben about milk", "undated|--due|none|--label|home",
            "late|--due|2026-12-24 12:00|--priority|low|--list|Work", "done|--due|2026-11-23|--priority|medium",
        ]
        for reminder in reminders {
            _ = await self.answer(reminder.split(separator: "|").map(String.init), command: "add")
        }
        _ = await self.answer("done", "6")
    }

    private func answer(_ words: [String], command: String) async -> String {
        let status = await RemindavCommand.run([command] + words) { self.world.context($0) }
        #expect(status == .success, "\(self.world.complaints)")
        return self.world.takeAnswers()
    }

    @Test("each option, alone and with others, selects the reminders that match all options")
    func table() async {
        await self.fill()
        let rows: [(options: String, numbers: [Int])] = [
            ("", [1, 2, 3, 4, 5]), ("--all", [1, 2, 3, 4, 5, 6]), ("today", [1]), ("UPCOMING", [2, 3, 4, 5]),
            ("completed", [6]), ("--section|today", [1]), ("--list|work", [3, 5]),
            ("--list|work|--list|Reminders", [1, 2, 3, 4, 5]), ("--label|work|--label|home", [1, 2, 4]),
            ("--with-label|work|--with-label|home", [2]), ("--label|home|--without-label|work", [4]),
            ("--without-label|home", [1, 3, 5]), ("--no-date", [4]), ("--priority|high|--priority|low", [1, 5]),
            ("--priority|none", [2, 3, 4]), ("--text|milk|--text|BEN", [3]), ("--text|Ben about", [3]),
            ("--due-before|tomorrow", [1]), ("--due-before|today 18:00", []), ("--due-before|2026-11-20 18:01", [1]),
            ("--due-after|today", [2, 3, 5]), ("--due-after|monday", [5]), ("--due-after|2026-11-23 08:59", [3, 5]),
            ("--due-after|2026-11-23 09:00", [5]), ("--due-after|today|--due-before|monday", [2]),
            ("--due-on|tomorrow", [2]), ("--due-on|monday|--all", [3, 6]), ("--due-on|monday|--due-after|monday", []),
            ("--due-after|monday|--priority|low|--list|Work", [5]), ("--overdue", []),
            ("--due-before|next|monday", [1, 2]), ("--due-before|20261123T090000Z", [1, 2]),
        ]
        for (options, numbers) in rows {
            let shown = await self.answer(options.split(separator: "|").map(String.init) + ["--json"], command: "list")
            let found = shown.split(separator: "\n").compactMap { line in
                line.split(separator: "\"id\": ").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
            }
            #expect(found.sorted() == numbers, "\(options)")
        }
    }

    @Test("search and export have the same options")
    func others() async {
        await self.fill()
        #expect(await self.answer("search", "o", "--priority", "high", "--overdue") == "No reminder matches.\n")
        #expect(await self.answer("search", "o", "--due-after", "today", "--label", "home").contains("tomorrow"))
        let csv = await self.answer("export", "--format", "csv", "--due-on", "monday")
        #expect(csv.contains("monday") && csv.contains("done") && !csv.contains("late"))
        let open = await self.answer("export", "--format", "csv", "--due-on", "monday", "--open")
        #expect(open.contains("monday") && !open.contains("done"))
        let text = await self.answer("export", "--text", "milk")
        #expect(text.contains("SUMMARY:monday") && !text.contains("SUMMARY:late"))
    }

    @Test("an invalid filter is refused with one sentence")
    func invalid() async {
        _ = await self.answer("add", "x")
        let rows: [(words: [String], sentence: String)] = [
            (["--due-on", "today 18:00"], "'--due-on' must be a day such as today or 2026-12-01, not 'today 18:00'."),
            (["--no-date", "--due-before", "monday"], "'--no-date' and '--due-before' cannot be combined."),
            (["--priority", "urgent"], "'--priority' must be low, medium, high or none"),
            (["todya"], "There is no section and no saved filter 'todya'. Did you mean 'today'?"),
            (["Errands"], "For a list, write '--list NAME'; for words of a reminder, 'remindav search WORD'."),
            (["--due-before", "none"], "must be a time"),
            (["--limit", "0"], "'--limit' must be a number of reminders"),
            (["--sort", "duee"], "There is no sort key 'duee'. Did you mean 'due'?"),
            (["--sort", "due,-due"], "The sort key 'due' is given twice."),
            (
                ["--sort", "due,"],
                "There is no sort key ''. Keys: due, start, priority, title, created, changed, list and label."
            ),
            (["--filter", "nothing"], "There is no saved filter 'nothing'. Save it with a line such as"),
            (["--filter", "--overdu"], "'--filter': There is no option '--overdu'. Did you mean '--overdue'?"),
            (["--filter", "--list 'x"], "'--filter': The closing ' of a value is missing."),
            (["--filter", "--overdue x"], "'--filter': Unexpected word: 'x'."),
            (["--text", ""], "A search word cannot be empty."), (["--overdu"], "Did you mean '--overdue'?"),
        ]
        for (words, sentence) in rows {
            let complaint = await self.complaint(["list"] + words, status: .usage)
            #expect(complaint.contains(sentence))
        }
        #expect(await self.complaint("list", "--list", "Nowhere", "--overdue", status: .notFound).contains("Nowhere"))
    }

    @Test("--sort gives one list in the order of the keys, and --limit cuts it with a message")
    func order() async {
        await self.fill()
        func titles(_ options: String...) async -> [String] {
            await self.answer(options, command: "list").split(separator: "\n").compactMap { row in
                ["today", "tomorrow", "monday", "undated", "late", "done"].first { row.contains($0) }
            }
        }
        #expect(await titles("--sort", "due") == ["today", "tomorrow", "monday", "late", "undated"])
        #expect(await titles("--sort", "-due") == ["late", "monday", "tomorrow", "today", "undated"])
        #expect(await titles("--sort", "priority,-title") == ["today", "late", "undated", "tomorrow", "monday"])
        #expect(await titles("--sort=-priority,title") == ["late", "today", "monday", "tomorrow", "undated"])
        #expect(await titles("--sort", "list,title") == ["today", "tomorrow", "undated", "late", "monday"])
        #expect(await titles("--sort", "label,due") == ["tomorrow", "undated", "today", "monday", "late"])
        #expect(await titles("--sort", "title", "--limit", "2") == ["late", "monday"])
        #expect(self.world.takeComplaints() == "3 more reminders are not shown (--limit).\n")
        #expect(await titles("--limit", "5").count == 5)
        #expect(self.world.takeComplaints() == "")
        #expect(await titles("--limit", "1", "--quiet").count == 1)
        #expect(self.world.takeComplaints() == "")
        #expect(!(await self.answer(["--sort", "due"], command: "list")).contains("Upcoming"))
        let found = await self.answer(["o", "--sort", "-due", "--limit", "1"], command: "search")
        #expect(found.contains("monday"))
        #expect(self.world.takeComplaints() == "3 more reminders are not shown (--limit).\n")
        let json = await self.answer(["--sort", "created,title", "--limit", "1", "--json"], command: "list")
        #expect(json.contains("\"title\": \"late\""))
        _ = self.world.takeComplaints()
    }

    @Test("a saved filter selects and sorts, other options narrow it, and --filter accepts options as one word")
    func saved() async {
        await self.fill()
        let file = """
            filter.work = --label work --sort=-due
            filter.old = --section completed
            filter.any = "--all"
            """
        self.world.setFile("/settings", Array(file.utf8))
        func titles(_ options: String...) async -> [String] {
            let shown = await self.answer(["--config", "/settings", "--json"] + options, command: "list")
            return shown.split(separator: "\n").compactMap { row in
                ["today", "tomorrow", "monday", "undated", "late", "done"].first {
                    row.contains("\"title\": \"\($0)\"")
                }
            }
        }
        #expect(await titles("work") == ["tomorrow", "today"])
        #expect(await titles("WORK", "--label", "home") == ["tomorrow"])
        #expect(await titles("--filter", "work", "--sort", "due") == ["today", "tomorrow"])
        #expect(await titles("old") == ["done"])
        #expect(await titles("any").count == 6)
        #expect(await titles("work", "--filter", "old").isEmpty)
        #expect(await titles("--filter", "--list Work --text 'Ben about'") == ["monday"])
        let config = await self.answer(["--config", "/settings", "--json"], command: "config")
        #expect(
            config.contains(
                #"{"name": "filter.work", "value": "--label work --sort=-due", "origin": "file", "from": "/settings:1"}"#
            )
        )
    }

    @Test(
        "a saved filter with a mistake is reported with its line, and the other lines are used",
        arguments: [
            ("filter.a = --labl x", "'filter.a': There is no option '--labl'. Did you mean '--label'?"),
            ("filter.a = --filter b", "'filter.a': There is no option '--filter'."),
            ("filter.a = --limit 3", "'filter.a': There is no option '--limit'."),
            ("filter.a = --priority urgent", "'filter.a': '--priority' must be"),
            ("filter.a = --due-before someday", "'filter.a': '--due-before'"),
            ("filter.a = work", "'filter.a': Unexpected word: 'work'."),
            ("filter.a = --label 'x", "'filter.a': The closing ' of a value is missing."),
            ("filter.today = --overdue", "'filter.today' is not a name for a saved filter."),
            ("filter.A b = --overdue", "'filter.A b' is not a name for a saved filter."),
            ("filter. = --overdue", "'filter.' is not a name for a saved filter."),
        ]
    )
    func mistakes(line: String, sentence: String) {
        let file = SettingsFile(Array("filter.b = --overdue\n\(line)\nport = 1\n".utf8), path: "c", home: nil)
        #expect(file.issues.map(\.line) == [2])
        #expect(file.issues.first?.sentence.hasPrefix(sentence) ?? false, "\(file.issues)")
        #expect(file.settings.port == 1 && file.settings.filters.keys.sorted() == ["b"])
    }

    @Test("the words of a saved filter are split as in a shell")
    func words() throws {
        let rows: [(text: String, words: [String])] = [
            ("", []), (" a  b ", ["a", "b"]), ("a'b c'd", ["ab cd"]), ("\"a \\\" b\" ''", ["a \" b", ""]),
            (#"a\ b \"#, ["a b", "\\"]), ("'a\\b'", ["a\\b"]),
        ]
        for (text, words) in rows { #expect(try QuotedWords.split(text) == words) }
    }
}
