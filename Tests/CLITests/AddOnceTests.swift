import Testing

@testable import RemindavCLI

@Suite("add with an id")
struct AddOnceTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test("it is added once; later the differing fields are reported and stay unchanged")
    func once() async {
        #expect(
            await self.answer("add", "Check the backup", "--id", "backup-2026-11")
                == "Added 1: Check the backup, due Sat 2026-11-21 09:00, tomorrow\n"
        )
        let before = await self.answer("export")
        #expect(before.contains("\r\nUID:backup-2026-11\r\n"))
        // Without a date in the command no date differs, on any day of the test.
        let there = "Already added 1: Check the backup, due Sat 2026-11-21 09:00, tomorrow"
        #expect(await self.answer("add", "Check the backup", "--id", "backup-2026-11") == "\(there)\n")
        #expect(
            await self.answer("add", "Look #lab", "--id", "backup-2026-11", "--due", "monday", "--priority", "low")
                == "\(there); not changed, although this command differs in: title, due, priority, labels\n"
        )
        #expect(await self.answer("export") == before)
        #expect(await self.answer("list", "--all", "--json").split(separator: "\n").count == 3)
    }

    @Test("JSON reports whether it was created and the differing fields; without an id neither")
    func json() async {
        let made = await self.answer("add", "A", "--id", "a", "--json")
        #expect(made.contains("\"uid\": \"a\"") && made.hasSuffix("\"added\": true, \"differs\": []}\n"))
        let again = await self.answer("add", "A", "--id", "a", "--notes", "n", "--json")
        let outcome = "\"added\": false, \"differs\": [\"notes\"]"
        #expect(again == made.replacing("\"added\": true, \"differs\": []", with: outcome))
        #expect(await self.answer("add", "B", "--json").contains("\"differs\"") == false)
    }

    @Test("a date that was in the future at the first addition may be past at the second one, and only then")
    func pastAtSecondAddition() async {
        for words in [["Call Ben", "--due", "today noon"], ["Call Ben today 9am"]] {
            let line = ["add"] + words + ["--id", "a"]
            #expect(await RemindavCommand.run(line) { self.world.context($0) } == .usage)
            #expect(self.world.takeComplaints().contains("Must be in the future"))
        }
        _ = await self.answer("add", "Call Ben", "--id", "a", "--due", "tomorrow")
        for words in [["Call Ben", "--due", "today noon"], ["Call Ben today 9am"]] {
            let line = ["add"] + words + ["--id", "a"]
            #expect(await RemindavCommand.run(line) { self.world.context($0) } == .success)
            #expect(self.world.takeAnswers() == "Already added 1: Call Ben, due Sat 2026-11-21, tomorrow\n")
        }
    }

    @Test("a path is not an id, and nothing is created", arguments: ["", "../x", "a/b", ".x", "a b"])
    func noKey(text: String) async {
        #expect(await self.world.run("add", "A", "--id", text) == .usage)
        #expect(self.world.takeComplaints().contains("An id has 1 to 200 letters"))
        #expect(await self.answer("list", "--all").hasPrefix("No reminders yet"))
    }
}
