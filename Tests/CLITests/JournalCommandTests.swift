import SQLiteStore
import Store
import TestSupport
import Testing

@testable import CLI

@Suite("log, undo and trash")
struct JournalCommandTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/store")
    }

    /// Runs a line: its status, its answer, and what it said beside.
    private func run(_ words: String...) async -> (status: CLI.ExitStatus, answer: String, remarks: String) {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }

    private func delete(_ titles: String...) async {
        for (index, title) in titles.enumerated() {
            _ = await self.run("add", title)
            _ = await self.run("delete", "\(index + 1)", "--yes")
        }
    }

    @Test("the first reminder makes the first list, which stays when that is undone and takes the next one")
    func firstList() async {
        _ = await self.run("add", "Buy milk")
        let undone = await self.run("undo", "--last", "--yes")
        #expect(undone.status == .success && undone.answer == "Deleted 1: Buy milk\n")
        #expect(await self.run("lists").answer == "Reminders  here only  0 open, default\n")
        #expect(await self.run("add", "Buy bread").answer.hasPrefix("Added 2: Buy bread"))
        #expect(await self.run("delete", "2", "--yes").status == .success)
        #expect(await self.run("lists", "delete", "Reminders", "--yes").status == .success)
        #expect(await self.run("lists").answer.hasPrefix("No lists yet"))
    }

    @Test("an empty journal and an empty trash say so")
    func empty() async {
        #expect(await self.run("log").answer == "Nothing is in the journal yet\n")
        #expect(await self.run("trash").answer == "The trash is empty\n")
        #expect(await self.run("undo", "--last").answer == "There is nothing to undo\n")
        #expect(await self.run("undo").status == .success)
        for list in [("log", "--json"), ("trash", "--json")] {
            #expect(await self.run(list.0, list.1).answer == "[]\n")
        }
    }

    @Test("a deletion is in the log and in the trash, and put back with its number")
    func deletion() async {
        await self.delete("Buy milk", "Call Ben")
        #expect(
            await self.run("log").answer == """
                4  2026-11-20 17:05  by hand  deleted Call Ben
                3  2026-11-20 17:05  by hand  added Call Ben
                2  2026-11-20 17:05  by hand  deleted Buy milk
                1  2026-11-20 17:05  by hand  added Buy milk

                """
        )
        #expect(
            await self.run("log", "--run", "4").answer == """
                Run 4, 2026-11-20 17:05, by hand: deleted Call Ben
                  4  deleted here  Call Ben (Reminders)

                """
        )
        #expect(
            await self.run("trash").answer == """
                4  2026-11-20 17:05  here  Call Ben (Reminders)
                2  2026-11-20 17:05  here  Buy milk (Reminders)

                """
        )
        let restored = await self.run("trash", "restore", "2")
        #expect(restored.answer == "Put back 1: Buy milk\n")
        #expect(restored.remarks == "'remindav undo --run 5' reverts this.\n")
        #expect(await self.run("list").answer.contains("  1  2026-11-21 09:00  Buy milk"))
        #expect(await self.run("trash").answer == "4  2026-11-20 17:05  here  Call Ben (Reminders)\n")
        #expect(await self.run("trash", "restore", "2").answer == "Undone before 1: Buy milk\n")
        #expect(
            await self.run("log", "--limit", "1").answer
                == "5  2026-11-20 17:05  by hand  1 changed or put back, an undoing\n"
        )
        #expect(await self.run("log", "--run", "5").answer.hasSuffix("\n  5  put back  Buy milk (Reminders)\n"))
        #expect(
            await self.run("log", "--run", "2").answer == """
                Run 2, 2026-11-20 17:05, by hand: deleted Buy milk, undone
                  2  deleted here  Buy milk (Reminders), undone

                """
        )
    }

    @Test("the last run is shown and asked for, and anything but yes leaves it", arguments: ["", "n", "x"])
    func asking(reply: String) async {
        await self.delete("Buy milk")
        self.world.willReply(reply)
        let refused = await self.run("undo")
        let told = "Run 2, 2026-11-20 17:05, by hand: deleted Buy milk\n"
        #expect(refused.remarks == "\(told)  Put back 1: Buy milk\nUndo this change of run 2? [y/N] \n")
        #expect(refused.answer == "Nothing was changed\n")
        self.world.willReply("y")
        #expect(await self.run("undo").answer == "Put back 1: Buy milk\n")
    }

    @Test("without a terminal nothing is undone, and the message names the option")
    func nobodyToAsk() async {
        await self.delete("Buy milk")
        let refused = await self.run("undo")
        #expect(refused.status == .usage && refused.remarks.contains("--last"))
        #expect(await self.run("list").answer.hasPrefix("No reminders yet"))
    }

    @Test("undoing twice is nothing, and undoing the undoing deletes again")
    func twice() async {
        await self.delete("Buy milk")
        #expect(await self.run("undo", "--last").answer == "Put back 1: Buy milk\n")
        #expect(
            await self.run("undo", "--run", "2").answer
                == "Run 2 is undone already. 'remindav log' shows others, which '--run' names.\n"
        )
        #expect(await self.run("undo", "2").answer == "That is undone already\n")
        #expect(await self.run("undo", "--run", "3").answer == "Deleted 1: Buy milk\n")
        #expect(await self.run("list").answer.hasPrefix("No reminders yet"))
        #expect(await self.run("trash").answer.contains("Buy milk"))
        #expect(await self.run("undo", "--last").answer == "Put back 1: Buy milk\n")
        #expect(await self.run("undo", "--last").answer == "Deleted 1: Buy milk\n")
        let again = await self.run("undo", "--last")
        #expect(again.status == .success)
        #expect(again.answer == "There is nothing to undo\n")
    }

    @Test("each time it is said, undo goes one run further back, and names the reminder")
    func furtherBack() async {
        _ = await self.run("add", "Buy milk")
        _ = await self.run("add", "Call Ben")
        _ = await self.run("add", "Stay")
        _ = await self.run("delete", "2", "--yes")
        _ = await self.run("delete", "1", "--yes")
        #expect(await self.run("undo", "--last").answer == "Put back 1: Buy milk\n")
        self.world.willReply("y")
        #expect(await self.run("undo").answer == "Put back 2: Call Ben\n")
        for title in ["3: Stay", "2: Call Ben", "1: Buy milk"] {
            #expect(await self.run("undo", "--last").answer == "Deleted \(title)\n")
        }
        #expect(await self.run("undo", "--last").answer == "There is nothing to undo\n")
    }

    @Test("each operation is a run that the log says in a word, and that is taken back with all that it did")
    func operations() async {
        _ = await self.run("lists", "add", "Other")
        let operations: [(words: [String], log: String, undo: String)] = [
            (["add", "Buy milk", "--due", "2026-12-01", "--list", "Other"], "added Buy milk", "Deleted 1: Buy milk"),
            (["add", "Call Ben", "--repeat", "daily", "--list", "Other"], "added Call Ben", "Deleted 2: Call Ben"),
            (["edit", "1", "--title", "Buy oat milk"], "edited Buy milk", "Changed back (title) 1: Buy milk"),
            (["snooze", "1", "5m"], "put off Buy oat milk", "Changed back"),
            (["done", "2", "1"], "completed 2 reminders", "Changed back"),
            (["undone", "1"], "opened again Buy oat milk", "Changed back"),
            (["edit", "1", "--list", "Reminders"], "moved Buy oat milk", "Moved back 1: Buy oat milk"),
            (
                ["edit", "1", "--list", "Other", "--priority", "high"], "edited Buy oat milk",
                "Moved back 1: Buy oat milk"
            ),
            (["delete", "3", "1", "2", "--yes"], "deleted 3 reminders", "Put back 2: Call Ben"),
        ]
        _ = await self.run("lists", "add", "Reminders")
        var shown: [String] = []
        for operation in operations {
            shown.append(await self.run("export", "--format", "json").answer)
            let done = await RemindavCommand.run(operation.words) { self.world.context($0) }
            #expect(done == .success, "\(operation.words) \(self.world.takeComplaints())")
            _ = self.world.takeAnswers()
            #expect(await self.run("log", "--limit", "1").answer.hasSuffix("by hand  \(operation.log)\n"))
        }
        for operation in operations.reversed() {
            let undone = await self.run("undo", "--last")
            #expect(undone.status == .success && undone.answer.contains(operation.undo), "\(undone)")
            let before = shown.removeLast()
            #expect(await self.run("export", "--format", "json").answer == before, "\(operation.words)")
        }
    }

    @Test("several that one command deletes come back at once")
    func severalDeleted() async {
        for title in ["a", "b", "c"] { _ = await self.run("add", title) }
        #expect(
            await self.run("delete", "1", "2", "3", "--yes").answer
                == "Deleted 1: a\nDeleted 2: b\nDeleted 3: c\n'remindav undo' brings them back.\n"
        )
        #expect(await self.run("undo", "--last").answer == "Put back 3: c\nPut back 2: b\nPut back 1: a\n")
    }

    @Test("an irreversible run is named and skipped, and the next undo continues before it")
    func passedOver() async throws {
        _ = await self.run("add", "Stay")
        _ = await self.run("lists", "add", "Garden")
        _ = await self.run("edit", "1", "--title", "Stay here")
        _ = await self.run("add", "Rake", "--list", "Garden")
        _ = await self.run("delete", "2", "--yes")
        // As when it goes with its account: nobody has deleted it here.
        let store = try ReminderStore.open(folder: "\(self.folder.path)/store")
        try store.write { transaction in
            for list in try transaction.lists(named: "Garden") { try transaction.deleteList(list.id) }
        }
        let first = await self.run("undo", "--last")
        #expect(first.status == .success && first.answer == "Changed back (title) 1: Stay\n")
        #expect(
            first.remarks.hasPrefix(
                "Passed over: Run 5, 2026-11-20 17:05, by hand: deleted Rake. Its list no longer exists"
            ),
            "\(first)"
        )
        #expect(first.remarks.contains("\nRun 3, 2026-11-20 17:05, by hand: edited Stay\n"))
        self.world.willReply("y")
        let second = await self.run("undo")
        #expect(second.answer == "Deleted 1: Stay\n" && second.remarks.hasPrefix("Passed over: Run 5"))
        let third = await self.run("undo", "--last")
        #expect(third.status != .success && third.answer.isEmpty && third.remarks.contains("Its list no longer exists"))
    }

    @Test("changes of a local list are in the log, and undo restores its reminders")
    func ownLists() async {
        let operations: [(words: [String], log: String, detail: String, undo: String)] = [
            (["add", "Garden", "--color", "#112233"], "1 list made", "list Garden made", "Took away the list Garden"),
            (
                ["rename", "Garden", "Park"], "1 list changed", "list Garden renamed to Park",
                "Changed back the list Park to Garden"
            ),
            (
                ["recolor", "Park", "none"], "1 list changed", "list Park recoloured: #112233 to none",
                "Changed back the list Park to #112233"
            ),
            (
                ["delete", "Park", "--yes"], "deleted Rake, 1 list deleted", "list Park deleted",
                "Put back the list Park"
            ),
        ]
        _ = await self.run("add", "Stay")
        var shown: [String] = []
        for operation in operations {
            if operation.words[0] == "delete" { _ = await self.run("add", "Rake", "--list", "Park") }
            shown.append(await self.run("lists", "--json").answer)
            let done = await RemindavCommand.run(["lists"] + operation.words) { self.world.context($0) }
            #expect(done == .success, "\(operation.words) \(self.world.takeComplaints())")
            _ = self.world.takeAnswers()
            let line = await self.run("log", "--limit", "1").answer
            #expect(line.hasSuffix("by hand  \(operation.log)\n"), "\(line)")
            let run = String(line.prefix { $0 != " " })
            #expect(await self.run("log", "--run", run).answer.contains("\n  \(operation.detail)\n"))
        }
        for operation in operations.reversed() {
            let undone = await self.run("undo", "--last")
            #expect(undone.status == .success && undone.answer.contains(operation.undo), "\(undone)")
            #expect(await self.run("lists", "--json").answer == shown.removeLast(), "\(operation.words)")
            if operation.words[0] == "delete" {
                #expect(await self.run("undo", "--last").answer == "Deleted 2: Rake\n")
            }
        }
        #expect(await self.run("undo", "--last").answer == "Deleted 1: Stay\n")
    }

    @Test("a list that changed since, or with a name in use, stays unchanged, and the output reports it")
    func keptLists() async {
        _ = await self.run("add", "Stay")
        _ = await self.run("lists", "add", "Garden")
        _ = await self.run("lists", "rename", "Garden", "Park")
        _ = await self.run("lists", "rename", "Park", "Wood")
        let renamed = await self.run("undo", "--run", "3")
        #expect(renamed.status == .failure && renamed.answer.isEmpty, "\(renamed)")
        #expect(
            renamed.remarks.contains("The list was changed again since, or is not empty ('Park'). It stays unchanged")
        )
        _ = await self.run("lists", "delete", "Wood", "--yes")
        _ = await self.run("lists", "add", "wood")
        let deleted = await self.run("undo", "--run", "5", "--json")
        #expect(
            deleted.status == .failure
                && deleted.answer.contains(#""newName": null, "newColor": null, "outcome": "changedSince""#),
            "\(deleted)"
        )
        #expect(await self.run("undo", "--run", "6").answer == "Took away the list wood\n")
        #expect(await self.run("undo", "--run", "5").answer == "Put back the list Wood\n")
    }

    @Test("with a copy in another list a deletion is in the trash, and moving says which list has the copy")
    func copies() async {
        self.world.setFile(
            "a.ics",
            Array("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:a\nEND:VTODO\nEND:VCALENDAR\n".utf8)
        )
        _ = await self.run("import", "a.ics", "--list", "Home")
        _ = await self.run("import", "a.ics", "--list", "Tasks", "--copy")
        let moved = await self.run("edit", "1", "--list", "Tasks")
        #expect(
            moved.status == .failure
                && moved.remarks == """
                    remindav: That list already has a reminder with this UID ('2 in Tasks'). Nothing was changed. \
                    Delete one of the two with 'remindav delete'.

                    """,
            "\(moved)"
        )
        _ = await self.run("delete", "1", "--yes")
        let trash = await self.run("trash").answer
        #expect(trash.hasSuffix("a (Home)\n"))
        let number = trash.split(separator: " ").first.map(String.init) ?? ""
        #expect(await self.run("trash", "restore", number).answer == "Put back 1: a\n")
    }

    @Test("edits made since stay, and that is said")
    func merged() async {
        _ = await self.run("add", "Buy milk")
        _ = await self.run("edit", "1", "--title", "Buy oat milk")
        _ = await self.run("edit", "1", "--priority", "high")
        #expect(
            await self.run("undo", "--run", "2").answer
                == "Changed back (title) 1: Buy milk; what else was changed since stays\n"
        )
        #expect(await self.run("show", "1").answer.contains("high"))
    }

    @Test("on a terminal a named run is asked for before it deletes many, and anything but yes leaves them")
    func manyDeleted() async {
        let world = TestWorld(isTerminal: true, store: "\(self.folder.path)/store")
        func run(_ words: String...) async -> (answer: String, remarks: String) {
            _ = await RemindavCommand.run(words) { world.context($0) }
            return (world.takeAnswers(), world.takeComplaints())
        }
        func todos(_ count: Int) -> [UInt8] {
            let texts = (1...count).map { "BEGIN:VTODO\nUID:\(count) \($0)\nSUMMARY:a\nEND:VTODO\n" }
            return Array("BEGIN:VCALENDAR\n\(texts.joined())END:VCALENDAR\n".utf8)
        }
        _ = await run("add", "Stay")
        world.setFile("few.ics", todos(10))
        world.setFile("many.ics", todos(11))
        _ = await run("import", "few.ics")
        let few = await run("undo", "--run", "2")
        #expect(few.answer.contains("Deleted 2: a") && !few.remarks.contains("[y/N]"), "\(few)")
        _ = await run("import", "many.ics")
        let question = "Undo these 11 changes of run 4? [y/N] "
        world.willReply("n")
        let refused = await run("undo", "--run", "4")
        #expect(refused.answer.contains("Nothing was changed") && refused.remarks.contains(question), "\(refused)")
        world.willReply("y")
        let undone = await run("undo", "--run", "4")
        #expect(undone.answer.contains("Deleted") && undone.remarks.contains(question), "\(undone)")
        // Nobody is asked who has said so, or for whom a program reads the answer.
        for word in ["--yes", "--json"] {
            _ = await run("import", "many.ics")
            world.willReply("n")
            let last = word == "--yes" ? "6" : "8"
            let unasked = await run("undo", "--run", last, word)
            #expect(!unasked.answer.contains("Nothing was changed") && !unasked.remarks.contains("[y/N]"), "\(unasked)")
        }
        #expect(await run("list").answer.contains("Stay"))
    }

    @Test("without a terminal, many deletions need --yes", arguments: [["--last"], ["--run", "2"]])
    func manyDeletedUnasked(words: [String]) async {
        let texts = (1...11).map { "BEGIN:VTODO\nUID:\($0)\nSUMMARY:a\nEND:VTODO\n" }
        self.world.setFile("many.ics", Array("BEGIN:VCALENDAR\n\(texts.joined())END:VCALENDAR\n".utf8))
        _ = await self.run("add", "Stay")
        _ = await self.run("import", "many.ics")
        for more in [[], ["--json"]] {
            let status = await RemindavCommand.run(["undo"] + words + more) { self.world.context($0) }
            let told = self.world.takeComplaints()
            #expect(status == .usage && self.world.takeAnswers().isEmpty, "\(told)")
            #expect(told.contains("It would delete 11 reminders") && told.contains("--yes"), "\(told)")
        }
        #expect(await self.run("list", "--json").answer.contains(#""title": "a""#))
        let status = await RemindavCommand.run(["undo", "--yes"] + words) { self.world.context($0) }
        #expect(status == .success && self.world.takeAnswers().contains("Deleted 12: a"))
    }

    @Test("a dry run of undo is not reported as done")
    func tenses() async {
        _ = await self.run("add", "Buy milk")
        _ = await self.run("lists", "add", "Garden")
        _ = await self.run("edit", "1", "--title", "Buy oat milk")
        _ = await self.run("edit", "1", "--list", "Garden")
        _ = await self.run("labels", "add", "home")
        let plans = [
            (5, "Take back the label home", "Took back the label home"),
            (4, "Move back 1: Buy oat milk", "Moved back 1: Buy oat milk"),
            (3, "Change back (title) 1: Buy milk", "Changed back (title) 1: Buy milk"),
            (2, "Take away the list Garden", "Took away the list Garden"),
            (1, "Delete 1: Buy milk", "Deleted 1: Buy milk"),
        ]
        for (number, plan, operation) in plans {
            #expect(await self.run("undo", "--dry-run").answer == "\(plan)\n")
            self.world.willReply("n")
            #expect(await self.run("undo").remarks.contains("\n  \(plan)\nUndo this change of run \(number)?"))
            #expect(await self.run("undo", "--last").answer == "\(operation)\n")
        }
    }

    @Test("an import's lists go with it when nothing else is in them, and come back with it")
    func listsOfImports() async {
        self.world.setFile(
            "a.ics",
            Array("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:a\nEND:VTODO\nEND:VCALENDAR\n".utf8)
        )
        _ = await self.run("add", "Stay")
        _ = await self.run("import", "a.ics", "--list", "Garden")
        #expect(await self.run("log", "--limit", "1").answer.hasSuffix("1 added, 1 list made\n"))
        #expect(await self.run("undo", "--last").answer == "Deleted 2: a\nTook away the list Garden\n")
        #expect(!(await self.run("lists").answer.contains("Garden")))
        #expect(await self.run("undo", "--run", "3").answer == "Put back 2: a\nPut back the list Garden\n")
        #expect(await self.run("list", "--list", "Garden").answer.contains("2  "))
        _ = await self.run("add", "Rake", "--list", "Garden")
        let kept = await self.run("undo", "--run", "2")
        #expect(kept.answer == "Deleted 2: a\n" && kept.remarks.contains("The list Garden stays"))
        #expect(await self.run("lists").answer.contains("Garden"))
    }

    @Test("undo names the last run, also for a run with only a label")
    func whichRun() async {
        await self.delete("Buy milk")
        _ = await self.run("labels", "add", "home")
        _ = await self.run("labels", "recolor", "home", "red")
        #expect(
            await self.run("log", "--run", "4").answer == """
                Run 4, 2026-11-20 17:05, by hand: 1 label changed
                  label home recoloured: #FF5722 deep orange to #F44336 red

                """
        )
        let label = await self.run("undo", "--last")
        #expect(label.answer == "Changed back the label home to #FF5722 deep orange\n")
        #expect(label.remarks.hasPrefix("Run 4, 2026-11-20 17:05, by hand: 1 label changed\n"))
        #expect(await self.run("undo", "--run", "4").answer.hasPrefix("Run 4 is undone already."))
        #expect(await self.run("undo", "--last").answer == "Took back the label home\n")
        let deletion = await self.run("undo", "--last")
        #expect(deletion.answer == "Put back 1: Buy milk\n")
        #expect(deletion.remarks.hasPrefix("Run 2, 2026-11-20 17:05, by hand: deleted Buy milk\n"))
        self.world.setFile(
            "a.ics",
            Array("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:a\nEND:VTODO\nEND:VCALENDAR\n".utf8)
        )
        #expect(await self.run("import", "a.ics").remarks == "'remindav undo --run 8' reverts this.\n")
        #expect(await self.run("log", "--limit", "1").answer == "8  2026-11-20 17:05  by hand  1 added\n")
        #expect(await self.run("undo", "--last").answer == "Deleted 2: a\n")
    }

    @Test("a dry run prints the result and changes nothing")
    func dryRun() async {
        await self.delete("Buy milk")
        let dry = await self.run("undo", "--dry-run")
        #expect(dry.answer == "Put back 1: Buy milk\n")
        let told = "Run 2, 2026-11-20 17:05, by hand: deleted Buy milk\n"
        #expect(dry.remarks == "Nothing is changed: this is what undoing would do.\n\(told)")
        #expect(await self.run("list").answer.hasPrefix("No reminders yet"))
        #expect(await self.run("log", "--json").answer.split(separator: "\n").count == 4)
    }

    @Test("a put-back reminder that was edited since is not deleted by undoing that")
    func editedSince() async {
        await self.delete("Buy milk")
        _ = await self.run("trash", "restore", "2")
        _ = await self.run("edit", "1", "--title", "Buy oat milk")
        let refused = await self.run("undo", "--run", "3")
        #expect(refused.status == .failure)
        #expect(
            refused.remarks
                == "remindav: It was changed after it was added ('1: Buy milk'). It stays; 'remindav delete' deletes "
                + "it.\n"
        )
        #expect(await self.run("list").answer.contains("Buy oat milk"))
    }

    @Test("numbers that are not there are told one by one, and the others are done")
    func unknownNumbers() async {
        await self.delete("Buy milk")
        let partial = await self.run("undo", "2", "77")
        #expect(partial.status == .partial && partial.answer == "Put back 1: Buy milk\n")
        #expect(partial.remarks.contains("There is no such change in the log ('77')."))
        #expect(await self.run("undo", "78").status == .notFound)
        #expect(await self.run("undo", "--run", "9").status == .notFound)
        #expect(await self.run("log", "--run", "9").status == .notFound)
        #expect(await self.run("trash", "restore", "3").status == .notFound)
        #expect(await self.run("undo", "2", "--last").status == .usage)
        #expect(await self.run("undo", "x").status == .usage)
    }

    @Test("a deleted reminder can be put on another list")
    func otherList() async {
        await self.delete("Buy milk")
        _ = await self.run("lists", "add", "Shopping")
        #expect(await self.run("trash", "restore", "2", "--list", "Nowhere").status == .notFound)
        #expect(await self.run("trash", "restore", "2", "--list", "Shopping").status == .success)
        #expect(await self.run("list", "--list", "Shopping").answer.contains("Buy milk"))
    }

    @Test("the answers for programs have these keys")
    func json() async {
        await self.delete("Buy milk")
        #expect(
            await self.run("trash", "--json").answer == """
                [
                {"id": 2, "title": "Buy milk", "list": "Reminders", "deletedOn": "here", \
                "deletedAt": "2026-11-20T17:05:00Z", "expiresAt": "2026-12-20T17:05:00Z"}
                ]

                """
        )
        let change = """
            {"id": 2, "run": 2, "reminder": 1, "title": "Buy milk", "list": "Reminders", "side": "here", \
            "kind": "deleted", "at": "2026-11-20T17:05:00Z", "undoneAt": null, "fields": [], "reverses": null
            """
        #expect(
            await self.run("undo", "--last", "--json").answer
                == #"{"run": 3, "changes": [\#(change), "outcome": "undone", "kept": [], "error": null}], "#
                + #""labelChanges": [], "listChanges": [], "passedOver": [], "deletesOnServer": 0, "emptied": []}"#
                + "\n"
        )
        #expect(
            await self.run("log", "--run", "3", "--json").answer == """
                {"id": 3, "account": null, "operation": null, "startedAt": "2026-11-20T17:05:00Z", "finishedAt": "2026-11-20T17:05:00Z", \
                "requests": 0, "error": null, "received": 1, "sent": 0, "merged": 0, "moved": 0, "deletedHere": 0, \
                "deletedOnServer": 0, "labels": 0, "lists": 0, "undone": 0, "changes": [{"id": 3, "run": 3, "reminder": 1, \
                "title": "Buy milk", "list": "Reminders", "side": "here", "kind": "added", \
                "at": "2026-11-20T17:05:00Z", "undoneAt": null, "fields": [], "reverses": 2}], "labelChanges": [], "listChanges": []}

                """
        )
    }
}
