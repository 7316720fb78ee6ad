import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("start, link and parent on the command line")
struct StartLinkParentTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(
            environment: ["NO_COLOR": "1"],
            isTerminal: true,
            store: "\(self.folder.path)/store",
            zone: .berlin
        )
    }

    private func run(_ words: String...) async -> (status: RemindavCLI.ExitStatus, answers: String, complaints: String)
    {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        return (status, self.world.takeAnswers(), self.world.takeComplaints())
    }

    @Test("they are added, shown, edited, exported and found")
    func fields() async {
        let added = await self.run(
            "add",
            "Report",
            "--start",
            "monday",
            "--due",
            "2026-12-04 17:00",
            "--link",
            "https://example.org/plan"
        )
        #expect(added.answers.contains("starts Mon 2026-11-23 00:00, in 3 days"), "\(added)")
        let json = await self.run("list", "--all", "--json").answers
        #expect(json.contains(#""start": "2026-11-23T00:00:00+01:00""#) && json.contains(#""parentId": null"#))
        #expect(json.contains(#""link": "https://example.org/plan""#))
        let shown = await self.run("show", "1").answers
        #expect(shown.contains("Start       Mon 2026-11-23 00:00, in 3 days"))
        #expect(shown.contains("Link        https://example.org/plan"))
        #expect(await self.run("search", "example.org").answers.contains("Report"))
        #expect(await self.run("export").answers.contains("URL:https://example.org/plan"))
        let edited = await self.run("edit", "1", "--start", "none", "--link", "none").answers
        #expect(edited.contains("  start: Mon 2026-11-23 00:00, in 3 days -> none\n"))
        #expect(edited.contains("  link: https://example.org/plan -> none\n"))
    }

    @Test("a start without a due date sets no default date, which could precede it")
    func startAlone() async {
        let added = await self.run("add", "Report", "--start", "monday")
        #expect(added.answers == "Added 1: Report, starts Mon 2026-11-23, in 3 days\n")
        let none = await self.run("add", "Call Ben", "--start", "none")
        #expect(none.answers.contains("Added 2: Call Ben, due Sat 2026-11-21 09:00"))
    }

    @Test("a subtask is added to a parent, and the relation can be cleared")
    func parent() async {
        _ = await self.run("add", "Paint the door", "--due", "none")
        let added = await self.run("add", "Buy paint", "--due", "none", "--parent", "1")
        #expect(added.answers == "Added 2: Buy paint, subtask of 1\n")
        #expect(await self.run("list", "--json").answers.contains(#""parentId": 1, "childIds": []"#))
        #expect(await self.run("show", "1").answers.contains("Subtasks    2: Buy paint"))
        #expect(await self.run("edit", "2", "--parent", "none").answers.hasSuffix("\n  parent: 1 -> none\n"))
        #expect(await self.run("list", "--json").answers.contains(#""childIds": []"#))
    }

    @Test("the editor form has the three fields, and names the line of a bad value")
    func form() async {
        _ = await self.run("add", "Paint the door", "--due", "none")
        _ = await self.run("add", "Buy paint", "--due", "2026-12-04")
        self.world.willEdit { text in
            text.replacing("Start:", with: "Start: 2026-12-01").replacing("Parent:", with: "Parent: 1")
                .replacing("Link:", with: "Link: https://example.org")
        }
        let edited = await self.run("edit", "2").answers
        #expect(edited.contains("  start: none -> Tue 2026-12-01, in 11 days\n"), "\(edited)")
        #expect(edited.contains("  link: none -> https://example.org\n") && edited.contains("  parent: none -> 1\n"))
        self.world.willEdit { text in
            #expect(text.contains("Start: 2026-12-01\n") && text.contains("Parent: 1\n"))
            return text.replacing("https://example.org", with: "example.org")
        }
        self.world.willReply("n")
        let refused = await self.run("edit", "2")
        #expect(refused.status == .usage)
        #expect(refused.complaints.contains("A link begins with its scheme"))
    }

    @Test(
        "a value that cannot be is one sentence, and nothing changes",
        arguments: [
            (["--start", "2026-12-05"], "The start is after the due time ('2026-12-05')."),
            (["--start", "2026-12-01", "--repeat", "daily"], "A repeating reminder cannot have a start of its own."),
            (["--parent", "1"], "A reminder cannot be its own parent ('1')."),
            (["--parent", "9"], "There is no such reminder ('9')."),
            (["--parent", "window"], "There is no such reminder ('window')."),
            (["--link", "javascript:alert(1)"], "A link cannot contain a program or data."),
        ]
    )
    func refused(options: [String], sentence: String) async {
        _ = await self.run("add", "Paint the door", "--due", "2026-12-04")
        let before = await self.run("export").answers
        let status = await RemindavCommand.run(["edit", "1"] + options) { self.world.context($0) }
        #expect(status != .success)
        #expect(self.world.takeComplaints().hasPrefix("remindav: \(sentence)"))
        #expect(await self.run("export").answers == before)
    }
}
