import RemindavSQLiteStore
import RemindavStore
import Testing

@testable import RemindavCLI

@Suite("undo")
struct UndoCommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test("the last run is shown with a question, and any answer but yes leaves it", arguments: ["", "n", "x"])
    func asking(reply: String) async {
        await self.delete("Buy milk")
        self.world.willReply(reply)
        let refused = await self.run("undo")
        let message = "Run 2, 2026-11-20 17:05, by hand: deleted Buy milk\n"
        #expect(refused.remarks == "\(message)  Restore 1: Buy milk\nUndo this change of run 2? [y/N] \n")
        #expect(refused.answer == "Nothing was changed\n")
        self.world.willReply("y")
        #expect(await self.run("undo").answer == "Restored 1: Buy milk\n")
    }

    @Test("without a terminal nothing is undone, and the message names the option")
    func noTerminal() async {
        await self.delete("Buy milk")
        let refused = await self.run("undo")
        #expect(refused.status == .usage && refused.remarks.contains("--last"))
        #expect(await self.run("list").answer.hasPrefix("No reminders yet"))
    }

    @Test("a second undo of the same run changes nothing, and undo of the undo deletes again")
    func twice() async {
        await self.delete("Buy milk")
        #expect(await self.run("undo", "--last").answer == "Restored 1: Buy milk\n")
        #expect(
            await self.run("undo", "--run", "2").answer
                == "Run 2 is already undone. 'remindav log' shows other runs, and 'remindav undo --run N' undoes one.\n"
        )
        #expect(await self.run("undo", "2").answer == "These changes are already undone\n")
        #expect(await self.run("undo", "--run", "3").answer == "Deleted 1: Buy milk\n")
        #expect(await self.run("list").answer.hasPrefix("No reminders yet"))
        #expect(await self.run("trash").answer.contains("Buy milk"))
        #expect(await self.run("undo", "--last").answer == "Restored 1: Buy milk\n")
        #expect(await self.run("undo", "--last").answer == "Deleted 1: Buy milk\n")
        let again = await self.run("undo", "--last")
        #expect(again.status == .success)
        #expect(again.answer == "There is nothing to undo\n")
    }

    @Test("each further undo goes one run back, and names the reminder")
    func furtherBack() async {
        _ = await self.run("add", "Buy milk")
        _ = await self.run("add", "Call Ben")
        _ = await self.run("add", "Stay")
        _ = await self.run("delete", "2", "--yes")
        _ = await self.run("delete", "1", "--yes")
        #expect(await self.run("undo", "--last").answer == "Restored 1: Buy milk\n")
        self.world.willReply("y")
        #expect(await self.run("undo").answer == "Restored 2: Call Ben\n")
        for title in ["3: Stay", "2: Call Ben", "1: Buy milk"] {
            #expect(await self.run("undo", "--last").answer == "Deleted \(title)\n")
        }
        #expect(await self.run("undo", "--last").answer == "There is nothing to undo\n")
    }

    @Test("each operation is a run with a name in the log, and is undone completely")
    func operations() async {
        _ = await self.run("lists", "add", "Other")
        let operations: [(words: [String], log: String, undo: String)] = [
            (["add", "Buy milk", "--due", "2026-12-01", "--list", "Other"], "added Buy milk", "Deleted 1: Buy milk"),
            (["add", "Call Ben", "--repeat", "daily", "--list", "Other"], "added Call Ben", "Deleted 2: Call Ben"),
            (["edit", "1", "--title", "Buy oat milk"], "edited Buy milk", "Changed back (title) 1: Buy milk"),
            (["snooze", "1", "5m"], "snoozed Buy oat milk", "Changed back"),
            (["done", "2", "1"], "completed 2 reminders", "Changed back"),
            (["undone", "1"], "reopened Buy oat milk", "Changed back"),
            (["edit", "1", "--list", "Reminders"], "moved Buy oat milk", "Moved back 1: Buy oat milk"),
            (
                ["edit", "1", "--list", "Other", "--priority", "high"], "edited Buy oat milk",
                "Moved back 1: Buy oat milk"
            ),
            (["delete", "3", "1", "2", "--yes"], "deleted 3 reminders", "Restored 2: Call Ben"),
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

    @Test("several reminders that one command deletes are restored together")
    func severalDeleted() async {
        for title in ["a", "b", "c"] { _ = await self.run("add", title) }
        #expect(
            await self.run("delete", "1", "2", "3", "--yes").answer
                == "Deleted 1: a\nDeleted 2: b\nDeleted 3: c\n'remindav undo' restores them.\n"
        )
        #expect(await self.run("undo", "--last").answer == "Restored 3: c\nRestored 2: b\nRestored 1: a\n")
    }

    @Test("an irreversible run is named and skipped, and the next undo continues before it")
    func passedOver() async throws {
        _ = await self.run("add", "Stay")
        _ = await self.run("lists", "add", "Garden")
        _ = await self.run("edit", "1", "--title", "Stay here")
        _ = await self.run("add", "Rake", "--list", "Garden")
        _ = await self.run("delete", "2", "--yes")
        // As with the removal of its account: no operation has deleted the list.
        let store = try ReminderStore.open(folder: self.stage.path("store"))
        try store.write { transaction in
            for list in try transaction.lists(named: "Garden") { try transaction.deleteList(list.id) }
        }
        let first = await self.run("undo", "--last")
        #expect(first.status == .success && first.answer == "Changed back (title) 1: Stay\n")
        #expect(
            first.remarks.hasPrefix(
                "Skipped: Run 5, 2026-11-20 17:05, by hand: deleted Rake. The list of the reminder no longer"
            ),
            "\(first)"
        )
        #expect(first.remarks.contains("\nRun 3, 2026-11-20 17:05, by hand: edited Stay\n"))
        self.world.willReply("y")
        let second = await self.run("undo")
        #expect(second.answer == "Deleted 1: Stay\n" && second.remarks.hasPrefix("Skipped: Run 5"))
        let third = await self.run("undo", "--last")
        #expect(third.status != .success && third.answer.isEmpty)
        #expect(third.remarks.contains("The list of the reminder no longer exists"))
    }

    @Test("later edits stay, and this is reported")
    func merged() async {
        _ = await self.run("add", "Buy milk")
        _ = await self.run("edit", "1", "--title", "Buy oat milk")
        _ = await self.run("edit", "1", "--priority", "high")
        #expect(
            await self.run("undo", "--run", "2").answer
                == "Changed back (title) 1: Buy milk; later changes stay\n"
        )
        #expect(await self.run("show", "1").answer.contains("high"))
    }

    @Test("on a terminal undo of a named run asks before it deletes many, and any answer but yes leaves them")
    func manyDeleted() async {
        let world = TestWorld(isTerminal: true, store: self.stage.path("store"))
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
        // There is no question with --yes, or if a program reads the answer.
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
            let message = self.world.takeComplaints()
            #expect(status == .usage && self.world.takeAnswers().isEmpty, "\(message)")
            #expect(message.contains("Undo would delete 11 reminders") && message.contains("--yes"), "\(message)")
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
            (5, "Delete the label home", "Deleted the label home"),
            (4, "Move back 1: Buy oat milk", "Moved back 1: Buy oat milk"),
            (3, "Change back (title) 1: Buy milk", "Changed back (title) 1: Buy milk"),
            (2, "Delete the list Garden", "Deleted the list Garden"),
            (1, "Delete 1: Buy milk", "Deleted 1: Buy milk"),
        ]
        for (number, plan, operation) in plans {
            #expect(await self.run("undo", "--dry-run").answer == "\(plan)\n")
            self.world.willReply("n")
            #expect(await self.run("undo").remarks.contains("\n  \(plan)\nUndo this change of run \(number)?"))
            #expect(await self.run("undo", "--last").answer == "\(operation)\n")
        }
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
        #expect(label.answer == "Changed the label home back to #FF5722 deep orange\n")
        #expect(label.remarks.hasPrefix("Run 4, 2026-11-20 17:05, by hand: 1 label changed\n"))
        #expect(await self.run("undo", "--run", "4").answer.hasPrefix("Run 4 is already undone."))
        #expect(await self.run("undo", "--last").answer == "Deleted the label home\n")
        let deletion = await self.run("undo", "--last")
        #expect(deletion.answer == "Restored 1: Buy milk\n")
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
        #expect(dry.answer == "Restore 1: Buy milk\n")
        let message = "Run 2, 2026-11-20 17:05, by hand: deleted Buy milk\n"
        #expect(dry.remarks == "Dry run: nothing is changed.\n\(message)")
        #expect(await self.run("list").answer.hasPrefix("No reminders yet"))
        #expect(await self.run("log", "--json").answer.split(separator: "\n").count == 4)
    }
}
