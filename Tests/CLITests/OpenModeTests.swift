import RemindavBridge
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("commands without a store")
struct OpenModeTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/typo/remindav")
    }

    /// Commands that read a store, or change its content.
    static let readingCommands: [[String]] = [
        ["list"], ["list", "--all", "--json"], ["search", "milk"], ["show", "1"], ["stats"], ["alarms"], ["labels"],
        ["lists"], ["log"], ["trash"], ["conflicts"], ["feed", "list"], ["account", "list"], ["sync"], ["done", "1"],
        ["undone", "1"], ["edit", "1", "--title", "x"], ["delete", "1", "--yes"], ["snooze", "1", "5m"],
        ["labels", "rename", "a", "b"], ["lists", "delete", "a", "--yes"], ["undo", "--last"],
        ["account", "remove", "--yes"], ["feed", "revoke", "1"], ["trash", "restore", "1"],
    ]

    @Test("a named folder without a store is refused, and nothing is created", arguments: Self.readingCommands)
    func named(_ words: [String]) async {
        let status = await RemindavCommand.run(words + ["--store", "typo"]) { self.world.context($0) }
        #expect(status == .failure)
        let complaint = self.world.takeComplaints()
        if words.contains("--json") {
            #expect(complaint.hasPrefix(#"{"error": {"code": "storeNotFound", "#))
        } else {
            #expect(
                complaint == """
                    remindav: There is no store in this folder ('\(self.folder.path)/typo/remindav'). Check the path; \
                    'remindav --store typo add' and 'remindav --store typo import' create a new store.

                    """
            )
        }
        #expect(self.world.takeAnswers().isEmpty)
        #expect(self.folder.names.isEmpty)
    }

    @Test(
        "the default folder without a store counts as an empty store, and nothing is created",
        arguments: Self.readingCommands
    )
    func usual(_ words: [String]) async {
        let status = await RemindavCommand.run(words) { self.world.context($0) }
        #expect([.success, .notFound].contains(status), "\(self.world.takeComplaints())")
        #expect(self.folder.names.isEmpty)
    }

    @Test("on a new machine list prints the first steps")
    func firstList() async {
        #expect(await self.world.run("list") == .success)
        #expect(self.world.takeAnswers().hasPrefix("No reminders yet\nAdd your first reminder: "))
    }

    @Test("commands that add data create the store at any place")
    func made() async {
        #expect(await self.world.run("add", "Milk", "--store", "new") == .success)
        #expect(await self.world.run("list", "--store", "new") == .success)
        #expect(self.world.takeAnswers().contains("Milk"))
    }

    @Test("a dry run of an import needs no store and creates none")
    func dryRun() async {
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:A\nEND:VTODO\nEND:VCALENDAR\n"
        self.world.setFile("a.ics", Array(text.utf8))
        #expect(await self.world.run("import", "a.ics", "--dry-run", "--store", "new") == .success)
        #expect(self.world.takeAnswers().hasPrefix("1 added"))
        #expect(self.folder.names.isEmpty)
    }

    @Test("an export without a store leaves the file alone, named or not", arguments: [[], ["--store", "typo"]])
    func export(_ options: [String]) async {
        self.world.setFile("backup.ics", [65])
        let status = await RemindavCommand.run(["export", "-o", "backup.ics", "--yes"] + options) {
            self.world.context($0)
        }
        #expect(status == .failure)
        #expect(self.world.file("backup.ics") == [65])
        #expect(self.folder.names.isEmpty)
    }

    @Test("an empty export asks before it overwrites a file")
    func exportOfNothing() async {
        #expect(await self.world.run("lists", "add", "Empty") == .success)
        self.world.setFile("backup.ics", [65])
        #expect(await self.world.run("export", "-o", "backup.ics") == .usage)
        #expect(self.world.takeComplaints().contains("The store contains no reminder, and backup.ics is not empty."))
        self.world.willReply("n")
        #expect(await self.world.run("export", "-o", "backup.ics") == .success)
        #expect(self.world.file("backup.ics") == [65])
        self.world.willReply("y")
        #expect(await self.world.run("export", "-o", "backup.ics") == .success)
        #expect(self.world.file("backup.ics")?.starts(with: Array("BEGIN:VCALENDAR".utf8)) == true)
        self.world.setFile("backup.ics", [65])
        #expect(await self.world.run("export", "-o", "backup.ics", "--yes") == .success)
        #expect(self.world.file("backup.ics") != [65])
        #expect(await self.world.run("export", "-o", "new.ics") == .success)
        // A store with content may have empty parts.
        #expect(await self.world.run("add", "Milk") == .success)
        #expect(await self.world.run("export", "-o", "backup.ics", "--completed") == .success)
    }
}
