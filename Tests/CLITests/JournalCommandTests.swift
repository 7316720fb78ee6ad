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
        let status = await Program.run(words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }

    private func delete(_ titles: String...) async {
        for (index, title) in titles.enumerated() {
            _ = await self.run("add", title)
            _ = await self.run("delete", "\(index + 1)", "--yes")
        }
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
                2  2026-11-20 17:05  by hand  1 deleted here
                1  2026-11-20 17:05  by hand  1 deleted here

                """
        )
        #expect(
            await self.run("log", "--run", "2").answer == """
                Run 2, 2026-11-20 17:05, by hand: 1 deleted here
                  2  deleted here  Call Ben (Reminders)

                """
        )
        #expect(
            await self.run("trash").answer == """
                2  2026-11-20 17:05  here  Call Ben (Reminders)
                1  2026-11-20 17:05  here  Buy milk (Reminders)

                """
        )
        let restored = await self.run("trash", "restore", "1")
        #expect(restored.answer == "Put back 1: Buy milk\n")
        #expect(restored.remarks == "'remindav undo --run 3' takes this back.\n")
        #expect(await self.run("list").answer.contains("  1  2026-11-21 09:00  Buy milk"))
        #expect(await self.run("trash").answer == "2  2026-11-20 17:05  here  Call Ben (Reminders)\n")
        #expect(await self.run("trash", "restore", "1").answer == "Undone before 1: Buy milk\n")
        #expect(
            await self.run("log", "--limit", "1").answer
                == "3  2026-11-20 17:05  by hand  1 changed or put back, an undoing\n"
        )
        #expect(await self.run("log", "--run", "3").answer.hasSuffix("\n  3  put back  Buy milk (Reminders)\n"))
        #expect(
            await self.run("log", "--run", "1").answer.hasSuffix("\n  1  deleted here  Buy milk (Reminders), undone\n")
        )
    }

    @Test("the last run is shown and asked for, and anything but yes leaves it", arguments: ["", "n", "x"])
    func asking(reply: String) async {
        await self.delete("Buy milk")
        self.world.willReply(reply)
        let refused = await self.run("undo")
        let told = "Run 1, 2026-11-20 17:05, by hand: 1 deleted here\n"
        #expect(refused.remarks == "\(told)  Put back 1: Buy milk\nUndo this change of run 1? [y/N] \n")
        #expect(refused.answer == "Nothing was changed\n")
        self.world.willReply("y")
        #expect(await self.run("undo").answer == "Put back 1: Buy milk\n")
    }

    @Test("where nobody can be asked, the way is named and nothing is undone")
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
        let twice = await self.run("undo", "--last")
        #expect(twice.status == .success)
        #expect(twice.answer == "There is nothing to undo\n")
        #expect(
            await self.run("undo", "--run", "1").answer
                == "Run 1 is undone already. 'remindav log' shows others, which '--run' names.\n"
        )
        #expect(await self.run("undo", "1").answer == "That is undone already\n")
        #expect(await self.run("undo", "--run", "2").answer == "Deleted 1: Buy milk\n")
        #expect(await self.run("list").answer.hasPrefix("No reminders yet"))
        #expect(await self.run("trash").answer.contains("Buy milk"))
        #expect(await self.run("undo", "--last").answer == "Put back 1: Buy milk\n")
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
        #expect(await self.run("undo", "--last").answer == "There is nothing to undo\n")
    }

    @Test("whoever undoes the last run is told which that is, also where it was about a label alone")
    func whichRun() async {
        await self.delete("Buy milk")
        _ = await self.run("add", "Call Ben")
        _ = await self.run("labels", "add", "home")
        _ = await self.run("labels", "recolor", "home", "red")
        #expect(
            await self.run("log", "--run", "3").answer == """
                Run 3, 2026-11-20 17:05, by hand: 1 label changed
                  label home recoloured: #FF5722 deep orange to #F44336 red

                """
        )
        let label = await self.run("undo", "--last")
        #expect(label.answer == "Changed back the label home to #FF5722 deep orange\n")
        #expect(label.remarks.hasPrefix("Run 3, 2026-11-20 17:05, by hand: 1 label changed\n"))
        #expect(await self.run("undo", "--run", "3").answer.hasPrefix("Run 3 is undone already."))
        #expect(await self.run("undo", "--last").answer == "Took back the label home\n")
        let deletion = await self.run("undo", "--last")
        #expect(deletion.answer == "Put back 1: Buy milk\n")
        #expect(deletion.remarks.hasPrefix("Run 1, 2026-11-20 17:05, by hand: 1 deleted here\n"))
        self.world.setFile(
            "a.ics",
            Array("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:a\nEND:VTODO\nEND:VCALENDAR\n".utf8)
        )
        #expect(await self.run("import", "a.ics").remarks == "'remindav undo --run 7' takes this back.\n")
        #expect(await self.run("log", "--limit", "1").answer == "7  2026-11-20 17:05  by hand  1 added\n")
        #expect(await self.run("undo", "--last").answer == "Deleted 3: a\n")
    }

    @Test("a dry run says what would be done, and does nothing")
    func dryRun() async {
        await self.delete("Buy milk")
        let dry = await self.run("undo", "--dry-run")
        #expect(dry.answer == "Put back 1: Buy milk\n")
        let told = "Run 1, 2026-11-20 17:05, by hand: 1 deleted here\n"
        #expect(dry.remarks == "Nothing is changed: this is what undoing would do.\n\(told)")
        #expect(await self.run("list").answer.hasPrefix("No reminders yet"))
        #expect(await self.run("log", "--json").answer.split(separator: "\n").count == 3)
    }

    @Test("a put-back reminder that was edited since is not deleted by undoing that")
    func editedSince() async {
        await self.delete("Buy milk")
        _ = await self.run("trash", "restore", "1")
        _ = await self.run("edit", "1", "--title", "Buy oat milk")
        let refused = await self.run("undo", "--run", "2")
        #expect(refused.status == .failure)
        #expect(
            refused.remarks
                == "remindav: It was changed after it was added ('1: Buy milk'). It stays; 'remindav delete' deletes "
                + "it if it is not wanted.\n"
        )
        #expect(await self.run("list").answer.contains("Buy oat milk"))
    }

    @Test("numbers that are not there are told one by one, and the others are done")
    func unknownNumbers() async {
        await self.delete("Buy milk")
        let partial = await self.run("undo", "1", "77")
        #expect(partial.status == .partial && partial.answer == "Put back 1: Buy milk\n")
        #expect(partial.remarks.contains("The journal has no such change ('77')."))
        #expect(await self.run("undo", "78").status == .notFound)
        #expect(await self.run("undo", "--run", "9").status == .notFound)
        #expect(await self.run("log", "--run", "9").status == .notFound)
        #expect(await self.run("trash", "restore", "2").status == .notFound)
        #expect(await self.run("undo", "1", "--last").status == .usage)
        #expect(await self.run("undo", "x").status == .usage)
    }

    @Test("a deleted reminder can be put on another list")
    func otherList() async {
        await self.delete("Buy milk")
        _ = await self.run("lists", "add", "Shopping")
        #expect(await self.run("trash", "restore", "1", "--list", "Nowhere").status == .notFound)
        #expect(await self.run("trash", "restore", "1", "--list", "Shopping").status == .success)
        #expect(await self.run("list", "--list", "Shopping").answer.contains("Buy milk"))
    }

    @Test("the answers for programs have these keys")
    func json() async {
        await self.delete("Buy milk")
        #expect(
            await self.run("trash", "--json").answer == """
                [
                {"id": 1, "title": "Buy milk", "list": "Reminders", "deletedOn": "here", \
                "deletedAt": "2026-11-20T17:05:00Z", "expiresAt": "2026-12-20T17:05:00Z"}
                ]

                """
        )
        let change = """
            {"id": 1, "run": 1, "reminder": 1, "title": "Buy milk", "list": "Reminders", "side": "here", \
            "kind": "deleted", "at": "2026-11-20T17:05:00Z", "undoneAt": null, "fields": [], "reverses": null
            """
        #expect(
            await self.run("undo", "--last", "--json").answer
                == #"{"run": 2, "changes": [\#(change), "outcome": "undone", "kept": [], "error": null}], "#
                + #""labelChanges": [], "deletesOnServer": 0, "emptied": []}"# + "\n"
        )
        #expect(
            await self.run("log", "--run", "2", "--json").answer == """
                {"id": 2, "account": null, "startedAt": "2026-11-20T17:05:00Z", "finishedAt": "2026-11-20T17:05:00Z", \
                "requests": 0, "trouble": null, "received": 1, "sent": 0, "merged": 0, "moved": 0, "deletedHere": 0, \
                "deletedOnServer": 0, "labels": 0, "undone": 0, "changes": [{"id": 2, "run": 2, "reminder": 1, \
                "title": "Buy milk", "list": "Reminders", "side": "here", "kind": "added", \
                "at": "2026-11-20T17:05:00Z", "undoneAt": null, "fields": [], "reverses": 1}], "labelChanges": []}

                """
        )
    }
}
