import RemindavReminders
import Testing

@testable import RemindavCLI

@Suite("the reminders that a command names")
struct ReminderSelectionTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    private func add(_ titles: String...) async {
        for title in titles { _ = await self.answer("add", title, "--due", "none") }
    }

    /// A terminal for the same store, with answers to its questions.
    private func terminal(_ replies: String...) -> TestWorld {
        let world = TestWorld(isTerminal: true, store: self.world.store)
        world.willReply(replies)
        return world
    }

    @Test(
        "numbers, commas and ranges are read in their order, each number once",
        arguments: [
            (["3"], [3]), (["3", "1"], [3, 1]), (["1,2", "5-7"], [1, 2, 5, 6, 7]), (["1,", "2"], [1, 2]),
            (["2-4,3", "1"], [2, 3, 4, 1]), (["4-4"], [4]),
        ]
    )
    func numbers(words: [String], numbers: [Int64]) throws {
        guard case .numbers(let found) = try ReminderSelection(words).choice else {
            Issue.record("\(words) are no numbers")
            return
        }
        #expect(found == numbers)
    }

    @Test(
        "a wrong number or range is refused with the reason",
        arguments: [
            (["0"], "not the number"), (["9-5"], "Write '5-9'"), (["5-"], "not a range"), (["-5"], "not a range"),
            (["0-3"], "not a range"), (["1", "x"], "'x' is not the number"),
            (["99999999999999999999"], "not the number"),
            (["1-1001"], "at most 1000 numbers"), (["1-600", "700-1200"], "at most 1000 numbers"),
            ([], "ID is missing"),
        ]
    )
    func refused(words: [String], reason: String) {
        let error = #expect(throws: UsageError.self) { try ReminderSelection(words) }
        #expect(error?.sentence.contains(reason) == true, "\(error?.sentence ?? "")")
    }

    @Test("JSON is an object for one number or title, and an array otherwise")
    func single() throws {
        for (words, isSingle) in [
            (["3"], true), (["Buy milk"], true), (["buy", "milk"], true), (["2-for-1"], true), (["3,"], true),
            (["3", "4"], false), (["3-3"], false), (["3,4"], false),
        ] {
            #expect(try ReminderSelection(words).isSingle == isSingle, "\(words)")
        }
    }

    @Test("several reminders are changed, snoozed, completed, shown and deleted; a missing one is named")
    func several() async {
        await self.add("One", "Two", "Three")
        let edit = await self.run("edit", "1,3", "7", "--label", "home", "--priority", "H")
        #expect(edit.status == .partial && edit.remarks.contains("no such reminder ('7')"))
        #expect(edit.answer.contains("Changed 1: One") && edit.answer.contains("Changed 3: Three"))
        #expect(await self.answer("list").split(separator: "\n").filter { $0.contains("#home") }.count == 2)
        #expect(await self.answer("snooze", "1-3", "1h").split(separator: "\n").count == 3)
        let shown = await self.answer("show", "1,2")
        #expect(shown.contains("One") && shown.contains("\n\n") && shown.contains("Two"))
        #expect(await self.answer("show", "1,2", "--json").hasPrefix("[\n{"))
        #expect(await self.answer("show", "1", "--json").hasPrefix("{"))
        #expect(await self.answer("edit", "1,2", "--json", "--location", "Home").hasPrefix("[\n{"))
        #expect(await self.answer("done", "2,3") == "Completed 2: Two\nCompleted 3: Three\n")
        #expect(await self.answer("delete", "1-3", "--yes").hasSuffix("'remindav undo' restores them.\n"))
        let undone = await self.run("undo", "--last")
        #expect(undone.status == .success && undone.answer.contains("Three"))
    }

    @Test("a range means the existing reminders, and one without any is an error")
    func range() async {
        await self.add("One", "Two", "Three")
        _ = await self.answer("delete", "2", "--yes")
        #expect(await self.answer("done", "1-9") == "Completed 1: One\nCompleted 3: Three\n")
        #expect(await self.complaint("done", "5-9", status: .notFound).contains("('5-9')"))
        #expect(await self.complaint("done", "5-9,2", status: .notFound).contains("('2')"))
    }

    @Test("commands on changes and conflicts accept lists and ranges too")
    func otherNumbers() async {
        await self.add("One", "Two", "Three")
        #expect(await self.run("undo", "1,3-3").status == .success)
        let rest = await self.answer("list")
        #expect(rest.contains("Two") && !rest.contains("One") && !rest.contains("Three"))
        #expect(await self.complaint("undo", ",", status: .usage).contains("not the number of a change"))
        #expect(await self.complaint("conflicts", "restore", "9-6", status: .usage).contains("Write '6-9'"))
        #expect(await self.complaint("trash", "restore", "1-9999", status: .usage).contains("at most 1000 numbers"))
    }

    @Test("an error that concerns the change and not the reminder is printed once; others name their reminder")
    func sameError() async {
        await self.add("One", "Two")
        let list = await self.complaint("edit", "1,2", "--list", "Remainders", status: .notFound)
        #expect(list.split(separator: "\n").count == 1 && list.contains("Did you mean 'Reminders'?"))
        _ = await self.answer("edit", "1", "--due", "tomorrow")
        let rule = await self.complaint("edit", "1,2", "--repeat", "daily", status: .partial)
        #expect(rule.hasPrefix("remindav: Reminder 2: A repeating reminder requires a due date"), "\(rule)")
    }

    @Test("without options, only one reminder opens in the editor")
    func editor() async {
        await self.add("One", "Two")
        let world = self.terminal()
        #expect(await world.run("edit", "1", "2") == .usage)
        #expect(world.complaints.contains("The editor opens one reminder at a time."))
        #expect(await self.complaint("edit", "1", "2", status: .usage).contains("No option gives a change"))
    }

    @Test(
        "the words of a snooze are IDs, and then the longest duration or time",
        arguments: [
            (["1", "2", "1h"], 2), (["1,2", "tomorrow", "9am"], 2), (["1", "10", "minutes"], 1),
            (["1", "2", "days"], 1),
            (["1-2", "2", "days"], 2), (["1", "18:00"], 1), (["1", "2026-12-01"], 1), (["two", "1h"], 1),
        ]
    )
    func snooze(words: [String], count: Int) async {
        await self.add("One", "Two")
        let world = self.terminal("y")
        #expect(await world.run(["snooze"] + words) == .success, "\(world.complaints)")
        #expect(world.takeAnswers().split(separator: "\n").filter { $0.contains("Snoozed") }.count == count)
    }

    @Test("a last number of a snooze that may be a duration is asked for")
    func unclearSnooze() async {
        await self.add("One", "Two")
        let complaint = await self.complaint("snooze", "1", "10", status: .usage)
        #expect(complaint.contains("(1,10)") && complaint.contains("(10m)"))
        #expect(await self.complaint("snooze", "1", "7x", status: .usage).contains("'7x' is not understood"))
    }

    @Test("on a terminal, a word of one open title selects it after a question")
    func title() async {
        await self.add("Buy milk", "Call Ben", "Buy bread")
        let world = self.terminal("")
        #expect(await world.run("done", "MILK") == .success)
        #expect(world.complaints.contains("Complete 'Buy milk'? [Y/n]"))
        #expect(world.takeAnswers() == "Completed 1: Buy milk\n")
        let declined = self.terminal("n")
        #expect(await declined.run("done", "call", "ben") == .success)
        #expect(declined.answers == "Nothing was changed\n")
        let deletion = self.terminal("")
        #expect(await deletion.run("delete", "bread") == .success)
        #expect(deletion.complaints.contains("Delete 'Buy bread'? [y/N]"))
        #expect(await self.answer("list").contains("Buy bread"))
        #expect(await self.answer("undone", "milk", "--yes") == "Reopened 1: Buy milk\n")
        #expect(await self.answer("show", "milk").contains("Buy milk"))
        #expect(
            await self.answer("edit", "milk", "--yes", "--title", "Buy oat milk").hasPrefix("Changed 1: Buy oat milk")
        )
    }

    @Test("a title that several reminders have, or none, or without a terminal, is an error with the numbers")
    func unclearTitle() async {
        await self.add("Buy milk", "Buy bread")
        let several = await self.complaint("done", "buy", "--yes", status: .usage)
        #expect(several.contains("2 reminders match 'buy': 2 (Buy bread), 1 (Buy milk)."), "\(several)")
        #expect(await self.complaint("done", "eggs", status: .notFound).contains("('eggs')"))
        let one = await self.complaint("done", "milk", status: .usage)
        #expect(one.contains("'milk' is reminder 1 (Buy milk)") && one.contains("--yes"))
        #expect(await self.answer("list").contains("Buy milk"))
    }

    @Test("a filter selects all matching reminders after one question, and one undo restores them")
    func filter() async {
        for number in 1...12 { _ = await self.answer("add", "Item \(number)", "--due", "none", "-l", "shopping") }
        await self.add("Other")
        let before = await self.answer("export")
        let world = self.terminal("n")
        #expect(await world.run("done", "--label", "shopping") == .success)
        #expect(world.takeComplaints().contains("  and 2 more\nComplete these 12 reminders? [y/N]"))
        #expect(world.takeAnswers() == "Nothing was changed\n")
        #expect(await self.complaint("done", "--label", "shopping", status: .usage).contains("Add --yes"))
        for words in [
            ["done", "--label", "shopping"], ["delete", "--with-label", "shopping", "--text", "item"],
            ["snooze", "--label", "shopping", "2", "hours"],
            [
                "edit", "--with-label", "shopping", "--from-list", "reminders", "--from-priority", "none", "--priority",
                "1",
            ],
        ] {
            #expect(await self.world.run(words + ["--yes"]) == .success, "\(self.world.complaints)")
            let answers = self.world.takeAnswers()
            #expect(answers.contains("\nand 2 more\n"), "\(answers)")
            #expect(answers.contains("'remindav undo' re"))
            #expect(await self.run("undo", "--last").status == .success)
            #expect(await self.answer("export") == before)
        }
        _ = await self.answer("done", "--label", "shopping", "--yes", "--quiet")
        #expect(await self.answer("undone", "--label", "shopping", "--yes", "--json").contains("\"changed\": true"))
        let reopened = await self.answer("list", "--label", "shopping")
        #expect(reopened.split(separator: "\n").filter { $0.contains("#shopping") }.count == 12)
    }

    @Test("a filter without a match changes nothing; a filter with an ID, and an unknown list, are errors")
    func wrongFilter() async {
        await self.add("One")
        #expect(await self.answer("done", "--overdue", "--yes") == "No reminder matches. Nothing was changed\n")
        #expect(await self.answer("done", "--overdue", "--yes", "--json") == "[]\n")
        #expect(await self.complaint("done", "1", "--overdue", status: .usage).contains("not both"))
        #expect(await self.complaint("done", "--list", "Nowhere", "--yes", status: .notFound).contains("Nowhere"))
        #expect(await self.complaint("delete", "--overdo", status: .usage).contains("'--overdue'"))
        #expect(await self.run("done", "--label", "nope", "--yes").remarks.contains("no such label"))
    }

    @Test("an edit adds and removes labels, and 'none,x' replaces all")
    func labels() async {
        _ = await self.answer("add", "One", "--due", "none", "-l", "a,b", "-l", "+c")
        #expect(await self.answer("edit", "1", "--label", "d").contains("labels: #a #b #c -> #a #b #c #d"))
        #expect(await self.answer("edit", "1", "--label", "-a", "-l", "-B").contains("-> #c #d"))
        #expect(await self.answer("edit", "1", "-l-c,++x").contains("-> #d #+x"))
        #expect(await self.answer("edit", "1", "--label", "-absent") == "Unchanged 1: One\n")
        #expect(await self.answer("edit", "1", "--label", "none,e").contains("-> #e"))
        let refused = await self.complaint("add", "x", "--label", "-y", status: .usage)
        #expect(refused.contains("a new reminder has none"))
    }

    @Test("other programs' command names mean the commands here, also in help and completion")
    func aliases() async {
        #expect(await self.answer("new", "One", "--due", "today 20:00").hasPrefix("Added 1: One"))
        for words in [["ls"], ["-q", "today"]] {
            #expect(await self.world.run(words) == .success)
            #expect(self.world.takeAnswers().contains("One"))
        }
        #expect(await self.answer("do", "1") == "Completed 1: One\n")
        #expect(await self.answer("rm", "1", "--yes").hasPrefix("Deleted 1: One"))
        #expect(await self.answer("help", "complete") == self.answer("help", "done"))
        #expect(CompletionRequest(["ls"], current: "--la").words.contains { $0.value == "--label" })
        #expect(!CompletionRequest([], current: "").words.contains { $0.value == "ls" })
        #expect(CommandAliases.words.allSatisfy { CommandTable.named($0.key) == nil })
    }
}
