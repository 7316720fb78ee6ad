import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("dependencies on the command line")
struct DependencyCommandTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    private func add() async {
        for line in ["add Shop --due none", "add Cook --due none --depends 1", "add Eat --due none"] {
            #expect(await self.run(line: line).status == .success)
        }
    }

    @Test("a reminder that depends on an open one is blocked in lists, filters and JSON until that one is done")
    func blocked() async {
        await self.add()
        #expect(await self.run(line: "edit 3 --depends cook").answers.contains("depends on: none -> 2"))
        #expect(await self.run(line: "export").answers.contains("RELATED-TO;RELTYPE=DEPENDS-ON:"))
        let listed = await self.run(line: "list").answers.split(separator: "\n")
        #expect(listed.filter { $0.contains("blocked") }.count == 2, "\(listed)")
        let ready = await self.run(line: "ready").answers
        #expect(ready.contains("Shop") && !ready.contains("Cook") && !ready.contains("Eat"))
        let blocked = await self.run(line: "list --blocked").answers
        #expect(!blocked.contains("Shop") && blocked.contains("Cook") && blocked.contains("Eat"))
        let json = await self.run(line: "show 2 --json").answers
        #expect(json.contains("\"blocked\": true") && json.contains("\"dependsOnIds\": [1]"), "\(json)")
        #expect(await self.run(line: "search cook --json").answers.contains("\"blocked\": true"))
        let early = await self.run(line: "done 3")
        #expect(
            early.status == .success && early.complaints.contains("It depends on 2 (Cook), still open."),
            "\(early)"
        )
        #expect(await self.run(line: "done 1").complaints.isEmpty)
        #expect(!(await self.run(line: "list --blocked").answers.contains("Cook")))
        #expect(await self.run(line: "done 2").complaints.isEmpty)
    }

    @Test("dependencies are added, removed one by one, and replaced")
    func edits() async {
        await self.add()
        #expect(await self.run(line: "edit 3 --depends 1,2").answers.contains("depends on: none -> 1, 2"))
        #expect(await self.run(line: "edit 3 --depends -1").answers.contains("depends on: 1, 2 -> 2"))
        #expect(await self.run(line: "edit 3 --depends none,1").answers.contains("depends on: 2 -> 1"))
        #expect(await self.run(line: "edit 3 --depends 2 --depends -1").answers.contains("depends on: 1 -> 2"))
        #expect(await self.run(line: "edit 3 --depends none").answers.contains("depends on: 2 -> none"))
        #expect(await self.run(line: "undo --last").status == .success)
        #expect(await self.run(line: "show 3").answers.contains("Depends on"))
    }

    @Test(
        "a dependency that cannot be is refused",
        arguments: [
            ("edit 1 --depends 1", "cannot depend on itself"), ("edit 1 --depends 2", "depends on this one"),
            ("edit 1 --depends 9", "no such reminder"), ("edit 1 --depends honey", "no such reminder ('honey')"),
            ("add depends:1 x", "depends on 1"),
        ]
    )
    func refused(line: String, sentence: String) async {
        await self.add()
        let before = await self.run(line: "list --json").answers
        let refused = await self.run(line: line)
        #expect((refused.answers + refused.complaints).contains(sentence), "\(refused)")
        if line.hasPrefix("edit") { #expect(await self.run(line: "list --json").answers == before) }
    }

    @Test("--parent accepts words of a title")
    func parent() async {
        await self.add()
        #expect(await self.run(line: "add Salt --parent shop").answers.contains("subtask of 1"))
        #expect(
            await self.run(line: "edit 3 --parent honey").complaints.contains("There is no such reminder ('honey')")
        )
        #expect(await self.run(line: "edit 3 --parent o").complaints.contains("2 reminders match 'o'"))
    }

    @Test(
        "the order and the names of taskwarrior are understood",
        arguments: [
            ("3 done", "done 3"), ("3,5 7-9 edit p1", "edit 3,5 7-9 p1"), ("3 modify +x", "edit 3 +x"),
            ("3 start", "edit --status in-progress 3"), ("3 annotate call first", "edit 3 --add-notes=call first"),
            ("3 list", "show 3 list"), ("3 d", "done 3"), ("waiting", "list --not-started"), ("projects", "lists"),
            ("active +x", "list --in-progress +x"), ("3", "show 3"), ("3 --json", "show 3 --json"),
        ]
    )
    func order(line: String, expected: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(CommandTable.expanded(words).joined(separator: " ") == expected)
    }

    @Test(
        "a wrong selection of 'list' names the filter with this meaning",
        arguments: [
            ("list home", "list --with-label home"), ("list reminders", "list --list Reminders"),
            ("list tomorrow", "list --due-on tomorrow"), ("list overdue", "list --overdue"),
        ]
    )
    func selections(line: String, sentence: String) async {
        #expect(await self.run(line: "add Clean +home").status == .success)
        #expect(await self.run(line: line).complaints.contains(sentence))
    }
}

@Suite("questions before changes by ranges")
struct RangeQuestionTests {
    @Test("a range of many reminders asks on a terminal, and --yes agrees")
    func asks() async throws {
        let folder = try TemporaryFolder()
        let world = TestWorld(isTerminal: true, store: "\(folder.path)/store")
        for number in 1...7 {
            _ = await RemindavCommand.run(["add", "Task \(number)", "--due", "none"]) { world.context($0) }
        }
        _ = world.takeAnswers()
        world.willReply("n")
        _ = await RemindavCommand.run(["done", "1-1000"]) { world.context($0) }
        #expect(world.takeAnswers().contains("Nothing was changed"))
        _ = await RemindavCommand.run(["done", "1-3"]) { world.context($0) }
        #expect(world.takeAnswers().contains("Completed 3"))
        _ = await RemindavCommand.run(["undone", "1-1000", "--yes"]) { world.context($0) }
        #expect(world.takeAnswers().contains("Reopened 1"))
    }

    @Test(
        "COLUMNS is the width of the output if it is a usable number",
        arguments: [("60", 60), ("5", nil), ("x", nil)]
    )
    func columns(value: String, expected: Int?) { #expect(["COLUMNS": value].columns == expected) }
}
