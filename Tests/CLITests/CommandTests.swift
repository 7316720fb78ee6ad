import RemindavJSON
import Testing

@testable import RemindavCLI

@Suite("commands on a store")
struct CommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    /// The line after a deletion.
    private static let way = "'remindav undo' restores it.\n"

    @Test("an empty store prints the text of the form and a command that works")
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

    @Test("a reminder is added, changed, snoozed, completed, reopened and deleted")
    func life() async {
        #expect(await self.answer("add", " Buy\nmilk ") == "Added 1: Buy milk, due Sat 2026-11-21 09:00, tomorrow\n")
        #expect(await self.answer("list") == "Upcoming\n  Tomorrow\n  1  Sat 21 Nov 09:00  Buy milk\n")
        #expect(
            await self.answer("edit", "1", "--title", "Buy groceries", "--due", "tomorrow 10:00", "--label", "home")
                == """
                Changed 1: Buy groceries, due Sat 2026-11-21 10:00, tomorrow
                  title: Buy milk -> Buy groceries
                  due: Sat 2026-11-21 09:00, tomorrow -> Sat 2026-11-21 10:00, tomorrow
                  labels: none -> #home

                """
        )
        #expect(
            await self.answer("snooze", "1", "15m")
                == "Snoozed 1: Buy groceries, snoozed until Fri 2026-11-20 17:20, today\n"
        )
        #expect(await self.answer("list") == "Today\n  1  Fri 20 Nov 17:20  Buy groceries  snoozed  #home\n")
        #expect(await self.answer("done", "1") == "Completed 1: Buy groceries\n")
        let none = "No reminder is open. 'remindav list --all' also shows completed reminders.\n"
        #expect(await self.answer("list") == none)
        _ = await self.answer("labels", "add", "work")
        #expect(await self.answer("list", "--label", "work") == "No reminder matches.\n")
        #expect(await self.complaint("snooze", "1", "5m", status: .usage).contains("already completed"))
        #expect(await self.answer("undone", "1").hasPrefix("Reopened 1: Buy groceries"))
        #expect(await self.answer("delete", "1", "--yes") == "Deleted 1: Buy groceries\n\(Self.way)")
        #expect(await self.answer("list", "--all").hasPrefix("No reminders yet"))
    }

    @Test("an edit reports the changed fields, or that nothing changed")
    func edited() async {
        _ = await self.answer("add", "Pay rent", "--due", "friday")
        let all = "edit 1 --notes Ada --repeat monthly --label home --label money --priority high --due 2026-12-01"
        #expect(await self.world.run(all.split(separator: " ").map(String.init)) == .success)
        #expect(
            self.world.takeAnswers() == """
                Changed 1: Pay rent, due Tue 2026-12-01, in 11 days, repeats every month
                  notes: added
                  due: Fri 2026-11-27, in 7 days -> Tue 2026-12-01, in 11 days
                  repeat: none -> every month
                  priority: none -> high
                  labels: none -> #home #money

                """
        )
        _ = await self.answer("lists", "add", "Work")
        #expect(
            await self.answer("edit", "1", "--notes", "none", "--repeat", "none", "--priority", "low", "--list", "Work")
                == """
                Changed 1: Pay rent, due Tue 2026-12-01, in 11 days
                  notes: removed
                  repeat: every month -> none
                  priority: high -> low
                  list: Reminders -> Work

                """
        )
        let same = ["edit", "1", "--title", "Pay rent", "--priority", "low", "--label", "home", "--label", "money"]
        #expect(await self.world.run(same) == .success)
        #expect(self.world.takeAnswers() == "Unchanged 1: Pay rent, due Tue 2026-12-01, in 11 days\n")
        #expect(await self.answer("edit", "1", "--title", "Pay", "--quiet").isEmpty)
        let odd = await self.answer("edit", "1", "--title", "a\u{1B}[31mb" + String(repeating: "c", count: 100))
        #expect(!odd.contains("\u{1B}") && odd.contains("…"))
    }

    @Test(
        "a reminder is snoozed for any time, and until any future moment",
        arguments: [
            ("45m", "Fri 2026-11-20 17:50, today"), ("in 2 hours", "Fri 2026-11-20 19:05, today"),
            ("tomorrow 9am", "Sat 2026-11-21 09:00, tomorrow"), ("18:00", "Fri 2026-11-20 18:00, today"),
            ("tomorrow", "Sat 2026-11-21 09:00, tomorrow"), ("friday", "Fri 2026-11-27 09:00, in 7 days"),
            ("in 3 days", "Mon 2026-11-23 09:00, in 3 days"),
            ("2026-12-01T09:00:00+01:00", "Tue 2026-12-01 08:00, in 11 days"),
        ]
    )
    func snoozed(_ when: String, _ until: String) async {
        _ = await self.answer("add", "Call Ben", "--due", "today 20:00")
        #expect(await self.answer("snooze", "1", when) == "Snoozed 1: Call Ben, snoozed until \(until)\n")
        let words = when.split(separator: " ").map(String.init)
        #expect(await self.world.run(["snooze", "1"] + words) == .success)
        #expect(self.world.takeAnswers() == "Snoozed 1: Call Ben, snoozed until \(until)\n")
        #expect(await self.answer("list", "--json").contains(#""due": "2026-11-20T20:00:00Z""#))
    }

    @Test(
        "a snooze cannot end in the past or exceed the limit",
        arguments: [
            ("today", "remindav: The end of a snooze must be in the future: 2026-11-20 09:00 is past."),
            ("today 17:05", "remindav: The end of a snooze must be in the future: 2026-11-20 17:05 is past."),
            ("2026-11-19", "remindav: The end of a snooze must be in the future: 2026-11-19 09:00 is past."),
            ("2127-11-20", "remindav: A snooze may last at most a hundred years."),
            ("none", "remindav: Give a duration or a time: '15m', 'tomorrow 9am'."),
            ("7x", "remindav: '7x' is not understood."),
        ]
    )
    func notSnoozed(_ when: String, _ words: String) async {
        _ = await self.answer("add", "Call Ben", "--due", "today 20:00")
        let complaint = await self.complaint("snooze", "1", when, status: .usage)
        #expect(complaint.hasPrefix(words), "\(complaint)")
        #expect(await self.answer("list", "--json").contains(#""snoozedUntil": null"#))
    }

    @Test("notes are stored unchanged, from an option and from standard input, here and in another store")
    func notes() async {
        let odd = "tab\t, 👩‍👩‍👧 e\u{301} \u{200F}x; \\n \"quoted\"\n\n  a blank before\nand behind \nend"
        let long = String(repeating: "0123456789 äöü 🥖\n", count: 5000)
        _ = await self.answer("add", "Odd", "--notes", odd)
        _ = await self.answer("add", "Ends", "--notes", "a\r\nb\rc")
        let piped = TestWorld(input: long, store: self.world.store)
        #expect(await piped.run("add", "Long", "--notes", "-") == .success)
        let listed = await self.answer("list", "--json")
        for notes in [odd, "a\nb\nc", String(long.dropLast())] {
            #expect(listed.contains("\"notes\": " + String(decoding: notes.json, as: UTF8.self) + ","))
        }
        let exported = await self.answer("export")
        #expect(exported.utf8.split(separator: 0x0A).allSatisfy { $0.count <= 76 && $0.last == 0x0D })
        let other = TestWorld(input: exported, store: self.stage.path("other"))
        #expect(await other.run("import", "-") == .success)
        _ = other.takeAnswers()
        #expect(await other.run("list", "--json") == .success)
        #expect(other.answers == listed)
    }

    /// Adds a reminder of another program that was due at noon.
    private func addOverdue() async {
        let todo = "UID:late\r\nSUMMARY:Call Ben\r\nDUE:20261120T120000Z\r\nX-KEPT:yes"
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n\(todo)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        self.world.setFile("late.ics", Array(text.utf8))
        #expect(await self.world.run("import", "late.ics") == .success)
        _ = (self.world.takeAnswers(), self.world.takeComplaints())
    }

    @Test("the confirmation names what the options set, and the list if there are several")
    func options() async {
        let words = ["--label", "home", "--priority", "low", "--notes", "2 litres", "--location", "Oslo"]
        let due = "due Sat 2026-11-21 09:00, tomorrow, low priority, #home, location Oslo, with notes"
        let add = { (title: String) async in
            #expect(await self.world.run(["add", title] + words) == .success)
            return self.world.takeAnswers()
        }
        #expect(await add("Milk") == "Added 1: Milk, \(due)\n")
        _ = await self.answer("lists", "add", "Other")
        #expect(await add("Bread") == "Added 2: Bread, \(due), in Reminders\n")
    }

    @Test("overdue reminders are marked in Today, before later ones, and can be renamed")
    func overdue() async {
        await self.addOverdue()
        _ = await self.answer("add", "Later", "--due", "today 18:30")
        _ = await self.answer("add", "Tomorrow", "--literal")
        #expect(
            await self.answer("list") == """
                Today
                  1  Fri 20 Nov 12:00  Call Ben  overdue
                  2  Fri 20 Nov 18:30  Later

                Upcoming
                  Tomorrow
                  3  Sat 21 Nov 09:00  Tomorrow

                """
        )
        let changed = await self.answer("edit", "1", "--title", "Call Ben back", "--label", "work")
        #expect(changed.hasPrefix("Changed 1: Call Ben back, due Fri 2026-11-20 12:00, "))
        #expect(await self.answer("export", "--label", "work").contains("DUE:20261120T120000Z\r\n"))
        let refused = await self.complaint("edit", "1", "--due", "today 11:00", "--title", "No", status: .usage)
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

    @Test("a deletion prints the command that restores it, and the command works")
    func deletionIsRestored() async {
        for title in ["One", "Two", "Three"] { _ = await self.answer("add", title) }
        let before = await self.answer("list", "--json")
        #expect(await self.answer("delete", "1", "--yes") == "Deleted 1: One\n\(Self.way)")
        #expect(await self.complaint("undo", "--last", status: .success).contains("reverts this"))
        #expect(self.world.takeAnswers().contains("One"))
        #expect(await self.answer("list", "--json") == before)
        let several = await self.answer("delete", "1", "2", "3", "--yes")
        #expect(several.hasSuffix("Deleted 3: Three\n'remindav undo' restores them.\n"))
        #expect(await self.answer("trash").split(separator: "\n").count == 3)
    }

    @Test(
        "a deletion needs confirmation, and any answer but yes keeps the reminder",
        arguments: ["", "n", "N", "yess", "ja"]
    )
    func deletionIsAsked(reply: String) async {
        _ = await self.answer("add", "It's \u{202E}here")
        self.world.willReply(reply)
        #expect(
            await self.complaint("delete", "1", status: .success) == #"Delete 'It's \u202ehere'? [y/N] "# + "\n"
        )
        #expect(self.world.takeAnswers() == #"Not deleted 1: It's \u202ehere"# + "\n")
        self.world.willReply("Y")
        _ = await self.complaint("delete", "1", status: .success)
        #expect(self.world.takeAnswers() == #"Deleted 1: It's \u202ehere"# + "\n\(Self.way)")
    }

    @Test("without a terminal nothing is deleted, and the option is named")
    func noTerminal() async {
        _ = await self.answer("add", "Stay")
        #expect(await self.complaint("delete", "1", status: .usage).contains("--yes"))
        #expect(await self.answer("list").contains("Stay"))
    }

    @Test("of several reminders all possible ones are changed, and the status is partial")
    func partial() async {
        _ = await self.answer("add", "One")
        _ = await self.answer("add", "Two")
        let complaint = await self.complaint("done", "1", "77", "2", "1", status: .partial)
        #expect(complaint.contains("'77'"))
        #expect(self.world.takeAnswers() == "Completed 1: One\nCompleted 2: Two\n")
        #expect(await self.complaint("done", "77", "78", status: .notFound).split(separator: "\n").count == 2)
    }

    @Test("a missing item has its own status and one line with the remedy")
    func notFound() async {
        _ = await self.answer("lists", "add", "Home")
        for words in [
            ["show", "9"], ["edit", "9", "--title", "x"], ["undone", "9"], ["delete", "9", "--yes"],
            ["list", "--list", "Nowhere"], ["export", "--list", "Nowhere"], ["feed", "revoke", "9"],
            ["account", "remove", "nobody", "--yes"], ["sync"], ["lists", "add", "x", "--account", "nobody"],
        ] {
            let status = await RemindavCommand.run(words) { self.world.context($0) }
            #expect(status == .notFound, "\(words)")
            let complaint = self.world.takeComplaints()
            #expect(complaint.hasPrefix("remindav: "), "\(words)")
            #expect(complaint.hasSuffix(".\n"), "\(words)")
            #expect(complaint.split(separator: "\n").count == 1, "\(words)")
        }
        #expect(self.world.takeAnswers() == "")
    }

    @Test("--quiet omits confirmations and keeps results and errors")
    func quiet() async {
        #expect(await self.answer("-q", "add", "One") == "")
        #expect(await self.answer("list", "-q").contains("One"))
        #expect(await self.answer("done", "1", "--quiet") == "")
        #expect(await self.complaint("-q", "done", "2", status: .notFound).isEmpty == false)
    }

    @Test("an unknown list or label is reported with the nearest name, and an export of it fails")
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
            #expect(await RemindavCommand.run(words) { self.world.context($0) } == .success)
            let complaint = self.world.takeComplaints()
            #expect(
                words.contains("--json")
                    ? complaint.contains(#""code": "labelNotFound""#) && complaint.contains("Did you mean 'Work'?")
                    : complaint.hasPrefix(label),
                "\(words)"
            )
        }
        _ = self.world.takeAnswers()
        #expect(await self.answer("list", "--list", "reminders", "--label", "work").contains("One"))
        #expect(await self.answer("search", "one", "--list", "reminders", "-l", "work").contains("One"))
    }

    @Test("similar names are suggested for unknown arguments")
    func similarNames() async {
        #expect(await self.complaint("log", "--limit", "0", status: .usage).contains("1 or more, not '0'"))
        #expect(await self.complaint("labels", "list", status: .usage).contains("Use 'labels' to show the labels"))
        #expect(
            await self.complaint("add", "x", "--due", "asap", status: .usage).contains("For no date write 'none'.")
        )
        _ = await self.answer("add", "x", "--label", "a")
        let merge = await self.complaint("labels", "merge", "a", "new", status: .notFound)
        #expect(merge.contains("no such label to merge into ('new')") && merge.contains("labels rename OLD NEW"))
    }

    @Test("a completed or open reminder is reported, and a completed occurrence has a number")
    func alreadyApplied() async {
        _ = await self.answer("add", "Water", "--due", "2026-11-21 09:00", "--repeat", "daily")
        _ = await self.answer("add", "Milk")
        #expect(await self.world.run("undone", "1") == .success)
        #expect(self.world.takeAnswers() == "Already open 1: Water, due Sat 2026-11-21 09:00, tomorrow\n")
        #expect(self.world.takeComplaints().contains("list --section completed"))
        #expect(await self.answer("undone", "2").hasPrefix("Already open 2: Milk"))
        let next = "Completed 1: Water. Next: Sun 2026-11-22 09:00, in 2 days. The completed occurrence is 3.\n"
        #expect(await self.answer("done", "1") == next)
        #expect(await self.answer("done", "2") == "Completed 2: Milk\n")
        #expect(await self.answer("done", "2") == "Already completed 2: Milk\n")
        let done = await self.answer("done", "2", "1", "--json")
        #expect(
            done.hasPrefix("[\n{\"id\": 2, ")
                && done.contains("\"changed\": false, \"copy\": null, \"reopened\": []},\n{\"id\": 1, ")
        )
        #expect(done.hasSuffix("\"changed\": true, \"copy\": 4, \"reopened\": []}\n]\n"))
        for isChanged in [true, false] {
            let tail = "\"changed\": \(isChanged), \"copy\": null, \"reopened\": []}\n]\n"
            #expect(await self.answer("undone", "2", "--json").hasSuffix(tail))
        }
    }
}
