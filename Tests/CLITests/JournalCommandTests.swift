import Testing

@testable import RemindavBridge
@testable import RemindavCLI

@Suite("log and trash, and their lists")
struct JournalCommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test("the first reminder creates the first list, which stays after undo and gets the next reminder")
    func firstList() async {
        _ = await self.run("add", "Buy milk")
        let undone = await self.run("undo", "--last", "--yes")
        #expect(undone.status == .success && undone.answer == "Deleted 1: Buy milk\n")
        #expect(await self.run("lists").answer == "Reminders  local  0 open, default\n")
        #expect(await self.run("add", "Buy bread").answer.hasPrefix("Added 2: Buy bread"))
        #expect(await self.run("delete", "2", "--yes").status == .success)
        #expect(await self.run("lists", "delete", "Reminders", "--yes").status == .success)
        #expect(await self.run("lists").answer.hasPrefix("No lists yet"))
    }

    @Test("an empty journal and an empty trash are reported")
    func empty() async {
        #expect(await self.run("log").answer == "The log is empty\n")
        #expect(await self.run("trash").answer == "The trash is empty\n")
        #expect(await self.run("undo", "--last").answer == "There is nothing to undo\n")
        #expect(await self.run("undo").status == .success)
        for list in [("log", "--json"), ("trash", "--json")] {
            #expect(await self.run(list.0, list.1).answer == "[]\n")
        }
    }

    @Test("a deleted reminder is in the log and in the trash, and is restored with its number")
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
                  4  deleted locally  Call Ben (Reminders)

                """
        )
        #expect(
            await self.run("trash").answer == """
                2  2026-11-20 17:05  locally  Call Ben (Reminders)
                1  2026-11-20 17:05  locally  Buy milk (Reminders)

                """
        )
        let restored = await self.run("trash", "restore", "1")
        #expect(restored.answer == "Restored 1: Buy milk\n")
        #expect(restored.remarks == "'remindav undo --run 5' reverts this.\n")
        #expect(await self.run("list").answer.contains("  1  Sat 21 Nov 09:00  Buy milk"))
        #expect(await self.run("trash").answer == "2  2026-11-20 17:05  locally  Call Ben (Reminders)\n")
        let again = await self.run("trash", "restore", "1")
        #expect(again.status == .notFound && again.remarks.contains("'remindav trash' shows"), "\(again)")
        #expect(
            await self.run("log", "--limit", "1").answer
                == "5  2026-11-20 17:05  by hand  1 changed or restored, by undo\n"
        )
        #expect(await self.run("log", "--run", "5").answer.hasSuffix("\n  5  restored  Buy milk (Reminders)\n"))
        #expect(
            await self.run("log", "--run", "2").answer == """
                Run 2, 2026-11-20 17:05, by hand: deleted Buy milk, undone
                  2  deleted locally  Buy milk (Reminders), undone

                """
        )
    }

    @Test("an interrupted sync is not described as a run without changes")
    func interruptedSync() {
        func words(_ error: String?, isFinished: Bool = true) -> String {
            let run = RunView(
                id: 1,
                account: "home",
                operation: nil,
                title: "",
                reminders: 0,
                titles: [],
                hasMoreTitles: false,
                startedAt: .test,
                finishedAt: isFinished ? .test : nil,
                requests: 3,
                error: error,
                isUndoing: false,
                counts: ChangeCounts()
            )
            let printer = JournalPrinter(output: TestWorld().output())
            let headline = printer.headline(run, in: LocalText(zone: .berlin, now: .test))
            return String(headline.drop { $0 != "h" })
        }
        #expect(words(nil) == "home: nothing changed")
        #expect(words("deletionsHeld").hasPrefix("home: nothing changed, not finished ("))
        #expect(words("unreachable").hasPrefix("home: not finished ("))
        #expect(words("cancelled") == "home: not finished (the sync was stopped before its end)")
        #expect(words(nil, isFinished: false) == "home: interrupted, or still running")
    }

    @Test("changes of a local list are in the log, and undo restores its reminders")
    func ownLists() async {
        let operations: [(words: [String], log: String, detail: String, undo: String)] = [
            (
                ["add", "Garden", "--color", "#112233"], "1 list created", "list Garden created",
                "Deleted the list Garden"
            ),
            (
                ["rename", "Garden", "Park"], "1 list changed", "list Garden renamed to Park",
                "Changed the list Park back to Garden"
            ),
            (
                ["recolor", "Park", "none"], "1 list changed", "list Park recoloured: #112233 to none",
                "Changed the list Park back to #112233"
            ),
            (
                ["delete", "Park", "--yes"], "deleted Rake, 1 list deleted", "list Park deleted",
                "Restored the list Park"
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
            renamed.remarks.contains(
                "The list was changed again later, or it is not empty ('Park'). It stays unchanged"
            )
        )
        _ = await self.run("lists", "delete", "Wood", "--yes")
        _ = await self.run("lists", "add", "wood")
        let deleted = await self.run("undo", "--run", "5", "--json")
        #expect(
            deleted.status == .failure
                && deleted.answer.contains(#""newName": null, "newColor": null, "outcome": "changedSince""#),
            "\(deleted)"
        )
        #expect(await self.run("undo", "--run", "6").answer == "Deleted the list wood\n")
        #expect(await self.run("undo", "--run", "5").answer == "Restored the list Wood\n")
    }

    @Test("with a copy in another list a deletion is in the trash, and a move names the list with the copy")
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
                    remindav: The target list already has a reminder with this UID ('2 in Tasks'). Nothing was changed. \
                    Delete one of the two with 'remindav delete'.

                    """,
            "\(moved)"
        )
        _ = await self.run("delete", "1", "--yes")
        let trash = await self.run("trash").answer
        #expect(trash.hasSuffix("a (Home)\n"))
        let number = trash.split(separator: " ").first.map(String.init) ?? ""
        #expect(await self.run("trash", "restore", number).answer == "Restored 1: a\n")
    }

    @Test("undo of an import deletes its lists if they are otherwise empty, and undo of the undo restores them")
    func listsOfImports() async {
        self.world.setFile(
            "a.ics",
            Array("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:a\nEND:VTODO\nEND:VCALENDAR\n".utf8)
        )
        _ = await self.run("add", "Stay")
        _ = await self.run("import", "a.ics", "--list", "Garden")
        #expect(await self.run("log", "--limit", "1").answer.hasSuffix("1 added, 1 list created\n"))
        #expect(await self.run("undo", "--last").answer == "Deleted 2: a\nDeleted the list Garden\n")
        #expect(!(await self.run("lists").answer.contains("Garden")))
        #expect(await self.run("undo", "--run", "3").answer == "Restored 2: a\nRestored the list Garden\n")
        #expect(await self.run("list", "--list", "Garden").answer.contains("2  "))
        _ = await self.run("add", "Rake", "--list", "Garden")
        let kept = await self.run("undo", "--run", "2")
        #expect(kept.answer == "Deleted 2: a\n" && kept.remarks.contains("The list Garden stays"))
        #expect(await self.run("lists").answer.contains("Garden"))
    }

    @Test("a restored reminder that was edited later is not deleted by undo of the restoration")
    func editedSince() async {
        await self.delete("Buy milk")
        _ = await self.run("trash", "restore", "1")
        _ = await self.run("edit", "1", "--title", "Buy oat milk")
        let refused = await self.run("undo", "--run", "3")
        #expect(refused.status == .failure)
        #expect(
            refused.remarks
                == "remindav: The reminder was changed after it was added ('1: Buy milk'). It stays; 'remindav delete' deletes "
                + "it.\n"
        )
        #expect(await self.run("list").answer.contains("Buy oat milk"))
    }

    @Test("each unknown number is reported, and the others are processed")
    func unknownNumbers() async {
        await self.delete("Buy milk")
        let partial = await self.run("undo", "2", "77")
        #expect(partial.status == .partial && partial.answer == "Restored 1: Buy milk\n")
        #expect(partial.remarks.contains("There is no such change in the log ('77')."))
        #expect(await self.run("undo", "78").status == .notFound)
        #expect(await self.run("undo", "--run", "9").status == .notFound)
        #expect(await self.run("log", "--run", "9").status == .notFound)
        #expect(await self.run("trash", "restore", "3").status == .notFound)
        #expect(await self.run("undo", "2", "--last").status == .usage)
        #expect(await self.run("undo", "x").status == .usage)
    }

    @Test("a deleted reminder can be restored into another list")
    func otherList() async {
        await self.delete("Buy milk")
        _ = await self.run("lists", "add", "Shopping")
        #expect(await self.run("trash", "restore", "1", "--list", "Nowhere").status == .notFound)
        #expect(await self.run("trash", "restore", "1", "--list", "Shopping").status == .success)
        #expect(await self.run("list", "--list", "Shopping").answer.contains("Buy milk"))
    }

    @Test("the JSON answers have these keys")
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
            {"id": 2, "run": 2, "reminder": 1, "title": "Buy milk", "list": "Reminders", "side": "here", \
            "kind": "deleted", "at": "2026-11-20T17:05:00Z", "undoneAt": null, "fields": [], "reverses": null
            """
        #expect(
            await self.run("undo", "--last", "--json").answer
                == #"{"run": 3, "changes": [\#(change), "outcome": "undone", "kept": [], "error": null}], "#
                + #""labelChanges": [], "listChanges": [], "skippedRuns": [], "sentChanges": 0, "deletesOnServer": 0, "emptied": []}"#
                + "\n"
        )
        #expect(
            await self.run("log", "--run", "3", "--json").answer == """
                {"id": 3, "account": null, "operation": null, "startedAt": "2026-11-20T17:05:00Z", "finishedAt": "2026-11-20T17:05:00Z", \
                "requests": 0, "error": null, "received": 1, "sent": 0, "merged": 0, "moved": 0, "deletedHere": 0, \
                "deletedOnServer": 0, "labels": 0, "lists": 0, "undone": 0, "titles": [], "changes": [{"id": 3, "run": 3, "reminder": 1, \
                "title": "Buy milk", "list": "Reminders", "side": "here", "kind": "added", \
                "at": "2026-11-20T17:05:00Z", "undoneAt": null, "fields": [], "reverses": 2}], "labelChanges": [], "listChanges": []}

                """
        )
    }
}

extension CommandSuite {
    /// Adds and deletes reminders with these titles, each in a run of its own.
    func delete(_ titles: String...) async {
        for (index, title) in titles.enumerated() {
            _ = await self.run("add", title)
            _ = await self.run("delete", "\(index + 1)", "--yes")
        }
    }
}
