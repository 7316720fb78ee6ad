import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("subtasks on the command line")
struct SubtaskCommandTests {
    private let folder: TemporaryFolder
    private let store: String
    private let terminal: TestWorld
    private let script: TestWorld

    init() async throws {
        self.folder = try TemporaryFolder()
        self.store = "\(self.folder.path)/store"
        self.terminal = TestWorld(isTerminal: true, store: self.store)
        self.script = TestWorld(store: self.store)
        for words in [
            ["House", "--due", "none"], ["Paint", "--due", "none", "--parent", "1"],
            ["Brush", "--due", "none", "--parent", "2"], ["Alone", "--due", "none"],
        ] {
            #expect(await self.script.run(["add"] + words) == .success, "\(self.script.takeComplaints())")
        }
        _ = self.script.takeAnswers()
    }

    private func run(_ words: String...) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String)
    {
        let status = await self.script.run(words)
        return (status, self.script.takeAnswers(), self.script.takeComplaints())
    }

    /// The numbers of the open reminders, in the order of the list.
    private func open() async -> [String] {
        await self.run("list").answers.split(separator: "\n").map(String.init)
            .compactMap { $0.split(separator: " ").first.map(String.init) }.filter { Int($0) != nil }
    }

    @Test("a list shows each subtask indented below its parent; alone, it names the parent")
    func nested() async {
        let rows = await self.run("list").answers.split(separator: "\n").filter { $0.hasPrefix("  ") }
        let titles = rows.dropFirst().map { $0.drop { $0 == " " }.drop { $0 != " " } }
        let columns = titles.map { title in title.prefix { $0 == " " }.count }
        let words = titles.map { $0.drop { $0 == " " } }
        #expect(words == ["Alone", "House \u{229E}", "Paint \u{229E}", "Brush"])
        #expect(columns == [columns[0], columns[0], columns[0] + 2, columns[0] + 4])
        _ = await self.run("edit", "2", "--due", "today 23:00")
        let list = await self.run("list").answers
        #expect(list.contains("Paint \u{229E}  of 1\n"), "\(list)")
        #expect(list.contains("  Brush\n"), "\(list)")
        _ = await self.run("done", "1", "--no-subtasks")
        #expect(await self.run("list").answers.contains("Paint \u{229E}  of 1\n"))
    }

    @Test("done asks about open subtasks, completes them on request, and one undo reopens all")
    func done() async {
        self.terminal.willReply("y")
        #expect(await self.terminal.run("done", "1") == .success)
        #expect(self.terminal.takeComplaints().contains("'House' has 2 open subtasks. Complete them too? [y/N]"))
        #expect(await self.open() == ["4"])
        #expect(await self.run("undo", "--yes").status == .success)
        #expect(await self.open() == ["4", "1", "2", "3"])
        self.terminal.willReply("n")
        #expect(await self.terminal.run("done", "1") == .success)
        #expect(await self.open() == ["4", "2", "3"])
    }

    @Test("without a terminal, subtasks stay as they are, and a remark names the option")
    func scripted() async {
        let done = await self.run("done", "2")
        #expect(done.status == .success)
        #expect(
            done.complaints.contains("'Paint' has 1 open subtask, not changed. '--subtasks' would complete it too.")
        )
        #expect(await self.open() == ["4", "3", "1"])
        let deleted = await self.run("delete", "1", "--yes")
        #expect(deleted.complaints.contains("'House' has 2 subtasks, not changed."))
        #expect(await self.open() == ["4", "3"])
        #expect(await self.run("done", "1", "--subtasks", "--no-subtasks").status == .usage)
    }

    @Test("delete --subtasks deletes a whole tree, and one undo restores it")
    func deleted() async {
        let before = await self.run("export").answers
        #expect(await self.run("delete", "1", "--yes", "--subtasks").answers.contains("restores them"))
        #expect(await self.open() == ["4"])
        _ = await self.run("undo", "--yes")
        #expect(await self.run("export").answers.split(separator: "\n").count == before.split(separator: "\n").count)
        #expect(await self.open() == ["4", "1", "2", "3"])
        self.terminal.willReply("y", "y")
        _ = await self.terminal.run("delete", "1")
        #expect(await self.open() == ["4"])
    }

    @Test("a repeating parent keeps its open subtasks, and completed ones are reopened for the next date")
    func repeating() async {
        _ = await self.run("edit", "1", "--due", "tomorrow", "--repeat", "daily")
        _ = await self.run("done", "3")
        let done = await self.run("done", "1")
        #expect(done.answers.hasPrefix("Completed 1: House. Next: "))
        #expect(done.complaints.contains("1 completed subtask is open again for the next date."))
        #expect(await Set(self.open()) == ["1", "2", "3", "4"])
        #expect(await self.run("show", "3", "--json").answers.contains(#""status": "pending""#))
        _ = await self.run("undo", "--yes")
        #expect(await self.run("show", "3", "--json").answers.contains(#""status": "completed""#))
    }

    @Test("a parent that moves to another list takes its subtasks with it, and one undo brings them back")
    func moved() async {
        _ = await self.run("lists", "add", "Work")
        let moved = await self.run("edit", "1", "--list", "Work")
        #expect(moved.complaints.contains("2 subtasks moved to 'Work' too."), "\(moved)")
        let work = await self.run("list", "--list", "Work", "--json").answers
        #expect(work.contains(#""parentId": 1"#) && work.contains(#""parentId": 2"#))
        _ = await self.run("undo", "--yes")
        #expect(await self.run("list", "--list", "Work", "--json").answers == "[]\n")
    }
}
