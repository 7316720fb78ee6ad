import ICalendar
import TestSupport
import Testing

@testable import CLI

@Suite("commands on a store")
struct CommandTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/store")
    }

    /// What stands below a deletion.
    private static let way = "'remindav undo' brings it back.\n"

    /// Runs a line and returns its answer; expects success and silence.
    private func answer(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async -> String {
        let status = await Program.run(words) { self.world.context($0) }
        #expect(status == .success, "\(self.world.complaints)", sourceLocation: sourceLocation)
        #expect(self.world.takeComplaints() == "", sourceLocation: sourceLocation)
        return self.world.takeAnswers()
    }

    /// Runs a line that fails and returns its complaint.
    private func complaint(
        _ words: String...,
        status expected: CLI.ExitStatus,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> String {
        let status = await Program.run(words) { self.world.context($0) }
        #expect(status == expected, sourceLocation: sourceLocation)
        return self.world.takeComplaints()
    }

    @Test("an empty store says so, with the words of the form and a command that works")
    func empty() async {
        #expect(
            await self.answer("list") == """
                No reminders yet
                Add your first reminder: remindav add 'Buy milk' --due 'tomorrow 09:00'

                """
        )
        #expect(await self.answer("list", "--json") == "[]\n")
        #expect(await self.answer("conflicts") == "No conflicts\n")
        #expect(await self.answer("add", "Buy milk", "--due", "tomorrow 09:00").hasPrefix("Added 1: Buy milk"))
    }

    @Test("a reminder is added, changed, put off, completed, opened again and deleted")
    func life() async {
        #expect(await self.answer("add", " Buy\nmilk ") == "Added 1: Buy milk, due Sat 2026-11-21 09:00, tomorrow\n")
        #expect(await self.answer("list") == "Upcoming\n  Tomorrow\n  1  2026-11-21 09:00  Buy milk\n")
        #expect(
            await self.answer("edit", "1", "--title", "Buy groceries", "--due", "tomorrow 10:00", "--label", "home")
                == "Changed 1: Buy groceries, due Sat 2026-11-21 10:00, tomorrow\n"
        )
        #expect(
            await self.answer("snooze", "1", "15m")
                == "Snoozed 1: Buy groceries, snoozed until Fri 2026-11-20 17:20, today\n"
        )
        #expect(await self.answer("list") == "Today\n  1  2026-11-20 17:20  Buy groceries  #home  snoozed\n")
        #expect(await self.answer("done", "1") == "Completed 1: Buy groceries\n")
        #expect(await self.answer("list") == "Nothing is open. 'remindav list --all' shows the completed ones.\n")
        _ = await self.answer("labels", "add", "work")
        #expect(await self.answer("list", "--label", "work") == "No reminder matches.\n")
        #expect(await self.complaint("snooze", "1", "5m", status: .usage).contains("already completed"))
        #expect(await self.answer("undone", "1").hasPrefix("Open again 1: Buy groceries"))
        #expect(await self.answer("delete", "1", "--yes") == "Deleted 1: Buy groceries\n\(Self.way)")
        #expect(await self.answer("list", "--all").hasPrefix("No reminders yet"))
    }

    /// A reminder that was due at noon, which is past: nobody can add one.
    private func addOverdue() async {
        let todo = "UID:late\r\nSUMMARY:Call Ben\r\nDUE:20261120T120000Z\r\nX-KEPT:yes"
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n\(todo)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        self.world.setFile("late.ics", Array(text.utf8))
        #expect(await self.world.run("import", "late.ics") == .success)
        _ = (self.world.takeAnswers(), self.world.takeComplaints())
    }

    @Test("what is overdue stands in Today with its mark, before what is still to come, and can be renamed")
    func overdue() async {
        await self.addOverdue()
        _ = await self.answer("add", "Later", "--due", "today 18:30")
        _ = await self.answer("add", "Tomorrow")
        #expect(
            await self.answer("list") == """
                Today
                  1  2026-11-20 12:00  Call Ben  overdue
                  2  2026-11-20 18:30  Later

                Upcoming
                  Tomorrow
                  3  2026-11-21 09:00  Tomorrow

                """
        )
        let changed = await self.answer("edit", "1", "--title", "Call Ben back", "--label", "work")
        #expect(changed.hasPrefix("Changed 1: Call Ben back, due Fri 2026-11-20 12:00, "))
        #expect(await self.answer("export", "--label", "work").contains("DUE:20261120T120000Z\r\n"))
        let refused = await self.complaint("edit", "1", "--due", "2026-11-20 11:00", "--title", "No", status: .usage)
        #expect(
            refused == """
                remindav: Must be in the future ('2026-11-20 11:00'). Give a later day or time, or 'none' for no date.

                """
        )
        #expect(await self.answer("show", "1").contains("Call Ben back"))
    }

    @Test("an empty title is refused, and the reminder stays to the byte", arguments: ["", "  ", "\u{200B}", "\n\t"])
    func emptyTitle(title: String) async {
        await self.addOverdue()
        let before = await self.answer("export")
        #expect(await self.complaint("edit", "1", "--title", title, status: .usage) == "remindav: Title is required\n")
        #expect(await self.complaint("add", title, status: .usage) == "remindav: Title is required\n")
        #expect(await self.answer("export") == before)
        #expect(await self.answer("list", "--all", "--json").split(separator: "\n").count == 3)
    }

    @Test("a repetition that is never is none: with it a rule goes, and without any none comes")
    func neverRepeats() async {
        #expect(
            await self.answer("add", "x", "--repeat", "never") == "Added 1: x, due Sat 2026-11-21 09:00, tomorrow\n"
        )
        _ = await self.answer("edit", "1", "--repeat", "weekly")
        #expect(await self.answer("list", "--json").contains("\"repeat\": \"FREQ=WEEKLY\""))
        _ = await self.answer("edit", "1", "--repeat", "Never")
        #expect(await self.answer("list", "--json").contains("\"repeat\": null"))
        #expect(await self.answer("export").contains("RRULE") == false)
    }

    @Test("deleting says how it is taken back, and that is how it is")
    func deletionIsTakenBack() async {
        for title in ["One", "Two", "Three"] { _ = await self.answer("add", title) }
        let before = await self.answer("list", "--json")
        #expect(await self.answer("delete", "1", "--yes") == "Deleted 1: One\n\(Self.way)")
        #expect(await self.complaint("undo", "--last", status: .success).contains("takes this back"))
        #expect(self.world.takeAnswers().contains("One"))
        #expect(await self.answer("list", "--json") == before)
        let several = await self.answer("delete", "1", "2", "3", "--yes")
        #expect(several.hasSuffix("Deleted 3: Three\n'remindav trash' shows how to bring them back.\n"))
        #expect(await self.answer("trash").split(separator: "\n").count == 3)
    }

    @Test("a time in words is shown as it was understood, also where it was rolled on")
    func timeInWords() async {
        // Friday, 20 November 2026, 17:05
        #expect(
            await self.answer("add", "x", "--due", "fri 9am") == "Added 1: x, due Fri 2026-11-27 09:00, in 7 days\n"
        )
        #expect(await self.answer("edit", "1", "--due", "noon") == "Changed 1: x, due Sat 2026-11-21 12:00, tomorrow\n")
        #expect(
            await self.answer("edit", "1", "--due", "24 dec") == "Changed 1: x, due Thu 2026-12-24, in 34 days\n"
        )
        #expect(
            await self.complaint("edit", "1", "--due", "today noon", status: .usage).contains("Must be in the future")
        )
        let complaint = await self.complaint("add", "y", "--due", "next fryday", status: .usage)
        #expect(complaint.contains("does not understand 'fryday' in 'next fryday'. Did you mean 'friday'?"))
    }

    @Test("what is shown of a rule can be typed in again and is the same rule, with words or, as it says, without")
    func shownRule() async throws {
        _ = await self.answer("add", "x", "--due", "2026-12-01 09:00")
        var generator = SeededGenerator(7)
        var (said, unsaid) = (0, 0)
        for _ in 0..<150 {
            let rule = RepeatPhraseTests.rule(&generator)
            let status = await self.world.run("edit", "1", "--repeat", rule.wire)
            _ = self.world.takeAnswers()
            _ = self.world.takeComplaints()
            // It ends before the date, or has none.
            guard status == .success else { continue }
            let stored = await self.storedRule()
            let shown = await self.answer("show", "1").split(separator: "\n").first { $0.hasPrefix("  Repeats") }
            let line = try #require(shown).dropFirst("  Repeats".count).drop { $0 == " " }
            let note = RuleSentence.withoutWords
            let hasNoWords = line.hasSuffix(note)
            #expect(hasNoWords == line.hasPrefix("FREQ="), "\(rule.wire)")
            if hasNoWords { unsaid += 1 } else { said += 1 }
            _ = await self.answer("edit", "1", "--repeat", String(hasNoWords ? line.dropLast(note.count) : line))
            #expect(await self.storedRule() == stored, "\(rule.wire): \(line)")
        }
        #expect(said > 30 && unsaid > 10)
    }

    private func storedRule() async -> Substring? {
        await self.answer("list", "--json").split(separator: "\"repeat\": \"").last?.prefix { $0 != "\"" }
    }

    @Test("a title says the rest as well, and what was taken out of it is shown")
    func oneLine() async {
        #expect(
            await self.answer("add", "Call Ben tomorrow 9am #home !high every monday") == """
                Added 1: Call Ben, due Sat 2026-11-21 09:00, tomorrow, repeats every week on Mon, high priority, #home
                Taken from the title: 'tomorrow 9am', '#home', '!high', 'every monday'. --literal leaves them there.

                """
        )
        #expect(await self.answer("add", "Call Ben friday", "--literal").hasPrefix("Added 2: Call Ben friday, due Sat"))
        // Options win, and the words stay; labels add up.
        #expect(
            await self.answer("add", "Read Friday #book friday", "--due", "monday", "--label", "home") == """
                Added 3: Read Friday friday, due Mon 2026-11-23, in 3 days, #home #book
                Taken from the title: '#book'. --literal leaves it there.

                """
        )
        #expect(await self.answer("add", "Nap every day", "--due", "none") == "Added 4: Nap every day\n")
        #expect(await self.answer("add", "Milk !low", "--priority", "high").hasPrefix("Added 5: Milk !low, due"))
        #expect(await self.answer("add", "Milk #x", "--label", "none").hasPrefix("Added 6: Milk #x, due"))
        // The first dates that the rules name from then on.
        #expect(
            await self.answer("add", "Gym every monday at 9:30").hasPrefix("Added 7: Gym, due Mon 2026-11-23 09:30, ")
        )
        #expect(
            await self.answer("add", "Gym every monday starting 1 dec").hasPrefix("Added 8: Gym, due Mon 2026-12-07, ")
        )
        #expect(await self.answer("add", "Gym every monday").hasPrefix("Added 9: Gym, due Mon 2026-11-23 09:00, "))
        let complaint = await self.complaint("add", "Team call every second friday", status: .usage)
        #expect(complaint.contains("'every second friday' can mean several things"))
        #expect(complaint.contains("See 'remindav help add'."))
        _ = await self.answer("lists", "add", "Groceries")
        #expect(
            await self.answer("add", "Milk @groceries @nobody").hasPrefix(
                "Added 10: Milk @nobody, due Sat 2026-11-21 09:00, tomorrow, in Groceries\n"
            )
        )
    }

    @Test("how it repeats is shown as it was understood, and a rule without words as it is")
    func ruleInWords() async {
        #expect(
            await self.answer("add", "x", "--due", "mon 9am", "--repeat", "every 2 weeks on mon,thu until 2027-06-01")
                == "Added 1: x, due Mon 2026-11-23 09:00, in 3 days, repeats every 2 weeks on Mon and Thu until 1 Jun 2027\n"
        )
        // The end of that day, in UTC, as a rule of a timed start has it.
        #expect(await self.answer("show", "1").contains("Repeats     every 2 weeks on Mon and Thu until 1 Jun 2027\n"))
        #expect(
            await self.answer("list", "--json").contains("FREQ=WEEKLY;UNTIL=20270601T235959Z;INTERVAL=2;BYDAY=MO,TH")
        )
        let timed = await self.answer("edit", "1", "--repeat", "daily until 2027-06-01 9am")
        #expect(timed.hasSuffix("repeats every day until 1 Jun 2027 09:00\n"))
        #expect(await self.answer("list", "--json").contains("UNTIL=20270601T090000Z"))
        let day = await self.answer("edit", "1", "--due", "tomorrow", "--repeat", "daily until 2027-06-01 9am")
        #expect(day.hasSuffix("repeats every day until 1 Jun 2027\n"))
        #expect(await self.answer("list", "--json").contains("UNTIL=20270601\""))
        let raw = await self.answer("edit", "1", "--repeat", "FREQ=DAILY;BYDAY=MO")
        #expect(raw.hasSuffix("repeats FREQ=DAILY;BYDAY=MO\n"))
        #expect(await self.answer("edit", "1", "--title", "y").hasSuffix("tomorrow\n"))
        let over = await self.complaint(
            "add",
            "y",
            "--due",
            "24 dec 2026",
            "--repeat",
            "weekly until 2026-12-01",
            status: .usage
        )
        #expect(over.contains("The repetition ends before the first date ('2026-12-24'). Give a later 'until'"))
        let complaint = await self.complaint("edit", "1", "--repeat", "every mon at 9", status: .usage)
        #expect(complaint.contains("'at' in 'every mon at 9'. The time of day is that of '--due'."))
    }

    @Test(
        "without a date, what repeats is first due on the first day that its rule names, from tomorrow on",
        arguments: [
            // Friday, 20 November 2026
            ("daily", "Sat 2026-11-21 09:00"), ("weekly", "Sat 2026-11-21 09:00"),
            ("every wed", "Wed 2026-11-25 09:00"),
            ("every 2 weeks on mon", "Mon 2026-11-23 09:00"), ("every 2 weeks on mon,fri", "Mon 2026-11-23 09:00"),
            ("every fri", "Fri 2026-11-27 09:00"), ("every weekday", "Mon 2026-11-23 09:00"),
            ("every weekend, 3 times", "Sat 2026-11-21 09:00"), ("monthly on the 1st", "Tue 2026-12-01 09:00"),
            ("every 3 months on the 15th", "Tue 2026-12-15 09:00"), ("every last friday", "Fri 2026-11-27 09:00"),
            ("every year on 29 feb", "Tue 2028-02-29 09:00"), ("every 4 years on 29 feb", "Tue 2028-02-29 09:00"),
            ("every year in mar", "Sun 2027-03-21 09:00"), ("FREQ=DAILY;BYHOUR=18", "Sat 2026-11-21 18:00"),
            ("RSCALE=CHINESE;FREQ=YEARLY", "Sat 2026-11-21 09:00"),
        ]
    )
    func firstDate(rule: String, expected: String) async {
        #expect(await self.answer("add", "x", "--repeat", rule).hasPrefix("Added 1: x, due \(expected), "))
        let asked = await self.answer("add", "y", "--repeat", rule, "--due", "2 jan 12:00")
        #expect(asked.hasPrefix("Added 2: y, due Sat 2027-01-02 12:00, "))
    }

    @Test("all words have to occur; those with all in the title come first; done ones only with --all")
    func search() async {
        _ = await self.answer("add", "Milk later", "--due", "none")
        _ = await self.answer("add", "Shopping", "--notes", "bread,\nand MILK", "--due", "none")
        _ = await self.answer("add", "Buy milk", "--label", "Home")
        _ = await self.answer("add", "Old milk", "--due", "none")
        _ = await self.answer("done", "4")
        #expect(
            await self.answer("search", "mílk")
                == """
                  3  2026-11-21 09:00  Buy milk  #Home
                  1                    Milk later
                  2                    Shopping
                     bread, and MILK

                """
        )
        #expect(await self.answer("search", "milk", "home") == "  3  2026-11-21 09:00  Buy milk  #Home\n")
        #expect(await self.answer("search", "bread, and").hasPrefix("  2  "))
        #expect(await self.answer("search", "milk", "--all").contains("Old milk"))
        #expect(await self.answer("search", "milk", "--label", "HOME").split(separator: "\n").count == 1)
        #expect(await self.answer("search", "nothing") == "No reminder matches.\n")
        let json = await self.answer("search", "milk", "home", "--json")
        #expect(json.hasPrefix(#"[\#n{"id": 3, "uid": "#))
        #expect(json.hasSuffix(#", "matched": ["title", "label"]}\#n]\#n"#))
        #expect(await self.complaint("search", "milk", "--list", "Nowhere", status: .notFound).contains("no such list"))
        #expect(await self.complaint("search", " ", status: .usage).contains("cannot be empty"))
        #expect(await self.complaint("search", status: .usage).contains("WORD is missing"))
    }

    @Test("on a terminal the words stand out, and nothing of a title or of notes acts on it")
    func searchInColor() async {
        _ = await self.answer("add", "Buy \u{202E}milk", "--due", "none", "--priority", "high")
        _ = await self.answer(
            "add",
            "Other",
            "--due",
            "none",
            "--notes",
            String(repeating: "x ", count: 400) + "\u{202E}milk"
        )
        let text = await self.answer("search", "milk", "--color", "always")
        #expect(
            text == "  1                    !!! \u{1B}[1;33mBuy \\u202e\u{1B}[0m\u{1B}[1mmilk\u{1B}[0m\n"
                + "  2                        Other\n"
                + "     \u{1B}[2m…" + String(repeating: "x ", count: 14) + "\\u202e\u{1B}[0m\u{1B}[1mmilk\u{1B}[0m\n"
        )
    }

    @Test("what is open and what was done is counted, by day, list and label")
    func statistics() async {
        _ = await self.answer("lists", "add", "Work\u{202E}")
        _ = await self.answer("add", "One", "--label", "Home")
        _ = await self.answer("add", "Two", "--due", "today 23:00", "--label", "home")
        _ = await self.answer("add", "Three", "--due", "none")
        _ = await self.answer("done", "3")
        #expect(
            await self.answer("stats")
                == """
                Open           2
                Overdue        0
                Due today      1
                Due this week  2
                No date        0

                Completed
                Fri 2026-11-20  1  #
                Thu 2026-11-19  0
                Wed 2026-11-18  0
                Tue 2026-11-17  0
                Mon 2026-11-16  0
                Sun 2026-11-15  0
                Sat 2026-11-14  0
                Last 7 days     1
                Last 30 days    1

                Lists
                Work\\u202e  2 open  0 overdue  1 completed

                Labels
                Home  2 open  0 overdue  0 completed

                """
        )
        let json = await self.answer("stats", "--list", "Work\u{202E}", "--json")
        #expect(
            json.hasPrefix(
                #"{"open": 2, "overdue": 0, "dueToday": 1, "dueThisWeek": 2, "undated": 0, "completed": 1, "cancelled": 0, "#
                    + #""completedLast7Days": 1, "completedLast30Days": 1, "completedByDay": [{"date": "2026-10-22", "#
            )
        )
        #expect(json.hasSuffix(#""labels": [{"name": "Home", "open": 2, "overdue": 0, "completed": 0}]}"# + "\n"))
        #expect(await self.complaint("stats", "--list", "Nowhere", status: .notFound).contains("no such list"))
    }

    @Test("a deletion is asked for, and anything but yes keeps the reminder", arguments: ["", "n", "N", "yess", "ja"])
    func deletionIsAsked(reply: String) async {
        _ = await self.answer("add", "It's \u{202E}here")
        self.world.willReply(reply)
        #expect(
            await self.complaint("delete", "1", status: .success) == #"Delete 'It's \u202ehere'? [y/N] "# + "\n"
        )
        #expect(self.world.takeAnswers() == #"Kept 1: It's \u202ehere"# + "\n")
        self.world.willReply("Y")
        _ = await self.complaint("delete", "1", status: .success)
        #expect(self.world.takeAnswers() == #"Deleted 1: It's \u202ehere"# + "\n\(Self.way)")
    }

    @Test("without a terminal nothing is deleted, and the way is named")
    func nobodyToAsk() async {
        _ = await self.answer("add", "Stay")
        #expect(await self.complaint("delete", "1", status: .usage).contains("--yes"))
        #expect(await self.answer("list").contains("Stay"))
    }

    @Test("several at once: what can be done is done, and the status says that not all was")
    func partial() async {
        _ = await self.answer("add", "One")
        _ = await self.answer("add", "Two")
        let complaint = await self.complaint("done", "1", "77", "2", "1", status: .partial)
        #expect(complaint.contains("'77'"))
        #expect(self.world.takeAnswers() == "Completed 1: One\nCompleted 2: Two\n")
        #expect(await self.complaint("done", "77", "78", status: .notFound).split(separator: "\n").count == 2)
    }

    @Test("what does not exist has a status of its own and one line that says what to do")
    func notFound() async {
        for words in [
            ["show", "9"], ["edit", "9", "--title", "x"], ["undone", "9"], ["delete", "9", "--yes"],
            ["list", "--list", "Nowhere"], ["export", "--list", "Nowhere"], ["feed", "revoke", "9"],
            ["account", "remove", "nobody", "--yes"], ["sync"], ["lists", "add", "x", "--account", "nobody"],
        ] {
            let status = await Program.run(words) { self.world.context($0) }
            #expect(status == .notFound, "\(words)")
            let complaint = self.world.takeComplaints()
            #expect(complaint.hasPrefix("remindav: "), "\(words)")
            #expect(complaint.hasSuffix(".\n"), "\(words)")
            #expect(complaint.split(separator: "\n").count == 1, "\(words)")
        }
        #expect(self.world.takeAnswers() == "")
    }

    @Test("quiet leaves out confirmations and keeps answers and complaints")
    func quiet() async {
        #expect(await self.answer("-q", "add", "One") == "")
        #expect(await self.answer("list", "-q").contains("One"))
        #expect(await self.answer("done", "1", "--quiet") == "")
        #expect(await self.complaint("-q", "done", "2", status: .notFound).isEmpty == false)
    }

    @Test("a day of which the hour to ring is over is said not to ring")
    func silent() async {
        // It is 17:05.
        #expect(await self.world.run("add", "Milk", "--due", "today") == .success)
        #expect(self.world.takeAnswers() == "Added 1: Milk, due Fri 2026-11-20, today\n")
        #expect(
            self.world.takeComplaints() == "It does not ring: what is due on a day rings at 09:00, and that is past. "
                + "A time rings: remindav edit 1 --due 'today 18:00'.\n"
        )
        #expect(await self.answer("edit", "1", "--due", "tomorrow").hasPrefix("Changed 1"))
        _ = await self.answer("add", "Tea", "--due", "today", "--repeat", "daily")
        #expect(await self.world.run("edit", "1", "--due", "today") == .success)
        #expect(self.world.takeComplaints().hasPrefix("It does not ring"))
        #expect(await self.answer("edit", "1", "--title", "Oat milk").hasPrefix("Changed 1"))
    }

    @Test("a list or label that is not there is told with the nearest name, and an export of it is none")
    func nearest() async {
        _ = await self.answer("add", "One", "--label", "Work")
        let label =
            "remindav: There is no such label ('wrok'). Did you mean 'Work'? 'remindav labels' shows the names; "
        #expect(await self.complaint("export", "-l", "wrok", status: .notFound).hasPrefix(label))
        #expect(await self.complaint("export", "--list", "Remainders", status: .notFound).contains("'Reminders'?"))
        let search = await self.complaint("search", "one", "--list", "Remainders", status: .notFound)
        #expect(search.contains("'Reminders'?"))
        #expect(await self.complaint("feed", "create", "--list", "x", status: .notFound).contains("('x'). 'remindav"))
        for words in [
            ["list", "--label", "wrok"], ["feed", "create", "-l", "wrok"], ["list", "-l", "wrok", "--json"],
            ["list", "-l", "work", "-l", "wrok"], ["search", "one", "-l", "wrok"],
            ["search", "one", "-l", "wrok", "-l", "work", "--json"],
        ] {
            #expect(await Program.run(words) { self.world.context($0) } == .success)
            #expect(self.world.takeComplaints().hasPrefix(label), "\(words)")
        }
        _ = self.world.takeAnswers()
        #expect(await self.answer("list", "--list", "reminders", "--label", "work").contains("One"))
        #expect(await self.answer("search", "one", "--list", "reminders", "-l", "work").contains("One"))
    }

    @Test("a file that nobody knows is refused with the formats that are known")
    func unknownFormat() async {
        self.world.setFile("x.txt", Array("hello\nworld\n".utf8))
        let unknown = await self.complaint("import", "x.txt", status: .failure)
        #expect(
            unknown.contains("of no program that is known here ('x.txt')")
                && unknown.contains("Known are iCalendar (ics) and json, csv,")
        )
        let columns = await self.complaint("import", "x.txt", "--format", "outlook-csv", status: .failure)
        #expect(columns.contains("'x.txt, line 1: its first line does not name the columns that the format has'"))
    }

    @Test("words that are nearly right are answered with what would be")
    func nearlyRight() async {
        #expect(await self.complaint("log", "--limit", "0", status: .usage).contains("1 or more, not '0'"))
        #expect(await self.complaint("labels", "list", status: .usage).contains("'remindav labels' alone shows"))
        #expect(await self.complaint("add", "x", "--due", "yesterday", status: .usage).contains("a time to come"))
        _ = await self.answer("add", "x", "--label", "a")
        let merge = await self.complaint("labels", "merge", "a", "new", status: .notFound)
        #expect(merge.contains("no such label to merge into ('new')") && merge.contains("labels rename OLD NEW"))
    }

    @Test("what is done or open already is said to be so, and what is done of a series has a number")
    func alreadySo() async {
        _ = await self.answer("add", "Water", "--due", "2026-11-21 09:00", "--repeat", "daily")
        _ = await self.answer("add", "Milk")
        #expect(await self.world.run("undone", "1") == .success)
        #expect(self.world.takeAnswers() == "Already open 1: Water, due Sat 2026-11-21 09:00, tomorrow\n")
        #expect(self.world.takeComplaints().contains("list --section completed"))
        #expect(await self.answer("undone", "2").hasPrefix("Already open 2: Milk"))
        let next = "Completed for now 1: Water, due Sun 2026-11-22 09:00, in 2 days; what is done is 3\n"
        #expect(await self.answer("done", "1") == next)
        #expect(await self.answer("done", "2") == "Completed 2: Milk\n")
        #expect(await self.answer("done", "2") == "Already completed 2: Milk\n")
        let done = await self.answer("done", "2", "1", "--json")
        #expect(
            done.hasPrefix("[\n{\"id\": 2, ") && done.contains("\"changed\": false, \"copy\": null},\n{\"id\": 1, ")
        )
        #expect(done.hasSuffix("\"changed\": true, \"copy\": 4}\n]\n"))
        #expect(await self.answer("undone", "2", "--json").hasSuffix("\"changed\": true, \"copy\": null}\n]\n"))
        #expect(await self.answer("undone", "2", "--json").hasSuffix("\"changed\": false, \"copy\": null}\n]\n"))
    }

    @Test("what was exported is imported as the same, and a second time as unchanged")
    func exportAndImport() async throws {
        _ = await self.answer("add", "One", "--notes", "Line 1\nLine 2", "--label", "a,b", "--priority", "low")
        _ = await self.answer("add", "Two", "--due", "2027-05-31", "--repeat", "FREQ=YEARLY")
        #expect(await self.answer("export", "-o", "all.ics") == "2 reminders written to all.ics\n")
        #expect(
            await self.answer("import", "all.ics", "--json")
                == #"{"added": 0, "updated": 0, "unchanged": 2, "skipped": 0, "format": "ics", "repeating": 1, "#
                + #""keptRules": [], "issues": [], "elsewhere": [], "run": null}"# + "\n"
        )
        let bytes = try #require(self.world.file("all.ics"))
        #expect(await self.answer("export") == String(decoding: bytes, as: UTF8.self))
        let other = TestWorld(input: String(decoding: bytes, as: UTF8.self), store: "\(self.folder.path)/other")
        #expect(await other.run("import", "-") == .success)
        #expect(other.takeAnswers() == "2 added, 0 updated, 0 unchanged, 0 left out (list Reminders)\n")
        #expect(await other.run("list", "--json") == .success)
        #expect(other.takeAnswers() == (await self.answer("list", "--json")))
    }

    @Test("a dry run of an import counts and changes nothing")
    func dryRun() async {
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:A\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        self.world.setFile("a.ics", Array(text.utf8))
        #expect(await self.complaint("import", "a.ics", "-n", status: .success).contains("Nothing is changed"))
        #expect(self.world.takeAnswers() == "1 added, 0 updated, 0 unchanged, 0 left out (list Reminders)\n")
        #expect(await self.answer("list", "--all").hasPrefix("No reminders yet"))
    }

    @Test("a file with a bad line is imported without it, and the line is named")
    func badLine() async {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:a
            SUMMARY:A
            DTSTAMP 20260101T000000Z
            END:VTODO
            BEGIN:VEVENT
            UID:b
            END:VEVENT
            END:VCALENDAR

            """
        self.world.setFile("a.ics", Array(text.utf8))
        let complaint = await self.complaint("import", "a.ics", status: .partial)
        #expect(complaint.contains("a.ics, line 5: "))
        #expect(self.world.takeAnswers().hasPrefix("1 added, 0 updated, 0 unchanged, 1 left out"))
        #expect(await self.complaint("ics", "check", "a.ics", status: .failure).isEmpty)
        #expect(self.world.takeAnswers().contains("a.ics:5: error: "))
        #expect(await self.complaint("import", "none.ics", status: .failure).contains("none.ics"))
    }

    @Test("formatting folds and ends lines, and formatting again changes nothing")
    func format() async {
        let title = String(repeating: "long ", count: 40)
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:\(title)\nEND:VTODO\nEND:VCALENDAR"
        self.world.setFile("a.ics", Array(text.utf8))
        let once = await self.answer("ics", "format", "a.ics")
        #expect(once.utf8.split(separator: 0x0A).allSatisfy { $0.count <= 76 && $0.last == 0x0D })
        self.world.setFile("b.ics", Array(once.utf8))
        #expect(await self.answer("ics", "format", "b.ics") == once)
    }

    @Test("a file that ends in the middle is formatted as far as it goes, and that is said")
    func formatHalf() async {
        self.world.setFile("a.ics", Array("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMM".utf8))
        let complaint = await self.complaint("ics", "format", "a.ics", status: .partial)
        #expect(
            complaint == "remindav: a.ics ends in the middle; it is written as far as it goes. Get the whole file.\n"
        )
        #expect(self.world.takeAnswers() == "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMM\r\n")
    }

    @Test("an import says what it has no use for")
    func importOfOthers() async {
        self.world.setFile("a.ics", Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nEND:VEVENT\nEND:VCALENDAR\n".utf8))
        #expect(
            await self.complaint("import", "a.ics", status: .success).contains(
                "events and journals are no reminders: 1."
            )
        )
        self.world.setFile("b.ics", Array("BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n".utf8))
        #expect(await self.complaint("import", "b.ics", status: .success).contains("There is no to-do in b.ics."))
    }

    @Test("lists are made, shown with their counts, and not made twice")
    func lists() async {
        _ = await self.answer("lists", "add", "Work", "--color", "#ff5722")
        _ = await self.answer("add", "One", "--list", "Work")
        #expect(
            await self.answer("lists", "--json")
                == """
                [
                {"name": "Work", "account": null, "state": "local", "color": "#FF5722", "readOnly": false, "default": true, "open": 1, \
                "completed": 0, "unsent": 0}
                ]

                """
        )
        #expect(await self.answer("lists") == "Work  here only  1 open, default\n")
        #expect(await self.complaint("lists", "add", "Work", status: .usage).contains("already a list"))
        #expect(await self.complaint("lists", "add", "WORK", status: .usage).contains("already a list"))
    }

    @Test("a local list is renamed, recoloured and deleted here, with a question")
    func changedLists() async {
        _ = await self.answer("lists", "add", "Work")
        _ = await self.answer("add", "One", "--list", "work")
        #expect(await self.answer("lists", "rename", "work", "Office") == "Renamed the list work to Office\n")
        #expect(await self.answer("lists", "recolor", "Office", "#4caf50") == "The list Office is #4CAF50 now\n")
        #expect(
            await self.answer("lists", "recolor", "Office", "none", "--json")
                == """
                {"name": "Office", "account": null, "state": "local", "color": null, "readOnly": false, "default": true, \
                "open": 1, "completed": 0, "unsent": 0}

                """
        )
        #expect(await self.complaint("lists", "recolor", "Office", "green", status: .usage).contains("A colour is six"))
        #expect(await self.complaint("lists", "keep", "Nowhere", status: .notFound).contains("no such list"))
        self.world.willReply("n")
        #expect(
            await self.complaint("lists", "delete", "Office", status: .success)
                == "Delete the list Office with 1 reminder? [y/N] \n"
        )
        #expect(self.world.takeAnswers() == "Nothing was changed\n")
        #expect(await self.complaint("lists", "delete", "Office", status: .usage).contains("--yes"))
        #expect(
            await self.answer("lists", "delete", "Office", "--yes")
                == "Deleted the list Office with 1 reminder; see 'remindav trash'\n"
        )
        #expect(await self.answer("list", "--all").hasPrefix("No reminders yet"))
    }

    @Test("a feed's address is shown once, and revoked by its number")
    func feeds() async {
        let said = await self.complaint("feed", "create", "--label", "work", status: .success)
        #expect(said.contains("only once"))
        let address = self.world.takeAnswers()
        #expect(address.wholeMatch(of: /http:\/\/127\.0\.0\.1:8737\/feed\/[0-9a-f]{32}\.ics\n/) != nil)
        let listed = await self.answer("feed", "list")
        #expect(listed.contains("#work"))
        #expect(!listed.contains("feed/"))
        #expect(await self.answer("feed", "revoke", "1") == "Revoked feed 1\n")
        #expect(await self.answer("feed", "list").hasPrefix("No feeds yet"))
    }

    @Test("an account without a password or a terminal is refused with the two ways")
    func passwordWays() async {
        let said = await self.complaint("account", "add", "https://127.0.0.1:1/", "--user", "ada", status: .usage)
        #expect(said.contains("--password-command"))
        #expect(said.contains("--password-stdin"))
        #expect(await self.answer("account", "list").hasPrefix("No accounts yet"))
    }
}
